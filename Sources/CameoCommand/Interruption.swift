import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM.
///
/// `@unchecked Sendable`: `sources` is written by `observe` alone, before any work starts, and only kept alive after.
final class Interruption: @unchecked Sendable {
    private let raised = Atomic<Bool>(false)
    private var sources: [any DispatchSourceSignal] = []

    /// Calls `action`, once, when the process is asked to end by one of `signals`.
    func observe(_ signals: [Int32] = [SIGINT, SIGTERM], _ action: @escaping @Sendable () -> Void) {
        for number in signals {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in if raise() { action() } }
            source.resume()
            sources.append(source)
        }
    }

    /// Notes that the run is to end. True the first time.
    @discardableResult
    func raise() -> Bool { !raised.exchange(true, ordering: .sequentiallyConsistent) }

    var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }
}
