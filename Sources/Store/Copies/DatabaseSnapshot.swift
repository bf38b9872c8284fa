import CSQLite
import JSON

/// A database as it is at one moment, while others go on to write: its records, and a copy of it.
///
///     begin ─▶ records of the moment ─▶ copy of the moment, a stretch of pages at a time ─▶ end
///
/// The moment is a read transaction of SQLite's log. The writer appends to the log meanwhile and waits for nobody; the log just
/// cannot start over before the end. Pages are copied as they are (`sqlite3_backup`): `VACUUM INTO` of the same transaction
/// would sort every index anew, with several times the processor time. Steps without a transaction would begin again after each
/// commit, and never end beside a busy writer.
package final class DatabaseSnapshot {
    /// Reads the records of the moment.
    package let reader: Reader
    /// A moment before which all changes are in the snapshot, in milliseconds since 1970.
    package let milliseconds: Int64

    private static let firstRead = SQLText("SELECT count(*) FROM sqlite_schema")
    private static let pageSize = SQLText("PRAGMA page_size")

    /// Begins one of a database file, which another process may have open.
    package init(of path: String, now: () -> Int64 = { Timestamp.now.millisecondsSince1970 }) throws(StoreError) {
        reader = try Reader(path: path)
        // Pages that are read through a map of the file would count as this process's memory.
        try reader.connection.execute("PRAGMA mmap_size = 0")
        guard try SettingsTable.exists(in: reader.connection) else {
            throw StoreError(.unknownFormat, "database \(path): it is empty")
        }
        milliseconds = now()
        try reader.beginTurn()
        _ = try reader.connection.value(Self.firstRead)
    }

    /// Writes the copy into a file, and answers with its length. It says of itself that it was closed at the moment, and is looked
    /// through for damage.
    ///
    /// - Parameters:
    ///   - notes: makes what the copy knows of the folder around it, of what the database knows.
    ///   - progress: is told of the bytes that are copied, and of all. The copy ends where it throws.
    package func copy(
        to path: String, keeping notes: (KeptNotes) -> KeptNotes,
        progress: (_ done: Int64, _ all: Int64) throws(StoreError) -> Void = { _, _ in }
    ) throws(StoreError) {
        Connection.makePrivate(path)
        try copyPages(to: path, progress)
        // Others may have their log back.
        try reader.endTurn()
        let copy = try Connection.open(path: path, mode: .writer)
        try copy.execute("PRAGMA synchronous = 0")
        try Self.demandWhole(copy, path)
        let moment = milliseconds
        let kept = notes(try copy.keptNotes())
        try copy.inTransaction { connection throws(StoreError) in
            try SettingsTable.set(.isOpen, to: .boolean(false), in: connection)
            try SettingsTable.set(.servedUntil, to: .integer(moment), in: connection)
            try connection.setKeptNotes(kept)
        }
        try copy.foldLog()
    }

    private func copyPages(
        to path: String, _ progress: (_ done: Int64, _ all: Int64) throws(StoreError) -> Void
    ) throws(StoreError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        defer { sqlite3_close_v2(handle) }
        // Nobody has the copy before it is whole: a journal of it helps nobody.
        guard code == SQLITE_OK, let handle,
            sqlite3_exec(handle, "PRAGMA synchronous = 0; PRAGMA journal_mode = OFF", nil, nil, nil) == SQLITE_OK
        else { throw StoreError(code: code, connection: handle, path: path) }
        guard let backup = sqlite3_backup_init(handle, "main", try reader.connection.file(), "main") else {
            throw StoreError(code: sqlite3_extended_errcode(handle), connection: handle, path: path)
        }
        var pageBytes: Int64 = 0
        if case .integer(let size)? = try? reader.connection.value(Self.pageSize) { pageBytes = size }
        var step = SQLITE_OK
        var failure: StoreError?
        while step == SQLITE_OK {
            step = sqlite3_backup_step(backup, StoreLimits.copiedPagesPerStep)
            let all = Int64(sqlite3_backup_pagecount(backup))
            do throws(StoreError) {
                try progress((all - Int64(sqlite3_backup_remaining(backup))) * pageBytes, all * pageBytes)
            } catch {
                failure = error
                break
            }
        }
        let end = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            let code = end == SQLITE_OK ? step : end
            throw StoreError(code: code, detail: String(cString: sqlite3_errstr(code)), path: path)
        }
    }

    private static func demandWhole(_ copy: borrowing Connection, _ path: String) throws(StoreError) {
        guard case .text(let found)? = try copy.value(SQLText("PRAGMA quick_check(1)")), found != "ok" else { return }
        throw StoreError(.corrupt, "the copy \(path) of the database is damaged: \(found)")
    }

    /// Has a copy that is put back begin anew for clients that were there after its moment: each gets all records at its next sync.
    package static func beginAnew(
        _ path: String, now: () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) throws(StoreError) {
        let copy = try Connection.open(path: path, mode: .writer)
        guard try SettingsTable.exists(in: copy) else {
            throw StoreError(.unknownFormat, "database \(path): it is empty")
        }
        if try copy.value(KeptNote.table, [.text(ChangeLog.coverage)]) != nil {
            let moment = now()
            try copy.inTransaction { connection throws(StoreError) in
                try connection.run(
                    SQLText("UPDATE \(ChangeLog.coverage) SET since = max(since, ?)"), [.integer(moment)])
            }
        }
        try copy.foldLog()
    }
}

extension Connection {
    /// Has the file hold all of its log, which goes with the last connection: what is left is one file.
    fileprivate borrowing func foldLog() throws(StoreError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw StoreError(code: code, connection: handle, path: path) }
        try letLogGo()
    }
}
