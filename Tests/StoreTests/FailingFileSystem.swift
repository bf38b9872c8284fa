import CSQLite
import Synchronization

/// The system's files as SQLite sees them, but flushes do nothing, and fail when a test says so.
enum FailingFileSystem {
    static let name = "failing"
    static let isFailing = Atomic<Bool>(false)
    static let flushCount = Atomic<Int>(0)

    /// Makes it known to SQLite, once.
    static let isRegistered: Bool = {
        guard let system = sqlite3_vfs_find("unix") else { return false }
        let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        copy.initialize(to: system.pointee)
        copy.pointee.pNext = nil
        // SQLite keeps both for the life of the process.
        let text = Array(name.utf8CString)
        let storage = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
        storage.initialize(from: text, count: text.count)
        copy.pointee.zName = UnsafePointer(storage)
        copy.pointee.xOpen = { _, path, file, flags, openedFlags in
            guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, path, file, flags, openedFlags)
            guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
            let changed = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            changed.initialize(to: methods.pointee)
            changed.pointee.xSync = { _, _ in
                FailingFileSystem.flushCount.add(1, ordering: .relaxed)
                return FailingFileSystem.isFailing.load(ordering: .relaxed) ? SQLITE_IOERR | 4 << 8 : SQLITE_OK
            }
            file.pointee.pMethods = UnsafePointer(changed)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(copy, 0) == SQLITE_OK
    }()
}
