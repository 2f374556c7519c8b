import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What is left of a request that is called off.
struct CancellationTests {
    @Test("When one of two leaves, the other is served, and who left hears only that")
    func oneOfTwo() throws {
        //  first   ──start──┬──cancel── cancelled
        //  second  ──start──┴────────── decode ── finished
        let bench = Bench()
        let tasks = (0..<2).map { _ in bench.pipeline.start(Bench.request(1)) }
        let diaries = tasks.map { Diary($0) }
        tasks[0].cancel()
        bench.run()
        #expect(diaries.map(\.words) == [["cancelled"], ["finished"]])
        #expect(bench.numbers.decodes == 1 && bench.numbers.cancelledBefore == 1)
    }

    @Test("When the last leaves before the work starts, it never starts")
    func before() throws {
        let bench = Bench()
        let tasks = (0..<2).map { _ in bench.pipeline.start(Bench.request(1)) }
        let diaries = tasks.map { Diary($0) }
        tasks.forEach { $0.cancel() }
        #expect(bench.pipeline.queue.backlog == 0)
        bench.run()
        #expect(diaries.map(\.words) == [["cancelled"], ["cancelled"]])
        #expect(bench.pipeline.counters.waiting.count == 0 && bench.numbers.decodes == 0)
    }

    @Test("When the last leaves between two stages, nothing is decoded", arguments: [true, false])
    func between(beforeOpen: Bool) throws {
        //  task    ──start── open ─┬─ (decode dropped)
        //  cancel                  └─ cancelled
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let diary = Diary(task)
        bench.at(beforeOpen ? .willOpen : .didOpen) { task.cancel() }
        bench.run()
        #expect(diary.words == ["cancelled"])
        #expect(bench.numbers.decodes == 0 && bench.numbers.cancelledBefore == 1)
        #expect(bench.pipeline.state.withLock { $0.works.isEmpty })
    }

