import Foundation
import Testing

@testable import Cameo

struct MemoryCacheTests {
    @Test("Whatever is done to it, the books balance and a value is the last one put in", arguments: 0..<30)
    func random(seed: Int) {
        var random = Seeded(seed)
        let cache = MemoryCache<Int, Int>(limit: 1000)
        var model: [Int: Int] = [:]
        for step in 0..<3000 {
            let key = Int.random(in: 0..<80, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: cache.limit = Int.random(in: 0...1500, using: &random)
            case 1:
                cache.remove(key)
                model[key] = nil
            case 2: cache.trim(to: Int.random(in: 0...1000, using: &random))
            case 3: cache.relieve(Bool.random(using: &random) ? .moderate : .critical)
            case 6: cache.setCost(Int.random(in: 0...150, using: &random), of: key) { _ in true }
            case 4 where step % 50 == 0:
                cache.removeAll()
                model = [:]
            case 5..<12:
                let cost = Int.random(in: 0...150, using: &random)
                if cache.insert(step, for: key, cost: cost) { model[key] = step } else { model[key] = nil }
            default:
                if let found = cache.value(for: key) { #expect(found == model[key]) }
            }
            #expect(cache.checkInvariants() == nil, "step \(step)")
        }
    }

    @Test("The limit is hard and there by default; lowering it shrinks at once")
    func limit() {
        #expect(MemoryCache<Int, Int>().limit <= 256 << 20)
        let cache = MemoryCache<Int, Int>(limit: 1000)
        for key in 0..<500 {
            cache.insert(key, for: key, cost: 10)
            #expect(cache.cost <= 1000)
        }
        #expect(cache.count == 100)
        cache.limit = 300
        #expect(cache.count == 30 && cache.cost == 300)
    }

    @Test("No entry is over a tenth of the limit, and one that would be takes its older self along")
    func largeEntries() {
        let cache = MemoryCache<Int, Int>(limit: 1000)
        #expect(cache.insert(1, for: 1, cost: 100))
        #expect(!cache.insert(2, for: 1, cost: 101))
        #expect(cache.value(for: 1) == nil && cache.cost == 0)
    }

    @Test("What was used outlives what was only put in")
    func usedStays() {
        let cache = MemoryCache<Int, Int>(limit: 1000)
        for key in 0..<50 { cache.insert(key, for: key, cost: 10) }
        for round in 1...40 {
            for key in 0..<50 { _ = cache.value(for: key) }
            // A fling: cells that nobody comes back to.
            for key in 0..<25 { cache.insert(key, for: round * 1000 + key, cost: 10) }
        }
        #expect((0..<50).allSatisfy { cache.value(for: $0) != nil })
    }

    @Test("Looking whether a picture is in memory counts as no use of it")
    func noUse() throws {
        let cache = MemoryCache<Int, Int>(limit: 100)
        for key in 0..<10 { cache.insert(key, for: key, cost: 10) }
        #expect(cache.contains(0) && !cache.contains(10))
        _ = cache.value(for: 1)
        cache.insert(10, for: 10, cost: 10)
        #expect(!cache.contains(0) && cache.contains(1))
    }

    @Test("The limit is 15 % of what the process can hope for, and 256 MiB at most")
    func standardLimit() {
        let gib = 1 << 30
        // A machine of 64 GiB, one of 1 GiB, a container of 512 MiB on a large machine, one that is allowed more than
        // there is, and a machine that says nothing.
        for (installed, allowed, limit) in [
            (64 * gib, nil, 256 << 20), (gib, nil, 161_061_270), (64 * gib, gib / 2, 80_530_635),
            (gib, 64 * gib, 161_061_270), (nil, nil, 161_061_270), (nil, gib / 2, 80_530_635),
        ] as [(Int?, Int?, Int)] {
            let memory = SystemMemory.available(installed: installed, allowed: allowed)
            // Whole hundreds of bytes.
            #expect(abs(MemoryCache<Int, Int>.standardLimit(of: memory) - limit) <= 15)
        }
        #expect(MemoryCache<Int, Int>().limit == MemoryCache<Int, Int>.standardLimit(of: SystemMemory.available))
    }

    @Test("The limit is there and hard in a process that lives one second too")
    func shortProcess() async {
        await #expect(processExitsWith: .success) {
            // The first thing that the process does: nothing has told the cache anything yet.
            let cache = MemoryCache<Int, [UInt8]>()
            #expect(cache.limit > 0 && cache.limit <= 256 << 20)
            let bytes = [UInt8](repeating: 1, count: 1000)
            // The costs are what counts; the values are one.
            for key in 0..<400 {
                cache.insert(bytes, for: key, cost: cache.entryLimit)
                #expect(cache.cost <= cache.limit)
            }
            #expect(cache.count == 10)
            cache.limit = cache.limit / 2
            #expect(cache.cost <= cache.limit)
        }
    }

    @Test("What an entry costs may change: it goes where it is too much, and others make room for it")
    func setCost() {
        let cache = MemoryCache<Int, Int>(limit: 1000)
        for key in 0..<20 { cache.insert(key, for: key, cost: 50) }
        cache.setCost(90, of: 19) { $0 == 7 }
        #expect(cache.cost == 1000 && cache.count == 20)
        cache.setCost(90, of: 19) { $0 == 19 }
        #expect(cache.cost <= 1000 && cache.contains(19) && cache.checkInvariants() == nil)
        cache.setCost(101, of: 19) { _ in true }
        #expect(!cache.contains(19) && cache.checkInvariants() == nil)
        cache.setCost(5, of: 19) { _ in true }
        #expect(cache.checkInvariants() == nil)
    }

    @Test("Memory pressure trims in steps; it does not empty the cache on every hint")
    func pressure() {
        let cache = MemoryCache<Int, Int>(limit: 1000)
        for key in 0..<100 { cache.insert(key, for: key, cost: 10) }
        cache.relieve(.moderate)
        #expect(cache.cost == 750)
        for _ in 0..<100 { cache.relieve(.moderate) }
        #expect(cache.cost > 100 && cache.cost <= 125)
        cache.relieve(.critical)
        #expect(cache.cost > 0 && cache.cost < 63)
    }

    @Test("Eviction never hands one key's value to another, with four threads at it")
    func threads() {
        let cache = MemoryCache<Int, [Int]>(limit: 10_000)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = Seeded(thread)
            for _ in 0..<20_000 {
                let key = Int.random(in: 0..<500, using: &random)
                if let found = cache.value(for: key) { if found != [key] { Issue.record("another's value") } }
                cache.insert([key], for: key, cost: 100)
            }
        }
        #expect(cache.checkInvariants() == nil)
    }

    @Test("The machine's memory pressure can be watched and left alone again, where it can be watched at all")
    func observer() {
        let observer = PressureStallObserver()
        observer.start { _ in }
        observer.start { _ in }
        observer.stop()
    }
}
