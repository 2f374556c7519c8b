import CSQLite
import Glibc

/// One connection to an SQLite database. Not safe for several threads: whoever owns it guards it.
final class Database {
    fileprivate let connection: OpaquePointer

    /// Opens or makes the database at `path`, waiting up to `patience` milliseconds for other processes.
    convenience init(path: FilePath, isReadOnly: Bool = false, patience: Int32 = 5000) throws(DatabaseError) {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try self.init(name: path, access: access, patience: patience)
    }

    fileprivate init(name: FilePath, access: Int32, patience: Int32) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = access | SQLITE_OPEN_NOMUTEX
        let status = name.withCString { sqlite3_open_v2($0, &opened, flags, nil) }
        guard status == SQLITE_OK, let opened else {
            let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw DatabaseError(code: status, text: text)
        }
        connection = opened
        sqlite3_busy_timeout(opened, patience)
    }

    /// Opens the database at `path` for a look at it, also where nothing can be written.
    ///
    /// SQLite reads a database with a write-ahead log only where it may make files beside it. Where it may not and no log
    /// is there, the file is read as one that nobody changes; if somebody does all the same, what is read may be wrong.
    static func reading(_ path: FilePath) throws(DatabaseError) -> Database {
        let database = try Database(path: path, isReadOnly: true)
        do throws(DatabaseError) {
            _ = try database.integer("PRAGMA schema_version")
            return database
        } catch {
            let log = FilePath(bytes: path.bytes + "-wal".utf8)
            guard error.isReadOnly, log.withCString({ access($0, F_OK) }) != 0 else { throw error }
        }
        let digits = Array("0123456789ABCDEF".utf8)
        let name = path.bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return try Database(
            name: FilePath(bytes: "file:".utf8 + name + "?immutable=1".utf8),
            access: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, patience: 0)
    }

    deinit { sqlite3_close(connection) }

    /// Runs statements that return nothing.
    func execute(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// The whole number that a query answers; 0 where it answers nothing.
    func integer(_ sql: String) throws(DatabaseError) -> Int {
        try statement(sql).integer()
    }

    /// Runs `body` in one transaction, which is undone if it throws.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// A statement, to be run any number of times.
    func statement(_ sql: String) throws(DatabaseError) -> Statement { try Statement(self, sql) }

    fileprivate func failure() -> DatabaseError {
        DatabaseError(code: sqlite3_extended_errcode(connection), text: String(cString: sqlite3_errmsg(connection)))
    }

    /// What is put into a statement.
    enum Value {
        case integer(Int)
        case bytes([UInt8])
        case null
    }

    /// A prepared statement, to be run again and again.
    final class Statement {
        private let database: Database
        private let handle: OpaquePointer

        fileprivate init(_ database: Database, _ sql: String) throws(DatabaseError) {
            var handle: OpaquePointer?
            guard sqlite3_prepare_v2(database.connection, sql, -1, &handle, nil) == SQLITE_OK, let handle else {
                throw database.failure()
            }
            self.database = database
            self.handle = handle
        }

        deinit { sqlite3_finalize(handle) }

        /// Runs the statement with `values`, calling `row` for each row that comes.
        func run(_ values: [[UInt8]], row: (Statement) -> Void = { _ in }) throws(DatabaseError) {
            try run(values.map { Value.bytes($0) }, row: row)
        }

        /// Runs the statement with `values`, calling `row` for each row that comes.
        func run(_ values: [Value], row: (Statement) -> Void = { _ in }) throws(DatabaseError) {
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            for (index, value) in values.enumerated() {
                let place = Int32(index + 1)
                let status =
                    switch value {
                    case .integer(let number): sqlite3_bind_int64(handle, place, Int64(number))
                    case .bytes(let bytes): csqlite_bind_blob_copy(handle, place, bytes, Int32(bytes.count))
                    case .null: sqlite3_bind_null(handle, place)
                    }
                guard status == SQLITE_OK else { throw database.failure() }
            }
            while true {
                switch sqlite3_step(handle) {
                case SQLITE_ROW: row(self)
                case SQLITE_DONE: return
                default: throw database.failure()
                }
            }
        }

        /// The whole number that the query answers; 0 where it answers nothing.
        func integer() throws(DatabaseError) -> Int {
            var number = 0
            try run([Value]()) { number = $0.integer(0) }
            return number
        }

        /// The whole number in a column of the current row; 0 where there is none.
        func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

        /// Calls `body` with the bytes in a column of the current row, without copying them.
        func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            let start = sqlite3_column_blob(handle, column)
            return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
        }

        /// The bytes in a column of the current row.
        func bytes(_ column: Int32) -> [UInt8] {
            let count = Int(sqlite3_column_bytes(handle, column))
            guard count > 0, let start = sqlite3_column_blob(handle, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }
    }
}
