import Dispatch
import Glibc
import Synchronization

/// Folder changes from Linux's inotify, gathered until the disk has been quiet for a moment.
///
/// `@unchecked Sendable`: `file` and `source` are set by `init` alone; all else is in `state`, behind its lock.
final class InotifyWatcher: FolderWatching, @unchecked Sendable {
    private struct State {
        var paths: [Int32: FilePath] = [:]
        var descriptors: [FilePath: Int32] = [:]
        var dirty: Set<FilePath> = []
        var hasLostCount = false
        var firstEvent: DispatchTime?
        var generation = 0
        var isStopped = false
        /// The system has no watches left: some folders can only be looked at.
        var isIncomplete = false
        var isPolling = false
    }

    private let file: Int32
    private let queue = DispatchQueue(label: "cameo.inotify")
    private let source: any DispatchSourceRead
    private let state = Mutex(State())
    private let report: @Sendable (FolderEvent) -> Void

    /// What is told waits until so long nothing has happened, but never longer than `patience`.
    private static let quiet = DispatchTimeInterval.milliseconds(100)
    private static let patience: UInt64 = 1_000_000_000
    /// How often all is looked at where not all can be watched.
    private static let round = DispatchTimeInterval.seconds(10)
    private static let mask = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)

    /// Nil where the system has no more instances to give.
    init?(report: @escaping @Sendable (FolderEvent) -> Void) {
        file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard file >= 0 else { return nil }
        self.report = report
        source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { [file] in close(file) }
        source.resume()
    }

    deinit { source.cancel() }

    func stop() {
        state.withLock { $0.isStopped = true }
        source.cancel()
    }

    func watch(_ folders: [FilePath]) -> Set<FilePath> {
        let (added, startsPolling) = state.withLock { state in
            if state.isStopped { return (Set<FilePath>(), false) }
            state.isIncomplete = false
            var added: Set<FilePath> = []
            for path in folders where state.descriptors[path] == nil {
                let descriptor = path.withCString { inotify_add_watch(file, $0, Self.mask) }
                guard descriptor >= 0 else {
                    if errno == ENOSPC { state.isIncomplete = true }
                    continue
                }
                // The same folder under its former name.
                if let former = state.paths[descriptor] { state.descriptors[former] = nil }
                state.paths[descriptor] = path
                state.descriptors[path] = descriptor
                added.insert(path)
            }
            let wanted = Set(folders)
            for (path, descriptor) in state.descriptors where !wanted.contains(path) {
                inotify_rm_watch(file, descriptor)
                state.descriptors[path] = nil
                state.paths[descriptor] = nil
            }
            defer { state.isPolling = state.isPolling || state.isIncomplete }
            return (added, state.isIncomplete && !state.isPolling)
        }
        if startsPolling { poll() }
        return added
    }

    private func poll() {
        queue.asyncAfter(deadline: .now() + Self.round) { [weak self] in
            guard let self else { return }
            let goesOn = state.withLock { state in
                state.isPolling = state.isIncomplete && !state.isStopped
                return state.isPolling
            }
            guard goesOn else { return }
            report(.lostCount)
            poll()
        }
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
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { state.hasLostCount = true }
            guard let path = state.paths[event.wd] else { continue }
            if event.mask & UInt32(IN_IGNORED) != 0 {
                state.paths[event.wd] = nil
                if state.descriptors[path] == event.wd { state.descriptors[path] = nil }
                continue
            }
            state.dirty.insert(path)
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF) != 0 { state.dirty.insert(path.parent) }
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
                state.hasLostCount = false
                state.firstEvent = nil
            }
            if state.hasLostCount { return .lostCount }
            return state.dirty.isEmpty ? nil : .changed(state.dirty)
        }
        if let event { report(event) }
    }
}
