import Glibc

/// A system call that failed: which one, with what `errno`, and on what.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32
    package let subject: String

    package init(call: String, code: Int32 = errno, subject: String = "") {
        self.call = call
        self.code = code
        self.subject = subject
    }

    package var description: String {
        let reason = String(cString: strerror(code))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
