/// What is decoded of a scan from some place within it on, before it is known which unit begins there.
///
/// Huffman codes find their way back: a decoder that begins anywhere stands, some blocks later, where one that came from
/// the start stands, and goes on as that one does. DC coefficients are told as differences, so what is not known until
/// the two have met is a number to add. (Klein and Wiseman, Parallel Huffman decoding with applications to JPEG files,
/// 2003; how soon it happens is measured in Benchmarks/JPEGPreview.)
struct SecondStream: ~Copyable {
    /// What is known where one of its units begins.
    struct Start {
        let rank: Int
        let place: BitReader.Place
        let predictions: [Int]
    }

    /// So many of its first units may be the one where the streams meet.
    static let mostStarts = 128

    var stream: ScanDecoder.Stream
    /// How many units it has decoded.
    private(set) var units = 0
    /// Where its first units begin.
    private(set) var starts: [Start] = []
    /// Where some of the later ones begin, and which they are.
    private(set) var marks: [(unit: Int, start: Start)] = []
    /// From this unit on nothing was damaged: before it has found its way, much seems to be.
    private(set) var soundFrom = 0
    private let blocks: Int
    private let capacity: Int
    /// The DC coefficients, unit after unit, as if they began with 0.
    private let values: UnsafeMutablePointer<Int16>

    /// - Parameters:
    ///   - blocks: Blocks in a unit.
    ///   - capacity: The most units it may decode.
    init(_ reader: BitReader, members: Int, blocks: Int, capacity: Int) {
        stream = ScanDecoder.Stream(reader, members: members)
        (self.blocks, self.capacity) = (blocks, capacity)
        // Not initialised: what is read was written.
        values = .allocate(capacity: blocks * capacity)
    }

    deinit { values.deallocate() }

    /// How many more units it may decode.
    var room: Int { capacity - units }

    /// Where the values of the next `count` units go.
    func place(for count: Int) -> UnsafeMutablePointer<Int16> {
        precondition(count <= room, "the second stream goes beyond the scan")
        return values + units * blocks
    }

    /// Notes where the next unit begins, as one where the streams may meet.
    mutating func noteStart() {
        stream.reader.refill()
        starts.append(start(stream))
    }

    /// Counts units whose values are in their places.
    ///
    /// - Parameters:
    ///   - before: What `stream` was before them.
    ///   - spacing: How far marks are apart.
    mutating func count(_ count: Int, from before: ScanDecoder.Stream, spacing: Int) {
        if units - (marks.last?.unit ?? -spacing) >= spacing { marks.append((units, start(before))) }
        units += count
        if stream.isDamaged { (soundFrom, stream.isDamaged) = (units, false) }
    }

    private func start(_ stream: ScanDecoder.Stream) -> Start {
        Start(rank: stream.reader.rank, place: stream.reader.place, predictions: stream.predictions)
    }

    /// The values of a block of `count` units from `unit` on, one a unit, `step` apart in `out`.
    func copy(
        _ count: Int, from unit: Int, block: Int, adding offset: Int, to out: UnsafeMutablePointer<Int16>, step: Int
    ) {
        precondition(unit >= 0 && count >= 0 && unit + count <= units && block < blocks)
        let (from, offset) = (values + unit * blocks + block, Int16(truncatingIfNeeded: offset))
        for index in 0..<count { out[index &* step] = from[index &* blocks] &+ offset }
    }
}
