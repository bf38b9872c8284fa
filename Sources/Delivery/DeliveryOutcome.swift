/// The outcome of a delivery. The texts are for the log.
package enum DeliveryOutcome: Sendable, Equatable {
    case taken
    /// The receiver took all of a batch but the items at these places.
    case takenBut([Int], String)
    /// The receiver has failed.
    case failed(String)
    /// The receiver will never take it.
    case refused(String)
    /// Nobody answered.
    case unreachable(String)
    /// The server stops: that says nothing of what was delivered.
    case cancelled
}
