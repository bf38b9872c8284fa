/// How a client takes an answer that does not leave at once: at the least rate that is accepted, or too slowly.
///
/// The time in which the client takes all that it is offered does not count: then the answer waits for its writer.
struct HTTPAnswerWatch {
    /// How far what was written has got. To be asked for only when it is looked at, since it costs a system call.
    struct Outgoing {
        /// The bytes that still wait here.
        var waitingBytes: Int
        /// The written bytes that the client's system has.
        var deliveredBytes: Int
        /// Since when the client has not taken what was written; nil while it takes all.
        var blockedSince: MonotonicTime?
    }

    private var rate: TransferRate
    /// How far it was when it was looked at.
    private var seen: Outgoing

    /// When to look at it next.
    private(set) var deadline: MonotonicTime

    init(_ bounds: TransferRate.Bounds, _ outgoing: Outgoing, now: MonotonicTime) {
        rate = TransferRate(bounds)
        seen = outgoing
        deadline = rate.begin(at: now)
    }

    /// Returns whether the client is quick enough.
    mutating func isQuickEnough(_ outgoing: Outgoing, now: MonotonicTime) -> Bool {
        defer { seen = outgoing }
        guard let blockedSince = outgoing.blockedSince, blockedSince == seen.blockedSince else {
            deadline = rate.begin(at: now)
            // What is left of a long answer goes out in the turns that follow: only then is it known whether the client
            // reads. With nothing left there is nothing to wait for.
            if outgoing.blockedSince == nil, outgoing.waitingBytes == 0 { deadline = .never }
            return true
        }
        rate.moved(outgoing.deliveredBytes - seen.deliveredBytes, at: now)
        guard let next = rate.check(at: now) else { return false }
        deadline = next
        return true
    }
}
