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
                    if other.wait(timeout: .now() + 20) == .success { met.add(1, ordering: .relaxed) }
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
        usleep(100_000)
        // Two have been taken up by the threads, eight wait; the producer stands.
        #expect(submitted.load(ordering: .relaxed) <= 10)
        for _ in 0..<100 { gate.signal() }
        while submitted.load(ordering: .relaxed) < 100 { usleep(1000) }
        queue.waitUntilIdle()
    }
}
