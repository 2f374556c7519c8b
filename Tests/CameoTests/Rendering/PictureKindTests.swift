import JPEGReference
import Testing

@testable import Cameo

/// Pictures whose samples are not three bytes of sRGB.
struct PictureKindTests {
    private static func rendered(_ bytes: [UInt8], _ box: Int = 64, encoding: Encoding? = nil) throws -> PixelBuffer {
        var rendition = Rendition.thumbnail(PixelSize(square: box))
        if let encoding { rendition.encoding = encoding }
        return try Renderer().render(.bytes(bytes, name: "made"), [rendition]).images[0].pixels
    }

    /// Rows of two colours side by side, 64 × 32 pixels.
    private static func halves(_ left: [UInt8], _ right: [UInt8]) -> [[UInt8]] {
        let row = (0..<64).flatMap { $0 < 32 ? left : right }
        return [[UInt8]](repeating: row, count: 32)
    }

    private static func means(_ pixels: PixelBuffer) -> (left: [Double], right: [Double]) {
        let half = pixels.size.width / 2
        return (
            Pictures.mean(pixels, PixelRect(x: 1, y: 1, width: half - 2, height: pixels.size.height - 2)),
            Pictures.mean(pixels, PixelRect(x: half + 1, y: 1, width: half - 2, height: pixels.size.height - 2))
        )
    }

    @Test("A 16-bit PNG or TIFF is neither dark nor clipped", arguments: [64, 24])
    func wide(box: Int) throws {
        // A level of eight bits is the same one of sixteen with both bytes alike.
        let (left, right): ([UInt8], [UInt8]) = ([12, 130, 201], [255, 90, 0])
        let rows = Self.halves(left.flatMap { [$0, $0] }, right.flatMap { [$0, $0] })
        let png = MadePNG(width: 64, height: 32, depth: 16, rows: rows)
        let tiff = MadeTIFF(width: 64, height: 32, depth: 16, rows: rows)
        for bytes in [png.encoded(), tiff.encoded()] {
            let opened = try OpenedImage(.bytes(bytes, name: "made"))
            #expect(opened.header.bitsPerChannel == 16)
            let means = Self.means(try Self.rendered(bytes, box))
            #expect(Pictures.difference(means.left, left.map(Double.init)) <= 1)
            #expect(Pictures.difference(means.right, right.map(Double.init)) <= 1)
        }
    }

