import CSQLite
import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of the database in a file of its own, which lasts as long as the server runs: nothing of it is flushed.
///
///     database ──carry──▶ copy                     between two groups of the writer's
///     copy ──complete──▶ copy ──carry──▶ database  one transaction: readers see what was before, or the copy
struct DatabaseCopy: ~Copyable {
    let session: WriteSession
    /// The database over the copy, where it is opened so that the copy stays as it is: removed with this.
    private let layer: String?

    private static let begin = SQLText("BEGIN IMMEDIATE")
    private static let commit = SQLText("COMMIT")

    /// Opens one that is there.
    static func open(_ path: String, _ layout: DatabaseLayout) throws(StoreError) -> DatabaseCopy {
        let connection = try Connection.open(path: path, mode: .writer)
        try connection.execute("PRAGMA synchronous = 0")
        // Then nothing but the one file is left of it.
        try connection.letLogGo()
        return DatabaseCopy(session: WriteSession(connection, layout: layout))
    }

    private init(session: WriteSession, layer: String? = nil) { (self.session, self.layer) = (session, layer) }

    deinit { layer.map(Self.remove) }

    /// Opens one so that its file stays as it is: what is changed is changed in a database over it, which goes with this.
    static func open(over path: String, _ layout: DatabaseLayout) throws(StoreError) -> DatabaseCopy {
        guard let base = DatabaseBase(path), let whole = realpath(path, nil) else { return try open(path, layout) }
        defer { free(whole) }
        let (basePath, layer) = (String(cString: whole), "\(path)-open")
        remove(layer)
        // A longer one than may lie under others is its owner's alone.
        guard LayerMap.takes(base, at: basePath), LayerMap.make(for: layer), let map = LayerMap(of: layer) else {
            return try open(path, layout)
        }
        map.lie(over: base, at: basePath)
        Connection.makePrivate(layer)
        guard truncate(layer, off_t(base.bytes)) == 0 else {
            remove(layer)
            return try open(path, layout)
        }
        let connection = try Connection.open(path: layer, mode: .writer)
        try connection.execute("PRAGMA synchronous = 0")
        return DatabaseCopy(session: WriteSession(connection, layout: layout), layer: layer)
    }

    private static func remove(_ layer: String) {
        for file in ["", "-wal", "-shm", "-journal", LayerMap.suffix] { unlink("\(layer)\(file)") }
    }

    /// Returns whether worlds can lie over a copy: all of them together have its pages once.
    static func isShareable(_ path: String) -> Bool {
        DatabaseBase(path).map { LayerMap.takes($0, at: "/") } ?? false
    }

