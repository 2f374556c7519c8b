/// What a picture's header tells, without a pixel being decoded.
public struct ImageHeader: Hashable, Codable, Sendable {
    /// The format, by content.
    public let format: ImageFormat
    /// Pixels as they are stored; for HEIF and AVIF as they are displayed.
    public let storedSize: PixelSize
    /// How stored pixels are turned. A HEIF or AVIF turns itself, so it is always `up` there.
    public let orientation: Orientation
    /// Whether there is an alpha channel.
    public let hasAlpha: Bool
    /// Bits a channel: 1 to 64.
    public let bitsPerChannel: Int
    /// `RGB`, `grey`, `CMYK`, `Lab` or `other`.
    public let colorSpace: String
    /// The embedded profile's own name, empty where it has none; nil without a profile.
    public let profile: String?
    /// Frames or pages; 1 for a still picture.
    public let frames: Int
    /// Whether the whole frame must be decoded at once: progressive JPEG, interlaced PNG, and formats that always do.
    public let isProgressive: Bool
    /// When the picture was taken, by its EXIF data.
    public let date: CaptureDate?
    /// Where it was taken, by its EXIF data.
    public let place: Place?
    /// Pixels of the embedded preview as it is stored; nil without one.
    public let previewSize: PixelSize?

    /// Pixels of the upright picture.
    public var uprightSize: PixelSize { orientation.upright(storedSize) }
}
