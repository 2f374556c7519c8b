/// What a source may cost before it is refused.
public struct Limits: Hashable, Codable, Sendable {
    /// Most pixels of a picture, counted before anything is decoded.
    public var pixels = 268_000_000
    /// Most bytes of a file.
    public var bytes = 1 << 30
    /// Most pixels of one edge.
    public var edge = 100_000
    /// Most seconds for one source; 0 means no limit. Looked at between two tiles of a decode, not inside a codec.
    public var seconds = 30.0

    /// The limits that hold unless others are asked for: 268 megapixels, 1 GiB, 100,000 pixels an edge, 30 seconds.
    public init() {}

    /// Whether a picture may be as large as `size`.
    func allow(_ size: PixelSize) -> Bool { max(size.width, size.height) <= edge && size.area <= pixels }
}
