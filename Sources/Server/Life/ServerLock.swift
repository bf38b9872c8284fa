import Glibc
import Network

/// The lock of a server on its database file, so that no second one serves it: subscribers of one would not hear of what the
/// other changes.
///
/// A lock of the open file, on a byte that SQLite leaves alone: it ends with the process, however that ends. The file stays open until
/// then, since closing it would take the locks of SQLite's connections away.
final class ServerLock {
    private let descriptor: Int32

    /// Locks of open files (fcntl(2)), which Swift does not see.
    private static let setOpenFileLock: Int32 = 37
    /// Before the bytes that SQLite locks, and behind any content that would matter to a lock.
    private static let place: off_t = 0x3FFF_FFFF

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes it; nil where there is no file, or the file system knows of no such locks.
    static func take(of database: String) throws(StartError) -> ServerLock? {
        let descriptor = open(database, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = place
        lock.l_len = 1
        let server = ServerLock(descriptor)
        guard fcntl(descriptor, setOpenFileLock, &lock) != 0 else { return server }
        guard errno == EAGAIN || errno == EACCES else { return nil }
        throw StartError(
            .systemRefused,
            "another server serves \(database). Stop it, or give this one its own data with --data or --database")
    }
}
