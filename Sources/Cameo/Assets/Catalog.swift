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
        /// Raised when the file is replaced, so that other connections to the old one are not used again.
        var generation = 0
        /// Whether something was not saved, or lost with a damaged file: only all that is known makes the catalog whole.
        var isBehind = false
    }

    /// Raised with every change of the tables or of a record's bytes.
    static let version: Int = 1

    init(path: FilePath?) { self.path = path }

    /// `library-….sqlite` in `folder`, one for each set of roots.
    static func path(in folder: FilePath, roots: [FilePath]) -> FilePath {
        let name = Digest.sha256(roots.flatMap { $0.bytes + [0] }).prefix(16)
        return folder.appending("library-\(name).sqlite")
    }

    var state: CatalogState { queue.sync { connection.state } }
    var generation: Int { queue.sync { connection.generation } }
    var isBehind: Bool { queue.sync { connection.isBehind } }

    /// Calls `body` with the database; whatever fails because the database is damaged starts a new one.
    func use<Result>(_ body: (Database) throws(DatabaseError) -> Result) -> Result? {
        queue.sync {
            if connection.state == .unopened { open(&connection) }
            guard let database = connection.database else { return nil }
            do throws(DatabaseError) {
                return try body(database)
            } catch {
                if error.isDamage || error.isMisshapen { replace(&connection, reason: .damaged) }
                return nil
            }
        }
    }

    /// Calls `body`, which saves, with whether it has to save everything; once more where it finds the file damaged, with
    /// the new one.
    func save(_ body: (Database, _ isBehind: Bool) throws(DatabaseError) -> Void) -> Bool {
        for _ in 0..<2 {
            let before = generation
            let isSaved: Void? = use { (database) throws(DatabaseError) in
                // On `queue`.
                try body(database, connection.isBehind)
                connection.isBehind = false
            }
            if isSaved != nil { return true }
            queue.sync { connection.isBehind = true }
            if generation == before { return false }
        }
        return false
    }

    private func open(_ connection: inout Connection) {
        guard let path else {
            connection.state = .unavailable(reason: "no folder is known to keep it in")
            return
        }
        try? WholeFile.makeFolder(path.parent, mode: CacheFolder.mode)
        let exists = path.withCString { access($0, F_OK) } == 0
        do throws(DatabaseError) {
            let (database, version) = try Database.patiently({ $0.isBusy }) { () throws(DatabaseError) in
                let database = try Database(path: path)
                let version = try database.integer("PRAGMA user_version")
                if version <= Self.version { try Self.prepare(database) }
                return (database, version)
            }
            if version > Self.version { return replace(&connection, reason: .newer) }
            connection.database = database
            connection.state = exists ? .opened : .created
        } catch {
            if error.isDamage || error.isMisshapen {
                replace(&connection, reason: .damaged)
            } else {
                connection.state = .unavailable(reason: error.text)
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
                CREATE TABLE IF NOT EXISTS mounts (path BLOB PRIMARY KEY) WITHOUT ROWID;
                \(AssetNotes.table)
                PRAGMA user_version = \(version);
                """)
        }
    }

    /// Renames what is there, so that nothing of anybody's is lost, and begins anew.
    private func replace(_ connection: inout Connection, reason: CatalogState.Reason) {
        connection.database = nil
        connection.generation += 1
        connection.isBehind = true
        guard let path else { return }
        let suffix = ".\(reason == .damaged ? "damaged" : "newer")-\(ContentStamp.now() / 1_000_000)"
        let aside = FilePath(bytes: path.bytes + suffix.utf8)
        Database.setAside(path, as: aside)
        do throws(DatabaseError) {
            let database = try Database(path: path)
            try Self.prepare(database)
            connection.database = database
            connection.state = .setAside(to: aside, reason: reason)
        } catch {
            connection.state = .unavailable(reason: error.text)
        }
    }
}
