/// What a renderer accepts.
public struct RenderOptions: Hashable, Codable, Sendable {
    /// What a source may cost.
    public var limits = Limits()
    /// The formats that are read.
    public var formats = ImageFormat.standard
    /// Whether a truncated or damaged picture is a failure rather than a warning.
    public var isStrict = false

    /// The standard formats and limits.
    public init() {}
}
