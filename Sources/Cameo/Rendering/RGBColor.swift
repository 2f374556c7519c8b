/// An opaque colour in 8-bit sRGB.
public struct RGBColor: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Red, 0 to 255.
    public let red: UInt8
    /// Green, 0 to 255.
    public let green: UInt8
    /// Blue, 0 to 255.
    public let blue: UInt8

    /// A colour of three channels.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rgb`, `#rrggbb`, with or without `#`, or one of CSS's sixteen basic colour names.
    public init?(_ text: String) {
        if let named = Self.names[text.lowercased()] {
            self = named
            return
        }
        var digits = text.drop { $0 == "#" }.compactMap(\.hexDigitValue)
        guard digits.count == text.drop(while: { $0 == "#" }).count else { return nil }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 else { return nil }
        self.init(
            UInt8(digits[0] << 4 | digits[1]), UInt8(digits[2] << 4 | digits[3]), UInt8(digits[4] << 4 | digits[5]))
    }

    /// White.
    public static let white = RGBColor(255, 255, 255)
    /// Black.
    public static let black = RGBColor(0, 0, 0)

    /// `#rrggbb`.
    public var description: String {
        "#"
            + [red, green, blue].map { value in
                let digits = String(value, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    // CSS Color Module Level 4, section 6.1: the sixteen names of HTML 4.
    private static let names: [String: RGBColor] = [
        "white": .white, "black": .black, "red": RGBColor(255, 0, 0), "lime": RGBColor(0, 255, 0),
        "green": RGBColor(0, 128, 0), "blue": RGBColor(0, 0, 255), "yellow": RGBColor(255, 255, 0),
        "aqua": RGBColor(0, 255, 255), "fuchsia": RGBColor(255, 0, 255), "gray": RGBColor(128, 128, 128),
        "silver": RGBColor(192, 192, 192), "maroon": RGBColor(128, 0, 0), "olive": RGBColor(128, 128, 0),
        "navy": RGBColor(0, 0, 128), "teal": RGBColor(0, 128, 128), "purple": RGBColor(128, 0, 128),
    ]
}
