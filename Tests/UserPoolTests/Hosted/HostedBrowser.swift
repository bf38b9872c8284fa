import Access
import Blueprint
import Crypto
import JSON
import PostgresSupport
import Store
import Synchronization
import Testing

@testable import UserPool

/// A pool with pages, and a browser in front of it that keeps its cookie and fills in forms.
final class HostedBrowser: Sendable {
    let pool: UserPool
    private let store: Store
    private let shard: PoolShard
    private let state = Mutex(State())
    private let isFromThisMachine: Bool
    private let clock = Clock()

    private struct State {
        var cookie: String?
        var token = ""
    }

    private final class Clock: Sendable {
        let milliseconds = Mutex<Int64>(1_800_000_000_000)
        var now: Int64 { milliseconds.withLock { $0 } }
    }

    static let password = "Str0ng!Passw0rd"
    static let redirect = "http://localhost:8090/"
    static let logout = "http://localhost:8090/bye"
    static let verifier = String(repeating: "v", count: 64)
    static let challenge = Base64.text(of: Digest.sha256.of(Array(verifier.utf8)))
    static let secret = "s3cret"
    static let authority = "localhost:20002"
    private static let keys = PoolKeys(TokenSigner(PrivateKey.makeRSA()))

    /// - Parameters:
    ///   - outside: who is called as the app's functions, and as providers.
    ///   - isFromThisMachine: whether the browser runs beside the server.
    ///   - location: the database that other nodes have too; nil: one of its own.
    ///   - expectsReports: whether the pool may tell of something; else that is an issue.
    init(
        outside: (any OutsideService)? = nil, isFromThisMachine: Bool = false, at location: Store.Location? = nil,
        expectsReports: Bool = false, _ change: (inout PoolSettings) -> Void = { _ in }
    ) throws {
        shard = PoolShard(outside: outside)
        self.isFromThisMachine = isFromThisMachine
        let reading = SDLReader.read("type Song @model { id: ID! }", settings: Settings())
        store = try Store(
            location ?? TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0
        ) { error in
            Issue.record("the store failed: \(error.message)")
        }
        var settings = PoolSettings()
        var app = AppClient("app")
        app.redirectURIs = [Self.redirect, "myapp://back/", "https://example.com/cb?x=1"]
        app.logoutURIs = [Self.logout]
        var service = AppClient("service")
        service.secret = Self.secret
        service.redirectURIs = [Self.redirect]
        service.scopes = ["openid", "email", "api/read", "api/write"]
        settings.clients = [app, service]
        change(&settings)
        let clock = clock
        let told = Reports()
        reports = told
        pool = UserPool(
            PoolIdentifiers(
                region: "us-east-1", userPoolID: "us-east-1_abcDEF123", clientID: "app",
                identityPoolID: "us-east-1:11111111-2222-4333-8444-555555555555"),
            settings, over: store, keys: { Self.keys },
            report: { text in
                told.add(text)
                if !expectsReports { Issue.record("reported: \(text)") }
            }, clock: { clock.now })
    }

    /// What the pool has told of.
    let reports: Reports

    final class Reports: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    func pass(seconds: Int64) { clock.milliseconds.withLock { $0 += seconds * 1_000 } }

    var cookie: String? {
        get { state.withLock { $0.cookie } }
        set { state.withLock { $0.cookie = newValue } }
    }

    /// What the last form had in it.
    var token: String { state.withLock { $0.token } }

    // MARK: Requests

    /// The parameters with which an app sends somebody here.
    static func query(_ changes: [(String, String?)] = []) -> [(String, String)] {
        var pairs: [(String, String)] = [
            ("redirect_uri", redirect), ("response_type", "code"), ("client_id", "app"),
            ("scope", "openid email aws.cognito.signin.user.admin"), ("state", "a+b &%/é"), ("nonce", "n-1"),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        for (name, value) in changes {
            pairs.removeAll { $0.0 == name }
            if let value { pairs.append((name, value)) }
        }
        return pairs
    }

    static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(FormPairs.encoded($0.0))=\(FormPairs.encoded($0.1))" }.joined(separator: "&")
    }

    func get(_ path: HostedPath, _ query: [(String, String)] = HostedBrowser.query()) async -> HostedAnswer {
        await send(.get, path, query: Self.encoded(query))
    }

    /// Sends a form of a page, with what its page had in it.
    func post(
        _ path: HostedPath, _ form: [(String, String)], _ query: [(String, String)] = HostedBrowser.query(),
        token: String? = nil, origins: [String] = ["http://\(HostedBrowser.authority)"], sites: [String] = []
    ) async -> HostedAnswer {
        await send(
            .post, path, query: Self.encoded(query), body: Self.encoded([("_csrf", token ?? self.token)] + form),
            origins: origins, sites: sites)
    }

    /// A program's form.
    func program(
        _ path: HostedPath, _ form: [(String, String)], basic: String? = nil, on shard: PoolShard? = nil
    ) async -> HostedAnswer {
        await send(
            .post, path, body: Self.encoded(form),
            authorizations: basic.map { ["Basic \(Base64.text(of: Array($0.utf8), .standard))"] } ?? [],
            keepsCookies: false, on: shard)
    }

