extension HeaderReader {
    /// Walks the chunks (PNG, third edition) up to the pixels; `acTL` stands before them or does not count.
    ///
    /// - Returns: Where the pixels stand; where there are not so many bytes, what would have to be read to find them.
    @discardableResult
    mutating func readPNG() -> Int {
        var offset = 8
        while let length = window.uint32(at: offset), let kind = window.bytes(at: offset + 4, 4) {
            switch String(decoding: kind, as: UTF8.self) {
            case "IHDR":
                if let width = window.uint32(at: offset + 8), let height = window.uint32(at: offset + 12) {
                    header.storedSize = PixelSize(width: width, height: height)
                }
            case "acTL": header.isAnimated = window.uint32(at: offset + 8).map { $0 > 1 } ?? false
            case "eXIf": header.take(ExifReader(window.prefix(at: offset + 8, min(length, 65_536)).span))
            case "IDAT", "IEND": return offset
            default: break
            }
            offset += 12 + length
        }
        return offset
    }
}
