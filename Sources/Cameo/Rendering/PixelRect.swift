/// A rectangle in whole pixels of an upright picture; the origin is its top left corner.
public struct PixelRect: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Left edge.
    public var x: Int
    /// Top edge.
    public var y: Int
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A rectangle at (`x`, `y`) of `width` by `height` pixels.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole of a picture of `size`.
    public init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// Its width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// `[x, y, width, height]`.
    public var components: [Int] { [x, y, width, height] }

    /// `width×height+x+y`.
    public var description: String { "\(width)×\(height)+\(x)+\(y)" }

    /// Whether the rectangle has an area and lies inside a picture of `size`.
    public func lies(inside size: PixelSize) -> Bool {
        width > 0 && height > 0 && x >= 0 && y >= 0
            && width <= size.width && height <= size.height && x <= size.width - width && y <= size.height - height
    }

    /// A rectangle of `size` whose centre is as near to (`centreX`, `centreY`) as it can be inside `bounds`.
    ///
    /// - Precondition: `size` is not larger than `bounds` in either direction.
    public static func centred(atX centreX: Double, y centreY: Double, size: PixelSize, in bounds: PixelSize)
        -> PixelRect
    {
        func place(_ centre: Double, _ length: Int, _ limit: Int) -> Int {
            let start = (centre - Double(length) / 2).rounded(.toNearestOrAwayFromZero)
            return Int(min(max(start, 0), Double(limit - length)))
        }
        return PixelRect(
            x: place(centreX, size.width, bounds.width), y: place(centreY, size.height, bounds.height),
            width: size.width, height: size.height)
    }
}
