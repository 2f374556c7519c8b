/// What is asked of the pipeline: a rendition of a source, how urgently, and what may come instead.
public struct ImageRequest: Sendable {
    /// What a request does with the caches.
    public struct CacheOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// The options of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Takes a picture that is in memory.
        public static let readsMemory = CacheOptions(rawValue: 1)
        /// Keeps the picture in memory.
        public static let writesMemory = CacheOptions(rawValue: 2)
        /// Takes a picture that is in the thumbnail store.
        public static let readsDisk = CacheOptions(rawValue: 4)
        /// Keeps the picture in the thumbnail store.
        public static let writesDisk = CacheOptions(rawValue: 8)
        /// All four.
        public static let all: CacheOptions = [.readsMemory, .writesMemory, .readsDisk, .writesDisk]
    }

    /// Where the pixels come from.
    public let source: ImageSource
    /// What tells the source from others.
    public let identity: RenditionKey.Identity
    /// The content that the asset had when it was last looked at; nil for other sources.
    public let stamp: ContentStamp?
    /// Pixels of the upright picture, where they are known without opening it.
    let uprightSize: PixelSize?
    /// What is asked for.
    public var rendition: Rendition
    /// How urgent it is; a running request is changed by `ImageTask.priority`.
    public var priority: Priority
    /// What may come.
    public var delivery: Delivery
    /// What the caches are used for.
    public var caching: CacheOptions

    /// A request for a rendition of an asset, by the content that it had when the library looked at it.
    public init(
        _ asset: Asset, _ rendition: Rendition, priority: Priority = .normal, delivery: Delivery = .opportunistic,
        caching: CacheOptions = .all
    ) {
        source = asset.source
        identity = .asset(asset.id)
        stamp = asset.stamp
        uprightSize = asset.uprightSize
        self.rendition = rendition
        self.priority = priority
        self.delivery = delivery
        self.caching = caching
    }

    /// A request for a rendition of a file or of bytes. A file is looked at anew by each request.
    ///
    /// - Complexity: O(bytes) for bytes in memory, which are told apart by their digest.
    public init(
        _ source: ImageSource, _ rendition: Rendition, priority: Priority = .normal,
        delivery: Delivery = .opportunistic, caching: CacheOptions = .all
    ) {
        self.source = source
        switch source {
        case .file(let path): identity = .file(path)
        case .bytes(let bytes, _): identity = .content(Digest.sha256(bytes))
        // What lies between makes no difference to what can be made of it.
        case .sparse(let parts, _):
            identity = .content(Digest.sha256(parts.head + parts.tail + "\(parts.hole)".utf8))
        }
        stamp = nil
        uprightSize = nil
        self.rendition = rendition
        self.priority = priority
        self.delivery = delivery
        self.caching = caching
    }

    /// The content as it is now, as far as it is known without reading.
    var currentStamp: ContentStamp? {
        if let stamp { return stamp }
        if case .file(let path) = source { return ContentStamp(path: path) }
        return nil
    }
}
