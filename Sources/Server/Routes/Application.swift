import Access
import Engine
import Files
import Items
import JSON
import Network
import Outbox
import Realtime
import Synchronization
import UserPool

/// What the server serves: finds the route of a request and answers it, on the request's loop.
///
///     OPTIONS ─▶ host check ─▶ route ─▶ method ─▶ the route's handler
final class Application: HTTPApplication {
    private let bodyBytesMax: Int
    private let bounds: SharedBounds
    private let hosts: HostCheck
    private let crossOrigin: CrossOrigin
    private let metrics: Metrics
    private let log: Log
    private let loops: EventLoopGroup
    private let graphQL: GraphQLRoute
    private let subscriptions: SubscriptionRoute
    /// Nil where the pool is somebody else's.
    private let signIn: SignInRoute?
    private let issuer: IssuerRoute?
    private let securityTokens: SecurityTokenRoute?
    private let services: ServiceAnswer
    private let forwarding: Forwarding
    private let hosted: HostedRoute?
    private let files: FileService
    private let introspection: IntrospectionFile?
    private let invocations: InvocationRoute
    private let outbox: OutboxRoute
    private let gateway: GatewayRoute
    private let parameters: ParameterRoute
    private let items: ItemRoute
    private let shards: [LoopShard]
    private let explainer: DenialExplainer?
    private let given: GivenCredentials
    private let served: Mutex<Served>
    private let tlsWarning: RareWarning

    /// The API that is served, for whoever is on no loop of its own.
    private struct Served {
        var engine: Engine
        /// Who sees from a head alone that its caller will be refused.
        var authenticator: Authenticator?
    }

    /// What one loop has for itself: its counters, its part of the access log, what the engine keeps.
    private final class LoopShard: LoopBound, @unchecked Sendable {
        let metrics: LoopMetrics
        let callers: CallerShard
        let pool: PoolShard
        let files = FileShard()
        let items = ItemShard()
        var loop: EventLoop { callers.loop }
        var accessLog: AccessLog

        init(_ metrics: LoopMetrics, _ accessLog: AccessLog, _ callers: CallerShard) {
            self.metrics = metrics
            self.accessLog = accessLog
            self.callers = callers
            pool = PoolShard(outside: callers.outside)
        }

        /// Counts and logs an operation that HTTP has not carried alone.
        func note(_ carried: CarriedOperation) {
            checkLoop()
            let operation = OperationSummary(carried.note)
            metrics.operations.ended(operation, nanoseconds: carried.nanoseconds)
            guard accessLog.isWanted else { return }
            let entry = AccessLog.Entry(carried, operation)
            accessLog.record(entry) { carried.identifier.append(to: &$0) }
        }
    }

