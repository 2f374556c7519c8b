import Synchronization

/// Fetches what will be wanted soon, at the lowest priority, so that it is in memory when it is.
///
/// Starting and stopping need not balance: starting twice is starting once. Any thread may start and stop, several at once
/// too.
public final class Prefetcher: Sendable {
    private struct Key: Hashable {
        let asset: Asset.ID
        let rendition: Rendition
    }

    /// One picture that is wanted.
    private struct Job {
        /// Tells it from one that was wanted before it or after it under the same key, and what was asked for first.
        var number: UInt64
        let request: ImageRequest
        /// Nil while it is paused, and while somebody is just beginning it.
        var task: ImageTask?
    }

    private struct State {
        /// What is wanted: noted before it is begun, so that stopping it finds it at any moment.
        var jobs: [Key: Job] = [:]
        var lastNumber: UInt64 = 0
        var isPaused = false

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    private let pipeline: ImagePipeline
    /// Guards what is wanted. Never held while the pipeline is called.
    private let state = Mutex(State())

    /// A prefetcher that works through `pipeline`.
    public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

    deinit { state.withLock { $0.jobs }.values.forEach { $0.task?.cancel() } }

    /// Begins to fetch `rendition` of `assets`, in their order: of more than the pipeline lets wait
    /// (`ImagePipeline.Configuration.prefetchLimit`) the first, or each that comes would push out one that is wanted sooner.
    public func start(_ assets: some Sequence<Asset>, _ rendition: Rendition) {
        // A task that is done holds its picture, which is for the cache to hold.
        state.withLock { state in state.jobs = state.jobs.filter { $0.value.task?.isDone != true } }
        for asset in assets.prefix(pipeline.queue.prefetchLimit) {
            let key = Key(asset: asset.id, rendition: rendition)
            let request = ImageRequest(asset, rendition, priority: .prefetch, delivery: .final)
            let number: UInt64? = state.withLock { state in
                // What is paused takes its place in the order that was asked for last.
                let isUnderWay = state.jobs[key].map { $0.task?.isDone != true } ?? false
                guard state.isPaused || !isUnderWay else { return nil }
                let number = state.nextNumber()
                state.jobs[key] = Job(number: number, request: request)
                return state.isPaused ? nil : number
            }
            if let number { begin(request, key, number) }
        }
    }

    /// Stops fetching `rendition` of `assets`; what was not begun is harmless.
    public func stop(_ assets: some Sequence<Asset>, _ rendition: Rendition) {
        for asset in assets { stop(Key(asset: asset.id, rendition: rendition)) }
    }

    /// Stops fetching everything.
    public func stopAll() {
        let jobs = state.withLock { state in
            defer { state.jobs = [:] }
            return state.jobs
        }
        jobs.values.forEach { $0.task?.cancel() }
    }

    /// Fetches `rendition` of the assets in the window round `visible`, and stops what has left it.
    public func follow(_ window: PrefetchWindow, of assets: [Asset], visible: Range<Int>, _ rendition: Rendition) {
        follow(window.indices(around: visible, count: assets.count).map { assets[$0] }, rendition)
    }

    /// Fetches `rendition` of `wanted`, in their order, as `start` does, and stops everything else: what is asked for
    /// besides, such as what has come on screen, is asked for first, or its decode is called off in between.
    public func follow(_ wanted: [Asset], _ rendition: Rendition) {
        let keys = Set(wanted.map { Key(asset: $0.id, rendition: rendition) })
        let left = state.withLock { state in state.jobs.keys.filter { !keys.contains($0) } }
        left.forEach { stop($0) }
        start(wanted, rendition)
    }

    /// Whether nothing is begun for the time being; what waits is called off and begun again later, in its order.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { newValue ? pause() : resume() }
    }

    private func pause() {
        let stopped = state.withLock { state in
            if state.isPaused { return [ImageTask]() }
            state.isPaused = true
            let running = state.jobs.compactMap { key, job in job.task.map { (key, $0) } }
            for (key, task) in running {
                if task.isDone { state.jobs[key] = nil } else { state.jobs[key]?.task = nil }
            }
            return running.map(\.1)
        }
        stopped.forEach { $0.cancel() }
    }

    private func resume() {
        let waiting = state.withLock { state in
            if !state.isPaused { return [(key: Key, value: Job)]() }
            state.isPaused = false
            // Under new numbers, so that who was just beginning one when it was paused lets it go.
            var waiting = state.jobs.sorted { $0.value.number < $1.value.number }
            for index in waiting.indices {
                waiting[index].value.number = state.nextNumber()
                state.jobs[waiting[index].key] = waiting[index].value
            }
            return waiting
        }
        for (key, job) in waiting { begin(job.request, key, job.number) }
    }

    /// Begins the job of `number`, and lets it go again where it is not wanted any more by then.
    private func begin(_ request: ImageRequest, _ key: Key, _ number: UInt64) {
        // What is in memory needs no task. Looking there is no use of it: nobody has seen it.
        let isThere = pipeline.memory.contains(pipeline.key(request.identity, request.stamp, key.rendition))
        let task = isThere ? nil : pipeline.start(request)
        let isWanted = state.withLock { state in
            guard state.jobs[key]?.number == number else { return false }
            if task?.isDone ?? true {
                state.jobs[key] = nil
            } else if !state.isPaused {
                state.jobs[key]?.task = task
            }
            return !state.isPaused
        }
        if !isWanted { task?.cancel() }
    }

    private func stop(_ key: Key) {
        let job = state.withLock { $0.jobs.removeValue(forKey: key) }
        job?.task?.cancel()
    }
}
