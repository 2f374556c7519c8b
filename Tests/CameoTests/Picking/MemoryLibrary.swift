import Glibc
import Synchronization

@testable import Cameo

/// A library in memory, which tests change as they like.
final class MemoryLibrary: AssetProviding {
    private struct State {
        var assets: [Asset.ID: Asset] = [:]
        var lists: [AssetGroup.ID: [Asset.ID]] = [:]
        var order: [AssetGroup.ID] = []
    }

    static let all = AssetGroup.ID(.all, "all")

    private let state = Mutex(State())

    init(_ assets: [Asset] = []) { setList(Self.all, assets) }

    /// `count` images named 0, 1, …, one an hour.
    convenience init(count: Int) {
        self.init((0..<count).map { MemoryLibrary.asset("\($0)", hour: $0) })
    }

    static func asset(
        _ name: String, kind: Asset.Kind = .image, subtypes: Asset.Subtypes = [], hour: Int = 0,
        path: FilePath = "/nowhere", size: PixelSize? = PixelSize(width: 400, height: 300)
    ) -> Asset {
        let text = "2025:10:\(10 + hour / 24) \(hour % 24):00:00"
        return Asset(
            id: Asset.ID(name), path: path, kind: kind, subtypes: subtypes, uprightSize: size,
            date: CaptureDate(exif: text)!, dateSource: .exif, bytes: 1, stamp: ContentStamp(stat(), now: 0))
    }

    func setList(_ id: AssetGroup.ID, _ assets: [Asset]) {
        state.withLock { state in
            for asset in assets { state.assets[asset.id] = asset }
            if state.lists.updateValue(assets.map(\.id), forKey: id) == nil { state.order.append(id) }
        }
    }

    func remove(_ ids: [Asset.ID]) {
        state.withLock { state in
            for id in ids { state.assets[id] = nil }
            state.lists = state.lists.mapValues { $0.filter { !ids.contains($0) } }
        }
    }

    func asset(for id: Asset.ID) -> Asset? { state.withLock { $0.assets[id] } }

    func groups(of source: PickerConfiguration.Source) -> [AssetGroup] {
        state.withLock { $0.order.filter { $0.source == source } }.map { AssetGroup(id: $0, title: $0.key) }
    }

    func assetIDs(in group: AssetGroup.ID) -> [Asset.ID] { state.withLock { $0.lists[group] ?? [] } }
}

extension Asset.ID: ExpressibleByStringLiteral {
    /// The identifier of a literal.
    public init(stringLiteral value: String) { self.init(value) }
}
