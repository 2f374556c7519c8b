import Dispatch
import Synchronization

/// What was learned about an asset's content by decoding it, kept in the catalog so that it is learned once.
///
/// A note holds for the content that it was made of, and is not found for another. Writing happens behind the caller,
/// many notes at once; what is lost when a process ends early is learned again. Reading waits for nobody who writes.
///
/// `@unchecked Sendable`: `reader` is behind its lock, `state` behind another; `writer` and `known` belong to the queue
/// `writing`.
final class AssetNotes: @unchecked Sendable {
    /// What a note is about. The numbers are in the file.
    enum Kind: Int {
        case thumbHash = 1
    }

    private struct Key: Hashable {
        let asset: Asset.ID
        let kind: Int
    }

    private struct Note {
        let stamp: [UInt8]
        let value: [UInt8]
    }

    private struct State {
        /// Kept, and not written yet.
        var pending: [Key: Note] = [:]
        /// What is being written; readers see it all the while.
        var inFlight: [Key: Note] = [:]
        var isScheduled = false
    }

    private struct Reader: @unchecked Sendable {
        let database: Database
        let find: Database.Statement
        let generation: Int
    }

    private let catalog: Catalog
    private let state = Mutex(State())
    private let reader = Mutex<Reader?>(nil)
    private let writing = DispatchQueue(label: "cameo.asset-notes")
    private var writer: (database: Database, generation: Int)?
    /// What a new catalog is to have in it.
    private var known: LibrarySnapshot?

    private static let batch = 64
    private static let delay = DispatchTimeInterval.milliseconds(250)

    /// The table, as the catalog makes it.
    static let table = """
        CREATE TABLE IF NOT EXISTS notes (
            asset BLOB NOT NULL, kind INTEGER NOT NULL, stamp BLOB NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (asset, kind)) WITHOUT ROWID;
        """

    init(_ catalog: Catalog) { self.catalog = catalog }

    /// What is known of `kind` about the content of `asset` that has `stamp`. Reads the file; O(log notes).
    func value(_ kind: Kind, of asset: Asset.ID, _ stamp: ContentStamp) -> [UInt8]? {
        let key = Key(asset: asset, kind: kind.rawValue)
        let wanted = stamp.bytes
        if let note = state.withLock({ $0.pending[key] ?? $0.inFlight[key] }) {
            return note.stamp == wanted ? note.value : nil
        }
        return reader.withLock { reader in
            let generation = catalog.generation
            if reader?.generation != generation { reader = open(generation) }
            var found: Note?
            do throws(DatabaseError) {
                try reader?.find.run([.bytes(Array(asset.value.utf8)), .integer(kind.rawValue)]) { row in
                    found = Note(stamp: row.bytes(0), value: row.bytes(1))
                }
            } catch {
                writing.async { [self] in note(error, generation) }
            }
            return found?.stamp == wanted ? found?.value : nil
        }
    }

    /// Keeps `value`. Returns at once. What is said of content that may change under the same stamp is not kept.
    func keep(_ value: [UInt8], _ kind: Kind, of asset: Asset.ID, _ stamp: ContentStamp) {
        if stamp.isRacy || catalog.path == nil { return }
        let note = Note(stamp: stamp.bytes, value: value)
        let startsNow: Bool? = state.withLock { state in
            state.pending[Key(asset: asset, kind: kind.rawValue)] = note
            if state.pending.count == Self.batch { return true }
            defer { state.isScheduled = true }
            return state.isScheduled ? nil : false
        }
        switch startsNow {
        case true?: writing.async { [self] in write() }
        case false?: writing.asyncAfter(deadline: .now() + Self.delay) { [self] in write() }
        case nil: break
        }
    }

    /// Waits until everything that was kept has been written.
    func flush() { writing.sync { write() } }

    /// Drops the notes about assets that are not in `known`, once there are more of those than of the others.
    func prune(to known: LibrarySnapshot) {
        writing.async { [self] in
            self.known = known
            guard let (database, generation) = connection(),
                let count = try? database.integer("SELECT count(*) FROM notes"),
                count > 2 * known.count + 1000
            else { return }
            transaction(database, generation) { () throws(DatabaseError) in
                var gone: Set<[UInt8]> = []
                try database.statement("SELECT DISTINCT asset FROM notes").run([Database.Value]()) { row in
                    let asset = row.bytes(0)
                    if known.place(of: Asset.ID(String(decoding: asset, as: UTF8.self))) == nil { gone.insert(asset) }
                }
                let drop = try database.statement("DELETE FROM notes WHERE asset = ?")
                for asset in gone { try drop.run([.bytes(asset)]) }
            }
        }
    }

    private func open(_ generation: Int) -> Reader? {
        guard let path = catalog.path, let database = try? Database(path: path, isReadOnly: true),
            let find = try? database.statement("SELECT stamp, value FROM notes WHERE asset = ? AND kind = ?")
        else { return nil }
        return Reader(database: database, find: find, generation: generation)
    }

    /// The writer's connection, to a catalog that exists. On `writing` only.
    private func connection() -> (database: Database, generation: Int)? {
        guard let path = catalog.path, catalog.use({ _ in true }) == true else { return nil }
        let generation = catalog.generation
        if writer?.generation != generation { writer = (try? Database(path: path)).map { ($0, generation) } }
        return writer
    }

    /// On `writing` only.
    private func transaction(_ database: Database, _ generation: Int, _ body: () throws(DatabaseError) -> Void) {
        do throws(DatabaseError) {
            try database.transaction(body)
        } catch {
            note(error, generation)
        }
    }

    /// Has a damaged catalog replaced, unless that was done already. On `writing` only.
    private func note(_ error: DatabaseError, _ generation: Int) {
        guard error.isDamage || error.isMisshapen, catalog.generation == generation else { return }
        writer = nil
        catalog.use { (_) throws(DatabaseError) in throw error }
        if let known { catalog.catchUp(with: known) }
    }

    /// On `writing` only.
    private func write() {
        let notes = state.withLock { state in
            state.inFlight = state.pending
            state.pending = [:]
            state.isScheduled = false
            return state.inFlight
        }
        if !notes.isEmpty, let (database, generation) = connection() {
            transaction(database, generation) { () throws(DatabaseError) in
                let insert = try database.statement("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)")
                for (key, note) in notes {
                    try insert.run([
                        .bytes(Array(key.asset.value.utf8)), .integer(key.kind), .bytes(note.stamp),
                        .bytes(note.value),
                    ])
                }
            }
        }
        state.withLock { $0.inFlight = [:] }
    }
}
