import JPEGPreview
import JPEGReference
import Testing

/// A scan that is decoded from its start and its middle at once.
struct TwoPlacesTests {
    private static func made(_ color: MadeJPEG.Color, _ sampling: [(across: Int, down: Int)], _ quality: Int)
        -> MadeJPEG
    {
        var made = MadeJPEG(width: 400, height: 300)
        (made.color, made.sampling, made.quality) = (color, sampling, quality)
        made.hasOptimalTables = quality % 2 == 0
        made.seed = UInt64(quality)
        return made
    }

    /// What is found of a file, in one place at a time and in two.
    private struct Found: Equatable {
        let coefficients: [[Int16]]
        let findings: Findings
        let position: Int
        let error: JPEGPreviewError?

        init(_ bytes: [UInt8], splitSize: Int) {
            do throws(JPEGPreviewError) {
                let decoder = try DCDecoder(bytes, splitSize: splitSize)
                coefficients = decoder.planes.map { plane in
                    (0..<plane.rows).flatMap { row in (0..<plane.columns).map { plane[$0, row] } }
                }
                (findings, position, error) = (decoder.findings, decoder.position, nil)
            } catch {
                (coefficients, findings, position, self.error) = ([], [], 0, error)
            }
        }
    }

    @Test(
        "The two streams meet, and the coefficients are libjpeg's",
        arguments: [MadeJPEG.Color.yCbCr, .grey, .ycck], [[], [(2, 2)], [(2, 1)], [(4, 1)]])
    func meets(color: MadeJPEG.Color, sampling: [(across: Int, down: Int)]) throws {
        var factors = sampling
        if color == .ycck, let first = sampling.first { factors = [first, (1, 1), (1, 1), first] }
        var (met, shared, total) = (0, 0, 0)
        let qualities = Files.isForThreads ? [20, 60, 90] : Array(stride(from: 5, through: 100, by: 5))
        for quality in qualities {
            let bytes = try #require(Self.made(color, factors, quality).encoded())
            let ours = try DCDecoder(bytes, splitSize: 0)
            let theirs = try #require(Reference.coefficients(bytes))
            #expect(difference(ours, theirs) == nil, "quality \(quality)")
            #expect(ours.findings == [], "quality \(quality)")
            if let meeting = ours.meetings.first {
                met += 1
                shared += meeting.units
            }
            total += (400 + 31) / 32 * ((300 + 31) / 32)
        }
        // At this size a few never do. What the second did is a good part of the whole.
        #expect(
            met * 3 >= qualities.count * 2 && shared > total / 4, "\(met) met, \(shared) of at least \(total) units")
    }

    @Test("Where all blocks have the same codes, nothing is begun that could not find its way")
    func ambiguous() throws {
        // All components of these share their tables.
        let bytes = try #require(Self.made(.rgb, [], 75).encoded())
        let ours = try DCDecoder(bytes, splitSize: 0)
        #expect(ours.meetings.isEmpty)
        #expect(difference(ours, try #require(Reference.coefficients(bytes))) == nil)
    }

    @Test("A real photo's streams meet, and find what one alone finds", arguments: Files.corpus)
    func realFiles(path: String) throws {
        let bytes = try Files.bytes(path)
        #expect(Found(bytes, splitSize: 0) == Found(bytes, splitSize: .max), "\(path)")
    }

    @Test("Most large photos of the corpus are decoded from two places at once", .enabled(if: !Files.corpus.isEmpty))
    func mostMeet() throws {
        var (large, met) = (0, 0)
        for path in Files.corpus where path.hasPrefix("photos/") {
            let bytes = try Files.bytes(path)
            guard let ours = try? DCDecoder(bytes), bytes.count > 1 << 18, ours.planes[0].missingBits == 0 else {
                continue
            }
            large += 1
            if let meeting = ours.meetings.first, meeting.units > ours.width * ours.height / 256 / 4 { met += 1 }
        }
        #expect(large > 3 && met * 10 >= large * 7, "\(met) of \(large)")
    }

    @Test("Whatever is broken, two streams find what one alone finds", arguments: 0..<8)
    func damaged(seed: UInt64) throws {
        var random = Xorshift(seed: seed + 1)
        let whole = try #require(Self.made(.yCbCr, seed % 2 == 0 ? [(2, 2)] : [], 60 + Int(seed) * 5).encoded())
        let start = whole.count / 10
        var met = 0
        let rounds = Files.isForThreads ? 10 : 60
        for _ in 0..<rounds {
            var hurt = whole
            switch Int.random(in: 0..<4, using: &random) {
            case 0: hurt.removeLast(Int.random(in: 1..<whole.count - start, using: &random))
            case 1:
                let place = Int.random(in: start..<whole.count - 60, using: &random)
                hurt.removeSubrange(place..<place + Int.random(in: 1...50, using: &random))
            case 2:
                // A marker in the middle of it, of a restart or of something else.
                let place = Int.random(in: start..<whole.count - 2, using: &random)
                (hurt[place], hurt[place + 1]) = (
                    0xFF, [0xD0, 0xD3, 0xD9, 0xDA, 0xC4].randomElement(using: &random) ?? 0
                )
            default:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    hurt[Int.random(in: start..<whole.count - 2, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            let two = Found(hurt, splitSize: 0)
            #expect(two == Found(hurt, splitSize: .max), "seed \(seed)")
            if (try? DCDecoder(hurt, splitSize: 0))?.meetings.isEmpty == false { met += 1 }
        }
        // Before the damage, or behind it, they meet all the same.
        #expect(met * 10 > rounds)
    }

    @Test("Wherever the second stream begins, at a stuffed zero too, both find what one alone finds")
    func everyMiddle() throws {
        // A unit a row, so that the streams may meet at each; and leaps of brightness, whose code begins with eight ones.
        var made = MadeJPEG(width: 8, height: 16_000)
        (made.color, made.quality) = (.grey, 100)
        let whole = try #require(made.encoded())
        let single = Found(whole, splitSize: .max)
        let start = try #require(whole.indices.dropLast().first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA }) + 10
        let zeros = (start + (whole.count - start) / 2..<whole.count - 20).filter { place in
            whole[place] == 0 && whole[place - 1] == 0xFF
        }
        try #require(zeros.count > 20)
        for zero in Files.isForThreads ? zeros.prefix(20) : zeros[...] {
            // The middle is half-way to the end, which what follows the image moves.
            let padded = whole + [UInt8](repeating: 0, count: max(0, 2 * zero - start - whole.count))
            let isSame = Found(padded, splitSize: 0) == single
            #expect(isSame, "\(zero)")
        }
    }

    @Test("A part at a quarter is the same, wherever the streams met")
    func quarter() throws {
        let bytes = try #require(Self.made(.yCbCr, [(2, 2)], 85).encoded())
        let (one, two) = (try DCDecoder(bytes, splitSize: .max), try DCDecoder(bytes, splitSize: 0))
        try #require(two.meetings.first.map { $0.units > 50 } == true)
        for row in stride(from: 0, to: 280, by: 16) {
            let parts = [one, two].map { decoder in
                bytes.withUnsafeBytes { QuarterPart(decoder, of: $0, columns: 30..<200, rows: row..<row + 20) }
            }
            #expect(try #require(parts[0]).bytes == #require(parts[1]).bytes, "row \(row)")
        }
    }

    @Test("It stops within a row of units once it is called off", arguments: [0, 3, 7])
    func calledOff(after rows: Int) throws {
        for splitSize in [0, Int.max] {
            let bytes = try #require(Self.made(.yCbCr, [(2, 2)], 85).encoded())
            var asked = 0
            #expect(throws: JPEGPreviewError.calledOff) {
                _ = try bytes.withUnsafeBytes {
                    try DCDecoder($0, splitSize: splitSize) {
                        asked += 1
                        return asked > rows
                    }
                }
            }
            #expect(asked == rows + 1)
        }
    }
}
