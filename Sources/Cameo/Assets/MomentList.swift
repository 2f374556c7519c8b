/// A library's assets in moments.
public struct MomentList: ItemList {
    /// What the list is of.
    public typealias Item = Moment

    /// How assets are grouped and in which order moments stand.
    public struct Options: Sendable {
        /// Neighbours further apart than so many metres are in two moments. 25 km by default.
        public var distance = 25_000.0
        /// Whether the newest moment is first, and in each the newest asset.
        public var isDescending = false
        /// Names for titles.
        public var naming: (any PlaceNaming)?

        /// The options by default, or with these changes.
        public init(distance: Double = 25_000, isDescending: Bool = false, naming: (any PlaceNaming)? = nil) {
            self.distance = distance
            self.isDescending = isDescending
            self.naming = naming
        }
    }

    /// What stands above the list.
    public let title = "Moments"
    /// How it is grouped.
    public let options: Options

    let recents: AssetList
    let ranges: [Range<Int>]

    /// Groups a snapshot's assets. O(n).
    init(_ recents: AssetList, options: Options) {
        self.recents = recents
        self.options = options
        let grouping = MomentGrouping(count: recents.count, meters: options.distance) { Self.item(recents, $0) }
        ranges = options.isDescending ? grouping.ranges.reversed() : grouping.ranges
    }

    static func item(_ recents: AssetList, _ index: Int) -> MomentGrouping.Item {
        let record = recents.record(at: index)
        return MomentGrouping.Item(seconds: record.seconds, latitude: record.latitude, longitude: record.longitude)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many moments there are.
    public var endIndex: Int { ranges.count }

    /// The moment at `index`. O(1), and O(k) in its leading assets without a place.
    public subscript(index: Int) -> Moment {
        let range = ranges[index]
        let first = recents.record(at: range.lowerBound)
        let day = Moment.Day(number: Int(MomentGrouping.Item(seconds: first.seconds, latitude: 0, longitude: 0).day))
        let place = range.lazy.compactMap { recents.record(at: $0).place }.first
        let name = place.flatMap { options.naming?.name(of: $0) }
        return Moment(
            id: first.id, day: day, place: place, title: name.map { "\($0), \(day.title)" } ?? day.title,
            assets: MomentAssets(recents: recents, range: range, isDescending: options.isDescending))
    }

    /// The moments as the library has them now. Waits for a scan that runs. O(n).
    public func updated() async -> MomentList {
        MomentList(await recents.updated(), options: options)
    }
}

extension LibrarySnapshot {
    /// The assets in moments; every asset is in exactly one. O(n).
    public func moments(_ options: MomentList.Options = MomentList.Options()) -> MomentList {
        MomentList(recents, options: options)
    }
}

extension AssetLibrary {
    /// The library's moments as they become known; starts the first scan. The stream ends with a final state.
    public func moments(
        _ options: MomentList.Options = MomentList.Options()
    ) -> AsyncStream<LoadingState<MomentList>> {
        states { [weak self] progress in
            MomentList(progress.snapshot.assets(of: .smart(.recents), library: self), options: options)
        }
    }
}
