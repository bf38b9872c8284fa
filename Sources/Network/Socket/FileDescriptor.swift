import CSystem
import Glibc

/// The owner of an open file descriptor: it closes it when it goes away.
package struct FileDescriptor: ~Copyable {
    package let raw: Int32

    /// Takes over a descriptor that nobody else closes; one below 0 stands for none.
    package init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { close(raw) }
    }

    /// A second descriptor for the same open file; nil when none is left.
    package borrowing func duplicate() -> FileDescriptor? {
        let copy = homeport_duplicate(raw)
        return copy >= 0 ? FileDescriptor(owning: copy) : nil
    }

    /// Gives the descriptor away without closing it.
    package consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }
}
