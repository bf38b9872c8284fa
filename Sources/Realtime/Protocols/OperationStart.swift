/// An operation that a client wants to start.
struct OperationStart: Equatable, Sendable {
    let number: OperationNumber
    let id: String
    let request: OperationRequest
    /// Those of its own, in AppSync's protocol; without them, the connection's caller counts.
    var credentials: RealtimeCredentials?
    /// An operation of the same id, which ends, in the older protocol.
    var replaced: OperationNumber?
}

/// The number of an operation on its connection. An id can be used again when its operation is over; a number never is,
/// so an answer that comes late finds nobody.
typealias OperationNumber = UInt64

/// The operations of a connection that have begun and are not over, by the ids that the client gave them.
struct OperationNumbers {
    private var numbers: [String: OperationNumber] = [:]
    private var last: OperationNumber = 0

    var count: Int { numbers.count }

    /// Whether there never was one.
    var areUnused: Bool { last == 0 }

    subscript(id: String) -> OperationNumber? { numbers[id] }

    mutating func begin(_ id: String) -> OperationNumber {
        last += 1
        numbers[id] = last
        return last
    }

    /// Ends the operation of an id, and says which one that was.
    mutating func end(_ id: String) -> OperationNumber? { numbers.removeValue(forKey: id) }

    /// Ends that very operation; false when it is over already.
    mutating func end(_ id: String, _ number: OperationNumber) -> Bool {
        guard numbers[id] == number else { return false }
        numbers[id] = nil
        return true
    }
}
