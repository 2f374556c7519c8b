import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What is shown of files on screen before any of them is opened.
final class PeekingTests {
    private let folder = URL.temporaryDirectory.appending(path: "cameo-peek-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ source: ImageSource) throws -> ImageSource {
        guard case .bytes(let bytes, _) = source else { return source }
        let path = folder.appending(path: name)
        try Data(bytes).write(to: path)
        return .file(FilePath(path.path))
    }

    private func photo(_ name: String, orientation: Int = 1) throws -> ImageSource {
        let preview = Pictures.quarters(PixelSize(width: 150, height: 100))
        return try file(name, DegradedDeliveryTests.photo(orientation: orientation, preview: preview))
    }

    private static func request(_ source: ImageSource, priority: Priority = .visible) -> ImageRequest {
        ImageRequest(source, .thumbnail(PixelSize(square: 90)), priority: priority)
    }

    @Test("The preview in a file's beginning is the one that opening it gives", arguments: 1...8)
    func same(orientation: Int) throws {
        let source = try photo("\(orientation).jpg", orientation: orientation)
        guard case .file(let path) = source, case .found(var peeked) = EmbeddedPreview.peek(path) else {
            Issue.record("no preview was found")
            return
        }
        var opened = try #require(try OpenedImage(source).embeddedPreview())
        let rendition = Rendition.thumbnail(PixelSize(square: 90))
        let (mine, theirs) = (
            try peeked.standIn(for: rendition, source: "a"), try opened.standIn(for: rendition, source: "b")
        )
        #expect(mine.pixels == theirs.pixels)
    }

    @Test("All that is on screen shows its preview before the first of it is opened")
    func first() throws {
        //  queue (one worker)   peek, peek, peek ── open ── …
        let bench = Bench(workers: 1)
        let tasks = try (1...3).map { bench.pipeline.start(Self.request(try photo("\($0).jpg"))) }
        let early = Mutex(0)
        bench.at(.willOpen) { early.withLock { $0 = tasks.count { $0.hasStandIn } } }
        bench.run()
        #expect(early.withLock { $0 } == 3)
        #expect(tasks.allSatisfy { $0.lastEvent?.image?.isDegraded == false })
        #expect(bench.numbers.degraded == 3 && bench.numbers.decodes == 3)
    }

    @Test("Of what is on screen, what shows nothing is decoded before what shows a stand-in")
    func order() throws {
        let bench = Bench(workers: 1)
        let without = try file("plain.png", Bench.source(1))
        // The newest would be first, had it nothing to show.
        let plain = bench.pipeline.start(Self.request(without))
        let shown = bench.pipeline.start(Self.request(try photo("newer.jpg")))
        while !plain.isDone, !shown.isDone { #expect(bench.pipeline.runNextStep()) }
        #expect(plain.isDone && !shown.isDone)
    }

    /// Too small for the 1/8 picture to be what it is made of.
    private func plain(_ name: String) throws -> ImageSource {
        let picture = Pictures.quarters(PixelSize(width: 900, height: 600))
        return try file(name, .bytes(picture.encoded(Encoding(.jpeg, quality: 90)).bytes, name: name))
    }

    @Test("A photo without a preview shows its 1/8 picture before any is decoded, behind the previews of others")
    func skimmed() throws {
        //  queue (one worker)   peek, peek, peek, skim, skim ── open ── …
        let bench = Bench(workers: 1)
        let tasks = [
            bench.pipeline.start(Self.request(try plain("one.jpg"))),
            bench.pipeline.start(Self.request(try plain("two.jpg"))),
            bench.pipeline.start(Self.request(try photo("three.jpg"))),
        ]
        var shown: [[PipelineImage.Origin?]] = []
        for _ in 0..<5 {
            #expect(bench.pipeline.runNextStep())
            shown.append(tasks.map { $0.lastEvent?.image?.origin })
        }
        // The newest first, peeks before skims.
        #expect(
            shown == [
                [nil, nil, .embeddedPreview], [nil, nil, .embeddedPreview], [nil, nil, .embeddedPreview],
                [nil, .eighth, .embeddedPreview], [.eighth, .eighth, .embeddedPreview],
            ])
        #expect(bench.numbers.decodes == 0)
        let standIn = try #require(tasks[0].lastEvent?.image)
        #expect(standIn.isDegraded && standIn.pixels.size.width * 2 == standIn.pixels.size.height * 3)
        bench.run()
        #expect(tasks.allSatisfy { $0.lastEvent?.image?.origin == .rendered } && bench.numbers.decodes == 3)
    }

    @Test("A photo whose 1/8 picture is what its thumbnail is made of is decoded at once")
    func notSkimmed() throws {
        let bench = Bench(workers: 1)
        let large = Pictures.quarters(PixelSize(width: 2400, height: 1600))
        let source = try file("large.jpg", .bytes(large.encoded(Encoding(.jpeg)).bytes, name: "large"))
        let task = bench.pipeline.start(Self.request(source))
        bench.run()
        #expect(task.lastEvent?.image?.origin == .rendered && bench.numbers.degraded == 0)
    }

