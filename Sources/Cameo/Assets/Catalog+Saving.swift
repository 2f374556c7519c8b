extension Catalog {
    /// Writes what changed between two tables, in one transaction; everything, where the file has not what is in `old`
    /// because it was damaged or could not be written before.
    ///
    /// - Parameters:
    ///   - written: Places in the new snapshot's table whose records are new or differ.
    ///   - removed: Places in `old` that are gone.
    /// - Returns: Whether it is written.
    @discardableResult
    func save(_ snapshot: LibrarySnapshot, written: [Int], removed: [Int], old: FileTable) -> Bool {
        save { (database, isBehind) throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                if isBehind { try database.execute("DELETE FROM files; DELETE FROM folders") }
                var ids = try Self.folderIDs(database)
                try Self.remove(removed, of: old, ids, database)
                let addFolder = try database.statement("INSERT INTO folders (path) VALUES (?) RETURNING id")
                for path in snapshot.table.folders where ids[path] == nil {
                    try addFolder.run([.bytes(path.bytes)]) { ids[path] = $0.integer(0) }
                }
                for path in old.folders where snapshot.table.folder(at: path) == nil {
                    try database.statement("DELETE FROM folders WHERE path = ?").run([.bytes(path.bytes)])
                }
                let insert = try database.statement("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)")
                let folders = snapshot.table.folders.map { ids[$0] ?? 0 }
                for place in isBehind ? Array(snapshot.table.records.indices) : written {
                    let record = snapshot.table.records[place]
                    try insert.run([
                        .integer(folders[Int(record.folder)]), .bytes(Array(snapshot.table.name(place))),
                        record.isAsset ? .integer(record.dateKey) : .null, .bytes(record.encoded),
                    ])
                }
                try Self.saveAlbums(snapshot, database)
            }
        }
    }

    /// Writes all of `snapshot`, if the file has not what was saved before.
    func catchUp(with snapshot: LibrarySnapshot) {
        if isBehind { save(snapshot, written: [], removed: [], old: snapshot.table) }
    }

    /// Folders at which something was mounted.
    func mounts() -> Set<FilePath> {
        let found = use { (database) throws(DatabaseError) in
            var mounts: Set<FilePath> = []
            try database.statement("SELECT path FROM mounts").run([Database.Value]()) { row in
                mounts.insert(FilePath(bytes: row.bytes(0)))
            }
            return mounts
        }
        return found ?? []
    }

    /// Notes at which folders something is mounted.
    func save(mounts: Set<FilePath>) -> Bool {
        let saved: Void? = use { (database) throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try database.execute("DELETE FROM mounts")
                let insert = try database.statement("INSERT INTO mounts VALUES (?)")
                for path in mounts { try insert.run([path.bytes]) }
            }
        }
        return saved != nil
    }

    private static func folderIDs(_ database: Database) throws(DatabaseError) -> [FilePath: Int] {
        var ids: [FilePath: Int] = [:]
        try database.statement("SELECT id, path FROM folders").run([Database.Value]()) { row in
            ids[FilePath(bytes: row.bytes(1))] = row.integer(0)
        }
        return ids
    }

    private static func remove(
        _ places: [Int], of old: FileTable, _ ids: [FilePath: Int], _ database: Database
    ) throws(DatabaseError) {
        let delete = try database.statement("DELETE FROM files WHERE folder = ? AND name = ?")
        for place in places {
            guard let folder = ids[old.folders[Int(old.records[place].folder)]] else { continue }
            try delete.run([.integer(folder), .bytes(Array(old.name(place)))])
        }
    }

    private static func saveAlbums(_ snapshot: LibrarySnapshot, _ database: Database) throws(DatabaseError) {
        try database.execute("DELETE FROM albums")
        let insert = try database.statement("INSERT INTO albums (smart, folder, count, key) VALUES (?, ?, ?, ?)")
        for album in snapshot.albums() {
            var values: [Database.Value] =
                switch album.kind {
                case .smart(let smart): [.integer(Int(smart.rawValue)), .null]
                case .folder(let path): [.null, .bytes(path.bytes)]
                }
            values.append(.integer(Int(album.count)))
            values.append(album.keyAsset.map { .bytes(Array($0.value.utf8)) } ?? .null)
            try insert.run(values)
        }
    }
}

extension FileRecord {
    /// The date as one number that sorts as dates do: microseconds, so that all years fit.
    var dateKey: Int { Int(seconds) * 1_000_000 + Int(nanosecond / 1000) }
}
