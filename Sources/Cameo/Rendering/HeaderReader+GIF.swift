extension HeaderReader {
    /// Walks the blocks (GIF89a, section 17) until a second picture begins.
    mutating func readGIF() {
        let head = window.prefix(at: 0, 13)
        guard let width = head.span.uint16(at: 6, bigEndian: false),
            let height = head.span.uint16(at: 8, bigEndian: false),
            head.count == 13
        else { return }
        header.storedSize = PixelSize(width: width, height: height)
        var offset = 13 + Self.tableLength(head[10])
        var pictures = 0
        while let kind = window.byte(at: offset) {
            switch kind {
            case 0x2C:
                pictures += 1
                header.isAnimated = pictures > 1
                guard pictures < 2, let flags = window.byte(at: offset + 9) else { return }
                offset = skipSubBlocks(from: offset + 11 + Self.tableLength(flags))
            case 0x21: offset = skipSubBlocks(from: offset + 2)
            default: return
            }
        }
    }

    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7) }

    private mutating func skipSubBlocks(from start: Int) -> Int {
        var offset = start
        while let length = window.byte(at: offset) {
            offset += 1 + Int(length)
            if length == 0 { break }
        }
        return offset
    }
}
