import CVips

/// What stands for a person without a picture: initials, or a silhouette, on a colour of the person's own.
public struct Placeholder: Hashable, Sendable {
    /// One or two grapheme clusters in upper case; nil where the name has no letters or no installed font has them.
    public let initials: String?
    /// The colour behind, the same for the same name everywhere.
    public let color: RGBColor

    private static let font = "sans bold"

    /// The placeholder of somebody called `name`; an empty name gives the silhouette.
    public init(name: String) {
        color = Self.palette[Int(Self.hash(name) % UInt64(Self.palette.count))]
        let letters = Self.initials(of: name)
        let isCovered = letters.map { Vips.isStarted && cvips_uncovered_characters($0, Self.font) == 0 } ?? false
        initials = isCovered ? letters : nil
    }

    /// The first letter of the first and of the last word: the words are what spaces and punctuation part.
    static func initials(of name: String) -> String? {
        let words = name.split { $0.isWhitespace || ".,;:/|()[]{}\"“”„«»<>_-‐–—".contains($0) }
        let letters = words.compactMap { word in word.first { $0.isLetter || $0.isNumber } }
        guard let first = letters.first, let last = letters.last else { return nil }
        let chosen = letters.count == 1 ? [first] : [first, last]
        // One cluster each, though some letters have two in upper case (ß).
        return String(chosen.compactMap { String($0).uppercased().first })
    }

    /// FNV-1a of the name without regard to case and Unicode form (http://www.isthe.com/chongo/tech/comp/fnv/).
    private static func hash(_ name: String) -> UInt64 {
        var key = Array(name.utf8)
        if let folded = g_utf8_casefold(name, -1) {
            if let composed = g_utf8_normalize(folded, -1, G_NORMALIZE_ALL_COMPOSE) {
                key = Array(String(cString: composed).utf8)
                g_free(composed)
            }
            g_free(folded)
        }
        return key.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Twelve hues on which white text has a contrast of at least 4.5 to 1, as WCAG 2.2 (1.4.3) asks.
    static let palette = [
        RGBColor(183, 28, 60), RGBColor(173, 65, 16), RGBColor(134, 88, 0), RGBColor(91, 104, 14),
        RGBColor(30, 113, 52), RGBColor(0, 112, 97), RGBColor(0, 107, 138), RGBColor(18, 97, 176),
        RGBColor(63, 81, 181), RGBColor(103, 68, 176), RGBColor(140, 47, 158), RGBColor(171, 31, 110),
    ]
}

extension Placeholder {
    /// The placeholder as a picture of the rendition's size and shape. Mode, focus and background do not matter.
    ///
    /// - Throws: `RenderError.invalidRendition`, or `environment` if libvips cannot draw text.
    public func render(_ rendition: Rendition) throws(RenderError) -> RenderedImage {
        if let problem = rendition.problem { throw .invalidRendition(source: "placeholder", reason: problem) }
        guard Vips.isStarted else { throw .environment(reason: "libvips did not start") }
        var pixels = PixelBuffer(size: rendition.size, filledWith: color)
        if let initials {
            do throws(VipsFailure) {
                try draw(initials, into: &pixels)
            } catch {
                throw .environment(reason: "text cannot be drawn: \(error.text)")
            }
        } else {
            drawSilhouette(into: &pixels)
        }
        return RenderedImage(
            pixels: pixels.shaped(as: rendition), crop: PixelRect(rendition.size), rendition: rendition, focus: .centre)
    }

    private func draw(_ initials: String, into pixels: inout PixelBuffer) throws(VipsFailure) {
        let side = Double(min(pixels.size.width, pixels.size.height))
        // Letters of joining scripts stand apart, as initials do.
        let text = initials.map(String.init).joined(separator: "\u{200C}")
        var points = side * 0.42
        var mask = try TextMask(text, font: "\(Self.font) \(points)")
        let widest = side * 0.68
        if Double(mask.size.width) > widest {
            points *= widest / Double(mask.size.width)
            mask = try TextMask(text, font: "\(Self.font) \(points)")
        }
        let left = (pixels.size.width - mask.size.width) / 2
        let top = (pixels.size.height - mask.size.height) / 2
        pixels.tint(.white) { x, y in mask.coverage(x - left, y - top) }
    }

    /// A head and shoulders in a light tint of the colour.
    private func drawSilhouette(into pixels: inout PixelBuffer) {
        let side = Double(min(pixels.size.width, pixels.size.height))
        let (originX, originY) = ((Double(pixels.size.width) - side) / 2, (Double(pixels.size.height) - side) / 2)
        func isInside(_ x: Double, _ y: Double) -> Bool {
            let (x, y) = ((x - originX) / side - 0.5, (y - originY) / side)
            let (head, shoulders) = ((y - 0.39) / 0.19, (y - 1.02) / 0.38)
            return x * x / (0.17 * 0.17) + head * head < 1 || x * x / (0.34 * 0.34) + shoulders * shoulders < 1
        }
        let samples = 4
        pixels.tint(.white) { x, y in
            var hits = 0
            for row in 0..<samples {
                for column in 0..<samples {
                    let across = Double(x) + (Double(column) + 0.5) / Double(samples)
                    let down = Double(y) + (Double(row) + 0.5) / Double(samples)
                    if isInside(across, down) { hits += 1 }
                }
            }
            return 0.82 * Double(hits) / Double(samples * samples)
        }
    }
}
