import JPEGPreview
import JPEGReference
import Testing

struct QuarterTests {
    private func quarter(_ bytes: [UInt8], _ columns: Range<Int>, _ rows: Range<Int>) throws -> QuarterPart? {
        try bytes.span.withUnsafeBytes { buffer throws(JPEGPreviewError) in
            QuarterPart(try DCDecoder(buffer), of: buffer, columns: columns, rows: rows)
        }
    }

    /// The largest difference between our part and the same part of libjpeg's own picture at 1/4; of luma alone where
    /// `ofLuma`, in the part's middle alone where there is chroma to draw lines between.
    private func difference(_ made: MadeJPEG, _ columns: Range<Int>, _ rows: Range<Int>, ofLuma: Bool = false) throws
        -> Int
    {
        let bytes = try #require(made.encoded())
        let part = try #require(try quarter(bytes, columns, rows), "\(made.width) × \(made.height)")
        let whole = try #require(bytes.withUnsafeBytes { Reference.decode($0, denominator: 4) })
        let channels = part.samples.rawValue
        try #require(channels == whole.channels && part.bytes.count == part.width * part.height * channels)
        #expect(4 * part.x <= columns.lowerBound && 4 * (part.x + part.width) >= columns.upperBound)
        #expect(4 * part.y <= rows.lowerBound && 4 * (part.y + part.height) >= rows.upperBound)
        let isInverted = made.color == .cmyk || made.color == .ycck
        var most = 0
        for y in rows.lowerBound / 4..<(rows.upperBound + 3) / 4 {
            for x in columns.lowerBound / 4..<(columns.upperBound + 3) / 4 {
                let ours = ((y - part.y) * part.width + x - part.x) * channels
                let theirs = (y * whole.width + x) * channels
                let differences = (0..<channels).map { channel -> Int in
                    let value = Int(whole.bytes[theirs + channel])
                    return Int(part.bytes[ours + channel]) - (isInverted ? 255 - value : value)
                }
                if ofLuma {
                    let luma = 299 * differences[0] + 587 * differences[1] + 114 * differences[2]
                    most = max(most, abs(luma) / 1000)
                } else {
                    most = max(most, differences.map(abs).max() ?? 0)
                }
            }
        }
        return most
    }

    @Test(
        "Without subsampling the quarter is libjpeg's, of every component and at every edge",
        arguments: [MadeJPEG.Color.grey, .yCbCr, .rgb, .cmyk, .ycck])
    func full(color: MadeJPEG.Color) throws {
        for (width, height) in [(1, 1), (9, 8), (5, 31), (200, 77), (333, 250)] {
            var made = MadeJPEG(width: width, height: height)
            (made.color, made.quality) = (color, 90)
            // Our averages are exact, libjpeg's are rounded on their way; blue is luma and 1.772 of chroma.
            #expect(try difference(made, 0..<width, 0..<height) <= 3, "\(color), \(width) × \(height)")
        }
    }

    @Test("Luma beside subsampled chroma is libjpeg's", arguments: [(2, 1), (1, 2), (2, 2), (4, 1)])
    func subsampled(across: Int, down: Int) throws {
        for (width, height) in [(17, 9), (400, 300)] {
            var made = MadeJPEG(width: width, height: height)
            (made.sampling, made.content, made.quality) = ([(across, down)], .smooth, 95)
            #expect(try difference(made, 0..<width, 0..<height, ofLuma: true) <= 2, "\(width) × \(height)")
        }
    }

    @Test("A part is what lies there, wherever rows begin and restarts fall", arguments: [0, 1, 5, 13, 200])
    func parts(restartInterval: Int) throws {
        var made = MadeJPEG(width: 333, height: 250)
        (made.restartInterval, made.quality, made.seed) = (restartInterval, 90, 7)
        for (columns, rows) in [(0..<1, 0..<1), (100..<140, 96..<130), (332..<333, 249..<250), (5..<300, 200..<250)] {
            #expect(try difference(made, columns, rows) <= 3, "\(columns), \(rows)")
        }
        made.color = .grey
        #expect(try difference(made, 100..<140, 96..<130) <= 1)
    }

