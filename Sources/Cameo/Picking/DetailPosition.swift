/// Which asset of a list a detail view shows, whatever happens to the list.
public struct DetailPosition: Hashable, Sendable {
    /// What became of the detail view when the list changed.
    public enum Change: Hashable, Sendable {
        /// It shows what it showed.
        case same
        /// What it showed is gone; it shows a neighbour.
        case moved(to: Asset.ID)
        /// Nothing is left to show.
        case closed
    }

    /// The list that is looked through.
    public private(set) var ids: [Asset.ID]
    /// The place in the list; nil when the list is empty.
    public private(set) var index: Int?

    /// A detail view on `id`; nil if the list does not have it. O(count).
    public init?(showing id: Asset.ID, in ids: [Asset.ID]) {
        guard let index = ids.firstIndex(of: id) else { return nil }
        self.ids = ids
        self.index = index
    }

    /// The asset on show; nil when nothing is left.
    public var id: Asset.ID? { index.map { ids[$0] } }

    /// Whether there is an asset behind the one on show.
    public var hasNext: Bool { index.map { $0 + 1 < ids.count } ?? false }
    /// Whether there is an asset before the one on show.
    public var hasPrevious: Bool { index.map { $0 > 0 } ?? false }

    /// Goes `distance` assets on, or back for a negative one, but not over an end.
    public mutating func advance(by distance: Int) {
        guard let index else { return }
        let (target, overflow) = index.addingReportingOverflow(distance)
        self.index = overflow ? (distance < 0 ? 0 : ids.count - 1) : min(max(target, 0), ids.count - 1)
    }

    /// Follows the list to what it is now: stays on its asset, wherever that is, or moves to the nearest asset behind
    /// it that is still there, or else to the nearest before it. O(count).
    public mutating func update(to newIDs: [Asset.ID]) -> Change {
        let (old, oldIndex) = (ids, index)
        ids = newIDs
        guard let oldIndex else {
            index = newIDs.isEmpty ? nil : 0
            return id.map { .moved(to: $0) } ?? .closed
        }
        // Almost every change leaves the asset where it was.
        if oldIndex < newIDs.count, newIDs[oldIndex] == old[oldIndex] { return .same }
        let places = Dictionary(zip(newIDs, newIDs.indices)) { first, _ in first }
        if let place = places[old[oldIndex]] {
            index = place
            return .same
        }
        index = Self.successor(of: oldIndex, in: old.count, to: newIDs.count) { places[old[$0]] }
        return id.map { .moved(to: $0) } ?? .closed
    }

    /// Where a detail view goes that showed the asset at `index` of `oldCount`, which is gone; nil where nothing is left.
    ///
    /// - Parameter place: Where the asset at an old place is among the `newCount` now; nil where it is gone.
    package static func successor(
        of index: Int, in oldCount: Int, to newCount: Int, place: (Int) -> Int?
    ) -> Int? {
        for behind in (index + 1)..<oldCount { if let found = place(behind) { return found } }
        for before in (0..<index).reversed() { if let found = place(before) { return found } }
        return newCount == 0 ? nil : min(index, newCount - 1)
    }

    /// Stops the program if the place is none of the list.
    func checkInvariants() {
        precondition(index.map(ids.indices.contains) ?? ids.isEmpty, "no place \(index ?? -1) among \(ids.count)")
    }
}
