/// How stored pixels must be turned to be upright: the eight values of the EXIF orientation tag.
///
/// The raw values are those of EXIF 2.32, tag 0x0112.
public enum Orientation: Int, CaseIterable, Codable, Sendable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the main diagonal.
    case leftMirrored = 5
    /// To be turned by 90° clockwise.
    case right = 6
    /// Mirrored along the other diagonal.
    case rightMirrored = 7
    /// To be turned by 90° anticlockwise.
    case left = 8

    /// The orientation that a tag's value means; a value out of range means upright.
    public init(tag: Int) {
        self = Orientation(rawValue: tag) ?? .up
    }

    /// Whether width and height change places.
    public var isTransposed: Bool { rawValue >= 5 }

    /// The size of the upright picture whose stored size is `size`.
    public func upright(_ size: PixelSize) -> PixelSize {
        isTransposed ? size.transposed : size
    }

    /// Where the part `area` of an upright picture of `size` lies in the stored one.
    func stored(_ area: PixelRect, of size: PixelSize) -> PixelRect {
        var area = area
        if endsAtLeft { area.x = size.width - area.x - area.width }
        if endsAtTop { area.y = size.height - area.y - area.height }
        return isTransposed ? PixelRect(x: area.y, y: area.x, width: area.height, height: area.width) : area
    }

    /// Whether the last stored column (or row, where they change places) is the first column of the upright picture.
    var endsAtLeft: Bool { self == .upMirrored || self == .down || self == .right || self == .rightMirrored }

    /// Whether the last stored row (or column, where they change places) is the first row of the upright picture.
    var endsAtTop: Bool { self == .down || self == .downMirrored || self == .rightMirrored || self == .left }
}
