/// Which assets a picker offers, by what they are.
public indirect enum AssetFilter: Hashable, Codable, Sendable {
    /// Images, or videos.
    case kind(Asset.Kind)
    /// What has all of these subtypes; the empty set is had by everything.
    case subtypes(Asset.Subtypes)
    /// What passes one of these; nothing passes none.
    case any([AssetFilter])
    /// What passes each of these; everything passes none.
    case all([AssetFilter])
    /// What does not pass.
    case not(AssetFilter)

    /// Everything.
    public static let everything = AssetFilter.all([])
    /// Images, Live Photos among them.
    public static let images = AssetFilter.kind(.image)
    /// Videos.
    public static let videos = AssetFilter.kind(.video)

    /// Whether an asset of this kind and these subtypes passes. O(size of the filter).
    public func passes(kind: Asset.Kind, subtypes: Asset.Subtypes) -> Bool {
        switch self {
        case .kind(let wanted): kind == wanted
        case .subtypes(let wanted): subtypes.isSuperset(of: wanted)
        case .any(let filters): filters.contains { $0.passes(kind: kind, subtypes: subtypes) }
        case .all(let filters): filters.allSatisfy { $0.passes(kind: kind, subtypes: subtypes) }
        case .not(let filter): !filter.passes(kind: kind, subtypes: subtypes)
        }
    }

    /// Whether `asset` passes. O(size of the filter).
    public func passes(_ asset: Asset) -> Bool {
        passes(kind: asset.kind, subtypes: asset.subtypes)
    }
}
