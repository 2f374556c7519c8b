import JPEGPreview
import JPEGReference

/// Damaged copies of twenty small JPEGs: a trap ends the program, and what both decoders read has to be the same.
enum Mutations {
    private static func originals() -> [[UInt8]] {
        (0..<20).compactMap { index in
            // Every third has room for a second stream.
            let scale = index % 3 == 0 ? 2 : 1
            var made = MadeJPEG(width: scale * (20 + index * 5), height: scale * (70 - index * 3))
            made.color = [.yCbCr, .yCbCr, .grey, .cmyk, .rgb, .ycck][index % 6]
            if made.color == .yCbCr { made.sampling = [[(2, 2)], [(2, 1)], [], [(4, 1)], [(1, 2)]][index % 5] }
            made.isProgressive = index % 4 == 3
            made.isSplit = index % 7 == 2
            made.hasOptimalTables = index % 2 == 0
            made.restartInterval = [0, 1, 4][index % 3]
            made.quality = [95, 75, 30][index % 3]
            made.seed = UInt64(index)
            return made.encoded()
        }
    }

    /// Milliseconds of computing that no file of a few kB may take.
    private static let longest = 50.0

    static func run(count: Int, seed: UInt64) -> Bool {
        let originals = originals()
        guard originals.count == 20 else {
            print("libjpeg made \(originals.count) of 20 originals")
            return false
        }
        var random = Xorshift(seed: seed)
        var (pictures, errors, compared, different, met, slowest) = (0, 0, 0, 0, 0, 0.0)
        for index in 0..<count {
            var bytes = originals[index % originals.count]
            damage(&bytes, &random)
            let start = milliseconds()
            // Half of them in two places at once.
            let ours = bytes.withUnsafeBytes { try? DCDecoder($0, splitSize: index & 1 == 0 ? 0 : 1 << 17) }
            bytes.withUnsafeBytes { _ = DCExtent($0) }
            if let ours {
                pictures += 1
                met += ours.meetings.count
                _ = EighthPicture(ours)
                let (width, height) = (ours.width, ours.height)
                bytes.withUnsafeBytes {
                    _ = QuarterPart(ours, of: $0, columns: width / 3..<width, rows: height / 4..<height)
                }
            } else {
                errors += 1
            }
            slowest = max(slowest, milliseconds() - start)
            // The comparison costs more than the decode.
            guard index % 8 < 2, let ours, let theirs = Reference.coefficients(bytes) else { continue }
            compared += 1
            let isBaseline = ours.planes.allSatisfy { $0.missingBits == 0 }
            let isWhole = bytes.withUnsafeBytes { ours.isWhole($0) }
            let isMissed = isBaseline && theirs.warnings > 0 && ours.findings.isEmpty && isWhole
            if !agrees(ours, theirs) || isMissed {
                different += 1
                if different < 10 { print("mutation \(index): different, missed \(isMissed)") }
            }
        }
        print("\(count) mutations: \(pictures) pictures, \(errors) errors, the slowest \(rounded(slowest)) ms")
        print("\(compared) compared with libjpeg, \(different) different; in \(met) two streams met")
        return different == 0 && met > 0 && slowest < longest
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout Xorshift) {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 2..<bytes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: bytes[place] = 0xFF
            case 3: bytes.removeLast(min(bytes.count - 4, Int.random(in: 1...200, using: &random)))
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if bytes.count < 8 { return }
        }
    }
}
