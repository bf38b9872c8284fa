// SQLite 3. Its variadic functions and the markers that are casts stand here as functions, as Swift cannot use them.
#ifndef HOMEPORT_SQLITE_H
#define HOMEPORT_SQLITE_H

#include <sqlite3.h>

// Sets a switch of a connection, and says whether it is set now.
static inline int homeport_sqlite_switch(sqlite3 *database, int option, int isOn, int *isOnNow) {
    return sqlite3_db_config(database, option, isOn, isOnNow);
}

// Leaves out the counts of memory, which cost a lock for each piece of it. Only before the first connection.
static inline int homeport_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Has a connection take memory for a page when it keeps one, and not for twenty with its first. Only before the first connection.
static inline int homeport_sqlite_keep_no_pages_ready(void) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

// Result codes that are made by shifting.
static const int homeport_sqlite_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int homeport_sqlite_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int homeport_sqlite_trigger = SQLITE_CONSTRAINT_TRIGGER;

// Binds text that SQLite copies.
static inline int homeport_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Binds text that stays where it is until the statement is reset and its bindings are cleared.
static inline int homeport_sqlite_bind_kept_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_STATIC, SQLITE_UTF8);
}

// Binds bytes that SQLite copies.
static inline int homeport_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Gives back text that SQLite copies. A null pointer would be NULL, not an empty text.
static inline void homeport_sqlite_result_text(sqlite3_context *context, const char *text, sqlite3_uint64 count) {
    sqlite3_result_text64(context, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
