import CJPEGReference

/// A JPEG to be made by libjpeg: how it is coded, and what it shows.
package struct MadeJPEG {
    package enum Content: Sendable {
        /// Gentle slopes of all channels, far from black and white.
        case smooth
        /// Blocks of random level and random grain.
        case busy
        /// One colour at the left and one at the right, in the file's colour space.
        case halves([UInt8], [UInt8])
    }

    package enum Color: Sendable {
        case grey, yCbCr, rgb, cmyk, ycck

        var space: J_COLOR_SPACE {
            switch self {
            case .grey: JCS_GRAYSCALE
            case .yCbCr: JCS_YCbCr
            case .rgb: JCS_RGB
            case .cmyk: JCS_CMYK
            case .ycck: JCS_YCCK
            }
        }

        package var components: Int {
            switch self {
            case .grey: 1
            case .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        }
    }

    package var width: Int
    package var height: Int
    package var color = Color.yCbCr
    /// Across and down, for each component; those that are missing are 1 × 1.
    package var sampling: [(across: Int, down: Int)] = []
    package var quality = 75
    package var restartInterval = 0
    package var isProgressive = false
    package var hasOptimalTables = false
    package var isSplit = false
    /// Bits of DC that the first scans of a split progressive file leave out, at most 5.
    package var leftOut = 1
    package var content = Content.busy
    package var seed: UInt64 = 1

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The file; nil where libjpeg refuses.
    package func encoded() -> [UInt8]? {
        var format = cjpeg_format()
        format.width = Int32(width)
        format.height = Int32(height)
        format.components = Int32(color.components)
        func factor(_ index: Int, _ part: KeyPath<(across: Int, down: Int), Int>) -> Int32 {
            index < sampling.count ? Int32(sampling[index][keyPath: part]) : 1
        }
        format.across = (
            factor(0, \.across), factor(1, \.across), factor(2, \.across), factor(3, \.across)
        )
        format.down = (factor(0, \.down), factor(1, \.down), factor(2, \.down), factor(3, \.down))
        format.color_space = Int32(color.space.rawValue)
        format.quality = Int32(quality)
        format.restart_interval = Int32(restartInterval)
        format.is_progressive = isProgressive ? 1 : 0
        format.has_optimal_tables = hasOptimalTables ? 1 : 0
        format.is_split = isSplit ? 1 : 0
        format.left_out = Int32(leftOut)
        var (out, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { free(out) }
        guard cjpeg_encode(samples(), &format, &out, &count) == 0 else { return nil }
        return Array(UnsafeBufferPointer(start: out, count: Int(count)))
    }

    /// What is shown, in the file's colour space.
    package func samples() -> [UInt8] {
        var random = Xorshift(seed: seed)
        let channels = color.components
        let levels = (0..<1024).map { _ in Int(random.next() >> 56) }
        var samples = [UInt8](repeating: 0, count: width * height * channels)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<channels {
                    let value: Int
                    switch content {
                    case .smooth: value = 80 + (x * (2 + channel) + y * (3 - channel % 3)) / 60 % 80
                    case .busy:
                        let level = levels[(x / 11 &* 7 + y / 9 &* 31 + channel &* 101) & 1023]
                        value = level + Int(random.next() >> 59)
                    case .halves(let left, let right):
                        value = Int(x < width / 2 ? left[channel] : right[channel])
                    }
                    samples[(y * width + x) * channels + channel] = UInt8(clamping: value > 255 ? 511 - value : value)
                }
            }
        }
        return samples
    }
}

/// Marsaglia's xorshift of 64 bits: seeded, so that every run sees the same.
package struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
