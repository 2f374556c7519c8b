/// Reads a JPEG's segments and its DC coefficients, and stops as soon as it has those of every component.
///
/// Written from ITU-T T.81; what it does with files that break its rules is what libjpeg does.
package struct DCDecoder {
    /// What was noticed so far.
    package private(set) var findings: Findings = []
    /// One for each component, in the frame's order.
    package private(set) var planes: [DCPlane] = []
    /// How the components make a colour.
    package private(set) var colorModel = ColorModel.grey
    /// The picture's size.
    package var width: Int { frame?.width ?? 0 }
    package var height: Int { frame?.height ?? 0 }
    /// Where reading stopped: behind the last scan that was needed.
    package private(set) var position = 2

    /// One for each scan that was decoded from two places.
    package private(set) var meetings: [Meeting] = []

    /// How many times smaller than the picture what carries its detail is told: 8, and more where luma (or one of the
    /// colours) is subsampled.
    package var reduction: Int {
        guard let frame else { return 8 }
        let chroma: Range<Int> =
            switch colorModel {
            case .yCbCr, .ycck: 1..<3
            case .grey, .rgb, .cmyk: 0..<0
            }
        return frame.components.indices.filter { !chroma.contains($0) }.map { frame.components[$0] }.reduce(8) {
            max($0, 8 * frame.maximumAcross / $1.across, 8 * frame.maximumDown / $1.down)
        }
    }

    /// By how many grey levels what no scan told that was read can change a block, at the most.
    package var largestError: Double {
        planes.map { Double($0.quantizer * (1 << $0.missingBits - 1)) / 16 }.max() ?? 0
    }

    /// Whether the file holds more scans than one, so that a decoder of the whole reads all of it before it begins.
    package var hasSeveralScans: Bool { frame?.isProgressive == true || scans > 1 }

    var frame: Frame?
    /// What decoded the scan that told everything, if one did: a part of the picture can be decoded in more detail
    /// from it.
    private(set) var whole: ScanDecoder?
    /// In the order of the file.
    private(set) var quantizers = [[Int]?](repeating: nil, count: 4)
    private var dcTables = [HuffmanTable?](repeating: nil, count: 4)
    private var acTables = [HuffmanTable?](repeating: nil, count: 4)
    /// Which tables are in `lookup` as they are.
    private var (dcFilled, acFilled) = ([false, false, false, false], [false, false, false, false])
    private var lookup: LookupTables?
    private var restartInterval = 0
    private var application = ApplicationMarkers()
    private var isDone: [Bool] = []
    private var scans = 0
    private let splitSize: Int

    /// Encoders write one scan of DC coefficients, or one a component, and about ten in all.
    static let scanLimit = 100
    /// A block takes a bit at the least. So many times as many blocks as bits are accepted, for the sake of files that
    /// end early.
    static let sparseness = 16

    /// Decodes `bytes`.
    ///
    /// - Parameters:
    ///   - blockLimit: The most 8 × 8 blocks to accept, over all components.
    ///   - splitSize: How many bytes of a scan there have to be for it to be decoded in two places at once. The result is
    ///     the same.
    ///   - isCalledOff: Asked for each row of a scan; ends the work in `.calledOff`.
    /// - Complexity: O(bytes read + blocks); memory for two bytes a block, as much again meanwhile, and the tables.
    package init(
        _ bytes: UnsafeRawBufferPointer, blockLimit: Int = 1 << 26, splitSize: Int = 1 << 17,
        isCalledOff: () -> Bool = { false }
    ) throws(JPEGPreviewError) {
        guard let start = bytes.baseAddress, bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
            throw .notJPEG
        }
        let data = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        self.splitSize = splitSize
        try read(data, start.assumingMemoryBound(to: UInt8.self), blockLimit, isCalledOff)
    }

    /// Whether what follows `position` is whole as far as can be told without decoding it: segments and scans without
    /// gaps until the end-of-image marker, and not more of them than any encoder writes.
    ///
    /// - Parameter bytes: What was decoded.
    /// - Complexity: O(bytes.count - position), as fast as a byte is looked for.
    package func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        let tail = Tail(
            start.assumingMemoryBound(to: UInt8.self), from: position, to: bytes.count,
            scanLimit: Self.scanLimit - scans)
        return tail.isWhole && scans + tail.scans <= Self.scanLimit
    }

    /// Scans that begin between `start` and the first end-of-image marker, counted up to `limit`. What follows that
    /// marker is another file, such as the film of a motion photo.
    ///
    /// - Complexity: O(bytes), as fast as a byte is looked for.
    package static func scanCount(in bytes: UnsafeRawBufferPointer, from start: Int, limit: Int) -> Int {
        guard let address = bytes.baseAddress, start >= 0 else { return 0 }
        let pointer = address.assumingMemoryBound(to: UInt8.self)
        var (count, position) = (0, start)
        while count < limit, let marker = Marker(after: position, in: pointer, end: bytes.count), marker.code != 0xD9 {
            if marker.code == 0xDA { count += 1 }
            position = marker.end
        }
        return count
    }

    private mutating func read(
        _ data: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>, _ blockLimit: Int,
        _ isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) {
        let span = data.span
        while isDone.isEmpty || isDone.contains(false) {
            var walk = Segments(start, from: position, end: data.count)
            let step = walk.next()
            if walk.skipped > 0 { findings.insert(.irregular) }
            position = min(walk.position, data.count)
            let (code, range): (UInt8, Range<Int>)
            switch step {
            case .endOfImage, .cutShort: return try end()
            case .bare(0xD8): throw .corrupt("a second start of image")
            case .bare: continue
            case .malformed:
                findings.insert(.irregular)
                continue
            case .segment(let found, let place): (code, range) = (found, place)
            }
            let payload = span.extracting(range)
            switch code {
            case _ where code.isFrameHeader:
                guard frame == nil else { throw .corrupt("a second frame header") }
                frame = try Frame(marker: code, payload)
            case 0xDE: throw .declined(.hierarchical)
            case 0xC4: try readHuffmanTables(payload)
            case 0xDB: try readQuantizers(payload)
            case 0xDD:
                guard payload.count == 2 else { throw .corrupt("a restart interval of a wrong length") }
                restartInterval = Int(payload[0]) << 8 | Int(payload[1])
            case 0xE0, 0xEE: application.read(code, payload)
            case 0xDA: try readScan(payload, data, start, blockLimit, isCalledOff)
            default: break
            }
        }
        if application.isOdd { findings.insert(.irregular) }
    }

    /// The data end: without a picture, with none of some component, or with part of one.
    private mutating func end() throws(JPEGPreviewError) {
        guard isDone.contains(true) else { throw .corrupt("it ends before there is a picture") }
        findings.insert(.truncated)
    }

    private mutating func readScan(
        _ payload: Span<UInt8>, _ data: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>, _ blockLimit: Int,
        _ isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) {
        guard var frame else { throw .corrupt("a scan before the frame header") }
        if frame.height == 0 {
            guard let height = Self.lineCount(UnsafeRawBufferPointer(data), behind: position) else {
                throw .corrupt("the frame has no height")
            }
            frame.setHeight(height)
            self.frame = frame
        }
        if planes.isEmpty { try allocate(frame, available: data.count - position, blockLimit) }
        let scan = try Scan(payload, of: frame)
        scans += 1
        guard scans <= Self.scanLimit else { throw .declined(.tooManyScans) }
        if !frame.isProgressive, !scan.isPlain { findings.insert(.irregular) }
        if frame.isProgressive, scan.isPassedOver {
            if scan.members.contains(where: { !isDone[$0.component] }) { findings.insert(.irregular) }
            position = Self.endOfScan(from: position, in: start, end: data.count)
            return
        }
        let lookup = self.lookup ?? LookupTables()
        self.lookup = lookup
        var (dc, ac): ([HuffmanTable], [HuffmanTable]) = ([], [])
        let isFirst = !scan.members.contains { isDone[$0.component] }
        for member in scan.members {
            guard let table = dcTables[member.dcTable] else { throw .declined(.missingTables) }
            guard table.codes.allSatisfy({ $0.symbol < 16 }) else { throw .corrupt("a size of more than 15 bits") }
            dc.append(table)
            if !dcFilled[member.dcTable] { lookup.fillDC(member.dcTable, from: table) }
            dcFilled[member.dcTable] = true
            if !frame.isProgressive {
                guard let table = acTables[member.acTable] else { throw .declined(.missingTables) }
                ac.append(table)
                if !acFilled[member.acTable] { lookup.fillAC(member.acTable, from: table) }
                acFilled[member.acTable] = true
            }
            let slot = frame.components[member.component].quantizationTable
            guard slot < 4, let quantizer = quantizers[slot] else {
                throw .corrupt("a quantisation table is missing")
            }
            planes[member.component].quantizer = quantizer[0]
            planes[member.component].missingBits = frame.isProgressive ? scan.shift : 0
            isDone[member.component] = true
        }
        var decoder = ScanDecoder(
            scan, of: frame, planes: planes, lookup: lookup, dcTables: dc, acTables: ac)
        position = try decoder.decode(
            start, from: position, to: data.count, restartInterval: restartInterval,
            splitSize: isFirst ? splitSize : .max, isCalledOff: isCalledOff)
        findings.formUnion(decoder.findings)
        if let meeting = decoder.meeting { meetings.append(meeting) }
        if !frame.isProgressive, scan.members.count == frame.components.count { whole = decoder }
    }

    private mutating func allocate(_ frame: Frame, available: Int, _ blockLimit: Int) throws(JPEGPreviewError) {
        let blocks = frame.blocks
        guard blocks <= blockLimit else { throw .declined(.tooLarge) }
        guard blocks / 8 / Self.sparseness <= available else { throw .declined(.sparse) }
        colorModel = application.colorModel(frame)
        isDone = frame.components.map { _ in false }
        planes = frame.components.map {
            DCPlane(
                columns: $0.columns, rows: $0.rows, stride: frame.unitColumns * $0.across,
                storedRows: frame.unitRows * $0.down)
        }
    }

    /// The number of lines that a DNL segment tells behind the first scan, whose data begin at `position` (ITU-T T.81,
    /// B.2.5); nil without one, or where it tells of none.
    ///
    /// - Complexity: O(bytes of the scan), as fast as a byte is looked for.
    package static func lineCount(_ bytes: UnsafeRawBufferPointer, behind position: Int) -> Int? {
        guard let start = bytes.baseAddress, position >= 0 else { return nil }
        let pointer = start.assumingMemoryBound(to: UInt8.self)
        var walk = Segments(
            pointer, from: endOfScan(from: position, in: pointer, end: bytes.count), end: bytes.count)
        guard case .segment(0xDC, let payload) = walk.next(), payload.count == 2 else { return nil }
        let height = Int(bytes[payload.lowerBound]) << 8 | Int(bytes[payload.lowerBound + 1])
        return height > 0 ? height : nil
    }

    /// Where the first marker stands behind entropy-coded data; `end` without one.
    static func endOfScan(from position: Int, in bytes: UnsafePointer<UInt8>, end: Int) -> Int {
        var position = position
        while let marker = Marker(after: position, in: bytes, end: end) {
            if !(0xD0...0xD7).contains(marker.code) { return marker.start }
            position = marker.end
        }
        return end
    }

    private mutating func readHuffmanTables(_ payload: Span<UInt8>) throws(JPEGPreviewError) {
        var offset = 0
        while offset < payload.count {
            guard offset + 17 <= payload.count else { throw .corrupt("a Huffman table is cut short") }
            let (kind, slot) = (payload[offset] >> 4, Int(payload[offset] & 15))
            guard kind < 2, slot < 4 else { throw .corrupt("a Huffman table beyond the fourth") }
            let counts = (0..<16).map { Int(payload[offset + 1 + $0]) }
            let total = counts.reduce(0, +)
            guard total <= 256, offset + 17 + total <= payload.count else {
                throw .corrupt("a Huffman table is cut short")
            }
            let symbols = (0..<total).map { payload[offset + 17 + $0] }
            guard let table = HuffmanTable(counts: counts, symbols: symbols) else {
                throw .corrupt("a Huffman table that is no code")
            }
            if kind == 0 {
                (dcTables[slot], dcFilled[slot]) = (table, false)
            } else {
                (acTables[slot], acFilled[slot]) = (table, false)
            }
            offset += 17 + total
        }
    }

    private mutating func readQuantizers(_ payload: Span<UInt8>) throws(JPEGPreviewError) {
        var offset = 0
        while offset < payload.count {
            let (isWide, slot) = (payload[offset] >> 4 != 0, Int(payload[offset] & 15))
            let length = isWide ? 128 : 64
            guard slot < 4, offset + 1 + length <= payload.count else {
                throw .corrupt("a quantisation table is cut short")
            }
            quantizers[slot] = (0..<64).map { index in
                let place = offset + 1 + (isWide ? 2 * index : index)
                return isWide ? Int(payload[place]) << 8 | Int(payload[place + 1]) : Int(payload[place])
            }
            offset += 1 + length
        }
    }
}
