import Dispatch
import Synchronization

/// Brings answers into the order of their lines, and lets the reader run no further ahead of them than it may.
final class AnswerQueue: Sendable {
    private struct State {
        /// The number of the last line that was taken, from 1.
        var taken = 0
        var printed = 0
        /// Answers that wait for those before them.
        var ready: [Int: [UInt8]] = [:]
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let print: @Sendable ([UInt8]) -> Void

    /// A queue that has at most `ahead` lines taken and not answered, and hands each answer to `print` in its turn.
    init(ahead: Int, print: @escaping @Sendable ([UInt8]) -> Void) {
        self.print = print
        // A semaphore must not end with less than it began with.
        for _ in 0..<ahead { room.signal() }
    }

    /// Waits until another line may be taken; false once `isStopped` says so.
    func waitForRoom(isStopped: () -> Bool) -> Bool {
        while !isStopped() {
            if room.wait(timeout: .now() + .milliseconds(100)) == .success { return true }
        }
        return false
    }

    /// Takes a line, after `waitForRoom`. Its number, from 1.
    func take() -> Int {
        state.withLock { state in
            state.taken += 1
            return state.taken
        }
    }

    /// Prints the answer to line `number`, or keeps it until those before it are there.
    func answer(_ number: Int, _ line: [UInt8]) {
        state.withLock { state in
            state.ready[number] = line
            while let next = state.ready.removeValue(forKey: state.printed + 1) {
                print(next)
                state.printed += 1
                room.signal()
            }
        }
    }

    /// The lines taken, and those whose answers are out.
    var counts: (taken: Int, answered: Int) { state.withLock { ($0.taken, $0.printed) } }
}
