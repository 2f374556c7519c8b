/// What a cached picture is of: the source, its content, and what was asked for.
///
/// Two keys are equal exactly where every part is: the hash is only a way to find it.
public struct RenditionKey: Hashable, Sendable {
    /// What tells one source from another.
    public enum Identity: Hashable, Sendable {
        /// An asset of a library, wherever the library lies.
        case asset(Asset.ID)
        /// A file by its path.
        case file(FilePath)
        /// Bytes in memory, by their digest.
        case content(String)
    }

    /// The content of a file, as far as its stamp tells. Whether the stamp was racy is no part of what it says.
    struct Content: Hashable, Sendable {
        let size: Int64
        let inode: UInt64
        let modified: Int64
        let changed: Int64

        init(_ stamp: ContentStamp) {
            size = stamp.size
            inode = stamp.inode
            modified = stamp.modified
            changed = stamp.changed
        }
    }

    /// Which source.
    public let identity: Identity
    /// Which rendition of it.
    public let rendition: Rendition
    /// The version of the detector that finds the faces which the rendition is placed by; nil for one that is placed
    /// without, and where there is no detector.
    public let detector: String?
    let content: Content?

    /// The key of `rendition` of the source `identity` while its file has `stamp`.
    ///
    /// - Parameter detector: The version of the detector that finds faces; of no account for a rendition that asks for
    ///   none.
    public init(_ identity: Identity, stamp: ContentStamp?, rendition: Rendition, detector: String? = nil) {
        self.init(identity, content: stamp.map(Content.init), rendition, detector)
    }

    /// The key of another rendition of the same content, with faces by the same detector.
    init(_ other: RenditionKey, rendition: Rendition) {
        self.init(other.identity, content: other.content, rendition, other.detector)
    }

    private init(_ identity: Identity, content: Content?, _ rendition: Rendition, _ detector: String?) {
        self.identity = identity
        self.rendition = rendition
        self.content = content
        self.detector = rendition.searchesFaces ? detector : nil
    }
}

extension RenditionKey {
    /// Every part of the key and the version of the engine, written so that no two keys give the same bytes.
    func material(engine: String = Cameo.engineVersion) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(engine)
        switch identity {
        case .asset(let id):
            writer.write(0)
            writer.write(id.value)
        case .file(let path):
            writer.write(1)
            writer.write(path.bytes)
        case .content(let digest):
            writer.write(2)
            writer.write(digest)
        }
        writer.write(content == nil ? 0 : 1)
        if let content {
            writer.write(Int(content.size))
            writer.write(Int(bitPattern: UInt(content.inode)))
            writer.write(Int(content.modified))
            writer.write(Int(content.changed))
        }
        writer.write(rendition)
        if rendition.searchesFaces {
            writer.write(detector == nil ? 0 : 1)
            writer.write(detector ?? "")
        }
        return writer.bytes
    }
}
