extension ThumbnailStore {
    /// What a store holds.
    public struct Stats: Hashable, Codable, Sendable {
        /// Thumbnails.
        public var entries = 0
        /// Bytes of the encoded thumbnails.
        public var bytes = 0
        /// Bytes of the pages in use, which is what the limit is for.
        public var usedBytes = 0
        /// The most bytes that are kept.
        public var limit = 0
        /// When the entry that was not used for longest was used, in seconds since 1970; nil where there is none.
        public var oldestUse: Int?
    }

    /// What a check of every entry found.
    public struct Verification: Hashable, Codable, Sendable {
        /// Entries that are right.
        public var whole = 0
        /// Entries that were not, and were dropped.
        public var dropped = 0
        /// What SQLite finds wrong with the file; empty where it is sound.
        public var damage: [String] = []
        /// Whether nothing was wrong.
        public var isClean: Bool { dropped == 0 && damage.isEmpty }
    }
}
