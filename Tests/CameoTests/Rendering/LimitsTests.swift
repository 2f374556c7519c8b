import Foundation
import Glibc
import Testing

@testable import Cameo

struct LimitsTests {
    private static func error(_ source: ImageSource, _ options: RenderOptions = RenderOptions()) -> RenderError? {
        do throws(RenderError) {
            _ = try Renderer(options: options).render(source, [.thumbnail(PixelSize(square: 64))])
            return nil
        } catch {
            return error
        }
    }

    @Test("A small file that claims a giant size is refused before it is decoded", arguments: ["jpg", "png", "gif"])
    func bombs(kind: String) {
        let bytes: [UInt8] =
            switch kind {
            case "jpg":
                [
                    0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFA, 0xFA, 0xFA, 0xFA, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
                    0xFF, 0xD9,
                ]
            case "png":
                [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
                    + [0, 1, 0, 0, 0, 1, 0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0]
            default:
                Array("GIF89a".utf8) + [
                    0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 0, 0x3B,
                ]
            }
        // The best of a few: other tests may have the processors for longer than that.
        let took = (0..<5).map { _ in
            ContinuousClock().measure { #expect(Self.error(.bytes(bytes, name: kind))?.kind == "tooLarge") }
        }
        #expect(took.min() ?? .seconds(1) < .seconds(0.5))
    }

    @Test("Each limit refuses what is over it, and only that")
    func each() throws {
        let picture = try Pictures.source(Pictures.quarters(PixelSize(width: 300, height: 200)), .png)
        var options = RenderOptions()
        options.limits.pixels = 60_000
        options.limits.edge = 300
        #expect(Self.error(picture, options) == nil)
        options.limits.pixels = 59_999
        #expect(Self.error(picture, options)?.kind == "tooLarge")
        options.limits.pixels = 60_000
        options.limits.edge = 299
        #expect(Self.error(picture, options)?.kind == "tooLarge")
        options.limits.edge = 300
        options.limits.bytes = 100
        #expect(Self.error(picture, options)?.kind == "tooLarge")
    }

    /// What decoders pass over: a byte that belongs to nothing, a marker that is filled up, and both.
    private static let gaps: [[UInt8]] = [[], [0], [0xFF, 0xFF], [0x12, 0xFF, 0x00, 0xFF]]

    @Test("A progressive JPEG with a thousand scans is refused, whatever stands between its segments", arguments: gaps)
    func scans(gap: [UInt8]) {
        let bytes = Self.manyScans(gap)
        #expect(Self.error(.bytes(bytes, name: "scans.jpg"))?.kind == "tooLarge")
        let structure = JPEGStructure(bytes.span)
        #expect(structure.isProgressive && structure.scans > JPEGStructure.scanLimit)
        #expect(structure.size == PixelSize(square: 64))
    }

    private static func manyScans(_ gap: [UInt8]) -> [UInt8] {
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 2]
        var bytes = start + gap + [0xFF, 0xC2, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
        for _ in 0..<1000 { bytes += gap + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0x7F] }
        return bytes
    }

    @Test("A preview with more scans, or more pixels, than any camera writes is none")
    func previewScans() {
        let large = PixelSize(width: 6000, height: 6000)
        for preview in [Self.manyScans([]), [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x20, 0, 0x20, 0, 1, 1, 0x11, 0]] {
            #expect(EmbeddedPreview.base(preview, orientation: .up, upright: large) == nil)
        }
    }

    @Test("A time limit ends a decode, and a cancelled one says that it was")
    func time() throws {
        let picture = try Pictures.source(Pictures.quarters(PixelSize(width: 4000, height: 4000)), .png)
        var options = RenderOptions()
        options.limits.seconds = 0.001
        #expect(Self.error(picture, options)?.kind == "timedOut")
        let watch = RenderWatch()
        watch.cancel()
        let cancelled = #expect(throws: RenderError.self) {
            try Renderer().render(picture, [.thumbnail(PixelSize(square: 64))], watch: watch)
        }
        #expect(cancelled?.kind == "cancelled")
    }

    @Test(
        "Any number of seconds is a limit", arguments: [.infinity, .greatestFiniteMagnitude, 1e13, 0, -.infinity, .nan])
    func anyTime(seconds: Double) throws {
        var options = RenderOptions()
        options.limits.seconds = seconds
        let picture = try Pictures.quarters(PixelSize(width: 40, height: 30)).encoded(Encoding(.png))
        let rendered = try Renderer(options: options).render(
            .bytes(picture.bytes, name: "a.png"), [.thumbnail(PixelSize(square: 20))])
        #expect(rendered.images.count == 1)
    }

