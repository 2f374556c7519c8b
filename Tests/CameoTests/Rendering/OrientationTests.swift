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

    @Test(
        "Crop rectangles and focus points are in upright coordinates, whatever was turned and shrunk on load",
        arguments: 1...8)
    func cropsUpright(tag: Int) throws {
        // The lower right quarter, drawn in by a margin that a shrunken decode may blur.
        let rectangle = PixelRect(x: 336, y: 256, width: 288, height: 208)
        var renditions = [Rendition(size: PixelSize(width: 36, height: 26), mode: .fill, focus: .rectangle(rectangle))]
        let points = [(600, 470), (610, 5), (20, 460), (30, 10), (500, 390)]
        for (x, y) in points {
            // As high as the picture, and as wide.
            for size in [PixelSize(width: 12, height: 48), PixelSize(width: 64, height: 16)] {
                renditions.append(Rendition(size: size, mode: .fill, focus: .point(x: x, y: y)))
            }
        }
        let images = try Renderer().render(Self.picture(tag, PixelSize(width: 640, height: 480)), renditions).images
        #expect(images[0].crop == rectangle)
        #expect(Pictures.difference(Pictures.mean(images[0].pixels), [200, 200, 40]) < 4)
        for (index, (x, y)) in points.enumerated() {
            let (high, wide) = (images[1 + 2 * index], images[2 + 2 * index])
            // The point's pixel is in the middle, or as near to it as the edge lets.
            let (left, top) = (max(0, min(x - 60, 520)), max(0, min(y - 80, 320)))
            let (highCrop, wideCrop) = (high.crop, wide.crop)
            #expect(
                highCrop.size == PixelSize(width: 120, height: 480)
                    && wideCrop.size == PixelSize(width: 640, height: 160))
            #expect((left...left + 1).contains(highCrop.x) && highCrop.y == 0)
            #expect((top...top + 1).contains(wideCrop.y) && wideCrop.x == 0)
            for isSecond in [false, true] {
                let lower = PixelRect(x: 0, y: isSecond ? 26 : 0, width: 12, height: 22)
                let right = PixelRect(x: isSecond ? 34 : 0, y: 0, width: 30, height: 16)
                let ofHigh = Pictures.quarterColor(right: x > 320, low: isSecond).map(Double.init)
                let ofWide = Pictures.quarterColor(right: isSecond, low: y > 240).map(Double.init)
                #expect(Pictures.difference(Pictures.mean(high.pixels, lower), ofHigh) < 12)
                #expect(Pictures.difference(Pictures.mean(wide.pixels, right), ofWide) < 12)
            }
        }
    }

    private static let quarters = Pictures.quarters(PixelSize(width: 640, height: 480))

    @Test(
        "A camera's broken note of its own never fails a picture, and costs it nothing",
        arguments: [
            // Words; what claims to be far larger than all of it, or of no type there is; nothing at all.
            (7, 40, Array("no note that any reader would understand".utf8)),
            (7, 0xFFFF_FFFF, [0xFF, 0xFF, 0xFF, 0xF0]),
            (4, 0x8000_0001, [0, 0, 0, 8]), (0, 0, [0, 0, 0, 0]), (999, 5, [0, 0, 0, 9]), (7, 0, [0, 0, 0, 0]),
            // Its place is the beginning of it all, the directory that tells of it, or behind the end.
            (7, 4000, [0, 0, 0, 0]), (13, 1, [0, 0, 0, 8]), (7, 100, [0, 0, 0x7F, 0xFF]),
            // Notes as Apple, Canon, Nikon and Olympus begin them, whose directories are endless or lead to themselves.
            (7, 24, Array("Apple iOS\0\0\u{1}MM".utf8) + [0xFF, 0xFF, 0, 1, 0, 9, 0x7F, 0xFF, 0xFF, 0xFF]),
            (7, 16, [0xFF, 0xFF, 0, 1, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]),
            (7, 22, Array("Nikon\0\u{2}\u{10}\0\0MM\0*".utf8) + [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
            (7, 14, Array("OLYMP\0\u{1}\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ] as [(Int, Int, [UInt8])])
    func makerNotes(type: Int, count: Int, value: [UInt8]) throws {
        func picture(_ note: (Int, Int, [UInt8])?) throws -> OpenedImage {
            let exif = MadeUp.exif(date: "2026:05:01 10:00:00", orientation: 6, note: note)
            return try OpenedImage(.bytes(try Pictures.jpeg(Self.quarters, exif: exif), name: "note.jpg"))
        }
        let (plain, noted) = (try picture(nil), try picture((type, count, value)))
        #expect(noted.header == plain.header && noted.header.orientation == .right)
        #expect(noted.header.uprightSize == PixelSize(width: 480, height: 640))
        #expect(noted.header.date == CaptureDate(exif: "2026:05:01 10:00:00"))
        // At 1/8, and as libvips decodes it, which hands EXIF data to a reader that knows such notes.
        for side in [40, 600] {
            let result = try Renderer().render(noted, [.thumbnail(PixelSize(square: side))])
            #expect(result.warnings.isEmpty)
            let expected = try Renderer().render(plain, [.thumbnail(PixelSize(square: side))])
            #expect(result.images[0].pixels == expected.images[0].pixels)
            #expect(result.images[0].pixels.size == PixelSize(width: side * 3 / 4, height: side))
        }
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
