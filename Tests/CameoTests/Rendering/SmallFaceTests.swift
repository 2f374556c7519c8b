import Glibc
import Testing

@testable import Cameo

/// Faces that need more pixels than the decode that they are found in has.
struct SmallFaceTests {
    private static let size = PixelSize(width: 500, height: 420)
    /// 24 pixels of a crop of 2.8 × 45 are 5.25 times smaller, and the 1/8 picture that is searched is not enough.
    private static let face = DetectedFace(x: 0.62, y: 0.2, width: 0.09, height: 0.107, confidence: 1)
    private static let renditions = [16, 24].map { Rendition.profilePicture($0, shape: .rectangle) }

    private static func renderer(_ memory: FaceSearchTests.Memory? = nil) -> Renderer {
        Renderer(faces: FaceSearch(FaceSearchTests.Detector(sides: [60]) { _ in [face] }, memory: memory))
    }

    /// Waves that no two places share, six levels a pixel at the steepest.
    private static func levels(_ x: Double, _ y: Double) -> [Double] {
        let (across, down) = (sin(x / 16), sin(y / 19))
        return [across * 90 + 128, down * 90 + 128, (across + down) * 40 + 128]
    }

    private static let upright = Pictures.painted(size) { x, y in
        levels(Double(x), Double(y)).map { UInt8($0.rounded()) }
    }

    /// The waves, stored turned.
    private static func jpeg(orientation: Int, quality: Int = 90) throws -> [UInt8] {
        let turn = try #require(Orientation(rawValue: orientation))
        let stored = turn.isTransposed ? size.transposed : size
        let pixels = Pictures.painted(stored) { x, y in
            let (right, bottom) = (size.width - 1, size.height - 1)
            // EXIF 2.32's table of rows and columns.
            let place =
                switch orientation {
                case 2: (right - x, y)
                case 3: (right - x, bottom - y)
                case 4: (x, bottom - y)
                case 5: (y, x)
                case 6: (right - y, x)
                case 7: (right - y, bottom - x)
                case 8: (y, bottom - x)
                default: (x, y)
                }
            let start = (place.1 * size.width + place.0) * 3
            return Array(upright.bytes[start..<start + 3])
        }
        return try Pictures.jpeg(pixels, exif: Pictures.exif(orientation: orientation), quality: quality)
    }

    @Test("A small face is cut out to a fraction of a pixel, whatever the file's orientation", arguments: 1...8)
    func place(tag: Int) throws {
        // At 80 chroma is subsampled.
        let quality = tag % 4 < 2 ? 80 : 92
        let source = ImageSource.bytes(try Self.jpeg(orientation: tag, quality: quality), name: "\(tag).jpg")
        for image in try Self.renderer().render(source, Self.renditions).images {
            let (crop, side) = (image.crop, image.pixels.size.width)
            let step = Double(crop.width) / Double(side)
            var differences: [Double] = []
            for y in 0..<side {
                for x in 0..<side {
                    let wanted = Self.levels(
                        Double(crop.x) + (Double(x) + 0.5) * step - 0.5,
                        Double(crop.y) + (Double(y) + 0.5) * step - 0.5)
                    let start = (y * side + x) * 3
                    differences += (0..<3).map { abs(Double(image.pixels.bytes[start + $0]) - wanted[$0]) }
                }
            }
            // Half a pixel of the picture aside would be two levels in the mean.
            #expect(differences.reduce(0, +) / Double(differences.count) < 1.3, "\(quality), \(side)")
        }
    }

    @Test("It is cut out of the picture at a quarter, and that alone of what lies around it")
    func part() throws {
        let opened = try OpenedImage(.bytes(try Self.jpeg(orientation: 6), name: "6.jpg"))
        let whole = try DecodedBase.decoded(
            opened, reduction: 12, tolerance: .none, isStrict: false, watch: RenderWatch())
        let upright = opened.header.uprightSize
        let area = PixelRect(x: 150, y: 100, width: 200, height: 240)
        let part = try #require(try whole.part(area, of: opened, reduction: 6))
        #expect(part.size.width >= 50 && part.size.width < 90 && part.size.height >= 60 && part.size.height < 100)
        #expect(part.upright == upright)
        #expect(try whole.part(area, of: opened, reduction: 4.7) == nil)
        #expect(try part.part(area, of: opened, reduction: 6) == nil)
    }

    @Test("What is remembered gives the same bytes, and so does company; the blur is of the whole")
    func remembered() throws {
        let path = FilePath("/tmp/cameo-small-face-\(getpid())-\(UInt64.random(in: 0...(.max))).jpg")
        try WholeFile.write(Self.jpeg(orientation: 1), to: path)
        defer { _ = path.withCString { unlink($0) } }
        usleep(2_100_000)
        let memory = FaceSearchTests.Memory()
        let renderer = Self.renderer(memory)
        let opened = try OpenedImage(.file(path))
        let first = try renderer.render(opened, Self.renditions)
        #expect(memory.known.withLock { $0.count } == 1)
        let second = try renderer.render(opened, Self.renditions, hashes: true)
        #expect(first.images == second.images && first.warnings == second.warnings)
        let plain = try Renderer().render(opened, [.thumbnail(PixelSize(square: 40))], hashes: true)
        #expect(second.thumbHash == plain.thumbHash)
    }
}
