/// What the blocks of a GIF tell (GIF89a, sections 18 to 24).
enum GIFStructure {
    /// Where the first picture lies on the screen; nil where there is none.
    static func firstFrame(_ data: Span<UInt8>) -> PixelRect? {
        guard data.count >= 13 else { return nil }
        var offset = 13 + (data[10] & 0x80 == 0 ? 0 : 6 << Int(data[10] & 7))
        while offset < data.count {
            switch data[offset] {
            case 0x2C:
                guard let x = data.uint16(at: offset + 1, bigEndian: false),
                    let y = data.uint16(at: offset + 3, bigEndian: false),
                    let width = data.uint16(at: offset + 5, bigEndian: false),
                    let height = data.uint16(at: offset + 7, bigEndian: false)
                else { return nil }
                return PixelRect(x: x, y: y, width: width, height: height)
            case 0x21:
                offset += 2
                while offset < data.count, data[offset] > 0 { offset += 1 + Int(data[offset]) }
                offset += 1
            default: return nil
            }
        }
        return nil
    }
}
