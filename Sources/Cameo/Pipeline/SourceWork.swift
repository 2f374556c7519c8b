/// What is done for one source, and for whom.
struct SourceWork {
    /// How far it is.
    enum Stage {
        /// In the queue, not looked at.
        case waiting
        /// Being looked up and opened.
        case opening
        /// Opened; in the queue for a decode.
        case ready
        /// Being decoded.
        case decoding(RenderWatch)
    }

    /// Which source, in which content.
    struct Key: Hashable, Sendable {
        let identity: RenditionKey.Identity
        let content: RenditionKey.Content?
        /// The only task, where tasks share nothing.
        let task: UInt64?

        init(_ key: RenditionKey, task: UInt64? = nil) {
            self.task = task
            identity = key.identity
            content = key.content
        }
    }

    /// A look into memory and the store, on behalf of all who want the same and may be given it from there.
    struct Lookup: Hashable, Sendable {
        let rendition: Rendition
        let reads: ImageRequest.CacheOptions

        init(_ task: ImageTask) {
            rendition = task.request.rendition
            reads = task.request.caching.intersection([.readsMemory, .readsDisk])
        }
    }

    /// Tells this work from one that was begun for the same source before it or after it.
    let number: UInt64
    let source: ImageSource
    let stamp: ContentStamp?
    let start = MonotonicClock.nanoseconds()
    var stage = Stage.waiting
    var ticket: RenderQueue.Ticket?
    var opened: (any OpenedSource)?
    /// Who waits for which rendition.
    var tasks: [Rendition: [ImageTask]] = [:]
    /// Whether the beginning of the source was found to hold no preview.
    var hasNoPreview = false
    /// What memory and the store have been asked for.
    var lookedUp: Set<Lookup> = []

    init(number: UInt64, for task: ImageTask, stamp: ContentStamp?) {
        self.number = number
        source = task.request.source
        self.stamp = stamp
        tasks[task.request.rendition] = [task]
    }

    /// That of the most urgent of those who wait.
    var urgency: Urgency {
        tasks.values.lazy.joined().map { task in
            task.priority == .visible && task.hasStandIn ? .standingIn : Urgency(task.priority)
        }.max() ?? .prefetch
    }

    /// Everybody who waits.
    var everybody: [ImageTask] { tasks.values.flatMap(\.self) }

    /// What memory and the store have not been asked for yet.
    var nextLookup: Lookup? {
        tasks.values.lazy.joined().map(Lookup.init).first { !lookedUp.contains($0) }
    }

    var isDecoding: Bool {
        if case .decoding = stage { return true }
        return false
    }

    /// Takes a task out; false where it is not there.
    mutating func remove(_ task: ImageTask) -> Bool {
        guard var waiting = tasks[task.request.rendition], let index = waiting.firstIndex(where: { $0 === task }) else {
            return false
        }
        waiting.remove(at: index)
        tasks[task.request.rendition] = waiting.isEmpty ? nil : waiting
        return true
    }
}
