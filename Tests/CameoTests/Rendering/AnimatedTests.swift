import Testing

@testable import Cameo

@Suite(.disabled(if: Corpus.isAbsent, "shared/corpus is not beside the repository"))
struct AnimatedTests {
    @Test(
        "A crop of an animation is a crop of the frame, not of the roll of all frames",
        arguments: [
            "animated/animated.gif", "animated/complex_dispose_and_blend.webp", "animated/big-height.webp",
            "animated/ball.png",
        ])
    func cropsFrame(name: String) throws {
        let opened = try OpenedImage(.file(Corpus.file(name)))
        let size = opened.header.uprightSize
        let rendition = Rendition(size: PixelSize(square: 10), mode: .fill)
        let image = try Renderer().render(opened, [rendition]).images[0]
        let side = min(size.width, size.height)
        #expect(
            image.crop
                == .centred(
                    atX: Double(size.width) / 2, y: Double(size.height) / 2, size: PixelSize(square: side), in: size))
        #expect(image.pixels.size == PixelSize(square: 10))
    }

    @Test("A GIF of many frames is opened for its first alone")
    func firstFrame() throws {
        let opened = try OpenedImage(.file(Corpus.file("animated/gifplayer-muybridge.gif")))
        #expect(opened.header.frames == 380)
        #expect(opened.header.uprightSize == PixelSize(width: 472, height: 298))
    }
}
