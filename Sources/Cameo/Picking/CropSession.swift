/// The geometry of an editing step, without a screen: a picture behind a mask, moved, enlarged, turned and mirrored.
///
/// The session keeps the place of the mask's centre on the upright original and the zoom. What is cut out follows
/// from those and the mask's aspect alone, so it stays the same when the viewport changes.
public struct CropSession: Hashable, Sendable {
    /// The outline of what is cut out.
    public enum Mask: Hashable, Sendable {
        case square
        /// A circle; the crop is the square around it.
        case circle
        /// A rectangle of this width over height, as it is seen on the screen.
        case free(aspect: Double)

        /// Width over height.
        public var aspect: Double {
            switch self {
            case .square, .circle: 1
            case .free(let aspect): aspect
            }
        }

        /// 1:1000 to 1000:1.
        var isPossible: Bool { aspect >= 0.001 && aspect <= 1000 }
    }

    /// The zoom that can be asked for: from the picture just covering the mask to eight times that.
    public static let zoomRange = 1.0...8.0

    /// Pixels of the upright original.
    public let picture: PixelSize
    /// Points of the screen's part in whose middle the mask lies.
    public internal(set) var viewport: LayoutSize
    /// The outline.
    public internal(set) var mask: Mask
    /// How many times larger than just covering the mask the picture is shown: 1 to 8.
    public internal(set) var zoom = 1.0
    /// How often the picture is turned by 90° clockwise: 0 to 3.
    public internal(set) var quarterTurns = 0
    /// Whether the turned picture is mirrored left to right.
    public internal(set) var isMirrored = false

    /// What of the upright original lies in the middle of the mask, in pixels.
    var centre: LayoutPoint

    /// A session on an untouched picture: the middle of it, just covering the mask.
    ///
    /// - Throws: `PickingError.invalidGeometry` for a picture or a viewport without an area, or an aspect that is not
    ///   in 0.001 to 1000.
    public init(picture: PixelSize, viewport: LayoutSize, mask: Mask = .square) throws(PickingError) {
        guard picture.width > 0, picture.height > 0 else {
            throw .invalidGeometry(reason: "a picture of \(picture) cannot be cropped")
        }
        self.picture = picture
        self.viewport = viewport
        self.mask = mask
        centre = LayoutPoint(x: Double(picture.width) / 2, y: Double(picture.height) / 2)
        try Self.check(viewport)
        try Self.check(mask)
    }

    static func check(_ viewport: LayoutSize) throws(PickingError) {
        let sides = 0.001...1_000_000
        guard sides.contains(viewport.width), sides.contains(viewport.height) else {
            throw .invalidGeometry(reason: "a viewport of \(viewport.width)×\(viewport.height) points has no area")
        }
    }

    static func check(_ mask: Mask) throws(PickingError) {
        guard mask.isPossible else {
            throw .invalidGeometry(reason: "an aspect of \(mask.aspect) is not in 0.001 to 1000")
        }
    }
}
