import Testing

@testable import Cameo

/// A detail view over a list that changes.
@Suite struct DetailPositionTests {
    @Test("A detail view on a removed asset moves to a neighbour and never goes out of range")
    func removed() throws {
        var detail = try #require(DetailPosition(showing: "c", in: ["a", "b", "c", "d"]))
        #expect(detail.update(to: ["x", "a", "b", "c", "d"]) == .same)
        #expect(detail.index == 3)
        #expect(detail.update(to: ["x", "a", "b", "d"]) == .moved(to: "d"))
        #expect(detail.update(to: ["x", "a", "b"]) == .moved(to: "b"))
        #expect(detail.update(to: ["b", "x"]) == .same)
        #expect(detail.index == 0)
        #expect(detail.update(to: ["y"]) == .moved(to: "y"))
        #expect(detail.update(to: []) == .closed)
        #expect(detail.id == nil)
        #expect(DetailPosition(showing: "q", in: ["a"]) == nil)
    }

    @Test("Leafing stops at the ends")
    func ends() throws {
        var detail = try #require(DetailPosition(showing: "b", in: ["a", "b", "c"]))
        detail.advance(by: .max)
        #expect(detail.id == "c" && !detail.hasNext && detail.hasPrevious)
        detail.advance(by: .min)
        #expect(detail.id == "a" && detail.hasNext && !detail.hasPrevious)
    }

    @Test("Whatever happens to the list, the place is one of it, and the asset stays while it is there")
    func random() throws {
        for _ in 0..<300 {
            var detail = try #require(DetailPosition(showing: "0", in: ["0"]))
            for _ in 0..<20 {
                let old = detail.id
                let ids = (0..<12).filter { _ in Bool.random() }.shuffled().map { Asset.ID("\($0)") }
                let change = detail.update(to: ids)
                detail.checkInvariants()
                if let old, ids.contains(old) { #expect(detail.id == old && change == .same) }
                #expect((change == .closed) == ids.isEmpty)
                detail.advance(by: Int.random(in: -3...3))
                detail.checkInvariants()
            }
        }
    }
}
