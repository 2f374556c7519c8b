import Glibc
import Synchronization

/// The faces that were found in pictures, by their files' stamps, in SQLite: no picture is searched twice.
///
/// It holds nothing that cannot be found again; where it cannot be opened or written, faces are forgotten. Several
/// processes may use one.
public final class FaceStore: FaceRemembering {
    /// `@unchecked Sendable`: it never leaves `access`, and is used while that is locked alone.
    struct State: @unchecked Sendable {
        let database: Database
        let find: Database.Statement
        let insert: Database.Statement
    }

    private enum Access {
        case unopened
        case opened(State)
        case unavailable(DatabaseError)
    }

    /// Where it lies.
    public let path: FilePath
    private let access = Mutex(Access.unopened)

    /// As many pictures are remembered at least; what is older goes.
    private static let capacity = 500_000

    /// The store `faces.sqlite` in `folder`, which is made if need be; opened when it is first asked.
    public init(folder: FilePath) { path = folder.appending("faces.sqlite") }

    /// The user's own, in `$XDG_CACHE_HOME/cameo` or `~/.cache/cameo`; nil where neither is known.
    public static var standard: FaceStore? { CacheFolder.standard.map { FaceStore(folder: $0) } }

    /// What is kept of this stamp and version; nil where nothing is, or nothing can be read. O(log n).
    public func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]? {
        (try? use { (state) throws(DatabaseError) in
            var faces: [DetectedFace]?
            try state.find.run([stamp.bytes, Array(version.utf8)]) { row in
                faces = row.withBytes(0) { Self.decoded($0) }
            }
            return faces
        }) ?? nil
    }

    /// Keeps what was found, at once; forgets it where it cannot be written. O(log n).
    public func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String) {
        try? use { (state) throws(DatabaseError) in
            try state.insert.run([stamp.bytes, Array(version.utf8), Self.encoded(faces)])
        }
    }

    /// Runs `body` on the open file, which is opened first where it is not; where that turns out to be damaged, on a new
    /// one.
    func use<Result: Sendable>(_ body: (State) throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        let outcome: Swift.Result<Result, DatabaseError> = access.withLock { access in
            // The second time on what another process may have begun by now, the third on a file of our own.
            for time in 1...2 {
                let outcome = run(body, on: &access)
                guard case .failure(let error) = outcome, error.isDamage else { return outcome }
                access = .unopened
                if time == 2 { Database.setAside(path, as: nil) }
            }
            return run(body, on: &access)
        }
        return try outcome.get()
    }

    private func run<Result: Sendable>(
        _ body: (State) throws(DatabaseError) -> Result, on access: inout Access
    ) -> Swift.Result<Result, DatabaseError> {
        do throws(DatabaseError) {
            if case .unopened = access {
                do throws(DatabaseError) {
                    access = .opened(try opened())
                } catch {
                    access = .unavailable(error)
                }
            }
            switch access {
            case .opened(let state): return .success(try body(state))
            case .unavailable(let error): return .failure(error)
            case .unopened: return .failure(DatabaseError(code: 0, text: "not opened"))
            }
        } catch {
            return .failure(error)
        }
    }

    private func opened() throws(DatabaseError) -> State {
        try? WholeFile.makeFolder(path.parent, mode: CacheFolder.mode)
        return try Database.openOrReplace(path) { () throws(DatabaseError) in try prepared() }
    }

    private func prepared() throws(DatabaseError) -> State {
        let database = try Database(path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS faces (
                place INTEGER PRIMARY KEY, stamp BLOB, detector BLOB, faces BLOB, UNIQUE (stamp, detector));
            DELETE FROM faces WHERE place <= (SELECT max(place) FROM faces) - \(Self.capacity);
            """)
        return State(
            database: database,
            find: try database.statement("SELECT faces FROM faces WHERE stamp = ? AND detector = ?"),
            insert: try database.statement("INSERT OR REPLACE INTO faces (stamp, detector, faces) VALUES (?, ?, ?)"))
    }
}

extension FaceStore {
    /// Little end first.
    private static func encoded(_ faces: [DetectedFace]) -> [UInt8] {
        faces.flatMap { [$0.x, $0.y, $0.width, $0.height, $0.confidence] }.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
    }

    /// Nil for bytes that `encoded` did not make.
    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> [DetectedFace]? {
        guard bytes.count.isMultiple(of: 40) else { return nil }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { offset in
            Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        let faces = stride(from: 0, to: numbers.count, by: 5).map { place in
            DetectedFace(
                x: numbers[place], y: numbers[place + 1], width: numbers[place + 2], height: numbers[place + 3],
                confidence: numbers[place + 4])
        }
        return faces.allSatisfy(\.isPlausible) ? faces : nil
    }
}
