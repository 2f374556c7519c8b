import Dispatch
import Synchronization

/// A request on its way.
///
/// Any number of readers hear what happens to it, each everything from the last event on; a late one hears the last.
public final class ImageTask: Sendable, Identifiable {
    struct State {
        var last: ImageEvent?
        var listeners: [EventListener] = []
        var priority: Priority
        /// Whether it was called off, before its end or after.
        var isCalledOff = false
    }

    /// What was asked for.
    public let request: ImageRequest
    /// Tells the tasks of a process apart.
    public let id: UInt64
    let key: RenditionKey
    private let owner: ImagePipeline
    /// Guards what happened and what each listener has still to hear. Never held while a listener is called.
    private let state: Mutex<State>

    private static let counter = Atomic<UInt64>(0)

    init(_ request: ImageRequest, key: RenditionKey, owner: ImagePipeline) {
        self.request = request
        self.key = key
        self.owner = owner
        id = Self.counter.add(1, ordering: .relaxed).newValue
        state = Mutex(State(priority: request.priority))
    }

    /// What happened last; nil while nothing has.
    public var lastEvent: ImageEvent? { state.withLock { $0.last } }

    /// Whether nothing happens any more.
    public var isDone: Bool { state.withLock { $0.last?.isTerminal == true } }

    /// How urgent the request is. Work that serves several is as urgent as the most urgent of them.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            state.withLock { $0.priority = newValue }
            owner.priorityChanged(self)
        }
    }

    /// Calls the request off. When this returns, nothing but `.cancelled` is delivered any more to whoever has not
    /// heard the end, late readers too; a callback is sure of that where this is called on the callback's own serial
    /// queue. Where the request was done already, `lastEvent` goes on telling what became of it.
    public func cancel() {
        let (isNew, woken) = state.withLock { state in
            let isNew = state.last?.isTerminal != true
            if isNew { state.last = .cancelled }
            state.isCalledOff = true
            // What a listener has not heard yet, it does not want any more.
            let woken = state.listeners.filter { $0.replacePending(by: .cancelled) }
            if isNew { state.listeners = [] }
            return (isNew, woken)
        }
        woken.forEach { $0.wake() }
        if isNew { owner.cancelled(self) }
    }

    /// What happens from now on, and what happened last. Ends after the terminal event. Each call gives a reader of
    /// its own, which may stop at any event.
    public var events: AsyncStream<ImageEvent> {
        let listener = EventListener(self)
        attach(listener)
        let hold = EventListener.Hold(listener)
        return AsyncStream {
            await hold.next()
        } onCancel: {
            hold.abandon()
        }
    }

    /// Calls `handler` on `queue`, one event after the other, with what happens from now on and what happened last.
    public func observe(on queue: DispatchQueue, _ handler: @escaping @Sendable (ImageEvent) -> Void) {
        let listener = EventListener(self, queue: queue, handler: handler)
        attach(listener)
        listener.wake()
    }

    private func attach(_ listener: EventListener) {
        state.withLock { state in
            if let last = state.last { listener.add(state.isCalledOff ? .cancelled : last) }
            // A task that is done may still be called off before its last event is heard.
            state.listeners.append(listener)
        }
    }

    /// Tells everybody; false where the task is done already.
    @discardableResult
    func deliver(_ event: ImageEvent) -> Bool {
        let listeners: [EventListener]? = state.withLock { state in
            if state.last?.isTerminal == true { return nil }
            state.last = event
            state.listeners.forEach { $0.add(event) }
            return state.listeners
        }
        guard let listeners else { return false }
        listeners.forEach { $0.wake() }
        return true
    }

    /// Calls `body` with the lock held that guards every listener's events.
    func withLock<Result>(_ body: () -> sending Result) -> sending Result { state.withLock { _ in body() } }

    func detach(_ listener: EventListener) {
        state.withLock { $0.listeners.removeAll { $0 === listener } }
    }
}
