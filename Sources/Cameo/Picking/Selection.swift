/// What is picked, in pick order: a list of identifiers, each at most once.
///
/// It holds identifiers and no positions in any list, so it does not change when a list does.
public struct Selection: Hashable, Sendable {
    /// The identifiers in pick order.
    public private(set) var ids: [Asset.ID] = []
    private var positions: [Asset.ID: Int] = [:]

    /// An empty selection.
    public init() {}

    /// The identifiers of `ids`, those that come twice at their first place. O(count).
    public init(_ ids: some Sequence<Asset.ID>) {
        for id in ids { append(id) }
    }

    /// Whether `id` is picked. O(1).
    public func contains(_ id: Asset.ID) -> Bool { positions[id] != nil }

    /// The place of `id` in pick order, from 0; nil if it is not picked. O(1).
    public func position(of id: Asset.ID) -> Int? { positions[id] }

    /// Picks `id`, last in order; false if it is picked already. Amortised O(1).
    @discardableResult
    public mutating func append(_ id: Asset.ID) -> Bool {
        guard positions[id] == nil else { return false }
        positions[id] = ids.count
        ids.append(id)
        return true
    }

    /// Drops `id`; false if it was not picked. O(picked after it).
    @discardableResult
    public mutating func remove(_ id: Asset.ID) -> Bool {
        guard let position = positions.removeValue(forKey: id) else { return false }
        ids.remove(at: position)
        renumber(position..<ids.count)
        return true
    }

    /// Moves the pick at `source` so that it ends up at `target`; the others keep their order. O(distance), after a
    /// copy where the list is shared.
    ///
    /// - Precondition: Both are positions of the selection.
    public mutating func move(from source: Int, to target: Int) {
        precondition(ids.indices.contains(source) && ids.indices.contains(target), "no such position")
        ids.insert(ids.remove(at: source), at: target)
        renumber(Swift.min(source, target)..<Swift.max(source, target) + 1)
    }

    private mutating func renumber(_ range: Range<Int>) {
        for position in range { positions[ids[position]] = position }
    }

    /// Stops the program if the list and the index of it do not agree. O(count).
    func checkInvariants() {
        precondition(positions.count == ids.count, "\(positions.count) positions of \(ids.count) picks")
        for (position, id) in ids.enumerated() {
            precondition(positions[id] == position, "\(id) is at \(position), not where the index says")
        }
    }
}

extension Selection: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// How many are picked.
    public var endIndex: Int { ids.count }
    /// The pick at a place of the order. O(1).
    public subscript(position: Int) -> Asset.ID { ids[position] }
}
