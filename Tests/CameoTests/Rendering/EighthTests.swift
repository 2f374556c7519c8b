import JPEGReference
import Resampling
import Testing

@testable import Cameo

/// JPEGs that are so much larger than the rendition that their 1/8 picture is taken.
struct EighthTests {
    /// A slope over the upright picture: its red tells the column and its green the row, between 20 and 235.
    private static func slope(_ upright: PixelSize, orientation: Orientation) throws -> [UInt8] {
        let stored = orientation.upright(upright)
        func level(_ place: Int, _ count: Int) -> UInt8 { UInt8(20 + (place * 215 + count / 2) / count) }
        let pixels = Pictures.painted(stored) { x, y in
            let (right, bottom) = (stored.width - 1 - x, stored.height - 1 - y)
            let (column, row) =
                switch orientation {
                case .up: (x, y)
                case .upMirrored: (right, y)
                case .down: (right, bottom)
                case .downMirrored: (x, bottom)
                case .leftMirrored: (y, x)
                case .right: (bottom, x)
                case .rightMirrored: (bottom, right)
                case .left: (y, right)
                }
            return [level(column, upright.width), level(row, upright.height), 128]
        }
        return try Pictures.jpeg(pixels, exif: Pictures.exif(orientation: orientation.rawValue))
    }

    /// The largest difference to what the slope is at each pixel of the result, but for a rim of two pixels, where a
    /// kernel reaches over the edge.
    private static func error(_ image: RenderedImage, _ upright: PixelSize) -> Double {
        let (size, crop) = (image.pixels.size, image.crop)
        var worst = 0.0
        for y in 2..<size.height - 2 {
            for x in 2..<size.width - 2 {
                let column = Double(crop.x) + (Double(x) + 0.5) * Double(crop.width) / Double(size.width)
                let row = Double(crop.y) + (Double(y) + 0.5) * Double(crop.height) / Double(size.height)
                let pixel = image.pixels[x, y]
                worst = max(
                    worst, abs(Double(pixel[0]) - (20 + column * 215 / Double(upright.width))),
                    abs(Double(pixel[1]) - (20 + row * 215 / Double(upright.height))))
            }
        }
        return worst
    }

    @Test(
        "Nothing is out of place at any orientation where no edge is a multiple of eight",
        arguments: Patience.isForThreads ? [.up, .leftMirrored] : Orientation.allCases)
    func places(orientation: Orientation) throws {
        let upright = PixelSize(width: 1005, height: 797)
        let opened = try OpenedImage(.bytes(Self.slope(upright, orientation: orientation), name: "slope.jpg"))
        #expect(opened.header.uprightSize == upright)
        for rendition in [
            Rendition.thumbnail(PixelSize(square: 64)),
            Rendition(
                size: PixelSize(square: 40), mode: .fill,
                focus: .rectangle(PixelRect(x: 301, y: 203, width: 555, height: 555))),
            Rendition(size: PixelSize(width: 30, height: 55), mode: .fill, focus: .point(x: 777, y: 400)),
        ] {
            let image = try Renderer().render(opened, [rendition]).images[0]
            // A pixel of the result is a step of 3 to 5 levels; half of one out of place would show.
            #expect(Self.error(image, upright) < 1.6, "\(rendition.size)")
        }
    }

    private static func made(_ change: (inout MadeJPEG) -> Void) throws -> [UInt8] {
        var made = MadeJPEG(width: 640, height: 480)
        made.sampling = [(2, 2)]
        change(&made)
        return try #require(made.encoded())
    }

    private static let box = [Rendition.thumbnail(PixelSize(square: 48))]

    @Test("A file that ends early is told of, whichever decoder it falls to", arguments: [false, true])
    func truncated(isProgressive: Bool) throws {
        let whole = try Self.made { $0.isProgressive = isProgressive }
        #expect(try Renderer().render(.bytes(whole, name: "whole.jpg"), Self.box).warnings.isEmpty)
        for part in 2..<20 {
            let cut = Array(whole[..<(whole.count * part / 20)])
            let warnings = try Renderer().render(.bytes(cut, name: "cut.jpg"), Self.box).warnings
            #expect(warnings == [.truncated], "cut at \(part) twentieths")
        }
    }

