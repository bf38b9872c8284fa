import JSON
import Network

/// AppSync's real-time protocol, as the server plays it: text in, actions out.
///
///     opened ──── connection_init ────▶ initialising ──── identified ────▶ acknowledged
///       │                                                                     start ▶ start_ack ▶ data … complete
///       └── start: as if initialised ─────────────────────────────────────▶
///
///     refused, or no protocol: connection_error, a moment, close
///
/// The handshake's credentials are checked while the client sends its first messages: what it starts meanwhile waits.
struct AppSyncMachine: OperationMachine, ~Copyable {
    private enum Identity {
        /// The handshake told nothing of the caller; perhaps the client's first message does.
        case unasked
        case pending, accepted, ended
        case refused(RealtimeRefusal)
    }

    private let limits: RealtimeLimits
    private var identity: Identity
    private(set) var isInitAwaitingIdentity = false
    private var hasBegun = false
    private var isOver = false
    private var operations = OperationNumbers()
    private var waiting: [OperationStart] = []

    /// `isIdentityAsked` says that the handshake tells who is calling, so that the gate is asked already.
    init(limits: RealtimeLimits, isIdentityAsked: Bool) {
        self.limits = limits
        identity = isIdentityAsked ? .pending : .unasked
    }

    /// Whether the client has said anything that counts as a beginning.
    var isBegun: Bool { hasBegun }

    // MARK: The handshake

    enum IdentifiedAction: Equatable {
        /// Acknowledge if asked to, then start what has waited.
        case proceed(acknowledge: [UInt8]?, [OperationStart])
        /// Send the error and end.
        case fail([UInt8])
        /// Say so when the client asks, or after a while.
        case waitToFail
        case nothing
    }

    /// The gate has answered who is calling.
    mutating func identified(_ refusal: RealtimeRefusal?) -> IdentifiedAction {
        guard !isOver, case .pending = identity else { return .nothing }
        if let refusal {
            identity = .refused(refusal)
            return hasBegun ? .fail(fail(refusal)) : .waitToFail
        }
        identity = .accepted
        defer {
            waiting = []
            isInitAwaitingIdentity = false
        }
        return .proceed(acknowledge: isInitAwaitingIdentity ? acknowledgement : nil, waiting)
    }

    /// The client offered no protocol that is spoken here.
    mutating func hasNoProtocol() -> [UInt8] {
        isOver = true
        return ServerFrame.bytes(
            "connection_error", payload: ["errors": [["message": "NoProtocolError", "errorCode": 400]]])
    }

    enum TimeAction: Equatable {
        case fail([UInt8])
        case close(WebSocketClose)
        case nothing
    }

    /// A client that showed nothing has had its time to begin: the gate is asked about nobody.
    mutating func mustIdentify() -> Bool {
        guard !isOver, case .unasked = identity else { return false }
        identity = .pending
        return true
    }

    /// A client that was refused, or has not begun, has had its time.
    mutating func initTimeIsUp() -> TimeAction {
        guard !isOver else { return .nothing }
        if case .refused(let refusal) = identity { return .fail(fail(refusal)) }
        guard !hasBegun else { return .nothing }
        isOver = true
        return .close(WebSocketClose(.protocolError, "no connection_init"))
    }

    /// The handshake's proof ends, while what runs rests on others.
    mutating func handshakeEnds() {
        if case .accepted = identity { identity = .ended }
    }

    private mutating func fail(_ refusal: RealtimeRefusal) -> [UInt8] {
        isOver = true
        waiting = []
        let error: JSONValue = [
            "errorType": .string(refusal.errorType), "message": .string(refusal.message),
            "errorCode": .integer(Int64(refusal.errorCode)),
        ]
        return ServerFrame.bytes("connection_error", payload: ["errors": [error]])
    }

    private var acknowledgement: [UInt8] {
        ServerFrame.bytes(
            "connection_ack",
            payload: ["connectionTimeoutMs": .integer(Int64(limits.connectionTimeoutMilliseconds))])
    }

    // MARK: Messages

    enum MessageAction: Equatable {
        case send([UInt8])
        /// Ask the gate who is calling, by the handshake and these fields.
        case identify([CredentialField])
        /// Acknowledge; signs of life follow at once.
        case acknowledge([UInt8])
        case fail([UInt8])
        case start(OperationStart)
        /// End the operation, and send.
        case stop(OperationNumber, [UInt8])
        case close(WebSocketClose)
        /// The client speaks the older protocol of the same name, and has done so from the beginning.
        case handOver
        case nothing
    }

