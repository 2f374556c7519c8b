import Testing

@testable import Cameo

struct UrgencyBucketsTests {
    private static func taken(_ buckets: inout UrgencyBuckets<Int>) -> [Int] {
        var taken: [Int] = []
        while let next = buckets.popNext() { taken.append(next.element) }
        return taken
    }

    @Test("The most urgent comes first; within the visible the newest, elsewhere the oldest")
    func order() {
        var buckets = UrgencyBuckets<Int>()
        for (number, urgency) in [
            Urgency.batch, .visible, .prefetch, .batch, .visible, .immediate, .normal, .prefetch,
        ]
        .enumerated() {
            buckets.insert(number, number: UInt64(number), urgency: urgency)
        }
        #expect(Self.taken(&buckets) == [5, 4, 1, 6, 0, 3, 2, 7])
    }

    @Test("Batch work is not starved by a stream of visible work; prefetch gives way to all of it")
    func aging() {
        var buckets = UrgencyBuckets<Int>()
        buckets.insert(-1, number: 1, urgency: .batch)
        buckets.insert(-2, number: 2, urgency: .prefetch)
        var taken: [Int] = []
        for step in 0..<100 {
            buckets.insert(step, number: UInt64(100 + step), urgency: .visible)
            if let next = buckets.popNext() { taken.append(next.element) }
        }
        #expect(taken.firstIndex(of: -1) == UrgencyBuckets<Int>.patience)
        #expect(!taken.contains(-2))
    }

    @Test("The oldest of the visible is not starved by newer ones")
    func agingWithin() {
        var buckets = UrgencyBuckets<Int>()
        buckets.insert(-1, number: 1, urgency: .visible)
        var taken: [Int] = []
        for step in 0..<40 {
            buckets.insert(step, number: UInt64(100 + step), urgency: .visible)
            if let next = buckets.popNext() { taken.append(next.element) }
        }
        #expect(taken.firstIndex(of: -1) == UrgencyBuckets<Int>.patience)
    }

    @Test("What follows an earlier step waits in its place, whenever it comes")
    func arrival() {
        var buckets = UrgencyBuckets<Int>()
        for (number, arrival) in [(10, 3), (11, 1), (12, 2), (13, 13), (14, 2)] {
            buckets.insert(number, number: UInt64(number), urgency: .visible, arrival: UInt64(arrival))
        }
        #expect(buckets.checkInvariants() == nil)
        #expect(Self.taken(&buckets) == [13, 10, 14, 12, 11])
    }

    @Test("Whatever is done to it, nothing is lost and nothing comes twice", arguments: 0..<30)
    func random(seed: Int) {
        var random = Seeded(seed)
        var buckets = UrgencyBuckets<UInt64>()
        var model: [UInt64: Urgency] = [:]
        for number in UInt64(0)..<1500 {
            let urgency = Urgency.allCases.randomElement(using: &random) ?? .batch
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let arrival = Bool.random(using: &random) ? UInt64.random(in: 0...number, using: &random) : nil
                buckets.insert(number, number: number, urgency: urgency, arrival: arrival)
                model[number] = urgency
            case 4:
                let chosen = UInt64.random(in: 0...number, using: &random)
                #expect((buckets.remove(number: chosen) != nil) == (model.removeValue(forKey: chosen) != nil))
            case 5:
                let chosen = UInt64.random(in: 0...number, using: &random)
                #expect(buckets.move(number: chosen, to: urgency) == (model[chosen] != nil))
                if model[chosen] != nil { model[chosen] = urgency }
            case 6:
                let oldest = buckets.popOldest(of: urgency)
                if let oldest { #expect(model.removeValue(forKey: oldest) == urgency) }
            default:
                let next = buckets.next?.number
                let popped = buckets.popNext()
                #expect(popped?.number == next && popped?.element == next)
                if let popped { #expect(model.removeValue(forKey: popped.number) == popped.urgency) }
            }
            #expect(buckets.count == model.count)
            #expect(buckets.checkInvariants() == nil)
        }
        #expect(Set(Self.taken(&buckets)) == Set(model.keys))
    }

    private static func taken(_ buckets: inout UrgencyBuckets<UInt64>) -> [UInt64] {
        var taken: [UInt64] = []
        while let next = buckets.popNext() { taken.append(next.element) }
        return taken
    }
}
