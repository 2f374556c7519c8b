import Glibc
import Synchronization

/// What was written into an output folder and from what, so that a later run can tell what is still current.
///
/// It lies in the folder itself, as `.cameo.sqlite`, and moves with it. Losing it loses nothing but time. Several
/// processes may use one folder at once.
///
/// `@unchecked Sendable`: the connection and everything else that changes is in `state`, behind its lock.
package final class OutputLedger: @unchecked Sendable {
    /// What is known of the outputs of one input.
    package struct Entry: Sendable {
        /// What decides whether the outputs are current: source stamp, renditions, engine.
        package let key: [UInt8]
        /// What the run that wrote them reported, for whoever asks again.
        package let record: [UInt8]

        /// An entry.
        package init(key: [UInt8], record: [UInt8]) {
            self.key = key
            self.record = record
        }
    }

    private struct State {
        let database: Database
        let find: Database.Statement
        let insert: Database.Statement
        let claim: Database.Statement
        let own: Database.Statement
        let isOwn: Database.Statement
        var pending: [(name: FilePath, entry: Entry)] = []
    }

    private let state: Mutex<State?>

    /// As many entries are lost at most when the process is killed; they are made again.
    private static let batch = 64
    private static let fileName = ".cameo.sqlite"

    /// The ledger of `folder`. A damaged one is begun anew, for it holds nothing that cannot be made again; where none can
    /// be kept there, every entry is forgotten at once.
    package init(folder: FilePath) {
        let path = folder.appending(Self.fileName)
        // Where the folder takes no database, one in memory serves this run.
        let opened = try? Database.openOrReplace(path) { () throws(DatabaseError) in try Self.open(path) }
        state = Mutex(opened ?? (try? Self.open(":memory:")))
    }

    /// Whether `folder` has one.
    package static func isKept(in folder: FilePath) -> Bool {
        folder.appending(fileName).withCString { access($0, F_OK) } == 0
    }

    private static func open(_ path: FilePath) throws(DatabaseError) -> State {
        let database = try Database(path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS outputs (name BLOB PRIMARY KEY, key BLOB, record BLOB) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS files (name BLOB PRIMARY KEY) WITHOUT ROWID;
            CREATE TEMP TABLE claims (name BLOB PRIMARY KEY) WITHOUT ROWID;
            """)
        return State(
            database: database,
            find: try database.statement("SELECT key, record FROM outputs WHERE name = ?"),
            insert: try database.statement("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?)"),
            claim: try database.statement("INSERT INTO claims VALUES (?) ON CONFLICT DO NOTHING RETURNING 1"),
            own: try database.statement("INSERT OR IGNORE INTO files VALUES (?)"),
            isOwn: try database.statement("SELECT 1 FROM files WHERE name = ?"))
    }

    /// What is known of the outputs called `name`.
    package func entry(_ name: FilePath) -> Entry? {
        state.withLock { state in
            var entry: Entry?
            try? state?.find.run([name.bytes]) { row in entry = Entry(key: row.bytes(0), record: row.bytes(1)) }
            return entry
        }
    }

    /// Takes a name for this run; false where another input of it has the name. The names lie on disk, so that a run
    /// of any length holds few in memory.
    package func claim(_ name: FilePath) -> Bool {
        state.withLock { state in
            guard let state else { return true }
            var isNew = false
            do throws(DatabaseError) {
                try state.claim.run([name.bytes]) { _ in isNew = true }
            } catch {
                // A full disk is told where the output is written.
                return true
            }
            return isNew
        }
    }

    /// Notes, at once, that the file `name` in the folder is about to be written by cameo.
    package func own(_ name: FilePath) { state.withLock { state in try? state?.own.run([name.bytes]) } }

    /// Whether `own` was ever called for `name`.
    package func isOwn(_ name: FilePath) -> Bool {
        state.withLock { state in
            var isOwn = false
            try? state?.isOwn.run([name.bytes]) { _ in isOwn = true }
            return isOwn
        }
    }

    /// Notes that the outputs called `name` were written. Notes are committed in batches, in one short transaction,
    /// so that no other process waits long.
    package func note(_ entry: Entry, for name: FilePath) {
        state.withLock { state in
            state?.pending.append((name, entry))
            if let count = state?.pending.count, count >= Self.batch { Self.commit(&state) }
        }
    }

    /// Commits what was noted last.
    package func flush() { state.withLock { Self.commit(&$0) } }

    private static func commit(_ state: inout State?) {
        guard let current = state, !current.pending.isEmpty else { return }
        state?.pending.removeAll()
        try? current.database.transaction { () throws(DatabaseError) in
            for (name, entry) in current.pending { try current.insert.run([name.bytes, entry.key, entry.record]) }
        }
    }
}
