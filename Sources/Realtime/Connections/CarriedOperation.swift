import Engine
import Network

/// An operation that a WebSocket or an event stream has carried, for the log and the counters: a query or mutation that was
/// answered, a subscription that has started, or either when it was refused. What its client gave up before is none.
package struct CarriedOperation: Sendable {
    /// The connection, or the request, that it came by.
    package let identifier: RequestIdentifier
    /// What carries it, such as `graphql-transport-ws`.
    package let carrier: String
    package let note: OperationNote
    package let request: OperationRequest
    /// The status that HTTP would have given it.
    package let status: Int
    /// The bytes of its response, without what frames them.
    package let bytes: Int
    package let nanoseconds: UInt64
}

/// What carries the operations of a connection.
struct OperationCarrier: Sendable {
    let identifier: RequestIdentifier
    let name: String

    static let eventStream = "event-stream"
}

/// What is known of an operation while it runs.
struct OperationAccount: Sendable {
    let note = OperationNote()
    private let begin = MonotonicTime.now

    /// What there is to say of it when this has become of it.
    func operation(
        _ request: OperationRequest, _ outcome: ConnectionOperations.Outcome, by carrier: OperationCarrier
    ) -> CarriedOperation {
        var (status, bytes) = (200, 0)
        switch outcome {
        case .subscribed, .repeated, .completed: break
        case .answered(let response): bytes = response.count
        case .failed(let failure):
            status = failure.status
            // What the engine has refused it has noted.
            if note.errorCount == 0 { failure.note(in: note) }
        }
        return CarriedOperation(
            identifier: carrier.identifier, carrier: carrier.name, note: note, request: request, status: status,
            bytes: bytes, nanoseconds: MonotonicTime.now.nanoseconds(since: begin))
    }
}
