import Dispatch
import Glibc
import Synchronization

/// Folder changes from Linux's inotify, gathered until the disk has been quiet for a moment.
///
/// A watch is on a folder, not on a path: one that is renamed is followed, and what takes its place is not seen. So each
/// event that tells of a folder coming, going or moving puts its path, and all below, in doubt, and what is in doubt is
/// watched anew. Of roots, nothing tells that they are back, that something was mounted on them, or that a folder above
/// was renamed: whether they are what is watched is looked at once a `round`.
///
/// `@unchecked Sendable`: `file` and `source` are set by `init` alone; all else is in `state`, behind its lock.
final class InotifyWatcher: FolderWatching, @unchecked Sendable {
    private struct State {
        /// Where the watched folders were when their watches were made.
        var paths: [Int32: FilePath] = [:]
        /// The watches that are on what the path leads to; of paths in doubt there is none.
        var descriptors: [FilePath: Int32] = [:]
        var dirty: Set<FilePath> = []
        /// Paths that may lead to other folders than before, and all below them. In doubt when the disk is quiet.
        var displaced: Set<FilePath> = []
        /// Folders on a file system that was unmounted, until the disk is quiet.
        var unmounted: Set<FilePath> = []
        /// Paths whose folders are looked at each round: the roots, and what was unmounted; and what was there when they
        /// were last watched.
        var looked: Set<FilePath> = []
        var identities: [FilePath: FileIdentity] = [:]
        var hasLostCount = false
        var firstEvent: DispatchTime?
        var generation = 0
        var isStopped = false
        /// The system has no watches left: some folders can only be looked at.
        var isIncomplete = false
    }

    private let file: Int32
    private let queue = DispatchQueue(label: "cameo.inotify")
    private let source: any DispatchSourceRead
    private let state = Mutex(State())
    private let roots: Set<FilePath>
    /// How often the roots are looked at; and all, where not all can be watched.
    private let round: DispatchTimeInterval
    private let report: @Sendable (FolderEvent) -> Void

