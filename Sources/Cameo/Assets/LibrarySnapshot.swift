import Synchronization

/// A library as it was at one moment. Never changes: whoever reads one goes on reading the same, whatever happens on
/// disk.
///
/// Assets are kept in compact form, about 170 bytes each, and made when they are asked for.
public final class LibrarySnapshot: Sendable {
    /// What could not be looked at.
    public let problems: [LibraryProblem]

    let table: FileTable
    let pairs: [Pairing.Pair]
    /// Assets by date, as places in the table; and the same of each smart album but Recents.
    let order: [UInt32]
    let smart: [SmartAlbum: [UInt32]]
    /// Assets by folder, in each by date, and where each folder's begin.
    let byFolder: [UInt32]
    let folderStarts: [Int]
    /// Assets by identifier, made when first asked for. The lock guards that alone.
    private let byIdentity = Mutex<[UInt32]?>(nil)

    /// The snapshot of a table whose pairs are marked. O(n log n), O(n) where the dates are in order.
    init(_ table: FileTable, pairs: [Pairing.Pair], problems: [LibraryProblem] = []) {
        self.table = table
        self.pairs = pairs
        self.problems = problems
        let order = Self.sorted(table)
        self.order = order

        var smart: [SmartAlbum: [UInt32]] = [:]
        for index in order where table.records[Int(index)].subtypes != 0 || table.records[Int(index)].form == .film {
            for album in SmartAlbum.allCases.dropFirst() where album.holds(table.records[Int(index)]) {
                smart[album, default: []].append(index)
            }
        }
        self.smart = smart

        var starts = [Int](repeating: 0, count: table.folders.count + 1)
        for index in order { starts[Int(table.records[Int(index)].folder) + 1] += 1 }
        for folder in table.folders.indices { starts[folder + 1] += starts[folder] }
        folderStarts = starts
        var byFolder = [UInt32](repeating: 0, count: order.count)
        for index in order {
            let folder = Int(table.records[Int(index)].folder)
            byFolder[starts[folder]] = index
            starts[folder] += 1
        }
        self.byFolder = byFolder
    }

    /// An empty library.
    static let empty = LibrarySnapshot(FileTable(), pairs: [])

    /// How many assets there are.
    public var count: Int { order.count }

    /// By civil time; within one instant in the order of paths.
    private static func sorted(_ table: FileTable) -> [UInt32] {
        struct Key {
            let seconds: Int64
            let nanosecond: UInt32
            let index: UInt32
        }
        var keys: [Key] = []
        keys.reserveCapacity(table.records.count)
        var isSorted = true
        for (index, record) in table.records.enumerated() where record.isAsset {
            if let last = keys.last, isSorted {
                isSorted = (last.seconds, last.nanosecond) <= (record.seconds, record.nanosecond)
            }
            keys.append(Key(seconds: record.seconds, nanosecond: record.nanosecond, index: UInt32(index)))
        }
        if !isSorted {
            keys.sort { ($0.seconds, $0.nanosecond, $0.index) < ($1.seconds, $1.nanosecond, $1.index) }
        }
        return keys.map(\.index)
    }

    /// The asset with an identifier. O(log n), O(n log n) the first time.
    public func asset(_ id: Asset.ID) -> Asset? { place(of: id).map { asset(at: $0) } }

    func place(of id: Asset.ID) -> Int? {
        guard let identity = Identity(id) else { return nil }
        let places = byIdentity.withLock { places in
            if let places { return places }
            let made = order.sorted { Identity(table.records[Int($0)]) < Identity(table.records[Int($1)]) }
            places = made
            return made
        }
        var range = places.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = Identity(table.records[Int(places[middle])])
            if found == identity { return Int(places[middle]) }
            range = found < identity ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

extension LibrarySnapshot {
    /// The asset whose main file is at `place` of the table.
    func asset(at place: Int) -> Asset {
        let record = table.records[place]
        let companions = companions(of: place)
        return Asset(
            id: record.id, path: table.path(place), companions: companions.map { table.path($0) },
            kind: record.form == .film ? .video : .image, subtypes: Asset.Subtypes(rawValue: Int(record.subtypes)),
            uprightSize: record.width > 0 && record.height > 0
                ? PixelSize(width: Int(record.width), height: Int(record.height)) : nil,
            date: record.date, dateSource: record.flags & FileRecord.datedByFile == 0 ? .exif : .file,
            place: record.place,
            bytes: companions.reduce(Int(record.size)) { sum, place in
                // Files with holes may say that they are as large as numbers go.
                let (total, isOver) = sum.addingReportingOverflow(Int(table.records[place].size))
                return isOver ? .max : total
            }, stamp: record.stamp)
    }

    func companions(of place: Int) -> [Int] {
        var range = pairs.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = pairs[middle].asset < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return pairs[range.lowerBound...].prefix { $0.asset == place }.map { Int($0.companion) }
    }
}
