extension Catalog {
    /// What a first screen shows, before all the rest is loaded.
    struct FirstScreen {
        var albums: [Album]
        var table: FileTable
    }

    /// Albums with counts, and the newest `count` assets. O(albums + count · log n).
    func firstScreen(_ count: Int) -> FirstScreen? {
        use { (database) throws(DatabaseError) in
            var albums: [Album] = []
            try database.statement("SELECT smart, folder, count, key FROM albums ORDER BY place").run(
                [Database.Value]()
            ) { row in
                let folder = row.bytes(1)
                let smart = SmartAlbum(rawValue: Int(row.integer(0)))
                let kind = folder.isEmpty ? smart.map { Album.Kind.smart($0) } : .folder(FilePath(bytes: folder))
                guard let kind else { return }
                let key = row.bytes(3)
                albums.append(
                    Album(
                        kind: kind, title: Album.title(of: kind), count: Int(row.integer(2)),
                        keyAsset: key.isEmpty ? nil : Asset.ID(String(decoding: key, as: UTF8.self))))
            }
            var rows: [(folder: FilePath, name: [UInt8], record: FileRecord)] = []
            let query = """
                SELECT folders.path, name, record FROM files JOIN folders ON folders.id = folder
                WHERE date IS NOT NULL ORDER BY date DESC LIMIT ?
                """
            try database.statement(query).run([.integer(Int(count))]) { row in
                let name = row.bytes(1)
                guard let record = row.withBytes(2, { FileRecord(encoded: $0) }), FileTable.isName(name.count) else {
                    return
                }
                rows.append((FilePath(bytes: row.bytes(0)), name, record))
            }
            rows.sort { $0.folder == $1.folder ? $0.name.lexicographicallyPrecedes($1.name) : $0.folder < $1.folder }
            var table = FileTable()
            for row in rows {
                if table.folders.last != row.folder { table.append(folder: row.folder) }
                table.append(row.record, name: row.name)
            }
            return FirstScreen(albums: albums, table: table)
        }
    }

    /// All that is known. O(n).
    func load() -> FileTable? {
        use { (database) throws(DatabaseError) in
            var folders: [(id: Int, path: FilePath)] = []
            try database.statement("SELECT id, path FROM folders ORDER BY path").run([Database.Value]()) { row in
                folders.append((row.integer(0), FilePath(bytes: row.bytes(1))))
            }
            var table = FileTable()
            // No more than the file has room for, whatever it says.
            let bytes = try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
            let count = try database.integer("SELECT coalesce(max(count), 0) FROM albums WHERE smart = 0")
            table.reserve(min(max(0, count), bytes / FileRecord.encodedLength))
            let files = try database.statement("SELECT name, record FROM files WHERE folder = ? ORDER BY name")
            for folder in folders {
                table.append(folder: folder.path)
                try files.run([.integer(folder.id)]) { row in
                    // A record of no known shape is read again by the next scan.
                    guard let record = row.withBytes(1, { FileRecord(encoded: $0) }) else { return }
                    row.withBytes(0) { name in
                        if FileTable.isName(name.count) { table.append(record, name: name) }
                    }
                }
            }
            return table
        }
    }
}
