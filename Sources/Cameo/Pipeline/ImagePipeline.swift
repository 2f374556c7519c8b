import Dispatch
import Glibc
import Synchronization

/// Brings pictures from memory, from the thumbnail store, or out of their files, and does nothing twice.
///
/// Requests for one source share its open and its decode; those for one rendition share everything. Work is as urgent
/// as the most urgent of those who wait for it, and is dropped when the last one leaves.
public final class ImagePipeline: Sendable {
    /// What a pipeline is made of.
    public struct Configuration: Sendable {
        /// The most bytes of pictures in memory.
        public var memoryLimit = MemoryCache<RenditionKey, PipelineImage>.standardLimit
        /// Where thumbnails are kept for later; nil for nowhere.
        public var store: ThumbnailStore?
        /// Where the blurs of assets are kept, to be shown before anything else; nil for none.
        public var hashes: (any ThumbHashKeeping)?
        /// Threads that decode; with isolation there is one more, and a process for each.
        public var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// Bytes that decoding may take.
        public var decodingMemory = MemoryBudget.standard
        /// How renditions that ask for faces find them; nil finds none.
        public var faces: FaceSearch?
        /// What is accepted.
        public var options = RenderOptions()
        /// Prefetches that wait at most; of more, the oldest are called off.
        public var prefetchLimit = 256
        /// Where pictures are decoded. In other processes, the program must call `IsolatedWorker.runIfAsked(faces:)`
        /// before anything else, with the detector of `faces` where there is one, or name an executable that does.
        public var isolation = Isolation.none
        /// The executable that is started as a worker.
        public var workerExecutable: FilePath = "/proc/self/exe"
        /// Told once, in words, what of the sandbox this machine does not have.
        public var onWeakSandbox: (@Sendable (String) -> Void)?
        /// Whether a progressive or huge picture leaves one of several threads to others. A batch, in which nobody
        /// waits for a particular picture, is done sooner without.
        public var keepsOneThread = true
        /// Makes what tells when memory gets short: one for each pipeline, which starts it and stops it. Nil for none.
        public var pressure: (@Sendable () -> any MemoryPressureObserving)? = { PressureStallObserver() }

        /// Called as work goes on, so that tests can stop it where they want.
        var onStage: (@Sendable (StageMark) -> Void)?
        /// Called behind each decode, in the thread that did it.
        package var onDecode: (@Sendable (DecodeReport) -> Void)?
        /// What is switched on.
        package var features = Features()

        /// Memory, but no thumbnail store.
        public init() {}
    }

    /// Where work is.
    enum StageMark: Sendable {
        case willOpen, didOpen, willDecode, didDecode, didKeep, willFollow
    }

    /// What a batch has under way.
    struct Batch {
        var isCalledOff = false
        var watches: [ObjectIdentifier: RenderWatch] = [:]
    }

    struct State {
        var works: [SourceWork.Key: SourceWork] = [:]
        var lastNumber: UInt64 = 0
    }

    /// What has been done so far.
    public let counters = Statistics()
    let memory: MemoryCache<RenditionKey, PipelineImage>
    /// The renditions of each source that may be in memory, to find stand-ins by.
    let known = MemoryCache<SourceWork.Key, [Rendition]>(limit: 4 << 20)
    let store: ThumbnailStore?
    let hashes: (any ThumbHashKeeping)?
    let sources: any SourceOpening
    let queue: RenderQueue
    let onStage: (@Sendable (StageMark) -> Void)?
    let onDecode: (@Sendable (DecodeReport) -> Void)?
    let features: Features
    private let detector: (any FaceDetecting)?
    private let pressure: (any MemoryPressureObserving)?
    /// Guards who waits for what. A task's lock may be taken inside it, never the other way round; nobody is told
    /// anything and nothing is queued while it is held.
    let state = Mutex(State())
    /// Guards what a batch has under way.
    let batch = Mutex(Batch())

