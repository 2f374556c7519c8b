import Glibc

extension AssetLibrary {
    /// As many assets are shown before the catalog is loaded: more than any screen has.
    private static let firstScreen = 200
    /// Chunks of files after which a first scan shows what it has; each time four times as many.
    private static let firstBatch = 4
    private static let laterBatch = 64

    /// Brings the library up to date with the disk. On the queue.
    func perform(dirty: Set<FilePath>?, _ token: ScanToken) -> Result<LibrarySnapshot, LibraryError> {
        state.withLock { $0.isStarted = true }
        loadCatalog()
        let before = snapshot
        // After a scan that failed, too: what was not there may come back.
        defer { state.withLock { $0.watcher }.map { watchFolders(of: snapshot, with: $0) } }
        do throws(LibraryError) {
            let after = try update(before, dirty: dirty, token)
            publish(LibraryProgress(phase: .complete, snapshot: after))
            catalog.catchUp(with: after)
            saveMounts(of: after)
            notes.prune(to: after)
            return .success(after)
        } catch {
            // Once all was known, a scan that fails takes nothing away.
            let isComplete = state.withLock { if case .complete = $0.progress.phase { true } else { false } }
            if !isComplete { publish(LibraryProgress(phase: .failed("\(error)"), snapshot: snapshot)) }
            return .failure(error)
        }
    }

    private func loadCatalog() {
        guard case .loading = state.withLock({ $0.progress.phase }) else { return }
        if let first = catalog.firstScreen(Self.firstScreen), !first.albums.isEmpty {
            publish(
                LibraryProgress(
                    phase: .partial, snapshot: LibrarySnapshot(first.table, pairs: []), announced: first.albums))
        }
        loadMounts()
        guard var table = catalog.load(), !table.folders.isEmpty else { return }
        let pairs = Pairing.mark(&table).pairs
        publish(LibraryProgress(phase: .partial, snapshot: LibrarySnapshot(table, pairs: pairs)))
    }

    private func update(
        _ before: LibrarySnapshot, dirty: Set<FilePath>?, _ token: ScanToken
    ) throws(LibraryError) -> LibrarySnapshot {
        let devices = state.withLock { $0.devices }
        let places = devices.keys.map { (path: $0, identity: FileIdentity($0)) }
        let scanner = FolderScanner(roots: folders, known: before.table, dirty: dirty, devices: devices)
        let (listings, problems) = scanner.listings()
        for folder in folders {
            // A root that is gone may be a disk that is not plugged in: nothing is forgotten for that.
            if let problem = problems.first(where: { $0.path == folder }) {
                throw .unreadable(folder: folder.description, reason: problem.reason)
            }
        }
        remember(listings)
        var result = FolderScanner.Result(
            listings: listings, findings: Array(repeating: [], count: listings.count), problems: problems)
        let chunks = FolderScanner.chunks(listings)
        let isFirst = before.table.records.isEmpty
        var batch = isFirst ? Self.firstBatch : Self.laterBatch
        var done = 0
        while done < chunks.count {
            if token.isCancelled {
                // A first scan keeps what it has; ids are final, since they are given in the order of paths.
                if isFirst { _ = take(result, before, dirty: dirty, saves: true) }
                throw .cancelled
            }
            let next = chunks[done..<min(done + batch, chunks.count)]
            let found = scanner.run(next, of: listings, problems: &result.problems)
            for (chunk, findings) in zip(next, found) { result.findings[chunk.listing] += findings }
            done = next.endIndex
            if isFirst, done < chunks.count {
                batch *= 4
                publish(LibraryProgress(phase: .partial, snapshot: take(result, before, dirty: dirty, saves: false)))
            }
        }
        if token.isCancelled { throw .cancelled }
        // Unplugged or replaced meanwhile: what was not found may be there all the same.
        let read = listings.filter { folders.contains($0.path) && $0.identity != nil }.map { ($0.path, $0.identity) }
        for (path, identity) in places + read where identity != FileIdentity(path) {
            throw .unreadable(folder: path.description, reason: "it was replaced while it was read")
        }
        return take(result, before, dirty: dirty, saves: true)
    }

    /// The snapshot with what was found; `before` itself where nothing differs.
    private func take(
        _ result: FolderScanner.Result, _ before: LibrarySnapshot, dirty: Set<FilePath>?, saves: Bool
    ) -> LibrarySnapshot {
        if result.matches(before.table), result.problems == before.problems { return before }
        let update = TableUpdate(before.table, result)
        var table = update.table
        let (pairs, marked) = Pairing.mark(&table)
        let snapshot = LibrarySnapshot(table, pairs: pairs, problems: result.problems)
        if saves {
            let written = Set(update.written).union(marked).sorted()
            catalog.save(snapshot, written: written, removed: update.removed, old: before.table)
        }
        return snapshot
    }
}
