/// The tables of a thumbnail store on one connection. Not safe for several threads: whoever owns it guards it.
///
/// What changes at every use lies apart from the pictures, so that noting a use never rewrites one.
final class ThumbnailTable {
    /// An entry as it was found.
    struct Found {
        var id = 0
        var material: [UInt8] = []
        var checksum = 0
        var value: [UInt8] = []
        var used = 0
        var made = 0

        var isWhole: Bool { ThumbnailTable.checksum(value) == checksum }
    }

    let database: Database
    private var statements: [String: Database.Statement] = [:]

    /// "CAME", in the place that SQLite has for saying whose a file is.
    private static let applicationID = 0x4341_4D45
    private static let schemaVersion = 1
    private static let pageSize = 4096

    /// Opens or makes the tables at `path`.
    convenience init(path: FilePath) throws(OpenFailure) {
        let database: Database
        do throws(DatabaseError) {
            database = try Database(path: path, patience: 10_000)
        } catch {
            throw .database(error)
        }
        try self.init(database, isReadOnly: false)
    }

    /// The tables of an open database, which are made if need be and it is not only to be read.
    init(_ database: Database, isReadOnly: Bool = true) throws(OpenFailure) {
        self.database = database
        do {
            // In this order: whoever makes the tables this moment commits both at once.
            let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
            let owner = try database.integer("PRAGMA application_id")
            if owner != Self.applicationID {
                guard owner == 0, isEmpty, !isReadOnly else { throw OpenFailure.foreign }
            }
            if !isReadOnly { try Self.prepare(database, isNew: owner != Self.applicationID) }
        } catch let error as DatabaseError {
            throw .database(error)
        } catch {
            throw .foreign
        }
    }

    /// Why a store cannot be opened.
    enum OpenFailure: Error {
        case foreign
        case database(DatabaseError)
    }

    private static func prepare(_ database: Database, isNew: Bool) throws(DatabaseError) {
        if isNew {
            // Only before the first table can these be chosen.
            try database.execute("PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL;")
        }
        // Each batch is synced, so that a power cut costs the last one alone: nobody waits for it.
        try database.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;
            PRAGMA recursive_triggers = ON;
            """)
        if try database.integer("PRAGMA user_version") == schemaVersion { return }
        try database.transaction { () throws(DatabaseError) in
            // Another process may have been quicker.
            if try database.integer("PRAGMA user_version") == schemaVersion { return }
            try database.execute(
                """
                DROP TABLE IF EXISTS entries;
                DROP TABLE IF EXISTS images;
                CREATE TABLE images (id INTEGER PRIMARY KEY AUTOINCREMENT, material BLOB NOT NULL, checksum INTEGER NOT NULL,
                    value BLOB NOT NULL);
                CREATE TABLE entries (key BLOB PRIMARY KEY, id INTEGER NOT NULL, size INTEGER NOT NULL,
                    used INTEGER NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
                CREATE INDEX entries_by_use ON entries (used, id, size);
                CREATE INDEX entries_by_id ON entries (id);
                CREATE TRIGGER entries_drop AFTER DELETE ON entries BEGIN DELETE FROM images WHERE id = old.id; END;
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(schemaVersion);
                """)
        }
    }

    static func checksum(_ value: [UInt8]) -> Int { Int(bitPattern: UInt(ByteHash.hash(value, seed: 3))) }

    /// The 16 bytes under which `material` is found.
    static func key(_ material: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        for seed in [UInt64(1), 2] {
            withUnsafeBytes(of: ByteHash.hash(material, seed: seed).littleEndian) { key += $0 }
        }
        return key
    }

    func find(_ key: [UInt8]) throws(DatabaseError) -> Found? {
        var found: Found?
        let statement = try prepared(
            """
            SELECT e.id, i.material, i.checksum, i.value, e.used, e.made
            FROM entries e JOIN images i ON i.id = e.id WHERE e.key = ?
            """)
        try statement.run([Database.Value.bytes(key)]) { row in
            found = Found(
                id: row.integer(0), material: row.bytes(1), checksum: row.integer(2), value: row.bytes(3),
                used: row.integer(4), made: row.integer(5))
        }
        return found
    }

    /// Bytes of the pages in use. Counts what a transaction has done so far.
    func usedBytes() throws(DatabaseError) -> Int {
        let pages = try database.integer("PRAGMA page_count") - database.integer("PRAGMA freelist_count")
        return try pages * database.integer("PRAGMA page_size")
    }

    /// The statement of `sql`, prepared once.
    func prepared(_ sql: String) throws(DatabaseError) -> Database.Statement {
        if let statement = statements[sql] { return statement }
        let statement = try database.statement(sql)
        statements[sql] = statement
        return statement
    }
}
