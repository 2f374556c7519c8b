extension PixelBuffer {
    /// The pixels without their alpha, over `background`. O(pixels).
    public func flattened(on background: RGBColor) -> PixelBuffer {
        guard channels == 4 else { return self }
        let behind = [Int(background.red), Int(background.green), Int(background.blue)]
        var flat = [UInt8](repeating: 0, count: size.area * 3)
        for pixel in 0..<size.area {
            let alpha = Int(bytes[pixel * 4 + 3])
            for channel in 0..<3 {
                let value = Int(bytes[pixel * 4 + channel]) * alpha + behind[channel] * (255 - alpha)
                flat[pixel * 3 + channel] = UInt8((value + 127) / 255)
            }
        }
        return PixelBuffer(size: size, channels: 3, bytes: flat)
    }

    /// The pixels with an alpha channel, opaque where they had none. O(pixels).
    public func withAlpha() -> PixelBuffer {
        guard channels == 3 else { return self }
        var full = [UInt8](repeating: 255, count: size.area * 4)
        for pixel in 0..<size.area {
            for channel in 0..<3 { full[pixel * 4 + channel] = bytes[pixel * 3 + channel] }
        }
        return PixelBuffer(size: size, channels: 4, bytes: full)
    }

    /// The pixels without an alpha channel where it says nothing. O(pixels).
    func droppingOpaqueAlpha() -> PixelBuffer {
        channels == 4 && isOpaque ? flattened(on: .white) : self
    }

    /// Lays `color` over the pixels, each to the extent that `coverage` has it.
    mutating func tint(_ color: RGBColor, by coverage: (_ x: Int, _ y: Int) -> Double) {
        for y in 0..<size.height { tint(color, row: y, columns: 0..<size.width) { coverage($0, y) } }
    }

    /// Lays `color` over a part of one row.
    mutating func tint(_ color: RGBColor, row y: Int, columns: Range<Int>, by coverage: (_ x: Int) -> Double) {
        let tint = (Double(color.red), Double(color.green), Double(color.blue))
        func mixed(_ value: UInt8, _ tint: Double, _ share: Double) -> UInt8 {
            UInt8(min(255, (Double(value) * (1 - share) + tint * share).rounded()))
        }
        for x in columns.clamped(to: 0..<size.width) {
            let share = coverage(x)
            guard share > 0 else { continue }
            let start = (y * size.width + x) * channels
            // What is transparent has no colour to mix in.
            let alpha = channels == 4 ? Double(bytes[start + 3]) / 255 : 1
            let weight = share / (share + alpha * (1 - share))
            bytes[start] = mixed(bytes[start], tint.0, weight)
            bytes[start + 1] = mixed(bytes[start + 1], tint.1, weight)
            bytes[start + 2] = mixed(bytes[start + 2], tint.2, weight)
            if channels == 4 { bytes[start + 3] = mixed(bytes[start + 3], 255, share) }
        }
    }

    /// Copies `picture` to (`x`, `y`), over what is there; what reaches outside is cut off.
    mutating func draw(_ picture: PixelBuffer, x: Int, y: Int) {
        for row in max(0, -y)..<max(max(0, -y), min(picture.size.height, size.height - y)) {
            for column in max(0, -x)..<max(max(0, -x), min(picture.size.width, size.width - x)) {
                let from = (row * picture.size.width + column) * picture.channels
                let to = ((y + row) * size.width + x + column) * channels
                let alpha = picture.channels == 4 ? Int(picture.bytes[from + 3]) : 255
                for channel in 0..<3 {
                    let value = Int(picture.bytes[from + channel]) * alpha + Int(bytes[to + channel]) * (255 - alpha)
                    bytes[to + channel] = UInt8((value + 127) / 255)
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Background, ring and outline, in that order.
    func shaped(as rendition: Rendition) -> PixelBuffer {
        var pixels = self
        if let background = rendition.background { pixels = pixels.flattened(on: background) }
        if let ring = rendition.ring { pixels.draw(ring, inside: rendition.shape) }
        if rendition.shape == .circle {
            pixels = pixels.maskedToCircle()
            if let background = rendition.background { pixels = pixels.flattened(on: background) }
        }
        if rendition.encoding.format == .jpeg { pixels = pixels.flattened(on: .white) }
        return pixels.droppingOpaqueAlpha()
    }
}