    @Test("A colour beside the part's edge is drawn as in the whole")
    func chroma() throws {
        var made = MadeJPEG(width: 320, height: 320)
        (made.sampling, made.quality) = ([(2, 2)], 90)
        let bytes = try #require(made.encoded())
        let whole = try #require(try quarter(bytes, 0..<320, 0..<320))
        let part = try #require(try quarter(bytes, 101..<207, 90..<180))
        #expect(whole.width == 80 && whole.height == 80 && part.width < 50)
        for y in 90 / 4...179 / 4 {
            for x in 101 / 4...206 / 4 {
                for channel in 0..<3 {
                    let ours = part.bytes[((y - part.y) * part.width + x - part.x) * 3 + channel]
                    #expect(ours == whole.bytes[(y * whole.width + x) * 3 + channel])
                }
            }
        }
    }

    @Test("What is progressive, in several scans, subsampled in luma or damaged, and what lies outside, is declined")
    func declined() throws {
        var made = MadeJPEG(width: 64, height: 64)
        let plain = try #require(made.encoded())
        #expect(try quarter(plain, 0..<64, 0..<64) != nil)
        for (columns, rows) in [(0..<65, 0..<64), (0..<64, 0..<65), (-1..<3, 0..<4), (3..<3, 0..<4)] {
            #expect(try quarter(plain, columns, rows) == nil)
        }
        #expect(try quarter(Array(plain.prefix(plain.count / 2)), 0..<64, 0..<8) == nil)
        made.isProgressive = true
        #expect(try quarter(try #require(made.encoded()), 0..<64, 0..<64) == nil)
        (made.isProgressive, made.isSplit) = (false, true)
        #expect(try quarter(try #require(made.encoded()), 0..<64, 0..<64) == nil)
        (made.isSplit, made.color, made.sampling) = (false, .yCbCr, [(1, 1), (2, 2), (1, 1)])
        if let odd = made.encoded() { #expect(try quarter(odd, 0..<64, 0..<64) == nil) }
    }

    @Test("No damage to the data makes a crash", .timeLimit(.minutes(1)))
    func damage() throws {
        var made = MadeJPEG(width: 120, height: 90)
        (made.sampling, made.restartInterval) = ([(2, 2)], 3)
        let bytes = try #require(made.encoded())
        var random = UInt64(5)
        for _ in 0..<400 {
            var hurt = bytes
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                hurt[20 + Int(random >> 33) % (hurt.count - 20)] = UInt8(truncatingIfNeeded: random >> 24)
            }
            _ = try? quarter(hurt, 10..<100, 10..<80)
        }
    }

    @Test("Real files' quarters are libjpeg's in luma, but for a few pixels' rounding", arguments: Files.corpus)
    func real(path: String) throws {
        let bytes = try Files.bytes(path)
        guard let decoder = try? DCDecoder(bytes), decoder.width > 64, decoder.height > 64,
            decoder.colorModel == .yCbCr
        else { return }
        let (columns, rows) = (decoder.width / 3..<decoder.width / 2, decoder.height / 3..<decoder.height / 2)
        guard let part = try quarter(bytes, columns, rows) else { return }
        let whole = try #require(bytes.withUnsafeBytes { Reference.decode($0, denominator: 4) })
        var (sum, count) = (0.0, 0.0)
        for y in rows.lowerBound / 4..<rows.upperBound / 4 {
            for x in columns.lowerBound / 4..<columns.upperBound / 4 {
                func luma(_ bytes: [UInt8], _ at: Int) -> Double {
                    0.299 * Double(bytes[at]) + 0.587 * Double(bytes[at + 1]) + 0.114 * Double(bytes[at + 2])
                }
                let ours = luma(part.bytes, ((y - part.y) * part.width + x - part.x) * 3)
                sum += abs(ours - luma(whole.bytes, (y * whole.width + x) * 3))
                count += 1
            }
        }
        // Chroma beyond what can be shown moves luma where it is clipped.
        #expect(sum / max(1, count) < 1.5)
    }
}
