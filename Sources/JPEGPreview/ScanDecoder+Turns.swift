extension ScanDecoder {
    /// Decodes `count` units of two streams, block by block in turns: while one waits for what it looks up, the
    /// processor goes on with the other.
    ///
    /// - Parameters:
    ///   - first: Whose coefficients go where the blocks' `out` says.
    ///   - second: Whose coefficients go to `values`, unit after unit.
    ///   - bytes: What both read, up to `end`.
    func decodeInTurns(
        _ count: Int, _ first: inout Stream, _ second: inout Stream, _ values: UnsafeMutablePointer<Int16>,
        _ bytes: UnsafePointer<UInt8>, _ end: Int
    ) {
        // Locals, so that the loop runs in registers, with the same `bytes` and `end` in both.
        var a = BitReader(bytes, at: first.reader.place, to: end)
        var b = BitReader(bytes, at: second.reader.place, to: end)
        var (isADamaged, isBDamaged) = (first.isDamaged, second.isDamaged)
        first.predictions.withUnsafeMutableBufferPointer { lastA in
            second.predictions.withUnsafeMutableBufferPointer { lastB in
                blocks.withUnsafeBufferPointer { blocks in
                    guard let lastA = lastA.baseAddress, let lastB = lastB.baseAddress else { return }
                    decodeInTurns(count, blocks, &a, &b, lastA, lastB, &isADamaged, &isBDamaged, values)
                }
            }
        }
        (first.reader, second.reader) = (a, b)
        (first.isDamaged, second.isDamaged) = (isADamaged, isBDamaged)
    }

    @inline(never)
    private func decodeInTurns(
        _ count: Int, _ blocks: UnsafeBufferPointer<Block>, _ first: inout BitReader, _ second: inout BitReader,
        _ lastA: UnsafeMutablePointer<Int>, _ lastB: UnsafeMutablePointer<Int>, _ isADamaged: inout Bool,
        _ isBDamaged: inout Bool, _ values: UnsafeMutablePointer<Int16>
    ) {
        var (a, b, out) = (first, second, values)
        for unit in 0..<count {
            for index in blocks.indices {
                let member = blocks[index].member
                a.refill()
                b.refill()
                let valueA = lastA[member] &+ readDifference(blocks[index].dc, member, &a, &isADamaged)
                let valueB = lastB[member] &+ readDifference(blocks[index].dc, member, &b, &isBDamaged)
                lastA[member] = valueA
                lastB[member] = valueB
                blocks[index].out[unit &* blocks[index].step] = Int16(truncatingIfNeeded: valueA)
                out.pointee = Int16(truncatingIfNeeded: valueB)
                out += 1
                passOver(blocks[index].ac, member, &a, &b, &isADamaged, &isBDamaged)
            }
        }
        (first, second) = (a, b)
    }

    /// Passes over the AC coefficients of a block of either.
    @inline(__always)
    private func passOver(
        _ table: UnsafePointer<UInt16>, _ member: Int, _ a: inout BitReader, _ b: inout BitReader,
        _ isADamaged: inout Bool, _ isBDamaged: inout Bool
    ) {
        // All entries added up, and the first coefficient, 1: coefficients above the lowest eight bits, bits in them.
        var (sumA, sumB) = (1 << 8, 1 << 8)
        // What the last steps began with, to take them back.
        var (placeA, placeB) = (a.place, b.place)
        var (nextA, nextB) = (1, 1)
        // `readDifference` leaves enough for two.
        step(table, &a, &sumA)
        step(table, &b, &sumB)
        step(table, &a, &sumA)
        step(table, &b, &sumB)
        while true {
            a.count &-= sumA & 0xFF
            b.count &-= sumB & 0xFF
            sumA &>>= 8
            sumB &>>= 8
            if sumA >= 64 || sumB >= 64 { break }
            (nextA, nextB) = (sumA, sumB)
            sumA &<<= 8
            sumB &<<= 8
            a.refill()
            b.refill()
            (placeA, placeB) = (a.place, b.place)
            step(table, &a, &sumA)
            step(table, &b, &sumB)
            step(table, &a, &sumA)
            step(table, &b, &sumB)
            step(table, &a, &sumA)
            step(table, &b, &sumB)
        }
        // What is left of one of them goes on alone.
        finish(table, member, &a, sumA, (placeA, nextA), &isADamaged)
        finish(table, member, &b, sumB, (placeB, nextB), &isBDamaged)
    }

    /// Ends a block whose next coefficient is `next`; `before` is what the last steps began with.
    @inline(__always)
    private func finish(
        _ table: UnsafePointer<UInt16>, _ member: Int, _ reader: inout BitReader, _ next: Int,
        _ before: (place: BitReader.Place, next: Int), _ isDamaged: inout Bool
    ) {
        if next < 64 {
            reader.refill()
            passOver(table, member, &reader, &isDamaged, from: next)
        } else if !Self.isEnd(next) {
            // What the table does not tell is rare, and done again with care.
            reader.move(to: passedOver(table, member, reader.moved(to: before.place), before.next, &isDamaged))
        }
    }

    /// By value, so that the readers stay in registers.
    @inline(never)
    private func passedOver(
        _ table: UnsafePointer<UInt16>, _ member: Int, _ reader: BitReader, _ next: Int, _ isDamaged: inout Bool
    ) -> BitReader.Place {
        var reader = reader
        passOver(table, member, &reader, &isDamaged, from: next)
        return reader.place
    }

    /// Takes what the table tells of the next bits; nothing once the block is at its end.
    @inline(__always)
    private func step(_ table: UnsafePointer<UInt16>, _ reader: inout BitReader, _ sum: inout Int) {
        let isWithin = (sum &- 64 << 8) >> (Int.bitWidth - 1)
        let entry = Int(table[reader.peek(LookupTables.acBits)]) & isWithin
        reader.bits &<<= UInt64(truncatingIfNeeded: entry & 63)
        sum &+= entry
    }
}
