/// The part of a JPEG behind the place where reading stopped: walked over, not decoded.
struct Tail {
    /// Whether segments and scans follow one another without gaps until the end-of-image marker.
    private(set) var isWhole = false
    /// Scans that begin in it.
    private(set) var scans = 0

    /// - Complexity: O(bytes), as fast as a byte is looked for; no more than `scanLimit` scans are passed over.
    init(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, scanLimit: Int) {
        var walk = Segments(bytes, from: start, end: end)
        while scans <= scanLimit {
            let step = walk.next()
            if walk.skipped > 0 { return }
            switch step {
            case .endOfImage:
                isWhole = true
                return
            case .segment(0xDA, _):
                scans += 1
                walk.passScan()
            case .segment: continue
            case .bare(let code) where code != 0xD8: continue
            case .bare, .malformed, .cutShort: return
            }
        }
    }
}
