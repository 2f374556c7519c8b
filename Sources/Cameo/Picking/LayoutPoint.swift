/// A place on a screen or in a scrolled content, in points; y grows downwards.
public struct LayoutPoint: Hashable, Codable, Sendable {
    /// Points to the right.
    public var x: Double
    /// Points down.
    public var y: Double

    /// The point at (`x`, `y`).
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Whether both coordinates are numbers and finite.
    var isFinite: Bool { x.isFinite && y.isFinite }
}
