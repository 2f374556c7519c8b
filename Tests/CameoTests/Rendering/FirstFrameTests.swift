import Foundation
import Testing

@testable import Cameo

/// The first frame of an animation, as a player would show it.
struct FirstFrameTests {
    private static let size = PixelSize(width: 80, height: 60)
    private static let area = PixelRect(x: 20, y: 10, width: 40, height: 30)
    /// A first frame that leaves a margin, and others that cover all or another part. All are cleared once shown.
    private static let animation = MadeAnimation(
        size: size,
        frames: [
            .init(area: area, color: [200, 40, 40]), .init(area: PixelRect(size), color: [40, 40, 200]),
            .init(area: PixelRect(x: 0, y: 0, width: 20, height: 20), color: [40, 200, 40]),
        ])

    private static func image(_ bytes: [UInt8], _ rendition: Rendition) throws -> RenderedImage {
        try Renderer().render(.bytes(bytes, name: "made"), [rendition]).images[0]
    }

    private static func composed(_ bytes: [UInt8]) throws {
        let opened = try OpenedImage(.bytes(bytes, name: "made"))
        #expect(opened.header.uprightSize == size)
        let pixels = try image(bytes, .thumbnail(size)).pixels
        try #require(pixels.size == size && pixels.channels == 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isInside = area.x..<area.x + area.width ~= x && area.y..<area.y + area.height ~= y
                let pixel = pixels[x, y]
                #expect(pixel[3] == (isInside ? 255 : 0), "alpha at \(x), \(y)")
                if isInside { #expect(Pictures.difference(pixel.map(Double.init), [200, 40, 40]) < 12) }
            }
        }
        // And of the frame alone, whatever is asked for.
        let cut = try image(bytes, Rendition(size: PixelSize(square: 20), mode: .fill, focus: .rectangle(area)))
        #expect(area.width >= cut.crop.width && area.height >= cut.crop.height && cut.pixels.isOpaque)
        #expect(Pictures.difference(Pictures.mean(cut.pixels), [200, 40, 40]) < 12)
    }

    @Test(
        "The first frame of a GIF is shown as composed: in its place, with nothing of the others around it",
        arguments: [true, false])
    func gif(hasTransparency: Bool) throws { try Self.composed(Self.animation.gif(hasTransparency: hasTransparency)) }

    @Test("A frame that covers the screen, or reaches beyond it, makes nothing of a GIF transparent")
    func covering() throws {
        for area in [PixelRect(Self.size), PixelRect(x: 0, y: 0, width: 90, height: 70)] {
            let file = MadeAnimation(size: Self.size, frames: [.init(area: area, color: [200, 40, 40])])
            let pixels = try Self.image(file.gif(hasTransparency: false), .thumbnail(Self.size)).pixels
            #expect(pixels.isOpaque && Pictures.difference(Pictures.mean(pixels), [200, 40, 40]) <= 1)
        }
    }

    @Test("The first frame of a WebP is shown as composed: in its place, with nothing of the others around it")
    func webp() throws { try Self.composed(Self.animation.webp()) }

    @Test("The first frame of an animated PNG is shown, and nothing of the others")
    func png() throws {
        let row = { (count: Int, color: [UInt8]) in (0..<count).flatMap { _ in color } }
        let clear = row(80, [0, 0, 0, 0])
        let middle = row(20, [0, 0, 0, 0]) + row(40, [200, 40, 40, 255]) + row(20, [0, 0, 0, 0])
        let rows = (0..<60).map { 10..<40 ~= $0 ? middle : clear }
        let other = MadePNG.Frame(
            x: 5, y: 5, width: 40, height: 20, rows: [[UInt8]](repeating: row(40, [40, 40, 200, 255]), count: 20))
        try Self.composed(MadePNG(width: 80, height: 60, color: .rgba, rows: rows, more: [other, other]).encoded())
    }

    @Test(
        "A GIF with ten thousand frames costs the memory of one",
        .disabled(if: Patience.isSanitized, "a sanitizer's own memory counts"))
    func tenThousand() async {
        await #expect(processExitsWith: .success) {
            let size = PixelSize(width: 1000, height: 700)
            let dot = MadeAnimation.Frame(area: PixelRect(x: 3, y: 3, width: 2, height: 2), color: [40, 40, 200])
            let first = MadeAnimation.Frame(area: PixelRect(size), color: [200, 40, 40])
            let bytes = MadeAnimation(size: size, frames: [first] + [MadeAnimation.Frame](repeating: dot, count: 9999))
                .gif()
            let rendition = [Rendition.thumbnail(PixelSize(square: 100))]
            // What is loaded and started once is not counted.
            _ = try Renderer().render(.bytes(Self.animation.gif(), name: "warm"), rendition)
            let before = try #require(Memory.peak())
            let result = try Renderer().render(.bytes(bytes, name: "long.gif"), rendition)
            // The decoder does not count beyond a few thousand.
            #expect(try OpenedImage(.bytes(bytes, name: "long.gif")).header.frames > 4000)
            #expect(result.images[0].pixels.size == PixelSize(width: 100, height: 70))
            #expect(Pictures.difference(Pictures.mean(result.images[0].pixels), [200, 40, 40]) < 3)
            // A frame has 2.8 MB; ten thousand of them would have 28 GB.
            #expect(try #require(Memory.peak()) - before < 60 << 20)
        }
    }
}
