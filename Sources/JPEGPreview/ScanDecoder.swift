/// Reads the DC coefficients of one scan.
///
/// What the data do not tell stays 0, and everything about broken data is as libjpeg has it: a unit that the data end
/// in is completed with zero bits, the following ones are left alone until a restart.
struct ScanDecoder {
    /// One block of a unit: its tables, and where its coefficient goes.
    struct Block {
        let ac: UnsafePointer<UInt16>
        let dc: UnsafePointer<UInt32>
        let member: Int
        /// From one unit to the next.
        let step: Int
        /// The place in the plane of this block of the first unit, and from one row of units to the next.
        let first: UnsafeMutablePointer<Int16>
        let rowStep: Int
        var out: UnsafeMutablePointer<Int16>
    }

    /// Where a unit begins.
    struct Bookmark {
        let unit: Int
        let place: BitReader.Place
        let predictions: [Int]
    }

    let scan: Scan
    private let isSequential: Bool
    private let dcTables: [HuffmanTable]
    let acTables: [HuffmanTable]
    let unitColumns: Int
    let unitRows: Int
    /// Units between two restarts; all of them where there are none.
    private(set) var interval = 1
    /// What the pointers in `blocks` point into.
    private let owners: (planes: [DCPlane], lookup: LookupTables)
    private(set) var blocks: [Block] = []
    /// Of a sequential file, in their order: the first unit's, and others that are less than two rows of units apart.
    var bookmarks: [Bookmark] = []
    var findings: Findings = []
    /// Where the second stream was found to be right, if there was one.
    var meeting: Meeting?

    /// - Parameters:
    ///   - dcTables: One for each member of the scan, already in `lookup` at the slot that the member names.
    ///   - acTables: The same; not looked at in a progressive file.
    init(
        _ scan: Scan, of frame: Frame, planes: [DCPlane], lookup: LookupTables, dcTables: [HuffmanTable],
        acTables: [HuffmanTable]
    ) {
        self.scan = scan
        isSequential = !frame.isProgressive
        (self.dcTables, self.acTables) = (dcTables, acTables)
        owners = (planes, lookup)
        let isInterleaved = scan.members.count > 1
        let alone = frame.components[scan.members[0].component]
        unitColumns = isInterleaved ? frame.unitColumns : alone.columns
        unitRows = isInterleaved ? frame.unitRows : alone.rows
        for (index, member) in scan.members.enumerated() {
            let (component, plane) = (frame.components[member.component], planes[member.component])
            let (across, down) = isInterleaved ? (component.across, component.down) : (1, 1)
            // Every place that the loop below can reach.
            precondition(plane.stride >= unitColumns * across && plane.count >= plane.stride * unitRows * down)
            for row in 0..<down {
                for column in 0..<across {
                    let first = plane.values + row * plane.stride + column
                    blocks.append(
                        Block(
                            ac: lookup.ac(member.acTable), dc: lookup.dc(member.dcTable), member: index, step: across,
                            first: first, rowStep: plane.stride * down, out: first))
                }
            }
        }
    }

