extension HeaderReader {
    /// Walks the RIFF chunks; layouts are those of RFC 9649 (WebP), 6386 (VP8) and the lossless bitstream.
    mutating func readWebP() {
        var offset = 12
        var chunks = 0
        while let kind = window.bytes(at: offset, 4), let size = window.bytes(at: offset + 4, 4), chunks < 200 {
            chunks += 1
            let length = size.span.uint32(at: 0, bigEndian: false) ?? 0
            let data = window.prefix(at: offset + 8, min(length, 16))
            switch String(decoding: kind, as: UTF8.self) {
            case "VP8X":
                guard data.count >= 10 else { return }
                header.isAnimated = data[0] & 0x02 != 0
                header.storedSize = PixelSize(width: 1 + Self.uint24(data, 4), height: 1 + Self.uint24(data, 7))
                if data[0] & 0x08 == 0 { return }
            case "VP8 " where header.storedSize == nil:
                guard let width = data.span.uint16(at: 6, bigEndian: false),
                    let height = data.span.uint16(at: 8, bigEndian: false)
                else { return }
                header.storedSize = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
                return
            case "VP8L" where header.storedSize == nil:
                guard let bits = data.span.uint32(at: 1, bigEndian: false) else { return }
                header.storedSize = PixelSize(width: 1 + (bits & 0x3FFF), height: 1 + (bits >> 14 & 0x3FFF))
                return
            case "EXIF":
                header.take(ExifReader(window.prefix(at: offset + 8, min(length, 65_536)).span))
                return
            default: break
            }
            offset += 8 + length + (length & 1)
        }
    }

    private static func uint24(_ data: [UInt8], _ offset: Int) -> Int {
        Int(data[offset]) | Int(data[offset + 1]) << 8 | Int(data[offset + 2]) << 16
    }
}
