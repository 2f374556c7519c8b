/// Where a picker gets its assets.
///
/// Every answer is that of the library as it is now; a picker asks again after a change. The picker holds no lock
/// when it asks.
public protocol AssetProviding: Sendable {
    /// The asset of this identifier; nil where there is none, or none any more.
    func asset(for id: Asset.ID) -> Asset?

    /// The lists to choose from, in the order in which they are shown.
    func groups(of source: PickerConfiguration.Source) -> [AssetGroup]

    /// What is in a list, in the order in which it is shown; empty where there is no such list.
    func assetIDs(in group: AssetGroup.ID) -> [Asset.ID]
}
