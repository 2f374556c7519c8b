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

    /// Lays `color` over the pixels, each to the extent that `coverage` has it, inside what is opaque already.
    mutating func tint(_ color: RGBColor, by coverage: (_ x: Int, _ y: Int) -> Double) {
        let tint = [Double(color.red), Double(color.green), Double(color.blue)]
        for y in 0..<size.height {
            for x in 0..<size.width {
                let share = coverage(x, y)
                guard share > 0 else { continue }
                let start = (y * size.width + x) * channels
                for channel in 0..<3 {
                    let value = Double(bytes[start + channel]) * (1 - share) + tint[channel] * share
                    bytes[start + channel] = UInt8(min(255, value.rounded()))
                }
                if channels == 4 {
                    let alpha = Double(bytes[start + 3])
                    bytes[start + 3] = UInt8(min(255, (alpha + (255 - alpha) * share).rounded()))
                }
            }
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
