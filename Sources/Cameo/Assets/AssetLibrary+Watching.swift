import Dispatch

extension AssetLibrary {
    /// Follows what happens on disk from now on; what it finds comes through `changes()`.
    ///
    /// Scans once more, since something may have happened before. A burst of changes is one change, about 100 ms after
    /// its end; where the system loses count, all folders are looked at. That one of the library's own folders is back, or
    /// that something was mounted on it, is seen within ten seconds.
    ///
    /// - Returns: False where the system cannot watch; the library then changes with `scan()` alone.
    @discardableResult
    public func startWatching() -> Bool {
        startWatching(round: .seconds(10))
    }

    /// Looks at the library's own folders once a `round`.
    func startWatching(round: DispatchTimeInterval) -> Bool {
        let watcher = InotifyWatcher(roots: folders, round: round) { [weak self] event in self?.take(event) }
        guard let watcher else { return false }
        startWatching(watcher)
        return true
    }

    func startWatching(_ watcher: any FolderWatching) {
        queue.async { [self] in
            state.withLock { state in
                state.watcher?.stop()
                state.watcher = watcher
            }
            _ = watcher.watch(snapshot.table.folders + folders)
            _ = perform(dirty: nil, ScanToken())
        }
    }

    /// Lets the library be as it is until the next `scan()`.
    public func stopWatching() {
        state.withLock { state in
            state.watcher?.stop()
            state.watcher = nil
        }
    }

    /// Looks at the folders that a watcher names.
    func take(_ event: FolderEvent) {
        queue.async { [weak self] in
            switch event {
            case .changed(let folders): _ = self?.perform(dirty: folders, ScanToken())
            case .lostCount: _ = self?.perform(dirty: nil, ScanToken())
            }
        }
    }

    /// Watches folders that are new or back; what was put into them before that is looked for again.
    func watchFolders(of snapshot: LibrarySnapshot, with watcher: any FolderWatching) {
        let added = watcher.watch(snapshot.table.folders + folders)
        if !added.isEmpty { take(.changed(added)) }
    }
}
