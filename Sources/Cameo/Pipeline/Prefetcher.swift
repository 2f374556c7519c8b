import Synchronization

/// Fetches what will be wanted soon, at the lowest priority, so that it is in memory when it is.
///
/// Starting and stopping need not balance: starting twice is starting once.
public final class Prefetcher: Sendable {
    private struct Key: Hashable {
        let asset: Asset.ID
        let rendition: Rendition
    }

    private struct State {
        var tasks: [Key: ImageTask] = [:]
        var waiting: [Key: ImageRequest] = [:]
        var isPaused = false
    }

    private let pipeline: ImagePipeline
    /// Guards what is under way. Never held while the pipeline is called.
    private let state = Mutex(State())

    /// A prefetcher that works through `pipeline`.
    public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

    deinit { state.withLock { $0.tasks }.values.forEach { $0.cancel() } }

    /// Begins to fetch `rendition` of `assets`, in their order.
    public func start(_ assets: some Sequence<Asset>, _ rendition: Rendition) {
        // A task that is done holds its picture, which is for the cache to hold.
        state.withLock { state in state.tasks = state.tasks.filter { !$0.value.isDone } }
        for asset in assets {
            let key = Key(asset: asset.id, rendition: rendition)
            let request = ImageRequest(asset, rendition, priority: .prefetch, delivery: .final)
            let begins = state.withLock { state in
                if state.tasks[key]?.isDone == false { return false }
                if state.isPaused { state.waiting[key] = request }
                return !state.isPaused
            }
            if begins { begin(request, key) }
        }
    }

    /// Stops fetching `rendition` of `assets`; what was not begun is harmless.
    public func stop(_ assets: some Sequence<Asset>, _ rendition: Rendition) {
        for asset in assets { stop(Key(asset: asset.id, rendition: rendition)) }
    }

    /// Stops fetching everything.
    public func stopAll() {
        let tasks = state.withLock { state in
            defer {
                state.tasks = [:]
                state.waiting = [:]
            }
            return state.tasks.values.map(\.self)
        }
        tasks.forEach { $0.cancel() }
    }

    /// Fetches `rendition` of the assets in the window round `visible`, and stops what has left it.
    public func follow(_ window: PrefetchWindow, of assets: [Asset], visible: Range<Int>, _ rendition: Rendition) {
        follow(window.indices(around: visible, count: assets.count).map { assets[$0] }, rendition)
    }

    /// Fetches `rendition` of `wanted`, in their order, and stops everything else.
    public func follow(_ wanted: [Asset], _ rendition: Rendition) {
        let keys = Set(wanted.map { Key(asset: $0.id, rendition: rendition) })
        let left = state.withLock { state in
            Set(state.tasks.keys).union(state.waiting.keys).filter { !keys.contains($0) }
        }
        left.forEach { stop($0) }
        start(wanted, rendition)
    }

    /// Whether nothing is begun for the time being; what waits is called off and begun again later.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { newValue ? pause() : resume() }
    }

    private func pause() {
        let stopped = state.withLock { state in
            if state.isPaused { return [ImageTask]() }
            state.isPaused = true
            let running = state.tasks.filter { !$0.value.isDone }
            for (key, task) in running { state.waiting[key] = task.request }
            state.tasks = [:]
            return running.values.map(\.self)
        }
        stopped.forEach { $0.cancel() }
    }

    private func resume() {
        let waiting = state.withLock { state in
            state.isPaused = false
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (key, request) in waiting { begin(request, key) }
    }

    private func begin(_ request: ImageRequest, _ key: Key) {
        // What is in memory needs no task.
        if pipeline.memory.value(for: pipeline.key(request.identity, request.stamp, key.rendition)) != nil { return }
        let task = pipeline.start(request)
        let isUnwanted = state.withLock { state in
            if state.isPaused {
                state.waiting[key] = request
                return true
            }
            state.tasks[key] = task
            return false
        }
        if isUnwanted { task.cancel() }
    }

    private func stop(_ key: Key) {
        let task = state.withLock { state in
            state.waiting[key] = nil
            return state.tasks.removeValue(forKey: key)
        }
        task?.cancel()
    }
}
