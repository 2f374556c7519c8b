import Foundation
import Synchronization
import Testing

@testable import Cameo

struct ManyRequestsTests {
    /// What a task's callback heard.
    private final class Ledger: Sendable {
        let terminal: [Atomic2] = (0..<10_000).map { _ in Atomic2() }
        let afterEnd = Atomic<Int>(0)
    }

    private final class Atomic2: Sendable {
        let count = Atomic<Int>(0)
    }

    /// Fifty where the long tests run, a few elsewhere.
    private static let seeds = ProcessInfo.processInfo.environment["CAMEO_SLOW_TESTS"] == nil ? 0..<3 : 0..<50

    @Test(
        "Ten thousand requests called off at random in four threads: each gets exactly one terminal event",
        arguments: seeds)
    func random(seed: Int) throws {
        //  thread 0…3   start, cancel at once or later, change priorities, ask again for the same sources
        //  workers      open, decode, tell, all the while
        let bench = Bench(workers: 4, isSuspended: false, prefetchLimit: 50)
        let sources = (0..<40).map { Bench.source($0, PixelSize(square: 16)) }
        let ledger = Ledger()
        let queue = DispatchQueue(label: "callbacks")
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = Seeded(seed * 4 + thread)
            var open: [ImageTask] = []
            for step in 0..<2500 {
                let number = thread * 2500 + step
                let source = sources.randomElement(using: &random) ?? sources[0]
                var request = ImageRequest(source, .thumbnail(PixelSize(square: Int.random(in: 4...9, using: &random))))
                request.priority = Priority.allCases.randomElement(using: &random) ?? .normal
                if Int.random(in: 0..<4, using: &random) > 0 { request.caching = [] }
                let task = bench.pipeline.start(request, on: queue) { event in
                    if event.isTerminal {
                        ledger.terminal[number].count.add(1, ordering: .relaxed)
                    } else if ledger.terminal[number].count.load(ordering: .relaxed) > 0 {
                        ledger.afterEnd.add(1, ordering: .relaxed)
                    }
                }
                open.append(task)
                if open.count > 60 || Bool.random(using: &random) {
                    let victim = open.remove(at: Int.random(in: open.indices, using: &random))
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: victim.priority = .immediate
                    case 1: break
                    default: victim.cancel()
                    }
                }
            }
        }
        bench.pipeline.waitUntilIdle()
        queue.sync {}
        #expect(ledger.terminal.allSatisfy { $0.count.load(ordering: .relaxed) == 1 })
        #expect(ledger.afterEnd.load(ordering: .relaxed) == 0)
        #expect(bench.pipeline.state.withLock { $0.works.isEmpty })
        #expect(bench.pipeline.queue.backlog == 0 && bench.pipeline.memory.checkInvariants() == nil)
        #expect(bench.pipeline.queue.state.withLock { $0.memory == 0 && $0.running == 0 && $0.slow == 0 })
    }

    @Test("Ten thousand queued requests make no more threads than there are workers, in both lanes")
    func threads() async {
        // In a process of its own, where nothing else has threads that come and go.
        await #expect(processExitsWith: .success) {
            let count = { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? .max }
            let workers = 2
            let bench = Bench(workers: workers)
            let tasks = (0..<10_000).map { number in
                bench.pipeline.start(
                    ImageRequest(
                        .file(FilePath("/nowhere/\(number)")), .thumbnail(PixelSize(square: 9)), delivery: .final))
            }
            #expect(bench.pipeline.queue.backlog == 10_000)
            let before = count()
            bench.pipeline.queue.isSuspended = false
            var (most, mostThreads) = (0, 0)
            while tasks.contains(where: { !$0.isDone }) {
                let (openers, runners) = bench.pipeline.queue.state.withLock { ($0.openers, $0.runners) }
                most = max(most, openers + runners)
                mostThreads = max(mostThreads, count())
                usleep(1000)
            }
            #expect(most > 0 && most <= 2 * workers)
            // Dispatch has a thread for itself, and may put a thread beside each that waits for a disk.
            #expect(mostThreads <= before + 4 * workers + 4, "\(mostThreads) threads, \(before) before")
        }
    }

    @Test("A slow picture does not occupy every worker: quick ones go past it")
    func slow() throws {
        //  worker 1   slow ─────────────── waits for quick
        //  worker 2   (kept free of slow)  quick ── done
        let queue = RenderQueue(workers: 2, memoryBudget: 100, keepsOneThread: true)
        let quick = DispatchSemaphore(value: 0)
        let served = Atomic<Int>(0)
        for _ in 0..<3 {
            _ = queue.add(
                RenderQueue.Prepared(cost: 1, isSlow: true) {
                    if quick.wait(timeout: .now() + 60) == .success { served.add(1, ordering: .relaxed) }
                }, urgency: .batch)
        }
        for _ in 0..<3 { _ = queue.add(RenderQueue.Prepared(cost: 1) { quick.signal() }, urgency: .visible) }
        queue.waitUntilIdle()
        #expect(served.load(ordering: .relaxed) == 3)
    }

    @Test("Quick pictures go past slow ones that came before them, and are opened behind them")
    func slowAhead() {
        //  worker 1   slow ────────────────────── waits for all the quick
        //  worker 2   (kept free of slow)  quick, quick, quick
        //  opened     slow, slow, slow, quick …
        let queue = RenderQueue(workers: 2, memoryBudget: 100, keepsOneThread: true)
        let quick = DispatchSemaphore(value: 0)
        let served = Atomic<Int>(0)
        queue.isSuspended = true
        for number in 0..<6 {
            _ = queue.add(
                {
                    number >= 3
                        ? RenderQueue.Prepared(cost: 1) { quick.signal() }
                        : RenderQueue.Prepared(cost: 1, isSlow: true) {
                            if quick.wait(timeout: .now() + 60) == .success { served.add(1, ordering: .relaxed) }
                        }
                }, urgency: .batch)
        }
        queue.isSuspended = false
        queue.waitUntilIdle()
        #expect(served.load(ordering: .relaxed) == 3)
    }

    @Test("Slow prefetches that lie open do not hold up what somebody looks at, though few may be open")
    func slowLyingOpen() {
        //  worker 1   slow prefetch ────────────── waits for the urgent
        //  worker 2   (kept free of slow)  urgent
        //  opened     slow, slow, slow ── urgent
        let queue = RenderQueue(workers: 2, memoryBudget: 100, keepsOneThread: true, mostOpen: 3)
        let urgent = DispatchSemaphore(value: 0)
        let served = Atomic<Int>(0)
        let slow: @Sendable () -> Void = {
            if urgent.wait(timeout: .now() + 60) == .success { served.add(1, ordering: .relaxed) }
            urgent.signal()
        }
        for _ in 0..<3 { _ = queue.add({ RenderQueue.Prepared(cost: 1, isSlow: true, run: slow) }, urgency: .prefetch) }
        while queue.state.withLock({ $0.prepared.count + $0.running }) < 3 { usleep(1000) }
        _ = queue.add({ RenderQueue.Prepared(cost: 1) { urgent.signal() } }, urgency: .immediate)
        queue.waitUntilIdle()
        #expect(served.load(ordering: .relaxed) == 3)
    }

    @Test("Slow work is not starved by a stream of quick work")
    func slowIsNotStarved() {
        var ready = RenderQueue.Ready(servesNewestFirst: true)
        ready.insert(RenderQueue.Prepared(cost: 7, isSlow: true) {}, number: 1, urgency: .batch)
        var taken: [Int] = []
        for number in UInt64(2)..<40 {
            ready.insert(RenderQueue.Prepared(cost: 1) {}, number: number, urgency: .visible)
            if let next = ready.popNext(allowsSlow: true) { taken.append(next.cost) }
        }
        #expect(taken.firstIndex(of: 7) == UrgencyBuckets<Int>.patience)
    }
}
