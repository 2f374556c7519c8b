/// What became different in a library from one scan to the next. Both sides stay readable.
public struct LibraryChange: Sendable {
    /// The library before.
    public let before: LibrarySnapshot
    /// The library after.
    public let after: LibrarySnapshot

    /// How an album's list of assets changed. O(n) in the album's length.
    public func assets(of kind: Album.Kind = .smart(.recents)) -> ListChange {
        let (old, new) = (before.assets(of: kind), after.assets(of: kind))
        return ListChange(
            before: old.count, after: new.count, idBefore: { Identity(old.record(at: $0)) },
            idAfter: { Identity(new.record(at: $0)) }, isChanged: { Self.differs(old, $0, new, $1) })
    }

    /// How the list of albums changed: an album has changed when its count, its key asset or its title has.
    public func albums(includingEmpty: Bool = false) -> ListChange {
        let old = before.albums(includingEmpty: includingEmpty)
        let new = after.albums(includingEmpty: includingEmpty)
        return ListChange(
            before: old.count, after: new.count, idBefore: { old[$0].kind }, idAfter: { new[$0].kind },
            isChanged: { old[$0] != new[$1] })
    }

    /// Assets that are in the library no more, in the order of their dates.
    public var removed: [Asset.ID] {
        let old = before.recents
        return assets().removed.map { old.id(at: $0) }
    }

    private static func differs(_ old: AssetList, _ former: Int, _ new: AssetList, _ index: Int) -> Bool {
        var (a, b) = (old.record(at: former), new.record(at: index))
        (a.nameStart, a.folder) = (b.nameStart, b.folder)
        // Whether a stamp had settled when it was taken is no property of the asset.
        a.flags = a.flags & ~FileRecord.racy | (b.flags & FileRecord.racy)
        if a != b { return true }
        let (place, now) = (old.place(at: former), new.place(at: index))
        guard old.snapshot.table.name(place).elementsEqual(new.snapshot.table.name(now)) else { return true }
        let (oldFolders, newFolders) = (old.snapshot.table.folders, new.snapshot.table.folders)
        if oldFolders[Int(old.record(at: former).folder)] != newFolders[Int(new.record(at: index).folder)] {
            return true
        }
        let (before, after) = (old.snapshot.companions(of: place), new.snapshot.companions(of: now))
        return before.map { old.snapshot.table.path($0) } != after.map { new.snapshot.table.path($0) }
            || before.map { old.snapshot.table.records[$0].stamp } != after.map { new.snapshot.table.records[$0].stamp }
    }
}