    /// Has a connection's database become what the copy is, and costs what was changed in that. False: its database does not lie over another
    /// one, or somebody reads in it at this moment.
    func replace(_ target: borrowing Connection) throws(StoreError) -> Bool {
        guard let layer, try session.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) else { return false }
        return try LayeredFile.replace(try target.file(), by: layer)
    }

    /// Writes a copy of what a connection sees.
    static func write(_ path: String, of source: borrowing Connection) throws(StoreError) {
        Connection.makePrivate(path)
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil
        )
        defer { sqlite3_close_v2(handle) }
        guard code == SQLITE_OK, let handle, sqlite3_exec(handle, "PRAGMA synchronous = 0", nil, nil, nil) == SQLITE_OK
        else { throw StoreError(code: code, connection: handle, path: path) }
        try carry(from: source.file(), to: handle, path)
    }

    /// Has a connection's database become what the copy is, in one transaction.
    func carry(to target: borrowing Connection) throws(StoreError) {
        try Self.carry(from: session.connection.file(), to: target.file(), target.path)
    }

    private static func carry(
        from source: OpaquePointer, to target: OpaquePointer, _ path: String
    ) throws(StoreError) {
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw StoreError(code: sqlite3_extended_errcode(target), connection: target, path: path)
        }
        let step = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            let code = end == SQLITE_OK ? step : end
            throw StoreError(code: code, detail: String(cString: sqlite3_errstr(code)), path: path)
        }
    }

    /// Changes it in one transaction.
    func change(_ body: (WriteSession) throws(StoreError) -> Void) throws(StoreError) {
        try session.run(Self.begin)
        do throws(StoreError) {
            try body(session)
            try session.run(Self.commit)
        } catch {
            if !session.connection.isInAutocommit { try? session.connection.execute("ROLLBACK") }
            throw error
        }
    }

    // MARK: What the copy has of the database that it becomes

    private static let sequences = SQLText("SELECT name, seq FROM sqlite_sequence")
    private static let sequenceUpdate = SQLText("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")
    private static let sequenceInsertion = SQLText("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)")
    private static let coverageUpdate = SQLText("UPDATE \(ChangeLog.coverage) SET since = max(since, ?)")

    /// Takes over what never goes back: the file's mark and key, the numbers that nobody may meet twice, and how far the logs of
    /// changes are whole. A sync that has seen what is gone by then reads everything anew.
    func takeOver(from live: WriteSession, stamp: Int64) throws(StoreError) {
        try SettingsTable.set(.isOpen, to: .boolean(true), in: session.connection)
        if let key = try SettingsTable.value(.cursorKey, in: live.connection) {
            try SettingsTable.set(.cursorKey, to: key, in: session.connection)
        }
        if try session.has("sqlite_sequence"), try live.has("sqlite_sequence") {
            var numbers: [(name: String, last: Int64)] = []
            try live.connection.query(Self.sequences) { row throws(StoreError) in
                numbers.append((row.text(0), row.integer(1)))
                return true
            }
            for (name, last) in numbers where try session.has(name) {
                try session.run(Self.sequenceUpdate, [.text(name), .integer(last)])
                guard session.connection.changeCount == 0 else { continue }
                try session.run(Self.sequenceInsertion, [.text(name), .integer(last)])
            }
        }
        if try session.has(ChangeLog.coverage) { try session.run(Self.coverageUpdate, [.integer(stamp)]) }
    }

    /// Takes over what a database that begins as a copy has itself: it is open, with a key of its own. No number of its own was given to anybody.
    static func begin(_ connection: borrowing Connection, key: StoredValue?, stamp: Int64) throws(StoreError) {
        try SettingsTable.set(.isOpen, to: .boolean(true), in: connection)
        if let key { try SettingsTable.set(.cursorKey, to: key, in: connection) }
        if try connection.has(ChangeLog.coverage) { try connection.run(coverageUpdate, [.integer(stamp)]) }
    }

    // MARK: Nothing in it

    private static let tables = SQLText(
        "SELECT name, type = 'virtual' FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')")
    private static let coverageEnd = SQLText("UPDATE \(ChangeLog.coverage) SET removed = 0")

    /// Tables of which rows stay: what the file says about itself, and what is said of tables.
    private static let kept: Set<ByteText> = Set(texts: [SettingsTable.name, ChangeLog.coverage])

    /// Takes every row out of every table but for what the file says about itself.
    func empty() throws(StoreError) {
        var names: [String] = []
        try session.connection.query(Self.tables) { row throws(StoreError) in
            let name = row.text(0)
            if !name.hasPrefix("sqlite_"), !Self.kept.contains(name) { names.append(name) }
            return true
        }
        for name in names { try session.run(SQLText("DELETE FROM \(SQLName.quoted(name))")) }
        try session.run(
            SQLText("DELETE FROM \(SettingsTable.name) WHERE name = ?"),
            [.text(SettingsTable.Name.importProgress.rawValue)])
        if try session.has(ChangeLog.coverage) { try session.run(Self.coverageEnd) }
    }
}

extension WriteSession {
    fileprivate func has(_ name: String) throws(StoreError) -> Bool { try connection.has(name) }
}

extension Connection {
    private static let table = SQLText("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")

    fileprivate func has(_ name: String) throws(StoreError) -> Bool { try value(Self.table, [.text(name)]) != nil }
}
