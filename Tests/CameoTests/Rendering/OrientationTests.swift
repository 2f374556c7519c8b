import Testing

@testable import Cameo

struct OrientationTests {
    /// Where the stored pixel for an upright place is: EXIF 2.32's table of rows and columns, written out.
    private static func stored(_ tag: Int, _ x: Int, _ y: Int, _ upright: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (upright.width - 1 - x, upright.height - 1 - y)
        return switch tag {
        case 2: (right, y)
        case 3: (right, bottom)
        case 4: (x, bottom)
        case 5: (y, x)
        case 6: (y, right)
        case 7: (bottom, right)
        case 8: (bottom, x)
        default: (x, y)
        }
    }

    private static func picture(_ tag: Int, _ upright: PixelSize) throws -> ImageSource {
        let storedSize = (5...8).contains(tag) ? upright.transposed : upright
        var bytes = [UInt8](repeating: 0, count: storedSize.area * 3)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let place = stored(tag, x, y, upright)
                let color = Pictures.quarterColor(right: x * 2 >= upright.width, low: y * 2 >= upright.height)
                for channel in 0..<3 { bytes[(place.y * storedSize.width + place.x) * 3 + channel] = color[channel] }
            }
        }
        let pixels = PixelBuffer(size: storedSize, channels: 3, bytes: bytes)
        return .bytes(try Pictures.jpeg(pixels, exif: Pictures.exif(orientation: tag)), name: "\(tag).jpg")
    }

    @Test("A picture of any orientation comes out upright once, its size reported upright", arguments: 0...9)
    func upright(tag: Int) throws {
        let size = PixelSize(width: 96, height: 64)
        let opened = try OpenedImage(Self.picture(tag, size))
        #expect(opened.header.uprightSize == size)
        for box in [96, 48, 12] {
            let image = try Renderer().render(opened, [.thumbnail(PixelSize(square: box))]).images[0]
            #expect(image.pixels.size == PixelSize(width: box, height: box * 2 / 3))
            for (index, part) in Pictures.quarters(of: image.pixels.size).enumerated() {
                let want = Pictures.quarterColor(right: index % 2 == 1, low: index > 1).map(Double.init)
                #expect(Pictures.difference(Pictures.mean(image.pixels, part), want) < 12)
            }
        }
    }

    @Test("The output carries no orientation, so that no viewer turns it again", arguments: 1...8)
    func noTag(tag: Int) throws {
        let image = try Renderer().render(
            Self.picture(tag, PixelSize(width: 96, height: 64)), [.thumbnail(PixelSize(square: 48))])
        let again = try OpenedImage(.bytes(image.images[0].encoded().bytes, name: "again"))
        #expect(again.header.orientation == .up)
        #expect(again.header.uprightSize == PixelSize(width: 48, height: 32))
    }

    @Test("A crop rectangle is in upright coordinates, whatever was turned and shrunk on load", arguments: 1...8)
    func cropsUpright(tag: Int) throws {
        let size = PixelSize(width: 640, height: 480)
        // The lower right quarter, drawn in by a margin that a shrunken decode may blur.
        let rectangle = PixelRect(x: 336, y: 256, width: 288, height: 208)
        let rendition = Rendition(size: PixelSize(width: 36, height: 26), mode: .fill, focus: .rectangle(rectangle))
        let image = try Renderer().render(Self.picture(tag, size), [rendition]).images[0]
        #expect(image.crop == rectangle)
        #expect(Pictures.difference(Pictures.mean(image.pixels), [200, 200, 40]) < 4)
    }

    private static func orientation(_ exif: [UInt8]) -> Orientation { ExifReader(exif.span).orientation }

    @Test("An orientation in an unusual place, missing or unreadable counts as upright")
    func unusual() {
        #expect(Self.orientation([]) == .up)
        #expect(Self.orientation(Array("Exif\0\0MM".utf8)) == .up)
        var pointingOutside = Pictures.exif(orientation: 6)
        pointingOutside[7] = 200
        #expect(Self.orientation(pointingOutside) == .up)
        #expect(Self.orientation(Pictures.exif(orientation: 200)) == .up)
        #expect(Self.orientation(Pictures.exif(orientation: 6)) == .right)
    }
}
