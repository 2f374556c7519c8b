import Glibc

extension ThumbnailStore {
    /// Drops what is too old, then the least recently used until at most `bytes` are in use, and gives the room back
    /// to the file system.
    ///
    /// - Parameter bytes: The store's limit unless said otherwise.
    /// - Returns: How many entries were dropped.
    /// - Throws: `StoreError` where the file cannot be written.
    @discardableResult
    public func trim(to bytes: Int? = nil, olderThan age: Int? = nil) throws(StoreError) -> Int {
        let target = bytes ?? limit
        let oldest = (age ?? options.maximumAge).map { options.now() - $0 }
        return try upkeep { table throws(DatabaseError) in
            var dropped = 0
            try table.database.transaction { () throws(DatabaseError) in
                if let oldest { dropped += try table.removeMade(before: oldest) }
                dropped += try table.evict(to: target)
            }
            try table.vacuum()
            return dropped
        }
    }

    /// Drops everything and gives the room back to the file system: damaged files, too, that were set aside or are
    /// found to be damaged now.
    ///
    /// - Returns: How many entries there were, as far as they could be counted.
    /// - Throws: `StoreError` where the file cannot be written.
    @discardableResult
    public func clear() throws(StoreError) -> Int {
        let generation = state.withLock { $0.generation }
        var count: Int
        do throws(StoreError) {
            count = try dropAll()
        } catch {
            // Found to be damaged as it was cleared: there is a new file now.
            guard generation != state.withLock({ $0.generation }) else { throw error }
            count = try dropAll()
        }
        Database.setAside(aside, as: nil)
        return count
    }

    private func dropAll() throws(StoreError) -> Int {
        try upkeep { table throws(DatabaseError) in
            var count = 0
            try table.database.transaction { () throws(DatabaseError) in
                count = try table.database.integer("SELECT count(*) FROM entries")
                try table.database.execute("DELETE FROM entries; DELETE FROM images;")
            }
            try table.vacuum()
            return count
        }
    }

    /// Checks the file and every entry in it, and drops the entries that are not what they should be. What is damaged in
    /// the file itself is told, and where it cannot be read on for that, it is set aside. O(bytes).
    ///
    /// - Throws: `StoreError` where the file cannot be written.
    public func verify() throws(StoreError) -> Verification {
        let generation = state.withLock { $0.generation }
        var result = Verification()
        do throws(StoreError) {
            result = try check()
            if generation == state.withLock({ $0.generation }) { return result }
        } catch {
            guard generation != state.withLock({ $0.generation }) else { throw error }
        }
        result.damage.append(StoreError.damaged(path: path.description, setAside: aside.description).description)
        return result
    }

    private func check() throws(StoreError) -> Verification {
        try upkeep { table throws(DatabaseError) in
            var result = Verification()
            result.damage = try table.damage()
            var last = 0
            while let page = try table.check(after: last) {
                last = page.last
                result.whole += page.whole
                result.dropped += page.broken.count
                try table.database.transaction { () throws(DatabaseError) in
                    for id in page.broken { try table.remove(id: id) }
                }
            }
            result.dropped += try table.removeOrphans()
            return result
        }
    }

    /// What the store holds; nothing where there is no file, and none is made.
    ///
    /// - Throws: `StoreError` where the file cannot be read.
    public func stats() throws(StoreError) -> Stats {
        flush()
        var stats = Stats()
        stats.limit = limit
        if path.withCString({ access($0, F_OK) }) != 0, errno == ENOENT { return stats }
        do {
            let table = try ThumbnailTable(Database.reading(path))
            try table.prepared("SELECT count(*), total(size), min(used) FROM entries").run([Database.Value]()) { row in
                stats.entries = row.integer(0)
                stats.bytes = max(0, row.integer(1) - row.integer(0) * StoredThumbnail.headLength)
                stats.oldestUse = row.integer(0) > 0 ? row.integer(2) : nil
            }
            stats.usedBytes = try table.usedBytes()
            return stats
        } catch let error as DatabaseError {
            throw .unavailable(path: path.description, reason: error.text)
        } catch ThumbnailTable.OpenFailure.database(let error) {
            throw .unavailable(path: path.description, reason: error.text)
        } catch {
            throw .foreign(path: path.description)
        }
    }

    /// Runs `body` on the writer, behind everything that was put in.
    private func upkeep<Result: Sendable>(
        _ body: (ThumbnailTable) throws(DatabaseError) -> Result
    ) throws(StoreError) -> Result {
        let outcome: Swift.Result<Result, StoreError> = writing.sync {
            write()
            guard let table = writerTable() else {
                return .failure(.unavailable(path: path.description, reason: "the file cannot be opened for writing"))
            }
            do throws(DatabaseError) {
                return .success(try body(table))
            } catch {
                note(error)
                return .failure(
                    error.isFull
                        ? .diskFull(path: path.description)
                        : .unavailable(path: path.description, reason: error.text))
            }
        }
        return try outcome.get()
    }
}
