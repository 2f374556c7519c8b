import JPEGPreview
import JPEGReference
import Testing

struct CoefficientTests {
    struct Sampling: CustomTestStringConvertible {
        let name: String
        let color: MadeJPEG.Color
        let factors: [(across: Int, down: Int)]
        var testDescription: String { name }

        /// The five that cameras and programs write.
        static let usual = [
            Sampling(name: "4:4:4", color: .yCbCr, factors: []),
            Sampling(name: "4:2:2", color: .yCbCr, factors: [(2, 1)]),
            Sampling(name: "4:2:0", color: .yCbCr, factors: [(2, 2)]),
            Sampling(name: "4:1:1", color: .yCbCr, factors: [(4, 1)]),
            Sampling(name: "grey", color: .grey, factors: []),
        ]
        static let unusual = [
            Sampling(name: "4:4:0", color: .yCbCr, factors: [(1, 2)]),
            Sampling(name: "4:1:0", color: .yCbCr, factors: [(4, 2)]),
            Sampling(name: "1×4", color: .yCbCr, factors: [(1, 4)]),
            Sampling(name: "3×1", color: .yCbCr, factors: [(3, 1)]),
            Sampling(name: "3×2 with 1×2", color: .yCbCr, factors: [(3, 2), (1, 2), (1, 1)]),
            Sampling(name: "2×2 with 1×2 and 2×1", color: .yCbCr, factors: [(2, 2), (1, 2), (2, 1)]),
            Sampling(name: "2×1, 1×2", color: .yCbCr, factors: [(2, 1), (1, 2), (1, 1)]),
            Sampling(name: "4×2 with 2×1", color: .yCbCr, factors: [(4, 2), (1, 1), (1, 1)]),
            Sampling(name: "grey of 2×2", color: .grey, factors: [(2, 2)]),
            Sampling(name: "grey of 3×4", color: .grey, factors: [(3, 4)]),
            Sampling(name: "RGB", color: .rgb, factors: []),
            Sampling(name: "CMYK", color: .cmyk, factors: []),
            Sampling(name: "CMYK 2×2", color: .cmyk, factors: [(2, 2), (1, 1), (1, 1), (2, 2)]),
            Sampling(name: "YCCK", color: .ycck, factors: [(2, 2), (1, 1), (1, 1), (2, 2)]),
        ]
    }

    /// Every edge of units and blocks; all sizes in a slow run.
    private static let edges =
        Files.isSlowRun
        ? Array(1...70) : Files.isForThreads ? [1, 8, 9, 33, 70] : [1, 2, 7, 8, 9, 16, 17, 24, 25, 32, 33, 64, 65, 70]

    private func check(_ made: MadeJPEG, _ name: String) throws {
        let bytes = try #require(made.encoded(), "libjpeg refuses \(name)")
        let theirs = try #require(Reference.coefficients(bytes), "libjpeg refuses \(name)")
        let ours = try DCDecoder(bytes)
        let difference = difference(ours, theirs)
        #expect(difference == nil, "\(name), \(made.width) × \(made.height)")
        #expect(ours.findings == [], "\(name), \(made.width) × \(made.height)")
    }

    @Test("DC coefficients are libjpeg's at every size up to 70 × 70", arguments: Sampling.usual)
    func everySize(sampling: Sampling) throws {
        for width in Self.edges {
            for height in Self.edges {
                var made = MadeJPEG(width: width, height: height)
                (made.color, made.sampling) = (sampling.color, sampling.factors)
                made.quality = 30 + (width * 7 + height) % 70
                made.seed = UInt64(width * 71 + height)
                try check(made, sampling.name)
            }
        }
    }

    @Test(
        "DC coefficients are libjpeg's for every sampling with restarts, progression, split scans and made tables",
        arguments: Sampling.usual + Sampling.unusual)
    func everyCoding(sampling: Sampling) throws {
        for (width, height) in [(1, 1), (50, 33), (131, 70), (200, 150)] {
            for restart in [0, 1, 2, 5, 100] {
                for coding in 0..<6 {
                    var made = MadeJPEG(width: width, height: height)
                    (made.color, made.sampling) = (sampling.color, sampling.factors)
                    made.restartInterval = restart
                    made.hasOptimalTables = coding == 1 || coding == 4
                    made.isProgressive = coding == 2 || coding == 5
                    made.isSplit = coding >= 3
                    made.quality = [100, 92, 75, 40][(restart + coding) % 4]
                    try check(made, "\(sampling.name), restart \(restart), coding \(coding)")
                }
            }
        }
    }

    @Test(
        "Every JPEG of the corpus is decoded but hostile ones", .enabled(if: !Files.corpus.isEmpty))
    func declined() throws {
        let refused = try Files.corpus.filter { path in
            let bytes = try Files.bytes(path)
            return (try? DCDecoder(bytes)) == nil
        }
        #expect(refused.allSatisfy { $0.hasPrefix("hostile/") }, "\(refused)")
        #expect(refused.count * 5 < Files.corpus.count && Files.corpus.count > 40)
    }

    @Test("DC coefficients are libjpeg's for every JPEG of the corpus, broken ones among them", arguments: Files.corpus)
    func realFiles(path: String) throws {
        let bytes = try Files.bytes(path)
        let theirs = Reference.coefficients(bytes)
        do throws(JPEGPreviewError) {
            let ours = try DCDecoder(bytes)
            guard let theirs else {
                // What libjpeg stumbles over may lie behind the part that is read here.
                #expect(ours.planes.first.map { $0.missingBits > 0 } == true || !ours.findings.isEmpty, "\(path)")
                return
            }
            #expect(difference(ours, theirs) == nil, "\(path)")
            // A baseline file's whole data were gone through, so what libjpeg warns of was seen.
            if theirs.warnings > 0, ours.planes.allSatisfy({ $0.missingBits == 0 }) {
                #expect(!ours.findings.isEmpty, "\(path): libjpeg warns")
            }
        } catch {
            // Kinds that are left to others, and what libjpeg cannot read either.
            switch error {
            case .declined: break
            case .calledOff: Issue.record("\(path): nobody called it off")
            case .corrupt, .notJPEG: #expect(theirs == nil || theirs?.warnings != 0, "\(path): \(error)")
            }
        }
    }
}
