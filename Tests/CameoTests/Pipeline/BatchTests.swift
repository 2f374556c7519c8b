import Foundation
import Synchronization
import Testing

@testable import Cameo

/// A whole folder's work on the pipeline.
struct BatchTests {
    /// Notes how requests end.
    private final class Log: Sendable {
        let entries = Mutex<[String]>([])
        func note(_ name: String, _ outcome: Result<BatchRequest.Outcome, RenderError>) {
            let word: String
            switch outcome {
            case .success(let outcome): word = outcome.result.images.map { "\($0.pixels.size)" }.joined(separator: " ")
            case .failure(.cancelled): word = "cancelled"
            case .failure(let error): word = error.kind
            }
            entries.withLock { $0.append("\(name) \(word)") }
        }
        var sorted: [String] { entries.withLock { $0.sorted() } }
    }

    private static func request(_ source: ImageSource, _ sides: [Int], _ log: Log, isNeeded: Bool = true)
        -> BatchRequest
    {
        BatchRequest(source, sides.map { .thumbnail(PixelSize(square: $0)) }) {
            isNeeded
        } completion: {
            log.note(source.name, $0)
        }
    }

    @Test("All renditions of a source come from one decode, together")
    func together() throws {
        let (bench, log) = (Bench(), Log())
        for number in 0..<10 { bench.pipeline.submit(Self.request(Bench.source(number), [60, 30, 20], log)) }
        bench.run()
        #expect(log.sorted == (0..<10).map { "\($0).png 60×45 30×23 20×15" })
        #expect(bench.numbers.decodes == 10 && bench.numbers.rendered == 30 && bench.numbers.requests == 10)
    }

    @Test("What is not needed is not opened, and what fails takes nobody with it")
    func notNeeded() throws {
        let (bench, log) = (Bench(), Log())
        bench.pipeline.submit(Self.request(Bench.source(1), [30], log, isNeeded: false))
        bench.pipeline.submit(Self.request(.bytes([1, 2, 3], name: "bad"), [30], log))
        bench.pipeline.submit(Self.request(.file("/none/at/all"), [30], log))
        bench.pipeline.submit(Self.request(Bench.source(2), [30], log))
        bench.run()
        #expect(log.sorted == ["/none/at/all unreadable", "2.png 30×23", "bad notAnImage"])
        #expect(bench.numbers.decodes == 1 && bench.numbers.failed == 2)
        #expect(bench.pipeline.counters.opening.count == 3)
    }

    @Test(
        "A rendition that cannot be made of any picture ends its request alone",
        arguments: [0, -5, 16_385, 1 << 31, .max])
    func impossible(side: Int) throws {
        let (bench, log) = (Bench(), Log())
        bench.pipeline.submit(Self.request(Bench.source(1), [30, side], log))
        bench.pipeline.submit(Self.request(Bench.source(2), [30], log))
        bench.run()
        #expect(log.sorted == ["1.png invalidRendition", "2.png 30×23"])
        #expect(bench.numbers.decodes == 1 && bench.numbers.failed == 1)
    }

    @Test("A batch leaves both caches as they are")
    func caches() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        let (bench, log) = (Bench(store: store), Log())
        bench.pipeline.submit(Self.request(Bench.source(1), [30], log))
        bench.run()
        #expect(bench.pipeline.memory.count == 0)
        #expect(
            store.thumbnail(
                for: RenditionKey(
                    Bench.request(1, 30).identity, stamp: nil, rendition: .thumbnail(PixelSize(square: 30)))) == nil)
    }

    @Test("Called off, what waits is dropped in silence, what runs ends in cancelled, and nothing is taken any more")
    func calledOff() throws {
        //  a, b   ──submit── decode ─┬─ cancelled
        //  c … j  ──submit───────────┴─ dropped
        //  k      ─────────────────────── submit: not taken
        let (bench, log) = (Bench(workers: 1), Log())
        for number in 0..<10 { bench.pipeline.submit(Self.request(Bench.source(number), [30], log)) }
        bench.at(.willDecode) { bench.pipeline.callOffBatch() }
        bench.run()
        bench.pipeline.submit(Self.request(Bench.source(11), [30], log))
        bench.pipeline.waitUntilIdle()
        let words = Set(log.sorted.map { String($0.split(separator: " ")[1]) })
        #expect(words == ["cancelled"])
        // With one worker one runs and one more may lie opened.
        #expect((1...2).contains(log.sorted.count))
        #expect(bench.numbers.rendered == 0)
    }

    @Test("A request on screen overtakes a batch that was there first")
    func overtaken() throws {
        //  batch    ──submit × 20 ──────────────── b b b …
        //  visible  ─────────────── start ── v ──┘
        let (bench, log) = (Bench(workers: 1), Log())
        for number in 0..<20 { bench.pipeline.submit(Self.request(Bench.source(number), [30], log)) }
        let task = bench.pipeline.start(Bench.request(99, priority: .visible))
        while !task.isDone { #expect(bench.pipeline.runNextStep()) }
        // What was opened already goes first.
        #expect(log.sorted.count <= 2 && task.lastEvent?.image?.isDegraded == false)
        bench.run()
        #expect(log.sorted.count == 20)
    }

    @Test("Who submits more than there is room for waits until there is")
    func room() throws {
        let (bench, log) = (Bench(prefetchLimit: 4), Log())
        let submitted = Atomic<Int>(0)
        let producer = Thread {
            for number in 0..<50 {
                bench.pipeline.submit(Self.request(Bench.source(number), [8], log))
                submitted.add(1, ordering: .relaxed)
            }
        }
        producer.start()
        while submitted.load(ordering: .relaxed) < 4 { usleep(1000) }
        usleep(50_000)
        #expect(submitted.load(ordering: .relaxed) == 4)
        bench.pipeline.queue.isSuspended = false
        while submitted.load(ordering: .relaxed) < 50 { usleep(1000) }
        bench.pipeline.waitUntilIdle()
        #expect(log.sorted.count == 50)
    }
}
