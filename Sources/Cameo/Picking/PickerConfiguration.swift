/// What a picker offers, and when it may finish.
public struct PickerConfiguration: Hashable, Codable, Sendable {
    /// How the assets are laid before whoever picks.
    public enum Source: String, Codable, CaseIterable, Sendable {
        /// As one list.
        case all
        /// Album by album.
        case albums
        /// By day and place.
        case moments
    }

    /// The most assets that can be picked; 0 for any number.
    public var limit: Int
    /// The fewest assets that a picker finishes with.
    public var minimum: Int
    /// Which assets are offered.
    public var filter: AssetFilter
    /// Whether the order of the picks is shown and can be changed. Results come in pick order either way.
    public var isOrdered: Bool
    /// What is picked from the start, in order. It may be more than `limit`: the picker then does not finish until
    /// enough has been dropped. A filter does not keep it out.
    public var preselected: [Asset.ID]
    /// How the assets are laid out.
    public var source: Source

    /// A configuration, by default for one asset of any kind. Negative numbers count as 0.
    public init(
        limit: Int = 1, minimum: Int = 0, filter: AssetFilter = .everything, isOrdered: Bool = false,
        preselected: [Asset.ID] = [], source: Source = .all
    ) {
        self.limit = max(0, limit)
        self.minimum = max(0, minimum)
        self.filter = filter
        self.isOrdered = isOrdered
        self.preselected = preselected
        self.source = source
    }

    /// Whether nothing more can be picked when `count` are.
    func isFull(_ count: Int) -> Bool { limit > 0 && count >= limit }
}
