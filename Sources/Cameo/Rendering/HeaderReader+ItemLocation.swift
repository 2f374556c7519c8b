extension HeaderReader {
    /// Where in the file the first extent of `item` lies (ISO/IEC 14496-12, 8.11.3).
    mutating func location(of item: Int, in range: Range<Int>, itemData: Range<Int>?) -> (offset: Int, length: Int)? {
        guard let version = window.byte(at: range.lowerBound), version <= 2,
            let widths = window.uint16(at: range.lowerBound + 4)
        else { return nil }
        let (offsetWidth, lengthWidth) = (widths >> 12 & 15, widths >> 8 & 15)
        let (baseWidth, indexWidth) = (widths >> 4 & 15, version == 0 ? 0 : widths & 15)
        let isWide = version == 2
        var offset = range.lowerBound + 6
        guard let count = isWide ? window.uint32(at: offset) : window.uint16(at: offset) else { return nil }
        offset += isWide ? 4 : 2
        for _ in 0..<count {
            guard offset < range.upperBound, let number = isWide ? window.uint32(at: offset) : window.uint16(at: offset)
            else {
                return nil
            }
            offset += isWide ? 4 : 2
            var method = 0
            if version > 0 {
                method = (window.uint16(at: offset) ?? 0) & 15
                offset += 2
            }
            offset += 2
            guard let base = integer(at: offset, width: baseWidth), let extents = window.uint16(at: offset + baseWidth)
            else {
                return nil
            }
            offset += baseWidth + 2
            if number == item {
                guard extents > 0, let start = integer(at: offset + indexWidth, width: offsetWidth),
                    let length = integer(at: offset + indexWidth + offsetWidth, width: lengthWidth)
                else { return nil }
                if method == 1 {
                    guard let itemData else { return nil }
                    return (itemData.lowerBound + base + start, length)
                }
                return method == 0 ? (base + start, length) : nil
            }
            offset += extents * (indexWidth + offsetWidth + lengthWidth)
        }
        return nil
    }

    private mutating func integer(at offset: Int, width: Int) -> Int? {
        switch width {
        case 0: 0
        case 4: window.uint32(at: offset)
        case 8:
            if let high = window.uint32(at: offset), high < 1 << 20, let low = window.uint32(at: offset + 4) {
                high << 32 | low
            } else {
                nil
            }
        default: nil
        }
    }
}
