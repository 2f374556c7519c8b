import JPEGReference
import Testing

@testable import Cameo

/// JPEGs whose frame header leaves the height open, which a DNL segment behind the first scan tells then.
struct LineCountTests {
    private static let renditions = [48, 600].map { [Rendition.thumbnail(PixelSize(square: $0))] }

    private static func made(isProgressive: Bool = false) throws -> [UInt8] {
        var made = MadeJPEG(width: 640, height: 480)
        (made.sampling, made.isProgressive, made.restartInterval) = ([(2, 2)], isProgressive, 7)
        return try #require(made.encoded())
    }

    /// `whole` with a height of 0 in its frame header, and `segment` behind its first scan.
    private static func open(_ whole: [UInt8], _ segment: [UInt8]) throws -> [UInt8] {
        func first(from start: Int, _ isWanted: (UInt8) -> Bool) throws -> Int {
            try #require((start..<whole.count - 1).first { whole[$0] == 0xFF && isWanted(whole[$0 + 1]) })
        }
        let frame = try first(from: 0) { $0 == 0xC0 || $0 == 0xC2 }
        let scan = try first(from: frame) { $0 == 0xDA }
        let end = try first(from: scan + 2) { $0 != 0 && !(0xD0...0xD7).contains($0) }
        var bytes = whole
        bytes.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
        bytes.insert(contentsOf: segment, at: end)
        return bytes
    }

    private static func lines(_ count: Int) -> [UInt8] {
        [0xFF, 0xDC, 0, 4, UInt8(count >> 8), UInt8(count & 255)]
    }

    @Test("Its pictures are those of the same file with the height in its header", arguments: [false, true])
    func same(isProgressive: Bool) throws {
        let whole = try Self.made(isProgressive: isProgressive)
        let (told, open) = (
            try OpenedImage(.bytes(whole, name: "told.jpg")),
            try OpenedImage(.bytes(Self.open(whole, Self.lines(480)), name: "open.jpg"))
        )
        #expect(open.header.storedSize == PixelSize(width: 640, height: 480))
        var strict = RenderOptions()
        strict.isStrict = true
        for options in [RenderOptions(), strict] {
            for renditions in Self.renditions {
                let renderer = Renderer(options: options)
                let (ours, theirs) = (
                    try renderer.render(open, renditions), try renderer.render(told, renditions)
                )
                #expect(ours.images == theirs.images && ours.warnings.isEmpty && theirs.warnings.isEmpty)
            }
        }
    }

    @Test("A segment that is not there, tells of no line, or is none makes a broken file")
    func none() throws {
        let whole = try Self.made()
        for segment in [[], Self.lines(0), [0xFF, 0xDC, 0, 3, 1], [0xFF, 0xDC, 0, 5, 1, 0xE0, 0], [0xFF, 0xDC]] {
            let bytes = try Self.open(whole, segment)
            let error = #expect(throws: RenderError.self) {
                try Renderer().render(.bytes(bytes, name: "open.jpg"), Self.renditions[0])
            }
            #expect(error?.kind == "corrupt", "\(segment)")
        }
        let cut = try Self.open(whole, Self.lines(480)).dropLast(4)
        let error = #expect(throws: RenderError.self) { try OpenedImage(.bytes(Array(cut), name: "cut.jpg")) }
        #expect(error?.kind == "corrupt")
    }

    @Test("More lines than there are end as in any file that ends early, and limits hold for them")
    func huge() throws {
        let source = ImageSource.bytes(try Self.open(Self.made(), Self.lines(9000)), name: "open.jpg")
        let result = try Renderer().render(source, Self.renditions[0])
        #expect(result.warnings == [.damaged] || result.warnings == [.truncated])
        #expect(result.images[0].pixels.size == PixelSize(width: 3, height: 48))
        var options = RenderOptions()
        options.limits.edge = 8999
        let error = #expect(throws: RenderError.self) { try OpenedImage(source, options: options) }
        #expect(error?.kind == "tooLarge")
    }

    @Test("A source of which no more than the header is known is asked for as a whole")
    func sparse() throws {
        let bytes = try Self.open(Self.made(isProgressive: true), Self.lines(480))
        let head = Array(bytes.prefix(1500))
        #expect(SourceDemand.header(head, count: bytes.count) == .whole)
        #expect(SourceDemand.renditions(Self.renditions[0], head, count: bytes.count, options: .init()) == .whole)
    }
}