    /// - Parameter isRenewable: whether another API may come to be served (`serve`).
    init(
        _ configuration: Configuration, engine: Engine, isRenewable: Bool, boundTo addresses: [SocketAddress],
        on loops: EventLoopGroup,
        log: Log, authenticators: [Authenticator], bounds: SharedBounds, pool: UserPool?, files: FileService,
        items: ItemService, functions: RunningFunctions?, outbox: Outbox, parameters: ParameterRoute,
        tests: TestControl? = nil
    ) {
        self.bounds = bounds
        self.files = files
        invocations = InvocationRoute(configuration, functions)
        self.outbox = OutboxRoute(outbox, configuration, functions)
        self.parameters = parameters
        items.serve(BuiltInItems.models(of: engine))
        self.items = ItemRoute(items, administrators: configuration.administrators, functions: functions?.roles)
        introspection = functions?.introspection

        let explainer = DenialExplainer(configuration.auth, log)
        self.explainer = explainer
        graphQL = GraphQLRoute(explainer: explainer)
        served = Mutex(Served(engine: engine, authenticator: authenticators.first))
        bodyBytesMax = configuration.http.bodyBytes
        hosts = HostCheck(allowedHosts: configuration.allowedHosts, boundTo: addresses)
        crossOrigin = CrossOrigin(allowsPrivateNetworkAccess: configuration.allowsPrivateNetworkAccess)
        let forwarding = Forwarding(configuration.proxies)
        let services = ServiceAnswer(crossOrigin)
        (self.forwarding, self.services) = (forwarding, services)
        signIn = pool.map {
            SignInRoute(
                $0, services, forwarding, administrators: configuration.administrators, functions: functions?.roles)
        }
        issuer = pool.map { [crossOrigin] in IssuerRoute($0, crossOrigin, forwarding) }
        securityTokens = pool.map { [crossOrigin] in SecurityTokenRoute($0, crossOrigin) }
        hosted = pool.map { [crossOrigin] in HostedRoute($0, crossOrigin, forwarding) }
        // Nothing is served yet: the authenticators are still this thread's.
        given = GivenCredentials(pool, functions)
        gateway = GatewayRoute(configuration, given, forwarding)
        for authenticator in authenticators { authenticator.accept(given) }
        self.loops = loops
        self.log = log
        tlsWarning = RareWarning(
            "a client asked for TLS, and there is no certificate: run homeport certificate "
                + "(amplify-js subscribes over wss:// always; docs/clients.md says how it does without)", log)
        let operations = engine.rootFields.entries
        let metrics = Metrics(
            routes: Route.allCases.map(\.path), operations: operations, hasRoom: isRenewable,
            loops: loops.loops.count)
        self.metrics = metrics
        let shards = zip(zip(metrics.loops, loops.loops), authenticators).map { pair, authenticator in
            LoopShard(
                pair.0, AccessLog(log, configuration.log, operations: operations),
                CallerShard(engine, authenticator, on: pair.1, functions: functions?.functions, trace: log.trace))
        }
        self.shards = shards
        subscriptions = SubscriptionRoute(
            engine, configuration, isRenewable: isRenewable, on: loops, log,
            carried: { carried, loop in
                shards[loop.index].note(carried)
                tests?.requests.carried(carried)
            }, faults: tests?.faults,
            gate: { Self.gate(shards[$0.index].callers, explainer) })
        let realtime = subscriptions.realtime
        engine.tellOfMutations(
            MutationListener(hasListeners: { realtime.hasSubscribers }, publish: { realtime.publish($0) }))
    }

    private static func gate(_ callers: CallerShard, _ explainer: DenialExplainer?) -> AccessGate {
        AccessGate(
            callers.api, callers.api.blueprint, on: callers.engine, explain: { explainer?.explanation(for: $0) },
            recognise: { credentials in
                let caller = await callers.recognised(credentials)
                if case .failure(let refusal) = caller { explainer?.tell(refusal) }
                return caller
            })
    }

    /// The API that is served.
    var engine: Engine { served.withLock { $0.engine } }

    /// Goes on with another API in the place of the one that is served, loop by loop. What is under way ends as it has begun;
    /// connections stay, and those of their subscriptions that it has too.
    func serve(_ engine: Engine, _ authenticators: [Authenticator]) async {
        let operations = engine.rootFields.entries
        served.withLock { $0 = Served(engine: engine, authenticator: authenticators.first) }
        metrics.count(operations)
        for (shard, authenticator) in zip(shards, authenticators) {
            authenticator.accept(given)
            await shard.loop.run {
                shard.callers.serve(engine, authenticator)
                shard.metrics.operations.clear()
                shard.accessLog.operations = operations
            }
        }
        items.service.serve(BuiltInItems.models(of: engine))
        await subscriptions.realtime.serve(engine.schema) { [shards, explainer] loop in
            Self.gate(shards[loop.index].callers, explainer)
        }
    }

    /// Closes what the loops have open. Called when nothing is served any more.
    func close() {
        for (loop, shard) in zip(loops.loops, shards) {
            loop.wait {
                shard.callers.close()
                shard.pool.close()
                shard.files.close()
                shard.items.close()
            }
        }
        files.close()
        items.service.close()
    }

