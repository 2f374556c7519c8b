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

    /// The file's statements.
    private struct File {
        let database: Database
        let find: Database.Statement
        let insert: Database.Statement
        let own: Database.Statement
        let isOwn: Database.Statement
    }

    private struct State {
        /// Nil where none can be kept.
        var file: File?
        /// Names that were claimed, in a file of this run's own that has no name.
        let claim: Database.Statement?
        var pending: [(name: FilePath, entry: Entry)] = []
    }

    private let path: FilePath
    private let state: Mutex<State>

    /// As many entries are lost at most when the process is killed; they are made again.
    private static let batch = 64
    private static let fileName = ".cameo.sqlite"

    /// The ledger of `folder`. A damaged one is begun anew, for it holds nothing that cannot be made again; where none can
    /// be kept there, every entry is forgotten at once.
    package init(folder: FilePath) {
        let path = folder.appending(Self.fileName)
        self.path = path
        state = Mutex(State(file: Self.opened(path), claim: try? Self.claims()))
    }

    /// Whether `folder` has one.
    package static func isKept(in folder: FilePath) -> Bool {
        folder.appending(fileName).withCString { access($0, F_OK) } == 0
    }

    private static func opened(_ path: FilePath) -> File? {
        // Where the folder takes no database, one in memory serves this run.
        (try? Database.openOrReplace(path) { () throws(DatabaseError) in try Self.open(path) })
            ?? (try? Self.open(":memory:"))
    }

    private static func claims() throws(DatabaseError) -> Database.Statement {
        let database = try Database(path: "")
        try database.execute("CREATE TABLE claims (name BLOB PRIMARY KEY) WITHOUT ROWID")
        return try database.statement("INSERT INTO claims VALUES (?) ON CONFLICT DO NOTHING RETURNING 1")
    }

    /// Runs `body` on the file; where that turns out to be damaged, on a new one.
    private func use(_ state: inout State, _ body: (File) throws(DatabaseError) -> Void) {
        // The second time on what another run may have begun by now, the third on a file of our own.
        for time in 1...3 {
            guard Self.isDamaged(state.file, body), time < 3 else { return }
            state.file = nil
            if time == 2 { Database.setAside(path, as: nil) }
            state.file = Self.opened(path)
        }
    }

    private static func isDamaged(_ file: File?, _ body: (File) throws(DatabaseError) -> Void) -> Bool {
        guard let file else { return false }
        do throws(DatabaseError) {
            try body(file)
            return false
        } catch {
            return error.isDamage
        }
    }

    private static func open(_ path: FilePath) throws(DatabaseError) -> File {
        let database = try Database(path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS outputs (name BLOB PRIMARY KEY, key BLOB, record BLOB) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS files (name BLOB PRIMARY KEY) WITHOUT ROWID;
            """)
        return File(
            database: database,
            find: try database.statement("SELECT key, record FROM outputs WHERE name = ?"),
            insert: try database.statement("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?)"),
            own: try database.statement("INSERT OR IGNORE INTO files VALUES (?)"),
            isOwn: try database.statement("SELECT 1 FROM files WHERE name = ?"))
    }

    /// What is known of the outputs called `name`.
    package func entry(_ name: FilePath) -> Entry? {
        state.withLock { state in
            var entry: Entry?
            use(&state) { (file) throws(DatabaseError) in
                try file.find.run([name.bytes]) { row in entry = Entry(key: row.bytes(0), record: row.bytes(1)) }
            }
            return entry
        }
    }

    /// Takes a name for this run; false where another input of it has the name. The names lie on disk, so that a run
    /// of any length holds few in memory.
    package func claim(_ name: FilePath) -> Bool {
        state.withLock { state in
            guard let claim = state.claim else { return true }
            var isNew = false
            do throws(DatabaseError) {
                try claim.run([name.bytes]) { _ in isNew = true }
            } catch {
                // A full disk is told where the output is written.
                return true
            }
            return isNew
        }
    }

    /// Notes, at once, that the file `name` in the folder is about to be written by cameo.
    package func own(_ name: FilePath) {
        state.withLock { state in use(&state) { (file) throws(DatabaseError) in try file.own.run([name.bytes]) } }
    }

    /// Whether `own` was ever called for `name`.
    package func isOwn(_ name: FilePath) -> Bool {
        state.withLock { state in
            var isOwn = false
            use(&state) { (file) throws(DatabaseError) in try file.isOwn.run([name.bytes]) { _ in isOwn = true } }
            return isOwn
        }
    }

    /// Notes that the outputs called `name` were written. Notes are committed in batches, in one short transaction,
    /// so that no other process waits long.
    package func note(_ entry: Entry, for name: FilePath) {
        state.withLock { state in
            state.pending.append((name, entry))
            if state.pending.count >= Self.batch { commit(&state) }
        }
    }

    /// Commits what was noted last.
    package func flush() { state.withLock { commit(&$0) } }

    private func commit(_ state: inout State) {
        let pending = state.pending
        if pending.isEmpty { return }
        state.pending.removeAll()
        use(&state) { (file) throws(DatabaseError) in
            try file.database.transaction { () throws(DatabaseError) in
                for (name, entry) in pending { try file.insert.run([name.bytes, entry.key, entry.record]) }
            }
        }
    }
}
