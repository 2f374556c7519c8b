import Cameo
import Synchronization

/// One input line on its way to its answer.
final class WorkerItem: Sendable {
    private struct State {
        var line: ManifestReader.Line?
        var seconds = 0.0
        var isWorking = false
        var stage = ResultLine.Stage.read
        var call: RenderCall?
        var isExpired = false
        var isAnswered = false
    }

    /// Its place in the input, from 1.
    let number: Int
    let bytes: [UInt8]
    private let state = Mutex(State())

    init(number: Int, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }

    /// What the line asks for, once that is known.
    var line: ManifestReader.Line? {
        get { state.withLock { $0.line } }
        set { state.withLock { $0.line = newValue } }
    }

    /// Whether its time is up.
    var isExpired: Bool { state.withLock { $0.isExpired } }

    /// What it waits for in the pipeline.
    var call: RenderCall? {
        get { state.withLock { $0.call } }
        set { state.withLock { $0.call = newValue } }
    }

    /// What is done for it, or was when its time was up.
    var stage: ResultLine.Stage { state.withLock { $0.stage } }

    /// Goes on to `stage`.
    func enter(_ stage: ResultLine.Stage) {
        state.withLock { if !$0.isExpired { $0.stage = stage } }
    }

    /// Does `body` while the clock runs. What a line waits for its turn is not its own time.
    func working<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        state.withLock { $0.isWorking = true }
        defer { state.withLock { $0.isWorking = false } }
        return try body()
    }

    /// Adds time. The seconds that were its own so far.
    func tick(_ seconds: Double) -> Double {
        state.withLock { state in
            if state.isWorking { state.seconds += seconds }
            return state.seconds
        }
    }

    /// Its time is up: what can be called off is. Harmless a second time.
    func expire() {
        let call = state.withLock { state in
            defer { state.isExpired = true }
            return state.isExpired ? nil : state.call
        }
        call?.cancel()
    }

    /// Whether the caller is to answer the line: true once.
    func claimAnswer() -> Bool {
        state.withLock { state in
            defer { state.isAnswered = true }
            return !state.isAnswered
        }
    }
}
