import Testing

@testable import Cameo

struct AlphaTests {
    /// A red disc on transparent pixels whose hidden colour is green: what bleeds shows.
    private static func disc(_ side: Int) -> PixelBuffer {
        Pictures.painted(PixelSize(square: side), channels: 4) { x, y in
            let (a, b) = (2 * x + 1 - side, 2 * y + 1 - side)
            return 4 * (a * a + b * b) < 3 * side * side ? [220, 10, 10, 255] : [0, 255, 0, 0]
        }
    }

    @Test("No halo surrounds a transparent subject after resizing", arguments: [500, 333, 130, 64])
    func noHalo(side: Int) throws {
        let image = try Renderer().render(Pictures.source(Self.disc(side), .png), [.thumbnail(PixelSize(square: 50))])
        let pixels = image.images[0].pixels
        #expect(pixels.channels == 4)
        for pixel in 0..<pixels.size.area where pixels.bytes[pixel * 4 + 3] > 8 {
            #expect(pixels.bytes[pixel * 4 + 1] < 30, "green at \(pixel) with alpha \(pixels.bytes[pixel * 4 + 3])")
        }
    }

    @Test("Transparency into JPEG shows the background asked for, white unless asked")
    func flattened() throws {
        let clear = Pictures.painted(PixelSize(square: 80), channels: 4) { _, _ in [0, 0, 0, 0] }
        for (background, want) in [(nil, RGBColor.white), (RGBColor(10, 120, 230), RGBColor(10, 120, 230))] {
            let rendition = Rendition(size: PixelSize(square: 40), background: background, encoding: Encoding(.jpeg))
            let image = try Renderer().render(Pictures.source(clear, .png), [rendition]).images[0]
            #expect(image.pixels.channels == 3)
            #expect(image.pixels[20, 20] == [want.red, want.green, want.blue])
            #expect(try image.encoded().format == .jpeg)
        }
    }

    @Test("The format is PNG where something is transparent and JPEG where nothing is")
    func automaticFormat() throws {
        let rendition = Rendition.thumbnail(PixelSize(square: 40))
        let opaque = Pictures.painted(PixelSize(square: 80), channels: 4) { _, _ in [9, 90, 200, 255] }
        #expect(try Renderer().render(Pictures.source(opaque, .png), [rendition]).images[0].encoded().format == .jpeg)
        #expect(
            try Renderer().render(Pictures.source(Self.disc(80), .png), [rendition]).images[0].encoded().format == .png)
    }

    @Test(
        "Wide alpha is scaled, not clipped", .disabled(if: Corpus.isAbsent, "shared/corpus is absent"),
        arguments: [
            "alpha/firefox-16bit-alpha.png", "color/16-bit-grey-alpha.png", "alpha/gradient-16b-srgb-alpha.png",
        ])
    func wideAlpha(name: String) throws {
        let image = try Renderer().render(.file(Corpus.file(name)), [.thumbnail(PixelSize(square: 48))]).images[0]
        let alphas = Set(stride(from: 3, to: image.pixels.bytes.count, by: 4).map { image.pixels.bytes[$0] })
        #expect(alphas.contains { $0 > 0 && $0 < 255 })
    }
}
