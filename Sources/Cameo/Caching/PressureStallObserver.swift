import CGlibc
import Dispatch
import Glibc
import Synchronization

/// Memory pressure as Linux reports it (pressure stall information): the control group's where it has its own, else
/// the machine's. Where neither can be watched, it never calls.
public final class PressureStallObserver: MemoryPressureObserving {
    /// `@unchecked Sendable`: set up before it is put here, and then only cancelled, which any thread may do.
    private struct Watch: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private let watches = Mutex<[Watch]>([])
    private let queue = DispatchQueue(label: "cameo.memory-pressure")

    /// Microseconds of waiting within two seconds. A window that is a multiple of two seconds needs no privilege.
    private static let triggers: [(text: String, pressure: MemoryPressure)] = [
        ("some 200000 2000000", .moderate), ("full 400000 2000000", .critical),
    ]

    /// An observer that does not watch yet.
    public init() {}

    deinit { stop() }

    /// Begins to watch; calls come once in two seconds at most for each level.
    public func start(_ handler: @escaping @Sendable (MemoryPressure) -> Void) {
        stop()
        var made: [Watch] = []
        for (text, pressure) in Self.triggers {
            guard let trigger = Self.paths.lazy.compactMap({ Self.trigger(text, at: $0) }).first else { continue }
            // Dispatch waits for readable files only, and a trigger is never that; an epoll over it is.
            let poll = cglibc_watch_priority(trigger)
            guard poll >= 0 else {
                close(trigger)
                continue
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: poll, queue: queue)
            source.setEventHandler { if cglibc_take_event(poll) != 0 { handler(pressure) } }
            source.setCancelHandler {
                close(poll)
                close(trigger)
            }
            source.resume()
            made.append(Watch(source: source))
        }
        watches.withLock { [made] in $0 = made }
    }

    /// Stops watching.
    public func stop() {
        let old = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        old.forEach { $0.source.cancel() }
    }

    private static func trigger(_ text: String, at path: String) -> Int32? {
        let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // The kernel wants the terminating zero too.
        guard text.withCString({ write(file, $0, strlen($0) + 1) }) > 0 else {
            close(file)
            return nil
        }
        return file
    }

    private static let paths =
        [ControlGroup.own.unified.first, "/sys/fs/cgroup"].compactMap { $0.map { $0 + "/memory.pressure" } }
        + ["/proc/pressure/memory"]
}
