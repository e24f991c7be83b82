// SQLite, with functions in place of the macros and variadic functions that Swift cannot import.
#pragma once
#include <sqlite3.h>

/// Binds bytes, which are copied (SQLITE_TRANSIENT).
static inline int freshet_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a text in UTF-8, which is copied.
static inline int freshet_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Keeps a closing connection from writing to the database (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
static inline int freshet_keep_log_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
