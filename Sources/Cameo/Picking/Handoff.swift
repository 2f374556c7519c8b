import Synchronization

/// Passes one value to one task: the first that is given, whether the task waits already or not.
final class Handoff<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case given(Value)
        case done
    }

    /// Held only to change the state; tasks are resumed without it.
    private let state = Mutex(State.empty)

    /// Resumes `continuation` with the value, now or when it comes. To be called once.
    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let value = state.withLock { state -> Value? in
            guard case .given(let value) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return value
        }
        if let value { continuation.resume(returning: value) }
    }

    /// Passes `value` on, unless one was given before.
    func give(_ value: Value) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .given(value)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .given, .done:
                return nil
            }
        }
        continuation?.resume(returning: value)
    }
}
