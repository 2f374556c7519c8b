import CSQLite
import Dispatch
import Glibc

/// What a library remembers from one run to the next: its files' records, in SQLite.
///
/// It holds nothing that a scan cannot make again. Several processes may use one: readers see the last commit, and
/// writers wait for each other.
///
/// `@unchecked Sendable`: `connection` is touched on `queue` alone.
final class Catalog: @unchecked Sendable {
    /// Where it lies; nil for one that keeps nothing.
    let path: FilePath?
    private let queue = DispatchQueue(label: "cameo.catalog")
    private var connection = Connection()

    private struct Connection {
        var database: Database?
        var state = CatalogState.unopened
    }

    /// Raised with every change of the tables or of a record's bytes.
    static let version: Int = 1

    init(path: FilePath?) { self.path = path }

    /// `library-….sqlite` in `folder`, one for each set of roots.
    static func path(in folder: FilePath, roots: [FilePath]) -> FilePath {
        let name = Digest.sha256(roots.flatMap { $0.bytes + [0] }).prefix(16)
        return folder.appending("library-\(name).sqlite")
    }

    /// `$XDG_CACHE_HOME/cameo` or `~/.cache/cameo`; nil where neither is known.
    static var defaultFolder: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return FilePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
        }
        if let cache = variable("XDG_CACHE_HOME"), cache.isAbsolute { return cache.appending("cameo") }
        return variable("HOME")?.appending(".cache").appending("cameo")
    }

    var state: CatalogState { queue.sync { connection.state } }

    /// Calls `body` with the database; whatever fails because the database is damaged starts a new one.
    func use<Result>(_ body: (Database) throws(DatabaseError) -> Result) -> Result? {
        queue.sync {
            if connection.state == .unopened { open(&connection) }
            guard let database = connection.database else { return nil }
            do throws(DatabaseError) {
                return try body(database)
            } catch {
                if Self.isDamage(error.code) { replace(&connection, reason: .damaged) }
                return nil
            }
        }
    }

    private static func isDamage(_ code: Int32) -> Bool {
        code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB || code & 0xFF == SQLITE_ERROR
    }

    private func open(_ connection: inout Connection) {
        guard let path else {
            connection.state = .unavailable(reason: "no folder is known to keep it in")
            return
        }
        Self.makeFolder(path.parent)
        let exists = path.withCString { access($0, F_OK) } == 0
        do throws(DatabaseError) {
            let database = try Database(path: path)
            let version = try database.integer("PRAGMA user_version")
            if version > Self.version { return replace(&connection, reason: .newer) }
            try Self.prepare(database)
            connection = Connection(database: database, state: exists ? .opened : .created)
        } catch {
            if Self.isDamage(error.code) {
                replace(&connection, reason: .damaged)
            } else {
                connection = Connection(database: nil, state: .unavailable(reason: error.text))
            }
        }
    }

    private static func prepare(_ database: Database) throws(DatabaseError) {
        try database.execute("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        try database.transaction { () throws(DatabaseError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
                CREATE TABLE IF NOT EXISTS files (
                    folder INTEGER NOT NULL, name BLOB NOT NULL, date INTEGER, record BLOB NOT NULL,
                    PRIMARY KEY (folder, name)) WITHOUT ROWID;
                CREATE INDEX IF NOT EXISTS recents ON files (date) WHERE date IS NOT NULL;
                CREATE TABLE IF NOT EXISTS albums (
                    place INTEGER PRIMARY KEY, smart INTEGER, folder BLOB, count INTEGER NOT NULL, key BLOB);
                \(AssetNotes.table)
                PRAGMA user_version = \(version);
                """)
        }
    }

    /// Renames what is there, so that nothing of anybody's is lost, and begins anew.
    private func replace(_ connection: inout Connection, reason: CatalogState.Reason) {
        connection.database = nil
        guard let path else { return }
        let suffix = ".\(reason == .damaged ? "damaged" : "newer")-\(ContentStamp.now() / 1_000_000)"
        let aside = FilePath(bytes: path.bytes + suffix.utf8)
        for part in ["", "-wal", "-shm"] {
            let from = FilePath(bytes: path.bytes + part.utf8)
            let to = FilePath(bytes: aside.bytes + part.utf8)
            _ = from.withCString { from in to.withCString { rename(from, $0) } }
        }
        do throws(DatabaseError) {
            let database = try Database(path: path)
            try Self.prepare(database)
            connection = Connection(database: database, state: .setAside(to: aside, reason: reason))
        } catch {
            connection = Connection(database: nil, state: .unavailable(reason: error.text))
        }
    }

    private static func makeFolder(_ path: FilePath) {
        if path.withCString({ mkdir($0, 0o700) }) != 0, errno == ENOENT, !path.parent.bytes.isEmpty, path.parent != path
        {
            makeFolder(path.parent)
            _ = path.withCString { mkdir($0, 0o700) }
        }
    }
}
