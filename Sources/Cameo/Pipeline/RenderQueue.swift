import Dispatch
import Synchronization

/// Runs work on a bounded number of threads and inside a budget of memory, the most urgent first.
///
/// Work comes in two steps, in two lanes with threads of their own. The first step opens a source: it waits for disks
/// and tells what decoding will cost. The second decodes; it is started only when its cost fits into the budget beside
/// what runs already. Work that costs more than the whole budget runs alone. No thread waits for another: a thread that
/// finds nothing it may start goes back to Dispatch, and whoever makes room calls the next one.
final class RenderQueue: Sendable {
    /// The second step: what it costs in bytes, and what to do.
    struct Prepared: Sendable {
        let cost: Int
        let isSlow: Bool
        private let work: Once

        /// Work that needs `cost` bytes of memory while it runs.
        ///
        /// - Parameter isSlow: Whether it is of the kind that must not take every thread, where the queue keeps one.
        init(cost: Int, isSlow: Bool = false, run: @escaping @Sendable () -> Void) {
            self.cost = cost
            self.isSlow = isSlow
            work = Once(run)
        }

        /// Does it; a second time nothing.
        func run() { work.run() }
    }

    /// What is done once, and holds nothing any more when it is done: what a picture took is free before its cost is.
    private final class Once: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        func run() {
            let body = body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    /// The first step; nil where there is nothing left to do.
    typealias Job = @Sendable () -> Prepared?

    /// Names work that was added.
    struct Ticket: Hashable, Sendable {
        let number: UInt64
        /// The number of the step that came first, where this one follows others: they wait where that one waited.
        let arrival: UInt64
    }

    struct Waiting {
        let job: Job
        /// Whether `room` counts it.
        let takesRoom: Bool
        /// Called where the work is dropped because of the backlog.
        let onDrop: (@Sendable () -> Void)?
    }

    struct State {
        /// What is looked at before anything else is opened or run that is not more urgent.
        var looks: Looks
        /// How many looks went ahead of work that nobody looks at, since other steps were taken last.
        var looksAhead = 0
        var waiting: UrgencyBuckets<Waiting>
        /// Opened, but not started: there is no thread, or too little memory beside what runs.
        var prepared: Ready
        /// What is being opened, with the urgency that it has by now.
        var opening: [UInt64: Urgency] = [:]
        var openers = 0
        var runners = 0
        var memory = 0
        var running = 0
        var slow = 0
        var lastNumber: UInt64 = 0
        var isSuspended = false

        init(servesNewestFirst: Bool) {
            looks = Looks(servesNewestFirst: servesNewestFirst)
            waiting = UrgencyBuckets(servesNewestFirst: servesNewestFirst)
            prepared = Ready(servesNewestFirst: servesNewestFirst)
        }
    }

    /// Guards the lists and the counts; held for one choice, never while work runs.
    let state: Mutex<State>
    let workers: Int
    let budget: Int
    let keepsOneThread: Bool
    /// As many sources are open, or being opened, whether they are run already or not; one more where slow work
    /// lies ready that may not start, and that is more urgent.
    let mostOpen: Int
    /// Whether that holds for all of them together, or for those that are as urgent as what is to be opened next.
    let openIsBounded: Bool
    let prefetchLimit: Int
    let group = DispatchGroup()
    let room: DispatchSemaphore

    /// A queue that decodes on at most `workers` threads and opens on as many, keeps at most `capacity` jobs waiting of
    /// those that `submit` adds, and holds the cost of running work under `memoryBudget` bytes.
    ///
    /// - Parameter keepsOneThread: Whether slow work leaves one of several threads to quick work. A batch, in which
    ///   nobody waits for a particular picture, is done sooner without.
    /// - Parameter mostOpen: As many sources are open at a time. Unless said otherwise twice as many as there are threads,
    ///   not counted what is less urgent than the one to be opened.
    /// - Parameter servesNewestFirst: Whether of what is visible the newest is served first, or else the oldest.
    init(
        workers: Int, memoryBudget: Int, capacity: Int = 256, keepsOneThread: Bool = false,
        servesNewestFirst: Bool = true, mostOpen: Int? = nil
    ) {
        state = Mutex(State(servesNewestFirst: servesNewestFirst))
        self.workers = max(1, workers)
        budget = memoryBudget
        self.mostOpen = max(1, mostOpen ?? 2 * max(1, workers))
        openIsBounded = mostOpen != nil
        self.keepsOneThread = keepsOneThread
        prefetchLimit = max(1, capacity)
        room = DispatchSemaphore(value: max(1, capacity))
    }

