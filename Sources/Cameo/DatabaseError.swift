import CSQLite

/// SQLite could not do something; the text is for people.
struct DatabaseError: Error {
    let code: Int32
    let text: String

    /// What is the matter, in SQLite's primary codes.
    private var primary: Int32 { code & 255 }
    /// Whether the file is no database, or a broken one.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    /// Whether the tables are not those that were made.
    var isMisshapen: Bool { primary == SQLITE_ERROR }
    var isFull: Bool { primary == SQLITE_FULL }
    var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    var isReadOnly: Bool { primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN || primary == SQLITE_PERM }
}