    /// A pipeline of these parts.
    public init(_ configuration: Configuration = Configuration()) {
        memory = MemoryCache(limit: configuration.memoryLimit)
        store = configuration.store
        hashes = configuration.hashes
        sources = configuration.isolation.opening(
            configuration.options, configuration.faces, configuration.workerExecutable, configuration.onWeakSandbox)
        // A thread that waits for a process computes nothing: one more of each keeps the processors busy.
        let isolated = configuration.isolation == .none ? nil : configuration.workers + 1
        queue = RenderQueue(
            workers: isolated ?? configuration.workers, memoryBudget: configuration.decodingMemory,
            capacity: configuration.prefetchLimit, keepsOneThread: configuration.keepsOneThread,
            servesNewestFirst: configuration.features.servesNewestFirst,
            // Where one thread is kept for quick work, some must be open while slow work takes all the others.
            mostOpen: isolated.map { configuration.keepsOneThread ? $0 + 1 : $0 })
        onStage = configuration.onStage
        onDecode = configuration.onDecode
        features = configuration.features
        detector = configuration.faces?.detector
        pressure = configuration.pressure?()
        pressure?.start { [memory] in memory.relieve($0) }
    }

    deinit { pressure?.stop() }

    /// The picture of `request` if it is in memory, and the request may be answered from there: for a frame loop, which
    /// cannot wait. Allocates nothing for an asset; a file that is none is looked at for its stamp. Never a stand-in. O(1).
    public func cachedImage(for request: ImageRequest) -> PipelineImage? {
        Statistics.count(counters.requests)
        guard request.caching.contains(.readsMemory) else { return nil }
        let key = key(request.identity, request.currentStamp, request.rendition)
        guard let image = memory.value(for: key) else { return nil }
        Statistics.count(counters.memoryHits)
        return image.from(.memory)
    }

    /// The picture of `request`. Calling off the surrounding Swift task calls the request off.
    ///
    /// - Throws: `PipelineError`.
    public func image(for request: ImageRequest) async throws(PipelineError) -> PipelineImage {
        let task = start(request)
        let last = await withTaskCancellationHandler {
            var last: ImageEvent?
            for await event in task.events { last = event }
            return last
        } onCancel: {
            task.cancel()
        }
        switch last {
        case .finished(let image): return image
        case .failed(let error): throw error
        case .degraded, .cancelled, nil: throw .cancelled
        }
    }

    /// Starts a request, and calls `handler` on `queue` with what happens to it.
    @discardableResult
    public func start(
        _ request: ImageRequest, on queue: DispatchQueue, _ handler: @escaping @Sendable (ImageEvent) -> Void
    ) -> ImageTask {
        let task = start(request)
        task.observe(on: queue, handler)
        return task
    }

    /// Starts a request. What is in memory, or makes no sense, is done when this returns; a stand-in that is in memory
    /// has been delivered. Never waits.
    public func start(_ request: ImageRequest) -> ImageTask {
        Statistics.count(counters.requests)
        let stamp = request.currentStamp
        let key = key(request.identity, stamp, request.rendition)
        let task = ImageTask(request, key: key, owner: self)
        if let problem = request.rendition.problem {
            fail(task, .invalidRendition(source: request.source.name, reason: problem))
            return task
        }
        if request.caching.contains(.readsMemory) {
            if let image = memory.value(for: key) {
                Statistics.count(counters.memoryHits)
                task.deliver(.finished(image.from(.memory)))
                return task
            }
            if request.delivery != .final, let standIn = cachedStandIn(for: key) {
                deliverStandIn(standIn, to: task)
                if task.isDone { return task }
            }
        }
        join(task, stamp: stamp)
        return task
    }

    /// The numbers at this moment.
    public var statistics: Statistics.Snapshot { counters.snapshot(queueLength: queue.backlog) }

    /// The most bytes of pictures in memory. Lowering it gives back what is over at once.
    public var memoryLimit: Int {
        get { memory.limit }
        set { memory.limit = newValue }
    }

    /// Forgets the pictures in memory.
    public func removeAllFromMemory() { memory.removeAll() }

    /// Stops starting work for the time being, or goes on.
    package func setSuspended(_ isSuspended: Bool) { queue.isSuspended = isSuspended }

    /// Ends the worker processes that have nothing to do; they are started again when they are needed.
    public func endIdleWorkers() { sources.rest() }

    /// Waits until no work is left and the thumbnails are written.
    public func waitUntilIdle() {
        queue.waitUntilIdle()
        store?.flush()
    }

    /// What a picture is kept under: with the version of the detector, if faces place it.
    func key(_ identity: RenditionKey.Identity, _ stamp: ContentStamp?, _ rendition: Rendition) -> RenditionKey {
        RenditionKey(
            identity, stamp: stamp, rendition: rendition,
            detector: rendition.searchesFaces ? detector?.version : nil)
    }

    func fail(_ task: ImageTask, _ error: RenderError) {
        if task.deliver(.failed(.render(error))) { Statistics.count(counters.failed) }
    }
}