    // MARK: Requests

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        // Pages ask before every call, and show nothing but "NetworkError" where they are refused. It gives nothing away.
        if head.method == .options, !gateway.isMeant(head) { return .answer(preflight(head, mark: &mark)) }
        if !HostCheck.isPlain(head) {
            // Keys may be called like any path of ours.
            if files.isBucketHost(head) { return receiveFile(head, from: peer, mark: &mark) }
            guard hosts.accepts(head) || files.isHost(head) else {
                return .answer(foreignHost(head, head.authority ?? "", mark: &mark))
            }
        }
        let place = Route.of(head)
        if subscriptions.isUpgrade(head, to: place) {
            return subscriptions.upgrade(head, from: peer, crossOrigin)
        }
        if place != .graphql, ItemRoute.isMeant(head) {
            mark = Route.items.rawValue
            return items.reception(head) { [shards] in shards[$0.index].items }
        }
        if place != .graphql, ParameterRoute.isTarget(head) {
            mark = Route.parameters.rawValue
            return parameters.reception(head)
        }
        // A client of the pool may be set up with any path, also with one of ours.
        guard let route = place, route == .graphql || !SignInRoute.isTarget(head) else {
            if gateway.isMeant(head) {
                mark = Route.gateway.rawValue
                return gateway.reception(head) { [shards] in shards[$0.index].callers.outside }
            }
            if OutboxRoute.isMeant(head) {
                mark = Route.outbox.rawValue
                return outbox.reception(head)
            }
            if let reception = receiveSignIn(head, from: peer, mark: &mark) { return reception }
            if let name = InvocationRoute.function(of: head) {
                mark = Route.functions.rawValue
                return invocations.reception(head, name) { [shards] in shards[$0.index].callers.outside }
            }
            if let introspection, introspection.isMeant(head) {
                mark = Route.files.rawValue
                return introspection.reception(head)
            }
            if files.isMeant(head) { return receiveFile(head, from: peer, mark: &mark) }
            return .answer(ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head)))
        }
        mark = route.rawValue
        guard route.allows(head.method) else {
            var fields = crossOrigin.fields(for: head, at: route)
            fields.append("allow", (route.methods + [.options]).map(\.rawValue).joined(separator: ", "))
            return .answer(ErrorAnswer.methodNotAllowed(head.methodText, route).response(fields))
        }
        switch route {
        case .realtime:
            return subscriptions.upgrade(head, from: peer, crossOrigin)
        case .graphql:
            if let refusal = refusal(ofLong: head, from: peer) { return refusal }
            let accepted = AcceptedTypes(head.fields)
            if accepted.areStreamsPreferred, head.method != .head {
                return subscriptions.stream(bodyMax: bodyBytesMax, crossOrigin) { [self] in shards[$0.index].callers
                }
            }
            return .compute(bodyMax: bodyBytesMax) { [self] request in
                graphQL.answer(request, accepted, crossOrigin, on: shards[request.loop.index].callers, subscriptions)
            }
        case .health:
            return .answer(answer(to: head, at: route, "application/json", Self.healthy))
        case .ping:
            return .answer(answer(to: head, at: route, "text/plain", Self.ping))
        case .metrics:
            return .collect(bodyMax: 0) { [self] in await answerMetrics($0.head) }
        case .signIn, .issuer, .securityTokens, .hosted, .oauth, .files, .functions, .outbox, .gateway, .parameters,
            .items, .testControl:
            return .answer(ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head)))
        }
    }

    private func preflight(_ head: HTTPRequestHead, mark: inout Int?) -> HTTPResponse {
        if isForFiles(head) {
            mark = Route.files.rawValue
            return files.preflight(head)
        }
        let route = Route.of(head) ?? HostedRoute.place(of: head).map(HostedRoute.route) ?? .signIn
        mark = route.rawValue
        return crossOrigin.preflight(head, at: route)
    }

    /// Whether a request is the store's, whoever sends it.
    private func isForFiles(_ head: HTTPRequestHead) -> Bool {
        files.isBucketHost(head) || (Route.of(head) == nil && files.isMeant(head))
    }

    private func receiveFile(
        _ head: HTTPRequestHead, from peer: SocketAddress, mark: inout Int?
    ) -> HTTPReception {
        mark = Route.files.rawValue
        return files.reception(
            head, isFromThisMachine: RequestOrigin.isThisMachine(head, from: peer),
            shard: { [shards] in shards[$0.index].files })
    }

    /// What becomes of a request that no path of the table is for: it may be for the user pool, which clients call on any path.
    private func receiveSignIn(
        _ head: HTTPRequestHead, from peer: SocketAddress, mark: inout Int?
    ) -> HTTPReception? {
        guard let route = signInRoute(of: head) else { return nil }
        mark = route.rawValue
        guard let signIn, let issuer, let securityTokens else {
            let message = "The user pool of this API is not this server's: sign in where auth.userPools.issuer says."
            return .answer(services.refusal(PoolError("ResourceNotFoundException", message), head))
        }
        // A name that a proxy tells of comes into tokens like that of the request itself.
        if let told = forwarding.authority(of: head, from: peer), !hosts.accepts(told) {
            return .answer(foreignHost(head, told, mark: &mark))
        }
        switch route {
        case .signIn:
            return .collect(bodyMax: SignInRoute.bodyBytesMax) { [self] in
                await signIn.answer($0, on: shards[$0.loop.index].pool)
            }
        case .securityTokens:
            return .collect(bodyMax: SecurityTokenRoute.bodyBytesMax) { [self] in
                await securityTokens.answer($0, on: shards[$0.loop.index].pool)
                    ?? ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head))
            }
        case .hosted, .oauth:
            guard let hosted, let path = HostedRoute.place(of: head) else { return nil }
            return .collect(bodyMax: HostedRoute.bodyBytesMax) { [self] in
                await hosted.answer($0, at: path, on: shards[$0.loop.index].pool)
            }
        default:
            guard let document = issuer.document(of: head) else { return nil }
            return .collect(bodyMax: 0) { await issuer.answer(document, to: $0) }
        }
    }

    /// Which of the pool's doors a request is for, if it is for one.
    private func signInRoute(of head: HTTPRequestHead) -> Route? {
        if SignInRoute.isTarget(head) { return .signIn }
        if let path = HostedRoute.place(of: head) { return HostedRoute.route(of: path) }
        if let securityTokens, securityTokens.mayAnswer(head) { return .securityTokens }
        guard let issuer, head.method == .get || head.method == .head, issuer.document(of: head) != nil else {
            return nil
        }
        return .issuer
    }

    /// The refusal of a name that is none of the server's. Where it would come into an issuer, the request was misdirected.
    private func foreignHost(_ head: HTTPRequestHead, _ authority: String, mark: inout Int?) -> HTTPResponse {
        guard let route = signInRoute(of: head) else {
            return ErrorAnswer.foreignHost(authority).response(crossOrigin.fields(for: head))
        }
        mark = route.rawValue
        let error = ErrorAnswer.misdirected(authority)
        return route == .signIn
            ? services.refusal(error, head)
            : error.response(crossOrigin.fields(for: head), isOfAnyService: true)
    }

    /// The longest body that is collected before anybody has looked at who sends it.
    private static let unknownBodyBytesMax = 64 * 1024

    /// The refusal of a request whose body is not worth waiting for: it is long, or of a length that nobody knows, and its
    /// head shows that it will be refused.
    private func refusal(ofLong head: HTTPRequestHead, from peer: SocketAddress) -> HTTPReception? {
        switch head.framing {
        case .none, .length(...Self.unknownBodyBytesMax): return nil
        default: break
        }
        let authenticator = served.withLock { $0.authenticator }
        guard let refusal = authenticator?.refusal(ofHead: HeadFields(head, from: peer)) else { return nil }
        return .answer(ErrorAnswer(refusal).response(crossOrigin.fields(for: head)))
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        if error == .speaksTLS { tlsWarning.warn() }
        let answer = ErrorAnswer.notAcceptable(error)
        guard let head else { return answer.response(crossOrigin.fields(for: nil), isOfAnyService: true) }
        if files.isBucketHost(head) { return files.refusal(error.status, error.description, head) }
        if ItemRoute.isMeant(head) { return ItemRoute.refusal(of: error) }
        if SignInRoute.isTarget(head) { return services.refusal(answer, head) }
        if ParameterRoute.isTarget(head) { return ParameterRoute.refusal(of: error) }
        if InvocationRoute.function(of: head) != nil { return InvocationRoute.refusal(of: error) }
        if isForFiles(head) { return files.refusal(error.status, error.description, head) }
        return answer.response(crossOrigin.fields(for: head), isOfAnyService: false)
    }

    private static let healthy = Array(#"{"status":"healthy","version":"\#(Version.number)"}"#.utf8)
    private static let ping = Array("healthy".utf8)

    private func answer(
        to head: HTTPRequestHead, at route: Route, _ type: String, _ body: [UInt8]
    ) -> HTTPResponse {
        var fields = crossOrigin.fields(for: head, at: route)
        fields.append("content-type", type)
        fields.append("cache-control", "no-store")
        return HTTPResponse(fields: fields, body: .bytes(body))
    }

    private func answerMetrics(_ head: HTTPRequestHead) async -> HTTPResponse {
        for loop in loops.loops {
            let statistics = await loop.run { loop.takeStatistics() }
            metrics.loops[loop.index].lagged(nanoseconds: statistics.longestTurnNanoseconds)
        }
        let text = metrics.text(
            droppedLogLines: log.droppedLines, held: bounds.held, subscriptions: subscriptions.realtime.total)
        return answer(to: head, at: .metrics, Metrics.contentType, Array(text.utf8))
    }

    // MARK: Tests

    /// What lets pages of other origins read an answer.
    func fieldsForPages(_ head: HTTPRequestHead) -> HTTPFieldLines { crossOrigin.fields(for: head) }

    /// The refusal of what is too much for the service that a request is for.
    func throttled(_ head: HTTPRequestHead) -> HTTPResponse {
        let message = "Rate exceeded"
        if files.isBucketHost(head) || isForFiles(head) {
            return files.refusal(.serviceUnavailable, "Please reduce your request rate.", head)
        }
        if SignInRoute.isTarget(head) { return services.refusal(PoolError("TooManyRequestsException", message), head) }
        return ErrorAnswer(status: HTTPStatus(code: 429), type: "ThrottlingException", message: message)
            .response(crossOrigin.fields(for: head), isOfAnyService: true)
    }

    /// Called when the server begins to stop.
    func stop() { subscriptions.realtime.stop() }

    // MARK: What is counted

    func finished(_ exchange: HTTPExchange) {
        let shard = shards[exchange.loop]
        let nanoseconds = exchange.ended.nanoseconds(since: exchange.began)
        shard.metrics.received(bytes: (exchange.head?.fields.byteCount ?? 0) + exchange.bodyBytesReceived)
        shard.metrics.sent(bytes: exchange.bytesSent)
        // Nothing came of it: a connection that ended between requests, or that its client gave up.
        guard let status = exchange.status?.code else { return }
        shard.metrics.requestEnded(
            route: exchange.mark ?? Route.allCases.count, status: status, nanoseconds: nanoseconds)
        let operation = OperationSummary(word: exchange.note)
        if let operation { shard.metrics.operations.ended(operation, nanoseconds: nanoseconds) }
        guard shard.accessLog.isWanted else { return }
        var entry = AccessLog.Entry(
            method: exchange.head?.methodText ?? "-", target: exchange.head?.encodedPath ?? "-", status: status,
            bytes: exchange.bytesSent, nanoseconds: nanoseconds)
        entry.operation = operation
        entry.reason = exchange.reason
        shard.accessLog.record(entry) { exchange.identifier.append(to: &$0) }
    }

    func connectionOpened(on loop: Int) { shards[loop].metrics.connectionOpened() }
    func connectionUpgraded(on loop: Int) { shards[loop].metrics.webSocketOpened() }

    func connectionClosed(on loop: Int, wasUpgraded: Bool) {
        shards[loop].metrics.connectionClosed()
        if wasUpgraded { shards[loop].metrics.webSocketClosed() }
    }
}
