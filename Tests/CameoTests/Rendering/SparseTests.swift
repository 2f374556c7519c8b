import Foundation
import JPEGReference
import Testing

@testable import Cameo

/// Sources of which only parts are known: what is made of them is what the whole gives, or nothing.
struct SparseTests {
    /// Parts of `bytes`, read as `demand` asks for them from `probe` bytes on; all of them where it does.
    private static func read(
        _ bytes: [UInt8], probe: Int = 2048, _ demand: ([UInt8], Int) -> SourceDemand
    ) -> ImageSource {
        var known = min(probe, bytes.count)
        while known < bytes.count {
            switch demand(Array(bytes[..<known]), bytes.count) {
            case .whole: known = bytes.count
            case .head(let wanted):
                #expect(wanted > known && wanted < bytes.count)
                known = wanted
            case .enough(let tail):
                guard known + tail < bytes.count,
                    let parts = SparseBytes(
                        head: Array(bytes[..<known]), tail: Array(bytes.suffix(tail)), count: bytes.count)
                else { return .bytes(bytes, name: "it") }
                return .sparse(parts, name: "it")
            }
        }
        return .bytes(bytes, name: "it")
    }

    private static func error<Value>(of body: () throws(RenderError) -> Value) -> RenderError? {
        do throws(RenderError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    private static func made(split: Bool = false, _ color: MadeJPEG.Color = .yCbCr) throws -> [UInt8] {
        var made = MadeJPEG(width: 1200, height: 900)
        (made.isProgressive, made.isSplit, made.color, made.quality) = (true, split, color, 90)
        return try #require(made.encoded())
    }

    private static let box = [Rendition.thumbnail(PixelSize(square: 64))]

    private static func parts(_ bytes: [UInt8], options: RenderOptions = RenderOptions()) -> ImageSource {
        read(bytes) { SourceDemand.renditions(box, $0, count: $1, options: options) }
    }

    @Test(
        "A picture of an eighth is the whole file's, with a fifth of its bytes at most",
        arguments: [MadeJPEG.Color.grey, .yCbCr, .cmyk], [false, true])
    func same(color: MadeJPEG.Color, split: Bool) throws {
        let bytes = try Self.made(split: split, color)
        let source = Self.parts(bytes)
        guard case .sparse(let parts, _) = source else {
            Issue.record("it was read whole")
            return
        }
        #expect(parts.head.count + parts.tail.count < bytes.count / 5)
        let whole = try Renderer().render(.bytes(bytes, name: "it"), Self.box)
        let some = try Renderer().render(source, Self.box)
        #expect(some.images == whole.images && some.warnings == whole.warnings)
    }

    @Test("Where the end is not the image's, or garbage hides it, more is asked for and nothing made")
    func ends() throws {
        let bytes = try Self.made()
        for cut in [bytes.count - 1, bytes.count - 2, bytes.count / 2] {
            #expect(
                Self.error { () throws(RenderError) in
                    try Renderer().render(Self.parts(Array(bytes[..<cut])), Self.box)
                } == .incomplete(source: "it"), "\(cut)")
        }
        let garbage = bytes + [UInt8](repeating: 0, count: 9000)
        #expect(
            Self.error { () throws(RenderError) in try Renderer().render(Self.parts(garbage), Self.box) }
                == .incomplete(source: "it"))
        let little = bytes + Array("a maker's word".utf8)
        #expect(try Renderer().render(Self.parts(little), Self.box).warnings.isEmpty)
        guard case .sparse = Self.parts(little) else { throw RenderError.empty(source: "read whole") }
    }

