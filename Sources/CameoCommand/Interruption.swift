import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM.
///
/// `@unchecked Sendable`: `sources` is written by the first `observe` alone, before any work starts, and only kept alive
/// after.
final class Interruption: @unchecked Sendable {
    private let raised = Atomic<Bool>(false)
    private var sources: [any DispatchSourceSignal] = []
    /// What is to be done; taken out when it is.
    private let actions = Mutex<[@Sendable () -> Void]>([])

    /// Calls `action`, once, when the process is asked to end by one of `signals`; at once where it has been.
    ///
    /// A later call adds another action, and leaves the signals as the first one said.
    func observe(_ signals: [Int32] = [SIGINT, SIGTERM], _ action: @escaping @Sendable () -> Void) {
        let isLate = actions.withLock { actions in
            if !isRaised { actions.append(action) }
            return isRaised
        }
        if isLate { action() }
        guard sources.isEmpty else { return }
        let queue = DispatchQueue(label: "cameo.interruption")
        for number in signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setEventHandler { [self] in act() }
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            // A signal that comes before ends the process, in which nothing has begun. Ignored meanwhile, as Dispatch
            // wants it elsewhere than on Linux, it would be lost.
            isListening.wait()
            sources.append(source)
        }
    }

    /// Does what is to be done, as at a signal.
    func act() {
        let due = actions.withLock { actions in
            defer { actions = [] }
            return raise() ? actions : []
        }
        for action in due { action() }
    }

    /// Notes that the run is to end. True the first time.
    @discardableResult
    func raise() -> Bool { !raised.exchange(true, ordering: .sequentiallyConsistent) }

    var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }
}
