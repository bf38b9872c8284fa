import JSON
import Network

/// The protocol of subscriptions-transport-ws, which shares AppSync's subprotocol name: queries and mutations too, no
/// `start_ack`, and errors with one message. It takes over from `AppSyncMachine`, which has seen the handshake.
///
///     start ▶ data … complete        stop ends without an answer        connection_terminate ends all
struct LegacyMachine: ~Copyable {
    struct Start: Equatable {
        let number: OperationNumber
        let id: String
        let request: OperationRequest
        /// An operation of the same id, which ends.
        let replaced: OperationNumber?
    }

    private let limits: RealtimeLimits
    private var isOver = false
    private var operations: [String: OperationNumber] = [:]
    private var lastNumber: OperationNumber = 0

    init(limits: RealtimeLimits) {
        self.limits = limits
    }

    enum MessageAction: Equatable {
        case send([UInt8])
        case acknowledge([UInt8])
        case start(Start)
        case stop(OperationNumber)
        case close(WebSocketClose)
        case nothing
    }

    mutating func received(_ text: [UInt8]) -> MessageAction {
        guard !isOver else { return .nothing }
        guard let frame = ClientFrame(text) else {
            return .send(Self.error("expected a JSON object with a type, found something else", nil))
        }
        switch frame.type {
        case "connection_init":
            return .acknowledge(ServerFrame.bytes("connection_ack"))
        case "start":
            return start(frame)
        case "stop":
            return frame.id.flatMap { operations.removeValue(forKey: $0) }.map { .stop($0) } ?? .nothing
        case "connection_terminate":
            isOver = true
            return .close(WebSocketClose(.normal, "terminated by the client"))
        default:
            return .send(Self.error("Invalid message type!", frame.id))
        }
    }

    private mutating func start(_ frame: ClientFrame) -> MessageAction {
        guard let id = frame.id, id.utf8.count <= limits.operationIDBytes else {
            return .send(Self.error("expected an id of at most \(limits.operationIDBytes) bytes", nil))
        }
        guard let request = OperationRequest(frame.payload) else {
            return .send(Self.error("expected a query, and variables as an object, found something else", id))
        }
        let replaced = operations[id]
        guard replaced != nil || operations.count < limits.subscriptionsPerConnection else {
            return .send(ServerFrame.bytes(
                "error", id: id, payload: OperationFailure.tooMany(limits.subscriptionsPerConnection).first))
        }
        lastNumber += 1
        operations[id] = lastNumber
        return .start(Start(number: lastNumber, id: id, request: request, replaced: replaced))
    }

    /// Whether the operation goes on, so that what comes of it may be sent.
    func isRunning(_ id: String, _ number: OperationNumber) -> Bool { !isOver && operations[id] == number }

    /// A query or mutation has its answer. Nothing when it was stopped.
    mutating func answered(_ id: String, _ number: OperationNumber, _ response: [UInt8]) -> [[UInt8]] {
        guard isRunning(id, number) else { return [] }
        operations[id] = nil
        return [ServerFrame.bytes("data", id: id, response: response), ServerFrame.bytes("complete", id: id)]
    }

    mutating func failed(_ id: String, _ number: OperationNumber, _ failure: OperationFailure) -> [UInt8]? {
        guard isRunning(id, number) else { return nil }
        operations[id] = nil
        return ServerFrame.bytes("error", id: id, payload: failure.first)
    }

    private static func error(_ message: String, _ id: String?) -> [UInt8] {
        ServerFrame.bytes("error", id: id, payload: ["message": .string(message)])
    }
}
