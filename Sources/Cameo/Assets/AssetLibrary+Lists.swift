extension AssetLibrary {
    /// The library's albums as they become known; starts the first scan.
    ///
    /// The stream ends with a final state. Whoever is slow misses steps between, never the last.
    ///
    /// - Parameter includingEmpty: Whether albums without assets are in the list.
    public func albums(includingEmpty: Bool = false) -> AsyncStream<LoadingState<AlbumList>> {
        states { [weak self] progress in
            if let announced = progress.announced {
                return AlbumList(includesEmpty: includingEmpty, albums: announced, library: self)
            }
            return progress.snapshot.albums(includingEmpty: includingEmpty, of: self)
        }
    }

    /// The assets of an album as they become known; starts the first scan. The stream ends with a final state.
    ///
    /// Of a library that is in the catalog, the newest come first, then all that was known, and last what a scan says.
    public func assets(of kind: Album.Kind = .smart(.recents)) -> AsyncStream<LoadingState<AssetList>> {
        states { [weak self] progress in progress.snapshot.assets(of: kind, library: self) }
    }

    /// What changes in the library from now on, one element for each scan that finds something.
    public func changes() -> AsyncStream<LibraryChange> {
        AsyncStream { continuation in
            let key = state.withLock { state in
                state.nextObserver += 1
                state.changeObservers[state.nextObserver] = continuation
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.changeObservers.removeValue(forKey: key) }
            }
        }
    }

    func states<List: ItemList>(
        _ make: @escaping @Sendable (LibraryProgress) -> List
    ) -> AsyncStream<LoadingState<List>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LoadingState<List>.self, bufferingPolicy: .bufferingNewest(1))
        let observer: @Sendable (LibraryProgress) -> Void = { progress in
            continuation.yield(progress.state(make))
            if progress.isFinal { continuation.finish() }
        }
        // On the queue, so that no step overtakes another.
        queue.async { [weak self] in
            guard let self else { return continuation.finish() }
            let progress = state.withLock { $0.progress }
            observer(progress)
            if progress.isFinal { return }
            let key = state.withLock { state in
                state.nextObserver += 1
                state.progressObservers[state.nextObserver] = observer
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.progressObservers.removeValue(forKey: key) }
            }
        }
        start()
        return stream
    }

    /// Makes `progress` what readers see. On the queue.
    func publish(_ progress: LibraryProgress) {
        let (observers, continuations, before, wasComplete) = state.withLock { state in
            let before = state.progress
            state.progress = progress
            let observers = Array(state.progressObservers.values)
            if progress.isFinal { state.progressObservers = [:] }
            let wasComplete = if case .complete = before.phase { true } else { false }
            return (observers, Array(state.changeObservers.values), before.snapshot, wasComplete)
        }
        observers.forEach { $0(progress) }
        guard wasComplete, before !== progress.snapshot, !continuations.isEmpty else { return }
        let change = LibraryChange(before: before, after: progress.snapshot)
        continuations.forEach { $0.yield(change) }
    }
}
