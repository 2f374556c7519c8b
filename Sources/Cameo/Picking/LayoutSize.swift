/// A size on a screen, in points.
public struct LayoutSize: Hashable, Codable, Sendable {
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// A size of `width` by `height` points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The largest size of the aspect `width / height` inside this one.
    func inscribed(aspect: Double) -> LayoutSize {
        width > height * aspect
            ? LayoutSize(width: height * aspect, height: height) : LayoutSize(width: width, height: width / aspect)
    }

    /// The smallest size of the aspect `width / height` that covers this one.
    func covering(aspect: Double) -> LayoutSize {
        width > height * aspect
            ? LayoutSize(width: width, height: width / aspect) : LayoutSize(width: height * aspect, height: height)
    }
}
