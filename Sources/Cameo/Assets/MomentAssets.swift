/// The assets of a moment.
public struct MomentAssets: RandomAccessCollection, Hashable, Sendable {
    let recents: AssetList
    /// Places in `recents`.
    let range: Range<Int>
    let isDescending: Bool

    /// 0.
    public var startIndex: Int { 0 }
    /// How many assets there are.
    public var endIndex: Int { range.count }
    /// The asset at `index`. O(1).
    public subscript(index: Int) -> Asset { recents[position(index)] }

    /// The identifier of the asset at `index`, without making the asset. O(1).
    public func id(at index: Int) -> Asset.ID { recents.id(at: position(index)) }

    private func position(_ index: Int) -> Int {
        isDescending ? range.upperBound - 1 - index : range.lowerBound + index
    }

    /// Whether both are the same part of the same snapshot.
    public static func == (a: Self, b: Self) -> Bool {
        a.recents.snapshot === b.recents.snapshot && a.range == b.range && a.isDescending == b.isDescending
    }

    /// Feeds the part of the snapshot.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(recents.snapshot))
        hasher.combine(range)
    }
}