    /// Decodes from `start` on.
    ///
    /// - Parameters:
    ///   - bytes: Readable from 0 to `end`.
    ///   - splitSize: How many bytes there have to be for a second stream to begin in their middle.
    ///   - isCalledOff: Asked now and then.
    /// - Returns: Where the data were left: at or before the next marker.
    mutating func decode(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, restartInterval: Int, splitSize: Int,
        isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) -> Int {
        let units = unitColumns * unitRows
        interval = restartInterval > 0 ? restartInterval : units
        var markers = RestartMarkers(bytes, end: end)
        var stream = Stream(BitReader(bytes, from: start, to: end), members: scan.members.count)
        var unit = 0
        // Whether zeros were taken for want of data: then nothing is decoded until the data go on.
        var isStarved = false
        if isSequential, restartInterval == 0 {
            unit = try decodeFromTwoPlaces(&stream, bytes, to: end, splitSize: splitSize, isCalledOff: isCalledOff)
        }
        while true {
            let stop = min(units, (unit / interval + 1) * interval)
            if !isStarved {
                try decodeUnits(unit..<stop, &stream, isCalledOff)
                isStarved = stream.reader.isExhausted
            }
            unit = stop
            if unit >= units || (markers.isOver && isStarved) { break }
            if stream.reader.unusedBytes > 0 { findings.insert(.irregular) }
            stream = Stream(
                BitReader(bytes, from: markers.next(after: stream.reader.position), to: end),
                members: scan.members.count)
            if !markers.isWaiting, !markers.isOver { isStarved = false }
        }
        findings.formUnion(markers.findings)
        if stream.reader.unusedBytes > 0 { findings.insert(.irregular) }
        return markers.isOver || markers.isWaiting ? markers.position : stream.reader.position
    }

    /// Decodes units of one restart interval, row by row, until the data end.
    private mutating func decodeUnits(
        _ units: Range<Int>, _ stream: inout Stream, _ isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) {
        var unit = units.lowerBound
        while unit < units.upperBound {
            if isCalledOff() { throw .calledOff }
            let count = min(units.upperBound - unit, unitColumns - unit % unitColumns)
            if unit % unitColumns == 0 { note(unit, stream) }
            decodeRun(count, from: unit, &stream)
            settle(&stream)
            if stream.reader.isExhausted {
                findings.insert(.truncated)
                return
            }
            unit += count
        }
    }

    /// Notes where a unit begins.
    mutating func note(_ unit: Int, _ stream: Stream) {
        if isSequential {
            bookmarks.append(Bookmark(unit: unit, place: stream.reader.place, predictions: stream.predictions))
        }
    }

    /// Lets the blocks' coefficients go where those of `unit` and what follows it in its row belong.
    mutating func aim(at unit: Int) {
        let (row, column) = unit.quotientAndRemainder(dividingBy: unitColumns)
        for index in blocks.indices {
            let block = blocks[index]
            blocks[index].out = block.first + row * block.rowStep + column * block.step
        }
    }

    /// Decodes `count` units of one row from `unit` on; what was found is in `stream` then.
    mutating func decodeRun(_ count: Int, from unit: Int, _ stream: inout Stream) {
        aim(at: unit)
        if isSequential {
            decodeRun(count, &stream, shift: 0, passesOver: true)
        } else {
            decodeRun(count, &stream, shift: scan.shift, passesOver: false)
        }
    }

    /// Takes over what was found in the stream that counts.
    mutating func settle(_ stream: inout Stream) {
        if stream.isDamaged { findings.insert(.damaged) }
        stream.isDamaged = false
    }

    /// Decodes `count` units: DC kept, moved up by `shift` bits, and AC passed over where there is any, which there is not
    /// in the first DC scan of a progressive file. Inlined, so that each of the two is a loop of its own.
    @inline(__always)
    private func decodeRun(_ count: Int, _ stream: inout Stream, shift: Int, passesOver: Bool) {
        // Locals, so that the loop runs in registers.
        var (reader, isDamaged) = (stream.reader, stream.isDamaged)
        blocks.withUnsafeBufferPointer { blocks in
            stream.predictions.withUnsafeMutableBufferPointer { predictions in
                for unit in 0..<count {
                    for block in blocks {
                        reader.refill()
                        let difference = readDifference(block.dc, block.member, &reader, &isDamaged)
                        let value = predictions[block.member] &+ difference
                        predictions[block.member] = value
                        block.out[unit &* block.step] = Int16(truncatingIfNeeded: value << shift)
                        if passesOver { passOver(block.ac, block.member, &reader, &isDamaged) }
                    }
                    if reader.isExhausted { return }
                }
            }
        }
        (stream.reader, stream.isDamaged) = (reader, isDamaged)
    }

