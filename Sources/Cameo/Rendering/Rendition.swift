/// All that is asked of a picture: its size, how it fills it, its shape and how it is written.
public struct Rendition: Hashable, Codable, Sendable {
    /// How a picture and a size of another aspect come together.
    public enum Mode: String, Codable, Sendable {
        /// The whole picture inside the size.
        case fit
        /// The size filled, the picture cropped.
        case fill
    }

    /// The outline of the result.
    public enum Shape: String, Codable, Sendable {
        case rectangle, circle
    }

    /// A line inside the edge of the shape.
    public struct Ring: Hashable, Codable, Sendable {
        /// Pixels; at least 1.
        public var width: Double
        /// Its colour.
        public var color: RGBColor

        /// A ring of `width` pixels.
        public init(width: Double, color: RGBColor) {
            self.width = width
            self.color = color
        }
    }

    /// Pixels; each side from 1 to `sideLimit`.
    public var size: PixelSize
    /// Fit or fill.
    public var mode: Mode
    /// The outline. A circle is drawn into the largest centred circle of the result.
    public var shape: Shape
    /// What a crop keeps.
    public var focus: Focus
    /// What lies behind the picture; nil keeps transparency, and is white where the format has none.
    public var background: RGBColor?
    /// A line inside the edge.
    public var ring: Ring?
    /// Whether a small picture is enlarged to the size.
    public var enlarges: Bool
    /// How the result is written.
    public var encoding: Encoding
    /// How the cropped part is turned and mirrored, as an editing step has it. `size` is that of the turned result,
    /// while the focus and every crop rectangle stay in pixels of the upright picture as it was before.
    public var turn: Orientation {
        get { storedTurn ?? .up }
        set { storedTurn = newValue == .up ? nil : newValue }
    }

    /// Nil rather than `up`, so that the JSON of a rendition that turns nothing is what it was before there were turns.
    private var storedTurn: Orientation?

    private enum CodingKeys: String, CodingKey {
        case size, mode, shape, focus, background, ring, enlarges, encoding
        case storedTurn = "turn"
    }

    /// The longest side that can be asked for.
    public static let sideLimit = 16_384

    /// A rendition.
    public init(
        size: PixelSize, mode: Mode = .fit, shape: Shape = .rectangle, focus: Focus = .centre,
        background: RGBColor? = nil, ring: Ring? = nil, enlarges: Bool = false, encoding: Encoding = Encoding(),
        turn: Orientation = .up
    ) {
        self.size = size
        self.mode = mode
        self.shape = shape
        self.focus = focus
        self.background = background
        self.ring = ring
        self.enlarges = enlarges
        self.encoding = encoding
        self.turn = turn
    }

    /// The rendition of a grid cell: the whole picture inside `size`, never enlarged.
    public static func thumbnail(_ size: PixelSize) -> Rendition {
        Rendition(size: size)
    }

    /// The rendition of a person: a square of exactly `side` pixels, as a circle unless said otherwise, of the head
    /// where the renderer has a `FaceSearch` that finds it.
    public static func profilePicture(
        _ side: Int, shape: Shape = .circle, focus: Focus = .faces(fallback: .attention)
    ) -> Rendition {
        Rendition(size: PixelSize(square: side), mode: .fill, shape: shape, focus: focus, enlarges: true)
    }

    /// Whether faces are searched for to place its crop.
    package var searchesFaces: Bool {
        if case .faces = focus { mode == .fill } else { false }
    }

    /// Why the rendition cannot be made of any picture, or nil.
    public var problem: String? {
        if size.width < 1 || size.height < 1 { return "a size of \(size) has no pixels" }
        if size.width > Self.sideLimit || size.height > Self.sideLimit {
            return "a size of \(size) is over the limit of \(Self.sideLimit) pixels a side"
        }
        if encoding.format == .webp, max(size.width, size.height) > 16_383 {
            return "WebP has at most 16383 pixels a side"
        }
        if !(1...100).contains(encoding.quality) { return "a quality of \(encoding.quality) is not in 1 to 100" }
        if let ring, !(ring.width >= 1 && ring.width <= Double(Self.sideLimit)) {
            return "a ring of \(ring.width) pixels is not in 1 to \(Self.sideLimit)"
        }
        if shape == .circle, encoding.format == .jpeg, background == nil {
            return "JPEG has no transparency, so a circle in it needs a background"
        }
        if case .rectangle(let area) = focus, area.width < 1 || area.height < 1 {
            return "a focus rectangle of \(area.size) has no pixels"
        }
        return nil
    }
}
