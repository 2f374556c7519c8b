import Glibc

/// Decodes a part of a sequential scan to the averages of the four quarters of each block.
///
/// The mean of a cosine over half of a block is not zero for odd frequencies alone, and has the other sign in the other
/// half (ITU-T T.81, A.3.3). So a block's averages are sums of four numbers with different signs: of its DC
/// coefficient, and of those that are odd across, down, and both.
struct QuadDecoder {
    /// One block of a unit.
    private struct Block {
        let source: ScanDecoder.Block
        let symbols: UnsafePointer<UInt32>
        let weights: UnsafePointer<Weight>
        let quantizer: Int32
        let stride: Int
        /// Where its first average goes in the first unit; from one unit to the next; and from one row of units.
        let first: UnsafeMutablePointer<Int16>
        let step: Int
        let rowStep: Int
    }

    /// What a coefficient is multiplied by, and the sum that it belongs to; 3 for none of the three.
    private struct Weight {
        var factor: Int32 = 0
        var sum: Int32 = 3
    }

    /// So many bits are looked up.
    private static let symbolBits = 12
    /// Weights from one member's to the next: behind the 64 there are some of nothing, as far as a symbol can reach.
    private static let weightCount = 128
    /// Weights are in as many bits behind the point.
    private static let fraction: Int32 = 10

    private let scan: ScanDecoder
    private let planes: [DCPlane]
    private let quantizers: [[Int]]
    private let rows: Range<Int>
    private let columns: Range<Int>

    /// - Parameters:
    ///   - scan: What decoded the whole scan.
    ///   - planes: One a member of the scan, for the averages of the units in `rows` and `columns`.
    ///   - quantizers: 64 values a member, in the order of the file.
    init(_ scan: ScanDecoder, planes: [DCPlane], quantizers: [[Int]], rows: Range<Int>, columns: Range<Int>) {
        (self.scan, self.planes, self.quantizers) = (scan, planes, quantizers)
        (self.rows, self.columns) = (rows, columns)
    }

    /// Fills the planes; false where the data are not what they were.
    func decode(_ bytes: UnsafePointer<UInt8>, to end: Int) -> Bool {
        let symbols = scan.acTables.flatMap(Self.symbols)
        let weights = quantizers.flatMap(Self.weights)
        return symbols.withUnsafeBufferPointer { symbols in
            weights.withUnsafeBufferPointer { weights in
                guard let symbols = symbols.baseAddress, let weights = weights.baseAddress else { return false }
                return decode(bytes, to: end, blocks(symbols, weights))
            }
        }
    }

    private func blocks(_ symbols: UnsafePointer<UInt32>, _ weights: UnsafePointer<Weight>) -> [Block] {
        var places = planes.map { _ in 0 }
        return scan.blocks.map { source in
            let (member, plane) = (source.member, planes[source.member])
            // The blocks of a unit come row by row.
            let (row, column) = places[member].quotientAndRemainder(dividingBy: source.step)
            places[member] += 1
            let down = plane.count / plane.stride / rows.count
            // Every place that is written to below.
            precondition(plane.stride == 2 * source.step * columns.count && row < down / 2)
            return Block(
                source: source, symbols: symbols + member << Self.symbolBits,
                weights: weights + Self.weightCount * member,
                quantizer: Int32(truncatingIfNeeded: quantizers[member][0]), stride: plane.stride,
                first: plane.values + 2 * row * plane.stride + 2 * column, step: 2 * source.step,
                rowStep: down * plane.stride)
        }
    }

    private func decode(_ bytes: UnsafePointer<UInt8>, to end: Int, _ blocks: [Block]) -> Bool {
        let first = rows.lowerBound * scan.unitColumns
        guard let bookmark = scan.bookmarks.last(where: { $0.unit <= first }) else { return false }
        var reader = BitReader(bytes, at: bookmark.place, to: end)
        var predictions = bookmark.predictions
        var unit = bookmark.unit
        let last = rows.upperBound * scan.unitColumns
        var markers = RestartMarkers(bytes, end: end, interval: unit / scan.interval)
        while unit < last {
            let stop = min(last, (unit / scan.interval + 1) * scan.interval)
            while unit < stop {
                let (row, column) = unit.quotientAndRemainder(dividingBy: scan.unitColumns)
                let isInside = rows.contains(row) && columns.contains(column)
                let border =
                    isInside
                    ? columns.upperBound : column < columns.lowerBound ? columns.lowerBound : scan.unitColumns
                let count = min(stop - unit, border - column)
                if isInside {
                    let first = column - columns.lowerBound
                    run(blocks, first..<first + count, row - rows.lowerBound, &reader, &predictions)
                } else {
                    pass(blocks, count, &reader, &predictions)
                }
                if reader.isExhausted { return false }
                unit += count
            }
            guard unit < last else { break }
            reader = BitReader(bytes, from: markers.next(after: reader.position), to: end)
            guard markers.findings.isEmpty, !markers.isOver, !markers.isWaiting else { return false }
            for member in predictions.indices { predictions[member] = 0 }
        }
        return true
    }

    /// Goes over units beside the part.
    private func pass(_ blocks: [Block], _ count: Int, _ borrowed: inout BitReader, _ predictions: inout [Int]) {
        var reader = borrowed
        var isDamaged = false
        for _ in 0..<count {
            for block in blocks {
                let member = block.source.member
                reader.refill()
                predictions[member] &+= scan.readDifference(block.source.dc, member, &reader, &isDamaged)
                scan.passOver(block.source.ac, member, &reader, &isDamaged)
            }
        }
        borrowed = reader
    }

