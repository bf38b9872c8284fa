import JSON
import Network

/// The protocol `graphql-transport-ws`, as the server plays it: text in, actions out.
///
///     opened ── connection_init ──▶ identifying ── accepted ──▶ acknowledged ── subscribe ▶ next … complete
///
/// A client that breaks the rules is closed with the code that the protocol has for it.
struct TransportMachine: OperationMachine, ~Copyable {
    private enum Phase {
        case opened, identifying, acknowledged, over
    }

    private let limits: RealtimeLimits
    private var phase = Phase.opened
    private var operations = OperationNumbers()

    init(limits: RealtimeLimits) {
        self.limits = limits
    }

    enum MessageAction: Equatable {
        case send([UInt8])
        /// Find out who is calling, by the handshake or else by these fields.
        case identify([CredentialField])
        case start(OperationStart)
        case stop(OperationNumber)
        case close(WebSocketClose)
        case nothing
    }

    mutating func received(_ text: [UInt8]) -> MessageAction {
        guard phase != .over else { return .nothing }
        guard let frame = ClientFrame(text) else { return close(.notUnderstood("Invalid message received")) }
        switch frame.type {
        case "connection_init":
            guard phase == .opened else { return close(.tooManyInitialisations) }
            phase = .identifying
            return .identify(frame.payload.initFields.map(CredentialField.init))
        case "ping":
            guard !frame.payload.isNull else { return .send(ServerFrame.bytes("pong")) }
            return .send(ServerFrame.bytes("pong", payload: frame.payload))
        case "pong":
            return .nothing
        case "subscribe":
            return subscribe(frame)
        case "complete":
            guard let id = frame.id else { return close(.notUnderstood("expected an id in complete, found none")) }
            return operations.end(id).map { .stop($0) } ?? .nothing
        default:
            return close(.notUnderstood("expected a message of a known type, found another"))
        }
    }

    private mutating func subscribe(_ frame: ClientFrame) -> MessageAction {
        guard phase == .acknowledged else { return close(.unauthorized) }
        guard let id = frame.id, !id.isEmpty, id.utf8.count <= limits.operationIDBytes else {
            return close(.notUnderstood("expected an id of 1 to \(limits.operationIDBytes) bytes in subscribe"))
        }
        guard let request = OperationRequest(frame.payload) else {
            return close(.notUnderstood("expected a query, and variables as an object, in the payload of subscribe"))
        }
        guard operations[id] == nil else { return close(.subscriberExists(id)) }
        guard operations.count < limits.subscriptionsPerConnection else {
            return .send(error(.tooMany(limits.subscriptionsPerConnection), id))
        }
        return .start(OperationStart(number: operations.begin(id), id: id, request: request))
    }

    enum EndAction: Equatable {
        case send([UInt8])
        case close(WebSocketClose)
        case nothing
    }

    /// The gate has answered who is calling.
    mutating func identified(isAccepted: Bool) -> EndAction {
        guard phase == .identifying else { return .nothing }
        guard isAccepted else {
            phase = .over
            return .close(.forbidden)
        }
        phase = .acknowledged
        return .send(ServerFrame.bytes("connection_ack"))
    }

    /// The client has had its time to begin.
    mutating func initTimeIsUp() -> EndAction {
        guard phase == .opened else { return .nothing }
        phase = .over
        return .close(.initialisationTimeout)
    }

    /// What proved the caller is about to end; all of the connection rests on it.
    mutating func proofEnds() -> EndAction {
        guard phase != .over else { return .nothing }
        phase = .over
        return .close(.forbidden)
    }

    private mutating func close(_ close: WebSocketClose) -> MessageAction {
        phase = .over
        return .close(close)
    }

    // MARK: Operations

    mutating func answered(_ id: String, _ number: OperationNumber, _ response: [UInt8]) -> [[UInt8]] {
        guard operations.end(id, number), phase == .acknowledged else { return [] }
        return [ServerFrame.bytes("next", id: id, response: response), ServerFrame.bytes("complete", id: id)]
    }

    mutating func completed(_ id: String, _ number: OperationNumber) -> [UInt8]? {
        operations.end(id, number) && phase == .acknowledged ? ServerFrame.bytes("complete", id: id) : nil
    }

    mutating func failed(_ id: String, _ number: OperationNumber, _ failure: OperationFailure) -> [UInt8]? {
        operations.end(id, number) && phase == .acknowledged ? error(failure, id) : nil
    }

    private func error(_ failure: OperationFailure, _ id: String) -> [UInt8] {
        ServerFrame.bytes("error", id: id, payload: failure.list)
    }
}

/// The close codes that the protocol has beside the standard's.
extension WebSocketClose {
    static func notUnderstood(_ reason: String) -> WebSocketClose {
        WebSocketClose(WebSocketCloseCode(rawValue: 4400), reason)
    }

    static let unauthorized = WebSocketClose(WebSocketCloseCode(rawValue: 4401), "Unauthorized")
    static let forbidden = WebSocketClose(WebSocketCloseCode(rawValue: 4403), "Forbidden")
    static let initialisationTimeout = WebSocketClose(
        WebSocketCloseCode(rawValue: 4408), "Connection initialisation timeout")
    static let tooManyInitialisations = WebSocketClose(
        WebSocketCloseCode(rawValue: 4429), "Too many initialisation requests")

    static func subscriberExists(_ id: String) -> WebSocketClose {
        WebSocketClose(WebSocketCloseCode(rawValue: 4409), "Subscriber for \(id) already exists")
    }
}
