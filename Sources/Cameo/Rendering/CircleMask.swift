/// How much of each pixel of a picture a centred circle covers, by 16 × 16 samples a pixel.
///
/// The exact area would be a few thousandths nearer to the truth at some pixels; sampling on a grid is what other
/// tools' circles are compared with, and agrees with them.
struct CircleMask {
    let size: PixelSize
    let radius: Double
    private let centreX: Double
    private let centreY: Double

    private static let samples = 16

    /// The largest circle in the middle of `size`, drawn in by `inset` pixels.
    init(in size: PixelSize, inset: Double = 0) {
        self.size = size
        radius = max(0, Double(min(size.width, size.height)) / 2 - inset)
        centreX = Double(size.width) / 2
        centreY = Double(size.height) / 2
    }

    /// The share of the pixel (`x`, `y`) that lies in the circle, 0 to 1.
    func coverage(_ x: Int, _ y: Int) -> Double {
        let (left, top) = (Double(x) - centreX, Double(y) - centreY)
        let near = Self.squaredLength(max(0, left, -left - 1), max(0, top, -top - 1))
        if near >= radius * radius { return 0 }
        if Self.squaredLength(max(abs(left), abs(left + 1)), max(abs(top), abs(top + 1))) <= radius * radius {
            return 1
        }
        let step = 1 / Double(Self.samples)
        var hits = 0
        for row in 0..<Self.samples {
            let down = top + (Double(row) + 0.5) * step
            for column in 0..<Self.samples
            where Self.squaredLength(left + (Double(column) + 0.5) * step, down) < radius * radius { hits += 1 }
        }
        return Double(hits) * step * step
    }

    private static func squaredLength(_ x: Double, _ y: Double) -> Double { x * x + y * y }
}

extension PixelBuffer {
    /// Cuts the pixels to the largest centred circle. Colours stay as they are, so no edge is tinted.
    func maskedToCircle() -> PixelBuffer {
        var masked = withAlpha()
        let mask = CircleMask(in: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let coverage = mask.coverage(x, y)
                guard coverage < 1 else { continue }
                let alpha = (y * size.width + x) * 4 + 3
                masked.bytes[alpha] = UInt8((Double(masked.bytes[alpha]) * coverage).rounded())
            }
        }
        return masked
    }

    /// Draws a ring of `ring.width` pixels along the inner edge of `shape`.
    mutating func draw(_ ring: Rendition.Ring, inside shape: Rendition.Shape) {
        switch shape {
        case .circle:
            // The circle itself is cut afterwards, so the ring may cover what lies outside it.
            let inner = CircleMask(in: size, inset: ring.width)
            tint(ring.color) { x, y in 1 - inner.coverage(x, y) }
        case .rectangle:
            let (width, height) = (Double(size.width), Double(size.height))
            func inside(_ position: Int, _ length: Double) -> Double {
                max(0, min(Double(position + 1), length - ring.width) - max(Double(position), ring.width))
            }
            tint(ring.color) { x, y in 1 - inside(x, width) * inside(y, height) }
        }
    }
}
