import Dispatch
import Synchronization

/// Runs work on a bounded number of threads and inside a budget of memory.
///
/// Work comes in two steps: opening a source is cheap and tells what decoding it will cost; the decode is started
/// only when its cost fits into the budget beside what runs already. Work that costs more than the whole budget runs
/// alone. No thread waits for another: a thread that finds nothing it may start goes back to Dispatch, and whoever
/// gives memory back calls the next one.
public final class RenderQueue: Sendable {
    /// The second step: what it costs in bytes, and what to do.
    public struct Prepared: Sendable {
        let cost: Int
        let run: @Sendable () -> Void

        /// Work that needs `cost` bytes of memory while it runs.
        public init(cost: Int, run: @escaping @Sendable () -> Void) {
            self.cost = cost
            self.run = run
        }
    }

    /// The first step; nil where there is nothing left to do.
    public typealias Job = @Sendable () -> Prepared?

    private struct State {
        var waiting = Deque<Job>()
        /// Opened, but too costly beside what runs; first come, first served.
        var prepared = Deque<Prepared>()
        var threads = 0
        var memory = 0
        var running = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let workers: Int
    private let budget: Int
    private let queue = DispatchQueue(label: "cameo.render", attributes: .concurrent)
    private let group = DispatchGroup()
    private let room: DispatchSemaphore

    /// A queue that runs on at most `workers` threads, keeps at most `capacity` jobs waiting, and holds the cost of
    /// running work under `memoryBudget` bytes.
    public init(workers: Int, memoryBudget: Int, capacity: Int = 256) {
        self.workers = max(1, workers)
        budget = memoryBudget
        room = DispatchSemaphore(value: max(1, capacity))
    }

    /// Adds a job behind the others. Waits while the queue is full, so it must not be called from a job.
    public func submit(_ job: @escaping Job) {
        room.wait()
        let startsThread = state.withLock { state in
            state.waiting.append(job)
            return Self.claimThread(&state, limit: workers)
        }
        if startsThread { startThread() }
    }

    /// Drops the jobs that wait; what runs goes on to its end.
    public func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer {
                state.waiting.removeAll()
                state.prepared.removeAll()
            }
            return state.waiting.count
        }
        for _ in 0..<dropped { room.signal() }
    }

    /// Waits until everything that was submitted is done or dropped.
    public func waitUntilIdle() { group.wait() }

    private static func claimThread(_ state: inout State, limit: Int) -> Bool {
        guard state.threads < limit else { return false }
        state.threads += 1
        return true
    }

    private func startThread() {
        queue.async(group: group) { [self] in
            while let step = next() {
                switch step {
                case .open(let job):
                    room.signal()
                    if let prepared = job() { admit(prepared) }
                case .run(let prepared):
                    run(prepared)
                }
            }
        }
    }

    private enum Step {
        case open(Job)
        case run(Prepared)
    }

    /// The next thing that may start now; nil lets the thread go.
    private func next() -> Step? {
        state.withLock { state in
            if let first = state.prepared.first {
                // Nothing overtakes it, or a costly picture would wait for ever; and nothing more is opened.
                if fits(first, state) {
                    state.prepared.removeFirst()
                    begin(first, &state)
                    return .run(first)
                }
            } else if let job = state.waiting.popFirst() {
                return .open(job)
            }
            state.threads -= 1
            return nil
        }
    }

    private func admit(_ prepared: Prepared) {
        let mayRun = state.withLock { state in
            if state.isStopped { return false }
            guard state.prepared.isEmpty, fits(prepared, state) else {
                state.prepared.append(prepared)
                return false
            }
            begin(prepared, &state)
            return true
        }
        if mayRun { run(prepared) }
    }

    private func run(_ prepared: Prepared) {
        prepared.run()
        let startsThread = state.withLock { state in
            state.memory -= prepared.cost
            state.running -= 1
            // The memory may serve more than this thread can use.
            let hasWork = !state.prepared.isEmpty || !state.waiting.isEmpty
            return hasWork && Self.claimThread(&state, limit: workers)
        }
        if startsThread { startThread() }
    }

    private func fits(_ prepared: Prepared, _ state: State) -> Bool {
        state.running == 0 || state.memory + prepared.cost <= budget
    }

    private func begin(_ prepared: Prepared, _ state: inout State) {
        state.memory += prepared.cost
        state.running += 1
    }
}
