import Glibc
import Network
import Threads

/// Brings the names in a folder to the disk: one call for all who wait for it at the same time.
final class FolderSync: @unchecked Sendable {
    // Safe to share: everything that changes does so with the lock held.
    private let lock = ThreadLock()
    private let changed: ThreadCondition
    private let descriptor: FileDescriptor
    private var begun = 0
    private var ended = 0
    private var isRunning = false
    private var failure: SystemError?

    init(of path: String) throws(SystemError) {
        let raw = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError(call: "open", subject: path) }
        descriptor = FileDescriptor(owning: raw)
        changed = ThreadCondition(of: lock)
    }

    /// Returns when all names that were there at the call are on the disk. A failure is one for ever: what the system has
    /// dropped once it does not try again.
    func run() throws(SystemError) {
        lock.lock()
        defer { lock.unlock() }
        // One that runs may have begun before the name was there.
        let wanted = begun + 1
        while ended < wanted {
            if isRunning {
                changed.wait()
                continue
            }
            isRunning = true
            begun += 1
            let mine = begun
            lock.unlock()
            let failed = fsync(descriptor.raw) == 0 ? nil : SystemError(call: "fsync")
            lock.lock()
            failure = failure ?? failed
            ended = mine
            isRunning = false
            changed.broadcast()
        }
        if let failure { throw failure }
    }
}