    /// What is told waits until so long nothing has happened, but never longer than `patience`.
    private static let quiet = DispatchTimeInterval.milliseconds(100)
    private static let patience: UInt64 = 1_000_000_000
    private static let mask = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)

    /// Nil where the system has no more instances to give.
    init?(
        roots: [FilePath] = [], round: DispatchTimeInterval = .seconds(10),
        report: @escaping @Sendable (FolderEvent) -> Void
    ) {
        file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard file >= 0 else { return nil }
        self.roots = Set(roots)
        self.round = round
        self.report = report
        source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { [file] in close(file) }
        state.withLock { $0.looked = self.roots }
        source.resume()
        look()
    }

    deinit { source.cancel() }

    func stop() {
        state.withLock { $0.isStopped = true }
        source.cancel()
    }

    func watch(_ folders: [FilePath]) -> Set<FilePath> {
        state.withLock { state in
            if state.isStopped { return [] }
            state.isIncomplete = false
            var added: Set<FilePath> = []
            for path in folders where state.descriptors[path] == nil {
                let descriptor = path.withCString { inotify_add_watch(file, $0, Self.mask) }
                guard descriptor >= 0 else {
                    if errno == ENOSPC { state.isIncomplete = true }
                    continue
                }
                let former = state.paths[descriptor]
                state.paths[descriptor] = path
                state.descriptors[path] = descriptor
                if state.looked.contains(path) { state.identities[path] = FileIdentity(path) }
                // It was in doubt for nothing: nothing was missed.
                if former == path { continue }
                // The same folder under its former name, where no other has that now.
                if let former, state.descriptors[former] == descriptor { state.descriptors[former] = nil }
                added.insert(path)
            }
            let wanted = Set(folders)
            for path in state.descriptors.keys where !wanted.contains(path) { state.descriptors[path] = nil }
            for (descriptor, path) in state.paths where state.descriptors[path] != descriptor {
                inotify_rm_watch(file, descriptor)
                state.paths[descriptor] = nil
            }
            state.looked.formIntersection(wanted.union(roots))
            return added
        }
    }

    /// What no event tells of, once a round.
    private func look() {
        queue.asyncAfter(deadline: .now() + round) { [weak self] in
            guard let self else { return }
            let (event, isStopped): (FolderEvent?, Bool) = state.withLock { state in
                if state.isIncomplete { return (.lostCount, state.isStopped) }
                let others = state.looked.filter { path in
                    FileIdentity(path) != (state.descriptors[path] == nil ? nil : state.identities[path])
                }
                return (others.isEmpty ? nil : .changed(Self.doubt(others, &state)), state.isStopped)
            }
            if isStopped { return }
            if let event { report(event) }
            look()
        }
    }

    /// Forgets the watches on `folders` and on all below, and says which those are.
    private static func doubt(_ folders: Set<FilePath>, _ state: inout State) -> Set<FilePath> {
        var doubted = folders
        guard let shortest = folders.map(\.bytes.count).min() else { return doubted }
        for path in state.descriptors.keys {
            var above = path
            while above.bytes.count > shortest, !folders.contains(above) { above = above.parent }
            if folders.contains(above) { doubted.insert(path) }
        }
        for path in doubted { state.descriptors[path] = nil }
        return doubted
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let length = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard length > 0 else { break }
            state.withLock { state in
                buffer.withUnsafeBytes { Self.note(UnsafeRawBufferPointer(rebasing: $0[..<length]), &state) }
            }
        }
        schedule()
    }

    private static func note(_ events: UnsafeRawBufferPointer, _ state: inout State) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size
            let name = events[offset..<min(offset + Int(event.len), events.count)].prefix { $0 != 0 }
            offset += Int(event.len)
            let happened = { (mask: Int32) in event.mask & UInt32(mask) != 0 }
            if happened(IN_Q_OVERFLOW) { state.hasLostCount = true }
            guard let path = state.paths[event.wd] else { continue }
            if happened(IN_IGNORED) {
                state.paths[event.wd] = nil
                if state.descriptors[path] == event.wd { state.descriptors[path] = nil }
                continue
            }
            state.dirty.insert(path)
            if happened(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
                state.dirty.insert(path.parent)
                state.displaced.insert(path)
            }
            if happened(IN_UNMOUNT) { state.unmounted.insert(path) }
            // A folder that others hold open does not tell that it was removed, and another may have its name already.
            if happened(IN_ISDIR), happened(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) {
                let child = path.appending(FilePath(bytes: name))
                if state.descriptors[child] != nil { state.displaced.insert(child) }
            }
        }
    }

    private func schedule() {
        let now = DispatchTime.now()
        let (generation, isLate) = state.withLock { state in
            state.generation += 1
            let first = state.firstEvent ?? now
            state.firstEvent = first
            return (state.generation, now.uptimeNanoseconds - first.uptimeNanoseconds > Self.patience)
        }
        queue.asyncAfter(deadline: isLate ? now : now + Self.quiet) { [weak self] in self?.tell(generation, isLate) }
    }

    private func tell(_ generation: Int, _ isLate: Bool) {
        let event: FolderEvent? = state.withLock { state in
            guard !state.isStopped, isLate || state.generation == generation else { return nil }
            defer {
                state.dirty = []
                state.displaced = []
                state.unmounted = []
                state.hasLostCount = false
                state.firstEvent = nil
            }
            // That it is mounted again tells nothing. It is its topmost folder that comes back.
            state.looked.formUnion(state.unmounted.filter { !state.unmounted.contains($0.parent) })
            if state.hasLostCount {
                // Among what is lost may be that folders came, went or moved.
                state.descriptors = [:]
                return .lostCount
            }
            if !state.displaced.isEmpty { state.dirty.formUnion(Self.doubt(state.displaced, &state)) }
            return state.dirty.isEmpty ? nil : .changed(state.dirty)
        }
        if let event { report(event) }
    }
}
