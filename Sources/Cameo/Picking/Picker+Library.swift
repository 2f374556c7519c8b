extension Picker {
    /// Looks again at all that is picked, after a change of the library: assets that are gone leave the selection,
    /// each with `didVanish`; the others stay picked, in their order, wherever they are now. A crop
    /// whose file holds a picture of another size by now is forgotten, picked or not. O(picked and cropped).
    public func libraryDidChange() {
        let ids = state.withLock { state in
            state.countChange()
            return Set(state.selection.ids).union(state.crops.keys)
        }
        var found: [Asset.ID: Asset?] = [:]
        for id in ids { found.updateValue(library.asset(for: id), forKey: id) }
        for event in state.withLock({ $0.update(found) }) { tell(event) }
    }
}
