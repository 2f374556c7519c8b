import Cameo

/// Prints a library's assets, albums or moments, one a line.
struct ListPrinter {
    let settings: ListCommand.Settings
    let roots: [(real: FilePath, given: FilePath)]
    /// Takes a line; false once nobody reads any more.
    let emit: ([UInt8]) -> Bool

    func print(_ snapshot: LibrarySnapshot) {
        switch settings.what {
        case .assets: printAssets(snapshot)
        case .albums: printAlbums(snapshot)
        case .moments: printMoments(snapshot)
        }
    }

    private func printAssets(_ snapshot: LibrarySnapshot) {
        let recents = snapshot.recents
        for index in recents.indices {
            let asset = recents[settings.isDescending ? recents.count - 1 - index : index]
            guard fits(asset) else { continue }
            let path = shown(asset.path)
            let line = settings.isJSON ? JSONLine.encode(AssetLine(asset, path: path)) : text(asset, path)
            if !emit(line) { return }
        }
    }

    private func printAlbums(_ snapshot: LibrarySnapshot) {
        for album in snapshot.albums(includingEmpty: settings.includesEmpty) {
            let text = Self.padded("\(album.count)", 8, right: true) + "  \(album.title)\(album.isSmart ? "" : "/")"
            if !emit(settings.isJSON ? JSONLine.encode(AlbumLine(album)) : Array(text.utf8)) { return }
        }
    }

    private func printMoments(_ snapshot: LibrarySnapshot) {
        let distance = (settings.distance ?? 25) * 1000
        let options = MomentList.Options(distance: distance, isDescending: settings.isDescending)
        for moment in snapshot.moments(options) {
            if settings.isJSON {
                if !emit(JSONLine.encode(MomentLine(moment))) { return }
                continue
            }
            let place = moment.place.map { "  \($0.latitude), \($0.longitude)" } ?? ""
            if !emit(Array("\(moment.title)\(place)".utf8)) { return }
            for asset in moment.assets {
                if !emit(Array("  ".utf8) + text(asset, shown(asset.path))) { return }
            }
        }
    }

    private func fits(_ asset: Asset) -> Bool {
        guard let type = settings.type else { return true }
        return asset.kind.rawValue == type || asset.subtypes.words.contains(type)
    }

    private func text(_ asset: Asset, _ path: FilePath) -> [UInt8] {
        let what = ([asset.kind.rawValue] + asset.subtypes.words).joined(separator: ",")
        let size = asset.uprightSize.map { "\($0)" } ?? "-"
        let columns = [Self.padded("\(asset.date)", 25), Self.padded(what, 16), Self.padded(size, 11)]
        return Array((columns.joined(separator: "  ") + "  ").utf8) + path.bytes
    }

    /// The path as people named its root.
    private func shown(_ path: FilePath) -> FilePath { Self.shown(path, roots).path }

    /// The path as people named its root, and what of it lies below the root.
    static func shown(_ path: FilePath, _ roots: [(real: FilePath, given: FilePath)]) -> (
        path: FilePath, below: FilePath
    ) {
        for root in roots where path.bytes.starts(with: root.real.bytes) {
            let rest = path.bytes.dropFirst(root.real.bytes.count)
            if rest.first == UInt8(ascii: "/") {
                let below = FilePath(bytes: rest.dropFirst())
                return (root.given.appending(below), below)
            }
            if root.real.bytes.last == UInt8(ascii: "/") { return (path, FilePath(bytes: rest)) }
        }
        return (path, path.lastComponent)
    }

    private static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return right ? space + text : text + space
    }
}
