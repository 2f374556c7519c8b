/// A rectangle on a screen or in a scrolled content, in points; the origin is its top left corner.
public struct LayoutRect: Hashable, Codable, Sendable {
    /// Left edge.
    public var x: Double
    /// Top edge.
    public var y: Double
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// A rectangle at (`x`, `y`) of `width` by `height` points.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle of `size` around a centre.
    init(centre: LayoutPoint, size: LayoutSize) {
        self.init(
            x: centre.x - size.width / 2, y: centre.y - size.height / 2, width: size.width, height: size.height)
    }

    /// Its width and height.
    public var size: LayoutSize { LayoutSize(width: width, height: height) }
    /// The point in its middle.
    public var centre: LayoutPoint { LayoutPoint(x: x + width / 2, y: y + height / 2) }
    /// Right edge.
    public var maxX: Double { x + width }
    /// Lower edge.
    public var maxY: Double { y + height }

    /// Whether the two share an area; touching edges share none.
    public func intersects(_ other: LayoutRect) -> Bool {
        min(maxX, other.maxX) > max(x, other.x) && min(maxY, other.maxY) > max(y, other.y)
    }

    /// Whether `point` lies inside; the right and the lower edge do not.
    public func contains(_ point: LayoutPoint) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }
}
