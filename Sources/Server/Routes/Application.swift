import Access
import Channels
import Console
import Engine
import Files
import JSON
import Network
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
    private let signIn: SignInDoors
    private let files: FileService
    /// False with several nodes.
    private let hasFiles: Bool
    private let cloud: CloudServices
    private let shards: [LoopShard]
    /// What each loop keeps of requests for the console while nobody looks; empty: nothing.
    private let recent: [RecentRequests]
    private let explainer: DenialExplainer?
    private let given: GivenCredentials
    private let console: Console?
    private let forwarding: Forwarding
    private let health: ServerHealth
    private let logsClients: Bool
    private let metricsAccess: MetricsAccess
    private let served: Mutex<Served>
    /// Asked at every request, so for no lock.
    private let hasAPI: Atomic<Bool>
    private let tlsWarning: RareWarning
    private let plainWarning: RareWarning
    private let unserved: UnservedServices
    /// Nil: there is no API of channels.
    private let channels: ChannelRoute?

    /// The API that is served, for whoever is on no loop of its own.
    private struct Served {
        var engine: Engine
        /// How many came before it.
        var generation = 0
        /// Who sees from a head alone that its caller will be refused.
        var authenticator: Authenticator?
    }

    /// - Parameter isRenewable: whether another API may come to be served (`serve`).
    init(
        _ configuration: Configuration, engine: Engine, isRenewable: Bool, boundTo addresses: [SocketAddress],
        on loops: EventLoopGroup,
        log: Log, authenticators: [Authenticator], bounds: SharedBounds, pool: UserPool?, files: FileService,
        cloud: CloudServices, functions: RunningFunctions?, given: GivenCredentials, tests: TestControl? = nil,
        console: Console? = nil, channels: ChannelService? = nil, health: ServerHealth
    ) {
        self.console = console
        let forwarding = Forwarding(configuration.proxies)
        self.forwarding = forwarding
        self.channels = channels.map { ChannelRoute(service: $0, forwarding: forwarding) }
        self.health = health
        let logsClients =
            configuration.log.requests && (configuration.log.clients ?? !configuration.isForThisMachineOnly)
        self.logsClients = logsClients
        metricsAccess = MetricsAccess(configuration.metrics, forwarding)
        self.bounds = bounds
        self.files = files
        hasFiles = !configuration.hasNodes || configuration.files.sharedFolder != nil
        self.cloud = cloud
        cloud.serve(engine)

        let explainer = DenialExplainer(configuration.auth, log)
        self.explainer = explainer
        graphQL = GraphQLRoute(
            explainer: explainer, forwarding: Forwarding(configuration.proxies), live: console?.live)
        served = Mutex(Served(engine: engine, authenticator: authenticators.first))
        hasAPI = Atomic(engine.blueprint.hasAPI)
        bodyBytesMax = configuration.http.bodyBytes
        hosts = HostCheck(allowedHosts: configuration.allowedHosts, boundTo: addresses)
        crossOrigin = CrossOrigin(allowsPrivateNetworkAccess: configuration.allowsPrivateNetworkAccess)
        signIn = SignInDoors(pool, configuration, hosts, crossOrigin, functions: functions?.roles, given: given)
        // Nothing is served yet: the authenticators are still this thread's.
        self.given = given
        unserved = UnservedServices(cloud, configuration.administrators, given, crossOrigin, log)
        for authenticator in authenticators { authenticator.accept(given) }
        self.loops = loops
        self.log = log
        tlsWarning = RareWarning(
            "a client asked for TLS, and there is no certificate: run homeport certificate "
                + "(amplify-js subscribes over wss:// always; docs/clients.md says how it does without)", log)
        plainWarning = RareWarning(
            "a client on another machine sent plain HTTP, and was refused: where there is a certificate, call https",
            log)
        let operations = engine.rootFields.entries
        let metrics = Metrics(
            routes: Route.allCases.map(\.path), operations: operations, hasRoom: isRenewable,
            loops: loops.loops.count)
        self.metrics = metrics
        let shards = zip(zip(metrics.loops, loops.loops), authenticators).map { pair, authenticator in
            LoopShard(
                pair.0, AccessLog(log, configuration.log, operations: operations),
                CallerShard(
                    engine, authenticator, on: pair.1, functions: functions?.functions, trace: log.trace,
                    notesSubjects: logsClients))
        }
        self.shards = shards
        let recent = console?.recentRequests(loops: shards.count) ?? []
        self.recent = recent
        @Sendable func look(_ outline: RequestOutline, _ loop: Int) {
            if let console, console.live.isWanted {
                console.ended(outline)
            } else if !recent.isEmpty {
                recent[loop].add(outline)
            }
        }
        subscriptions = SubscriptionRoute(
            engine, configuration, isRenewable: isRenewable, on: loops, log,
            carried: { carried, loop in
                shards[loop.index].note(carried)
                tests?.requests.carried(carried)
                if let console, console.live.isWanted {
                    console.carried(carried)
                } else if !recent.isEmpty {
                    recent[loop.index].add(RequestOutline(carried, among: shards[loop.index].accessLog.operations))
                }
            }, faults: tests?.faults,
            channels: channels.map { service in
                { loop in
                    ChannelDesk(service: service, shard: shards[loop.index].callers) { [index = loop.index] in
                        look($0, index)
                    }
                }
            },
            gate: { Self.gate(shards[$0.index].callers, explainer) })
        let realtime = subscriptions.realtime
        channels?.begin(realtime, given)
        engine.tellOfMutations(
            MutationListener(
                // Those who look see the events of other nodes too.
                hasListeners: { [hasNodes = configuration.hasNodes] in
                    realtime.hasSubscribers || hasNodes && realtime.onlookers.areThere
                }, publish: { realtime.publish($0) },
                invalidate: { realtime.invalidate($0, $1) },
                publishToChannel: { channel, texts in
                    if let name = ChannelName(channel) { realtime.pass(ChannelDelivery(name, texts)) }
                }, lose: { realtime.interrupt() }))
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

    /// What a loop has for itself.
    func shard(on loop: EventLoop) -> LoopShard { shards[loop.index] }

    var realtime: Realtime { subscriptions.realtime }

    /// What is counted, for the console's charts.
    var consoleSample: ServerSample { metrics.sample(subscriptions.realtime.total) }

    /// Which of the APIs it is that have been served since the start.
    var generation: Int { served.withLock { $0.generation } }

    /// The API that is served.
    var engine: Engine { served.withLock { $0.engine } }

    /// Goes on with another API in the place of the one that is served, loop by loop. What is under way ends as it has begun;
    /// connections stay, and those of their subscriptions that it has too.
    func serve(_ engine: Engine, _ authenticators: [Authenticator]) async {
        let operations = engine.rootFields.entries
        served.withLock { served in
            served = Served(
                engine: engine, generation: served.generation + 1, authenticator: authenticators.first)
        }
        hasAPI.store(engine.blueprint.hasAPI, ordering: .relaxed)
        metrics.count(operations)
        for (shard, authenticator) in zip(shards, authenticators) {
            authenticator.accept(given)
            await shard.loop.run {
                shard.callers.serve(engine, authenticator)
                shard.metrics.operations.clear()
                shard.accessLog.operations = operations
            }
        }
        cloud.serve(engine)
        await subscriptions.realtime.serve(engine.schema) { [shards, explainer] loop in
            Self.gate(shards[loop.index].callers, explainer)
        }
    }

    /// Closes what the loops have open. Called when nothing is served any more.
    func close() {
        for (loop, shard) in zip(loops.loops, shards) {
            loop.wait { shard.close() }
        }
        files.close()
        cloud.close()
    }

    // MARK: Requests

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        // Hot path: nearly every request is for the API, and clients send the same head again and again.
        if let known = head.findings as? KnownHead, known.isPlain || isCalledByOwnName(head),
            hasAPI.load(ordering: .relaxed)
        {
            mark = Route.graphql.rawValue
            return known.reception
        }
        let place = route(of: head)
        let service = place == .graphql ? nil : cloud.service(for: head)
        // Pages ask before every call, and show nothing but "NetworkError" where they are refused. It gives nothing away.
        if head.method == .options, service?.route != .gateway { return .answer(preflight(head, mark: &mark)) }
        if !HostCheck.isPlain(head) {
            // Keys may be called like any path of ours.
            if hasFiles, files.isBucketHost(head) { return receiveFile(head, from: peer, mark: &mark) }
            guard isCalledByOwnName(head) else { return .answer(foreignHost(head, mark: &mark)) }
        }
        if subscriptions.isUpgrade(head, to: place) {
            guard hasAPI.load(ordering: .relaxed) else { return .answer(noAPI(head, mark: &mark)) }
            return subscriptions.upgrade(head, from: peer, crossOrigin)
        }
        if place == nil, let reception = consoleReception(head, from: peer, isSecure, service, mark: &mark) {
            return reception
        }
        if let service {
            mark = service.route.rawValue
            if SpaceReserve.adds(head, to: service.route), health.reserve.isShort() {
                var answer = throttled(head)
                answer.reason = "the disk of the database has less room than files.freeBytes"
                return .answer(answer)
            }
            return service.reception(head) { [shards] in shards[$0.index] }
        }
        if place == nil, let reception = unservedReception(head) { return reception }
        // A client of the pool may be set up with any path, also with one of ours.
        guard let route = place, route == .graphql || !SignInRoute.isTarget(head) else {
            let reception = signIn.reception(head, from: peer, mark: &mark) { [shards] in shards[$0.index] }
            if let reception { return reception }
            if hasFiles, files.isMeant(head) { return receiveFile(head, from: peer, mark: &mark) }
            return .answer(ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head)))
        }
        if route == .graphql || route == .realtime, !hasAPI.load(ordering: .relaxed) {
            return .answer(noAPI(head, mark: &mark))
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
        case .channelSocket:
            return subscriptions.upgrade(head, from: peer, crossOrigin, isForChannels: true)
        case .channels:
            guard let channels else {
                return .answer(ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head)))
            }
            return channels.reception(head, from: peer, crossOrigin) { [shards] in shards[$0.index].callers }
        case .graphql:
            if let refusal = refusal(ofLong: head, from: peer) { return refusal }
            let accepted = AcceptedTypes(head.fields)
            if accepted.areStreamsPreferred, head.method != .head {
                return subscriptions.stream(bodyMax: bodyBytesMax, crossOrigin) { [self] in shards[$0.index].callers
                }
            }
            let reception = HTTPReception.compute(bodyMax: bodyBytesMax) { [self] request in
                graphQL.answer(request, accepted, crossOrigin, on: shards[request.loop.index].callers, subscriptions)
            }
            // A long body has its caller looked at for each request.
            if head.isKept, Self.isShort(head) { head.findings = KnownHead(head, reception) }
            return reception
        case .health, .live:
            return .answer(answer(to: head, at: route, "application/json", health.report(isReady: true)))
        case .ready:
            var response = answer(to: head, at: route, "application/json", health.report(isReady: false))
            if health.obstacle != nil { response.status = .serviceUnavailable }
            return .answer(response)
        case .ping:
            return .answer(answer(to: head, at: route, "text/plain", Self.ping))
        case .metrics:
            guard metricsAccess.allows(head, from: peer) else {
                return .answer(ErrorAnswer.closedMetrics.response(crossOrigin.fields(for: head, at: route)))
            }
            return .collect(bodyMax: 0) { [self] in await answerMetrics($0.head) }
        // The others are not found by their paths alone.
        default:
            return .answer(ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head)))
        }
    }

    /// Whether the host that a request names is this server and none of its buckets.
    private func isCalledByOwnName(_ head: HTTPRequestHead) -> Bool {
        !files.isBucketHost(head) && (hosts.accepts(head) || files.isHost(head))
    }

    /// The route of a request, as far as its path says it.
    private func route(of head: HTTPRequestHead) -> Route? {
        guard let route = Route.of(head), !route.isOfChannels || channels?.service.isServed == true else {
            return nil
        }
        return route
    }

    /// What becomes of a request that is signed for a service of AWS which is not here; nil: something else may be meant.
    private func unservedReception(_ head: HTTPRequestHead) -> HTTPReception? {
        guard let call = unserved.call(head), !SignInRoute.isTarget(head), HostedRoute.place(of: head) == nil,
            !files.isBucketHost(head), !files.hasBucket(in: head)
        else { return nil }
        return unserved.reception(head, call)
    }

    /// What becomes of a request that is the console's: below its folder, or of a browser that wants the page.
    private func consoleReception(
        _ head: HTTPRequestHead, from peer: SocketAddress, _ isSecure: Bool, _ service: (any CloudService)?,
        mark: inout Int?
    ) -> HTTPReception? {
        guard let console else { return nil }
        if Console.isBelow(head) {
            mark = Route.console.rawValue
            let authority = forwarding.authority(of: head, from: peer)
            // What a proxy says of it is compared with a page's origin: it is one of this server's names, or nobody's.
            if let authority, forwarding.isTold(head, from: peer), !hosts.accepts(authority) {
                return .answer(ErrorAnswer.foreignHost(authority).response(HTTPFieldLines()))
            }
            return console.reception(
                head,
                ConsoleVisit(
                    isFromThisMachine: RequestOrigin.isThisMachine(head, from: peer),
                    address: forwarding.client(of: head, from: peer),
                    authority: authority,
                    isSecure: forwarding.base(of: head, from: peer, isSecure: isSecure)?.hasPrefix("https:") ?? false))
        }
        // S3 lists buckets there, and STS is asked there: both by what a browser's address line never sends.
        guard head.isPath("/"), head.method == .get || head.method == .head, service == nil,
            !head.fields.contains("authorization"), !head.fields.contains("x-amz-target"),
            !head.query.contains(bytesOf: "Action="), !head.query.contains(bytesOf: "X-Amz-")
        else { return nil }
        mark = Route.console.rawValue
        return .answer(console.index(head))
    }

    private func preflight(_ head: HTTPRequestHead, mark: inout Int?) -> HTTPResponse {
        if console != nil, Console.isBelow(head) {
            mark = Route.console.rawValue
            return crossOrigin.preflight(head, at: .console)
        }
        if isForFiles(head) {
            mark = Route.files.rawValue
            return files.preflight(head)
        }
        let route = self.route(of: head) ?? HostedRoute.place(of: head).map(HostedRoute.route) ?? .signIn
        mark = route.rawValue
        return crossOrigin.preflight(head, at: route)
    }

    /// Whether a request is the store's, whoever sends it.
    private func isForFiles(_ head: HTTPRequestHead) -> Bool {
        files.isBucketHost(head) || (route(of: head) == nil && files.isMeant(head))
    }

    private func receiveFile(
        _ head: HTTPRequestHead, from peer: SocketAddress, mark: inout Int?
    ) -> HTTPReception {
        mark = Route.files.rawValue
        return files.reception(
            head, from: RequestOrigin.source(of: head, from: peer),
            shard: { [shards] in shards[$0.index].files })
    }

    private func foreignHost(_ head: HTTPRequestHead, mark: inout Int?) -> HTTPResponse {
        let authority = head.authority ?? ""
        return signIn.misdirected(head, authority, mark: &mark)
            ?? ErrorAnswer.foreignHost(authority).response(crossOrigin.fields(for: head))
    }

    private func noAPI(_ head: HTTPRequestHead, mark: inout Int?) -> HTTPResponse {
        mark = Route.graphql.rawValue
        return ErrorAnswer.noAPI.response(crossOrigin.fields(for: head))
    }

    /// The longest body that is collected before anybody has looked at who sends it.
    private static let unknownBodyBytesMax = 64 * 1024

    private static func isShort(_ head: HTTPRequestHead) -> Bool {
        switch head.framing {
        case .none, .length(...unknownBodyBytesMax): true
        default: false
        }
    }

    /// The refusal of a request whose body is not worth waiting for: it is long, or of a length that nobody knows, and its
    /// head shows that it will be refused.
    private func refusal(ofLong head: HTTPRequestHead, from peer: SocketAddress) -> HTTPReception? {
        guard !Self.isShort(head) else { return nil }
        let authenticator = served.withLock { $0.authenticator }
        guard let refusal = authenticator?.refusal(ofHead: HeadFields(head, from: peer)) else { return nil }
        return .answer(ErrorAnswer(refusal).response(crossOrigin.fields(for: head)))
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        if error == .speaksTLS { tlsWarning.warn() }
        if error == .speaksPlainHTTP { plainWarning.warn() }
        let answer = ErrorAnswer.notAcceptable(error)
        guard let head else { return answer.response(crossOrigin.fields(for: nil), isOfAnyService: true) }
        if files.isBucketHost(head) { return files.refusal(error.status, error.description, head) }
        if let console, Console.isBelow(head) { return console.refusal(of: error) }
        if let service = cloud.service(for: head) { return service.refusal(of: error) }
        if SignInRoute.isTarget(head) { return signIn.answers.refusal(answer, head) }
        if isForFiles(head) { return files.refusal(error.status, error.description, head) }
        return answer.response(crossOrigin.fields(for: head), isOfAnyService: false)
    }

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
            droppedLogLines: log.droppedLines, held: bounds.held, health: health,
            subscriptions: subscriptions.realtime.total)
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
        if SignInRoute.isTarget(head) {
            return signIn.answers.refusal(PoolError("TooManyRequestsException", message), head)
        }
        return ErrorAnswer(status: HTTPStatus(code: 429), type: "ThrottlingException", message: message)
            .response(crossOrigin.fields(for: head), isOfAnyService: true)
    }

    /// Called when the server begins to stop.
    func stop() { subscriptions.realtime.stop() }

    // MARK: What is counted

    func finished(_ exchange: HTTPExchange) {
        let shard = shards[exchange.loop]
        // Hot path: each closure and each call below that takes all of an exchange copies it.
        let (head, identifier) = (exchange.head, exchange.identifier)
        let nanoseconds = exchange.ended.nanoseconds(since: exchange.began)
        let operation = OperationSummary(word: exchange.note)
        let action = operation == nil ? head.flatMap(RequestOutline.call) : nil
        let operations = shard.accessLog.operations
        if let console, console.live.isWanted {
            console.ended(exchange, RequestOutline(exchange, among: operations, calling: action))
        } else if !recent.isEmpty, let outline = RequestOutline(exchange, among: operations, calling: action) {
            recent[exchange.loop].add(outline)
        }
        shard.metrics.received(bytes: (head?.fields.byteCount ?? 0) + exchange.bodyBytesReceived)
        shard.metrics.sent(bytes: exchange.bytesSent)
        // Nothing came of it: a connection that ended between requests, or that its client gave up.
        guard let status = exchange.status?.code else {
            if logsClients { _ = shard.callers.takeSubject(of: identifier) }
            return
        }
        shard.metrics.requestEnded(
            route: exchange.mark ?? Route.allCases.count, status: status, nanoseconds: nanoseconds)
        let subject = logsClients ? shard.callers.takeSubject(of: identifier) : nil
        if let operation { shard.metrics.operations.ended(operation, nanoseconds: nanoseconds) }
        // The page asks again and again how the server does.
        let isOfConsole = exchange.mark == Route.console.rawValue
        // Browsers ask before each call of a page, and are answered.
        let isPreflight = head?.method == .options && status < 400
        guard shard.accessLog.isWanted, !(isOfConsole || isPreflight) || log.level == .debug else { return }
        var entry = AccessLog.Entry(
            method: "-", target: "-", status: status, bytes: exchange.bytesSent, nanoseconds: nanoseconds)
        // The line of an operation names neither, but for one in JSON.
        if operation == nil || shard.accessLog.namesTargets, let head {
            (entry.method, entry.target) = (head.methodText, head.encodedPath)
        }
        entry.operation = operation
        entry.reason = exchange.reason
        entry.isHTTP2 = head?.isHTTP2 ?? false
        entry.action = action
        if logsClients {
            entry.client =
                head.map { forwarding.client(of: $0, from: exchange.peer) } ?? exchange.peer.hostText
            entry.subject = subject
        }
        entry.trace = head.flatMap(TraceParent.trace)
        shard.accessLog.record(entry) { identifier.append(to: &$0) }
    }

    func connectionOpened(on loop: Int) { shards[loop].metrics.connectionOpened() }
    func connectionUpgraded(on loop: Int) { shards[loop].metrics.webSocketOpened() }

    func connectionClosed(on loop: Int, wasUpgraded: Bool) {
        shards[loop].metrics.connectionClosed()
        if wasUpgraded { shards[loop].metrics.webSocketClosed() }
    }
}
