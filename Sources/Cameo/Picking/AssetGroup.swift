/// A titled list that a picker shows assets of: an album, a moment, or everything.
public struct AssetGroup: Identifiable, Hashable, Sendable {
    /// Tells one list of a library from another; survives a change of the library as long as the list does.
    public struct ID: Hashable, Codable, Sendable {
        /// What kind of list it is.
        public let source: PickerConfiguration.Source
        /// The library's own word for it.
        public let key: String

        /// The list called `key` among those of `source`.
        public init(_ source: PickerConfiguration.Source, _ key: String) {
            self.source = source
            self.key = key
        }
    }

    /// The identifier.
    public let id: ID
    /// What stands above the list.
    public let title: String

    /// A list of this title.
    public init(id: ID, title: String) {
        self.id = id
        self.title = title
    }
}
