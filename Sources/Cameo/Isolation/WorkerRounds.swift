import Dispatch
import Glibc
import Synchronization

/// Looks now and then at workers that nobody asks for anything, and ends those that take more memory than they may: a
/// decoder that was taken over may have left a thread behind. While a worker answers, whoever asks it looks.
final class WorkerRounds: Sendable {
    private struct Watched {
        /// Bytes that it may hold.
        var most: Int
        /// Whether it held more, and was ended.
        var isOver = false
    }

    private struct State {
        var watched: [pid_t: Watched] = [:]
        var timer: DispatchSource?
    }

    /// Guards who is looked at. None of them has been waited for, so their numbers are nobody else's.
    private let state = Mutex(State())

    private static let interval = DispatchTimeInterval.milliseconds(200)

    deinit { state.withLock { $0.timer?.cancel() } }

    /// Looks at `process` from now on.
    func begin(_ process: pid_t, most: Int) {
        state.withLock { state in
            state.watched[process, default: Watched(most: most)].most = most
            if state.timer != nil { return }
            guard let timer = DispatchSource.makeTimerSource(queue: .global()) as? DispatchSource else { return }
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
            for (process, watched) in state.watched
            where !watched.isOver && WorkerProcess.residentMemory(of: process) > watched.most {
                kill(process, SIGKILL)
                state.watched[process]?.isOver = true
            }
            if state.watched.isEmpty {
                state.timer?.cancel()
                state.timer = nil
            }
        }
    }
}
