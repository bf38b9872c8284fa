import JSON

/// An operation that a client wants to start.
struct OperationStart: Equatable, Sendable {
    let number: OperationNumber
    let id: String
    let request: OperationRequest
    /// Those of its own, in AppSync's protocol; without them, the connection's caller counts.
    var credentials: RealtimeCredentials?
    /// An operation of the same id, which ends, in the older protocol.
    var replaced: OperationNumber?
    /// Whether it runs already under this number, and is asked for once more.
    var isRepeated = false
}

/// The number of an operation on its connection. An id can be used again when its operation is over; a number never is,
/// so an answer that comes late finds nobody.
typealias OperationNumber = UInt64

/// The operations of a connection that have begun and are not over, by the ids that the client gave them.
struct OperationNumbers {
    private struct Entry {
        let number: OperationNumber
        let text: Int
    }

    private var entries: [ByteText: Entry] = [:]
    private var last: OperationNumber = 0

    var count: Int { entries.count }

    /// Whether there never was one.
    var areUnused: Bool { last == 0 }

    subscript(id: String) -> OperationNumber? { entries[id]?.number }

    /// Begins an operation; the text is what the client sent for it, where that is asked for later.
    mutating func begin(_ id: String, text: String = "") -> OperationNumber {
        last += 1
        entries[id] = Entry(number: last, text: Self.hash(text))
        return last
    }

    /// The operation of an id, if the client sent this very text for it.
    func number(of id: String, text: String) -> OperationNumber? {
        entries[id].flatMap { $0.text == Self.hash(text) ? $0.number : nil }
    }

    /// The hash of a text stands for it: a client may have a hundred operations, each with a large document.
    private static func hash(_ text: String) -> Int {
        var hasher = Hasher()
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    /// Ends the operation of an id, and says which one that was.
    mutating func end(_ id: String) -> OperationNumber? { entries.removeValue(forKey: ByteText(id))?.number }

    /// Ends that very operation; false when it is over already.
    mutating func end(_ id: String, _ number: OperationNumber) -> Bool {
        guard entries[id]?.number == number else { return false }
        entries[id] = nil
        return true
    }
}
