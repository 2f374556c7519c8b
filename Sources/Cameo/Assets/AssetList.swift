/// The assets of an album by date, the oldest first.
///
/// A view into a snapshot: it never changes, and costs a few words however long it is.
public struct AssetList: ItemList {
    /// What the list is of.
    public typealias Item = Asset

    /// Which album's.
    public let kind: Album.Kind
    /// The library that the assets are from.
    public let snapshot: LibrarySnapshot

    let places: ArraySlice<UInt32>
    let library: AssetLibrary?

    /// The album's title.
    public var title: String { Album.title(of: kind) }
    /// 0.
    public var startIndex: Int { 0 }
    /// How many assets there are.
    public var endIndex: Int { places.count }
    /// The asset at `index`. O(1), and O(log n) of its companions.
    public subscript(index: Int) -> Asset { snapshot.asset(at: Int(places[places.startIndex + index])) }

    /// The identifier of the asset at `index`, without making the asset. O(1).
    public func id(at index: Int) -> Asset.ID { record(at: index).id }

    func record(at index: Int) -> FileRecord { snapshot.table.records[place(at: index)] }

    /// Where in the snapshot's table the asset at `index` is.
    func place(at index: Int) -> Int { Int(places[places.startIndex + index]) }

    /// The album's assets as the library has them now. Waits for a scan that runs. O(1) apart from that.
    public func updated() async -> AssetList {
        guard let library else { return self }
        return await library.settled().assets(of: kind, library: library)
    }

    /// The index of an asset in the list; nil where it is not in it. O(log n).
    public func index(of id: Asset.ID) -> Int? {
        guard let place = snapshot.place(of: id) else { return nil }
        let wanted = snapshot.table.records[place]
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let index = places[places.startIndex + middle]
            if index == place { return middle }
            let found = snapshot.table.records[Int(index)]
            let isBefore = (found.seconds, found.nanosecond, Int(index)) < (wanted.seconds, wanted.nanosecond, place)
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
