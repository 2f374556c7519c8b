import Cameo
import FoundationEssentials

extension PickerSession {
    /// Assets that a page is given at once.
    static let chunk = 1000
    /// Assets that come with a list: more than a screen shows.
    private static let firstChunk = 240

    func sessionMessage() -> Message.Session {
        let rules = configuration.picker
        return Message.Session(
            mode: rules == nil ? "browse" : "pick", limit: rules?.limit ?? 0, minimum: rules?.minimum ?? 0,
            isOrdered: rules?.isOrdered ?? false, mask: configuration.mask?.rawValue, title: configuration.title,
            library: current.message, selection: selectionMessage(), outcome: outcomeWord)
    }

    /// The list of an album and a type; nil where there is no such album.
    ///
    /// - Parameters:
    ///   - kept: Assets whose places in the list the page wants to know.
    ///   - detail: The asset that a detail view shows, and the list that it was shown in.
    func listMessage(
        album: String?, type: TypeFilter?, kept: [Asset.ID], detail: (id: Asset.ID, list: Int?)?
    ) -> Message.List? {
        let (library, snapshot) = current
        guard let kind = Self.kind(of: album ?? Self.key(of: .smart(.recents)), in: snapshot) else { return nil }
        let key = GridList.Key(revision: library.revision, album: kind, type: type)
        let list = lists.list(of: key, in: snapshot)
        let positions = kept.map { list.index(of: $0) }
        let shown = detail.flatMap { detailNow($0.id, before: $0.list, in: list) }
        let middle = shown.flatMap { list.index(of: $0) } ?? positions.compactMap(\.self).first ?? 0
        return Message.List(
            list: list.handle, library: library, album: Self.key(of: kind), type: type?.rawValue, count: list.count,
            videos: list.videos,
            days: list.sections.map(\.day),
            places: list.sections.map { $0.place.map { [$0.latitude, $0.longitude] } },
            counts: list.sections.map(\.range.count), positions: positions, detail: shown?.value,
            assets: assetsMessage(of: list, from: max(0, middle - Self.firstChunk / 2), count: Self.firstChunk))
    }

    /// Assets of a list from `from` on, as many as there are but no more than `count`.
    func assetsMessage(of list: GridList, from: Int, count: Int) -> Message.Assets {
        let start = min(max(0, from), list.count)
        var message = Message.Assets(from: start)
        for index in start..<min(list.count, start + min(max(0, count), Self.chunk)) {
            let asset = list.asset(at: index)
            let hash = library.thumbHash(of: asset.id, asset.stamp)
            message.append(asset, hash: hash.map { Data($0.bytes).base64EncodedString() } ?? "")
        }
        return message
    }

    func albumsMessage() -> Message.Albums {
        let snapshot = current.snapshot
        let albums = snapshot.albums().map { album in
            let keyAsset = album.keyAsset.flatMap { snapshot.asset($0) }
            return Message.Album(
                key: Self.key(of: album.kind), title: album.title, isSmart: album.isSmart, count: album.count,
                keyAsset: keyAsset?.id.value, keyVersion: keyAsset?.version, isKeyVideo: keyAsset?.kind == .video)
        }
        var types: [String: Int] = [:]
        for type in TypeFilter.allCases {
            let count = snapshot.assets(of: .smart(type.album ?? .videos)).count
            types[type.rawValue] = type.album == nil ? snapshot.count - count : count
        }
        return Message.Albums(albums: albums, types: types)
    }

    /// What a detail view shows after a change: the same asset, or else its neighbour in the list that it was in.
    private func detailNow(_ id: Asset.ID, before: Int?, in list: GridList) -> Asset.ID? {
        if list.index(of: id) != nil { return id }
        guard let old = before.flatMap({ lists.list($0) }), let place = old.index(of: id) else { return nil }
        return DetailPosition.successor(of: place, in: old.count, to: list.count) { list.index(of: old.id(at: $0)) }
            .map { list.id(at: $0) }
    }

    /// What an album is called in addresses, which must not tell where photos lie.
    private static func key(of kind: Album.Kind) -> String {
        switch kind {
        case .smart(let album): "smart-\(album.rawValue)"
        case .folder(let path): "folder-\(Digest.sha256(path.bytes).prefix(16))"
        }
    }

    private static func kind(of key: String, in snapshot: LibrarySnapshot) -> Album.Kind? {
        if let album = SmartAlbum.allCases.first(where: { Self.key(of: .smart($0)) == key }) { return .smart(album) }
        return snapshot.albums().first { Self.key(of: $0.kind) == key }?.kind
    }
}
