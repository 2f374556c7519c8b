import Glibc

/// A picture in about 25 bytes: its colours as a blur, to be shown until there is something better.
///
/// The format is Evan Wallace's ThumbHash (evanw.github.io/thumbhash): the
/// first terms of a cosine transform of lightness, two colour differences and alpha, each in four bits.
public struct ThumbHash: Hashable, Sendable {
    /// 5 to 34 bytes.
    public let bytes: [UInt8]

    /// The hash of these bytes; nil where they are too few to be one.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5 else { return nil }
        let layout = Layout(bytes)
        guard bytes.count >= layout.count else { return nil }
        self.bytes = Array(bytes.prefix(layout.count))
    }

    /// The hash of a whole picture. O(pixels); there is no use in more than 64 a side.
    public init(_ pixels: PixelBuffer) {
        let planes = Planes(pixels)
        let limit = planes.hasAlpha ? 5.0 : 7.0
        let (width, height) = (pixels.size.width, pixels.size.height)
        let longest = Double(max(width, height))
        let across = max(1, Int((limit * Double(width) / longest).rounded()))
        let down = max(1, Int((limit * Double(height) / longest).rounded()))
        let lightness = planes.terms(of: planes.lightness, max(3, across), max(3, down))
        let yellowBlue = planes.terms(of: planes.yellowBlue, 3, 3)
        let redGreen = planes.terms(of: planes.redGreen, 3, 3)
        func level(_ value: Double, _ top: Double) -> Int { Int((min(1, max(0, value)) * top).rounded()) }
        var bits =
            level(lightness.mean, 63) | level((yellowBlue.mean + 1) / 2, 63) << 6
            | level((redGreen.mean + 1) / 2, 63) << 12 | level(lightness.scale, 31) << 18
            | (planes.hasAlpha ? 1 : 0) << 23
        bits |=
            ((width > height ? down : across) | level(yellowBlue.scale, 63) << 3 | level(redGreen.scale, 63) << 9
                | (width > height ? 1 : 0) << 15) << 24
        var bytes = (0..<5).map { UInt8(bits >> ($0 * 8) & 255) }
        var nibbles = [lightness, yellowBlue, redGreen].flatMap(\.levels)
        if planes.hasAlpha {
            let alpha = planes.terms(of: planes.alpha, 5, 5)
            bytes.append(UInt8(level(alpha.mean, 15) | level(alpha.scale, 15) << 4))
            nibbles += alpha.levels
        }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
        }
        self.bytes = bytes
    }

    /// The blur, stretched to `size`. O(pixels).
    public func pixels(_ size: PixelSize) -> PixelBuffer {
        let layout = Layout(bytes)
        let channels = layout.hasAlpha ? 4 : 3
        var out = [UInt8](repeating: 255, count: size.area * channels)
        func cosines(_ length: Int) -> [[Double]] {
            (0..<length).map { place in
                (0..<7).map { cos(.pi / Double(length) * (Double(place) + 0.5) * Double($0)) }
            }
        }
        let (columns, rows) = (cosines(size.width), cosines(size.height))
        func byte(_ value: Double) -> UInt8 { UInt8((min(1, max(0, value)) * 255).rounded()) }
        for y in 0..<size.height {
            for x in 0..<size.width {
                let l = layout.lightness.value(columns[x], rows[y])
                let p = layout.yellowBlue.value(columns[x], rows[y])
                let q = layout.redGreen.value(columns[x], rows[y])
                let blue = l - 2.0 / 3 * p
                let red = (3 * l - blue + q) / 2
                let place = (y * size.width + x) * channels
                out[place] = byte(red)
                out[place + 1] = byte(red - q)
                out[place + 2] = byte(blue)
                if let alpha = layout.alpha { out[place + 3] = byte(alpha.value(columns[x], rows[y])) }
            }
        }
        return PixelBuffer(size: size, channels: channels, bytes: out)
    }

    /// Which terms a channel of so many terms across and down has, in order: those under the diagonal.
    fileprivate static func places(_ across: Int, _ down: Int) -> [(x: Int, y: Int)] {
        (0..<down).flatMap { y in
            (0..<across).prefix { $0 * down < across * (down - y) }.map { (x: $0, y: y) }
        }
    }
}

extension ThumbHash {
    /// A channel's terms: the mean, and the others as parts of the largest.
    private struct Terms {
        var mean = 0.0
        var scale = 0.0
        var others: [Double] = []

        var levels: [UInt8] {
            others.map { scale > 0 ? UInt8(((0.5 + 0.5 / scale * $0) * 15).rounded()) : 8 }
        }
    }

