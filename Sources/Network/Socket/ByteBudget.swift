import Synchronization

/// How many bytes of one kind all connections together may hold, whatever each of them may.
final class ByteBudget: Sendable {
    let bytesMax: Int
    private let held = Atomic(0)

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// What all of them hold.
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

/// What the connections of a server may hold together.
final class SharedBounds: Sendable {
    /// What has come of requests and messages that are not complete.
    let incoming: ByteBudget
    let outgoing: OutgoingLedger

    init(_ limits: HTTPLimits) {
        incoming = ByteBudget(bytesMax: limits.waitingBodyBytes)
        outgoing = OutgoingLedger(bytesMax: limits.unreadAnswerBytes)
    }
}
