import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Cameo

struct RenderQueueTests {
    private struct Load {
        var running = 0
        var memory = 0
        var most = 0
        var mostMemory = 0
        var done = 0
    }

    /// Runs work of `costs` and tells how much of it ever ran at once.
    private static func run(_ costs: [Int], workers: Int, budget: Int, capacity: Int = 16) -> Load {
        let load = Mutex(Load())
        let queue = RenderQueue(workers: workers, memoryBudget: budget, capacity: capacity)
        for cost in costs {
            queue.submit {
                RenderQueue.Prepared(cost: cost) {
                    load.withLock { load in
                        load.running += 1
                        load.memory += cost
                        load.most = max(load.most, load.running)
                        load.mostMemory = max(load.mostMemory, load.memory)
                    }
                    usleep(500)
                    load.withLock { load in
                        load.running -= 1
                        load.memory -= cost
                        load.done += 1
                    }
                }
            }
        }
        queue.waitUntilIdle()
        return load.withLock { $0 }
    }

    @Test("Everything runs, on no more threads than asked for", arguments: [1, 2, 5, 16])
    func workers(count: Int) {
        let load = Self.run(Array(repeating: 1, count: 200), workers: count, budget: 1000)
        #expect(load.done == 200 && load.most <= count)
    }

    @Test("Two pieces of work run at the same time where there are two workers")
    func together() {
        let queue = RenderQueue(workers: 2, memoryBudget: 100)
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let met = Atomic<Int>(0)
        // Each waits for the other: one after another, both would wait in vain.
        for (mine, other) in [(first, second), (second, first)] {
            queue.submit {
                RenderQueue.Prepared(cost: 1) {
                    mine.signal()
                    if other.wait(timeout: .now() + 60) == .success { met.add(1, ordering: .relaxed) }
                }
            }
        }
        queue.waitUntilIdle()
        #expect(met.load(ordering: .relaxed) == 2)
    }

    @Test("What runs at once costs no more than the budget")
    func budget() {
        let costs = (0..<150).map { [10, 40, 70][$0 % 3] }
        let load = Self.run(costs, workers: 8, budget: 100)
        #expect(load.done == 150 && load.mostMemory <= 100)
    }

    @Test("One piece of work over the budget runs alone")
    func alone() {
        let load = Self.run([10, 10, 500, 10, 10, 500, 500, 10], workers: 4, budget: 100)
        #expect(load.done == 8 && load.mostMemory == 500)
    }

    /// What happened, in its order.
    private final class Notes: Sendable {
        private let words = Mutex<[String]>([])
        func note(_ word: String) { words.withLock { $0.append(word) } }
        var all: [String] { words.withLock { $0 } }
    }

