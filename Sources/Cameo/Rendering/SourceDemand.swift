import JPEGPreview

/// What of a source has to be read for something to be made of it, as far as its first bytes tell.
///
/// It decides what is fetched and nothing else: `OpenedImage` and `Renderer` make sure themselves that what they use of a
/// sparse source is known. Markers, boxes and chunks are looked at; nothing is decoded.
package enum SourceDemand: Hashable, Sendable {
    /// All of it.
    case whole
    /// Its first so many bytes at least; more than there are now.
    case head(Int)
    /// No more than there is, and its last so many bytes.
    case enough(tail: Int)

    /// Where the end of an image is looked for, which stands at a file's very end but for some bytes that cameras add.
    private static let tailLength = 1024

    /// What the header takes of a source of `count` bytes that begins with `head`.
    package static func header(_ head: [UInt8], count: Int) -> SourceDemand {
        head.withUnsafeBytes { header($0, count: count) }
    }

    static func header(_ head: UnsafeRawBufferPointer, count: Int) -> SourceDemand {
        switch head.withSpan({ ImageFormat.sniff($0) }) {
        case .known(.jpeg):
            let structure = head.withSpan { JPEGStructure($0) }
            // Behind the first scan stands what the header left open.
            if structure.headerEnd != nil { return structure.size?.height == 0 ? .whole : .enough(tail: 0) }
            // Where it stopped for want of bytes: else, something stands there that is no marker.
            return structure.position > head.count - 16 ? .more(than: head, structure.position, of: count) : .whole
        case .known(.png):
            var reader = HeaderReader(window: FileWindow(count: count, head: Array(head)))
            let start = reader.readPNG()
            return start + 8 <= head.count ? .enough(tail: 0) : .more(than: head, start, of: count)
        case .known(.heif), .known(.avif):
            var reader = HeaderReader(window: FileWindow(count: count, head: Array(head)))
            guard let end = reader.metaExtent() else { return .whole }
            return end <= head.count ? .enough(tail: 0) : .more(than: head, end, of: count)
        default: return .whole
        }
    }

    /// What `renditions` take.
    package static func renditions(
        _ renditions: [Rendition], _ head: [UInt8], count: Int, options: RenderOptions
    ) -> SourceDemand {
        eighth(head, count: count, options: options) { OpenedImage.isServedByEighth(renditions, upright: $0) }
    }

    /// What a search for faces takes.
    package static func faces(
        _ search: FaceSearch, _ head: [UInt8], count: Int, options: RenderOptions
    ) -> SourceDemand {
        eighth(head, count: count, options: options) { search.isServedByEighth(side: max($0.width, $0.height)) }
    }

    /// What the 1/8 picture of a progressive JPEG takes, where that is what `serves` for its upright size.
    private static func eighth(
        _ head: [UInt8], count: Int, options: RenderOptions, _ serves: (PixelSize) -> Bool
    ) -> SourceDemand {
        guard !options.isStrict, ImageFormat.sniff(head.span) == .known(.jpeg) else { return .whole }
        var reader = HeaderReader(window: FileWindow(count: count, head: head))
        reader.readJPEG()
        guard let size = reader.header.uprightSize else { return header(head, count: count).orWhole }
        guard serves(size) else { return .whole }
        return switch head.withUnsafeBytes({ DCExtent($0) }) {
        case .first: .enough(tail: tailLength)
        case .beyond: head.withUnsafeBytes { more(than: $0, head.count, of: count) }
        case .none: .whole
        }
    }

    /// The same where more of the header is to be read, and else everything.
    private var orWhole: SourceDemand {
        if case .head = self { return self }
        return .whole
    }

    /// At least a kilobyte beyond `end`, where so much is to be had.
    private static func more(than head: UnsafeRawBufferPointer, _ end: Int, of count: Int) -> SourceDemand {
        let wanted = max(head.count, end) + 1024
        return wanted < count ? .head(wanted) : .whole
    }
}
