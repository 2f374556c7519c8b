import Testing

@testable import Cameo

/// Whole moments, and a library that changes under a selection.
@Suite struct PickerGroupTests {
    let library = MemoryLibrary(count: 10)
    let moment = AssetGroup.ID(.moments, "morning")

    init() {
        // The newest first, as a descending list has them.
        library.setList(moment, [7, 5, 3, 1].map { MemoryLibrary.asset("\($0)", hour: $0) })
    }

    @Test("Picking a whole moment with no limit picks all of it")
    func wholeMoment() {
        let picker = Picker(PickerConfiguration(limit: 0), library: library)
        #expect(picker.share(of: moment) == .none)
        #expect(picker.pickAll(in: moment) == ["1", "3", "5", "7"])
        #expect(picker.share(of: moment) == .all)
        #expect(picker.dropAll(in: moment) == ["7", "5", "3", "1"])
        #expect(picker.selection.isEmpty)
    }

    @Test("Picking a whole moment with a limit picks the earliest up to it")
    func limitedMoment() throws {
        let picker = Picker(PickerConfiguration(limit: 3), library: library)
        try picker.pick("3")
        #expect(picker.pickAll(in: moment) == ["1", "5"])
        #expect(picker.selection.ids == ["3", "1", "5"])
        #expect(picker.share(of: moment) == .some)
    }

    @Test("A vetoed asset of a moment is passed over and takes no place")
    func vetoInMoment() {
        let owner = Owner(vetoing: ["1"])
        let picker = Picker(PickerConfiguration(limit: 2), library: library, delegate: owner)
        #expect(picker.pickAll(in: moment) == ["3", "5"])
    }

    @Test("The selection survives a change of album, a library change and a new sort order")
    func survives() throws {
        let owner = Owner()
        let picker = Picker(PickerConfiguration(limit: 0, source: .moments), library: library, delegate: owner)
        try picker.pick("7")
        try picker.pick("2")
        #expect(picker.groups.map(\.title) == ["morning"])
        #expect(picker.assets(in: moment).map(\.id) == ["7", "5", "3", "1"])
        let before = owner.events
        library.setList(MemoryLibrary.all, (0..<40).reversed().map { MemoryLibrary.asset("\($0)", hour: 40 - $0) })
        library.setList(moment, [])
        picker.libraryDidChange()
        #expect(picker.selection.ids == ["7", "2"])
        #expect(owner.events == before)
    }

    @Test("Assets removed from disk leave the selection, with an event")
    func vanish() throws {
        let owner = Owner()
        let picker = Picker(
            PickerConfiguration(limit: 0, preselected: ["0", "1", "2", "3"]), library: library, delegate: owner)
        library.remove(["1", "3", "9"])
        picker.libraryDidChange()
        #expect(picker.selection.ids == ["0", "2"])
        #expect(owner.events == ["vanished 1, 3", "vanished 3, 2"])
        #expect(picker.refusal(of: "1") == .notOffered("1"))
    }

    @Test("An asset that vanishes without a word is not in the result")
    func vanishBeforeFinish() throws {
        let picker = Picker(PickerConfiguration(limit: 0, minimum: 2, preselected: ["0", "1", "2"]), library: library)
        library.remove(["1"])
        #expect(try picker.finish().ids == ["0", "2"])
    }

    @Test("An asset that vanishes while its pick is announced does not stay picked")
    func vanishWhilePicking() throws {
        let library = library
        let owner = Owner { picker, event in
            guard case .willPick = event else { return }
            library.remove(["4"])
            picker.libraryDidChange()
        }
        let picker = Picker(library: library, delegate: owner)
        try picker.pick("4")
        #expect(picker.selection.isEmpty)
        #expect(owner.events == ["will pick 4, 0", "did pick 4, 1", "vanished 4, 0"])
    }

    @Test("A result has the file where it is at the end, not where it was when it was picked")
    func renamed() throws {
        let picker = Picker(library: library)
        try picker.pick("4")
        library.setList(MemoryLibrary.all, [MemoryLibrary.asset("4", path: "/elsewhere")])
        #expect(try picker.finish().assets.map(\.asset.path) == ["/elsewhere"])
    }
}