    func send(
        _ method: HostedPath.Method, _ path: HostedPath, query: String = "",
        types: [String] = ["application/x-www-form-urlencoded"], body: String = "", origins: [String] = [],
        sites: [String] = [], authorizations: [String] = [], keepsCookies: Bool = true, isSecure: Bool = false,
        on shard: PoolShard? = nil
    ) async -> HostedAnswer {
        let answer = await pool.answer(
            HostedRequest(
                method, path, query: query, contentTypes: types, body: Array(body.utf8),
                cookies: keepsCookies ? cookie.map { [$0] } ?? [] : [], origins: origins, fetchSites: sites,
                authorizations: authorizations, base: "\(isSecure ? "https" : "http")://\(Self.authority)",
                address: "192.0.2.1", isFromThisMachine: isFromThisMachine),
            on: shard ?? self.shard)
        if keepsCookies { take(answer) }
        return answer
    }

    private func take(_ answer: HostedAnswer) {
        state.withLock { state in
            if let set = answer.field("set-cookie") {
                state.cookie = set.contains("Max-Age=0") ? nil : String(set.prefix { $0 != ";" })
            }
            let mark = #"name="_csrf" value=""#
            if let start = answer.text.firstRange(of: mark) {
                state.token = String(answer.text[start.upperBound...].prefix { $0 != "\"" })
            }
        }
    }

    // MARK: On the way

    /// Opens the form and sends it.
    func signIn(
        _ name: String = "ann", _ password: String = HostedBrowser.password,
        _ query: [(String, String)] = HostedBrowser.query()
    ) async -> HostedAnswer {
        _ = await get(.login, query)
        return await post(.login, [("username", name), ("password", password)], query)
    }

    /// Signs in, and gives the code that the app gets.
    func code(_ query: [(String, String)] = HostedBrowser.query()) async throws -> String {
        try #require(await signIn("ann", Self.password, query).parameter("code"))
    }

    func exchange(
        _ code: String, _ changes: [(String, String?)] = [], on shard: PoolShard? = nil
    ) async -> HostedAnswer {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("client_id", "app"),
            ("redirect_uri", Self.redirect), ("code_verifier", Self.verifier),
        ]
        for (name, value) in changes {
            form.removeAll { $0.0 == name }
            if let value { form.append((name, value)) }
        }
        return await program(.token, form, on: shard)
    }

    // MARK: The pool behind

    @discardableResult
    func call(
        _ operation: String, _ members: JSONValue, by administrator: Bool = false
    ) async throws(PoolError) -> JSONValue {
        let call = PoolCall(
            target: "AWSCognitoIdentityProviderService.\(operation)", body: JSONWriter.bytes(of: members),
            base: "http://\(Self.authority)", address: "192.0.2.1", isByAdministrator: administrator)
        switch await pool.answer(call, on: shard) {
        case .success(let body): return (try? JSONReader.value(of: body)) ?? .object(JSONObject())
        case .refusal(let error): throw error
        }
    }

    /// Makes a user who may sign in.
    func make(_ name: String = "ann", change: @escaping @Sendable (inout User) -> Void = { _ in }) async throws {
        try await call(
            "SignUp",
            [
                "ClientId": "app", "Username": .string(name), "Password": .string(Self.password),
                "UserAttributes": [
                    ["Name": "email", "Value": .string("\(name)@example.com")],
                    ["Name": "name", "Value": "<b>Ann & Bob</b>"],
                ],
            ])
        try await edit(name) { user in
            user.status = .confirmed
            change(&user)
        }
    }

    /// Puts a user in as they are stored, past all functions.
    func create(_ name: String) async throws {
        let settings = pool.settings
        let now = clock.now
        try await pool.write { session throws(PoolError) in
            let user = User(
                number: 0, sub: UUIDText.random(), name: name, status: .confirmed, isEnabled: true, created: now,
                modified: now, attributes: JSONObject(), password: nil, foreignHash: nil, temporaryUntil: nil,
                secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0)
            _ = try PoolWriting(session: session, settings: settings, now: now).create(
                user, names: [(UserName(name, in: settings), "username")])
        }
    }

    func edit(_ name: String, _ edit: @escaping @Sendable (inout User) -> Void) async throws {
        let settings = pool.settings
        let now = clock.now
        try await pool.write { session throws(PoolError) in
            let change = PoolWriting(session: session, settings: settings, now: now)
            guard var user = try session.user(named: UserName(name, in: settings)) else { throw .userNotFound }
            edit(&user)
            try change.save(user)
        }
    }

    /// The code that was sent last.
    func sentCode() async throws -> String {
        let statement = RoomStatement("SELECT code FROM _homeport_messages ORDER BY number DESC LIMIT 1")
        return try await pool.write { session throws(PoolError) in
            var code = ""
            try session.rows(statement, []) { row throws(PoolError) in
                code = row.text(0)
                return false
            }
            return code
        }
    }

    /// The claims of a token.
    static func claims(_ token: String?) throws -> JSONValue {
        let parts = try #require(token).split(separator: ".")
        return try JSONReader.value(of: try #require(Base64.bytes(of: parts[1].utf8)))
    }
}

extension HostedAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    var location: String? { field("location") }

    /// A parameter that the app gets.
    func parameter(_ name: String) -> String? {
        guard let query = location?.split(separator: "?", maxSplits: 1).last else { return nil }
        return FormPairs(query.utf8)?[name]
    }

    var json: JSONValue { (try? JSONReader.value(of: body)) ?? .null }

    /// Whether it is a page that refuses: no way leads on from it.
    var isRefusingPage: Bool {
        (400..<500).contains(status) && location == nil && field("content-type") == "text/html; charset=utf-8"
    }
}
