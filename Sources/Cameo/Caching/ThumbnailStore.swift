import Dispatch
import Glibc
import Synchronization

/// Encoded thumbnails that outlive the process, in one SQLite file that any number of processes may use at once.
///
/// Reading never waits for writing: readers have connections of their own, and what is put in is written behind their
/// backs, many at once. A process that is killed loses at most what it had not written yet. Nothing that happens to
/// the file is an error for whoever asks for a picture: it is told once, and there is no thumbnail.
///
/// `@unchecked Sendable`: `state` and `pool` are behind their locks; `writer` belongs to the serial queue `writing`.
public final class ThumbnailStore: @unchecked Sendable {
    /// How a store behaves.
    public struct Options: Sendable {
        /// The most bytes that are kept: 2 GiB.
        public var limit = 2 << 30
        /// Seconds after which an entry is no longer shown; nil for any age.
        public var maximumAge: Int?
        /// Called once for each kind of trouble, on a queue of its own.
        public var onTrouble: (@Sendable (StoreError) -> Void)?
        /// As many entries are written together.
        var batch = 64
        /// Milliseconds after which a batch is written that is not full.
        var delay = 250
        /// A use is noted if the last one that was noted is as many seconds ago.
        var useGranularity = 60
        /// Seconds since 1970.
        var now: @Sendable () -> Int = { Int(ContentStamp.now() / 1_000_000_000) }

        /// 2 GiB, any age.
        public init() {}
    }

    struct Pending {
        let material: [UInt8]
        let value: [UInt8]
        var cost: Int { material.count + value.count }
    }

    struct State {
        var limit: Int
        /// Put in, and not taken up by the writer yet.
        var pending: [[UInt8]: Pending] = [:]
        /// What the writer is writing; readers see it all the while.
        var inFlight: [[UInt8]: Pending] = [:]
        var pendingBytes = 0
        /// Entries with the time of their last use.
        var used: [Int: Int] = [:]
        /// Entries that turned out to be damaged.
        var broken: Set<Int> = []
        var isScheduled = false
        var isReadOnly = false
        /// Nothing is tried before that time.
        var closedUntil = 0
        /// Nothing is written before that time.
        var pausedUntil = 0
        var told: Set<Int> = []
        /// Raised when the file is replaced, so that connections to the old one are not used again.
        var generation = 0
    }

    /// A connection that one thread at a time has taken out of the pool.
    struct Reader: @unchecked Sendable {
        let table: ThumbnailTable
        let generation: Int
    }

    /// The file.
    public let path: FilePath
    let options: Options
    let state: Mutex<State>
    let pool = Mutex<[Reader]>([])
    let writing = DispatchQueue(label: "cameo.thumbnail-store")
    let telling = DispatchQueue(label: "cameo.thumbnail-store.trouble")
    var writer: Reader?

    /// As many bytes wait for the writer at most; what comes on top is not kept.
    private static let pendingLimit = 32 << 20
    private static let idleReaders = 4

    /// A store in `folder`, which is made if need be, for its owner alone. The file is opened when it is first used.
    public init(folder: FilePath, options: Options = Options()) {
        path = folder.appending("thumbnails.sqlite")
        self.options = options
        state = Mutex(State(limit: max(0, options.limit)))
    }

    /// The user's own, in `$XDG_CACHE_HOME/cameo` or `~/.cache/cameo`; nil where neither is known.
    public static var standard: ThumbnailStore? { CacheFolder.standard.map { ThumbnailStore(folder: $0) } }

    /// The thumbnail of `key`, or nil. Reads the file; may be called from any number of threads. O(log entries).
    public func thumbnail(for key: RenditionKey) -> StoredThumbnail? {
        let material = key.material()
        let hash = ThumbnailTable.key(material)
        if let waiting = state.withLock({ $0.pending[hash] ?? $0.inFlight[hash] }) {
            return waiting.material == material ? StoredThumbnail(packed: waiting.value) : nil
        }
        guard let reader = takeReader() else { return nil }
        do throws(DatabaseError) {
            let found = try reader.table.find(hash)
            giveBack(reader)
            return found.flatMap { accepted($0, material) }
        } catch {
            note(error)
            return nil
        }
    }

    /// Keeps `thumbnail` for `key`. Returns at once; it is written in a moment.
    public func insert(_ thumbnail: StoredThumbnail, for key: RenditionKey) {
        let material = key.material()
        let pending = Pending(material: material, value: thumbnail.packed)
        let (hash, now) = (ThumbnailTable.key(material), options.now())
        let startsNow: Bool? = state.withLock { state in
            guard pending.cost <= state.limit / 10, state.pendingBytes + pending.cost <= Self.pendingLimit,
                !state.isReadOnly, max(state.closedUntil, state.pausedUntil) <= now
            else { return nil }
            state.pendingBytes += pending.cost - (state.pending[hash]?.cost ?? 0)
            state.pending[hash] = pending
            if state.pending.count == options.batch { return true }
            defer { state.isScheduled = true }
            return state.isScheduled ? nil : false
        }
        if let startsNow { scheduleWrite(now: startsNow) }
    }

    /// Waits until everything that was put in has been written.
    public func flush() { writing.sync { write() } }

    /// The most bytes that are kept. Lowering it drops what is over before it returns.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { $0.limit = max(0, newValue) }
            _ = try? trim()
        }
    }

    /// `found` as a thumbnail, if it is what it should be.
    private func accepted(_ found: ThumbnailTable.Found, _ material: [UInt8]) -> StoredThumbnail? {
        guard found.material == material else { return nil }
        let now = options.now()
        if let age = options.maximumAge, found.made < now - age { return nil }
        guard found.isWhole, let thumbnail = StoredThumbnail(packed: found.value) else {
            state.withLock { _ = $0.broken.insert(found.id) }
            scheduleWrite(now: true)
            return nil
        }
        if found.used <= now - options.useGranularity { noteUse(of: found.id, at: now) }
        return thumbnail
    }

    private func noteUse(of id: Int, at time: Int) {
        let starts = state.withLock { state in
            state.used[id] = time
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if starts { scheduleWrite(now: false) }
    }

    func scheduleWrite(now: Bool) {
        if now {
            writing.async { [self] in write() }
        } else {
            writing.asyncAfter(deadline: .now() + .milliseconds(options.delay)) { [self] in write() }
        }
    }

    private func takeReader() -> Reader? {
        let generation = state.withLock { $0.generation }
        if let reader = pool.withLock({ $0.popLast() }), reader.generation == generation { return reader }
        return open()
    }

    private func giveBack(_ reader: Reader) {
        guard reader.generation == state.withLock({ $0.generation }) else { return }
        pool.withLock { pool in if pool.count < Self.idleReaders { pool.append(reader) } }
    }
}
