import Dispatch
import Synchronization

/// Lets lines into the decoders in their order, and only so many at once.
///
/// So no decoder has seen anything of a line before all lines before it are in: where one thread decodes, a crash is
/// the doing of the first line without an answer.
final class TurnGate: Sendable {
    private struct State {
        /// The number whose turn is next.
        var next = 1
        var free: Int
        var waiting: [Int: DispatchSemaphore] = [:]
        /// Lines that need no turn, or none any more.
        var passed: Set<Int> = []
        var inside: Set<Int> = []
    }

    private let state: Mutex<State>

    /// A gate that lets `places` lines in at once.
    init(places: Int) { state = Mutex(State(free: places)) }

    /// Waits for the turn of `number`.
    func enter(_ number: Int) {
        let turn = DispatchSemaphore(value: 0)
        state.withLock { state in
            state.waiting[number] = turn
            Self.advance(&state)
        }
        turn.wait()
    }

    /// Line `number` is done with the decoders, or will never need them. Harmless a second time.
    func leave(_ number: Int) {
        state.withLock { state in
            if state.inside.remove(number) != nil {
                state.free += 1
            } else if number >= state.next {
                state.passed.insert(number)
            }
            Self.advance(&state)
        }
    }

    private static func advance(_ state: inout State) {
        while true {
            if state.passed.remove(state.next) != nil {
                state.next += 1
            } else if state.free > 0, let turn = state.waiting.removeValue(forKey: state.next) {
                state.free -= 1
                state.inside.insert(state.next)
                state.next += 1
                turn.signal()
            } else {
                return
            }
        }
    }
}
