import Dispatch
import Glibc
import Synchronization

/// The photos and videos in one or more folders, their subfolders included.
///
/// What a scan finds is remembered in a catalog, so that the next one reads only what is new or has changed. Readers
/// hold a `LibrarySnapshot`, which never changes. Hidden files and folders are left out; a folder that is reached
/// twice, through a link or by two roots, counts once.
///
/// An asset's identifier is its content's fingerprint as it was first seen. It stays through renames, moves between the
/// library's folders, edits in place and saves by replacing. Two identical files are two assets: the one seen first
/// (in one scan: the one whose path comes first) has the plain identifier, the other a numbered one, and each keeps its
/// own whatever becomes of the other. Without the catalog an edited file, or a numbered one, may get another.
///
/// Everything is safe to be called from any thread. Scans run one after the other on the library's own queue.
public final class AssetLibrary: Sendable {
    /// Where a library keeps its catalog.
    public enum CatalogLocation: Hashable, Sendable {
        /// `$XDG_CACHE_HOME/cameo`, or `~/.cache/cameo`.
        case standard
        /// This folder, which is made if it is not there.
        case folder(FilePath)
        /// None: every library begins by reading everything.
        case none
    }

    /// The folders, by their real paths, in byte order.
    public let folders: [FilePath]

    let catalog: Catalog
    let notes: AssetNotes
    /// Scans and what they publish, in order.
    let queue = DispatchQueue(label: "cameo.library")
    let state = Mutex(State())

    /// What readers see, and who wants to be told. Guarded by `state`'s lock; written on `queue` alone, but for the
    /// observers.
    struct State {
        var progress = LibraryProgress()
        var isStarted = false
        var nextObserver = 0
        var progressObservers: [Int: @Sendable (LibraryProgress) -> Void] = [:]
        var changeObservers: [Int: AsyncStream<LibraryChange>.Continuation] = [:]
        var watcher: (any FolderWatching)?
        /// On which devices folders lay when they were last read: the library's own, and where another file system was
        /// mounted in one.
        var devices: [FilePath: UInt64] = [:]
        /// Those of them at which something was mounted then, as the catalog of this generation has them.
        var mounts: Set<FilePath> = []
        var mountsGeneration = 0
    }

    /// Opens folders without reading them yet.
    ///
    /// - Throws: `noFolders`, `notAFolder` or `unreadable`, for the first folder that is not to be opened.
    public init(folders: [FilePath], catalog location: CatalogLocation = .standard) throws(LibraryError) {
        if folders.isEmpty { throw .noFolders }
        var real: Set<FilePath> = []
        for folder in folders { real.insert(try Self.realPath(folder)) }
        self.folders = real.sorted()
        let place: FilePath? =
            switch location {
            case .standard: CacheFolder.standard
            case .folder(let folder): folder
            case .none: nil
            }
        catalog = Catalog(path: place.map { Catalog.path(in: $0, roots: real.sorted()) })
        notes = AssetNotes(catalog)
    }

    deinit {
        state.withLock { state in
            state.watcher?.stop()
            state.changeObservers.values.forEach { $0.finish() }
        }
    }

    private static func realPath(_ folder: FilePath) throws(LibraryError) -> FilePath {
        guard let path = folder.real else {
            throw .unreadable(folder: folder.description, reason: errorText(errno))
        }
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .notAFolder(path: folder.description)
        }
        return path
    }

    /// What became of the catalog.
    public var catalogState: CatalogState { catalog.state }

    /// The library as it is known now; empty before anything is loaded.
    public var snapshot: LibrarySnapshot { state.withLock { $0.progress.snapshot } }

    /// Looks at every folder and file, reads what is new or has changed, and returns when all is known.
    ///
    /// - Throws: `unreadable` where one of the library's folders cannot be read, or is empty and no longer has on it what
    ///   was mounted there (what was known stays), `cancelled` when the task is cancelled.
    /// - Complexity: One look at each file, and a few small reads of each that changed.
    @discardableResult
    public func scan() async throws(LibraryError) -> LibrarySnapshot {
        let token = ScanToken()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.perform(dirty: nil, token).map { _ in }) }
            }
        } onCancel: {
            token.cancel()
        }
        try outcome.get()
        // Read behind the lock and not handed over, for the thread sanitizer does not see how a task is resumed.
        return snapshot
    }

    /// The library when the work that waits now is done; scans first if none has.
    func settled() async -> LibrarySnapshot {
        start()
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
        return snapshot
    }

    /// Begins the first scan, if none has begun.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { queue.async { _ = self.perform(dirty: nil, ScanToken()) } }
    }
}
