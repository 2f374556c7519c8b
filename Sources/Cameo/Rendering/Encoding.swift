/// How a rendered picture is written.
public struct Encoding: Hashable, Codable, Sendable {
    /// A file format that Cameo writes.
    public enum Format: String, CaseIterable, Codable, Sendable {
        case jpeg, png, webp

        /// The usual extension, without a dot.
        public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
        /// Whether the format can hold transparency.
        public var hasAlpha: Bool { self != .jpeg }
    }

    /// The format, or nil for JPEG where the result is opaque and PNG where it is not.
    public var format: Format?
    /// 1 to 100, for JPEG and WebP.
    public var quality: Int

    /// An encoding; JPEG or PNG as the result needs, at quality 80, unless said otherwise.
    public init(_ format: Format? = nil, quality: Int = 80) {
        self.format = format
        self.quality = quality
    }

    /// The format that a picture is written in.
    public func format(forOpaque isOpaque: Bool) -> Format {
        format ?? (isOpaque ? .jpeg : .png)
    }
}
