/// What an embedded colour profile says of itself: its header and name, read without a colour engine.
///
/// Offsets are those of ICC.1:2022, section 7.
struct ICCProfile {
    enum ColorSpace {
        case rgb, grey, cmyk, lab, other
    }

    let colorSpace: ColorSpace
    /// Whether the profile has a table for the perceptual intent and none for the relative colorimetric one.
    let isPerceptualOnly: Bool
    /// The profile's own name, where it has one that can be read.
    let name: String?

    /// Reads `data`; nil where they are no whole profile.
    init?(_ data: Span<UInt8>) {
        guard data.count >= 132, data.matches("acsp", at: 36), let size = data.uint32(at: 0),
            size >= 132, size <= data.count, let tags = data.uint32(at: 128), tags > 0, tags <= (size - 132) / 12
        else { return nil }
        if data.matches("RGB ", at: 16) {
            colorSpace = .rgb
        } else if data.matches("GRAY", at: 16) {
            colorSpace = .grey
        } else if data.matches("CMYK", at: 16) {
            colorSpace = .cmyk
        } else if data.matches("Lab ", at: 16) {
            colorSpace = .lab
        } else {
            colorSpace = .other
        }
        var name: String?
        var signatures: Set<String> = []
        for tag in 0..<tags {
            let entry = 132 + tag * 12
            guard let offset = data.uint32(at: entry + 4), let length = data.uint32(at: entry + 8),
                offset <= size, length <= size - offset
            else { return nil }
            signatures.insert(String(decoding: (0..<4).map { data[entry + $0] }, as: UTF8.self))
            if data.matches("desc", at: entry) { name = Self.text(data, at: offset, length: length) }
        }
        self.name = name
        isPerceptualOnly = signatures.contains("A2B0") && signatures.isDisjoint(with: ["A2B1", "rXYZ"])
    }

    /// A `textDescriptionType` (version 2) or a `multiLocalizedUnicodeType` (version 4).
    private static func text(_ data: Span<UInt8>, at offset: Int, length: Int) -> String? {
        if data.matches("desc", at: offset), let count = data.uint32(at: offset + 8), count > 1, count <= length - 12 {
            let bytes = (0..<count - 1).map { data[offset + 12 + $0] }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard data.matches("mluc", at: offset), let count = data.uint32(at: offset + 20),
            let start = data.uint32(at: offset + 24), count >= 2, count <= 512, start <= length - count
        else { return nil }
        let units = (0..<count / 2).compactMap { data.uint16(at: offset + start + $0 * 2).map(UInt16.init) }
        return String(decoding: units, as: UTF16.self)
    }
}
