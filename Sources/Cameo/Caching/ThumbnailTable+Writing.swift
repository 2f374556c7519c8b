import CSQLite

extension ThumbnailTable {
    /// Puts an entry in, in place of what the key had. Inside a transaction.
    func insert(_ key: [UInt8], material: [UInt8], value: [UInt8], now: Int) throws(DatabaseError) {
        try prepared("DELETE FROM entries WHERE key = ?").run([.bytes(key)])
        try prepared("INSERT INTO images (material, checksum, value) VALUES (?, ?, ?)").run([
            .bytes(material), .integer(Self.checksum(value)), .bytes(value),
        ])
        try prepared("INSERT INTO entries VALUES (?, last_insert_rowid(), ?, ?, ?)").run([
            .bytes(key), .integer(value.count), .integer(now), .integer(now),
        ])
    }

    /// Notes that entries were used. Inside a transaction.
    func touch(_ ids: [Int: Int]) throws(DatabaseError) {
        let statement = try prepared("UPDATE entries SET used = max(used, ?) WHERE id = ?")
        for (id, used) in ids { try statement.run([.integer(used), .integer(id)]) }
    }

    /// Drops one entry, if it is still the one that was seen.
    func remove(id: Int) throws(DatabaseError) {
        try prepared("DELETE FROM entries WHERE id = ?").run([.integer(id)])
    }

    /// Drops entries, the least recently used first, until at most `bytes` are in use. Inside a transaction.
    ///
    /// - Returns: How many were dropped.
    /// - Throws: That the file is damaged, too, where nothing can be dropped of what the index by use has.
    func evict(to bytes: Int) throws(DatabaseError) -> Int {
        var dropped = 0
        let oldest = try prepared("SELECT id, size FROM entries ORDER BY used, id LIMIT 512")
        while true {
            var excess = try usedBytes() - max(0, bytes)
            if excess <= 0 { return dropped }
            var ids: [Int] = []
            try oldest.run([Database.Value]()) { row in
                if excess > 0 || ids.isEmpty { ids.append(row.integer(0)) }
                excess -= row.integer(1)
            }
            if ids.isEmpty { return dropped }
            let before = dropped
            for id in ids {
                try remove(id: id)
                dropped += try prepared("SELECT changes()").integer()
            }
            if dropped == before {
                throw DatabaseError(code: SQLITE_CORRUPT, text: "an index is not that of its table")
            }
        }
    }

    /// Drops what was made before `time`. Inside a transaction.
    func removeMade(before time: Int) throws(DatabaseError) -> Int {
        // Made by those alone who ask for an age: it is of no use to others, and no part of what makes a version.
        try database.execute("CREATE INDEX IF NOT EXISTS entries_by_made ON entries (made)")
        try prepared("DELETE FROM entries WHERE made < ?").run([.integer(time)])
        return try database.integer("SELECT changes()")
    }

    /// Gives pages that hold nothing back to the file system.
    func vacuum() throws(DatabaseError) {
        let statement = try prepared("PRAGMA incremental_vacuum")
        try statement.run([Database.Value]())
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
