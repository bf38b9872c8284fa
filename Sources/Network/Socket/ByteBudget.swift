import Synchronization

/// How many bytes of one kind all connections together may hold, whatever each of them may.
final class ByteBudget: Sendable {
    let bytesMax: Int
    private let held = Atomic(0)

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The bytes that all of them hold.
    var bytes: Int { held.load(ordering: .relaxed) }

    /// Tells that somebody holds `new` bytes in place of `old` ones. False where there is no room for more: then the old
    /// ones count on.
    func change(from old: Int, to new: Int) -> Bool {
        let sum = held.add(new - old, ordering: .relaxed).newValue
        guard new > old, sum > bytesMax else { return true }
        held.subtract(new - old, ordering: .relaxed)
        return false
    }
}

/// The bounds of all connections of a server together.
package final class SharedBounds: Sendable {
    /// The bytes of requests and messages that are not complete.
    let incoming: ByteBudget
    let outgoing: OutgoingLedger

    package init(_ limits: HTTPLimits) {
        incoming = ByteBudget(bytesMax: limits.waitingBodyBytes)
        outgoing = OutgoingLedger(bytesMax: limits.unreadAnswerBytes)
    }

    /// The bytes that all connections hold now, for metrics.
    package struct Held: Sendable {
        /// Of requests and messages that are not complete.
        package var incomingBytes = 0
        /// For clients that do not take it.
        package var outgoingBytes = 0
        /// The connections that were closed because that was too much.
        package var closed = 0

        package init() {}
    }

    package var held: Held {
        var held = Held()
        (held.incomingBytes, held.outgoingBytes, held.closed) = (incoming.bytes, outgoing.bytes, outgoing.closed)
        return held
    }
}
