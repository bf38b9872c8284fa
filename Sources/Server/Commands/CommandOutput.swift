import Glibc

/// Where a command prints: its result, and what is to be said about it.
package struct CommandOutput {
    private let standard: (String) -> Void
    private let diagnostics: (String) -> Void

    package init(standard: @escaping (String) -> Void, diagnostics: @escaping (String) -> Void) {
        self.standard = standard
        self.diagnostics = diagnostics
    }

    /// Standard output and standard error of the process.
    package static var process: CommandOutput {
        CommandOutput(standard: { write($0, to: 1) }, diagnostics: { write($0, to: 2) })
    }

    /// Prints a part of the result, and a line end.
    package func print(_ text: String) {
        standard(text + "\n")
    }

    /// Says what went wrong, and a line end.
    package func report(_ text: String) {
        diagnostics(text + "\n")
    }

    /// Without a buffer: what was printed is out, however the process ends.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR, errno != EAGAIN {
                return
            }
        }
    }
}
