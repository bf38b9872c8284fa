import Access
import Blueprint
import Crypto
import JSON
import PostgresSupport
import Store
import Synchronization
import Testing

@testable import UserPool

/// A user pool over a database in memory, with a clock that the test sets.
final class TestPool: Sendable {
    let pool: UserPool
    let clock = Clock()
    private let store: Store
    let shard: PoolShard

    static let password = "Str0ng!Passw0rd"
    private static let client = "client"
    private static let keys = PoolKeys(TokenSigner(PrivateKey.makeRSA()))

    /// Milliseconds since 1970, which stand still unless a test moves them.
    final class Clock: Sendable {
        private let milliseconds = Mutex<Int64>(1_800_000_000_000)

        var now: Int64 { milliseconds.withLock { $0 } }

        func pass(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1_000 } }
    }

    /// - Parameters:
    ///   - outside: who is called as the app's functions.
    ///   - id: what it is called.
    ///   - location: where the data is; nil: where tests have it.
    ///   - reports: takes what the pool says to its operator; nil: that is a failure.
    ///   - change: how the pool differs from what is usual.
    init(
        outside: (any OutsideService)? = nil, id: String = "us-east-1_abcDEF123",
        at location: Store.Location? = nil, reports: Reports? = nil,
        _ change: (inout PoolSettings) -> Void = { _ in }
    ) throws {
        shard = PoolShard(outside: outside)
        let reading = SDLReader.read("type Song @model { id: ID! }", settings: Settings())
        store = try Store(
            location ?? TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0
        ) { error in
            Issue.record("the store failed: \(error.message)")
        }
        var settings = PoolSettings()
        change(&settings)
        let clock = clock
        pool = UserPool(
            PoolIdentifiers(
                region: "us-east-1", userPoolID: id, clientID: Self.client,
                identityPoolID: "us-east-1:11111111-2222-4333-8444-555555555555"),
            settings, over: store, keys: { Self.keys },
            report: { if let reports { reports.add($0) } else { Issue.record("reported: \($0)") } },
            clock: { clock.now })
    }

    /// The sentences for the operator.
    final class Reports: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    // MARK: Calls

    // A shard is for one thread at a time: calls at the same moment have each their own.

    /// What came of a call: the JSON of the answer, empty where it has no body.
    @discardableResult
    func call(
        _ operation: String, _ members: JSONValue, by administrator: Bool = false, from address: String = "192.0.2.1",
        on shard: PoolShard? = nil
    ) async throws(PoolError) -> JSONValue {
        try await answer(
            "AWSCognitoIdentityProviderService.\(operation)", members, by: administrator, from: address, on: shard)
    }

    /// The same for any service.
    func answer(
        _ target: String, _ members: JSONValue, by administrator: Bool = false, from address: String = "192.0.2.1",
        on shard: PoolShard? = nil
    ) async throws(PoolError) -> JSONValue {
        try await answer(
            target, written: JSONWriter.bytes(of: members), by: administrator, from: address, on: shard)
    }

    /// The same for a body that was written before.
    func answer(
        _ target: String, written body: [UInt8], by administrator: Bool = false, from address: String = "192.0.2.1",
        on shard: PoolShard? = nil
    ) async throws(PoolError) -> JSONValue {
        let call = PoolCall(
            target: target, body: body, base: "http://localhost:20002", address: address,
            isByAdministrator: administrator)
        switch await pool.answer(call, on: shard ?? self.shard) {
        case .success(let body): return (try? JSONReader.value(of: body)) ?? .object(JSONObject())
        case .refusal(let error): throw error
        }
    }

    /// Begins a sign-in.
    @discardableResult
    func begin(
        _ flow: String, _ parameters: JSONValue, session: String? = nil
    ) async throws(PoolError) -> JSONValue {
        var members = JSONObject([
            ("AuthFlow", .string(flow)), ("ClientId", .string(Self.client)), ("AuthParameters", parameters),
        ])
        members["Session"] = session.map(JSONValue.string)
        return try await call("InitiateAuth", .object(members))
    }

    /// Answers a challenge with the session of an answer.
    @discardableResult
    func respond(
        _ challenge: String, _ responses: JSONValue, after answer: JSONValue, on shard: PoolShard? = nil
    ) async throws(PoolError) -> JSONValue {
        var members = JSONObject([
            ("ClientId", .string(Self.client)), ("ChallengeName", .string(challenge)),
            ("ChallengeResponses", responses),
        ])
        members["Session"] = answer["Session"]
        return try await call("RespondToAuthChallenge", .object(members), on: shard)
    }

    /// Signs in by a password.
    @discardableResult
    func signIn(_ user: String, _ password: String = TestPool.password) async throws(PoolError) -> JSONValue {
        try await begin("USER_PASSWORD_AUTH", ["USERNAME": .string(user), "PASSWORD": .string(password)])
    }

    // MARK: Users

    /// Makes a user who has a password, as it is stored.
    @discardableResult
    func make(
        _ name: String, password: String? = TestPool.password, _ attributes: [(String, JSONValue)] = [],
        change: @escaping @Sendable (inout User) -> Void = { _ in }
    ) async throws -> User {
        // Any call makes the tables.
        _ = try? await signIn("nobody")
        let now = clock.now
        let verifier = password.map {
            SRPVerifier(password: $0, of: SRPIdentity(poolName: pool.identifiers.poolName, userID: name))
        }
        let sub = UUIDText.random()
        return try await write { writing throws(PoolError) in
            var user = User(
                number: 0, sub: sub, name: name, status: .confirmed, isEnabled: true, created: now, modified: now,
                attributes: JSONObject(attributes),
                password: verifier.map { StoredPassword(salt: $0.salt, verifier: $0.number) }, foreignHash: nil,
                temporaryUntil: nil, secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0)
            change(&user)
            let settings = writing.settings
            return try writing.create(
                user, names: [(UserName(sub, in: settings), "sub"), (UserName(name, in: settings), "username")])
        }
    }

    /// Changes a user as an administrator would.
    func edit(_ name: String, _ edit: @escaping @Sendable (inout User) -> Void) async throws {
        try await write { change throws(PoolError) in
            guard var user = try change.session.user(named: UserName(name, in: change.settings)) else {
                throw .userNotFound
            }
            edit(&user)
            try change.save(user)
        }
    }

    /// Makes a change of the pool's data.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (PoolWriting) throws(PoolError) -> Value
    ) async throws(PoolError) -> Value {
        let settings = pool.settings
        let now = clock.now
        return try await pool.write { session throws(PoolError) in
            try work(PoolWriting(session: session, settings: settings, now: now))
        }
    }

    func user(_ name: String) async throws -> User {
        let user = try await write { change throws(PoolError) in
            try change.session.user(named: UserName(name, in: change.settings))
        }
        return try #require(user)
    }

    // MARK: Messages

    /// The code that was sent last, to an address where one is named.
    func code(to address: String? = nil) async throws -> String {
        let code = try await write { change throws(PoolError) -> String? in
            var code: String?
            try change.session.rows(Self.codes, [.text(address ?? "")]) { row throws(PoolError) in
                code = row.text(0)
                return false
            }
            return code
        }
        return try #require(code)
    }

    private static let codes = RoomStatement(
        "SELECT code FROM _homeport_messages WHERE ?1 IN ('', address) ORDER BY number DESC LIMIT 1")

    func messageCount() async throws -> Int64 {
        try await write { change throws(PoolError) in
            var count: Int64 = 0
            try change.session.rows(RoomStatement("SELECT count(*) FROM _homeport_messages"), []) {
                row throws(PoolError) in
                count = row.integer(0)
                return false
            }
            return count
        }
    }
}

extension JSONValue {
    /// The challenge of an answer.
    var challenge: String? { self["ChallengeName"]?.string }

    /// A parameter of it.
    func parameter(_ name: String) -> String? { self["ChallengeParameters"]?[name]?.string }

    /// A list that a parameter holds as text.
    func list(_ name: String) -> [String] {
        guard let text = parameter(name), let list = (try? JSONReader.value(of: text))?.array else { return [] }
        return list.compactMap(\.string)
    }

    /// A token of an answer.
    func token(_ name: String) -> JSONValue? { self["AuthenticationResult"]?[name] }

    /// Whether it lets its user in.
    var signsIn: Bool { token("AccessToken") != nil }

    /// What a token says.
    func claims(of name: String) throws -> JSONValue {
        let parts = try #require(token(name)?.string).utf8.split(separator: UInt8(ascii: "."))
        return try JSONReader.value(of: try #require(Base64.bytes(of: parts[1])))
    }
}
