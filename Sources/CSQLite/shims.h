#pragma once
#include <sqlite3.h>

/// SQLite's "copy this text before you return", which is a cast that Swift cannot import.
static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