    /// The difference of a DC coefficient to the one before, of which `reader` holds at least 44 bits more than it takes.
    ///
    /// - Parameter reader: Just refilled.
    @inline(__always)
    func readDifference(
        _ table: UnsafePointer<UInt32>, _ member: Int, _ reader: inout BitReader, _ isDamaged: inout Bool
    ) -> Int {
        let entry = table[reader.peek(LookupTables.dcBits)]
        if entry != 0 {
            reader.drop(Int(entry & 63))
            return Int(Int32(bitPattern: entry) >> 16)
        }
        let (difference, length) = longDifference(member, reader.peek(32))
        if length > 31 { isDamaged = true }
        reader.drop(length & 31)
        reader.refill()
        return difference
    }

    /// The difference that the 32 bits of `window` begin with, and how many bits it takes; 32 more where it is no code.
    @inline(never)
    private func longDifference(_ member: Int, _ window: Int) -> (difference: Int, length: Int) {
        let (symbol, length) = dcTables[member].first(in: window >> 16)
        guard length <= 16 else { return (0, length + 32) }
        let size = Int(symbol & 15)
        let magnitude = window >> (32 - length - size) & (1 << size - 1)
        return (LookupTables.extend(magnitude, size), length + size)
    }

    /// Passes over the AC coefficients of a block.
    ///
    /// - Parameters:
    ///   - reader: Holds enough for two steps, as `readDifference` leaves it.
    ///   - first: The first coefficient to go over.
    @inline(__always)
    func passOver(
        _ table: UnsafePointer<UInt16>, _ member: Int, _ reader: inout BitReader, _ isDamaged: inout Bool,
        from first: Int = 1
    ) {
        // The next coefficient; 128 more once the block's end was met.
        var next = first
        // What the last step began with, to take it back.
        var (bits, entry) = (reader.bits, 0)
        step(table, &reader, &next, &entry)
        if next < 64 {
            bits = reader.bits
            step(table, &reader, &next, &entry)
        }
        while true {
            if next < 64 {
                reader.refill()
                bits = reader.bits
                step(table, &reader, &next, &entry)
                if next < 64 {
                    bits = reader.bits
                    step(table, &reader, &next, &entry)
                    if next < 64 {
                        bits = reader.bits
                        step(table, &reader, &next, &entry)
                        if next < 64 { continue }
                    }
                }
            }
            if Self.isEnd(next) { return }
            // The entry goes beyond the block, or there is none: one symbol, with care.
            reader.bits = bits
            reader.count &+= entry & 63
            next &-= entry &>> 8
            reader.refill()
            let (advance, length) = symbolLength(member, reader.peek(16))
            if length > 31 { isDamaged = true }
            reader.drop(length & 31)
            if advance == 64 { return }
            next &+= advance
            if next > 64 { isDamaged = true }
            if next >= 64 { return }
        }
    }

    /// Whether a block ends there: by a code for its end, met after fewer than 64 coefficients, or by the 64th itself.
    @inline(__always)
    static func isEnd(_ next: Int) -> Bool { UInt(bitPattern: next &- 129) < 63 || next == 64 }

    @inline(__always)
    private func step(
        _ table: UnsafePointer<UInt16>, _ reader: inout BitReader, _ next: inout Int, _ entry: inout Int
    ) {
        // `peek` cannot give a number beyond the table's end.
        entry = Int(table[reader.peek(LookupTables.acBits)])
        reader.drop(entry & 63)
        next &+= entry &>> 8
    }

    /// Over how many coefficients the symbol goes that `window` begins with (64: to the block's end), and how many bits
    /// it takes with its magnitude; 32 more where it is no code.
    @inline(never)
    private func symbolLength(_ member: Int, _ window: Int) -> (advance: Int, length: Int) {
        let (symbol, length) = acTables[member].first(in: window)
        guard length <= 16 else { return (64, length + 32) }
        let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
        return size == 0 && run != 15 ? (64, length) : (run + 1, length + size)
    }
}