    /// Adds a job of a batch behind the others. Waits while the queue is full, so it must not be called from a job.
    func submit(_ job: @escaping Job) {
        room.wait()
        let waiting = Waiting(job: job, takesRoom: true, onDrop: nil)
        state.withLock { state in
            state.lastNumber += 1
            state.waiting.insert(waiting, number: state.lastNumber, urgency: .batch)
        }
        startThreads()
    }

    /// Adds a job. Never waits: of more than the queue holds, the oldest prefetch is dropped.
    ///
    /// - Parameter earlier: The look that it follows, in whose place it waits.
    func add(
        _ job: @escaping Job, urgency: Urgency, after earlier: Ticket? = nil, onDrop: (@Sendable () -> Void)? = nil
    ) -> Ticket {
        let (ticket, dropped) = state.withLock { state in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber, arrival: earlier?.arrival ?? state.lastNumber)
            let waiting = Waiting(job: job, takesRoom: false, onDrop: onDrop)
            state.waiting.insert(waiting, number: ticket.number, urgency: urgency, arrival: ticket.arrival)
            return (ticket, excess(&state))
        }
        dropped.forEach { $0.onDrop?() }
        startThreads()
        return ticket
    }

    /// Takes out the oldest prefetches that are too many. With the lock held; they are told without it.
    private func excess(_ state: inout State) -> [Waiting] {
        var dropped: [Waiting] = []
        while state.waiting.count(of: .prefetch) > prefetchLimit,
            let oldest = state.waiting.popOldest(of: .prefetch)
        {
            dropped.append(oldest)
        }
        return dropped
    }

    /// Takes out a first step that has not begun; false where it is not there any more.
    func takeOut(_ ticket: Ticket) -> Bool {
        state.withLock { $0.waiting.remove(number: ticket.number) } != nil
    }

    /// Adds a second step whose first is done already.
    func add(_ prepared: Prepared, urgency: Urgency) -> Ticket {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.prepared.insert(prepared, number: state.lastNumber, urgency: urgency)
            return state.lastNumber
        }
        startThreads()
        return Ticket(number: number, arrival: number)
    }

    /// Gives work that has not started another urgency. Of more prefetches than the queue holds then, the oldest are
    /// dropped.
    func setUrgency(_ urgency: Urgency, of ticket: Ticket) {
        let dropped: [Waiting] = state.withLock { state in
            if state.looks.move(number: ticket.number, to: urgency) { return [] }
            if state.waiting.move(number: ticket.number, to: urgency) { return excess(&state) }
            if state.prepared.move(number: ticket.number, to: urgency) { return [] }
            if state.opening[ticket.number] != nil { state.opening[ticket.number] = urgency }
            return []
        }
        dropped.forEach { $0.onDrop?() }
        // What was not urgent enough to be opened, or to go before a look, may be now.
        startThreads()
    }

    /// Drops work that has not started; what is being opened goes on to its end and is its owner's to drop.
    func remove(_ ticket: Ticket) {
        let isBehind = state.withLock { state in
            let wasWaiting = state.waiting.remove(number: ticket.number) != nil
            return !wasWaiting
                && (state.prepared.remove(number: ticket.number) || state.looks.remove(number: ticket.number))
        }
        // What was dropped may have been what others waited behind.
        if isBehind { startThreads() }
    }

    /// Waits until no thread is at work any more: until everything that was added is done or dropped, but for what a
    /// suspended queue keeps. Must not be called from a job.
    func waitUntilIdle() { group.wait() }

    /// Whether nothing is started any more for the time being. What runs goes on.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            state.withLock { $0.isSuspended = newValue }
            if !newValue { startThreads() }
        }
    }

    /// How many pieces of work have not started.
    var backlog: Int { state.withLock { $0.looks.count + $0.waiting.count + $0.prepared.count } }
}