    @Test("When the last leaves during the decode, the decode is called off")
    func during() throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let diary = Diary(task)
        bench.at(.willDecode) { task.cancel() }
        bench.run()
        #expect(diary.words == ["cancelled"])
        #expect(bench.numbers.decodes == 1 && bench.numbers.rendered == 0 && bench.numbers.cancelledDuring == 1)
        #expect(bench.pipeline.memory.count == 0)
    }

    @Test("Who comes while another's priority is being followed keeps the work as urgent as they are")
    func followed() throws {
        //  first    prefetch ── normal: looks ────────────── orders normal ── looks again
        //  second                             joins: visible
        let bench = Bench()
        let first = bench.pipeline.start(Bench.request(1, priority: .prefetch))
        let second = Mutex<ImageTask?>(nil)
        bench.at(.willFollow) {
            let task = bench.pipeline.start(Bench.request(1, 48, priority: .visible))
            second.withLock { $0 = task }
        }
        first.priority = .normal
        #expect(second.withLock { $0 } != nil)
        #expect(bench.pipeline.queue.state.withLock { $0.waiting.mostUrgent } == .visible)
        bench.run()
        #expect(first.isDone && second.withLock { $0?.isDone } == true)
    }

    @Test("Two tasks that read one stream both hear that it is over", .timeLimit(.minutes(1)))
    func sharedStream() async {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let events = task.events
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { for await _ in events {} } }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(50))
                task.cancel()
            }
        }
        #expect(task.isDone)
    }

    @Test("Who asks again while the called-off decode still runs gets a picture")
    func again() throws {
        //  first    ──start── decode ─┬─ called off
        //  cancel                     ├─ cancelled
        //  second                     └─ start ── open ── decode ── finished
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let second = Mutex<ImageTask?>(nil)
        bench.at(.willDecode) {
            task.cancel()
            second.withLock { $0 = bench.pipeline.start(Bench.request(1)) }
        }
        bench.run()
        #expect(second.withLock { $0?.lastEvent?.image?.origin } == .rendered)
    }

    @Test("Called off when the picture is there but not told yet: only that is told")
    func afterDecode() throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let diary = Diary(task)
        bench.at(.didDecode) { task.cancel() }
        bench.run()
        #expect(diary.words == ["cancelled"] && bench.numbers.wasted == 1)
    }

    @Test("After cancel returns nothing else is delivered, though the event waited in the callback's queue")
    func queued() throws {
        //  pipeline ── finished ──▷ [callback's queue, busy]
        //  caller                    ├─ cancel()
        //  callback                  └─ cancelled
        let bench = Bench()
        let queue = DispatchQueue(label: "busy", attributes: .initiallyInactive)
        let diary = Diary()
        let task = bench.pipeline.start(Bench.request(1), on: queue) { diary.note($0) }
        bench.run()
        #expect(task.lastEvent?.image != nil)
        task.cancel()
        queue.activate()
        queue.sync {}
        #expect(diary.words == ["cancelled"])
    }

    @Test("Cancelled and finished in the same instant: exactly one terminal event", arguments: 0..<100)
    func sameInstant(seed: Int) throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let diary = Diary(task)
        bench.at(.didDecode) { Thread.detachNewThread { task.cancel() } }
        bench.run()
        task.cancel()
        // Whoever came first may still be on its way to the listener.
        while diary.words.isEmpty { usleep(100) }
        usleep(500)
        let words = diary.words
        #expect(words == ["finished"] || words == ["cancelled"])
        #expect(task.isDone)
    }

    @Test("One that is called off before it starts gets exactly one terminal event, and a late listener hears it")
    func lateListener() async throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        task.cancel()
        task.cancel()
        bench.run()
        for _ in 0..<2 {
            var heard = 0
            for await event in task.events {
                if case .cancelled = event { heard += 1 } else { Issue.record("something else") }
            }
            #expect(heard == 1)
        }
        let finished = bench.pipeline.start(Bench.request(2))
        bench.pipeline.waitUntilIdle()
        #expect(Diary(finished).words == ["finished"])
        var last: ImageEvent?
        for await event in finished.events { last = event }
        #expect(last?.image != nil)
    }

    @Test("Called off after its end: who has heard that has heard all, and who comes late hears that it was called off")
    func afterTheEnd() async throws {
        let bench = Bench()
        let task = bench.pipeline.start(Bench.request(1))
        let early = Diary(task)
        bench.run()
        #expect(early.words == ["finished"])
        task.cancel()
        #expect(early.words == ["finished"] && Diary(task).words == ["cancelled"])
        for await event in task.events {
            if case .cancelled = event {} else { Issue.record("something else") }
        }
        #expect(task.lastEvent?.image != nil)
    }

    /// What is left of a task and its pipeline when nobody holds them.
    private struct Rest {
        weak var task: ImageTask?
        weak var pipeline: ImagePipeline?

        /// Whether all is gone; what a thread is just letting go is waited for.
        func isGone() async throws -> Bool {
            for _ in 0..<5000 where task != nil || pipeline != nil { try await Task.sleep(for: .milliseconds(1)) }
            return task == nil && pipeline == nil
        }
    }

    @Test("A reader that stops at the first event, or reads none, holds neither the task nor the pipeline")
    func earlyReaders() async throws {
        func rest(reads: Bool) async throws -> Rest {
            let bench = Bench()
            let source = try DegradedDeliveryTests.photo(preview: Pictures.quarters(PixelSize(width: 150, height: 100)))
            let task = bench.pipeline.start(ImageRequest(source, .thumbnail(PixelSize(square: 200))))
            let events = task.events
            bench.run()
            // The picture has come, and was not heard.
            #expect(task.lastEvent?.isTerminal == true)
            if reads {
                for await event in events {
                    #expect(!event.isTerminal)
                    break
                }
            }
            return Rest(task: task, pipeline: bench.pipeline)
        }
        #expect(try await rest(reads: true).isGone())
        #expect(try await rest(reads: false).isGone())
    }

    @Test("A decode that is called off half-way ends there, at a fraction of what the whole costs")
    func halfWay() async {
        // In a process of its own, whose processor time is the decode's.
        await #expect(processExitsWith: .success) {
            @Sendable func used() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }
            // PNG has no smaller picture inside: libvips decodes all of it, row by row.
            let size = PixelSize(width: 4000, height: 3000)
            let grey = PixelBuffer(size: size, channels: 3, bytes: Array(repeating: 90, count: size.area * 3))
            let source = ImageSource.bytes((try? grey.encoded(Encoding(.png)).bytes) ?? [], name: "grey.png")
            let request = ImageRequest(source, .thumbnail(PixelSize(square: 300)), delivery: .final, caching: [])
            func decode(callingOffAfter share: Double?) -> (seconds: Double, diary: Diary, bench: Bench) {
                let bench = Bench(workers: 1)
                let task = bench.pipeline.start(request)
                let diary = Diary(task)
                let start = Mutex(0.0)
                bench.at(.willDecode) {
                    let begun = used()
                    start.withLock { $0 = begun }
                    guard let share else { return }
                    Thread.detachNewThread {
                        while used() < begun + share { usleep(200) }
                        task.cancel()
                    }
                }
                bench.run()
                return (used() - start.withLock { $0 }, diary, bench)
            }
            let whole = (0..<3).map { _ in decode(callingOffAfter: nil).seconds }.min() ?? 0
            // Whoever calls off may be kept waiting until the decode is over, but not each time.
            var part = Double.infinity
            for _ in 0..<20 where part > whole / 2 {
                let tried = decode(callingOffAfter: whole / 8)
                if tried.bench.numbers.rendered > 0 { continue }
                #expect(tried.diary.words == ["cancelled"] && tried.bench.numbers.cancelledDuring == 1)
                #expect(tried.seconds > whole / 10)
                part = min(part, tried.seconds)
            }
            #expect(part <= whole / 2, "\(part) of \(whole)")
        }
    }

    @Test("A callback may start, cancel and wait for another request, on its own queue", .timeLimit(.minutes(1)))
    func reentrant() throws {
        let bench = Bench(isSuspended: false)
        let queue = DispatchQueue(label: "callbacks")
        let done = DispatchSemaphore(value: 0)
        let other = bench.pipeline.start(Bench.request(50))
        bench.pipeline.start(Bench.request(1), on: queue) { _ in
            other.cancel()
            let inner = bench.pipeline.start(Bench.request(2))
            bench.pipeline.waitUntilIdle()
            #expect(inner.isDone)
            bench.pipeline.start(Bench.request(3), on: queue) { _ in done.signal() }
        }
        #expect(done.wait(timeout: .now() + 30) == .success)
    }

    @Test("Calling off the Swift task calls off the request")
    func swiftTask() async throws {
        let bench = Bench()
        let task = Task { try await bench.pipeline.image(for: Bench.request(1)) }
        while bench.pipeline.queue.backlog == 0 { await Task.yield() }
        task.cancel()
        let result = await task.result
        #expect(throws: PipelineError.cancelled) { try result.get() }
        #expect(bench.pipeline.queue.backlog == 0)
        bench.run()
        #expect(try await bench.pipeline.image(for: Bench.request(1)).origin == .rendered)
    }
}
