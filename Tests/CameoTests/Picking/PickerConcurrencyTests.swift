import Dispatch
import Synchronization
import Testing

@testable import Cameo

/// A picker that many threads use.
@Suite struct PickerConcurrencyTests {
    // thread A   rules ok ─ veto ─────────────── reserve ─ willPick ─ commit
    // thread B       rules ok ─ veto ─ reserve ─────────── willPick ───── commit
    // With one place left, the second to reserve is refused.
    @Test("Two threads never share the last place")
    func lastPlace() {
        for _ in 0..<200 {
            let owner = Owner()
            let picker = Picker(
                PickerConfiguration(limit: 3), library: MemoryLibrary(count: 16), delegate: owner)
            DispatchQueue.concurrentPerform(iterations: 16) { _ = try? picker.pick(Asset.ID("\($0)")) }
            #expect(picker.selection.count == 3)
            #expect(owner.events.count == 6)
        }
    }

    @Test("While a pick is announced its place is taken")
    func reserved() throws {
        let owner = Owner { picker, event in
            guard case .willPick("0", _) = event else { return }
            #expect(picker.refusal(of: "1") == .limitReached(limit: 1))
            #expect(throws: PickingError.limitReached(limit: 1)) { try picker.pick("1") }
        }
        let picker = Picker(library: MemoryLibrary(count: 2), delegate: owner)
        try picker.pick("0")
        #expect(picker.selection.ids == ["0"])
    }

    @Test("Any mixture of calls from any threads leaves the picker sound, and every reader with the same story")
    func mixture() async throws {
        let library = MemoryLibrary(count: 40)
        let picker = Picker(PickerConfiguration(limit: 12, isOrdered: true), library: library)
        let streams = [picker.events, picker.events]
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            var random = SystemRandomNumberGenerator()
            for step in 0..<150 {
                let id = Asset.ID("\(Int.random(in: 0..<40, using: &random))")
                switch Int.random(in: 0..<7, using: &random) {
                case 0, 1: _ = try? picker.pick(id)
                case 2: picker.drop(id)
                case 3: _ = try? picker.toggle(id)
                case 4: try? picker.move(from: 0, to: Int.random(in: 0..<12, using: &random))
                case 5 where worker == 0 && step % 10 == 0:
                    library.remove([id])
                    picker.libraryDidChange()
                default: _ = picker.canPick(id)
                }
                picker.state.withLock { $0.checkInvariants() }
                #expect(picker.selection.count <= 12)
            }
        }
        let ids = picker.selection.ids.filter { library.asset(for: $0) != nil }
        #expect(try picker.finish().ids == ids)
        var stories: [[String]] = []
        for stream in streams { stories.append(await stream.reduce(into: []) { $0.append($1.summary) }) }
        #expect(stories[0] == stories[1])
        #expect(stories[0].last == "finished \(ids.count)")
        // The counts tell the whole story: each did follows from the one before.
        var count = 0
        for event in stories[0].dropLast() {
            if event.hasPrefix("did pick") { count += 1 }
            if event.hasPrefix("did drop") || event.hasPrefix("vanished") { count -= 1 }
            if event.hasPrefix("did") || event.hasPrefix("vanished") { #expect(event.hasSuffix(", \(count)")) }
        }
    }
}
