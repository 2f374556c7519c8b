/// Assets that belong together: taken on one day, by the clock where they were taken, and near each other.
public struct Moment: Identifiable, Hashable, Sendable {
    /// A civil day.
    public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// Days since 1970-01-01.
        public let number: Int

        /// `2026-05-01`.
        public var description: String {
            String(CaptureDate(civilSeconds: Int64(number) * 86_400).description.prefix(10))
        }

        /// `1 May 2026`.
        public var title: String {
            let (year, month, day) = CaptureDate.civil(day: number)
            return "\(day) \(Self.months[month - 1]) \(year)"
        }

        /// The earlier day first.
        public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

        private static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
    }

    /// The identifier of its earliest asset.
    public let id: Asset.ID
    /// The day on which all of its assets were taken.
    public let day: Day
    /// Where its first asset with a place was taken.
    public let place: Place?
    /// What stands above it: the day, behind the place's name where one is known.
    public let title: String
    /// Its assets, in the order of the list.
    public let assets: MomentAssets
}

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
