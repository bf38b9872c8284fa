import Files
import Glibc
import Network
import Store

/// Why an archive was not made or not restored, with the code that a command ends with.
struct BackupFailure: Error, Equatable {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A call of the system that has failed.
    init(_ call: String, _ subject: String, _ number: Int32 = errno) {
        let isWriting = [ENOSPC, EDQUOT, EROFS, EACCES, EPERM].contains(number)
        self.init(
            isWriting ? .unwritableOutput : .systemRefused, "\(call) \(subject): \(String(cString: strerror(number)))")
    }

    init(_ error: StoreError) { self.init(ExitCode(error), error.message) }

    init(_ error: FileError) { self.init(.systemRefused, error.reason ?? error.message) }

    init(_ error: SystemError) { self.init(.systemRefused, error.description) }

    /// The error for a file that is no archive of this program, or a damaged one.
    static func damaged(_ what: String) -> BackupFailure { BackupFailure(.unreadableInput, what) }
}
