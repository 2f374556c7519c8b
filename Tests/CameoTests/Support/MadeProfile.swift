import Foundation
import Testing

/// Colour profiles (ICC.1:2001-04) of primaries and one gamma, written tag by tag.
enum MadeProfile {
    /// Red, green and blue in the connection space, X, Y and Z each, as their specifications give them adapted to D50.
    struct Primaries: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let columns: [[Double]]

        static let sRGB = Primaries(
            testDescription: "sRGB",
            columns: [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]])
        static let displayP3 = Primaries(
            testDescription: "Display P3",
            columns: [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]])
        static let adobeRGB = Primaries(
            testDescription: "Adobe RGB",
            columns: [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]])
        static let proPhoto = Primaries(
            testDescription: "ProPhoto",
            columns: [[0.7977, 0.2880, 0], [0.1352, 0.7119, 0], [0.0313, 0.0001, 0.8249]])
        static let swapped = Primaries(
            testDescription: "red and green swapped",
            columns: [sRGB.columns[1], sRGB.columns[0], sRGB.columns[2]])
    }

    static func rgb(_ primaries: Primaries, gamma: Double) -> [UInt8] {
        let colors = zip(["rXYZ", "gXYZ", "bXYZ"], primaries.columns).map { ($0, xyz($1)) }
        return profile("RGB ", colors + ["rTRC", "gTRC", "bTRC"].map { ($0, curve(gamma)) })
    }

    static func grey(gamma: Double) -> [UInt8] { profile("GRAY", [("kTRC", curve(gamma))]) }

    /// A profile that says to be for four inks, and has nothing else to say.
    static let cmyk = profile("CMYK", [])

    /// What a colour of `primaries` and `gamma` is in sRGB, by IEC 61966-2-1.
    static func inSRGB(_ color: [UInt8], _ primaries: Primaries, gamma: Double) -> [Double] {
        let light = color.map { pow(Double($0) / 255, gamma) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + primaries.columns[$1][row] * light[$1] } }
        // The inverse of sRGB's own columns.
        let inverse = [[3.1339, -1.6169, -0.4906], [-0.9788, 1.9161, 0.0335], [0.0719, -0.2290, 1.4052]]
        return inverse.map { row in encoded(zip(row, xyz).reduce(0) { $0 + $1.0 * $1.1 }) }
    }

    /// The level of 255 for light of 0 to 1.
    static func encoded(_ light: Double) -> Double {
        let light = min(1, max(0, light))
        return 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }

    /// `jpeg` with `profile` in `count` pieces, those written that `order` numbers, as it does.
    static func embedded(_ profile: [UInt8], in jpeg: [UInt8], order: [Int] = [1], of count: Int? = nil) -> [UInt8] {
        let count = count ?? order.count
        let length = (profile.count + count - 1) / count
        let segments = order.flatMap { number -> [UInt8] in
            let piece = profile.dropFirst((number - 1) * length).prefix(length)
            let content = Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + piece
            return [0xFF, 0xE2] + MadeUp.big(content.count + 2, 2) + content
        }
        return Array(jpeg.prefix(2)) + segments + jpeg.dropFirst(2)
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + values.flatMap { MadeUp.big(Int(($0 * 65_536).rounded()), 4) }
    }

    private static func curve(_ gamma: Double) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + MadeUp.big(1, 4) + MadeUp.big(Int((gamma * 256).rounded()), 2) + [0, 0]
    }

    private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
        let tags = [("wtpt", xyz([0.9642, 1, 0.8249]))] + tags
        let start = 132 + tags.count * 12
        var (table, data): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in tags {
            table += Array(name.utf8) + MadeUp.big(start + data.count, 4) + MadeUp.big(bytes.count, 4)
            data += bytes
        }
        let head =
            MadeUp.big(start + data.count, 4) + [0, 0, 0, 0, 2, 0x40, 0, 0] + Array("mntr\(space)XYZ ".utf8)
            + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
            + xyz([0.9642, 1, 0.8249]).dropFirst(8)
        return head + [UInt8](repeating: 0, count: 128 - head.count) + MadeUp.big(tags.count, 4) + table + data
    }
}
