import JPEGPreview
import JPEGReference
import Testing

struct DamageTests {
    private static func made(_ change: (inout MadeJPEG) -> Void = { _ in }) throws -> [UInt8] {
        var made = MadeJPEG(width: 150, height: 100)
        made.sampling = [(2, 2)]
        change(&made)
        return try #require(made.encoded())
    }

    /// Where the entropy-coded data of the first scan begin.
    private static func scanStart(_ bytes: [UInt8]) throws -> Int {
        let marker = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        return marker + 2 + Int(bytes[marker + 2]) << 8 + Int(bytes[marker + 3])
    }

    /// Where the first segment with the marker byte `code` begins.
    private static func segment(_ code: UInt8, _ bytes: [UInt8]) throws -> Int {
        try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == code })
    }

    @Test("A file cut anywhere gives what libjpeg gives of it, and says that it is cut")
    func truncated() throws {
        for restart in [0, 3] {
            let whole = try Self.made { $0.restartInterval = restart }
            let start = try Self.scanStart(whole)
            for length in stride(from: start, to: whole.count - 2, by: 7) {
                let cut = Array(whole[..<length])
                let theirs = try #require(Reference.coefficients(cut))
                do throws(JPEGPreviewError) {
                    let ours = try DCDecoder(cut)
                    #expect(difference(ours, theirs) == nil, "cut at \(length) of \(whole.count)")
                    #expect(ours.findings.contains(.truncated), "cut at \(length) of \(whole.count)")
                } catch {
                    #expect(error == .declined(.sparse))
                }
            }
        }
    }

    @Test("Flipped bits give what libjpeg makes of them", arguments: 1...8)
    func flipped(seed: UInt64) throws {
        var random = Xorshift(seed: seed)
        for restart in [0, 2] {
            let whole = try Self.made { $0.restartInterval = restart }
            let start = try Self.scanStart(whole)
            for _ in 0..<25 {
                var hurt = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    hurt[Int.random(in: start..<whole.count - 2, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                guard let theirs = Reference.coefficients(hurt) else { continue }
                let ours = try DCDecoder(hurt)
                #expect(difference(ours, theirs) == nil, "seed \(seed), restart \(restart)")
                if theirs.warnings > 0 { #expect(!ours.findings.isEmpty, "seed \(seed): libjpeg warns") }
            }
        }
    }

    @Test("Lost, repeated and swapped restart intervals are set right as libjpeg does")
    func restarts() throws {
        let whole = try Self.made { $0.restartInterval = 2 }
        let start = try Self.scanStart(whole)
        let marks = (start..<whole.count - 1).filter { whole[$0] == 0xFF && (0xD0...0xD7).contains(whole[$0 + 1]) }
        try #require(marks.count > 20)
        for first in 2..<8 {
            for length in 1...9 {
                for kind in 0..<3 {
                    var hurt = whole
                    let range = marks[first]..<marks[first + length]
                    switch kind {
                    case 0: hurt.removeSubrange(range)
                    case 1: hurt.insert(contentsOf: whole[range], at: range.lowerBound)
                    default: hurt[marks[first] + 1] = 0xD0 + UInt8((first + length) % 8)
                    }
                    guard let theirs = Reference.coefficients(hurt) else { continue }
                    let ours = try DCDecoder(hurt)
                    #expect(difference(ours, theirs) == nil, "\(first), \(length), \(kind)")
                }
            }
        }
    }

    @Test("A height that only a DNL segment tells is found")
    func lineCount() throws {
        let whole = try Self.made()
        var bytes = whole
        let frame = try Self.segment(0xC0, whole)
        (bytes[frame + 5], bytes[frame + 6]) = (0, 0)
        #expect(throws: JPEGPreviewError.self) { try DCDecoder(bytes) }
        bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, whole[frame + 5], whole[frame + 6]], at: bytes.count - 2)
        let theirs = try #require(Reference.coefficients(whole))
        #expect(difference(try DCDecoder(bytes), theirs) == nil)
    }

    @Test("Fill bytes before markers change nothing, and bytes between segments are told of")
    func between() throws {
        let whole = try Self.made { $0.restartInterval = 3 }
        let theirs = try #require(Reference.coefficients(whole))
        var filled: [UInt8] = []
        for index in whole.indices {
            if index > 2, index < whole.count - 1, whole[index] == 0xFF, whole[index + 1] != 0 {
                filled += [0xFF, 0xFF]
            }
            filled.append(whole[index])
        }
        let ours = try DCDecoder(filled)
        #expect(difference(ours, theirs) == nil && ours.findings.isEmpty)

        var strewn = whole
        strewn.insert(contentsOf: [1, 2, 3, 0xFF, 0, 4], at: try Self.segment(0xDB, whole))
        let found = try DCDecoder(strewn)
        #expect(difference(found, theirs) == nil && found.findings == .irregular)
    }

    @Test(
        "Kinds that are left to others are named",
        arguments: [
            (UInt8(0xC3), JPEGPreviewError.Reason.lossless), (0xC9, .arithmeticCoding), (0xC5, .hierarchical),
            (0xCA, .arithmeticCoding), (0xDE, .hierarchical),
        ])
    func declined(marker: UInt8, reason: JPEGPreviewError.Reason) throws {
        var bytes = try Self.made()
        bytes[try Self.segment(0xC0, bytes) + 1] = marker
        #expect(throws: JPEGPreviewError.declined(reason)) { try DCDecoder(bytes) }
    }

    @Test("Twelve bits, two components and a size without data are declined")
    func declinedSizes() throws {
        let whole = try Self.made()
        let frame = try Self.segment(0xC0, whole)
        var bytes = whole
        bytes[frame + 4] = 12
        #expect(throws: JPEGPreviewError.declined(.precision(12))) { try DCDecoder(bytes) }
        bytes = whole
        bytes[frame + 9] = 2
        #expect(throws: JPEGPreviewError.declined(.components(2))) { try DCDecoder(bytes) }
        bytes = whole
        for offset in 5...8 { bytes[frame + offset] = 0x7F }
        #expect(throws: JPEGPreviewError.declined(.sparse)) { try DCDecoder(bytes) }
        #expect(throws: JPEGPreviewError.declined(.tooLarge)) {
            try whole.withUnsafeBytes { try DCDecoder($0, blockLimit: 10) }
        }
    }

    @Test("Of a progressive file no more is read than the DC coefficients")
    func stopsEarly() throws {
        var made = MadeJPEG(width: 600, height: 400)
        (made.sampling, made.isProgressive, made.quality) = ([(2, 2)], true, 92)
        let whole = try #require(made.encoded())
        let ours = try DCDecoder(whole)
        #expect(ours.position < whole.count / 5)
        // What lies behind makes no difference.
        let cut = try DCDecoder(Array(whole[..<ours.position]))
        #expect(difference(ours, try #require(Reference.coefficients(whole))) == nil)
        #expect(EighthPicture(cut).bytes == EighthPicture(ours).bytes)
    }

    @Test("Random damage anywhere ends in a picture or an error", arguments: 1...(Files.isSlowRun ? 100 : 4))
    func mutated(seed: UInt64) throws {
        var random = Xorshift(seed: seed)
        for count in 0..<150 {
            var made = MadeJPEG(width: 1 + count % 60, height: 1 + count % 37)
            made.isProgressive = count % 3 == 0
            made.restartInterval = count % 5
            made.sampling = [[], [(2, 2)], [(2, 1)]][count % 3]
            var bytes = try #require(made.encoded())
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let ours = try? EighthPicture(bytes) {
                #expect(ours.bytes.count == ours.width * ours.height * ours.samples.rawValue)
            }
        }
    }
}
