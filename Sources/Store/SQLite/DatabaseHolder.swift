#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whoever has a database open besides this process.
package enum DatabaseHolder {
    /// The bytes that SQLite locks in a file for as long as a connection is open (its file format, 4.2 of "wal.html" and
    /// "lockingv3.html"): the shared ones.
    private static let sharedBytes = (start: 0x4000_0002, count: 510)

    /// The number of another process that has the file open; 0 where it cannot be seen from here, as in a container, and nil
    /// when there is none.
    ///
    /// Only before this process opens the file itself: closing it here would take the locks of its connections away.
    package static func process(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(sharedBytes.start)
        lock.l_len = off_t(sharedBytes.count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }
}
