import Foundation
import Synchronization
import Testing

@testable import Cameo

/// Who shares what, with the queue suspended until everybody has asked.
struct CoalescingTests {
    @Test("Two equal requests are one decode")
    func equal() throws {
        //  first   ──start──┐
        //  second  ──start──┴── decode ── finished, finished
        let bench = Bench()
        let tasks = (0..<2).map { _ in bench.pipeline.start(Bench.request(1)) }
        let diaries = tasks.map { Diary($0) }
        bench.run()
        #expect(diaries.map(\.words) == [["finished"], ["finished"]])
        #expect(bench.numbers.decodes == 1 && bench.numbers.rendered == 1 && bench.numbers.coalesced == 1)
    }

    @Test("Two sizes of one source are one decode")
    func sizes() throws {
        let bench = Bench()
        let tasks = [16, 48].map { bench.pipeline.start(Bench.request(1, $0)) }
        bench.run()
        #expect(tasks.map { $0.lastEvent?.image?.pixels.size.width } == [16, 48])
        #expect(bench.numbers.decodes == 1 && bench.numbers.rendered == 2)
    }

    @Test("Who comes during the decode shares it; who wants another size then shares the open")
    func during() throws {
        //  first    ──start── open ── decode 32 ──────── finished
        //  equal                        └─ start ──────── finished
        //  other                        └─ start ─────────────────── decode 16 ── finished
        let bench = Bench()
        let late = Mutex<[ImageTask]>([])
        bench.at(.willDecode) {
            late.withLock { late in late = [32, 16].map { bench.pipeline.start(Bench.request(1, $0)) } }
        }
        let first = bench.pipeline.start(Bench.request(1))
        bench.run()
        #expect(first.lastEvent?.image?.pixels.size.width == 32)
        #expect(late.withLock { $0.map { $0.lastEvent?.image?.pixels.size.width } } == [32, 16])
        #expect(bench.numbers.decodes == 2 && bench.numbers.rendered == 2)
        #expect(bench.pipeline.counters.opening.count == 1)
    }

    @Test("A result that arrives between \"is anyone already loading this\" and \"join\" is not lost")
    func between() throws {
        //  first    ── decode ── kept in memory ── told ─┬── work ends
        //  second   ── not in memory ── … ── … ── … ── join ── finds it in memory, no second decode
        let bench = Bench()
        let late = Mutex<ImageTask?>(nil)
        bench.at(.didKeep) {
            // As one that looked into memory before it was filled.
            let request = Bench.request(1)
            let key = RenditionKey(request.identity, stamp: nil, rendition: request.rendition)
            let task = ImageTask(request, key: key, owner: bench.pipeline)
            bench.pipeline.join(task, stamp: nil)
            late.withLock { $0 = task }
        }
        _ = bench.pipeline.start(Bench.request(1))
        bench.run()
        #expect(late.withLock { $0?.lastEvent?.image?.origin } == .memory)
        #expect(bench.numbers.decodes == 1)
    }

    @Test("A priority raised by a late subscriber moves the work that already waits; lowered again, it moves back")
    func priority() throws {
        //  queue (one worker)   batch 1, batch 2, batch 3
        //  late                 3 at immediate          → 3 is first
        let bench = Bench(workers: 1)
        let order = Mutex<[Int]>([])
        let queue = DispatchQueue(label: "order")
        for number in 1...3 {
            bench.pipeline.start(Bench.request(number, priority: .batch), on: queue) { _ in
                order.withLock { $0.append(number) }
            }
        }
        let late = bench.pipeline.start(Bench.request(3, priority: .immediate))
        let other = bench.pipeline.start(Bench.request(2, 40, priority: .immediate))
        other.priority = .prefetch
        bench.run()
        queue.sync {}
        #expect(order.withLock { $0 } == [3, 1, 2])
        #expect(late.isDone && other.isDone)
    }

