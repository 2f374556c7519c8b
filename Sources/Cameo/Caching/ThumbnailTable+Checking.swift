extension ThumbnailTable {
    /// Some entries that were checked, in the order of their numbers.
    struct Checked {
        var last = 0
        var whole = 0
        var broken: [Int] = []
    }

    /// What SQLite finds wrong with the file; empty where it is sound. Whether the indexes are those of their tables is
    /// looked at, too: it is what makes deleting fail. O(bytes).
    func damage() throws(DatabaseError) -> [String] {
        var lines: [String] = []
        try prepared("PRAGMA integrity_check(20)").run([Database.Value]()) { row in
            lines.append(String(decoding: row.bytes(0), as: UTF8.self))
        }
        return lines == ["ok"] ? [] : lines
    }

    /// Checks the next entries behind `id`; nil where there are none.
    func check(after id: Int) throws(DatabaseError) -> Checked? {
        let statement = try prepared(
            """
            SELECT e.id, e.key, e.size, i.material, i.checksum, i.value
            FROM entries e LEFT JOIN images i ON i.id = e.id WHERE e.id > ? ORDER BY e.id LIMIT 256
            """)
        var checked: Checked?
        try statement.run([Database.Value.integer(id)]) { row in
            var page = checked ?? Checked()
            page.last = row.integer(0)
            let value = row.bytes(5)
            let isWhole =
                Self.key(row.bytes(3)) == row.bytes(1) && row.integer(2) == value.count
                && Self.checksum(value) == row.integer(4) && StoredThumbnail(packed: value) != nil
            if isWhole { page.whole += 1 } else { page.broken.append(page.last) }
            checked = page
        }
        return checked
    }

    /// Drops pictures that no entry leads to.
    func removeOrphans() throws(DatabaseError) -> Int {
        try prepared("DELETE FROM images WHERE id NOT IN (SELECT id FROM entries)").run([Database.Value]())
        return try database.integer("SELECT changes()")
    }
}
