import JPEGPreview

/// What decides how costly a JPEG is to decode: whether it is progressive, and in how many scans.
///
/// Marker codes are those of ITU-T T.81, table B.1.
struct JPEGStructure {
    private(set) var isProgressive = false
    /// The size that the frame header declares; nil without one. Its height may stand behind the first scan.
    private(set) var size: PixelSize?
    /// Where the frame header leaves the height open and a DNL segment tells it: the place to overwrite, and with what.
    private(set) var correction: (offset: Int, bytes: [UInt8])?
    /// Scans found; counted only in a progressive file, and only up to `scanLimit` + 1.
    private(set) var scans = 0
    /// Where the header of the first scan ends; nil where it was not met, or is not whole.
    private(set) var headerEnd: Int?
    /// Where the walk stopped: at the first scan, or behind the bytes that there are.
    private(set) var position = 2

    /// libvips gives up at as many scans, and no encoder writes a tenth of them.
    static let scanLimit = 100

    /// Walks over `data` as decoders do, which pass over what stands between segments.
    init(_ data: Span<UInt8>) { data.withUnsafeBytes { read($0) } }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        guard var walk = Segments(bytes) else { return }
        var frame = 0..<0
        while true {
            let step = walk.next()
            position = walk.position
            switch step {
            case .segment(0xDA, let payload):
                (headerEnd, position) = (payload.upperBound, walk.start)
                if size?.height == 0, let height = DCDecoder.lineCount(bytes, behind: payload.upperBound) {
                    size?.height = height
                    correction = (frame.lowerBound + 1, [UInt8(height >> 8), UInt8(height & 255)])
                }
                if isProgressive {
                    scans = DCDecoder.scanCount(in: bytes, from: walk.start, limit: Self.scanLimit + 1)
                }
                return
            case .segment(let code, let payload) where code.isFrameHeader && size == nil:
                (isProgressive, frame) = (code & 3 == 2, payload)
                if payload.count >= 5 {
                    func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
                    size = PixelSize(width: number(payload.lowerBound + 3), height: number(payload.lowerBound + 1))
                }
            case .segment, .bare: continue
            case .endOfImage, .malformed, .cutShort: return
            }
        }
    }
}