    @Test("What takes other bytes than are known is refused, and asked for as a whole")
    func refused() throws {
        let bytes = try Self.made()
        let source = Self.parts(bytes)
        let opened = try OpenedImage(source)
        #expect(!opened.isComplete && opened.stamp == nil)
        let large = [Rendition.thumbnail(PixelSize(square: 500))]
        let head = Array(bytes[..<9000])
        #expect(SourceDemand.renditions(large, head, count: bytes.count, options: RenderOptions()) == .whole)
        #expect(Self.error { () throws(RenderError) in try Renderer().render(opened, large) }?.kind == "incomplete")
        #expect(Self.error { () throws(RenderError) in try opened.digest }?.kind == "incomplete")
        var strict = RenderOptions()
        strict.isStrict = true
        #expect(SourceDemand.renditions(Self.box, head, count: bytes.count, options: strict) == .whole)
        let renderer = Renderer(options: strict)
        #expect(Self.error { () throws(RenderError) in try renderer.render(source, Self.box) }?.kind == "incomplete")
        // A head that ends within the scan of DC.
        let short = try #require(SparseBytes(head: Array(bytes[..<2048]), tail: bytes.suffix(1024), count: bytes.count))
        #expect(
            Self.error { () throws(RenderError) in try Renderer().render(.sparse(short, name: "it"), Self.box) }?.kind
                == "incomplete")
        // One that ends within the header.
        let tiny = try #require(SparseBytes(head: Array(bytes[..<100]), tail: [], count: bytes.count))
        #expect(
            Self.error { () throws(RenderError) in try OpenedImage(.sparse(tiny, name: "it")) }?.kind == "incomplete")
        var small = RenderOptions()
        small.limits.bytes = bytes.count - 1
        #expect(Self.error { () throws(RenderError) in try OpenedImage(source, options: small) }?.kind == "tooLarge")
    }

    @Test("Parts without anything between them are no sparse source")
    func gaps() throws {
        #expect(SparseBytes(head: [1, 2], tail: [3], count: 3) == nil)
        #expect(SparseBytes(head: [], tail: [3], count: 3) == nil)
        #expect(SparseBytes(head: [1, 2], tail: [3, 4], count: 3) == nil)
        #expect(SparseBytes(head: [1], tail: [2], count: .min) == nil)
        #expect(try #require(SparseBytes(head: [1], tail: [3], count: 3)).hole == 1..<2)
    }

    @Test("A header read from a part is the whole file's, or the whole file's error")
    func headers() throws {
        let samples = FileManager.default.enumerator(
            at: Corpus.repository.appendingPathComponent("Samples/Photos"), includingPropertiesForKeys: nil)
        var files = Corpus.entries.map(\.file)
        for case let url as URL in samples ?? .init() where !url.hasDirectoryPath { files.append(FilePath(url.path)) }
        var (sparse, formats) = (0, Set<ImageFormat>())
        for file in files {
            guard let bytes = FileManager.default.contents(atPath: file.description).map({ [UInt8]($0) }),
                !bytes.isEmpty
            else { continue }
            var (header, failure): (ImageHeader?, String?)
            do { header = try OpenedImage(.bytes(bytes, name: "it")).header } catch { failure = error.kind }
            let source = Self.read(bytes) { SourceDemand.header($0, count: $1) }
            do throws(RenderError) {
                let found = try OpenedImage(source).header
                #expect(found == header, "\(file)")
                if case .sparse = source {
                    sparse += 1
                    formats.insert(found.format)
                }
            } catch {
                #expect(error.kind == failure || error.kind == "incomplete", "\(file): \(error)")
            }
        }
        #expect(sparse > 15 && formats.isSuperset(of: [.jpeg, .png, .heif]), "\(sparse) \(formats)")
    }

    @Test("Sources that differ in what is known of them share no work and no memory")
    func identities() throws {
        let parts = [
            ([UInt8](1...9), [UInt8](1...3), 40), ([1, 2], [1, 2, 3], 40), ([1, 2], [1, 2, 3], 41),
            ([1, 2, 1, 2, 3], [], 40),
        ]
        let identities = try parts.map { head, tail, count in
            let source = try #require(SparseBytes(head: head, tail: tail, count: count))
            return ImageRequest(.sparse(source, name: "it"), Self.box[0]).identity
        }
        #expect(Set(identities).count == parts.count)
    }

    @Test("A gap of a gigabyte takes no memory")
    func gap() throws {
        let bytes = try Self.made()
        guard case .sparse(let parts, _) = Self.parts(bytes) else { throw RenderError.empty(source: "read whole") }
        let large = try #require(SparseBytes(head: parts.head, tail: parts.tail, count: 1 << 30))
        let before = Worker.resident(Int(getpid()))
        let result = try Renderer().render(.sparse(large, name: "it"), Self.box)
        #expect(result.warnings.isEmpty && Worker.resident(Int(getpid())) - before < 256 << 20)
    }
}
