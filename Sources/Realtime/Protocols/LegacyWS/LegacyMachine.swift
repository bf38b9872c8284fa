import JSON
import Network

/// The protocol of subscriptions-transport-ws, which shares AppSync's subprotocol name: queries and mutations too, no
/// `start_ack`, and errors with one message. It takes over from `AppSyncMachine`, which has seen the handshake.
///
///     start ▶ data … complete        stop ends without an answer        connection_terminate ends all
struct LegacyMachine: OperationMachine, ~Copyable {
    private enum Identity {
        case pending, accepted
    }

    private let limits: RealtimeLimits
    private var identity: Identity
    /// Whether the client waits for an answer to `connection_init`.
    private var isInitAwaitingIdentity: Bool
    private var waiting: [OperationStart] = []
    private var isOver = false
    private var operations = OperationNumbers()

    /// Goes on where the other machine has stopped.
    init(limits: RealtimeLimits, isIdentified: Bool, isInitAwaitingIdentity: Bool) {
        self.limits = limits
        identity = isIdentified ? .accepted : .pending
        self.isInitAwaitingIdentity = isInitAwaitingIdentity
    }

    enum IdentifiedAction: Equatable {
        case proceed(acknowledge: [UInt8]?, [OperationStart])
        /// Send the error and end.
        case fail([UInt8])
        case nothing
    }

    /// The gate has answered who is calling.
    mutating func identified(_ refusal: RealtimeRefusal?) -> IdentifiedAction {
        guard !isOver, identity == .pending else { return .nothing }
        defer { waiting = [] }
        if let refusal {
            isOver = true
            return .fail(ServerFrame.bytes("connection_error", payload: ["message": .string(refusal.message)]))
        }
        identity = .accepted
        defer { isInitAwaitingIdentity = false }
        return .proceed(acknowledge: isInitAwaitingIdentity ? Self.acknowledgement : nil, waiting)
    }

    private static let acknowledgement = ServerFrame.bytes("connection_ack")

    enum MessageAction: Equatable {
        case send([UInt8])
        case acknowledge([UInt8])
        case start(OperationStart)
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
            guard identity != .pending else {
                isInitAwaitingIdentity = true
                return .nothing
            }
            return .acknowledge(Self.acknowledgement)
        case "start":
            return start(frame)
        case "stop":
            guard let number = frame.id.flatMap({ operations.end($0) }) else { return .nothing }
            waiting.removeAll { $0.number == number }
            return .stop(number)
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
            return .send(
                ServerFrame.bytes(
                    "error", id: id, payload: OperationFailure.tooMany(limits.subscriptionsPerConnection).first))
        }
        let start = OperationStart(number: operations.begin(id), id: id, request: request, replaced: replaced)
        guard identity == .pending else { return .start(start) }
        waiting.removeAll { $0.id == id }
        waiting.append(start)
        return .nothing
    }

    mutating func answered(_ id: String, _ number: OperationNumber, _ response: [UInt8]) -> [[UInt8]] {
        guard operations.end(id, number), !isOver else { return [] }
        return [ServerFrame.bytes("data", id: id, response: response), ServerFrame.bytes("complete", id: id)]
    }

    mutating func completed(_ id: String, _ number: OperationNumber) -> [UInt8]? {
        operations.end(id, number) && !isOver ? ServerFrame.bytes("complete", id: id) : nil
    }

    mutating func failed(_ id: String, _ number: OperationNumber, _ failure: OperationFailure) -> [UInt8]? {
        guard operations.end(id, number), !isOver else { return nil }
        return ServerFrame.bytes("error", id: id, payload: failure.first)
    }

    private static func error(_ message: String, _ id: String?) -> [UInt8] {
        ServerFrame.bytes("error", id: id, payload: ["message": .string(message)])
    }
}