    @Test("A LAB TIFF looks right")
    func lab() throws {
        // Grey of L 50 is light of 18.42 %: (66 / 116)³. What is to the right is red and yellow of it.
        let tiff = MadeTIFF(width: 64, height: 32, meaning: .lab, rows: Self.halves([128, 0, 0], [128, 60, 40]))
        let means = Self.means(try Self.rendered(tiff.encoded()))
        let grey = MadeProfile.encoded(0.1842)
        #expect(Pictures.difference(means.left, [grey, grey, grey]) <= 2)
        #expect(means.right[0] > grey + 40 && means.right[1] < grey && means.right[2] < means.right[1])
        for (lightness, level) in [(UInt8(0), 0.0), (255, 255.0)] {
            let flat = MadeTIFF(
                width: 64, height: 32, meaning: .lab, rows: Self.halves([lightness, 0, 0], [lightness, 0, 0]))
            #expect(
                Pictures.difference(Self.means(try Self.rendered(flat.encoded())).left, [level, level, level]) <= 1)
        }
    }

    @Test("A palette TIFF or PNG looks right")
    func palette() throws {
        let (left, right): ([UInt8], [UInt8]) = ([200, 40, 90], [10, 180, 250])
        var columns = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 3)
        for channel in 0..<3 {
            columns[channel][3] = Int(left[channel]) * 257
            columns[channel][250] = Int(right[channel]) * 257
        }
        let tiff = MadeTIFF(
            width: 64, height: 32, meaning: .palette, channels: 1, palette: columns.flatMap { $0 },
            rows: Self.halves([3], [250]))
        let png = MadePNG(
            width: 64, height: 32, color: .palette, palette: [[0, 0, 0], left, right], rows: Self.halves([1], [2]))
        for bytes in [tiff.encoded(), png.encoded()] {
            let means = Self.means(try Self.rendered(bytes))
            #expect(Pictures.difference(means.left, left.map(Double.init)) <= 1)
            #expect(Pictures.difference(means.right, right.map(Double.init)) <= 1)
        }
    }

    @Test("A 1-bit picture is not black, and its white is where the file says")
    func oneBit() throws {
        let rows = [[UInt8]](repeating: [0, 0, 0, 0, 255, 255, 255, 255], count: 32)
        let tiff = { (meaning: MadeTIFF.Meaning) in
            MadeTIFF(width: 64, height: 32, meaning: meaning, depth: 1, channels: 1, rows: rows).encoded()
        }
        let png = MadePNG(width: 64, height: 32, color: .grey, depth: 1, rows: rows).encoded()
        for (bytes, levels) in [
            (tiff(.blackIsZero), [0.0, 255]), (tiff(.whiteIsZero), [255.0, 0]), (png, [0.0, 255]),
        ] {
            let means = Self.means(try Self.rendered(bytes))
            #expect(Pictures.difference(means.left, [Double](repeating: levels[0], count: 3)) <= 1)
            #expect(Pictures.difference(means.right, [Double](repeating: levels[1], count: 3)) <= 1)
        }
    }

    @Test("A palette PNG with a transparent entry keeps its transparency; grey and alpha too", arguments: [64, 24])
    func transparency(box: Int) throws {
        let palette = MadePNG(
            width: 64, height: 32, color: .palette, palette: [[255, 0, 255], [20, 120, 220]], transparency: [0],
            rows: Self.halves([0], [1]))
        let grey = MadePNG(width: 64, height: 32, color: .greyAlpha, rows: Self.halves([255, 0], [90, 255]))
        let wideGrey = MadePNG(
            width: 64, height: 32, color: .greyAlpha, depth: 16,
            rows: Self.halves([255, 255, 0, 0], [90, 90, 255, 255]))
        for (file, color) in [(palette, [20.0, 120, 220]), (grey, [90.0, 90, 90]), (wideGrey, [90.0, 90, 90])] {
            let pixels = try Self.rendered(file.encoded(), box)
            #expect(pixels.channels == 4)
            let (left, right) = (pixels[2, 2], pixels[pixels.size.width - 3, 2])
            #expect(left.last == 0 && right.last == 255)
            #expect(Pictures.difference(right.dropLast().map(Double.init), color) <= 1)
            // The hidden colour does not come out beside the edge either.
            #expect(Pictures.difference(Self.means(pixels).right, color) <= 2)
            #expect(Pictures.difference(Self.means(pixels).left, [255, 255, 255]) <= 1)
        }
    }

    @Test("Transparent into JPEG has the background asked for, in 16 bit as in 8", arguments: [UInt8(8), 16])
    func background(depth: UInt8) throws {
        let samples = { (color: [UInt8]) in depth == 8 ? color : color.flatMap { [$0, $0] } }
        let file = MadePNG(
            width: 64, height: 32, color: .rgba, depth: depth,
            rows: Self.halves(samples([250, 10, 10, 0]), samples([10, 10, 210, 102])))
        for background in [RGBColor.white, RGBColor(30, 160, 60)] {
            var rendition = Rendition(size: PixelSize(square: 64), background: background)
            rendition.encoding = Encoding(.jpeg)
            let image = try Renderer().render(.bytes(file.encoded(), name: "made"), [rendition]).images[0]
            let ground = [background.red, background.green, background.blue].map(Double.init)
            // 102 of 255 is two fifths.
            let mixed = zip([10.0, 10, 210], ground).map { 0.4 * $0 + 0.6 * $1 }
            let means = Self.means(image.pixels)
            #expect(Pictures.difference(means.left, ground) <= 1 && Pictures.difference(means.right, mixed) <= 2)
        }
    }

    @Test("CMYK and YCCK without a profile are not negative, not over-bright, not neon")
    func inks() throws {
        // As Adobe writes them, 255 is no ink. Y, Cb and Cr stand for red, green and blue that are as much as there is ink.
        let files: [(MadeJPEG.Color, paper: [UInt8], cyan: [UInt8], black: [UInt8])] = [
            (.cmyk, [255, 255, 255, 255], [0, 255, 255, 255], [255, 255, 255, 0]),
            (.ycck, [0, 128, 128, 255], [76, 85, 255, 255], [0, 128, 128, 0]),
        ]
        for (color, paper, cyan, black) in files {
            var file = MadeJPEG(width: 64, height: 32)
            (file.color, file.quality) = (color, 98)
            file.content = .halves(paper, cyan)
            let first = Self.means(try Self.rendered(#require(file.encoded())))
            #expect(Pictures.difference(first.left, [255, 255, 255]) <= 3)
            // Printed cyan is #009FE3 or near it on coated paper; neon would be #00FFFF.
            #expect(Pictures.difference(first.right, [0, 159, 227]) < 40, "\(first.right)")
            file.content = .halves(paper, black)
            let second = Self.means(try Self.rendered(#require(file.encoded())))
            #expect(second.left[1] > 250 && second.right.allSatisfy { $0 < 70 }, "\(second)")
        }
    }
}