    /// Decodes units of one row to averages.
    private func run(
        _ blocks: [Block], _ units: Range<Int>, _ row: Int, _ borrowed: inout BitReader, _ predictions: inout [Int]
    ) {
        var reader = borrowed
        var isDamaged = false
        // Three sums, and a place for what belongs to none.
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4) { sums in
            blocks.withUnsafeBufferPointer { blocks in
                predictions.withUnsafeMutableBufferPointer { predictions in
                    for unit in units {
                        for index in blocks.indices {
                            let block = blocks[index]
                            let member = block.source.member
                            reader.refill()
                            predictions[member] &+= scan.readDifference(block.source.dc, member, &reader, &isDamaged)
                            sums.initialize(repeating: 0)
                            addOdd(block, &reader, to: sums)
                            let mean = Int32(truncatingIfNeeded: predictions[member]) &* block.quantizer
                            let out = block.first + row * block.rowStep + unit * block.step
                            let (across, down, both) = (sums[0], sums[1], sums[2])
                            out[0] = Self.value(mean, across &+ down &+ both)
                            out[1] = Self.value(mean, down &- across &- both)
                            out[block.stride] = Self.value(mean, across &- down &- both)
                            out[block.stride + 1] = Self.value(mean, both &- across &- down)
                        }
                        if reader.isExhausted { return }
                    }
                }
            }
        }
        borrowed = reader
    }

    /// Adds up the weighted AC coefficients that are odd across, down, and both.
    @inline(__always)
    private func addOdd(_ block: Block, _ reader: inout BitReader, to sums: UnsafeMutableBufferPointer<Int32>) {
        var next = 1
        while next < 64 {
            reader.refill()
            // One from the table takes 12 bits at most, and any 31.
            add(block, &reader, &next, sums)
            if next < 64 { add(block, &reader, &next, sums) }
        }
    }

    /// Takes one symbol with its magnitude.
    @inline(__always)
    private func add(
        _ block: Block, _ reader: inout BitReader, _ next: inout Int, _ sums: UnsafeMutableBufferPointer<Int32>
    ) {
        let entry = block.symbols[reader.peek(Self.symbolBits)]
        var value = Int32(bitPattern: entry) >> 16
        if entry != 0 {
            reader.drop(Int(entry & 63))
            next &+= Int(entry >> 8 & 0x7F)
        } else {
            let (symbol, length) = scan.acTables[block.source.member].first(in: reader.peek(16))
            let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
            reader.drop(min(length, 16))
            next &+= size == 0 && run != 15 ? 64 : run + 1
            value = size == 0 ? 0 : Int32(truncatingIfNeeded: LookupTables.extend(reader.peek(size), size))
            reader.drop(size)
            reader.refill()
        }
        // 127 at the most.
        let weight = block.weights[(next &- 1) & (Self.weightCount - 1)]
        sums[Int(weight.sum)] &+= weight.factor &* value
    }

    /// Eight times an average, as a DC coefficient is.
    @inline(__always)
    private static func value(_ mean: Int32, _ odd: Int32) -> Int16 {
        Int16(clamping: mean &+ (odd &+ 1 << (fraction - 1)) >> fraction)
    }

    /// For each `symbolBits` bits, of the symbol that they begin with: how many of them it takes with its magnitude (bits 0
    /// to 5), over how many coefficients it goes (8 to 14; 64 at a block's end) and the last of them (16 to 31). Where not
    /// all of that is within them, 0.
    private static func symbols(_ table: HuffmanTable) -> [UInt32] {
        var entries = [UInt32](repeating: 0, count: 1 << symbolBits)
        for code in table.codes {
            let (run, size) = (Int(code.symbol >> 4), Int(code.symbol & 15))
            let rest = symbolBits - code.length - size
            guard rest >= 0 else { continue }
            let advance = size == 0 && run != 15 ? 64 : run + 1
            for magnitude in 0..<1 << size {
                let value = UInt16(truncatingIfNeeded: LookupTables.extend(magnitude, size))
                let entry = UInt32(code.length + size) | UInt32(advance) << 8 | UInt32(value) << 16
                let first = (code.bits << size + magnitude) << rest
                for index in first..<first + 1 << rest { entries[index] = entry }
            }
        }
        return entries
    }

    /// What each coefficient is multiplied by, in the order of the file, and nothing behind the last.
    private static func weights(_ quantizers: [Int]) -> [Weight] {
        let weights = zip(order, quantizers).map { place, quantizer in
            let (isOddAcross, isOddDown) = (place.across % 2 == 1, place.down % 2 == 1)
            guard isOddAcross || isOddDown, isOddAcross || place.across == 0, isOddDown || place.down == 0 else {
                return Weight()
            }
            let share = 8 * half(place.across) * half(place.down) * Double(quantizer)
            return Weight(
                factor: Int32((share * Double(1 << fraction)).rounded()), sum: isOddAcross ? (isOddDown ? 2 : 0) : 1)
        }
        return weights + [Weight](repeating: Weight(), count: weightCount - weights.count)
    }

    /// A half of the mean of a cosine over the first half of a block, as the transform has it.
    private static func half(_ frequency: Int) -> Double {
        if frequency == 0 { return 0.5 / 2.0.squareRoot() }
        return (0..<4).reduce(0.0) { $0 + cos(Double((2 * $1 + 1) * frequency) * .pi / 16) } / 8
    }

    /// The zig-zag order of a file (A.3.6).
    private static let order: [(across: Int, down: Int)] = (0..<15).flatMap { diagonal -> [(across: Int, down: Int)] in
        let places = (max(0, diagonal - 7)...min(7, diagonal)).map { (across: $0, down: diagonal - $0) }
        return diagonal % 2 == 0 ? places : places.reversed()
    }
}
