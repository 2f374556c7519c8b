import Dispatch
import Glibc
import Synchronization

/// Runs work that blocks a thread, such as decoding, for tasks that must not: on Dispatch's threads, no more at once
/// than there are processors, so that a hundred pictures asked for together do not hold a hundred decoded frames.
final class BlockingWork: Sendable {
    private typealias Job = @Sendable () -> Void

    /// What waits and how many threads run. No job is run while it is held.
    private struct State {
        var waiting: [Job] = []
        var next = 0
        var threads = 0

        /// First come, first served, in amortised O(1).
        mutating func pop() -> Job? {
            guard next < waiting.count else {
                waiting.removeAll(keepingCapacity: true)
                next = 0
                return nil
            }
            defer { next += 1 }
            return waiting[next]
        }
    }

    /// For everything that is picked in this process.
    static let shared = BlockingWork(threads: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    private let state = Mutex(State())
    private let threads: Int

    init(threads: Int) { self.threads = threads }

    /// The result of `work`, done elsewhere. Cancelling the task calls the watch off and ends it with `cancelled` at
    /// once; the work, if it has begun, stops when it next looks at the watch, and nobody hears of it.
    func run<Value: Sendable>(
        cancelled: PickingError, _ work: @escaping @Sendable (RenderWatch) throws(PickingError) -> Value
    ) async throws(PickingError) -> Value {
        let watch = RenderWatch()
        let handoff = Handoff<Result<Value, PickingError>>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                handoff.wait(continuation)
                submit {
                    if watch.isCancelled { return }
                    handoff.give(Result { () throws(PickingError) -> Value in try work(watch) })
                }
            }
        } onCancel: {
            watch.cancel()
            handoff.give(.failure(cancelled))
        }
        return try result.get()
    }

    private func submit(_ job: @escaping Job) {
        let startsThread = state.withLock { state in
            state.waiting.append(job)
            guard state.threads < threads else { return false }
            state.threads += 1
            return true
        }
        guard startsThread else { return }
        DispatchQueue.ofOwnThread("cameo.picking").async { [self] in
            while let job = nextJob() { job() }
        }
    }

    private func nextJob() -> Job? {
        state.withLock { state in
            let job = state.pop()
            if job == nil { state.threads -= 1 }
            return job
        }
    }
}
