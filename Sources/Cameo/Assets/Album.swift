/// A titled list of assets: a folder's, or a smart album's.
public struct Album: Identifiable, Hashable, Sendable {
    /// Which album it is, whatever it holds.
    public enum Kind: Hashable, Sendable {
        /// The assets that lie in the folder at this path, those in its subfolders left out.
        case folder(FilePath)
        /// What fits, wherever it lies.
        case smart(SmartAlbum)
    }

    /// Which album it is.
    public let kind: Kind
    /// What stands above it: the folder's name, or the smart album's.
    public let title: String
    /// How many assets it has, those that are still being loaded included.
    public let count: Int
    /// The newest asset, which stands for the album in a list.
    public let keyAsset: Asset.ID?

    /// Which album it is.
    public var id: Kind { kind }

    /// Whether it is a smart one.
    public var isSmart: Bool {
        if case .smart = kind { true } else { false }
    }

    static func title(of kind: Kind) -> String {
        switch kind {
        case .folder(let path): path.lastComponent.description
        case .smart(let album): album.title
        }
    }
}
