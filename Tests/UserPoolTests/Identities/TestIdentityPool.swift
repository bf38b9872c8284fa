import Blueprint
import Crypto
import JSON
import PostgresSupport
import Store
import Synchronization
import Testing

@testable import UserPool

/// An identity pool over a database in memory, whose clock is the test's.
final class TestIdentityPool: Sendable {
    static let identifiers = PoolIdentifiers(
        region: "us-east-1", userPoolID: "us-east-1_abcDEF123", clientID: "client",
        identityPoolID: "us-east-1:11111111-2222-4333-8444-555555555555")
    static let provider = "cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123"
    static let issuer = "http://localhost:20002/us-east-1_abcDEF123"
    static let group = "arn:aws:iam::123456789012:role/admins"
    static let other = "arn:aws:iam::123456789012:role/others"
    private static let signer = TokenSigner(PrivateKey.makeRSA())
    private static let foreign = TokenSigner(PrivateKey.makeRSA())

    let pool: UserPool
    let store: Store
    /// Seconds since 1970.
    let time: TestTime
    private let shard = PoolShard()

    /// - Parameter store: that of another pool over the same data, as after a new start.
    init(over store: Store? = nil, _ change: (inout PoolSettings) -> Void = { _ in }) async throws {
        var settings = PoolSettings()
        change(&settings)
        let time = TestTime()
        self.time = time
        let blueprint = try #require(SDLReader.read("type A @model { id: ID! }", settings: Settings()).blueprint)
        self.store =
            try store ?? Store(TestDatabase.location(), for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        pool = UserPool(
            Self.identifiers, settings, over: self.store, keys: { PoolKeys(Self.signer) }, report: { _ in },
            clock: { time.seconds * 1_000 })
        _ = await call("GetId", ["IdentityPoolId": .string(Self.identifiers.identityPoolID)])
    }

    /// The clock of a test.
    final class TestTime: Sendable {
        private let value = Mutex<Int64>(1_800_000_000)
        var seconds: Int64 {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    /// The members of an answer, or `!`, the error's type and its text.
    func call(
        _ operation: String, _ members: JSONValue, target: String? = nil, from address: String = "127.0.0.1",
        on shard: PoolShard? = nil, by administrator: Bool = false
    ) async -> JSONObject {
        let call = PoolCall(
            target: target ?? "AWSCognitoIdentityService.\(operation)", body: JSONWriter.bytes(of: members),
            base: "http://localhost:20002", address: address, isByAdministrator: administrator)
        switch await pool.answer(call, on: shard ?? self.shard) {
        case .success(let bytes):
            return bytes.isEmpty ? JSONObject() : (try? JSONReader.value(of: bytes).object) ?? JSONObject()
        case .refusal(let error): return JSONObject([("!", .string("\(error.type): \(error.message)"))])
        }
    }

    func newGuest() async throws -> String {
        try #require(
            await call("GetId", ["IdentityPoolId": .string(Self.identifiers.identityPoolID)])["IdentityId"]?.string)
    }

    /// What a call for an identity answers.
    func ask(
        _ operation: String = "GetCredentialsForIdentity", _ identity: String? = nil, token: String? = nil,
        key: String = TestIdentityPool.provider, role: String? = nil, remove: [String]? = nil,
        on shard: PoolShard? = nil
    ) async -> JSONObject {
        var members = JSONObject()
        if let identity {
            members.set("IdentityId", to: .string(identity))
        } else {
            members.set("IdentityPoolId", to: .string(Self.identifiers.identityPoolID))
        }
        if let token { members.set("Logins", to: .object(JSONObject([(key, .string(token))]))) }
        if let role { members.set("CustomRoleArn", to: .string(role)) }
        if let remove { members.set("LoginsToRemove", to: .array(remove.map(JSONValue.string))) }
        return await call(operation, .object(members), on: shard)
    }

    func identity(of token: String, key: String = TestIdentityPool.provider) async throws -> String {
        let answer = await ask("GetId", token: token, key: key)
        return try #require(answer["IdentityId"]?.string, "\(answer)")
    }

    // MARK: Users

    /// Makes a user, whose `sub` is the answer.
    @discardableResult
    func makeUser(_ name: String) async throws -> String {
        let sub = UUIDText.random()
        let settings = pool.settings
        _ = try await pool.write { session throws(PoolError) in
            try PoolWriting(session: session, settings: settings, now: 0).create(
                User(
                    number: 0, sub: sub, name: name, status: .confirmed, isEnabled: true, created: 0, modified: 0,
                    attributes: JSONObject(), password: nil, foreignHash: nil, temporaryUntil: nil,
                    secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0),
                names: [(UserName(sub, in: settings), "sub"), (UserName(name, in: settings), "username")])
        }
        return sub
    }

    func disable(_ sub: String) async throws {
        let settings = pool.settings
        try await pool.write { session throws(PoolError) in
            guard var user = try session.user(named: UserName(sub, in: settings)) else { throw .userNotFound }
            user.isEnabled = false
            try PoolWriting(session: session, settings: settings, now: 0).save(user)
        }
    }

    /// Deletes a user, by what every way to do so deletes.
    func delete(_ sub: String) async throws {
        let settings = pool.settings
        try await pool.write { session throws(PoolError) in
            let change = PoolWriting(session: session, settings: settings, now: 0)
            try change.change(RoomStatement("DELETE FROM _homeport_user_names WHERE name = ?"), [.text(sub)])
            try change.change(RoomStatement("DELETE FROM _homeport_users WHERE sub = ?"), [.text(sub)])
        }
    }

    func join(_ sub: String, _ group: String, role: String) async throws {
        let settings = pool.settings
        try await pool.write { session throws(PoolError) in
            guard let user = try session.user(named: UserName(sub, in: settings)) else { throw .userNotFound }
            let change = PoolWriting(session: session, settings: settings, now: 0)
            try change.create(
                Group(name: group, description: nil, role: role, precedence: nil, created: 0, modified: 0))
            try change.change(
                RoomStatement("INSERT INTO _homeport_group_members (user, groupName) VALUES (?, ?)"),
                [.integer(user.number), .text(group)])
        }
    }

    /// An ID token of a user; the change makes another one of it.
    func token(
        _ sub: String, isForeign: Bool = false, _ change: (inout JSONObject) -> Void = { _ in }
    ) -> String {
        var claims = JSONObject([
            ("sub", .string(sub)), ("iss", .string(Self.issuer)), ("aud", "client"), ("token_use", "id"),
            ("exp", .integer(time.seconds + 3_600)), ("iat", .integer(time.seconds)),
        ])
        change(&claims)
        return (isForeign ? Self.foreign : Self.signer).token(claims: JSONWriter.bytes(of: .object(claims)))
    }
}
