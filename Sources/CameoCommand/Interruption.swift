import Cameo
import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: work that runs is called off, and what waits is dropped.
///
/// `@unchecked Sendable`: `sources` is written by `observe` alone, before any work starts, and only kept alive after.
final class Interruption: @unchecked Sendable {
    private struct State {
        var isRaised = false
        var watches: [ObjectIdentifier: RenderWatch] = [:]
    }

    private let state = Mutex(State())
    private var sources: [any DispatchSourceSignal] = []

    /// Calls `action`, once, when the process is asked to end.
    func observe(_ action: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in if raise() { action() } }
            source.resume()
            sources.append(source)
        }
    }

    /// Calls everything off. True the first time.
    @discardableResult
    func raise() -> Bool {
        state.withLock { state in
            defer { state.isRaised = true }
            state.watches.values.forEach { $0.cancel() }
            return !state.isRaised
        }
    }

    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Runs `body` with a watch that an interruption calls off.
    func watching<Result, Failure>(_ body: (RenderWatch) throws(Failure) -> Result) throws(Failure) -> Result {
        let watch = RenderWatch()
        state.withLock { state in
            state.watches[ObjectIdentifier(watch)] = watch
            if state.isRaised { watch.cancel() }
        }
        defer { _ = state.withLock { $0.watches.removeValue(forKey: ObjectIdentifier(watch)) } }
        return try body(watch)
    }
}
