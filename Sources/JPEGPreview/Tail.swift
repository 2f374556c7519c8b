/// The part of a JPEG behind the place where reading stopped: walked over, not decoded.
struct Tail {
    /// Whether segments and scans follow one another without gaps until the end-of-image marker.
    private(set) var isWhole = false
    /// Scans that begin in it.
    private(set) var scans = 0

    /// - Complexity: O(bytes), eight at a time; no more than `scanLimit` scans are passed over.
    init(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, scanLimit: Int) {
        var position = start
        while scans <= scanLimit, let marker = Marker(after: position, in: bytes, end: end), marker.skipped == 0 {
            position = marker.end
            switch marker.code {
            case 0xD9:
                isWhole = true
                return
            case 0x01, 0xD0...0xD7: continue
            default: break
            }
            guard position + 2 <= end else { return }
            let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            guard length >= 2, position + length <= end else { return }
            position += length
            if marker.code == 0xDA {
                scans += 1
                position = DCDecoder.endOfScan(from: position, in: bytes, end: end)
            }
        }
    }
}
