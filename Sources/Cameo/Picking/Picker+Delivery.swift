import Dispatch

extension Picker {
    /// Why the picker cannot finish now, or nil if it can.
    public var finishRefusal: PickingError? {
        state.withLock { Self.finishRefusal($0, configuration) }
    }

    /// Ends the picker with what is picked. Whoever waits is told, exactly once.
    ///
    /// Assets that the library no longer has leave the selection first.
    ///
    /// - Throws: `PickingError.finished`, `tooMany` or `tooFew`; the picker then goes on.
    @discardableResult
    public func finish() throws(PickingError) -> PickerOutcome {
        libraryDidChange()
        let result = state.withLock { state -> Result<PickerState.Ending, PickingError> in
            if let refusal = Self.finishRefusal(state, configuration) { return .failure(refusal) }
            let assets = state.selection.ids.compactMap { id in
                state.assets[id].map { PickedAsset($0, crop: state.crops[id], options: options, faces: faces) }
            }
            return state.end(.picked(assets)).map { .success($0) } ?? .failure(.finished)
        }
        return deliver(try result.get())
    }

    /// Ends the picker without a change. Whoever waits is told, exactly once; nothing happens if it has ended.
    public func cancel() {
        let ending = state.withLock { $0.end(.cancelled(preselected: configuration.preselected)) }
        if let ending { deliver(ending) }
    }

    /// Calls `perform` on `queue` when the picker ends; soon, if it has ended. Any number may be told.
    public func onFinish(on queue: DispatchQueue, _ perform: @escaping @Sendable (PickerOutcome) -> Void) {
        let callback = PickerState.Callback(queue: queue, perform: perform)
        if let outcome = state.withLock({ $0.add(callback) }) { callback.call(outcome) }
    }

    /// How the picker ends. Any number of tasks may wait for it.
    ///
    /// Cancelling a task that waits cancels the picker, as it cancels whatever else the task waits for.
    public var result: PickerOutcome {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let outcome = state.withLock { $0.add(continuation) }
                    if let outcome { continuation.resume(returning: outcome) }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// What happens from now on, ending with `.finished`; that alone if the picker has ended.
    ///
    /// Every call makes a stream of its own. A stream does not keep the picker, and holds what is not read yet.
    public var events: AsyncStream<PickerEvent> {
        let (stream, reader) = AsyncStream.makeStream(of: PickerEvent.self)
        let (key, outcome) = state.withLock { ($0.addReader(reader), $0.outcome) }
        if let key {
            reader.onTermination = { [weak self] _ in self?.state.withLock { $0.removeReader(key) } }
        } else if let outcome {
            reader.yield(.finished(outcome))
            reader.finish()
        }
        return stream
    }

    private static func finishRefusal(_ state: PickerState, _ configuration: PickerConfiguration) -> PickingError? {
        let count = state.selection.count
        if state.outcome != nil { return .finished }
        if configuration.limit > 0, count > configuration.limit {
            return .tooMany(count: count, limit: configuration.limit)
        }
        if count < configuration.minimum { return .tooFew(count: count, minimum: configuration.minimum) }
        return nil
    }

    @discardableResult
    private func deliver(_ ending: PickerState.Ending) -> PickerOutcome {
        // The delegate comes last: it may wait for one of the others.
        ending.deliver()
        tell(.finished(ending.outcome))
        return ending.outcome
    }
}
