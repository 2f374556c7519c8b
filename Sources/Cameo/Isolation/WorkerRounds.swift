import Dispatch
import Glibc
import Synchronization

/// Looks now and then at workers that nobody asks for anything, and ends those that take more memory than they may: a
/// decoder that was taken over may have left a thread behind. While a worker answers, whoever asks it looks.
final class WorkerRounds: Sendable {
    private struct Watched {
        /// Bytes that it may hold, and how many after `patience` more looks.
        var most: Int
        var later: Int
        var patience: Int
        /// Whether it held more, and was ended.
        var isOver = false
    }

    private struct State {
        var watched: [pid_t: Watched] = [:]
        var timer: DispatchSource?
    }

    /// Guards who is looked at. A host may let the system forget its children: then a number can be another's by now,
    /// which is why a process is not ended before it is seen to be this one's child.
    private let state = Mutex(State())

    private static let interval = DispatchTimeInterval.milliseconds(200)
    /// How many looks a worker has to let go of what it held, on a busy machine.
    private static let patience = 5

    deinit { state.withLock { $0.timer?.cancel() } }

    /// Looks at `process` from now on, which may hold `most` bytes, and once it has had time to let go of them `later`.
    func begin(_ process: pid_t, most: Int, later: Int? = nil) {
        state.withLock { state in
            let isOver = state.watched[process]?.isOver ?? false
            state.watched[process] = Watched(
                most: most, later: later ?? most, patience: Self.patience, isOver: isOver)
            if state.timer != nil { return }
            let queue = DispatchQueue.ofOwnThread("cameo.worker-rounds")
            guard let timer = DispatchSource.makeTimerSource(queue: queue) as? DispatchSource else { return }
            timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = timer
        }
    }

    /// Looks at `process` no more; has to be called before it is waited for.
    ///
    /// - Returns: Whether it was ended because it held too much.
    @discardableResult
    func end(_ process: pid_t) -> Bool {
        state.withLock { $0.watched.removeValue(forKey: process)?.isOver ?? false }
    }

    private func look() {
        state.withLock { state in
            for (process, watched) in state.watched where !watched.isOver {
                let most = watched.patience > 0 ? watched.most : watched.later
                if WorkerProcess.residentMemory(of: process) > most, WorkerProcess.isChild(process) {
                    kill(process, SIGKILL)
                    state.watched[process]?.isOver = true
                }
                state.watched[process]?.patience = max(0, watched.patience - 1)
            }
            if state.watched.isEmpty {
                state.timer?.cancel()
                state.timer = nil
            }
        }
    }
}
