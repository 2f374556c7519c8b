/// A library of folders as a picker sees it: everything, its albums, or its moments, as they are now.
///
/// A moment's key is the identifier of its first asset; an album's is its folder or the name of what it gathers.
extension AssetLibrary: AssetProviding {
    /// The asset of this identifier in the library as it is now. O(log n).
    public func asset(for id: Asset.ID) -> Asset? { snapshot.asset(id) }

    /// The lists of `source`. O(n) for moments.
    public func groups(of source: PickerConfiguration.Source) -> [AssetGroup] {
        switch source {
        case .all:
            [AssetGroup(id: AssetGroup.ID(.all, SmartAlbum.recents.title), title: SmartAlbum.recents.title)]
        case .albums:
            snapshot.albums().map { album in
                AssetGroup(id: AssetGroup.ID(.albums, Self.key(of: album.kind)), title: album.title)
            }
        case .moments:
            snapshot.moments().map { moment in
                AssetGroup(id: AssetGroup.ID(.moments, moment.id.value), title: moment.title)
            }
        }
    }

    /// What is in a list, oldest first. O(n).
    public func assetIDs(in group: AssetGroup.ID) -> [Asset.ID] {
        let snapshot = snapshot
        switch group.source {
        case .all:
            let recents = snapshot.recents
            return recents.indices.map { recents.id(at: $0) }
        case .albums:
            guard let album = snapshot.albums().first(where: { Self.key(of: $0.kind) == group.key }) else { return [] }
            let assets = snapshot.assets(of: album.kind)
            return assets.indices.map { assets.id(at: $0) }
        case .moments:
            guard let moment = snapshot.moments().first(where: { $0.id.value == group.key }) else { return [] }
            return moment.assets.indices.map { moment.assets.id(at: $0) }
        }
    }

    private static func key(of kind: Album.Kind) -> String {
        switch kind {
        // A path of any bytes has a key of its own, which its lossy text would not be.
        case .folder(let path): "folder:" + path.bytes.map { String($0, radix: 16) }.joined(separator: ".")
        case .smart(let album): "smart:\(album.rawValue)"
        }
    }
}