    @Test("What is asked for may cost more than can be counted")
    func countless() throws {
        let picture = try Pictures.quarters(PixelSize(width: 40, height: 30)).encoded(Encoding(.png))
        let opened = try OpenedImage(.bytes(picture.bytes, name: "a.png"))
        let plain = opened.cost(of: [.thumbnail(PixelSize(square: 20))])
        #expect(plain > 4 << 20 && plain < 5 << 20)
        #expect(opened.cost(of: [.thumbnail(PixelSize(square: 1 << 31))]) > plain)
        #expect(opened.cost(of: Array(repeating: .thumbnail(PixelSize(square: .max)), count: 3)) == .max)
    }

    @Test("What is no file, or none that can be read, is told as what it is, without waiting")
    func notFiles() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path.appending("pipe.jpg")
        #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
        let subfolder = folder.path.appending("a.jpg")
        #expect(subfolder.withCString { mkdir($0, 0o700) } == 0)
        let dangling = folder.path.appending("gone.jpg")
        #expect(dangling.withCString { symlink("nowhere", $0) } == 0)
        for (path, words) in [
            (pipe, "pipe"), (subfolder, "folder"), (dangling, "No such file"), (FilePath("/dev/zero"), "device"),
        ] {
            let error = Self.error(.file(path))
            #expect(error?.kind == "unreadable")
            #expect("\(error.map(String.init(describing:)) ?? "")".contains(words), "\(path)")
        }
        #expect(Self.error(.file(try folder.write([], to: "zero.jpg")))?.kind == "empty")
        #expect(Self.error(.file(try folder.write(Array("just words".utf8), to: "words.jpg")))?.kind == "notAnImage")
    }

    @Test("A socket named like a picture is told as what it is")
    func socket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("a.jpg")
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.description.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        let error = Self.error(.file(path))
        #expect(error?.kind == "unreadable")
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("socket"), "\(String(describing: error))")
    }

    @Test("A file without permission is told as that, with its name")
    func noPermission() throws {
        let folder = try TemporaryFolder()
        let picture = try Pictures.quarters(PixelSize(square: 40)).encoded(Encoding(.png)).bytes
        let path = try folder.write(picture, to: "secret.png")
        #expect(path.withCString { chmod($0, 0) } == 0)
        // Root may read everything; as far as files go, this thread is nobody for a moment.
        let user = Self.setFileUser(65_534)
        let error = Self.error(.file(path))
        _ = Self.setFileUser(UInt32(user))
        #expect(error == .unreadable(source: path.description, reason: "Permission denied"))
        #expect(path.withCString { chmod($0, 0o600) } == 0)
        #expect(Self.error(.file(path)) == nil)
    }

    /// Whose rights this thread has in the file system from now on; returns whose it had. The importer leaves it out.
    @_silgen_name("setfsuid")
    private static func setFileUser(_ user: UInt32) -> Int32

    @Test("The content decides the format, not the extension")
    func content() throws {
        let folder = try TemporaryFolder()
        let png = try Pictures.quarters(PixelSize(square: 40)).encoded(Encoding(.png)).bytes
        let opened = try OpenedImage(.file(folder.write(png, to: "wrong.jpg")))
        #expect(opened.header.format == .png)
    }

    @Test(
        "A format that is not read is refused by its name",
        arguments: [
            ("%PDF-1.7", "PDF"), ("BM......", "BMP"), ("8BPS....", "PSD"),
            ("\u{0}\u{0}\u{0}\u{18}ftypcrx ", "camera raw (CR3)"),
            ("\u{0}\u{0}\u{0}\u{18}ftypqt  ", "QuickTime video"), ("<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        ])
    func unsupported(head: String, name: String) {
        let error = Self.error(.bytes(Array(head.utf8), name: "x"))
        #expect(error == .unsupported(source: "x", format: name))
    }

    @Test("SVG is drawn once it is allowed, at the size of the rendition")
    func optional() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='#204080'/></svg>"
        var options = RenderOptions()
        options.formats.insert(.svg)
        let image = try Renderer(options: options).render(
            .bytes(Array(text.utf8), name: "x.svg"), [.profilePicture(120, shape: .rectangle)])
        #expect(image.images[0].pixels[60, 60] == [0x20, 0x40, 0x80])
    }

    @Test("The cost of a decode covers a whole frame where one is held")
    func cost() throws {
        let picture = Pictures.quarters(PixelSize(width: 1000, height: 1000))
        let baseline = try OpenedImage(Pictures.source(picture, .jpeg)).decodeCost
        let webp = try OpenedImage(Pictures.source(picture, .webp)).decodeCost
        #expect(webp > baseline && webp > 8_000_000)
    }
}
