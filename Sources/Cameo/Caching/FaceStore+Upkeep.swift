import Glibc

extension FaceStore {
    /// What a store holds.
    public struct Stats: Hashable, Codable, Sendable {
        /// Searches that are remembered: one a picture and version of a detector.
        public var searches = 0
        /// Bytes of the pages in use.
        public var bytes = 0
    }

    /// What the store holds; nothing where there is no file, and none is made.
    ///
    /// - Throws: `StoreError` where the file cannot be read. O(n).
    public func stats() throws(StoreError) -> Stats {
        guard exists else { return Stats() }
        return try upkeep { () throws(DatabaseError) in
            let database = try Database.reading(path)
            let pages = try database.integer("PRAGMA page_count") - database.integer("PRAGMA freelist_count")
            return Stats(
                searches: try database.integer("SELECT count(*) FROM faces"),
                bytes: try pages * database.integer("PRAGMA page_size"))
        }
    }

    /// Forgets every search, and gives the room back to the file system. A file that is damaged is begun anew; where
    /// there is none, none is made.
    ///
    /// - Returns: How many searches were forgotten.
    /// - Throws: `StoreError` where the file cannot be written.
    @discardableResult
    public func clear() throws(StoreError) -> Int {
        guard exists else { return 0 }
        return try upkeep { () throws(DatabaseError) in
            try use { (state) throws(DatabaseError) in
                let count = try state.database.integer("SELECT count(*) FROM faces")
                try state.database.execute("DELETE FROM faces")
                // Others who are just reading keep the room, not the faces.
                try? state.database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
                return count
            }
        }
    }

    private var exists: Bool { path.withCString { access($0, F_OK) } == 0 }

    private func upkeep<Result>(_ body: () throws(DatabaseError) -> Result) throws(StoreError) -> Result {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .unavailable(path: path.description, reason: error.text)
        }
    }
}
