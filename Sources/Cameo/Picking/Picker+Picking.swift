extension Picker {
    /// Why `id` cannot be picked now, or nil if it can.
    ///
    /// The reasons in their order: the picker has ended, the asset is picked already, the limit is reached, the
    /// library does not offer it, the owner does not want it. Who comes later is not asked.
    public func refusal(of id: Asset.ID) -> PickingError? {
        do throws(PickingError) {
            _ = try pickable(id)
            return nil
        } catch {
            return error
        }
    }

    /// Whether `id` can be picked now. `pick` asks the same.
    public func canPick(_ id: Asset.ID) -> Bool { refusal(of: id) == nil }

    /// Picks `id`, last in order.
    ///
    /// - Throws: What `refusal` would have said.
    public func pick(_ id: Asset.ID) throws(PickingError) {
        let generation = state.withLock { $0.generation }
        let asset = try pickable(id)
        // The owner was asked without the lock, so the first rules are looked at again.
        let reservation = state.withLock { state -> Result<PickerEvent, PickingError> in
            if let refusal = state.refusal(of: id, configuration) { return .failure(refusal) }
            return .success(state.reserve(id))
        }
        tell(try reservation.get())
        let (event, isOutdated) = state.withLock { state in
            (state.commit(asset), state.generation != generation)
        }
        guard let event else { throw .finished }
        tell(event)
        if isOutdated { libraryDidChange() }
    }

    /// Drops `id`; false, without any event, if it is not picked. O(picked after it).
    @discardableResult
    public func drop(_ id: Asset.ID) -> Bool {
        guard let beginning = state.withLock({ $0.beginDrop(id) }) else { return false }
        tell(beginning)
        guard let end = state.withLock({ $0.endDrop(id) }) else { return false }
        tell(end)
        return true
    }

    /// Drops `id` if it is picked, and picks it if not.
    ///
    /// - Returns: Whether it is picked now.
    /// - Throws: What `refusal` would have said of a pick.
    @discardableResult
    public func toggle(_ id: Asset.ID) throws(PickingError) -> Bool {
        if drop(id) { return false }
        try pick(id)
        return true
    }

    /// Moves the pick at `source` of the order so that it ends up at `target`. O(distance).
    ///
    /// - Throws: `PickingError.finished`, `notOrdered` or `noSuchPosition`.
    public func move(from source: Int, to target: Int) throws(PickingError) {
        guard configuration.isOrdered else { throw .notOrdered }
        let result = state.withLock { state -> Result<PickerEvent?, PickingError> in
            if state.outcome != nil { return .failure(.finished) }
            for position in [source, target] where !state.selection.indices.contains(position) {
                return .failure(.noSuchPosition(position))
            }
            return .success(state.move(from: source, to: target))
        }
        if let event = try result.get() { tell(event) }
    }

    /// The place of a pick in the order, from 0, for a badge; nil if it is not picked or the order means nothing. O(1).
    public func position(of id: Asset.ID) -> Int? {
        configuration.isOrdered ? state.withLock { $0.selection.position(of: id) } : nil
    }

    /// The asset, if nothing refuses it.
    private func pickable(_ id: Asset.ID) throws(PickingError) -> Asset {
        let (refusal, count, delegate) = state.withLock { state in
            (state.refusal(of: id, configuration), state.selection.count, state.delegate)
        }
        if let refusal { throw refusal }
        guard let asset = library.asset(for: id), asset.id == id, configuration.filter.passes(asset) else {
            throw .notOffered(id)
        }
        guard delegate?.picker(self, mayPick: asset, count: count) ?? true else { throw .vetoed(id) }
        return asset
    }

    func tell(_ event: PickerEvent) { delegate?.picker(self, did: event) }
}
