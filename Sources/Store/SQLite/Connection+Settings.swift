import CSQLite
import JSON

extension Connection {
    /// Every setting of a connection. Each is read back: SQLite ignores what it does not know.
    func configure(_ mode: Mode) throws(StoreError) {
        sqlite3_busy_timeout(handle, Int32(StoreLimits.busyMilliseconds))
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(StoreLimits.valueBytesMax))
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
        // The file is untrusted input, and no statement of ours needs what these allow.
        try setSwitch(SQLITE_DBCONFIG_DEFENSIVE, to: true)
        try setSwitch(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: false)
        try setSwitch(SQLITE_DBCONFIG_DQS_DML, to: false)
        try setSwitch(SQLITE_DBCONFIG_DQS_DDL, to: false)
        // SQLite swallows what goes wrong while it copies the log into the file at the end. The writer does it itself.
        try setSwitch(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: true)

        if mode == .writer { try set("journal_mode", to: "wal") }
        for (name, value) in Self.settings { try set(name, to: value) }
        if mode == .reader { try endWriting() }
    }

    /// Bounds the pages that are kept in memory; without a number, as they are in all connections.
    func keepPages(_ count: Int? = nil) throws(StoreError) {
        try set("cache_size", to: count.map { "\($0)" } ?? Self.pageCache)
    }

    /// Makes a writer's connection a reader's.
    func endWriting() throws(StoreError) {
        guard handle != nil else { return try execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY") }
        try set("query_only", to: "1")
    }

    private static let pageCache = "-\(StoreLimits.pageCacheBytes >> 10)"

    /// The pragmas of all connections.
    private static let settings = [
        // A commit is on the disk when it is acknowledged.
        ("synchronous", "2"),
        // AppSync does not enforce relations.
        ("foreign_keys", "0"),
        ("cache_size", pageCache),
        ("mmap_size", "\(StoreLimits.memoryMapBytes)"),
        // Sorting needs no files.
        ("temp_store", "2"),
        ("trusted_schema", "0"),
        // The writer copies the log when it is due, and sees what goes wrong.
        ("wal_autocheckpoint", "0"),
    ]

    private func set(_ pragma: String, to wanted: String) throws(StoreError) {
        try execute("PRAGMA \(pragma) = \(wanted)")
        let found: String? =
            switch try value(SQLText("PRAGMA \(pragma)")) {
            case .integer(let integer): "\(integer)"
            case .text(let text): text
            default: nil
            }
        guard found == wanted else {
            throw StoreError(
                .cannotOpen,
                "database \(path): SQLite does not take \(pragma) = \(wanted), it stays \(found ?? "unknown"). "
                    + "A file system without shared memory, such as a network drive, can be why: keep the file on a local one"
            )
        }
    }

    /// Has SQLite take the log away when the last connection goes. Only where all of the log is in the file: SQLite would
    /// copy the rest, and swallow what goes wrong.
    func letLogGo() throws(StoreError) {
        try setSwitch(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: false)
    }

    /// Has triggers rest on this connection to a file: what they would write comes with the rows of a move.
    func restTriggers() throws(StoreError) {
        guard handle != nil else { return }
        try setSwitch(SQLITE_DBCONFIG_ENABLE_TRIGGER, to: false)
    }

    private func setSwitch(_ option: Int32, to isOn: Bool) throws(StoreError) {
        var isOnNow: Int32 = -1
        let code = homeport_sqlite_switch(handle, option, isOn ? 1 : 0, &isOnNow)
        guard code == SQLITE_OK, isOnNow == (isOn ? 1 : 0) else {
            throw StoreError(
                .unexpected, "SQLite \(String(cString: sqlite3_libversion())) does not know a switch (\(option))")
        }
    }
}
