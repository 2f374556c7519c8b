/// Which bytes of a progressive JPEG its 1/8 picture is made of, found by its markers: no coefficient is decoded.
package enum DCExtent: Hashable, Sendable {
    /// The first so many bytes. Behind the last scan of DC coefficients they hold the header of the scan that follows, or
    /// the end of the image.
    case first(Int)
    /// More bytes than there are.
    case beyond
    /// None: the file is not progressive, or breaks a rule, or is of a kind that is not read here.
    case none

    /// Looks at `bytes`, which may be the beginning of a longer file.
    ///
    /// - Complexity: O(bytes), eight at a time within entropy-coded data.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self = .none
        guard let address = bytes.baseAddress, bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return }
        let start = address.assumingMemoryBound(to: UInt8.self)
        let span = UnsafeBufferPointer(start: start, count: bytes.count).span
        var frame: Frame?
        var isDone: [Bool] = []
        var (position, scans) = (2, 0)
        while scans <= DCDecoder.scanLimit {
            guard let marker = Marker(after: position, in: start, end: span.count) else {
                self = .beyond
                return
            }
            if marker.skipped > 0 { return }
            position = marker.end
            switch marker.code {
            case 0xD9:
                if !isDone.isEmpty, !isDone.contains(false) { self = .first(position) }
                return
            case 0x01, 0xD0...0xD7: continue
            case 0xD8: return
            default: break
            }
            guard position + 2 <= span.count else {
                self = .beyond
                return
            }
            let end = position + (Int(span[position]) << 8 | Int(span[position + 1]))
            guard end >= position + 2 else { return }
            guard end <= span.count else {
                self = .beyond
                return
            }
            let payload = span.extracting(position + 2..<end)
            position = end
            switch marker.code {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                // Without a height, the end of the first scan has to tell it.
                guard frame == nil, let found = try? Frame(marker: marker.code, payload), found.isProgressive,
                    found.height > 0
                else { return }
                frame = found
                isDone = found.components.map { _ in false }
            case 0xDA:
                guard let frame, let scan = try? Scan(payload, of: frame) else { return }
                guard isDone.contains(false) else {
                    self = .first(position)
                    return
                }
                if !scan.isPassedOver { for member in scan.members { isDone[member.component] = true } }
                scans += 1
                position = DCDecoder.endOfScan(from: position, in: start, end: span.count)
            default: break
            }
        }
    }
}
