import Cameo
import Dispatch
import Synchronization

/// One try to have a picture rendered, for a thread that waits for it.
final class RenderCall: Sendable {
    /// A picture and its outputs, encoded.
    struct Rendered: Sendable {
        let header: ImageHeader
        let stamp: ContentStamp?
        let result: RenderResult
        let files: [(format: Encoding.Format, bytes: [UInt8])]
    }

    /// What a try comes to.
    enum Outcome: Sendable {
        case done(Result<Rendered, RenderError>)
        /// The pipeline was given up for another line's sake.
        case again
    }

    private struct State {
        var outcome: Outcome?
        var watch: RenderWatch?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let isResolved = DispatchSemaphore(value: 0)

    /// Ends the try, unless it has ended. Whether it had not.
    @discardableResult
    func resolve(_ outcome: Outcome) -> Bool {
        let isFirst = state.withLock { state in
            if state.outcome != nil { return false }
            state.outcome = outcome
            return true
        }
        if isFirst { isResolved.signal() }
        return isFirst
    }

    /// The picture's turn has come; `watch` calls it off.
    func start(_ watch: RenderWatch) {
        state.withLock { state in
            state.watch = watch
            if state.isCancelled { watch.cancel() }
        }
    }

    /// Asks for the end: it comes at the next tile of the decode.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.watch?.cancel()
        }
    }

    /// Waits for the end.
    func wait() -> Outcome {
        isResolved.wait()
        return state.withLock { $0.outcome } ?? .again
    }
}
