extension ScanDecoder {
    /// Decodes a scan without restarts from its start and from its middle in turns, and puts the two together.
    ///
    /// What it does not do is left to be done, so this can give up at any unit: where the streams do not meet, and
    /// wherever anything is not as it should be. The planes have to be empty before.
    ///
    /// - Parameters:
    ///   - stream: Stands at the scan's start, and then behind the last unit that is done.
    ///   - bytes: Readable from 0 to `end`.
    ///   - splitSize: The least bytes for which a second stream is worth its start.
    ///   - isCalledOff: Asked for each row or two.
    /// - Returns: How many units are done.
    mutating func decodeFromTwoPlaces(
        _ stream: inout Stream, _ bytes: UnsafePointer<UInt8>, to end: Int, splitSize: Int, isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) -> Int {
        let (start, total) = (stream.reader.position, unitColumns * unitRows)
        guard end - start >= splitSize, total >= 16, canFindItsWay else { return 0 }
        // The second one must begin within the scan. Where that ends need not be known, only where it does not.
        var middle = start + (end - start) / 2
        let border = DCDecoder.endOfScan(from: start, in: bytes, end: middle)
        if border < middle { middle = start + (border - start) / 2 }
        // A stuffed zero is no data, and looks like some to whoever begins with it.
        if middle > start, middle < end, bytes[middle - 1] == 0xFF, bytes[middle] == 0 { middle += 1 }
        guard middle - start >= splitSize / 2 else { return 0 }
        var second = SecondStream(
            BitReader(bytes, from: middle, to: end), members: scan.members.count, blocks: blocks.count, capacity: total)
        var unit = 0
        guard begin(&second, min(SecondStream.mostStarts, total / 4)),
            try advance(&stream, &second, &unit, bytes, to: middle, end, isCalledOff),
            let candidate = meet(&stream, second, &unit)
        else { return unit }
        join(second, from: candidate, &stream, &unit)
        return unit
    }

    /// Whether blocks of a unit are told from each other by their codes. Where all have the same, a stream that takes
    /// one for another never notices.
    private var canFindItsWay: Bool {
        blocks.count == 1 || acTables.dropFirst().contains { $0.codes != acTables[0].codes }
    }

    /// Decodes the first units of the second stream, and notes where they begin; false where the data end.
    private func begin(_ second: inout SecondStream, _ count: Int) -> Bool {
        for _ in 0..<count {
            second.noteStart()
            let (before, values) = (second.stream, second.place(for: 1))
            for (index, block) in blocks.enumerated() { values[index] = decode(block, &second.stream) }
            if second.stream.reader.isAtEnd { return false }
            second.count(1, from: before, spacing: unitColumns)
        }
        return true
    }

    private func decode(_ block: Block, _ stream: inout Stream) -> Int16 {
        stream.reader.refill()
        stream.predictions[block.member] &+= readDifference(
            block.dc, block.member, &stream.reader, &stream.isDamaged)
        passOver(block.ac, block.member, &stream.reader, &stream.isDamaged)
        return Int16(truncatingIfNeeded: stream.predictions[block.member])
    }

    /// Decodes both streams until the first is where the second began; false where the first one's data end before.
    private mutating func advance(
        _ first: inout Stream, _ second: inout SecondStream, _ unit: inout Int, _ bytes: UnsafePointer<UInt8>,
        to middle: Int, _ end: Int, _ isCalledOff: () -> Bool
    ) throws(JPEGPreviewError) -> Bool {
        var isSecondDone = false
        while first.reader.position < middle, unit < unitColumns * unitRows {
            if isCalledOff() { throw .calledOff }
            // Few, since those in which the data end are done again.
            let count = min(unitColumns - unit % unitColumns, 64)
            let before = (first: first, second: second.stream)
            isSecondDone = isSecondDone || second.room < count
            if isSecondDone {
                decodeRun(count, from: unit, &first)
            } else {
                aim(at: unit)
                decodeInTurns(count, &first, &second.stream, second.place(for: count), bytes, end)
                if second.stream.reader.isAtEnd {
                    (second.stream, isSecondDone) = (before.second, true)
                } else {
                    second.count(count, from: before.second, spacing: unitColumns)
                }
            }
            guard accept(&first, before.first, count, from: unit) else { return false }
            unit += count
        }
        return true
    }

    /// Decodes the first stream until one of its units begins where one of the second's does.
    ///
    /// - Returns: Which one that is; nil where none does, or the data of the second are damaged behind it.
    private mutating func meet(_ first: inout Stream, _ second: borrowing SecondStream, _ unit: inout Int) -> Int? {
        let total = unitColumns * unitRows
        var candidate = 0
        while unit < total {
            first.reader.refill()
            // Where nothing more is to come, ranks say nothing.
            if first.reader.isAtEnd { return nil }
            while candidate < second.starts.count, second.starts[candidate].rank < first.reader.rank { candidate += 1 }
            guard candidate < second.starts.count else { return nil }
            if second.starts[candidate].rank == first.reader.rank {
                return candidate >= second.soundFrom && second.units - candidate <= total - unit ? candidate : nil
            }
            let before = first
            decodeRun(1, from: unit, &first)
            guard accept(&first, before, 1, from: unit) else { return nil }
            unit += 1
        }
        return nil
    }

    /// Takes the `count` units that the first stream decoded; or none of them, where its data end among them: how far they
    /// go is left to be found out.
    private mutating func accept(_ first: inout Stream, _ before: Stream, _ count: Int, from unit: Int) -> Bool {
        if first.reader.isAtEnd {
            for block in blocks {
                for index in 0..<count { block.out[index &* block.step] = 0 }
            }
            first = before
            return false
        }
        if unit % unitColumns == 0 { note(unit, before) }
        settle(&first)
        return true
    }

    /// Puts what the second stream has decoded from its unit `candidate` on behind the first's `unit`.
    private mutating func join(
        _ second: borrowing SecondStream, from candidate: Int, _ first: inout Stream, _ unit: inout Int
    ) {
        let offsets = zip(first.predictions, second.starts[candidate].predictions).map { $0 &- $1 }
        func moved(_ predictions: [Int]) -> [Int] { zip(predictions, offsets).map { $0 &+ $1 } }
        meeting = Meeting(after: candidate, units: second.units - candidate)
        for mark in second.marks where mark.unit >= candidate {
            let bookmark = Bookmark(
                unit: unit + mark.unit - candidate, place: mark.start.place,
                predictions: moved(mark.start.predictions))
            bookmarks.append(bookmark)
        }
        var next = candidate
        while next < second.units {
            let count = min(unitColumns - unit % unitColumns, second.units - next)
            aim(at: unit)
            for (index, block) in blocks.enumerated() {
                second.copy(
                    count, from: next, block: index, adding: offsets[block.member], to: block.out, step: block.step)
            }
            unit += count
            next += count
        }
        first = Stream(second.stream.reader, predictions: moved(second.stream.predictions))
    }
}
