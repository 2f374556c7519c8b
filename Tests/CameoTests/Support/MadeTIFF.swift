/// A TIFF 6.0 file of one strip without compression, written tag by tag.
struct MadeTIFF {
    /// What samples mean, as the tag says it.
    enum Meaning: Int {
        case whiteIsZero = 0
        case blackIsZero = 1
        case rgb = 2
        case palette = 3
        case lab = 8
    }

    var width: Int
    var height: Int
    var meaning = Meaning.rgb
    var depth = 8
    var channels = 3
    /// 16-bit colours, all red ones first, then all green ones, then all blue ones.
    var palette: [Int] = []
    /// Each row's samples, packed as the depth says; wide ones with the low byte first.
    var rows: [[UInt8]]

    func encoded() -> [UInt8] {
        let data = rows.flatMap { $0 }
        // Tag, type (3 of two bytes, 4 of four), values.
        var fields: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [width]), (257, 4, [height]), (258, 3, [Int](repeating: depth, count: channels)), (259, 3, [1]),
            (262, 3, [meaning.rawValue]), (273, 4, [0]), (277, 3, [channels]), (278, 4, [height]),
            (279, 4, [data.count]), (284, 3, [1]),
        ]
        if !palette.isEmpty { fields.append((320, 3, palette)) }
        let directory = 2 + fields.count * 12 + 4
        let sizes = fields.map { $0.values.count * ($0.type == 3 ? 2 : 4) }
        let apart = sizes.filter { $0 > 4 }.reduce(0, +)
        fields[5].values = [8 + directory + apart]
        var bytes = Array("II*\0".utf8) + Self.little(8, 4) + Self.little(fields.count, 2)
        var values: [UInt8] = []
        for (field, size) in zip(fields, sizes) {
            let coded = field.values.flatMap { Self.little($0, field.type == 3 ? 2 : 4) }
            bytes += Self.little(field.tag, 2) + Self.little(field.type, 2) + Self.little(field.values.count, 4)
            if size > 4 {
                bytes += Self.little(8 + directory + values.count, 4)
                values += coded
            } else {
                bytes += coded + [UInt8](repeating: 0, count: 4 - size)
            }
        }
        return bytes + [0, 0, 0, 0] + values + data
    }

    static func little(_ value: Int, _ width: Int) -> [UInt8] { MadeUp.big(value, width).reversed() }
}
