import Cameo
import Foundation

/// The library that the samples pick from: the only place that says where their assets come from.
public enum SampleLibrary {
    /// The assets in the folders below `folder`.
    public static func open(_ folder: FilePath) -> any AssetProviding { FolderLibrary(folder) }
}

/// A folder of folders of pictures, looked at once: each folder is an album, each day a moment.
struct FolderLibrary: AssetProviding {
    private var assets: [Asset.ID: Asset] = [:]
    private var lists: [AssetGroup.ID: [Asset.ID]] = [:]
    private var groups: [AssetGroup] = []

    init(_ folder: FilePath) {
        for album in FolderReader.names(in: folder) ?? [] {
            for name in FolderReader.names(in: folder.appending(album)) ?? [] {
                guard let asset = Self.asset(folder.appending(album).appending(name)) else { continue }
                assets[asset.id] = asset
            }
        }
        let sorted = assets.values.sorted { ($0.date.description, $0.path) < ($1.date.description, $1.path) }
        for asset in sorted { add(asset, to: .all, "Recents") }
        for asset in sorted { add(asset, to: .albums, "Recents") }
        for asset in sorted { add(asset, to: .albums, asset.path.parent.lastComponent.description) }
        for asset in sorted { add(asset, to: .moments, String(asset.date.description.prefix(10))) }
    }

    func asset(for id: Asset.ID) -> Asset? { assets[id] }

    func groups(of source: PickerConfiguration.Source) -> [AssetGroup] {
        groups.filter { $0.id.source == source }.sorted { $0.title < $1.title }
    }

    func assetIDs(in group: AssetGroup.ID) -> [Asset.ID] { lists[group] ?? [] }

    private mutating func add(_ asset: Asset, to source: PickerConfiguration.Source, _ title: String) {
        let id = AssetGroup.ID(source, title)
        if lists[id] == nil { groups.append(AssetGroup(id: id, title: title)) }
        lists[id, default: []].append(asset.id)
    }

    private static func asset(_ path: FilePath) -> Asset? {
        guard ImageFormat.isNamedLikePicture(path), let opened = try? OpenedImage(.file(path)),
            let stamp = opened.stamp, let date = opened.header.date ?? fileDate(stamp)
        else { return nil }
        return Asset(
            id: Asset.ID(String(opened.digest.prefix(16))), path: path,
            subtypes: opened.header.frames > 1 ? .animated : [], uprightSize: opened.header.uprightSize, date: date,
            dateSource: opened.header.date == nil ? .file : .exif, place: opened.header.place,
            bytes: Int(stamp.size), stamp: stamp)
    }

    /// The file's own time, in UTC.
    private static func fileDate(_ stamp: ContentStamp) -> CaptureDate? {
        var seconds = time_t(stamp.modified / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fields = [
            "year": parts.tm_year + 1900, "month": parts.tm_mon + 1, "day": parts.tm_mday, "hour": parts.tm_hour,
            "minute": parts.tm_min, "second": min(parts.tm_sec, 59), "nanosecond": 0,
        ]
        return try? JSONDecoder().decode(CaptureDate.self, from: JSONEncoder().encode(fields))
    }
}
