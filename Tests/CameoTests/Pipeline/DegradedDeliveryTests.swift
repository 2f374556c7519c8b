import Foundation
import JPEGReference
import Testing

@testable import Cameo

/// Stand-ins: when they come, what they show, and that they are never taken for the picture.
struct DegradedDeliveryTests {
    /// A little-endian TIFF structure with an orientation and, in its second directory, an embedded preview.
    private static func exif(orientation: Int, preview: [UInt8]) -> [UInt8] {
        func u16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func u32(_ value: Int) -> [UInt8] { u16(value & 0xFFFF) + u16(value >> 16) }
        let first = u16(1) + u16(0x0112) + u16(3) + u32(1) + u32(orientation) + u32(26)
        let second =
            u16(2) + u16(0x0201) + u16(4) + u32(1) + u32(56) + u16(0x0202) + u16(4) + u32(1) + u32(preview.count)
            + u32(0)
        return Array("II".utf8) + u16(42) + u32(8) + first + second + preview
    }

    /// A photo whose quarters are red, green, blue, yellow as stored, with a preview of the same or other pixels.
    static func photo(
        _ size: PixelSize = PixelSize(width: 600, height: 400), orientation: Int = 1, preview: PixelBuffer
    ) throws -> ImageSource {
        let small = try preview.encoded(Encoding(.jpeg, quality: 90)).bytes
        let bytes = try Pictures.jpeg(Pictures.quarters(size), exif: exif(orientation: orientation, preview: small))
        return .bytes(bytes, name: "photo.jpg")
    }

    /// `inner` in the middle of black, as some cameras make their previews.
    private static func letterboxed(_ inner: PixelSize, in outer: PixelSize) -> PixelBuffer {
        var pixels = PixelBuffer(size: outer, filledWith: .black)
        pixels.draw(
            Pictures.quarters(inner), x: (outer.width - inner.width) / 2, y: (outer.height - inner.height) / 2)
        return pixels
    }

    /// The events of a request that was let run.
    private static func events(_ bench: Bench, _ request: ImageRequest) async -> [ImageEvent] {
        let events = bench.pipeline.start(request).events
        bench.run()
        var heard: [ImageEvent] = []
        for await event in events { heard.append(event) }
        return heard
    }

    private static func request(_ source: ImageSource, _ delivery: Delivery = .opportunistic, side: Int = 200)
        -> ImageRequest
    {
        ImageRequest(source, .thumbnail(PixelSize(square: side)), delivery: delivery)
    }

