import Foundation
import Testing

@testable import Cameo

/// The pipeline taken step by step, as a clock of somebody else's takes it.
struct SteppingTests {
    @Test("Steps on the caller's thread do what the workers would do, in their order")
    func order() {
        let bench = Bench(workers: 1)
        let tasks = [Priority.prefetch, .visible, .visible, .immediate].enumerated().map { number, priority in
            bench.pipeline.start(Bench.request(number, priority: priority))
        }
        var order: [Int] = []
        while bench.pipeline.runNextStep() {
            for (number, task) in tasks.enumerated() where task.isDone && !order.contains(number) {
                order.append(number)
            }
        }
        #expect(order == [3, 2, 1, 0])
        #expect(bench.numbers.decodes == 4 && bench.numbers.queueLength == 0)
    }

    @Test("What was called off takes no step")
    func calledOff() {
        let bench = Bench(workers: 1)
        let task = bench.pipeline.start(Bench.request(1))
        task.cancel()
        #expect(!bench.pipeline.runNextStep())
        #expect(bench.numbers.decodes == 0)
    }

    @Test("With a feature off the pipeline does without it")
    func features() {
        var features = ImagePipeline.Features()
        features.coalesces = false
        let alone = Bench(workers: 1, features: features)
        let tasks = (0..<2).map { _ in alone.pipeline.start(Bench.request(1)) }
        alone.run()
        #expect(tasks.allSatisfy { $0.lastEvent?.image != nil })
        #expect(alone.numbers.coalesced == 0)

        features = ImagePipeline.Features()
        features.cancels = false
        let stubborn = Bench(workers: 1, features: features)
        stubborn.pipeline.start(Bench.request(1)).cancel()
        stubborn.run()
        #expect(stubborn.numbers.decodes == 1 && stubborn.numbers.wasted == 1)

        features = ImagePipeline.Features()
        features.servesNewestFirst = false
        let fair = Bench(workers: 1, features: features)
        let first = fair.pipeline.start(Bench.request(1, priority: .visible))
        let second = fair.pipeline.start(Bench.request(2, priority: .visible))
        while !first.isDone, !second.isDone { _ = fair.pipeline.runNextStep() }
        #expect(first.isDone && !second.isDone)
    }
}
