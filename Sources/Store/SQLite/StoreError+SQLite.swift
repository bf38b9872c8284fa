import CSQLite

extension StoreError {
    /// What a result code of SQLite means, said of the file that it came from.
    init(code: Int32, detail: String, path: String) {
        let (kind, advice) = Self.meaning(of: code)
        self.init(kind, of: path, detail, advice: advice, code: code)
    }

    /// What the last call on a connection failed with.
    init(code: Int32, connection: OpaquePointer?, path: String) {
        let detail = String(cString: sqlite3_errmsg(connection))
        self.init(code: code, detail: detail, path: path)
    }

    /// The kind of a result code and what to do about it. The low byte of a code is its class.
    private static func meaning(of code: Int32) -> (Kind, String) {
        if code == homeport_sqlite_unique || code == homeport_sqlite_primary_key { return (.exists, "") }
        // The only ones that refuse anything are those that take changes down for functions.
        if code == homeport_sqlite_trigger {
            return (.tooManyChanges, "See in the log why the functions do not take them")
        }
        return switch code & 0xFF {
        case SQLITE_FULL:
            (.diskFull, "Free space on its file system; nothing that was acknowledged is lost")
        case SQLITE_READONLY:
            (.readOnly, "Allow this user to write the file and its folder, or choose another --database")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            (.cannotOpen, "Check that its folder exists and that this user may read and write there")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            (.corrupt, "Restore a backup, or recover what can be read with: sqlite3 FILE .recover")
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            (.locked, "Another process uses the file: stop it, or choose another --database")
        case SQLITE_IOERR:
            (.inputOutput, "Check the disk and the system's log before starting again")
        case SQLITE_INTERRUPT: (.interrupted, "")
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH: (.invalidValue, misfitAdvice)
        case SQLITE_TOOBIG: (.tooLarge, "A value holds \(StoreLimits.valueBytesMax) bytes at most")
        default: (.unexpected, "")
        }
    }
}
