import Dispatch
import Glibc

extension ThumbnailStore {
    /// Seconds until a file that cannot be used is tried again.
    private static let pause = 30

    /// A new connection, or nil where there is none to be had; says why, once.
    func open() -> Reader? {
        let (generation, isClosed) = state.withLock { ($0.generation, $0.closedUntil > options.now()) }
        if isClosed { return nil }
        _ = try? WholeFile.makeFolder(path.parent, mode: CacheFolder.mode)
        do throws(ThumbnailTable.OpenFailure) {
            return Reader(table: try table(), generation: generation)
        } catch {
            switch error {
            case .foreign:
                close(because: .foreign(path: path.description))
                return nil
            case .database(let error) where error.isDamage:
                return replaced(error, generation)
            case .database(let error) where error.isBusy:
                return nil
            case .database(let error) where error.isReadOnly:
                return opened(readOnly: error, generation)
            case .database(let error):
                close(because: trouble(error))
                return nil
            }
        }
    }

    /// A connection to the file, which somebody else may be making this moment.
    private func table() throws(ThumbnailTable.OpenFailure) -> ThumbnailTable {
        func isBusy(_ failure: ThumbnailTable.OpenFailure) -> Bool {
            if case .database(let error) = failure { error.isBusy } else { false }
        }
        return try Database.patiently(isBusy) { () throws(ThumbnailTable.OpenFailure) in try ThumbnailTable(path: path)
        }
    }

    /// What to do after a statement failed.
    func note(_ error: DatabaseError) {
        if error.isBusy { return }
        if error.isDamage {
            let generation = state.withLock { $0.generation }
            _ = replaced(error, generation)
        } else if error.isReadOnly {
            state.withLock { $0.isReadOnly = true }
            tell(trouble(error))
        } else if error.isFull {
            // What is there can still be read.
            state.withLock { $0.pausedUntil = options.now() + Self.pause }
            tell(trouble(error))
        } else {
            close(because: trouble(error))
        }
    }

    private func trouble(_ error: DatabaseError) -> StoreError {
        if error.isFull { return .diskFull(path: path.description) }
        if error.isReadOnly { return .readOnly(path: path.description, reason: error.text) }
        return .unavailable(path: path.description, reason: error.text)
    }

    private func opened(readOnly error: DatabaseError, _ generation: Int) -> Reader? {
        guard let database = try? Database.reading(path), let table = try? ThumbnailTable(database) else {
            close(because: .unavailable(path: path.description, reason: error.text))
            return nil
        }
        state.withLock { $0.isReadOnly = true }
        tell(.readOnly(path: path.description, reason: error.text))
        return Reader(table: table, generation: generation)
    }

    /// Sets the damaged file aside and begins a new one, unless somebody else has done so already.
    private func replaced(_ error: DatabaseError, _ generation: Int) -> Reader? {
        let lock = FilePath(bytes: path.bytes + ".lock".utf8).withCString {
            Glibc.open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        }
        guard lock >= 0 else {
            close(because: trouble(error))
            return nil
        }
        defer { Glibc.close(lock) }
        flock(lock, LOCK_EX)
        if isSound { return opened(after: generation) }
        Database.setAside(path, as: aside)
        tell(.damaged(path: path.description, setAside: aside.description))
        return opened(after: generation)
    }

    /// Where a damaged file is set aside. The next one takes its place.
    var aside: FilePath { FilePath(bytes: path.bytes + ".damaged".utf8) }

    private var isSound: Bool {
        guard let table = try? ThumbnailTable(path: path) else { return false }
        return (try? table.damage().isEmpty) == true
    }

    private func opened(after generation: Int) -> Reader? {
        let now = state.withLock { state in
            if state.generation == generation { state.generation += 1 }
            return state.generation
        }
        pool.withLock { $0 = [] }
        do throws(ThumbnailTable.OpenFailure) {
            return Reader(table: try table(), generation: now)
        } catch {
            close(because: .unavailable(path: path.description, reason: "no new file could be begun"))
            return nil
        }
    }

    private func close(because error: StoreError) {
        state.withLock { $0.closedUntil = options.now() + Self.pause }
        tell(error)
    }

    /// Tells of each kind of trouble once. On another queue: whoever is told may use the store.
    private func tell(_ error: StoreError) {
        let isNew = state.withLock { $0.told.insert(error.kind).inserted }
        guard isNew, let onTrouble = options.onTrouble else { return }
        telling.async { onTrouble(error) }
    }

    /// Waits until all that there was to tell has been told: for a program that ends now. Not to be called by who is told.
    package func waitUntilTold() { telling.sync {} }
}
