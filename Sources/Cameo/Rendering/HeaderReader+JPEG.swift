extension HeaderReader {
    /// Walks the markers (ITU-T T.81, table B.1) up to the frame header, which stands behind the EXIF data.
    mutating func readJPEG() {
        var offset = 2
        var hasExif = false
        while let found = marker(from: offset) {
            let marker = found.marker
            offset = found.offset
            switch marker {
            case 0xFFFF:
                offset += 1
                continue
            case 0xFFD8, 0xFF01, 0xFFD0...0xFFD7:
                offset += 2
                continue
            case 0xFFC0...0xFFC3, 0xFFC5...0xFFC7, 0xFFC9...0xFFCB, 0xFFCD...0xFFCF:
                if let height = window.uint16(at: offset + 5), let width = window.uint16(at: offset + 7) {
                    header.storedSize = PixelSize(width: width, height: height)
                }
                return
            case 0xFFDA, 0xFFD9: return
            default: break
            }
            guard let length = window.uint16(at: offset + 2), length >= 2 else { return }
            if marker == 0xFFE1, !hasExif {
                let data = window.prefix(at: offset + 4, length - 2)
                if data.span.matches("Exif") {
                    hasExif = true
                    exif = data
                    header.take(ExifReader(data.span))
                }
            }
            offset += 2 + length
        }
    }

    /// The next marker at or behind `start`: decoders skip what stands between segments, so a wrong length costs no more
    /// than the segment.
    private mutating func marker(from start: Int) -> (marker: Int, offset: Int)? {
        for offset in start..<start + 4096 {
            guard let marker = window.uint16(at: offset) else { return nil }
            if marker > 0xFF00 { return (marker, offset) }
        }
        return nil
    }
}
