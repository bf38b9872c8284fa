import Crypto
import Glibc

/// The end of the process. There is no other place that ends it.
///
/// Threads may be working until the last moment: a start that is refused does not wait for what it began aside. So nothing
/// that they use is taken apart: no handler of a library runs, the system takes back all of it at once. What has to be
/// done before is done by then: output is not buffered, the log is flushed, the database is closed or whole without it.
package enum ProcessEnd {
    /// Called first of all: a library that ends the process by itself takes nothing apart either.
    package static func prepare() {
        OpenSSLLifetime.keepUntilTheEnd()
    }

    /// Ends the process with a code of the table.
    package static func now(_ code: ExitCode) -> Never {
        now(status: code.rawValue)
    }

    /// Ends the process as a shell reports one that a signal has ended.
    static func now(signal number: Int32) -> Never {
        now(status: 128 + number)
    }

    /// Ends the process as a command ended that it was there for.
    static func now(command status: Int32) -> Never {
        now(status: status)
    }

    private static func now(status: Int32) -> Never {
        // Nor are the C library's buffers written: nothing here uses them, and each has a lock that may be held.
        _exit(status)
    }
}
