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
    /// - Complexity: O(bytes); entropy-coded data as fast as a byte is looked for.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self = .none
        guard var walk = Segments(bytes) else { return }
        let span = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[...]).span
        var frame: Frame?
        var isDone: [Bool] = []
        var scans = 0
        while scans <= DCDecoder.scanLimit {
            let step = walk.next()
            if case .cutShort = step {
                self = .beyond
                return
            }
            if walk.skipped > 0 { return }
            switch step {
            case .endOfImage:
                if !isDone.isEmpty, !isDone.contains(false) { self = .first(walk.position) }
                return
            case .bare(let code) where code != 0xD8: continue
            case .bare, .malformed, .cutShort: return
            case .segment(let code, let payload) where code.isFrameHeader:
                // Without a height, the end of the first scan has to tell it.
                guard frame == nil, let found = try? Frame(marker: code, span.extracting(payload)),
                    found.isProgressive, found.height > 0
                else { return }
                frame = found
                isDone = found.components.map { _ in false }
            case .segment(0xDA, let payload):
                guard let frame, let scan = try? Scan(span.extracting(payload), of: frame) else { return }
                guard isDone.contains(false) else {
                    self = .first(walk.position)
                    return
                }
                if !scan.isPassedOver { for member in scan.members { isDone[member.component] = true } }
                scans += 1
                walk.passScan()
            case .segment: continue
            }
        }
    }
}
