/// A size in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A square of `side` pixels.
    public init(square side: Int) {
        self.init(width: side, height: side)
    }

    /// The number of pixels, `Int.max` where the product does not fit.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// `width×height`.
    public var description: String { "\(width)×\(height)" }
}

extension PixelSize {
    /// Both sides times `factor`, rounded, at least 1.
    func scaled(by factor: Double) -> PixelSize {
        if factor == 1 { return self }
        return PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }

    /// The largest size of this aspect that fits into `box`, each side at least 1 and rounded to the nearest pixel.
    ///
    /// - Parameter enlarging: Whether the result may be larger than the size itself.
    public func fitted(into box: PixelSize, enlarging: Bool) -> PixelSize {
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        if scale >= 1, !enlarging { return self }
        return PixelSize(
            width: min(box.width, max(1, Int((Double(width) * scale).rounded()))),
            height: min(box.height, max(1, Int((Double(height) * scale).rounded()))))
    }

    /// The largest size with the aspect of `shape` that lies inside this one, each side at least 1.
    public func inscribed(aspectOf shape: PixelSize) -> PixelSize {
        if Double(width) * Double(shape.height) > Double(height) * Double(shape.width) {
            let side = (Double(height) * Double(shape.width) / Double(shape.height)).rounded()
            return PixelSize(width: min(width, max(1, Int(side))), height: height)
        }
        let side = (Double(width) * Double(shape.height) / Double(shape.width)).rounded()
        return PixelSize(width: width, height: min(height, max(1, Int(side))))
    }
}
