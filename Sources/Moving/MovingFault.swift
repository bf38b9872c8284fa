import Glibc

/// A mistake in a file of another backend, with its place.
package struct MovingFault: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The file cannot be read, or is damaged.
        case unreadable
        /// The file is whole, and its content is not what was expected.
        case unexpected
        /// Something cannot be written.
        case unwritable
    }

    package let kind: Kind
    /// A file, or a file and a line of it.
    package let place: String
    package let reason: String

    package init(_ kind: Kind, _ place: String, _ reason: String) {
        self.kind = kind
        self.place = place
        self.reason = reason
    }

    package init(_ place: String, _ reason: String) { self.init(.unexpected, place, reason) }

    /// A call of the system that has failed on a file.
    package static func system(_ kind: Kind, _ path: String) -> MovingFault {
        let code = errno
        let what = kind == .unwritable ? "cannot be written" : "cannot be read"
        let isFull = kind == .unwritable && [ENOSPC, EDQUOT, EFBIG].contains(code)
        return MovingFault(
            kind, path,
            "it \(what): \(String(cString: strerror(code)))" + (isFull ? ". Free space. \(continuation)" : ""))
    }

    /// The way on from a disk without room.
    package static let continuation = "Then give the same command again: the move continues"

    package var description: String { "\(place): \(reason)" }
}
