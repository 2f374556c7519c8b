import Testing

@testable import Cameo

struct PriorityBucketsTests {
    private static func taken(_ buckets: inout PriorityBuckets<Int>) -> [Int] {
        var taken: [Int] = []
        while let next = buckets.popNext() { taken.append(next.element) }
        return taken
    }

    @Test("The most urgent comes first; within the visible the newest, elsewhere the oldest")
    func order() {
        var buckets = PriorityBuckets<Int>()
        for (number, priority) in [
            Priority.batch, .visible, .prefetch, .batch, .visible, .immediate, .normal, .prefetch,
        ]
        .enumerated() {
            buckets.insert(number, number: UInt64(number), priority: priority)
        }
        #expect(Self.taken(&buckets) == [5, 4, 1, 6, 0, 3, 2, 7])
    }

    @Test("Batch work is not starved by a stream of visible work; prefetch gives way to all of it")
    func aging() {
        var buckets = PriorityBuckets<Int>()
        buckets.insert(-1, number: 1, priority: .batch)
        buckets.insert(-2, number: 2, priority: .prefetch)
        var taken: [Int] = []
        for step in 0..<100 {
            buckets.insert(step, number: UInt64(100 + step), priority: .visible)
            if let next = buckets.popNext() { taken.append(next.element) }
        }
        #expect(taken.firstIndex(of: -1) == PriorityBuckets<Int>.patience)
        #expect(!taken.contains(-2))
    }

    @Test("The oldest of the visible is not starved by newer ones")
    func agingWithin() {
        var buckets = PriorityBuckets<Int>()
        buckets.insert(-1, number: 1, priority: .visible)
        var taken: [Int] = []
        for step in 0..<40 {
            buckets.insert(step, number: UInt64(100 + step), priority: .visible)
            if let next = buckets.popNext() { taken.append(next.element) }
        }
        #expect(taken.firstIndex(of: -1) == PriorityBuckets<Int>.patience)
    }

    @Test("Whatever is done to it, nothing is lost and nothing comes twice", arguments: 0..<30)
    func random(seed: Int) {
        var random = Seeded(seed)
        var buckets = PriorityBuckets<UInt64>()
        var model: [UInt64: Priority] = [:]
        for number in UInt64(0)..<1500 {
            let priority = Priority.allCases.randomElement(using: &random) ?? .batch
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                buckets.insert(number, number: number, priority: priority)
                model[number] = priority
            case 4:
                let chosen = UInt64.random(in: 0...number, using: &random)
                #expect((buckets.remove(number: chosen) != nil) == (model.removeValue(forKey: chosen) != nil))
            case 5:
                let chosen = UInt64.random(in: 0...number, using: &random)
                #expect(buckets.move(number: chosen, to: priority) == (model[chosen] != nil))
                if model[chosen] != nil { model[chosen] = priority }
            case 6:
                let oldest = buckets.popOldest(of: priority)
                if let oldest { #expect(model.removeValue(forKey: oldest) == priority) }
            default:
                let next = buckets.next?.number
                let popped = buckets.popNext()
                #expect(popped?.number == next && popped?.element == next)
                if let popped { #expect(model.removeValue(forKey: popped.number) == popped.priority) }
            }
            #expect(buckets.count == model.count)
            #expect(buckets.checkInvariants() == nil)
        }
        #expect(Set(Self.taken(&buckets)) == Set(model.keys))
    }

    private static func taken(_ buckets: inout PriorityBuckets<UInt64>) -> [UInt64] {
        var taken: [UInt64] = []
        while let next = buckets.popNext() { taken.append(next.element) }
        return taken
    }
}
