import JPEGPreview
import JPEGReference
import Testing

struct PictureTests {
    /// The largest difference between our picture and libjpeg's own at 1/8; of luma alone where `ofLuma`.
    private func difference(_ made: MadeJPEG, ofLuma: Bool = false) throws -> Int {
        let bytes = try #require(made.encoded())
        let ours = try EighthPicture(bytes)
        let theirs = try #require(bytes.withUnsafeBytes { Reference.decode($0, denominator: 8) })
        try #require(ours.width == theirs.width && ours.height == theirs.height)
        try #require(ours.samples.rawValue == theirs.channels)
        if ofLuma {
            // In thousandths, by ITU-R BT.601.
            func luma(_ bytes: [UInt8]) -> [Int] {
                stride(from: 0, to: bytes.count, by: 3).map { start -> Int in
                    let (red, green, blue) = (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
                    return 299 * red + 587 * green + 114 * blue
                }
            }
            return (zip(luma(ours.bytes), luma(theirs.bytes)).map { abs($0 - $1) }.max() ?? 0) / 1000
        }
        // libjpeg leaves Adobe's inversion of inks to its caller.
        let isInverted = made.color == .cmyk || made.color == .ycck
        return zip(ours.bytes, theirs.bytes).map { abs(Int($0) - (isInverted ? 255 - Int($1) : Int($1))) }.max() ?? 0
    }

    @Test(
        "Without subsampling the picture is libjpeg's within a level, a progressive one within the last bit of DC",
        arguments: [
            MadeJPEG.Color.grey, .yCbCr, .rgb, .cmyk, .ycck,
        ])
    func full(color: MadeJPEG.Color) throws {
        for (width, height) in [(1, 1), (9, 8), (200, 77), (333, 250)] {
            for isProgressive in [false, true] {
                var made = MadeJPEG(width: width, height: height)
                (made.color, made.isProgressive) = (color, isProgressive)
                // Progressive DC lacks its last bit, half a step of the quantiser. At this quality that is less than a
                // level, so rounding moves a component by one at most, and blue by one of luma and 1.772 of chroma.
                made.quality = 90
                #expect(
                    try difference(made) <= (isProgressive ? 3 : 1),
                    "\(color), \(width) × \(height), progressive \(isProgressive)")
            }
        }
    }

    @Test(
        "Upsampled chroma is libjpeg's within two levels where it is smooth",
        arguments: [
            (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (1, 4),
        ])
    func smooth(across: Int, down: Int) throws {
        var made = MadeJPEG(width: 400, height: 300)
        (made.sampling, made.content, made.quality) = ([(across, down)], .smooth, 95)
        // Chroma is drawn in lines between samples here, and not by libjpeg.
        #expect(try difference(made, ofLuma: true) <= 2)
    }

    @Test("A colour behind an edge of chroma does not move: both sides of it keep theirs")
    func edge() throws {
        // Left half red, right half blue, in YCbCr by JFIF's formula.
        var made = MadeJPEG(width: 256, height: 64)
        (made.sampling, made.quality, made.content) = ([(2, 2)], 95, .halves([76, 85, 255], [29, 255, 107]))
        let picture = try EighthPicture(try #require(made.encoded()))
        for (x, wanted) in [(0, [254, 0, 0]), (12, [254, 0, 0]), (19, [0, 0, 254]), (31, [0, 0, 254])] {
            for channel in 0..<3 {
                let value = Int(picture.bytes[(4 * 32 + x) * 3 + channel])
                #expect(abs(value - wanted[channel]) <= 3, "column \(x), channel \(channel): \(value)")
            }
        }
    }

    @Test("Identifiers and the Adobe marker decide between RGB and YCbCr")
    func models() throws {
        var made = MadeJPEG(width: 16, height: 16)
        made.color = .rgb
        #expect(try DCDecoder(try #require(made.encoded())).colorModel == .rgb)
        made.color = .yCbCr
        #expect(try DCDecoder(try #require(made.encoded())).colorModel == .yCbCr)
        made.color = .ycck
        #expect(try DCDecoder(try #require(made.encoded())).colorModel == .ycck(isInverted: true))
    }
}
