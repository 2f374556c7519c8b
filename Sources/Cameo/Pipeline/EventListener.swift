import Dispatch

/// One reader of a task's events, and what it has still to hear.
///
/// `@unchecked Sendable`: what changes is guarded by the task's lock.
final class EventListener: @unchecked Sendable {
    private let task: ImageTask
    private let queue: DispatchQueue?
    private let handler: (@Sendable (ImageEvent) -> Void)?
    private var pending: [ImageEvent] = []
    /// Several, where several tasks read one stream: an event is for one of them, the end for all.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var hasHeardTheEnd = false
    private var isDraining = false

    init(_ task: ImageTask, queue: DispatchQueue? = nil, handler: (@Sendable (ImageEvent) -> Void)? = nil) {
        self.task = task
        self.queue = queue
        self.handler = handler
    }

    /// Adds an event. With the task's lock held.
    func add(_ event: ImageEvent) {
        if !hasHeardTheEnd { pending.append(event) }
    }

    /// Puts `event` in the place of what was not heard yet; false where the end was. With the task's lock held.
    func replacePending(by event: ImageEvent) -> Bool {
        if hasHeardTheEnd { return false }
        pending = [event]
        return true
    }

    /// Makes the reader look for events. Without any lock held.
    func wake() {
        if let queue {
            queue.async { [self] in drain() }
        } else {
            let waiters: [CheckedContinuation<Void, Never>] = task.withLock {
                defer { self.waiters = [] }
                return self.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// The next event for an asynchronous reader; nil behind the last one.
    func next() async -> ImageEvent? {
        while true {
            if let event = take() { return event }
            let isOver = task.withLock { hasHeardTheEnd }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let mayWait = task.withLock {
                    guard pending.isEmpty, !hasHeardTheEnd else { return false }
                    waiters.append(continuation)
                    return true
                }
                if !mayWait { continuation.resume() }
            }
        }
    }

    /// What a stream holds of its listener. The task and its listeners hold each other until the end is heard; a reader
    /// that stops before drops its stream, and nothing else tells of that.
    final class Hold: Sendable {
        private let listener: EventListener

        init(_ listener: EventListener) { self.listener = listener }
        deinit { listener.abandon() }

        func next() async -> ImageEvent? { await listener.next() }
        func abandon() { listener.abandon() }
    }

    /// The reader is gone.
    func abandon() {
        task.withLock {
            hasHeardTheEnd = true
            pending = []
        }
        wake()
        task.detach(self)
    }

    private func take() -> ImageEvent? {
        let event: ImageEvent? = task.withLock {
            guard !pending.isEmpty else { return nil }
            let event = pending.removeFirst()
            if event.isTerminal { hasHeardTheEnd = true }
            return event
        }
        if event?.isTerminal == true { task.detach(self) }
        return event
    }

    /// Calls the handler with what is there, on its queue. A concurrent queue may come here twice at once: one goes.
    private func drain() {
        while true {
            let mayDrain = task.withLock {
                if isDraining || pending.isEmpty { return false }
                isDraining = true
                return true
            }
            guard mayDrain else { return }
            while let event = take() { handler?(event) }
            task.withLock { isDraining = false }
        }
    }
}
