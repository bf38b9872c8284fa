import Glibc
import Store

/// A file that is written under another name first: what has its own name is complete, however the process ends. Nobody but its
/// owner may read it.
enum CompleteFile {
    static func write(
        _ file: String, _ body: (_ descriptor: Int32, _ name: String) throws(TransferError) -> Int
    ) throws(TransferError) -> Int {
        let temporary = "\(file).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(temporary) }
        defer { close(descriptor) }
        do throws(TransferError) {
            let count = try body(descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw unwritable(temporary) }
            guard rename(temporary, file) == 0 else { throw unwritable(file) }
            return count
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func unwritable(_ file: String) -> TransferError {
        .unwritable("cannot write \(file): \(String(cString: strerror(errno)))")
    }
}
