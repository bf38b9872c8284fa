import Crypto
import Engine
import JSON
import Network
import Store
import Synchronization
import Threads

/// The console: the page for people at `/`, and the API that it asks, below `/_homeport`. This is the room's front page.
///
///     GET /  ─▶ PageServing                                              the page, as the program carries it
///     /_homeport/v1/… ─▶ OriginCheck ─▶ OperatorDoor ─▶ ConsoleEndpoint  its own page alone, an operator alone, one table
///
/// - `Page/` is the page: plain modules, markup and sheets. `Serving/` answers with it.
/// - `Routes/` is what can be asked, how a request is read, and what is answered.
/// - `SignIn/` is who may ask: nobody signs in on a developer's machine, elsewhere the administrator does.
/// - `Audit/` keeps what was done.
/// - `Callers/` makes the identities of those on whose behalf something is asked for.
/// - `Running/` runs operations for them, and tells why something was denied and what happened.
/// - `Data/` shows records, changes them by the API's own mutations, and has the SQL view. `Rights/` is who may do what.
/// - `Live/` keeps what happens while somebody looks. `Rooms/` is users, messages and files, `Information/` the server itself.
/// - `Services/` is functions, queues, workflows, events and tables.
///
/// What must stay true: next to nothing of it is done before somebody looks, and other requests take as long as without it; no
/// page of another origin is answered; what a caller may do is decided by those who decide it for the API, never here.
/// DESIGN.md says more.
package final class Console: Sendable {
    package static let folder = "/_homeport"
    /// What somebody who works on the page sets in the environment. Builds for use know none of it.
    package static var developmentVariables: [String] {
        #if DEBUG
            [PageFolder.variable]
        #else
            []
        #endif
    }
    static let apiFolder = "/_homeport/v1"

    let settings: ConsoleSettings
    let door: OperatorDoor
    let audit: AuditLog
    /// What happens while somebody looks.
    package let live: LiveFeed
    /// Of each loop what it keeps of requests while nobody looks.
    private let outlines = Mutex<[RecentRequests]>([])
    let history = ServerHistory()
    let followed = FollowedCount()
    let sqlWorkers = WorkersAside(threadsMax: 1, waitingMax: 8)
    private let workers = WorkersAside(threadsMax: 1, waitingMax: 32)
    private let page: PageServing
    private let served = Mutex<(any ConsoleHost)?>(nil)
    private let known = Mutex<KnownViews?>(nil)
    private let named = Mutex<(version: String, names: ModelNames)?>(nil)

    package init(
        _ settings: ConsoleSettings, over store: Store,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.settings = settings
        // The tables of a schema change, the database does not.
        let store: @Sendable () -> Store = { store }
        door = OperatorDoor(
            isDevelopment: settings.isDevelopment, hasNodes: settings.hasNodes, instance: settings.instance,
            store: store,
            clock: clock)
        audit = AuditLog(store: store, clock: clock)
        live = LiveFeed(keepsHeads: settings.isDevelopment, hasNodes: settings.hasNodes)
        page = PageServing(environment: settings.environment)
    }

    /// Begins to answer, for what is served.
    package func serve(_ host: any ConsoleHost) { served.withLock { $0 = host } }

    /// Whether outlines and lines of the log are kept before somebody looks: where no other machine reaches the server.
    package var keepsOutlines: Bool { settings.isDevelopment }

    /// What the loops keep of requests while nobody looks; empty: they keep nothing.
    package func recentRequests(loops: Int) -> [RecentRequests] {
        guard keepsOutlines else { return [] }
        let rings = (0..<loops).map { _ in RecentRequests() }
        outlines.withLock { $0 = rings }
        return rings
    }

    func takeOutlines() -> [RequestOutline] { outlines.withLock { $0 }.flatMap { $0.take() } }

    /// The token of the link by which the administrator's password is made; nil where there is one, or none is needed.
    package func setupToken() throws(StoreError) -> String? { try door.prepareSetup() }

    /// The same where the server is one of several, which have the link in common.
    package func sharedSetupToken() async throws(StoreError) -> String? { try await door.prepareSharedSetup() }

    var host: any ConsoleHost {
        get throws(ConsoleError) {
            guard let host = served.withLock({ $0 }) else {
                throw ConsoleError(503, "busy", "The server is still starting: try again.")
            }
            return host
        }
    }

    // MARK: What is made once for an API

    /// What was made for the API of a version.
    private struct KnownViews: Sendable {
        let view: SchemaView
        let json: JSONValue
        var matrix: JSONValue?
    }

    /// The names of models in the API that is served: those of requests that are noted, whether somebody has asked for the whole
    /// view or not.
    func names(of host: any ConsoleHost) -> ModelNames {
        let version = host.schemaVersion
        return named.withLock { named in
            if let named, named.version.utf8.elementsEqual(version.utf8) { return named.names }
            let names = ModelNames(host.engine.blueprint)
            named = (version, names)
            return names
        }
    }

    /// The schema as the page shows it.
    func view(_ host: any ConsoleHost) async throws(ConsoleError) -> SchemaView { try await views(host).view }

    func schemaJSON(_ host: any ConsoleHost) async throws(ConsoleError) -> JSONValue { try await views(host).json }

    private func views(_ host: any ConsoleHost) async throws(ConsoleError) -> KnownViews {
        let version = host.schemaVersion
        if let kept = known.withLock({ $0 }), kept.view.version.utf8.elementsEqual(version.utf8) { return kept }
        let made = try await aside {
            let (sources, api) = host.schemaTexts()
            let view = SchemaView(host.engine, sources, version: version)
            return KnownViews(view: view, json: view.json(api: api))
        }
        known.withLock { $0 = made }
        return made
    }

    /// Who may do what, worked out once.
    func accessMatrix(_ host: any ConsoleHost) async throws(ConsoleError) -> JSONValue {
        let made = try await views(host)
        if let matrix = made.matrix { return matrix }
        let access = AccessView(policy: host.engine.policy, view: made.view)
        let matrix = try await aside { access.json() }
        known.withLock { if $0?.view === made.view { $0?.matrix = matrix } }
        return matrix
    }

    /// Work beside the loop.
    func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ConsoleError) -> Value {
        guard let value = await workers.value(of: work) else {
            throw ConsoleError(503, "busy", "The console has much to do: try again.", retrySeconds: 1)
        }
        return value
    }

    // MARK: Requests

    /// Whether a request is the console's by its path. Hot path: asked of every request that is not for the API.
    package static func isBelow(_ head: HTTPRequestHead) -> Bool {
        head.isBelow("/_homeport/v1") || head.isBelow("/_homeport/page")
    }

    /// The page at `/`.
    package func index(_ head: HTTPRequestHead) -> HTTPResponse { page.index(head) }

    /// What becomes of a request below the folder.
    package func reception(_ head: HTTPRequestHead, _ visit: ConsoleVisit) -> HTTPReception {
        if head.encodedPath.hasPrefix("\(PageServing.folder)/") {
            guard head.method == .get || head.method == .head, let file = page.file(head) else {
                return .answer(ConsoleError.notFound("There is no such file of the page: load it anew.").response)
            }
            return .answer(file)
        }
        do throws(ConsoleError) {
            return try apiReception(head, visit)
        } catch {
            return .answer(error.response)
        }
    }

    private func apiReception(
        _ head: HTTPRequestHead, _ visit: ConsoleVisit
    ) throws(ConsoleError) -> HTTPReception {
        guard OriginCheck.isOwn(head, visit) else { throw .foreignOrigin }
        // Taken apart before it is decoded: a slash in a name is not one of the path's.
        let path = head.encodedPath.utf8.dropFirst(Self.apiFolder.utf8.count)
            .split(separator: UInt8(ascii: "/")).map { HTTPPercentCoding.decoded($0) }
        let found = ConsoleEndpoint.all.filter { $0.isAt(path) }
        guard !found.isEmpty else { throw .notFound("There is nothing at \(head.path).") }
        let method = head.method == .head ? .get : head.method
        guard let endpoint = found.first(where: { $0.method == method }) else {
            let methods = found.map(\.method.rawValue).joined(separator: " and ")
            throw ConsoleError(405, "method", "\(endpointPath(path)) takes \(methods), not \(head.methodText).")
        }
        if endpoint.isGuarded, door.isSurelyForeign(head, visit) { throw .notSignedIn }
        let handler: HTTPHandler = { [self] request in await answer(request, visit, at: endpoint, path) }
        switch endpoint.body {
        case .none: return .collect(bodyMax: 0, handler)
        case .collected(let bytes): return .collect(bodyMax: bytes, handler)
        case .streamed(let bytes): return .stream(bodyMax: bytes, handler)
        }
    }

    private func endpointPath(_ path: [String]) -> String { "\(Self.apiFolder)/\(path.joined(separator: "/"))" }

    private func answer(
        _ request: HTTPRequest, _ visit: ConsoleVisit, at endpoint: ConsoleEndpoint, _ path: [String]
    ) async -> HTTPResponse {
        do throws(ConsoleError) {
            var who = "developer"
            if endpoint.isGuarded {
                let standing = try await door.standing(of: request.head, visit)
                switch standing {
                case .free: break
                case .signedIn: who = "administrator"
                case .setup, .stranger: throw .notSignedIn
                }
                if endpoint.method != .get, !door.hasToken(request.head, for: standing) { throw .csrf }
            }
            var body: [UInt8] = []
            if case .bytes(let bytes) = request.body { body = bytes }
            if let host = served.withLock({ $0 }) { history.keep(of: host, on: request.loop) }
            let asked = ConsoleRequest(request: request, visit: visit, path: path, body: body, who: who)
            return try await endpoint.run(self, asked).response
        } catch {
            return error.response
        }
    }

    /// The refusal of a request that is none, or too large.
    package func refusal(of error: HTTPParseError) -> HTTPResponse {
        error.status == .contentTooLarge
            ? ConsoleError.tooLarge.response
            : ConsoleError(error.status.code, "badRequest", error.description).response
    }
}

extension OperatorDoor {
    /// Whether a request shows the token of its session.
    func hasToken(_ head: HTTPRequestHead, for standing: Standing) -> Bool {
        guard let token = csrfToken(for: standing), let sent = head.fields["x-homeport-csrf"] else { return false }
        return ConstantTime.areEqual(token, sent)
    }
}