    @Test("Damage within the data is told of")
    func damaged() throws {
        var bytes = try Self.made { $0.restartInterval = 4 }
        let marker = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD3 })
        bytes[marker + 1] = 0xD6
        let warnings = try Renderer().render(.bytes(bytes, name: "hurt.jpg"), Self.box).warnings
        #expect(warnings == [.damaged] || warnings == [.truncated])
    }

    @Test("Damage behind a progressive file's first scan is not looked for, unless strictness asks for it")
    func strict() throws {
        var options = RenderOptions()
        options.isStrict = true
        let strict = Renderer(options: options)
        for isProgressive in [true, false] {
            let whole = try Self.made { $0.isProgressive = isProgressive }
            #expect(try strict.render(.bytes(whole, name: "whole.jpg"), Self.box).warnings.isEmpty)
            // Ones only: a code that no table has. Nine tenths of the way there are no DC coefficients.
            var bytes = whole
            let place = whole.count * 9 / 10
            bytes.replaceSubrange(place..<place + 80, with: (0..<80).map { $0 % 2 == 0 ? 0xFF : 0 })
            let hurt = ImageSource.bytes(bytes, name: "hurt.jpg")
            #expect(try Renderer().render(hurt, Self.box).warnings == (isProgressive ? [] : [.damaged]))
            for renditions in [Self.box, [.thumbnail(PixelSize(square: 600))]] {
                let error = #expect(throws: RenderError.self) { try strict.render(hurt, renditions) }
                #expect(error?.kind == "corrupt")
            }
        }
    }

    @Test(
        "The picture is that of a full decode in every colour model",
        arguments: [
            MadeJPEG.Color.grey, .yCbCr, .rgb, .cmyk, .ycck,
        ])
    func models(color: MadeJPEG.Color) throws {
        let bytes = try Self.made {
            ($0.color, $0.content, $0.quality) = (color, .smooth, 95)
            $0.sampling = []
        }
        let opened = try OpenedImage(.bytes(bytes, name: "made.jpg"))
        let small = try Renderer().render(opened, Self.box).images[0].pixels
        // One that is not small enough to take the 1/8 picture, averaged down here.
        let large = try Renderer().render(opened, [.thumbnail(PixelSize(square: 480))]).images[0].pixels
        for y in stride(from: 3, to: 33, by: 3) {
            for x in stride(from: 3, to: 45, by: 3) {
                let block = Pictures.mean(large, PixelRect(x: x * 10, y: y * 10, width: 10, height: 10))
                #expect(Pictures.difference(small[x, y].map(Double.init), block) < 4, "\(color) at \(x), \(y)")
            }
        }
    }

    @Test("A first scan that leaves out more than two grey levels is not taken for the picture", arguments: 0...5)
    func leftOut(bits: Int) throws {
        func made(_ isProgressive: Bool) throws -> OpenedImage {
            let bytes = try Self.made {
                ($0.content, $0.quality, $0.isSplit, $0.isProgressive) = (.smooth, 80, true, isProgressive)
                $0.leftOut = bits
            }
            return try OpenedImage(.bytes(bytes, name: "made.jpg"))
        }
        let opened = try made(true)
        // The first number of the table at this quality is 6 for luma and 7 for chroma.
        let isClose = 7 * (1 << bits - 1) <= 32
        #expect((try opened.eighth(reduction: 13.3, isStrict: false, watch: RenderWatch()) != nil) == isClose)
        let (ours, right) = (
            try Renderer().render(opened, Self.box).images[0].pixels,
            try Renderer().render(made(false), Self.box).images[0].pixels
        )
        for y in 2..<34 {
            for x in 2..<46 {
                // Two of luma, and of chroma 1.772 times as many in blue.
                #expect(Pictures.difference(ours[x, y].map(Double.init), right[x, y].map(Double.init)) < 6)
            }
        }
    }

    @Test("Once it is called off, or its time is over, there is no 1/8 picture")
    func calledOff() throws {
        let opened = try OpenedImage(.bytes(Self.made { _ in }, name: "made.jpg"))
        let watch = RenderWatch()
        #expect(try opened.eighth(reduction: 13.3, isStrict: false, watch: watch) != nil)
        watch.cancel()
        #expect(try opened.eighth(reduction: 13.3, isStrict: false, watch: watch) == nil)
        #expect(throws: RenderError.cancelled(source: "made.jpg")) {
            try Renderer().render(opened, Self.box, watch: watch)
        }
    }

    @Test("Where a rendition is too large for the 1/8 picture, that stands in for it in its own pixels")
    func standIn() throws {
        let upright = PixelSize(width: 1005, height: 797)
        let opened = try OpenedImage(.bytes(Self.slope(upright, orientation: .right), name: "slope.jpg"))
        for side in [500, 900] {
            let image = try #require(opened.standIns(for: [.thumbnail(PixelSize(square: side))], by: .eighth)?.first)
            #expect((125...127).contains(image.pixels.size.width) && (99...101).contains(image.pixels.size.height))
            #expect(Self.error(image, upright) < 6)
        }
        #expect(opened.standIns(for: [.thumbnail(PixelSize(square: 40))], by: .eighth) == nil)
        let other = try OpenedImage(Pictures.source(Pictures.quarters(PixelSize(square: 64)), .png))
        #expect(other.standIns(for: [.thumbnail(PixelSize(square: 60))], by: .eighth) == nil)
    }
}

struct WindowResamplerTests {
    @Test("Over the whole picture it does what libvips does", arguments: [(64, 48), (21, 33), (120, 90)])
    func likeLibvips(width: Int, height: Int) throws {
        let size = PixelSize(width: 120, height: 90)
        let pixels = Pictures.painted(size) { x, y in
            [UInt8(x * 2), UInt8((x * 7 ^ y * 5) & 255), UInt8(y * y % 251)]
        }
        let output = PixelSize(width: width, height: height)
        let theirs = try pixels.withRaster { raster throws(VipsFailure) in
            try PixelBuffer(raster.resized(to: output))
        }
        let window = WindowResampler.Window(x: 0, y: 0, width: 120, height: 90)
        let ours = pixels.bytes.withUnsafeBytes {
            WindowResampler(window, of: size, channels: 3, to: output).resample($0)
        }
        let differences = zip(ours, theirs.bytes).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < 1, "mean \(mean)")
    }

    @Test("One colour stays that colour for every number of channels and every window", arguments: 1...4)
    func constant(channels: Int) {
        let pixels = [UInt8](repeating: 201, count: 17 * 13 * channels)
        for window in [
            WindowResampler.Window(x: 0, y: 0, width: 17, height: 13),
            WindowResampler.Window(x: 3.3, y: 0.7, width: 0.4, height: 11.9),
            WindowResampler.Window(x: 16.2, y: 12.5, width: 0.8, height: 0.5),
        ] {
            let resampler = WindowResampler(
                window, of: PixelSize(width: 17, height: 13), channels: channels, to: PixelSize(width: 5, height: 31))
            let out = pixels.withUnsafeBytes { resampler.resample($0) }
            #expect(out == [UInt8](repeating: 201, count: 5 * 31 * channels))
        }
    }
}