    /// A picture's channels, 0 to 1, those of colour differences -1 to 1. What is transparent has the mean colour.
    private struct Planes {
        let size: PixelSize
        var lightness: [Double] = []
        var yellowBlue: [Double] = []
        var redGreen: [Double] = []
        var alpha: [Double] = []
        var hasAlpha: Bool { alpha.contains { $0 < 1 } }

        init(_ pixels: PixelBuffer) {
            size = pixels.size
            let (bytes, channels) = (pixels.bytes, pixels.channels)
            alpha = (0..<size.area).map { channels == 4 ? Double(bytes[$0 * 4 + 3]) / 255 : 1 }
            let weight = max(alpha.reduce(0, +), .leastNormalMagnitude)
            let mean = (0..<3).map { channel in
                (0..<size.area).reduce(0.0) { $0 + Double(bytes[$1 * channels + channel]) / 255 * alpha[$1] } / weight
            }
            for index in 0..<size.area {
                let color = (0..<3).map { channel in
                    mean[channel] * (1 - alpha[index]) + Double(bytes[index * channels + channel]) / 255 * alpha[index]
                }
                lightness.append((color[0] + color[1] + color[2]) / 3)
                yellowBlue.append((color[0] + color[1]) / 2 - color[2])
                redGreen.append(color[0] - color[1])
            }
        }

        func terms(of plane: [Double], _ across: Int, _ down: Int) -> Terms {
            func cosines(_ length: Int, _ order: Int) -> [Double] {
                (0..<length).map { cos(.pi / Double(length) * Double(order) * (Double($0) + 0.5)) }
            }
            let columns = (0..<across).map { cosines(size.width, $0) }
            let rows = (0..<down).map { cosines(size.height, $0) }
            var terms = Terms()
            for (x, y) in ThumbHash.places(across, down) {
                var sum = 0.0
                for row in 0..<size.height {
                    var line = 0.0
                    for column in 0..<size.width { line += plane[row * size.width + column] * columns[x][column] }
                    sum += line * rows[y][row]
                }
                sum /= Double(size.area)
                if x == 0, y == 0 {
                    terms.mean = sum
                } else {
                    terms.others.append(sum)
                    terms.scale = max(terms.scale, abs(sum))
                }
            }
            return terms
        }
    }

    /// What the bytes of a hash mean.
    private struct Layout {
        struct Channel {
            var mean: Double
            var terms: [(x: Int, y: Int, value: Double)]

            func value(_ column: [Double], _ row: [Double]) -> Double {
                terms.reduce(mean) { $0 + $1.value * column[$1.x] * row[$1.y] * 2 }
            }
        }

        let hasAlpha: Bool
        /// Bytes in all.
        let count: Int
        var lightness: Channel
        var yellowBlue: Channel
        var redGreen: Channel
        var alpha: Channel?

        init(_ bytes: [UInt8]) {
            let bits = bytes.prefix(5).enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
            func field(_ start: Int, _ width: Int) -> Double { Double(bits >> start & ((1 << width) - 1)) }
            hasAlpha = bits >> 23 & 1 == 1
            let (short, long) = (Int(field(24, 3)), hasAlpha ? 5 : 7)
            let isLandscape = bits >> 39 & 1 == 1
            let start = hasAlpha ? 6 : 5
            var taken = 0
            func channel(_ mean: Double, _ scale: Double, _ across: Int, _ down: Int) -> Channel {
                let terms = ThumbHash.places(across, down).dropFirst().map { place in
                    let byte = start + taken / 2
                    // A hash that ends early is grey where it is silent.
                    let nibble = byte < bytes.count ? Int(bytes[byte]) >> (taken % 2 * 4) & 15 : 7
                    taken += 1
                    return (x: place.x, y: place.y, value: (Double(nibble) / 7.5 - 1) * scale)
                }
                return Channel(mean: mean, terms: terms)
            }
            lightness = channel(
                field(0, 6) / 63, field(18, 5) / 31, max(3, isLandscape ? long : short),
                max(3, isLandscape ? short : long))
            // Colour fades by being rounded to so few levels; the format makes up for it by a quarter.
            yellowBlue = channel(field(6, 6) / 31.5 - 1, field(27, 6) / 63 * 1.25, 3, 3)
            redGreen = channel(field(12, 6) / 31.5 - 1, field(33, 6) / 63 * 1.25, 3, 3)
            if hasAlpha {
                let levels = bytes.count > 5 ? bytes[5] : 15
                alpha = channel(Double(levels & 15) / 15, Double(levels >> 4) / 15, 5, 5)
            }
            count = start + (taken + 1) / 2
        }
    }
}
