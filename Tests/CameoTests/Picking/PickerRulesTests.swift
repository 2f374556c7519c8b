import Testing

@testable import Cameo

/// What may be picked, and who is asked.
@Suite struct PickerRulesTests {
    let library = MemoryLibrary(count: 30)

    @Test("One asset can be picked unless said otherwise")
    func standard() throws {
        let picker = Picker(library: library)
        try picker.pick("0")
        #expect(throws: PickingError.limitReached(limit: 1)) { try picker.pick("1") }
        #expect(picker.selection.ids == ["0"])
    }

    @Test("Already picked comes before the limit, the limit before the library, the library before the veto")
    func order() throws {
        let owner = Owner(vetoing: ["2", "gone"])
        let picker = Picker(PickerConfiguration(limit: 2), library: library, delegate: owner)
        #expect(picker.refusal(of: "2") == .vetoed("2"))
        #expect(picker.refusal(of: "gone") == .notOffered("gone"))
        try picker.pick("0")
        #expect(picker.refusal(of: "0") == .alreadyPicked("0"))
        try picker.pick("1")
        #expect(picker.refusal(of: "0") == .alreadyPicked("0"))
        #expect(picker.refusal(of: "2") == .limitReached(limit: 2))
        #expect(picker.refusal(of: "gone") == .limitReached(limit: 2))
        try picker.finish()
        #expect(picker.refusal(of: "0") == .finished)
    }

    @Test("The owner's veto is not asked when the limit already refuses")
    func vetoAfterLimit() throws {
        let owner = Owner()
        let picker = Picker(PickerConfiguration(limit: 1), library: library, delegate: owner)
        try picker.pick("0")
        #expect(owner.questions == ["0"])
        #expect(!picker.canPick("0"))
        #expect(!picker.canPick("1"))
        #expect(throws: PickingError.self) { try picker.pick("1") }
        #expect(throws: PickingError.self) { try picker.toggle("2") }
        #expect(picker.pickAll(in: MemoryLibrary.all) == [])
        #expect(owner.questions == ["0"])
    }

    @Test("canPick is enforced, not only shown")
    func enforced() throws {
        let owner = Owner(vetoing: ["3"])
        library.setList(AssetGroup.ID(.all, "films"), [MemoryLibrary.asset("film", kind: .video)])
        let picker = Picker(
            PickerConfiguration(limit: 0, filter: .images), library: library, delegate: owner)
        for id: Asset.ID in ["3", "film", "unknown"] {
            #expect(!picker.canPick(id))
            #expect(throws: PickingError.self) { try picker.pick(id) }
            #expect(throws: PickingError.self) { try picker.toggle(id) }
        }
        picker.pickAll(in: MemoryLibrary.all)
        picker.pickAll(in: AssetGroup.ID(.all, "films"))
        #expect(picker.selection.count == 29)
        #expect(!picker.selection.contains("3"))
    }

    @Test("Will and did come in order, with the count before and after")
    func events() throws {
        let owner = Owner()
        let picker = Picker(PickerConfiguration(limit: 2, isOrdered: true), library: library, delegate: owner)
        try picker.pick("0")
        #expect(try picker.toggle("1"))
        try picker.move(from: 1, to: 0)
        #expect(try !picker.toggle("0"))
        #expect(
            owner.events == [
                "will pick 0, 0", "did pick 0, 1", "will pick 1, 1", "did pick 1, 2", "moved 1 1→0",
                "will drop 0, 2", "did drop 0, 1",
            ])
    }

    @Test("Dropping what was not picked fires no event")
    func dropNothing() {
        let owner = Owner()
        let picker = Picker(library: library, delegate: owner)
        #expect(!picker.drop("0"))
        #expect(!picker.drop("unknown"))
        #expect(picker.dropAll(in: MemoryLibrary.all) == [])
        #expect(owner.events == [])
    }

    @Test("Only an ordered selection has an order to change, and only at places that it has")
    func moving() throws {
        let plain = Picker(PickerConfiguration(limit: 0, preselected: ["0", "1"]), library: library)
        #expect(throws: PickingError.notOrdered) { try plain.move(from: 0, to: 1) }
        #expect(plain.position(of: "1") == nil)
        let ordered = Picker(
            PickerConfiguration(limit: 0, isOrdered: true, preselected: ["0", "1", "2"]), library: library)
        #expect(throws: PickingError.noSuchPosition(3)) { try ordered.move(from: 3, to: 0) }
        #expect(throws: PickingError.noSuchPosition(-1)) { try ordered.move(from: 0, to: -1) }
        try ordered.move(from: 0, to: 2)
        #expect(ordered.selection.ids == ["1", "2", "0"])
        #expect(ordered.position(of: "0") == 2)
    }

    @Test("Filters combine by any, all and not over kinds and subtypes")
    func filters() {
        let live = MemoryLibrary.asset("live", subtypes: .live)
        let screen = MemoryLibrary.asset("screen", subtypes: .screenshot)
        let film = MemoryLibrary.asset("film", kind: .video)
        let both = MemoryLibrary.asset("both", subtypes: [.live, .panorama])
        func passing(_ filter: AssetFilter) -> [String] {
            [live, screen, film, both].filter(filter.passes).map(\.id.value)
        }
        #expect(passing(.everything) == ["live", "screen", "film", "both"])
        #expect(passing(.any([])) == [])
        #expect(passing(.subtypes([.live, .panorama])) == ["both"])
        #expect(passing(.all([.images, .not(.subtypes(.screenshot))])) == ["live", "both"])
        #expect(passing(.any([.videos, .subtypes(.live)])) == ["live", "film", "both"])
        #expect(passing(.not(.any([.subtypes(.live), .subtypes(.screenshot)]))) == ["film"])
    }
}
