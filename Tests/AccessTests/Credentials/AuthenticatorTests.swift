import Blueprint
import Crypto
import Dispatch
import JSON
import Patterns
import Synchronization
import TestSupport
import Testing

@testable import Access

@Suite("Recognising callers")
struct AuthenticatorTests {
    private static let keys = TokenIssuer.Keys.fixed(KeySet(TestIssuer.main.key.publicKey, id: "key-1"))

    private static func settings(_ modes: AuthMode...) -> CredentialSettings {
        var settings = CredentialSettings(modes: modes)
        settings.apiKeys = [
            APIKey("da2-good"), APIKey("da2-old", expires: TestIssuer.now),
            APIKey("da2-new", expires: TestIssuer.now + 1),
            APIKey(""),
        ]
        settings.issuers = [
            .userPool(TestIssuer.pool, keys: keys), .provider(TestIssuer.provider, keys: keys),
        ]
        settings.authorizer = AuthorizerSettings(url: "http://127.0.0.1:1/authorize")
        return settings
    }

    private static let poolToken = TestIssuer.main.token()
    private static let providerToken = TestIssuer.main.token(
        TestIssuer.claims([("iss", .string(TestIssuer.provider))]))

    struct Row: Sendable {
        let modes: [AuthMode]
        let fields: [(name: String, value: String)]
        /// The mode that is recognised, or why none is.
        let result: Result<AuthMode, Refusal>
    }

    private static let all = AuthMode.allCases

    static let rows = [
        Row(modes: all, fields: [], result: .failure(.noCredential)),
        Row(modes: all, fields: [("authorization", "")], result: .failure(.noCredential)),
        Row(modes: all, fields: [("x-api-key", "da2-bad")], result: .failure(.notAuthorized)),
        Row(modes: all, fields: [("x-api-key", "")], result: .failure(.notAuthorized)),
        Row(modes: all, fields: [("x-api-key", "da2-goo")], result: .failure(.notAuthorized)),
        Row(modes: all, fields: [("x-api-key", "da2-goodd")], result: .failure(.notAuthorized)),
        Row(modes: all, fields: [("x-api-key", "da2-old")], result: .failure(.notAuthorized)),
        Row(
            modes: all, fields: [("x-api-key", "da2-good"), ("X-Api-Key", "da2-new")],
            result: .failure(.notAuthorized)),
        Row(
            modes: all, fields: [("x-api-key", "da2-good"), ("X-API-KEY", "da2-good"), ("x-api-key", "da2-bad")],
            result: .failure(.notAuthorized)),
        Row(modes: all, fields: [("x-api-key", "da2-good"), ("X-Api-Key", "")], result: .failure(.notAuthorized)),
        Row(
            modes: all, fields: [("x-api-key", "da2-bad"), ("X-Api-Key", "da2-bad")],
            result: .failure(.notAuthorized)),
        Row(
            modes: all,
            fields: [("x-api-key", "da2-good"), ("X-Api-Key", "da2-bad"), ("authorization", poolToken)],
            result: .failure(.notAuthorized)),
        // The sign of the kelvin is a K to those who fold Unicode.
        Row(modes: all, fields: [("x-api-\u{212A}ey", "da2-good")], result: .failure(.noCredential)),
        Row(modes: [.userPools], fields: [("x-api-key", "da2-good")], result: .failure(.notAuthorized)),
        Row(modes: [.apiKey], fields: [("authorization", poolToken)], result: .failure(.notAuthorized)),
        Row(modes: [.apiKey, .oidc], fields: [("authorization", poolToken)], result: .failure(.notAuthorized)),
        Row(modes: [.userPools], fields: [("authorization", providerToken)], result: .failure(.notAuthorized)),
        Row(modes: [.userPools], fields: [("authorization", "x")], result: .failure(.unparsableToken)),
        Row(
            modes: all, fields: [("authorization", poolToken), ("Authorization", providerToken)],
            result: .failure(.notAuthorized)),
        Row(modes: [.userPools], fields: [("x-amzn-oidc-data", poolToken)], result: .failure(.noCredential)),
        Row(modes: [.userPools], fields: [("cookie", "authorization=\(poolToken)")], result: .failure(.noCredential)),

        Row(modes: [.apiKey], fields: [("x-api-key", "da2-good")], result: .success(.apiKey)),
        Row(modes: [.apiKey], fields: [("X-API-KEY", "da2-new")], result: .success(.apiKey)),
        Row(
            modes: all, fields: [("x-api-key", "da2-good"), ("X-Api-Key", "da2-good")], result: .success(.apiKey)),
        Row(
            modes: all, fields: [("X-API-KEY", "da2-good"), ("x-api-key", "da2-good"), ("X-Api-Key", "da2-good")],
            result: .success(.apiKey)),
        Row(
            modes: all, fields: [("authorization", poolToken), ("Authorization", poolToken)],
            result: .success(.userPools)),
        Row(
            modes: all,
            fields: [("Authorization", ""), ("AUTHORIZATION", providerToken), ("authorization", providerToken)],
            result: .success(.oidc)),
        Row(
            modes: all,
            fields: [
                ("x-api-key", "da2-good"), ("authorization", poolToken), ("X-Api-Key", "da2-good"),
                ("Authorization", poolToken),
            ], result: .success(.userPools)),
        Row(
            modes: [.lambda], fields: [("authorization", "anything"), ("Authorization", "anything")],
            result: .success(.lambda)),
        Row(modes: all, fields: [("authorization", poolToken)], result: .success(.userPools)),
        Row(modes: all, fields: [("authorization", providerToken)], result: .success(.oidc)),
        Row(
            modes: all, fields: [("x-api-key", "da2-good"), ("authorization", poolToken)],
            result: .success(.userPools)),
        Row(
            modes: [.apiKey, .userPools], fields: [("x-api-key", "da2-good"), ("authorization", "x")],
            result: .success(.apiKey)),
        Row(
            modes: [.apiKey, .userPools], fields: [("x-api-key", "da2-bad"), ("authorization", poolToken)],
            result: .success(.userPools)),
        Row(modes: all, fields: [("authorization", "anything")], result: .success(.lambda)),
        Row(
            modes: all, fields: [("authorization", "Bearer anything")], result: .success(.lambda)),
        Row(
            modes: [.lambda], fields: [("authorization", poolToken)], result: .success(.lambda)),
    ]

