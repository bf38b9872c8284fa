#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of the database, written beside it before a change that loses data.
enum Backup {
    /// Writes the copy and answers with its path. It is on the disk by then.
    static func write(of connection: borrowing Connection) throws(StoreError) -> String {
        let path = freePath(beside: connection.path)
        // SQLite writes into an empty file as into none.
        Connection.makePrivate(path)
        try connection.run(SQLText("VACUUM INTO ?"), [.text(path)])
        try flush(path)
        return path
    }

    private static func freePath(beside path: String) -> String {
        var number = 1
        while access("\(path).backup-\(number)", F_OK) == 0 { number += 1 }
        return "\(path).backup-\(number)"
    }

    // SQLite leaves that to the system.
    private static func flush(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        let isFlushed = descriptor >= 0 && fsync(descriptor) == 0
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        guard isFlushed else {
            throw StoreError(
                .inputOutput, "backup \(path): \(String(cString: strerror(code))). Check the disk; nothing was changed")
        }
    }
}