    @Test("When the urgent one leaves, the work is as urgent as those who stay")
    func lowered() throws {
        let bench = Bench(workers: 1)
        let order = Mutex<[Int]>([])
        let queue = DispatchQueue(label: "order")
        for number in 1...3 {
            bench.pipeline.start(Bench.request(number, priority: number == 3 ? .prefetch : .batch), on: queue) { _ in
                order.withLock { $0.append(number) }
            }
        }
        bench.pipeline.start(Bench.request(3, priority: .immediate)).cancel()
        bench.run()
        queue.sync {}
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test("What is on screen comes newest first, and before what was prefetched and is not")
    func fling() throws {
        let bench = Bench(workers: 1)
        let order = Mutex<[Int]>([])
        let queue = DispatchQueue(label: "order")
        for number in 0..<8 {
            let priority: Priority = number % 2 == 0 ? .visible : .prefetch
            bench.pipeline.start(Bench.request(number, priority: priority), on: queue) { _ in
                order.withLock { $0.append(number) }
            }
        }
        bench.run()
        queue.sync {}
        #expect(order.withLock { $0 } == [6, 4, 2, 0, 1, 3, 5, 7])
    }

    @Test("Who joins a prefetch in the moment in which the backlog drops it gets the picture")
    func joinsWhatIsDropped() throws {
        //  start(prefetch)  queued ──────────────── popped as the oldest ── drop: queued again
        //  start(visible)            joins ───────────────────────────────────────────── picture
        let bench = Bench()
        let ahead = bench.pipeline.start(Bench.request(1, priority: .prefetch))
        let key = bench.pipeline.workKey(of: ahead)
        let visible = bench.pipeline.start(Bench.request(1, priority: .immediate))
        let work = try #require(bench.pipeline.state.withLock { $0.works[key] })
        #expect(try bench.pipeline.queue.takeOut(#require(work.ticket)))
        bench.pipeline.drop(key, work.number)
        bench.run()
        #expect(visible.lastEvent?.image?.isDegraded == false && ahead.lastEvent?.image != nil)
        #expect(bench.numbers.decodes == 1)
    }

    @Test("Of too many prefetches the oldest are called off")
    func backlog() throws {
        let bench = Bench(prefetchLimit: 5)
        let tasks = (0..<20).map { bench.pipeline.start(Bench.request($0, priority: .prefetch)) }
        let diaries = tasks.map { Diary($0) }
        let visible = bench.pipeline.start(Bench.request(100, priority: .visible))
        bench.run()
        #expect(
            diaries.map(\.words) == Array(repeating: ["cancelled"], count: 15)
                + Array(repeating: ["finished"], count: 5))
        #expect(visible.lastEvent?.image != nil && bench.numbers.decodes == 6)
    }

    @Test("Requests that become prefetches are no more than there may be: the oldest are called off")
    func backlogOfLowered() throws {
        let bench = Bench(prefetchLimit: 5)
        let tasks = (0..<20).map { bench.pipeline.start(Bench.request($0)) }
        let diaries = tasks.map { Diary($0) }
        tasks.forEach { $0.priority = .prefetch }
        #expect(bench.pipeline.queue.backlog == 5)
        bench.run()
        #expect(
            diaries.map(\.words) == Array(repeating: ["cancelled"], count: 15)
                + Array(repeating: ["finished"], count: 5))
    }

    @Test("A rendition that cannot be made of the source fails alone")
    func failsAlone() throws {
        let bench = Bench()
        let good = bench.pipeline.start(Bench.request(1))
        var request = Bench.request(1)
        request.rendition.focus = .rectangle(PixelRect(x: 0, y: 0, width: 5000, height: 5000))
        let bad = Diary(bench.pipeline.start(request))
        bench.run()
        #expect(good.lastEvent?.image != nil && bad.words == ["failed"])
    }

    @Test("A target of size 0 before layout is a typed error at once, and nothing sticks")
    func sizeZero() throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1, 0))
        guard case .failed(.render(.invalidRendition)) = task.lastEvent else {
            Issue.record("no typed error")
            return
        }
        #expect(bench.pipeline.queue.backlog == 0 && bench.pipeline.memory.count == 0)
    }
}
