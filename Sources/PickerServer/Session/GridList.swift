import Cameo

/// What a grid shows: an album's assets, perhaps of one type, the newest first, in moments.
struct GridList: Sendable {
    /// A moment's part in the list.
    struct Section: Sendable {
        let day: String
        let place: Place?
        let range: Range<Int>
    }

    /// Tells it from the other lists of the session.
    let handle: Int
    let key: Key
    private let assets: AssetList
    /// Places in `assets` of what passed, ascending; nil where everything did.
    private let passed: [Int32]?
    let sections: [Section]
    /// How many of the assets are videos.
    let videos: Int

    /// What a list is made of.
    struct Key: Hashable, Sendable {
        let revision: Int
        let album: Album.Kind
        let type: TypeFilter?
    }

    init(handle: Int, key: Key, assets: AssetList, passed: [Int32]?, sections: [Section], videos: Int) {
        self.handle = handle
        self.key = key
        self.assets = assets
        self.passed = passed
        self.sections = sections
        self.videos = videos
    }

    var count: Int { passed?.count ?? assets.count }

    /// The asset at `index`, from the newest. O(1).
    func asset(at index: Int) -> Asset { assets[place(index)] }

    /// The identifier at `index`. O(1).
    func id(at index: Int) -> Asset.ID { assets.id(at: place(index)) }

    /// Where an asset is; nil where it is not in the list. O(log n).
    func index(of id: Asset.ID) -> Int? {
        guard let place = assets.index(of: id) else { return nil }
        guard let passed else { return count - 1 - place }
        return Self.find(Int32(place), in: passed).map { count - 1 - $0 }
    }

    private func place(_ index: Int) -> Int {
        let ascending = count - 1 - index
        return passed.map { Int($0[ascending]) } ?? ascending
    }

    private static func find(_ place: Int32, in places: [Int32]) -> Int? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] == place ? low : nil
    }
}

extension GridList {
    /// What does not change while the library does not: the moments of all assets.
    struct Moments: Sendable {
        /// A moment, without its assets.
        struct Entry: Sendable {
            let day: String
            let place: Place?
        }

        let entries: [Entry]
        /// The moment of each asset of Recents, ascending.
        let ofRecent: [Int32]

        /// O(n).
        init(_ snapshot: LibrarySnapshot) {
            var entries: [Entry] = []
            var ofRecent: [Int32] = []
            ofRecent.reserveCapacity(snapshot.count)
            for moment in snapshot.moments() {
                ofRecent.append(contentsOf: repeatElement(Int32(entries.count), count: moment.assets.count))
                entries.append(Entry(day: moment.day.description, place: moment.place))
            }
            self.entries = entries
            self.ofRecent = ofRecent
        }
    }

    /// The list of `key`, narrowed by what the picker offers at all. O(n), and O(n log n) for an album of a folder.
    static func make(
        handle: Int, key: Key, snapshot: LibrarySnapshot, moments: Moments, offered: TypeFilter?
    ) -> GridList {
        let assets = snapshot.assets(of: key.album)
        var passed: [Int32]?
        for type in [key.type, offered].compactMap(\.self) { passed = narrowed(passed, assets, to: type, snapshot) }
        let count = passed?.count ?? assets.count

        let recents = key.album == .smart(.recents) ? nil : snapshot.recents
        func moment(_ ascending: Int) -> Int32 {
            let place = passed.map { Int($0[ascending]) } ?? ascending
            let recent = recents.map { $0.index(of: assets.id(at: place)) ?? 0 } ?? place
            return moments.ofRecent[recent]
        }
        var sections: [Section] = []
        var (start, current) = (0, Int32(-1))
        func close(at end: Int) {
            guard current >= 0, end > start else { return }
            let entry = moments.entries[Int(current)]
            sections.append(Section(day: entry.day, place: entry.place, range: start..<end))
        }
        for index in 0..<count {
            let found = moment(count - 1 - index)
            if found != current {
                close(at: index)
                (start, current) = (index, found)
            }
        }
        close(at: count)
        let hasVideos = !snapshot.assets(of: .smart(.videos)).isEmpty
        let videos = hasVideos ? narrowed(passed, assets, to: .video, snapshot).count : 0
        return GridList(
            handle: handle, key: key, assets: assets, passed: passed, sections: sections, videos: videos)
    }

    /// Which of `places` in `assets` pass `type`, without making an asset of each.
    private static func narrowed(
        _ places: [Int32]?, _ assets: AssetList, to type: TypeFilter, _ snapshot: LibrarySnapshot
    ) -> [Int32] {
        let album = snapshot.assets(of: .smart(type.album ?? .videos))
        let members: [Int32] = album.indices.compactMap { assets.index(of: album.id(at: $0)).map(Int32.init) }
        let all = places ?? Array(0..<Int32(assets.count))
        var (next, kept) = (0, [Int32]())
        for place in all {
            while next < members.count, members[next] < place { next += 1 }
            let isMember = next < members.count && members[next] == place
            if isMember == (type.album != nil) { kept.append(place) }
        }
        return kept
    }
}
