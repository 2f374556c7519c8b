import JPEGPreview

/// What decides how costly a JPEG is to decode: whether it is progressive, and in how many scans.
///
/// Marker codes are those of ITU-T T.81, table B.1.
struct JPEGStructure {
    private(set) var isProgressive = false
    /// The size that the frame header declares; nil without one.
    private(set) var size: PixelSize?
    /// Scans found; counted only in a progressive file, and only up to `scanLimit` + 1.
    private(set) var scans = 0
    /// Where the header of the first scan ends; nil where it was not met, or is not whole.
    private(set) var headerEnd: Int?
    /// Where the walk stopped: at the first scan, at what is no marker, or behind the bytes that there are.
    private(set) var position = 2

    /// libvips gives up at as many scans, and no encoder writes a tenth of them.
    static let scanLimit = 100

    init(_ data: Span<UInt8>) {
        var offset = 2
        defer { position = offset }
        while let marker = data.uint16(at: offset), marker >= 0xFF00 {
            switch marker {
            case 0xFFFF:
                offset += 1
                continue
            case 0xFFC0...0xFFC3, 0xFFC5...0xFFC7, 0xFFC9...0xFFCB, 0xFFCD...0xFFCF:
                isProgressive = marker & 3 == 2
                if let height = data.uint16(at: offset + 5), let width = data.uint16(at: offset + 7) {
                    size = PixelSize(width: width, height: height)
                }
            case 0xFFDA:
                if let length = data.uint16(at: offset + 2), offset + 2 + length <= data.count {
                    headerEnd = offset + 2 + length
                }
                if isProgressive { countScans(data, from: offset) }
                return
            case 0xFFD8, 0xFF01, 0xFFD0...0xFFD7:
                offset += 2
                continue
            case 0xFFD9: return
            default: break
            }
            guard let length = data.uint16(at: offset + 2), length >= 2 else { return }
            offset += 2 + length
        }
    }

    private mutating func countScans(_ data: Span<UInt8>, from start: Int) {
        scans = data.withUnsafeBytes { DCDecoder.scanCount(in: $0, from: start, limit: Self.scanLimit + 1) }
    }
}
