/// How one list became another, in indexes: take out `removed`, put in `inserted`, then move.
public struct ListChange: Hashable, Sendable {
    /// An item that is in both lists, and not where its neighbours are.
    public struct Move: Hashable, Sendable {
        /// Its index in the list before.
        public let from: Int
        /// Its index in the list after.
        public let to: Int
    }

    /// Indexes, in the list before, of what is gone; ascending.
    public private(set) var removed: [Int] = []
    /// Indexes, in the list after, of what is new; ascending.
    public private(set) var inserted: [Int] = []
    /// Indexes, in the list after, of what is the same item with other properties; ascending.
    public private(set) var changed: [Int] = []
    /// What changed places among those that stay, by the index after. As few as can be.
    public private(set) var moved: [Move] = []

    /// Whether the lists are the same.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moved.isEmpty }

    /// The change from a list of `before` items to one of `after`.
    ///
    /// - Parameters:
    ///   - idBefore: What tells an item of the list before from the others.
    ///   - idAfter: The same of the list after.
    ///   - isChanged: Whether the item at an index before differs from the same item at an index after.
    /// - Complexity: O(n), and O(m log m) in the m items between the first and the last that are not in place.
    init<ID: Hashable>(
        before: Int, after: Int, idBefore: (Int) -> ID, idAfter: (Int) -> ID, isChanged: (Int, Int) -> Bool
    ) {
        var start = 0
        while start < before, start < after, idBefore(start) == idAfter(start) {
            if isChanged(start, start) { changed.append(start) }
            start += 1
        }
        var tail = 0
        while tail < before - start, tail < after - start, idBefore(before - 1 - tail) == idAfter(after - 1 - tail) {
            tail += 1
        }
        var former: [ID: Int] = [:]
        for index in start..<before - tail { former[idBefore(index)] = index }
        var stays: [Move] = []
        for index in start..<after - tail {
            guard let from = former.removeValue(forKey: idAfter(index)) else {
                inserted.append(index)
                continue
            }
            if isChanged(from, index) { changed.append(index) }
            stays.append(Move(from: from, to: index))
        }
        removed = former.values.sorted()
        moved = Self.outOfOrder(stays)
        for offset in (0..<tail).reversed() where isChanged(before - 1 - offset, after - 1 - offset) {
            changed.append(after - 1 - offset)
        }
    }

    /// Those of `stays` that are not in a longest run of ascending former indexes.
    private static func outOfOrder(_ stays: [Move]) -> [Move] {
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: stays.count)
        for (place, stay) in stays.enumerated() {
            var range = 0..<ends.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = stays[ends[middle]].from < stay.from ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            previous[place] = range.lowerBound > 0 ? ends[range.lowerBound - 1] : nil
            if range.lowerBound == ends.count {
                ends.append(place)
            } else {
                ends[range.lowerBound] = place
            }
        }
        guard ends.count < stays.count else { return [] }
        var isInOrder = [Bool](repeating: false, count: stays.count)
        var next = ends.last
        while let place = next {
            isInOrder[place] = true
            next = previous[place]
        }
        return stays.indices.filter { !isInOrder[$0] }.map { stays[$0] }
    }
}