    @Test("The embedded preview comes first and degraded, the picture then, and only the picture is kept")
    func opportunistic() async throws {
        let bench = Bench()
        let source = try Self.photo(preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
        let events = await Self.events(bench, Self.request(source))
        #expect(events.count == 2)
        let standIn = try #require(events[0].image)
        #expect(!events[0].isTerminal && standIn.isDegraded && standIn.origin == .embeddedPreview)
        #expect(standIn.pixels.size == PixelSize(width: 150, height: 100))
        let final = try #require(events[1].image)
        #expect(!final.isDegraded && final.pixels.size == PixelSize(width: 200, height: 133))
        #expect(bench.pipeline.cachedImage(for: Self.request(source))?.isDegraded == false)
        #expect(bench.pipeline.memory.count == 1 && bench.numbers.degraded == 1)
    }

    @Test("A final request is never given a stand-in")
    func final() async throws {
        let bench = Bench()
        let source = try Self.photo(preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
        let events = await Self.events(bench, Self.request(source, .final))
        #expect(events.count == 1 && events[0].image?.isDegraded == false)
    }

    @Test("A fast request is done with the stand-in, and nothing is decoded or kept for it")
    func fast() async throws {
        let bench = Bench()
        let source = try Self.photo(preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
        let events = await Self.events(bench, Self.request(source, .fast))
        #expect(events.count == 1 && events[0].isTerminal && events[0].image?.isDegraded == true)
        #expect(bench.numbers.decodes == 0 && bench.pipeline.memory.count == 0)
        #expect(bench.pipeline.cachedImage(for: Self.request(source)) == nil)
    }

    @Test("The embedded preview is turned with the main image's orientation, once", arguments: 1...8)
    func turned(orientation: Int) async throws {
        let bench = Bench()
        let source = try Self.photo(
            orientation: orientation, preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
        let events = await Self.events(bench, Self.request(source))
        let (standIn, final) = (try #require(events[0].image?.pixels), try #require(events[1].image?.pixels))
        #expect((standIn.size.width > standIn.size.height) == (orientation < 5))
        for (a, b) in zip(Pictures.quarters(of: standIn.size), Pictures.quarters(of: final.size)) {
            #expect(Pictures.difference(Pictures.mean(standIn, a), Pictures.mean(final, b)) < 12)
        }
    }

    @Test(
        "A letterboxed embedded preview does not flash a different aspect: its black bars are cut",
        arguments: [
            (PixelSize(width: 600, height: 400), PixelSize(width: 160, height: 107)),
            (PixelSize(width: 400, height: 600), PixelSize(width: 80, height: 120)),
            (PixelSize(width: 640, height: 360), PixelSize(width: 160, height: 90)),
        ])
    func bars(size: PixelSize, inner: PixelSize) async throws {
        let bench = Bench()
        let preview = Self.letterboxed(inner, in: PixelSize(width: 160, height: 120))
        let events = await Self.events(bench, Self.request(try Self.photo(size, preview: preview)))
        let standIn = try #require(events[0].image?.pixels)
        let aspect = Double(standIn.size.width) / Double(standIn.size.height)
        #expect(abs(aspect / (Double(size.width) / Double(size.height)) - 1) < 0.02)
        // No edge is darker than the picture.
        for (quarter, isLow) in zip(Pictures.quarters(of: standIn.size), [false, false, true, true]) {
            let line = PixelRect(
                x: quarter.x, y: isLow ? standIn.size.height - 1 : 0, width: quarter.width, height: 1)
            #expect(Pictures.difference(Pictures.mean(standIn, line), Pictures.mean(standIn, quarter)) < 30)
        }
    }

    @Test("An embedded preview of another aspect, as after a crop, is not shown")
    func otherAspect() async throws {
        let bench = Bench()
        let preview = Pictures.quarters(PixelSize(width: 160, height: 120))
        let events = await Self.events(bench, Self.request(try Self.photo(preview: preview)))
        #expect(events.count == 1 && events[0].image?.isDegraded == false)
    }

    @Test("A damaged embedded preview fails nothing")
    func damaged() async throws {
        let bench = Bench()
        let bytes = try Pictures.jpeg(
            Pictures.quarters(PixelSize(width: 600, height: 400)),
            exif: Self.exif(orientation: 1, preview: [0xFF, 0xD8, 0xFF, 0xDB] + Array(repeating: 7, count: 300)))
        let events = await Self.events(bench, Self.request(.bytes(bytes, name: "a.jpg")))
        #expect(events.count == 1 && events[0].image != nil)
    }

    @Test("A smaller picture in memory stands in before the call returns; one of another look does not")
    func smaller() async throws {
        let bench = Bench(isSuspended: false)
        let source = Bench.source(1, PixelSize(width: 300, height: 200))
        _ = try await bench.pipeline.image(for: Self.request(source, side: 50))
        bench.pipeline.queue.isSuspended = true
        let task = bench.pipeline.start(Self.request(source, side: 120))
        guard case .degraded(let standIn) = task.lastEvent else {
            Issue.record("no stand-in")
            return
        }
        #expect(standIn.pixels.size == PixelSize(width: 50, height: 33) && standIn.isDegraded)
        #expect(bench.pipeline.start(Self.request(source, .final, side: 120)).lastEvent?.image == nil)
        let filled = Rendition(size: PixelSize(square: 120), mode: .fill)
        #expect(bench.pipeline.start(ImageRequest(source, filled)).lastEvent?.image == nil)
        #expect(bench.pipeline.start(Self.request(source, .fast, side: 120)).isDone)
        bench.run()
        #expect(task.lastEvent?.image?.pixels.size == PixelSize(width: 120, height: 80))
    }

    /// A rendition that differs from the usual one in one thing.
    private static let others: [(String, @Sendable (inout Rendition) -> Void)] = [
        ("mode", { $0.mode = .fill }), ("shape", { $0.shape = .circle }), ("focus", { $0.focus = .attention }),
        ("background", { $0.background = .black }), ("ring", { $0.ring = Rendition.Ring(width: 2, color: .black) }),
        ("enlarges", { $0.enlarges = true }), ("format", { $0.encoding.format = .jpeg }),
        ("turn", { $0.turn = .right }),
    ]

    @Test("No picture stands in for one that differs in anything but size, quality and the width of a ring")
    func onlySize() throws {
        let usual = Rendition(size: PixelSize(square: 50))
        // A property that is added must be tried here, too.
        #expect(Mirror(reflecting: usual).children.count == Self.others.count + 1, "size and quality apart")
        for (name, change) in Self.others {
            var other = usual
            change(&other)
            #expect(other != usual && !usual.shows(asMuchAs: other) && !other.shows(asMuchAs: usual), "\(name)")
        }
        var (large, fine) = (usual, usual)
        large.size = PixelSize(width: 300, height: 200)
        fine.encoding.quality = 95
        #expect(usual.shows(asMuchAs: large) && usual.shows(asMuchAs: fine))
        func ringed(_ width: Double, _ color: RGBColor) -> Rendition {
            Rendition(size: usual.size, ring: Rendition.Ring(width: width, color: color))
        }
        #expect(ringed(2, .black).shows(asMuchAs: ringed(4, .black)))
        #expect(!ringed(2, .black).shows(asMuchAs: ringed(2, .white)))
    }

    @Test("A thumbnail in memory does not stand in for the same picture turned, and ends no fast request for it")
    func turnedStandIn() async throws {
        let bench = Bench(isSuspended: false)
        let source = Bench.source(1, PixelSize(width: 300, height: 200))
        _ = try await bench.pipeline.image(for: Self.request(source, side: 50))
        bench.pipeline.queue.isSuspended = true
        let turned = Rendition(size: PixelSize(square: 120), turn: .right)
        #expect(bench.pipeline.start(ImageRequest(source, turned)).lastEvent == nil)
        #expect(!bench.pipeline.start(ImageRequest(source, turned, delivery: .fast)).isDone)
        bench.run()
    }

    @Test("An embedded preview smaller than the cell is only ever degraded")
    func smallerPreview() async throws {
        let source = try Self.photo(preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
        for delivery in [Delivery.opportunistic, .fast] {
            let bench = Bench()
            for event in await Self.events(bench, Self.request(source, delivery)) {
                let image = try #require(event.image)
                #expect(image.isDegraded == (image.pixels.size.width < 200))
            }
            // Nor does it become the picture for whoever asks next.
            let next = await Self.events(bench, Self.request(source, .final))
            #expect(next.map(\.image?.pixels.size.width) == [200] && next[0].image?.isDegraded == false)
        }
    }

    @Test("A partly decoded progressive picture is never stored")
    func partlyDecoded() async throws {
        var made = MadeJPEG(width: 640, height: 480)
        made.isProgressive = true
        let bytes = try #require(made.encoded())
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        // The eighth of the whole file, and what a file shows that ends in the middle of its scans.
        for (bytes, delivery) in [(bytes, Delivery.fast), (Array(bytes.prefix(bytes.count * 2 / 3)), .final)] {
            let bench = Bench(store: store)
            let events = await Self.events(bench, Self.request(.bytes(bytes, name: "progressive.jpg"), delivery))
            let image = try #require(events.last?.image)
            #expect(image.isDegraded || image.warnings.contains(.truncated))
            bench.pipeline.waitUntilIdle()
            #expect(try store.stats().entries == 0)
            let again = Bench(store: store)
            let next = await Self.events(again, Self.request(.bytes(bytes, name: "progressive.jpg"), .final))
            #expect(next.last?.image?.origin == .rendered && again.numbers.diskHits == 0)
            if delivery == .fast { try store.clear() }
        }
    }

    @Test("What is in memory is final at once, before the call returns")
    func memory() async throws {
        let bench = Bench(isSuspended: false)
        _ = try await bench.pipeline.image(for: Bench.request(1))
        let task = bench.pipeline.start(Bench.request(1, delivery: .opportunistic))
        #expect(task.isDone && task.lastEvent?.image?.origin == .memory)
        #expect(bench.pipeline.cachedImage(for: Bench.request(1))?.origin == .memory)
        #expect(bench.numbers.memoryHits == 2)
    }

    @Test(
        "The thumbnail inside a HEIF stands in for it, upright",
        .disabled(if: Corpus.isAbsent, "the corpus is not here"),
        arguments: ["heif/IMG_2682.heic", "heif/iphone_15_pro.heic", "heif/cheers_1440x960.heic"])
    func heif(name: String) async throws {
        let bench = Bench()
        let events = await Self.events(bench, Self.request(.file(Corpus.file(name))))
        #expect(events.count == 2)
        let standIn = try #require(events.first?.image)
        let final = try #require(events.last?.image?.pixels)
        #expect(standIn.isDegraded && standIn.origin == .embeddedPreview)
        #expect((standIn.pixels.size.width > standIn.pixels.size.height) == (final.size.width > final.size.height))
        for (a, b) in zip(Pictures.quarters(of: standIn.pixels.size), Pictures.quarters(of: final.size)) {
            #expect(Pictures.difference(Pictures.mean(standIn.pixels, a), Pictures.mean(final, b)) < 12)
        }
    }

    @Test("The blur of an asset is learned by the first render, and stands in from the next run on")
    func thumbHash() async throws {
        //  run 1   ── open ── decode ── finished            (the blur is kept)
        //  run 2   ── degraded (blur) ── open ── decode ── finished
        let folder = try TemporaryFolder()
        let photos = try TemporaryFolder()
        let size = PixelSize(width: 300, height: 200)
        _ = try photos.write(Pictures.quarters(size).encoded(Encoding(.png)).bytes, to: "a.png")
        // A file that has just been written may change under the same stamp.
        let past = [timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0)]
        _ = photos.path.appending("a.png").withCString { utimes($0, past) }
        try await Task.sleep(for: .seconds(2.1))
        var words: [[String]] = []
        for _ in 0..<2 {
            let library = try AssetLibrary(folders: [photos.path], catalog: .folder(folder.path))
            let asset = try await library.scan().recents[0]
            let bench = Bench(hashes: library)
            let events = await Self.events(bench, ImageRequest(asset, .thumbnail(PixelSize(square: 90))))
            words.append(events.map { $0.image.map { "\($0.origin)" } ?? "none" })
            if words.count == 2 {
                let blur = try #require(events.first?.image)
                #expect(blur.isDegraded)
                #expect(blur.pixels.size.height == 21 && (31...32).contains(blur.pixels.size.width))
                #expect(bench.pipeline.memory.count == 1)
            }
            library.notes.flush()
        }
        #expect(words == [["rendered"], ["thumbHash", "rendered"]])
    }

    @Test("A blur that fills a square shows the middle of the picture; a fast request does not end with one")
    func thumbHashCrop() async throws {
        let hashes = Hashes(ThumbHash(Pictures.quarters(PixelSize(width: 60, height: 40))))
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Pictures.quarters(PixelSize(width: 600, height: 400)).encoded(Encoding(.png)).bytes, to: "a.png")
        let asset = Asset(
            id: "a", path: path, uprightSize: PixelSize(width: 600, height: 400),
            date: try #require(CaptureDate(exif: "2026:05:01 10:00:00")), dateSource: .file, bytes: 1,
            stamp: try #require(ContentStamp(path: path)))
        let square = Rendition(size: PixelSize(square: 90), mode: .fill)
        let events = await Self.events(Bench(hashes: hashes), ImageRequest(asset, square))
        let blur = try #require(events.first?.image)
        #expect(blur.origin == .thumbHash && blur.pixels.size == PixelSize(square: 21))
        #expect(blur.crop == PixelRect(x: 100, y: 0, width: 400, height: 400))
        let fast = await Self.events(Bench(hashes: hashes), ImageRequest(asset, square, delivery: .fast))
        #expect(fast.count == 1 && fast[0].image?.origin == .rendered)
        let final = await Self.events(Bench(hashes: hashes), ImageRequest(asset, square, delivery: .final))
        #expect(final.count == 1 && final[0].image?.origin == .rendered)
    }

    /// Knows one blur for every asset.
    private struct Hashes: ThumbHashKeeping {
        let hash: ThumbHash
        init(_ hash: ThumbHash) { self.hash = hash }
        func thumbHash(of asset: Asset.ID, _ stamp: ContentStamp) -> ThumbHash? { hash }
        func keep(_ hash: ThumbHash, of asset: Asset.ID, _ stamp: ContentStamp) {}
    }

    @Test("A progressive photo without a preview is stood in for by its 1/8 picture; a fast request ends with that")
    func eighth() async throws {
        var made = MadeJPEG(width: 640, height: 480)
        made.isProgressive = true
        let bytes = try #require(made.encoded())
        let source = ImageSource.bytes(bytes, name: "progressive.jpg")
        let events = await Self.events(Bench(), Self.request(source, side: 200))
        #expect(events.count == 2)
        let standIn = try #require(events.first?.image)
        #expect(standIn.isDegraded && standIn.origin == .eighth)
        #expect(standIn.pixels.size == PixelSize(width: 80, height: 60))
        let fast = await Self.events(Bench(), Self.request(source, .fast, side: 200))
        #expect(fast.count == 1 && fast[0].image?.pixels.size == PixelSize(width: 80, height: 60))
    }
}
