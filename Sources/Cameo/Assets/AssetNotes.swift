import Dispatch
import Synchronization

/// What was learned about an asset's content by decoding it, kept in the catalog so that it is learned once.
///
/// A note holds for the content that it was made of, and is not found for another. Writing happens behind the caller,
/// many notes at once; what is lost when a process ends early is learned again. Reading waits for nobody who writes.
///
/// `@unchecked Sendable`: `reader` is behind its lock, `state` behind another; `writer` belongs to the queue `writing`.
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
    }

    private let catalog: Catalog
    private let state = Mutex(State())
    private let reader = Mutex<Reader?>(nil)
    private let writing = DispatchQueue(label: "cameo.asset-notes")
    private var writer: Database?

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
            if reader == nil { reader = open() }
            var found: Note?
            try? reader?.find.run([.bytes(Array(asset.value.utf8)), .integer(kind.rawValue)]) { row in
                found = Note(stamp: row.bytes(0), value: row.bytes(1))
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
            guard let database = connection(), let count = try? database.integer("SELECT count(*) FROM notes"),
                count > 2 * known.count + 1000
            else { return }
            try? database.transaction { () throws(DatabaseError) in
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

    private func open() -> Reader? {
        guard let path = catalog.path, let database = try? Database(path: path, isReadOnly: true),
            let find = try? database.statement("SELECT stamp, value FROM notes WHERE asset = ? AND kind = ?")
        else { return nil }
        return Reader(database: database, find: find)
    }

    /// The writer's connection, to a catalog that exists. On `writing` only.
    private func connection() -> Database? {
        if writer == nil, let path = catalog.path, catalog.use({ _ in true }) == true {
            writer = try? Database(path: path)
        }
        return writer
    }

    /// On `writing` only.
    private func write() {
        let notes = state.withLock { state in
            state.inFlight = state.pending
            state.pending = [:]
            state.isScheduled = false
            return state.inFlight
        }
        if !notes.isEmpty, let database = connection() {
            try? database.transaction { () throws(DatabaseError) in
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
