/// A PNG written chunk by chunk (PNG, third edition), so that no encoder decides what is in it.
struct MadePNG {
    enum Color: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6
    }

    /// A picture of an animation: where it lies, and its rows.
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var rows: [[UInt8]]
    }

    var width: Int
    var height: Int
    var color = Color.rgb
    var depth: UInt8 = 8
    /// Colours of three bytes.
    var palette: [[UInt8]] = []
    /// The opacity of the first colours of the palette.
    var transparency: [UInt8] = []
    /// Each row's samples, packed as the depth says.
    var rows: [[UInt8]]
    /// What comes after the picture in an animation that begins with it; none where it is no animation.
    var more: [Frame] = []

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        bytes += Self.chunk("IHDR", MadeUp.big(width, 4) + MadeUp.big(height, 4) + [depth, color.rawValue, 0, 0, 0])
        if !palette.isEmpty { bytes += Self.chunk("PLTE", palette.flatMap { $0 }) }
        if !transparency.isEmpty { bytes += Self.chunk("tRNS", transparency) }
        if !more.isEmpty {
            bytes += Self.chunk("acTL", MadeUp.big(1 + more.count, 4) + MadeUp.big(0, 4))
            bytes += Self.control(0, Frame(width: width, height: height, rows: rows))
        }
        bytes += Self.chunk("IDAT", Self.stored(rows))
        for (index, frame) in more.enumerated() {
            bytes += Self.control(2 * index + 1, frame)
            bytes += Self.chunk("fdAT", MadeUp.big(2 * index + 2, 4) + Self.stored(frame.rows))
        }
        return bytes + Self.chunk("IEND", [])
    }

    /// Shown for a tenth of a second, then cleared.
    private static func control(_ number: Int, _ frame: Frame) -> [UInt8] {
        let place = [number, frame.width, frame.height, frame.x, frame.y].flatMap { MadeUp.big($0, 4) }
        return chunk("fcTL", place + [0, 1, 0, 10, 1, 0])
    }

    private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + data
        return MadeUp.big(data.count, 4) + content + MadeUp.big(Int(check(content)), 4)
    }

    /// Rows without a filter in a zlib stream (RFC 1950) that compresses nothing.
    private static func stored(_ rows: [[UInt8]]) -> [UInt8] {
        let data = rows.flatMap { (row: [UInt8]) -> [UInt8] in [0] + row }
        var bytes: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 65_535) {
            let end = min(data.count, start + 65_535)
            let length = end - start
            bytes += [end == data.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
            bytes += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
            bytes += data[start..<end]
        }
        var (low, high) = (1, 0)
        for byte in data {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return bytes + MadeUp.big(high << 16 | low, 4)
    }

    /// The cyclic redundancy check of annex D.
    private static func check(_ bytes: [UInt8]) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        return ~rest
    }
}