    mutating func received(_ text: [UInt8]) -> MessageAction {
        guard !isOver else { return .nothing }
        guard let frame = ClientFrame(text) else { return .send(Self.unknown) }
        switch frame.type {
        case "connection_init":
            return initialise(frame)
        case "start":
            return start(frame)
        case "stop":
            guard let id = frame.id, id.utf8.count <= limits.operationIDBytes else { return .send(Self.unknown) }
            let complete = ServerFrame.bytes("complete", id: id)
            // Also for an id that nobody knows: clients wait for it.
            guard let number = operations.end(id) else { return .send(complete) }
            waiting.removeAll { $0.number == number }
            return .stop(number, complete)
        case "connection_terminate":
            isOver = true
            return .close(WebSocketClose(.normal, "terminated by the client"))
        default:
            return .send(Self.unknown)
        }
    }

    private mutating func initialise(_ frame: ClientFrame) -> MessageAction {
        hasBegun = true
        switch identity {
        case .unasked:
            isInitAwaitingIdentity = true
            identity = .pending
            return .identify(frame.payload.initFields.map(CredentialField.init))
        case .pending:
            isInitAwaitingIdentity = true
            return .nothing
        case .accepted, .ended: return .acknowledge(acknowledgement)
        case .refused(let refusal): return .fail(fail(refusal))
        }
    }

    private mutating func start(_ frame: ClientFrame) -> MessageAction {
        hasBegun = true
        if case .refused(let refusal) = identity { return .fail(fail(refusal)) }
        if frame.payload["data"] == nil, frame.payload["query"] != nil, operations.areUnused { return .handOver }
        guard let id = frame.id, id.utf8.count <= limits.operationIDBytes else { return .send(Self.unknown) }
        let content = Self.request(frame.payload["data"])
        let running = content.flatMap { operations.number(of: id, text: $0.1) }
        guard operations[id] == running else { return .send(error(.duplicate(id), id)) }
        guard running == nil || waiting.count < limits.subscriptionsPerConnection else {
            return .send(error(.duplicate(id), id))
        }
        guard running != nil || operations.count < limits.subscriptionsPerConnection else {
            return .send(error(.tooMany(limits.subscriptionsPerConnection), id))
        }
        guard let (request, body) = content else { return .send(error(.unsupported("unknown"), id)) }
        let authorization = frame.payload["extensions"]?["authorization"]
        let credentials = authorization?.object.map { _ in
            RealtimeCredentials(fields: authorization?.headerFields ?? [], purpose: .operation(body))
        }
        if credentials == nil, case .ended = identity {
            isOver = true
            return .close(.proofEnds)
        }
        var start = OperationStart(
            number: running ?? operations.begin(id, text: body), id: id, request: request, credentials: credentials)
        start.isRepeated = running != nil
        switch identity {
        case .unasked:
            identity = .pending
            waiting.append(start)
            return .identify([])
        case .pending:
            waiting.append(start)
            return .nothing
        case .accepted, .ended, .refused:
            return .start(start)
        }
    }

    /// What stands in `payload.data`, a text that holds JSON, or that JSON itself; and the text that a signature covers.
    private static func request(_ data: JSONValue?) -> (OperationRequest, String)? {
        switch data {
        case .string(let text)?:
            do throws(JSONError) {
                return OperationRequest(try JSONReader.value(of: text)).map { ($0, text) }
            } catch {
                return nil
            }
        case .object?:
            return data.flatMap { data in OperationRequest(data).map { ($0, JSONWriter.text(of: data)) } }
        default:
            return nil
        }
    }

    private static let unknown = ServerFrame.bytes(
        "error", payload: OperationFailure.unsupported("unknown").payload)

    private func error(_ failure: OperationFailure, _ id: String) -> [UInt8] {
        ServerFrame.bytes("error", id: id, payload: failure.payload)
    }

    // MARK: Operations

    func started(_ id: String, _ number: OperationNumber) -> [UInt8]? {
        guard operations[id] == number, !isOver else { return nil }
        return ServerFrame.bytes("start_ack", id: id)
    }

    /// AppSync refuses it. Newer clients of Amplify ask once more after they have connected again, and give up everything when
    /// that fails.
    func repeated(_ id: String, _ number: OperationNumber, isSameCaller: Bool) -> [UInt8]? {
        guard operations[id] == number, !isOver else { return nil }
        return isSameCaller ? ServerFrame.bytes("start_ack", id: id) : error(.duplicate(id), id)
    }

    mutating func completed(_ id: String, _ number: OperationNumber) -> [UInt8]? {
        operations.end(id, number) && !isOver ? ServerFrame.bytes("complete", id: id) : nil
    }

    mutating func failed(_ id: String, _ number: OperationNumber, _ failure: OperationFailure) -> [UInt8]? {
        operations.end(id, number) && !isOver ? error(failure, id) : nil
    }
}

extension WebSocketClose {
    /// Clients come back after this code, and ask for a new token then. An error would end their subscriptions for good.
    static let proofEnds = WebSocketClose(.policyViolation, "the token or key ends: connect again with a new one")
}