    @Test(
        "What is more urgent than a look is opened and run before it, in threads and in steps",
        arguments: [true, false])
    func urgentBeforeLooks(inThreads: Bool) {
        //  looks      ─────────────────── 50 at normal
        //  immediate  open ── run
        let notes = Notes()
        let queue = RenderQueue(workers: 1, memoryBudget: 100)
        queue.isSuspended = true
        let isRun = DispatchSemaphore(value: 0)
        for number in 0..<50 {
            _ = queue.add(.peek, urgency: .normal) { _ in
                // Looks and runs have threads of their own: the first look sees that nothing waits for the others.
                if inThreads, number == 0 { #expect(isRun.wait(timeout: .now() + 60) == .success) }
                notes.note("look")
            }
        }
        _ = queue.add(
            {
                notes.note("open")
                return RenderQueue.Prepared(cost: 1) {
                    notes.note("run")
                    isRun.signal()
                }
            }, urgency: .immediate)
        if inThreads {
            queue.isSuspended = false
            queue.waitUntilIdle()
        } else {
            while queue.runNextStep() {}
        }
        #expect(notes.all == ["open", "run"] + Array(repeating: "look", count: 50))
    }

    @Test("Of looks the most urgent comes first, whatever its kind; what is as urgent is looked at before it is opened")
    func looksByUrgency() {
        let notes = Notes()
        let queue = RenderQueue(workers: 1, memoryBudget: 100)
        queue.isSuspended = true
        for (name, look, urgency) in [
            ("normal peek", .peek, .normal), ("visible skim", .skim, .visible), ("visible peek", .peek, .visible),
        ] as [(String, RenderQueue.Look, Urgency)] {
            _ = queue.add(look, urgency: urgency) { _ in notes.note(name) }
        }
        for urgency in [Urgency.visible, .standingIn, .normal] {
            _ = queue.add(
                {
                    notes.note("\(urgency)")
                    return nil
                }, urgency: urgency)
        }
        while queue.runNextStep() {}
        #expect(notes.all == ["visible peek", "visible skim", "visible", "standingIn", "normal peek", "normal"])
    }

    @Test(
        "A stream of looks does not starve a batch; what is fetched ahead waits for all of them",
        arguments: [true, false])
    func aging(isBatch: Bool) {
        let notes = Notes()
        let queue = RenderQueue(workers: 1, memoryBudget: 100)
        queue.isSuspended = true
        _ = queue.add(
            {
                notes.note("open")
                return RenderQueue.Prepared(cost: 1) { notes.note("run") }
            }, urgency: isBatch ? .batch : .prefetch)
        for _ in 0..<400 {
            _ = queue.add(.peek, urgency: .visible) { _ in notes.note("look") }
            #expect(queue.runNextStep())
        }
        let patience = RenderQueue.lookPatience
        #expect(notes.all.firstIndex(of: "open") == (isBatch ? patience : nil))
        #expect(notes.all.firstIndex(of: "run") == (isBatch ? 2 * patience + 1 : nil))
        while queue.runNextStep() {}
        #expect(notes.all.contains("run"))
    }

    @Test("A batch is not starved where threads look, either")
    func agingInThreads() {
        //  opens   look, look, look … each adds the next, until the batch has run
        //  runs                       batch
        let queue = RenderQueue(workers: 1, memoryBudget: 100)
        // A busy machine may take seconds to give the batch a thread.
        let deadline = ContinuousClock.now + .seconds(60)
        let isRun = Atomic<Bool>(false)
        @Sendable func look() {
            guard !isRun.load(ordering: .relaxed), ContinuousClock.now < deadline else { return }
            _ = queue.add(.peek, urgency: .visible) { _ in look() }
        }
        queue.isSuspended = true
        look()
        _ = queue.add(
            RenderQueue.Prepared(cost: 1) { isRun.store(true, ordering: .relaxed) }, urgency: .batch)
        queue.isSuspended = false
        queue.waitUntilIdle()
        #expect(isRun.load(ordering: .relaxed) && ContinuousClock.now < deadline)
    }

    @Test("A program that keeps all threads of Dispatch's pool busy does not keep pictures from being made")
    func busyPool() async {
        await #expect(processExitsWith: .success) {
            let isDone = Atomic<Bool>(false)
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                DispatchQueue.global().async { while !isDone.load(ordering: .relaxed) {} }
            }
            let queue = RenderQueue(workers: 2, memoryBudget: 100)
            let served = DispatchSemaphore(value: 0)
            _ = queue.add({ RenderQueue.Prepared(cost: 1) { served.signal() } }, urgency: .batch)
            #expect(served.wait(timeout: .now() + 60) == .success)
            isDone.store(true, ordering: .relaxed)
        }
    }

    @Test("What a decode holds is free when it is done, before its memory counts as free")
    func heldNoLonger() {
        final class Picture: Sendable {}
        var picture: Picture? = Picture()
        weak let held = picture
        let prepared = RenderQueue.Prepared(cost: 1) { [picture] in withExtendedLifetime(picture) {} }
        picture = nil
        #expect(held != nil)
        prepared.run()
        withExtendedLifetime(prepared) { #expect(held == nil) }
    }

    @Test("What is visible is opened though prefetches lie ready, and run before them")
    func beyondTheRoom() {
        //  runs    immediate (until the visible is open) ── visible ── prefetch
        //  opens   visible
        let notes = Notes()
        let queue = RenderQueue(workers: 1, memoryBudget: 100)
        queue.isSuspended = true
        let isOpen = DispatchSemaphore(value: 0)
        _ = queue.add(
            RenderQueue.Prepared(cost: 1) {
                #expect(isOpen.wait(timeout: .now() + 60) == .success)
                notes.note("immediate")
            }, urgency: .immediate)
        _ = queue.add(RenderQueue.Prepared(cost: 1) { notes.note("prefetch") }, urgency: .prefetch)
        _ = queue.add(
            {
                // Open when this has returned, which the thread that runs cannot see: the next step tells.
                _ = queue.add(.peek, urgency: .prefetch) { _ in isOpen.signal() }
                return RenderQueue.Prepared(cost: 1) { notes.note("visible") }
            }, urgency: .visible)
        queue.isSuspended = false
        queue.waitUntilIdle()
        #expect(notes.all == ["immediate", "visible", "prefetch"])
    }

    @Test("Where what is open is bounded, as with worker processes, that holds for what is urgent too")
    func boundedOpen() {
        let queue = RenderQueue(workers: 2, memoryBudget: 100, mostOpen: 2)
        queue.isSuspended = true
        for _ in 0..<2 { _ = queue.add(RenderQueue.Prepared(cost: 1) {}, urgency: .prefetch) }
        _ = queue.add({ nil }, urgency: .immediate)
        #expect(!queue.state.withLock { queue.hasRoom($0) })
        queue.isSuspended = false
        queue.waitUntilIdle()
        #expect(queue.backlog == 0)
    }

    @Test("Who submits more jobs than there is room for waits")
    func bounded() {
        let queue = RenderQueue(workers: 2, memoryBudget: 100, capacity: 8)
        let submitted = Atomic<Int>(0)
        let gate = DispatchSemaphore(value: 0)
        let producer = Thread {
            for _ in 0..<100 {
                queue.submit {
                    gate.wait()
                    return nil
                }
                submitted.add(1, ordering: .relaxed)
            }
        }
        producer.start()
        // Two have been taken up by the threads, eight wait; the producer stands.
        while submitted.load(ordering: .relaxed) < 10 { usleep(1000) }
        usleep(100_000)
        #expect(submitted.load(ordering: .relaxed) == 10)
        for _ in 0..<100 { gate.signal() }
        while submitted.load(ordering: .relaxed) < 100 { usleep(1000) }
        queue.waitUntilIdle()
    }
}
