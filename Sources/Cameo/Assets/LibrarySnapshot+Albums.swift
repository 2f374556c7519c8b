extension LibrarySnapshot {
    /// All assets by date, the oldest first.
    public var recents: AssetList { assets(of: .smart(.recents)) }

    /// The assets of an album, by date; none where there is no such album. O(1) for smart albums, O(log folders) else.
    public func assets(of kind: Album.Kind) -> AssetList { assets(of: kind, library: nil) }

    /// The albums, those without assets only where they are asked for. O(folders).
    public func albums(includingEmpty: Bool = false) -> AlbumList { albums(includingEmpty: includingEmpty, of: nil) }

    func assets(of kind: Album.Kind, library: AssetLibrary?) -> AssetList {
        AssetList(kind: kind, snapshot: self, places: places(of: kind), library: library)
    }

    func albums(includingEmpty: Bool, of library: AssetLibrary?) -> AlbumList {
        let kinds = SmartAlbum.allCases.map { Album.Kind.smart($0) } + table.folders.map { Album.Kind.folder($0) }
        var albums: [Album] = []
        for kind in kinds {
            let places = places(of: kind)
            if places.isEmpty, !includingEmpty { continue }
            albums.append(
                Album(
                    kind: kind, title: Album.title(of: kind), count: places.count,
                    keyAsset: places.last.map { table.records[Int($0)].id }))
        }
        return AlbumList(includesEmpty: includingEmpty, albums: albums, library: library)
    }

    private func places(of kind: Album.Kind) -> ArraySlice<UInt32> {
        switch kind {
        case .smart(.recents): order[...]
        case .smart(let album): smart[album]?[...] ?? []
        case .folder(let path): table.folder(at: path).map { byFolder[folderStarts[$0]..<folderStarts[$0 + 1]] } ?? []
        }
    }
}
