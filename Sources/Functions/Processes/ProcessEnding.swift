import Glibc

/// How a process has ended.
package enum ProcessEnding: Sendable, Equatable {
    case exited(Int)
    case signalled(Int)

    /// - Parameter code: an exit code, or 256 and the number of a signal.
    init(code: Int) { self = code < 256 ? .exited(code) : .signalled(code - 256) }

    /// As Lambda says it.
    var sentence: String {
        switch self {
        case .exited(0): "Runtime exited without providing a reason"
        case .exited(let code): "Runtime exited with error: exit status \(code)"
        case .signalled(let number):
            "Runtime exited with error: signal: \(Self.names[number] ?? "signal \(number)")"
        }
    }

    private static let names = [
        Int(SIGKILL): "killed", Int(SIGTERM): "terminated", Int(SIGSEGV): "segmentation fault", Int(SIGABRT): "aborted",
        Int(SIGILL): "illegal instruction", Int(SIGFPE): "floating point exception", Int(SIGBUS): "bus error",
        Int(SIGINT): "interrupt", Int(SIGHUP): "hangup", Int(SIGTRAP): "trace/breakpoint trap",
        Int(SIGPIPE): "broken pipe",
    ]
}
