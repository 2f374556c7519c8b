import Testing

@testable import Cameo

/// How one list became another.
@Suite struct ListChangeTests {
    private struct Item: Equatable {
        let id: Int
        var version = 0
    }

    private func change(_ old: [Item], _ new: [Item]) -> ListChange {
        ListChange(
            before: old.count, after: new.count, idBefore: { old[$0].id }, idAfter: { new[$0].id },
            isChanged: { old[$0].version != new[$1].version })
    }

    /// Replays a change as a view would: take out, put in, move, draw again.
    private func replay(_ change: ListChange, _ old: [Item], _ new: [Item]) -> [Item] {
        let moved = Set(change.moved.map(\.from))
        var stays = old.indices.filter { !change.removed.contains($0) && !moved.contains($0) }.map { old[$0] }
        let arrivals = (change.inserted.map { ($0, new[$0]) } + change.moved.map { ($0.to, old[$0.from]) }).sorted {
            $0.0 < $1.0
        }
        for (index, item) in arrivals { stays.insert(item, at: index) }
        for index in change.changed { stays[index] = new[index] }
        return stays
    }

    @Test(arguments: 0..<500) func replayingAChangeMakesTheNewList(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let old = Array(0..<Int.random(in: 0...12, using: &random)).shuffled(using: &random).map { Item(id: $0) }
        var new = old.filter { _ in Int.random(in: 0...4, using: &random) > 0 }
        for id in 100..<100 + Int.random(in: 0...3, using: &random) {
            new.insert(Item(id: id), at: Int.random(in: 0...new.count, using: &random))
        }
        for index in new.indices where Int.random(in: 0...5, using: &random) == 0 { new[index].version = 1 }
        if Bool.random(using: &random), new.count > 1 {
            new.append(new.remove(at: Int.random(in: 0..<new.count, using: &random)))
        }
        let change = change(old, new)
        #expect(replay(change, old, new) == new)
        #expect(change.moved.count <= 1)
        #expect(change.isEmpty == (old == new))
        #expect(change.changed == change.changed.sorted() && change.removed == change.removed.sorted())
    }

    @Test func oneThatGoesFromTheEndToTheBeginningIsOneMove() {
        let old = (0..<100).map { Item(id: $0) }
        let change = change(old, [old[99]] + old[..<99])
        #expect(change.moved == [ListChange.Move(from: 99, to: 0)])
        #expect(change.inserted.isEmpty && change.removed.isEmpty && change.changed.isEmpty)
    }
}
