import Testing

@testable import Cameo

/// The ordered set of picks.
@Suite struct SelectionTests {
    @Test("What comes twice is picked once, at its first place")
    func twice() {
        let selection = Selection(["b", "a", "b"])
        #expect(selection.ids == ["b", "a"])
        #expect(selection.position(of: "a") == 1)
    }

    @Test("A selection does what an array would, after any steps")
    func random() {
        var (selection, model) = (Selection(), [Asset.ID]())
        for _ in 0..<5000 {
            let id = Asset.ID("\(Int.random(in: 0..<24))")
            switch Int.random(in: 0..<3) {
            case 0:
                #expect(selection.append(id) == !model.contains(id))
                if !model.contains(id) { model.append(id) }
            case 1:
                #expect(selection.remove(id) == model.contains(id))
                model.removeAll { $0 == id }
            case _ where !model.isEmpty:
                let (source, target) = (Int.random(in: model.indices), Int.random(in: model.indices))
                selection.move(from: source, to: target)
                model.insert(model.remove(at: source), at: target)
            default: break
            }
            selection.checkInvariants()
            #expect(selection.ids == model)
        }
    }
}
