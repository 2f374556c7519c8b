/// How large an SVG says that it is.
enum SVGUnits {
    /// What libvips's size of the picture is to be multiplied by: 96 ÷ 72 where the width is given in a physical unit.
    ///
    /// CSS Values and Units, section 6.2, makes an inch of 96 pixels; libvips's loader makes it of 72 and leaves
    /// pixels alone.
    static func scale(_ data: Span<UInt8>) -> Double {
        let text = String(decoding: (0..<min(data.count, 65_536)).map { data[$0] }, as: UTF8.self)
        guard let root = text.firstRange(of: "<svg"), let end = text[root.upperBound...].firstIndex(of: ">") else {
            return 1
        }
        let tag = text[root.upperBound..<end]
        guard
            let attribute = tag.firstRange(of: " width=") ?? tag.firstRange(of: "\nwidth=")
                ?? tag.firstRange(of: "\twidth=")
        else { return 1 }
        let value = tag[attribute.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
        let unit = value.drop { $0.isNumber || ".+-eE ".contains($0) }.trimmingPrefix(" ")
        return ["mm", "cm", "in", "pt", "pc", "Q"].contains(String(unit)) ? 96 / 72 : 1
    }
}
