import JPEGPreview
import JPEGReference
import Testing

struct PictureTests {
    /// The largest difference between our picture and libjpeg's own at 1/8, and each channel's mean.
    private func difference(_ bytes: [UInt8], isInverted: Bool = false) throws -> (most: Int, means: [Double]) {
        let ours = try EighthPicture(bytes)
        let theirs = try #require(bytes.withUnsafeBytes { Reference.decode($0, denominator: 8) })
        try #require(ours.width == theirs.width && ours.height == theirs.height)
        try #require(ours.samples.rawValue == theirs.channels)
        let differences = zip(ours.bytes, theirs.bytes).map { abs(Int($0) - (isInverted ? 255 - Int($1) : Int($1))) }
        let means = (0..<theirs.channels).map { channel in
            let ones = stride(from: channel, to: differences.count, by: theirs.channels).map { differences[$0] }
            return Double(ones.reduce(0, +)) / Double(ones.count)
        }
        return (differences.max() ?? 0, means)
    }

    private func difference(_ made: MadeJPEG) throws -> Int {
        // libjpeg leaves Adobe's inversion of inks to its caller.
        let isInverted = made.color == .cmyk || made.color == .ycck
        return try difference(#require(made.encoded()), isInverted: isInverted).most
    }

    /// Unsubsampled, and subsampled in each of the ways that the corpus has.
    private static let photos = [
        "photos/Nikon_D5000.jpg", "color/gray-sample.jpg", "color/cmyk-sample-no-icc.jpg", "orientation/rotation_1.jpg",
        "photos/Apple_iPhone_4.jpg", "orientation/Portrait_3.jpg", "photos/Canon_PowerShot_S230.jpg",
        "photos/Reconyx_HF2_Pro_Covert.jpg", "photos/Kyocera_FC-S3.jpg", "photos/Nokia_3110c_(Mobile_Phone).jpg",
    ]

    @Test("Real files' pictures are libjpeg's in every channel", arguments: photos.filter(Files.corpus.contains))
    func real(path: String) throws {
        let bytes = try Files.bytes(path)
        let decoder = try DCDecoder(bytes)
        let found = try difference(bytes, isInverted: decoder.planes.count == 4)
        if decoder.planes.allSatisfy({ $0.columns == decoder.planes[0].columns && $0.rows == decoder.planes[0].rows }) {
            #expect(found.most <= (decoder.hasSeveralScans ? 3 : 1))
        } else {
            // Chroma has pixels of its own there, which its DC coefficients do not tell: libjpeg's is sharper at edges.
            #expect(found.means.allSatisfy { $0 < 1.2 }, "\(found.means)")
        }
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
        "Upsampled chroma is libjpeg's within two levels where it is smooth, in every channel",
        arguments: [
            (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (1, 4),
        ])
    func smooth(across: Int, down: Int) throws {
        var made = MadeJPEG(width: 400, height: 300)
        (made.sampling, made.content, made.quality) = ([(across, down)], .smooth, 95)
        #expect(try difference(made) <= 2)
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