    @Test("What leaves between its peek and its skim costs nothing more, and who joins then is shown the same")
    func joinsAndLeaves() throws {
        let bench = Bench(workers: 1)
        let (left, stays) = (try plain("left.jpg"), try plain("stays.jpg"))
        let (gone, first) = (bench.pipeline.start(Self.request(left)), bench.pipeline.start(Self.request(stays)))
        for _ in 0..<2 { #expect(bench.pipeline.runNextStep()) }
        gone.cancel()
        let second = bench.pipeline.start(
            ImageRequest(stays, .thumbnail(PixelSize(square: 60)), priority: .visible))
        #expect(bench.pipeline.runNextStep())
        #expect(first.hasStandIn && second.hasStandIn && bench.numbers.degraded == 2)
        bench.run()
        #expect(bench.numbers.decodes == 1 && bench.numbers.queueLength == 0)
    }

    @Test("Of what shows a stand-in, the newest is decoded first")
    func newestOfThose() throws {
        let bench = Bench(workers: 1)
        let old = bench.pipeline.start(Self.request(try photo("old.jpg")))
        while !old.hasStandIn { #expect(bench.pipeline.runNextStep()) }
        let new = bench.pipeline.start(Self.request(try photo("new.jpg")))
        while !old.isDone, !new.isDone { #expect(bench.pipeline.runNextStep()) }
        #expect(new.isDone && !old.isDone)
    }

    @Test("A cell that comes on screen while its photo waits to be fetched ahead is peeked into at once")
    func joined() throws {
        let bench = Bench(workers: 1)
        let source = try photo("ahead.jpg")
        let other = bench.pipeline.start(
            ImageRequest(try photo("other.jpg"), .thumbnail(PixelSize(square: 90)), priority: .normal, delivery: .final)
        )
        let ahead = bench.pipeline.start(
            ImageRequest(source, .thumbnail(PixelSize(square: 90)), priority: .prefetch, delivery: .final))
        let visible = bench.pipeline.start(Self.request(source))
        #expect(bench.pipeline.runNextStep())
        #expect(visible.hasStandIn && ahead.lastEvent == nil && other.lastEvent == nil)
        bench.run()
        #expect(ahead.lastEvent?.image?.isDegraded == false && visible.lastEvent?.image?.isDegraded == false)
        #expect(bench.numbers.decodes == 2)
    }

    @Test("The one picture that somebody waits for does not wait for looks into thousands that nobody looks at")
    func urgentFirst() throws {
        let bench = Bench(workers: 1)
        let source = try photo("one.jpg")
        let many = (0..<200).map { number in
            bench.pipeline.start(
                ImageRequest(.file(FilePath("/nowhere/\(number)")), .thumbnail(PixelSize(square: 90))))
        }
        let urgent = bench.pipeline.start(
            ImageRequest(source, .thumbnail(PixelSize(square: 90)), priority: .immediate, delivery: .final))
        // Opened and decoded.
        for _ in 0..<2 { #expect(bench.pipeline.runNextStep()) }
        #expect(urgent.isDone && !many.contains { $0.isDone })
        bench.run()
    }

    @Test("What is fetched ahead and lies open gives way to what comes on screen")
    func prefetchGivesWay() throws {
        let bench = Bench(workers: 1)
        let ahead = bench.pipeline.start(Bench.request(1, priority: .prefetch))
        #expect(bench.pipeline.runNextStep())
        #expect(bench.pipeline.counters.opening.count == 1)
        let visible = bench.pipeline.start(Bench.request(2, priority: .visible))
        while !visible.isDone, !ahead.isDone { #expect(bench.pipeline.runNextStep()) }
        #expect(visible.isDone && !ahead.isDone)
        bench.run()
        #expect(ahead.isDone)
    }

    @Test("What is called off while it waits to be peeked into costs nothing")
    func calledOff() throws {
        let bench = Bench(workers: 1)
        bench.pipeline.start(Self.request(try photo("gone.jpg"))).cancel()
        #expect(!bench.pipeline.runNextStep())
        #expect(bench.numbers.degraded == 0 && bench.numbers.queueLength == 0)
    }

    @Test("A step that is over before its ticket is noted does not hide the next one")
    func lateTicket() throws {
        //  start    add peek ─────────────────────── note peek's ticket
        //  worker       └─ peek ── queue opening ── note opening's ticket (the newer)
        let bench = Bench(workers: 1)
        let other = bench.pipeline.start(Bench.request(1, priority: .normal))
        let task = bench.pipeline.start(Bench.request(2, priority: .batch))
        let key = bench.pipeline.workKey(of: task)
        let number = try #require(bench.pipeline.state.withLock { $0.works[key]?.number })
        bench.pipeline.note(RenderQueue.Ticket(number: 0, arrival: 0), key, number)
        task.priority = .immediate
        while !task.isDone, !other.isDone { #expect(bench.pipeline.runNextStep()) }
        #expect(task.isDone && !other.isDone)
    }

    @Test(
        "Files that hold no preview, or are none, are left to opening", arguments: ["png", "text", "short", "missing"])
    func unknown(kind: String) throws {
        let path = folder.appending(path: kind)
        switch kind {
        case "png": _ = try file(kind, Bench.source(1))
        case "text": try Data("no picture".utf8).write(to: path)
        case "short": try Data([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF]).write(to: path)
        default: break
        }
        guard case .unknown = EmbeddedPreview.peek(FilePath(path.path)) else {
            Issue.record("\(kind) is told of")
            return
        }
    }
}
