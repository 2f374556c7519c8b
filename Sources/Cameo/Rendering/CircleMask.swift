import Glibc

/// How much of each pixel of a picture a centred circle covers: its true area, not samples.
struct CircleMask {
    let size: PixelSize
    let radius: Double
    private let centreX: Double
    private let centreY: Double

    /// The largest circle in the middle of `size`, drawn in by `inset` pixels.
    init(in size: PixelSize, inset: Double = 0) {
        self.size = size
        radius = max(0, Double(min(size.width, size.height)) / 2 - inset)
        centreX = Double(size.width) / 2
        centreY = Double(size.height) / 2
    }

    /// The share of the pixel (`x`, `y`) that lies in the circle, 0 to 1.
    func coverage(_ x: Int, _ y: Int) -> Double {
        // A pixel and its mirror images are covered alike, so the part right of and below the centre is enough; a
        // pixel that the axes cut is the sum of its parts.
        let left = Double(x) - centreX
        let top = Double(y) - centreY
        let near = hypot(max(0, max(left, -left - 1)), max(0, max(top, -top - 1)))
        if near >= radius { return 0 }
        let far = hypot(max(abs(left), abs(left + 1)), max(abs(top), abs(top + 1)))
        if far <= radius { return 1 }
        let area =
            quadrant(left + 1, top + 1) - quadrant(left, top + 1) - quadrant(left + 1, top) + quadrant(left, top)
        return min(1, max(0, area))
    }

    /// The circle's area inside the rectangle between its centre and (`x`, `y`), signed by the quadrant.
    ///
    /// The integral of the circle's height √(r² − t²) cut off at `y`: a rectangle up to where the circle is `y`
    /// high, and from there the circle's own antiderivative ½(t√(r² − t²) + r² asin(t/r)).
    private func quadrant(_ x: Double, _ y: Double) -> Double {
        let (right, height) = (min(abs(x), radius), min(abs(y), radius))
        let sign = (x < 0) == (y < 0) ? 1.0 : -1.0
        let corner = (radius * radius - height * height).squareRoot()
        if right <= corner { return sign * right * height }
        return sign * (corner * height + antiderivative(right) - antiderivative(corner))
    }

    private func antiderivative(_ t: Double) -> Double {
        (t * max(0, radius * radius - t * t).squareRoot() + radius * radius * asin(min(1, t / radius))) / 2
    }
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
