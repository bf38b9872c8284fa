import Access
import Channels
import Engine
import JSON
import Network
import Realtime

/// Subscriptions: requests become WebSockets, or their answers event streams.
struct SubscriptionRoute: Sendable {
    let realtime: Realtime

    private static let testedClockCheckMilliseconds = 100

    init(
        _ engine: Engine, _ configuration: Configuration, isRenewable: Bool, on loops: EventLoopGroup, _ log: Log,
        carried: @escaping @Sendable (CarriedOperation, EventLoop) -> Void, faults: FaultRules?,
        channels: ((EventLoop) -> any ChannelGate)? = nil, gate: (EventLoop) -> AccessGate
    ) {
        var bounds = configuration.realtime
        // Tests move the clock, and wait for what comes of it.
        if faults != nil { bounds.clockCheckMilliseconds = Self.testedClockCheckMilliseconds }
        bounds.outboundBytes = configuration.webSocket.outboundBytesMax
        bounds.eventBytes = min(bounds.eventBytes, configuration.engine.limits.responseBytesMax)
        let tooLarge = RareWarning(
            "an event of a subscription was not delivered: it has more than \(bounds.eventBytes) bytes as its subscribers would get it, "
                + "and AppSync delivers no more than 240 KiB; select fewer fields", log)
        let frameFaults: (@Sendable (String) -> FrameFault?)? =
            if let faults { { faults.fault(frame: $0) } } else { nil }
        realtime = Realtime(
            schema: engine.schema, loops: loops.loops, settings: configuration.webSocket, limits: bounds,
            workers: engine.workersAside, isRenewable: isRenewable,
            report: { Self.report($0, to: log, tooLarge) }, carried: carried, trace: Self.trace(to: log),
            faults: frameFaults, channels: channels, gate: gate)
    }

    // MARK: WebSockets

    /// Whether a request wants to become a WebSocket where that is possible. Clients ask on all three paths.
    func isUpgrade(_ head: HTTPRequestHead, to route: Route?) -> Bool {
        guard route == .graphql || route == .realtime || head.path == "/" else { return false }
        return WebSocketHandshake.isRequested(by: head)
    }

    /// - Parameter isForChannels: whether it came to the endpoint of Events.
    func upgrade(
        _ head: HTTPRequestHead, from peer: SocketAddress, _ crossOrigin: CrossOrigin, isForChannels: Bool = false
    ) -> HTTPReception {
        do throws(WebSocketHandshake.Refusal) {
            let isFromThisMachine = RequestOrigin.isThisMachine(head, from: peer)
            guard !isForChannels else {
                return .upgrade(try realtime.upgradeToChannels(head, isFromThisMachine: isFromThisMachine))
            }
            return .upgrade(try realtime.upgrade(head, isFromThisMachine: isFromThisMachine))
        } catch {
            var response = ErrorAnswer.notAcceptable(error.error).response(crossOrigin.fields(for: head))
            response.fields.append(error.fields)
            return .answer(response)
        }
    }

    // MARK: Event streams

    /// Answers whatever is asked with an event stream. Who is calling is found out before the answer begins: a refusal has a
    /// status then.
    func stream(
        bodyMax: Int, _ crossOrigin: CrossOrigin, shard: @escaping @Sendable (EventLoop) -> CallerShard
    ) -> HTTPReception {
        .collect(bodyMax: bodyMax) { [self] request in
            let fields = crossOrigin.fields(for: request.head)
            guard case .bytes(let sent) = request.body else { return HTTPResponse(status: .internalServerError) }
            let caller: Identity
            switch await shard(request.loop).recognised(request.credentials(body: sent)) {
            case .success(let identity): caller = identity
            case .failure(let refusal): return ErrorAnswer(refusal).response(fields)
            }
            let body = request.head.method == .get ? GraphQLQuery.body(of: request.head.query) : sent
            return answer(body, from: caller, request, fields)
        }
    }

    /// An answer that is an event stream, to somebody who was recognised.
    func answer(
        _ body: [UInt8], from caller: Identity, _ request: HTTPRequest, _ fields: HTTPFieldLines
    ) -> HTTPResponse {
        guard let operation = OperationRequest(parsing: body) else {
            guard PersistedQuery.isHashAlone(body) else { return ErrorAnswer(.unparsable).response(fields) }
            var response = HTTPResponse(fields: fields, body: .bytes(PersistedQuery.answer))
            response.fields.append("content-type", "application/json;charset=UTF-8")
            return response
        }
        var response = HTTPResponse(fields: fields)
        response.fields.append(Realtime.eventStreamFields)
        response.body = .stream(length: nil) {
            [realtime, loop = request.loop, identifier = request.identifier] writer in
            try await realtime.writeEventStream(operation, of: identifier, for: caller, on: loop, to: writer)
        }
        return response
    }

    // MARK: Log

    private static func report(_ occurrence: RealtimeOccurrence, to log: Log, _ tooLarge: RareWarning) {
        switch occurrence {
        case .connected(let identifier, let peer, let protocolName):
            log.info(
                "subscriber connected",
                [
                    "connection": .string(identifier.description), "peer": .string("\(peer)"),
                    "protocol": .string(protocolName),
                ])
        case .refused(let identifier, let errorType, let message):
            log.info("subscriber refused", fields(identifier, errorType, message))
        case .denied(let identifier, let errorType, let message):
            log.info("subscription denied", fields(identifier, errorType, message))
        case .closed(let identifier, let reason):
            log.info(
                "subscriber gone", ["connection": .string(identifier.description), "reason": .string(reason)])
        case .eventTooLarge: tooLarge.warn()
        }
    }

    /// Nil where nobody reads it.
    private static func trace(to log: Log) -> (@Sendable (SubscriptionChange) -> Void)? {
        guard log.level == .debug else { return nil }
        return { change in
            log.debug(
                change.hasBegun ? "subscription started" : "subscription ended",
                [
                    "mutations": .array(change.mutations.map(JSONValue.string)),
                    "onLoop": .integer(Int64(change.subscriptionsOnLoop)),
                ])
        }
    }

    private static func fields(
        _ identifier: RequestIdentifier, _ errorType: String, _ message: String
    ) -> KeyValuePairs<String, JSONValue> {
        [
            "connection": .string(identifier.description), "errorType": .string(errorType),
            "message": .string(message),
        ]
    }
}
