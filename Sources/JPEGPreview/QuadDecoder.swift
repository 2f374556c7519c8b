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
        let symbols: UnsafePointer<UInt16>
        let weights: UnsafePointer<SIMD4<Int32>>
        let quantizer: Int32
        let stride: Int
        /// Where its first average goes in the first unit; from one unit to the next; and from one row of units.
        let first: UnsafeMutablePointer<Int16>
        let step: Int
        let rowStep: Int
    }

    /// Codes of so many bits are looked up.
    private static let symbolBits = 11
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

    private func blocks(_ symbols: UnsafePointer<UInt16>, _ weights: UnsafePointer<SIMD4<Int32>>) -> [Block] {
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
                source: source, symbols: symbols + member << Self.symbolBits, weights: weights + 64 * member,
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
        for unit in units {
            for block in blocks {
                let member = block.source.member
                reader.refill()
                predictions[member] &+= scan.readDifference(block.source.dc, member, &reader, &isDamaged)
                let sums = odd(block, &reader)
                let mean = Int32(truncatingIfNeeded: predictions[member]) &* block.quantizer
                let out = block.first + row * block.rowStep + unit * block.step
                out[0] = Self.value(mean, sums[0] &+ sums[1] &+ sums[2])
                out[1] = Self.value(mean, sums[1] &- sums[0] &- sums[2])
                out[block.stride] = Self.value(mean, sums[0] &- sums[1] &- sums[2])
                out[block.stride + 1] = Self.value(mean, sums[2] &- sums[0] &- sums[1])
            }
            if reader.isExhausted { break }
        }
        borrowed = reader
    }

    /// The weighted sums of the AC coefficients that are odd across, down, and both.
    @inline(__always)
    private func odd(_ block: Block, _ reader: inout BitReader) -> SIMD4<Int32> {
        var sums = SIMD4<Int32>.zero
        var next = 1
        while next < 64 {
            // 31 bits at most are used.
            reader.refill()
            var entry = Int(block.symbols[reader.peek(Self.symbolBits)])
            if entry == 0 {
                let (symbol, length) = scan.acTables[block.source.member].first(in: reader.peek(16))
                entry = Int(symbol) | min(length, 16) << 8
            }
            reader.drop(entry >> 8)
            let size = entry & 15
            if size == 0 {
                if entry & 0xF0 != 0xF0 { break }
                next &+= 16
                continue
            }
            next &+= entry >> 4 & 15
            let value = LookupTables.extend(reader.peek(size), size)
            reader.drop(size)
            guard next < 64 else { break }
            sums &+= block.weights[next] &* SIMD4(repeating: Int32(truncatingIfNeeded: value))
            next &+= 1
        }
        return sums
    }

    /// Eight times an average, as a DC coefficient is.
    @inline(__always)
    private static func value(_ mean: Int32, _ odd: Int32) -> Int16 {
        Int16(clamping: mean &+ (odd &+ 1 << (fraction - 1)) >> fraction)
    }

    /// For each `symbolBits` bits the symbol that they begin with, and its length above that; 0 where it is longer.
    private static func symbols(_ table: HuffmanTable) -> [UInt16] {
        var entries = [UInt16](repeating: 0, count: 1 << symbolBits)
        for code in table.codes where code.length <= symbolBits {
            let first = code.bits << (symbolBits - code.length)
            for index in first..<first + 1 << (symbolBits - code.length) {
                entries[index] = UInt16(code.symbol) | UInt16(code.length) << 8
            }
        }
        return entries
    }

    /// What each coefficient is multiplied by, in the place of the sum that it belongs to.
    private static func weights(_ quantizers: [Int]) -> [SIMD4<Int32>] {
        zip(order, quantizers).map { place, quantizer in
            let (isOddAcross, isOddDown) = (place.across % 2 == 1, place.down % 2 == 1)
            var weight = SIMD4<Int32>.zero
            guard isOddAcross || isOddDown, isOddAcross || place.across == 0, isOddDown || place.down == 0 else {
                return weight
            }
            let share = 8 * half(place.across) * half(place.down) * Double(quantizer)
            let sum = isOddAcross ? (isOddDown ? 2 : 0) : 1
            weight[sum] = Int32((share * Double(1 << fraction)).rounded())
            return weight
        }
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