    @Test("the fields choose the mode", arguments: rows.indices)
    func modes(row: Int) async throws {
        let row = Self.rows[row]
        var settings = Self.settings()
        settings.modes = Set(row.modes)
        let outside = TestOutside(body: Array(#"{"isAuthorized": true}"#.utf8))
        let result = try await TestGate(settings).result(row.fields, outside: outside)
        #expect(result.map(\.mode) == row.result)
    }

    @Test("a key needs the fields alone; for a token the rest of the request is asked for", arguments: [true, false])
    func needsFieldsAlone(hasToken: Bool) throws {
        var settings = CredentialSettings(modes: [.apiKey])
        settings.apiKeys = [APIKey("da2-own")]
        let authenticator = try Authenticator(settings, now: { TestIssuer.now })
        let fields = ListedFields([("x-api-key", "da2-own")] + (hasToken ? [("authorization", "token")] : []))
        var isAsked = false
        let answer = authenticator.identify(fields) {
            isAsked = true
            return CredentialRequest(path: "/graphql", fields: fields, body: [])
        }
        guard case .identity = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(isAsked == hasToken)
    }

    @Test("a key that everybody knows is good for requests from this machine only, and its refusal is explained once")
    func publishedKey() throws {
        var settings = CredentialSettings(modes: [.apiKey])
        settings.apiKeys = [
            APIKey("da2-known", isForThisMachine: true), APIKey("da2-own"),
            APIKey("da2-both", expires: TestIssuer.now + 9, isForThisMachine: true),
            APIKey("da2-both", expires: TestIssuer.now + 3),
        ]
        let reports = Mutex<[String]>([])
        let authenticator = try Authenticator(
            settings, now: { TestIssuer.now }, report: { text in reports.withLock { $0.append(text) } })
        func expiry(_ key: String, isLocal: Bool) -> Int64?? {
            let fields = ListedFields([("x-api-key", key)], source: isLocal ? .foreignPage : .elsewhere)
            let request = CredentialRequest(path: "/graphql", fields: fields, body: [])
            guard case .identity(let identity) = authenticator.identify(request) else { return nil }
            return .some(identity.expires)
        }
        for isLocal in [true, false] {
            #expect(expiry("da2-own", isLocal: isLocal) != nil)
            #expect(expiry("da2-other", isLocal: isLocal) == nil)
        }
        #expect(reports.withLock { $0 }.isEmpty)
        #expect(expiry("da2-known", isLocal: true) != nil)
        #expect(expiry("da2-known", isLocal: false) == nil)
        #expect(expiry("da2-known", isLocal: false) == nil)
        #expect(expiry("da2-both", isLocal: true) == TestIssuer.now + 9)
        #expect(expiry("da2-both", isLocal: false) == TestIssuer.now + 3)
        #expect(reports.withLock { $0 }.count == 1)
        #expect(!reports.withLock { $0 }.joined().contains("da2-"))
    }

    @Test("an identity says when its proof runs out, by the first of what limits it")
    func expires() async throws {
        var settings = Self.settings(.apiKey, .userPools, .oidc, .lambda)
        settings.apiKeys += [APIKey("da2-twice", expires: TestIssuer.now + 9), APIKey("da2-twice")]
        settings.issuers[1] = .provider(TestIssuer.provider, keys: Self.keys, authenticatedMilliseconds: 1_200_000)
        let gate = try TestGate(settings)
        let rows: [(fields: [(name: String, value: String)], expires: Int64?)] = [
            ([("x-api-key", "da2-good")], nil), ([("x-api-key", "da2-new")], TestIssuer.now + 1),
            ([("x-api-key", "da2-twice")], nil), ([("authorization", Self.poolToken)], TestIssuer.now + 3600),
            ([("authorization", Self.providerToken)], TestIssuer.now - 60 + 1200),
            ([("authorization", Self.providerToken)], TestIssuer.now - 60 + 1200),
            ([("authorization", "x"), ("x-api-key", "da2-new")], TestIssuer.now + 1),
            ([("authorization", "anything")], nil),
        ]
        for row in rows {
            let isRefusing = row.fields.count > 1
            let outside = TestOutside(body: Array(#"{"isAuthorized": \#(!isRefusing)}"#.utf8))
            let identity = try #require(await gate.result(row.fields, outside: outside).identity)
            #expect(identity.expires == row.expires, "\(row.fields.map(\.name))")
        }
    }

    @Test("where an authorizer refuses, a good key still counts")
    func fallback() async throws {
        let gate = try TestGate(Self.settings(.apiKey, .lambda))
        let fields = [("authorization", "token"), ("x-api-key", "da2-good")]
        let refusing = TestOutside(body: Array(#"{"isAuthorized": false}"#.utf8))
        #expect(await gate.result(fields, outside: refusing).identity?.mode == .apiKey)
    }

    @Test("a regular expression that is none is said when the server starts")
    func patterns() {
        var settings = CredentialSettings(modes: [.oidc, .lambda])
        settings.issuers = [.provider(TestIssuer.provider, clientPattern: "(")]
        #expect(throws: PatternError.self) { try Authenticator(settings) }
        let long = String(repeating: "a", count: PatternLimits.patternLengthMax + 1)
        settings.issuers = [.provider(TestIssuer.provider, clientPattern: long)]
        #expect(throws: PatternError.self) { try Authenticator(settings) }
        settings.issuers = []
        settings.authorizer = AuthorizerSettings(url: "http://x", tokenPattern: "[")
        #expect(throws: PatternError.self) { try Authenticator(settings) }
    }

    @Test("the local issuer's tokens are good")
    func localIssuer() async throws {
        let issuer = LocalIssuer(
            TokenSigner(.makeRSA()), ofPool: "us-east-1_Pool", clientID: "client", base: "http://localhost:20002")
        var settings = CredentialSettings(modes: [.userPools])
        settings.issuers = [issuer.tokenIssuer]
        let gate = try TestGate(settings)
        let token = issuer.token(
            username: "alice", groups: ["Admin"], claims: JSONObject([("team", "blue")]), now: TestIssuer.now)
        let identity = try #require(await gate.result(token: token).identity)
        #expect(identity.token?.username == "alice")
        #expect(identity.token?.groups == ["Admin"])
        #expect(identity.token?.claims["team"] == "blue")
        #expect(identity.token?.subject == LocalIssuer.subject(of: "alice"))
        #expect(LocalIssuer.subject(of: "alice") != LocalIssuer.subject(of: "bob"))
        let expired = issuer.token(username: "alice", lifeSeconds: 0, now: TestIssuer.now)
        #expect(await gate.result(token: expired).refusal == .expiredToken)
        #expect(await gate.result(token: TestIssuer.main.token()).refusal == .notAuthorized)
        let stranger = LocalIssuer(
            TokenSigner(TestIssuer.other.key), ofPool: "us-east-1_Pool", clientID: "client",
            base: "http://localhost:20002"
        ).token(username: "alice", now: TestIssuer.now)
        #expect(await gate.result(token: stranger).refusal == .notAuthorized)
    }
}

@Suite("A Lambda authorizer")
struct LambdaAuthorizerTests {
    private func gate(seconds: Int64 = 300, pattern: String? = nil) throws -> TestGate {
        var settings = CredentialSettings(modes: [.lambda])
        settings.authorizer = AuthorizerSettings(
            url: "http://authorizer.test/", cacheSeconds: seconds, tokenPattern: pattern)
        return try TestGate(settings)
    }

    private func outside(_ text: String, status: Int = 200) -> TestOutside {
        TestOutside(status: status, body: Array(text.utf8))
    }

    static let refusals = [
        #"{"isAuthorized": false}"#, "{}", #"{"isAuthorized": "true"}"#, #"{"isAuthorized": 1}"#, "null", "", "[",
        "[true]",
        #"{"IsAuthorized": true}"#,
    ]

    @Test("anything but a clear yes is a no", arguments: refusals)
    func refuses(answer: String) async throws {
        let gate = try gate()
        #expect(await gate.result(token: "t", outside: outside(answer)).refusal == .notAuthorized)
        #expect(
            await gate.result(token: "t", outside: outside(#"{"isAuthorized": true}"#, status: 500)).refusal
                == .notAuthorized)
        let failed = TestOutside { _ in
            OutsideResponse(
                status: 200, fields: [("X-Amz-Function-Error", "Unhandled")],
                body: Array(#"{"isAuthorized": true}"#.utf8))
        }
        #expect(await gate.result(token: "t", outside: failed).refusal == .notAuthorized)
        let silent = TestOutside { _ throws(OutsideError) in throw .timedOut(milliseconds: 10_000) }
        #expect(await gate.result(token: "t", outside: silent).refusal == .notAuthorized)
    }

    @Test("it is told of the request, and its answer becomes the identity")
    func event() async throws {
        let answer = outside(
            #"{"isAuthorized": true, "resolverContext": {"a": "1", "b": 2, "c": {"d": 1}}, "deniedFields": ["Doc.b", 1]}"#
        )
        let request = CredentialRequest(
            path: "/graphql", fields: ListedFields([("Authorization", "custom-token"), ("X-Other", "o")]),
            body: Array(#"{"query": "{ x }", "operationName": "O", "variables": {"v": 1}}"#.utf8), identifier: "r-1")
        guard case .pending(let pending) = try gate().authenticator.identify(request) else {
            Issue.record("not asked")
            return
        }
        let identity = try await pending.identity(using: answer)
        #expect(identity.authorizer?.resolverContext == JSONObject([("a", "1"), ("b", 2)]))
        #expect(identity.authorizer?.deniedFields == ["Doc.b"])
        let sent = try JSONReader.value(of: try #require(answer.sent.first).body)
        #expect(sent["authorizationToken"] == "custom-token")
        #expect(sent["requestContext"]?["queryString"] == "{ x }")
        #expect(sent["requestContext"]?["operationName"] == "O")
        #expect(sent["requestContext"]?["variables"]?["v"] == 1)
        #expect(sent["requestContext"]?["requestId"] == "r-1")
        #expect(sent["requestHeaders"]?["x-other"] == "o")
    }

    static let lifeRows: [(answer: String, setting: Int64, seconds: Int64)] = [
        (#"{"isAuthorized": true}"#, 300, 300), (#"{"isAuthorized": true}"#, 0, 0),
        (#"{"isAuthorized": true, "ttlOverride": 0}"#, 300, 0),
        (#"{"isAuthorized": true, "ttlOverride": 10}"#, 300, 10),
        (#"{"isAuthorized": true, "ttlOverride": -5}"#, 300, 0),
        (#"{"isAuthorized": true, "ttlOverride": 99999999}"#, 300, AccessLimits.authorizerCacheSecondsMax),
        (#"{"isAuthorized": true, "ttlOverride": 1e300}"#, 20, 20),
    ]

    @Test("its answer is kept for as long as it says, else as the API says", arguments: lifeRows.indices)
    func lives(row: Int) async throws {
        let (answer, setting, seconds) = Self.lifeRows[row]
        let gate = try gate(seconds: setting)
        let outside = outside(answer)
        #expect(await gate.result(token: "t", outside: outside).identity != nil)
        if seconds > 0 {
            gate.clock.seconds += seconds - 1
            #expect(await gate.result(token: "t", outside: outside).identity != nil)
            #expect(outside.sent.count == 1)
            gate.clock.seconds += 1
        }
        #expect(await gate.result(token: "t", outside: outside).identity != nil)
        #expect(outside.sent.count == 2)
    }

    /// Authenticators of several loops, which share what the authorizer has said.
    private func gates(seconds: Int64, clock: TestClock) throws -> [Authenticator] {
        var settings = CredentialSettings(modes: [.lambda])
        settings.authorizer = AuthorizerSettings(url: "http://authorizer.test/", cacheSeconds: seconds)
        let memory = AuthorizerMemory()
        return try (0..<3).map { _ in try Authenticator(settings, sharing: memory, now: { clock.seconds }) }
    }

    private func identity(
        _ authenticator: Authenticator, _ token: String, _ outside: TestOutside
    ) async -> Identity? {
        switch authenticator.identify(TestGate.request([("authorization", token)])) {
        case .identity(let identity): return identity
        case .refused: return nil
        case .pending(let pending): return try? await pending.identity(using: outside)
        }
    }

    @Test("what it says on one loop is known on all of them, for as long as it is good")
    func isSharedByLoops() async throws {
        let clock = TestClock()
        let gates = try gates(seconds: 300, clock: clock)
        let outside = outside(#"{"isAuthorized": true}"#)
        for gate in gates { #expect(await identity(gate, "t", outside) != nil) }
        #expect(outside.sent.count == 1)
        for gate in gates { #expect(await identity(gate, "u", outside) != nil) }
        #expect(outside.sent.count == 2)
        clock.seconds += 300
        for gate in gates { #expect(await identity(gate, "t", outside) != nil) }
        #expect(outside.sent.count == 3)
    }

    /// Holds an authorizer up until it is let go.
    private actor Hold {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private(set) var arrivals = 0

        func pass() async {
            arrivals += 1
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    /// Runs one thing after the other, as a loop does.
    private final class OneThread: TaskExecutor {
        private let queue = DispatchQueue(label: "one thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    static let concurrentRows: [(answer: String, setting: Int64, calls: Int, isAdmitted: Bool)] = [
        (#"{"isAuthorized": true}"#, 300, 1, true), (#"{"isAuthorized": false}"#, 300, 1, false), ("", 300, 1, false),
        // An answer that is not kept may be about one request alone.
        (#"{"isAuthorized": true, "ttlOverride": 0}"#, 300, 20, true),
        (#"{"isAuthorized": false, "ttlOverride": 0}"#, 300, 20, false), (#"{"isAuthorized": true}"#, 0, 20, true),
    ]

    @Test("who shows a token while it is asked about waits for that answer", arguments: concurrentRows.indices)
    func concurrentCallers(row: Int) async throws {
        let (answer, setting, calls, isAdmitted) = Self.concurrentRows[row]
        let gates = try gates(seconds: setting, clock: TestClock())
        let hold = Hold()
        let outside = TestOutside { _ in
            await hold.pass()
            return OutsideResponse(status: 200, body: Array(answer.utf8))
        }
        // They are asked one after the other, as on one loop each, and all of them wait at the same time.
        let pending = (0..<20).compactMap { number -> PendingIdentity? in
            guard case .pending(let pending) = gates[number % 3].identify(TestGate.request([("authorization", "t")]))
            else { return nil }
            return pending
        }
        #expect(pending.count == 20)
        let outcomes = await withTaskExecutorPreference(OneThread()) {
            await withTaskGroup(of: Bool.self) { group in
                for one in pending { group.addTask { (try? await one.identity(using: outside)) != nil } }
                group.addTask {
                    let wanted = setting > 0 ? 1 : calls
                    let came: Void? = try? await eventually("the service is asked") { await hold.arrivals >= wanted }
                    await hold.open()
                    return came == nil ? !isAdmitted : isAdmitted
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
        }
        #expect(outcomes == [Bool](repeating: isAdmitted, count: 21))
        #expect(outside.sent.count == calls)
    }

    @Test("a caller who goes before the answer takes nobody with him")
    func abandoned() async throws {
        let gates = try gates(seconds: 300, clock: TestClock())
        let outside = TestOutside { _ throws(OutsideError) in
            if Task.isCancelled { throw .unreachable("cancelled") }
            return OutsideResponse(status: 200, body: Array(#"{"isAuthorized": true}"#.utf8))
        }
        guard case .pending(let first) = gates[0].identify(TestGate.request([("authorization", "t")])),
            case .pending(let second) = gates[1].identify(TestGate.request([("authorization", "t")]))
        else { throw OutsideError.unreachable("nobody was asked") }
        let gone = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try? await first.identity(using: outside)
        }
        #expect(await gone.value == nil)
        #expect(try await second.identity(using: outside).mode == .lambda)
    }

    @Test(
        "what it takes back is gone when its answer has ended, however many others asked meanwhile",
        arguments: [0, 1, 2])
    func withdrawn(generations: Int) async throws {
        let gate = try gate(seconds: 100)
        let yes = outside(#"{"isAuthorized": true}"#)
        #expect(await gate.result(token: "t", outside: yes).identity != nil)
        let long = outside(#"{"isAuthorized": true, "ttlOverride": 3000}"#)
        for number in 0..<generations * AccessLimits.rememberedTokensMax / 2 {
            #expect(await gate.result(token: "other \(number)", outside: long).identity != nil)
        }
        gate.clock.seconds += 100
        let narrowed = outside(#"{"isAuthorized": true, "deniedFields": ["Doc.b"], "ttlOverride": 0}"#)
        #expect(await gate.result(token: "t", outside: narrowed).identity?.authorizer?.deniedFields == ["Doc.b"])
        #expect(await gate.result(token: "t", outside: outside(#"{"isAuthorized": false}"#)).refusal == .notAuthorized)
        #expect(await gate.result(token: "t", outside: yes).identity != nil)
    }

    @Test("tokens that cannot be good are refused without asking")
    func unasked() async throws {
        let gate = try gate(pattern: "custom-.*")
        let outside = outside(#"{"isAuthorized": true}"#)
        let long = "custom-" + String(repeating: "x", count: AccessLimits.authorizerTokenBytesMax)
        for token in ["other", "a-custom-x", long] {
            #expect(await gate.result(token: token, outside: outside).refusal == .notAuthorized)
        }
        #expect(outside.sent.isEmpty)
        #expect(await gate.result(token: "custom-x", outside: outside).identity != nil)
    }
}
