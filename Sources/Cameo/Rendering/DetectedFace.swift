/// A face in a picture: a box from the brows to the chin and from temple to temple, in shares of the upright picture's
/// width and height. It may reach over the picture's edge.
public struct DetectedFace: Hashable, Codable, Sendable {
    /// Left edge; 0 is the picture's left, 1 its right edge.
    public var x: Double
    /// Top edge; 0 is the picture's top, 1 its bottom edge.
    public var y: Double
    /// Share of the picture's width.
    public var width: Double
    /// Share of the picture's height.
    public var height: Double
    /// How sure the detector is, on a scale of its own from 0 to 1.
    public var confidence: Double

    /// A face.
    public init(x: Double, y: Double, width: Double, height: Double, confidence: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.confidence = confidence
    }

    /// The box in pixels of an upright picture of `size`, rounded; a number that no face has counts as the nearest that
    /// one could have.
    public func rect(in size: PixelSize) -> PixelRect {
        func pixels(_ share: Double, _ length: Int) -> Int {
            Int((min(Self.most, max(-Self.most, share.isNaN ? 0 : share)) * Double(length)).rounded())
        }
        return PixelRect(
            x: pixels(x, size.width), y: pixels(y, size.height),
            width: max(1, pixels(width, size.width)), height: max(1, pixels(height, size.height)))
    }

    /// How much a face asks to be the picture's main one: larger and surer is more.
    var weight: Double { width * confidence }

    /// Times the picture's length, beyond which nothing of a face is.
    private static let most = 100.0

    /// Whether its numbers can be reckoned with.
    var isPlausible: Bool {
        [x, y, width, height, confidence].allSatisfy { $0.isFinite && abs($0) < Self.most } && width > 0 && height > 0
    }
}
