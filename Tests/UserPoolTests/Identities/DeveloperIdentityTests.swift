import Cloud
import Crypto
import JSON
import Testing

@testable import UserPool

@Suite("Users whom the app's own backend signs in")
struct DeveloperIdentityTests {
    private typealias Pool = TestIdentityPool
    private static let provider = "login.garden.app"
    private static let key = "cognito-identity.amazonaws.com"
    private static let refused = "NotAuthorizedException: "
    private static let noLogin =
        refused + "Logins don't match. Please include at least one valid login for this identity or identity pool."
    private static let cognitoToken = refused + "Invalid login token. Can't pass in a Cognito token."
    private static let unsupported =
        "InvalidParameterException: This identity pool does not support the specified developer provider."
    private static let other = "ResourceConflictException: Login is already linked to another identity."
    private static let unknown = "ResourceNotFoundException: Developer user identifier not found."

    /// A pool whose backend may sign users in.
    private func pool(_ change: (inout PoolSettings) -> Void = { _ in }) async throws -> Pool {
        try await Pool {
            $0.developerProvider = Self.provider
            change(&$0)
        }
    }

    @Test("a user of the backend's has one identity, whose token gives keys of the role of signed-in users")
    func token() async throws {
        let test = try await pool()
        let made = await test.begin("ann")
        let identity = try #require(made["IdentityId"]?.string, "\(made)")
        let token = try #require(made["Token"]?.string)
        #expect(test.pool.identityNames.isOwn(identity))
        #expect(await test.begin("ann")["IdentityId"]?.string == identity)
        #expect(await test.begin("ann", identity: identity)["IdentityId"]?.string == identity)
        #expect(await test.begin("bob")["IdentityId"]?.string != identity)
        let claims = try #require(Self.claims(token))
        #expect(claims["sub"]?.string == identity && claims["iss"] == "https://cognito-identity.amazonaws.com")
        #expect(claims["aud"]?.string == Pool.identifiers.identityPoolID)
        #expect(
            claims["amr"]
                == [
                    "authenticated", "login.garden.app",
                    .string("login.garden.app:\(Pool.identifiers.identityPoolID):ann"),
                ])
        #expect(claims["exp"]?.integer == test.time.seconds + 900)
        let longer = await test.begin("ann", JSONObject([("TokenDuration", 86_400)]))["Token"]?.string
        #expect(Self.claims(longer ?? "")?["exp"]?.integer == test.time.seconds + 86_400)

        let keys = await test.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key)
        #expect(keys["IdentityId"]?.string == identity, "\(keys)")
        let principal = try #require(
            test.pool.temporaryCredentials.credential(
                ofKey: keys["Credentials"]?["AccessKeyId"]?.string ?? "",
                sessionToken: keys["Credentials"]?["SessionToken"]?.string ?? "")
        ).principal
        #expect(principal.role == .authenticated && principal.identityID == identity)
        #expect(principal.userARN == "arn:aws:sts::123456789012:assumed-role/authRole/CognitoIdentityCredentials")
        #expect(
            principal.authProvider
                == "\"login.garden.app\",\"login.garden.app:\(Pool.identifiers.identityPoolID):ann\"")
        #expect(await test.assume(token) == "arn:aws:sts::123456789012:assumed-role/authRole/session")
        #expect(await test.assume(token, role: Pool.group) == "AccessDenied")
        let described = await test.call("DescribeIdentity", ["IdentityId": .string(identity)], by: true)
        #expect(described["Logins"] == [.string(Self.provider)])
        let pool = await test.call(
            "DescribeIdentityPool", ["IdentityPoolId": .string(Pool.identifiers.identityPoolID)], by: true)
        #expect(pool["DeveloperProviderName"] == .string(Self.provider))
        test.time.seconds += 900
        #expect(
            await test.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key)["!"]?.string
                == Self.refused + "Invalid login token. Token is expired.")
    }

    @Test("the longest name of any characters gives keys that are good", arguments: ["\u{1}", "\"", "🌱", "é"])
    func longNames(character: String) async throws {
        let test = try await pool()
        let name = String(repeating: character, count: 1_024)
        let made = await test.begin(name)
        let (identity, token) = (try #require(made["IdentityId"]?.string), try #require(made["Token"]?.string))
        let keys = await test.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key)["Credentials"]
        let credential = test.pool.temporaryCredentials.credential(
            ofKey: keys?["AccessKeyId"]?.string ?? "", sessionToken: keys?["SessionToken"]?.string ?? "")
        #expect(credential?.principal.identityID == identity)
        let long = await test.begin(name + character)["!"]?.string
        #expect(long?.hasPrefix("InvalidParameterException: 1 validation error detected: ") == true)
        #expect(await test.begin("")["!"]?.string?.hasPrefix("InvalidParameterException: ") == true)
    }

    @Test("only administrators call the backend's operations, and a pool without a backend has none")
    func doors() async throws {
        let test = try await pool()
        let id = JSONValue.string(Pool.identifiers.identityPoolID)
        let calls: [(String, JSONValue)] = [
            ("GetOpenIdTokenForDeveloperIdentity", ["IdentityPoolId": id, "Logins": [Self.provider: "ann"]]),
            ("LookupDeveloperIdentity", ["IdentityPoolId": id, "DeveloperUserIdentifier": "ann"]),
            (
                "MergeDeveloperIdentities",
                [
                    "IdentityPoolId": id, "SourceUserIdentifier": "a", "DestinationUserIdentifier": "b",
                    "DeveloperProviderName": .string(Self.provider),
                ]
            ),
            (
                "UnlinkDeveloperIdentity",
                [
                    "IdentityPoolId": id, "IdentityId": id, "DeveloperUserIdentifier": "a",
                    "DeveloperProviderName": .string(Self.provider),
                ]
            ),
        ]
        let without = try await Pool()
        for (operation, members) in calls {
            let refusal = await test.call(operation, members)["!"]?.string
            #expect(refusal?.hasPrefix("MissingAuthenticationTokenException: ") == true, "\(operation)")
            #expect(await without.call(operation, members, by: true)["!"]?.string == Self.unsupported, "\(operation)")
            guard case .object(var elsewhere) = members else { continue }
            elsewhere.set("IdentityPoolId", to: "us-east-1:22222222-2222-4333-8444-555555555555")
            let unknown = await test.call(operation, .object(elsewhere), by: true)["!"]?.string
            #expect(unknown?.hasPrefix("ResourceNotFoundException: IdentityPool ") == true, "\(operation)")
        }
        #expect(await test.begin("ann", provider: "login.other.app")["!"]?.string == Self.unsupported)
        #expect(await test.merge("a", "b", provider: "login.other.app") == Self.unsupported)
        for seconds in [0, 86_401] {
            let refusal = await test.begin("ann", JSONObject([("TokenDuration", .integer(Int64(seconds)))]))["!"]?
                .string
            #expect(refusal?.hasPrefix("InvalidParameterException: ") == true)
        }
    }

    @Test("a token of the backend is a login for keys alone; nobody is the backend's user by saying so")
    func publicCalls() async throws {
        let test = try await pool()
        let made = await test.begin("ann")
        let (identity, token) = (try #require(made["IdentityId"]?.string), try #require(made["Token"]?.string))
        let guest = try await test.newGuest()
        for operation in ["GetId", "GetOpenIdToken"] {
            let answer = await test.ask(operation, operation == "GetId" ? nil : identity, token: token, key: Self.key)
            #expect(answer["!"]?.string == Self.cognitoToken, "\(operation)")
        }
        let foreign = Self.refused + "Token is not from a supported provider of this identity pool."
        #expect(
            await test.ask("GetCredentialsForIdentity", identity, token: "ann", key: Self.provider)["!"]?.string
                == foreign)
        #expect(
            await test.ask("GetCredentialsForIdentity", identity)["!"]?.string
                == Self.refused + "Access to Identity '\(identity)' is forbidden.")
        let bob = try #require(await test.begin("bob")["IdentityId"]?.string)
        for id in [bob, guest] {
            #expect(
                await test.ask("GetCredentialsForIdentity", id, token: token, key: Self.key)["!"]?.string
                    == Self.noLogin)
        }
        #expect(
            await test.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key, role: Pool.group)["!"]?
                .string == Self.refused + "The login does not name the role of CustomRoleArn.")
        // The pool's other tokens are none of the backend.
        let user = try await test.makeUser("user")
        let own = try await test.identity(of: test.token(user))
        let others = [
            await test.ask("GetOpenIdToken", guest)["Token"]?.string,
            await test.ask("GetOpenIdToken", own, token: test.token(user))["Token"]?.string,
        ]
        for other in others {
            let answer = await test.ask("GetCredentialsForIdentity", own, token: other ?? "", key: Self.key)
            #expect(answer["!"]?.string == Self.cognitoToken)
        }
        let wrong = await test.ask("GetCredentialsForIdentity", identity, token: token + "A", key: Self.key)
        #expect(wrong["!"]?.string == Self.refused + "Invalid login token. Couldn't verify signed token.")
        // Under another name of the backend, or without one, the token is nobody's.
        for name in ["login.other.app", nil] {
            let again = try await Pool(over: test.store) { $0.developerProvider = name }
            let answer = await again.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key)
            #expect(answer["!"]?.string?.hasPrefix(Self.refused) == true)
            #expect(await again.assume(token) == "InvalidIdentityToken")
        }
    }

    @Test("the backend's user keeps a guest's identity, and no identity that has a login is reached without it")
    func linking() async throws {
        let test = try await pool()
        let guest = try await test.newGuest()
        #expect(await test.begin("ann", identity: guest)["IdentityId"]?.string == guest)
        #expect(await test.ask("GetCredentialsForIdentity", guest)["!"]?.string?.hasPrefix(Self.refused) == true)
        #expect(await test.begin("bob", identity: guest)["!"]?.string == Self.noLogin)
        let another = try await test.newGuest()
        let registered = await test.begin("ann", identity: another)["!"]?.string
        #expect(registered?.hasPrefix("DeveloperUserAlreadyRegisteredException: ") == true)
        // A user of the pool: with their login the backend's user is the same one, without it nobody.
        let carl = try await test.makeUser("carl")
        let own = try await test.identity(of: test.token(carl))
        #expect(await test.begin("carl", identity: own)["!"]?.string == Self.noLogin)
        #expect(await test.begin("carl", login: test.token(carl))["IdentityId"]?.string == own)
        #expect(await test.begin("ann", login: test.token(carl))["!"]?.string == Self.other)
        let dora = try await test.makeUser("dora")
        #expect(await test.begin("dora", login: test.token(dora), identity: own)["!"]?.string == Self.noLogin)
        let made = await test.begin("dora")
        let (identity, token) = (try #require(made["IdentityId"]?.string), try #require(made["Token"]?.string))
        let both: JSONValue = [
            "IdentityId": .string(identity),
            "Logins": [Self.key: .string(token), Pool.provider: .string(test.token(dora))],
        ]
        #expect(await test.call("GetCredentialsForIdentity", both)["IdentityId"]?.string == identity)
        #expect(try await test.identity(of: test.token(dora)) == identity)
        let stolen: JSONValue = [
            "IdentityId": .string(identity),
            "Logins": [Self.key: .string(token), Pool.provider: .string(test.token(carl))],
        ]
        #expect(await test.call("GetCredentialsForIdentity", stolen)["!"]?.string == Self.noLogin)
        // A name that somebody has made up becomes nobody's.
        let dead = "us-east-1:00000000-0000-4000-8000-000000000000"
        let fresh = await test.begin("eve", identity: dead)["IdentityId"]?.string
        #expect(fresh != dead && fresh.map(test.pool.identityNames.isOwn) == true)
        let strict = try await pool { $0.adoptsUnknownGuests = false }
        #expect(
            await strict.begin("eve", identity: dead)["!"]?.string
                == "ResourceNotFoundException: Identity '\(dead)' not found.")
    }

    @Test("users are looked up by identity and by name, page by page")
    func lookingUp() async throws {
        let test = try await pool()
        let identity = try #require(await test.begin("u00")["IdentityId"]?.string)
        for number in 1..<20 {
            let name = "u\(number / 10)\(number % 10)"
            _ = await test.begin(name)
            #expect(await test.merge(name, "u00") == identity)
        }
        let full = await test.begin("u20")["IdentityId"]?.string
        #expect(
            await test.merge("u20", "u00")
                == "InvalidParameterException: An identity can have at most 20 developer user identifiers.")
        #expect(await test.lookUp(user: "u20")["IdentityId"]?.string == full)
        var names: [String] = []
        var token: String?
        for _ in 0..<4 {
            let page = await test.lookUp(identity: identity, max: 6, token: token)
            names += page["DeveloperUserIdentifierList"]?.array?.compactMap(\.string) ?? []
            token = page["NextToken"]?.string
        }
        #expect(token == nil)
        #expect(names == (0..<20).map { "u\($0 / 10)\($0 % 10)" })
        let both = await test.lookUp(identity: identity, user: "u07")
        #expect(both["IdentityId"]?.string == identity && both["DeveloperUserIdentifierList"] == ["u07"])
        #expect(await test.lookUp(identity: full, user: "u07")["!"]?.string == Self.other)
        #expect(await test.lookUp(user: "nobody")["!"]?.string == Self.unknown)
        #expect(await test.lookUp()["!"]?.string?.hasPrefix("InvalidParameterException: ") == true)
        let guest = try await test.newGuest()
        #expect(
            await test.lookUp(identity: guest)["!"]?.string
                == "ResourceNotFoundException: Identity '\(guest)' not found.")
    }

    @Test("merged users have the second one's identity, unless both are users of the pool")
    func merging() async throws {
        let test = try await pool()
        let carl = try await test.makeUser("carl")
        let first = try #require(await test.begin("a", login: test.token(carl))["IdentityId"]?.string)
        let token = await test.begin("a")["Token"]?.string ?? ""
        let second = try #require(await test.begin("b")["IdentityId"]?.string)
        #expect(await test.merge("a", "b") == second)
        #expect(await test.merge("a", "b") == second)
        #expect(try await test.identity(of: test.token(carl)) == second)
        #expect(await test.begin("a")["IdentityId"]?.string == second)
        // What was made for the former identity is nobody's.
        #expect(
            await test.ask("GetCredentialsForIdentity", first, token: token, key: Self.key)["!"]?.string
                == Self.noLogin)
        #expect(await test.ask("GetCredentialsForIdentity", first)["!"]?.string?.hasPrefix(Self.refused) == true)
        let dora = try await test.makeUser("dora")
        _ = await test.begin("d", login: test.token(dora))
        #expect(await test.merge("d", "a") == Self.other)
        #expect(await test.merge("nobody", "a") == Self.unknown)
        #expect(await test.merge("a", "nobody") == Self.unknown)
    }

    @Test("an unlinked user is new when they come again, and their token gives nothing")
    func unlinking() async throws {
        let test = try await pool()
        let made = await test.begin("ann")
        let (identity, token) = (try #require(made["IdentityId"]?.string), try #require(made["Token"]?.string))
        let bob = try #require(await test.begin("bob")["IdentityId"]?.string)
        #expect(await test.unlink("ann", from: bob) == Self.other)
        #expect(await test.unlink("nobody", from: identity) == Self.unknown)
        #expect(await test.unlink("ann", from: identity) == nil)
        #expect(await test.unlink("ann", from: identity) == Self.unknown)
        #expect(
            await test.ask("GetCredentialsForIdentity", identity, token: token, key: Self.key)["!"]?.string
                == Self.noLogin)
        #expect(await test.assume(token) == "AccessDenied")
        let again = await test.begin("ann")["IdentityId"]?.string
        #expect(again != nil && again != identity)
        #expect(await test.begin("carl", identity: identity)["!"]?.string == Self.noLogin)
        // Apps take a login away by its token.
        let second = try #require(await test.begin("ann")["Token"]?.string)
        let own = try #require(again)
        for remove in [[Pool.provider], [Self.provider, "accounts.google.com"], []] {
            let answer = await test.ask("UnlinkIdentity", own, token: second, key: Self.key, remove: remove)
            #expect(answer["!"]?.string == Self.noLogin, "\(remove)")
        }
        #expect(
            await test.ask("UnlinkIdentity", bob, token: second, key: Self.key, remove: [Self.provider])["!"]?.string
                == Self.noLogin)
        #expect(
            await test.ask("UnlinkIdentity", own, token: second, key: Self.key, remove: [Self.provider]).isEmpty)
        #expect(await test.assume(second) == "AccessDenied")
    }

    @Test("of many who take the same guest's identity at once, one gets it")
    func linkingAtOnce() async throws {
        let test = try await pool()
        for round in 0..<10 {
            let guest = try await test.newGuest()
            let answers = await withTaskGroup(of: JSONObject.self, returning: [JSONObject].self) { group in
                for user in 0..<4 {
                    group.addTask { await test.begin("u\(round)-\(user)", identity: guest, on: PoolShard()) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0["IdentityId"]?.string == guest }.count == 1)
            #expect(answers.filter { $0["!"]?.string == Self.noLogin }.count == 3, "\(answers)")
        }
    }

    /// What a token says.
    private static func claims(_ token: String) -> JSONObject? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64.bytes(of: parts[1].utf8, .url) else { return nil }
        return try? JSONReader.value(of: bytes).object
    }
}

extension TestIdentityPool {
    private static let backend = "login.garden.app"
    private static var id: JSONValue { .string(identifiers.identityPoolID) }

    /// The backend asks for a token of a user.
    fileprivate func begin(
        _ user: String, _ others: JSONObject = JSONObject(), provider: String = TestIdentityPool.backend,
        login: String? = nil, identity: String? = nil, on shard: PoolShard? = nil
    ) async -> JSONObject {
        var (members, logins) = (others, JSONObject([(provider, .string(user))]))
        if let login { logins.set(Self.provider, to: .string(login)) }
        members.set("IdentityPoolId", to: Self.id)
        members.set("Logins", to: .object(logins))
        if let identity { members.set("IdentityId", to: .string(identity)) }
        return await call("GetOpenIdTokenForDeveloperIdentity", .object(members), on: shard, by: true)
    }

    fileprivate func lookUp(
        identity: String? = nil, user: String? = nil, max: Int64? = nil, token: String? = nil
    ) async -> JSONObject {
        var members = JSONObject([("IdentityPoolId", Self.id)])
        if let identity { members.set("IdentityId", to: .string(identity)) }
        if let user { members.set("DeveloperUserIdentifier", to: .string(user)) }
        if let max { members.set("MaxResults", to: .integer(max)) }
        if let token { members.set("NextToken", to: .string(token)) }
        return await call("LookupDeveloperIdentity", .object(members), by: true)
    }

    /// The identity of both, or the refusal.
    fileprivate func merge(
        _ source: String, _ destination: String, provider: String = TestIdentityPool.backend
    ) async -> String? {
        let answer = await call(
            "MergeDeveloperIdentities",
            [
                "IdentityPoolId": Self.id, "SourceUserIdentifier": .string(source),
                "DestinationUserIdentifier": .string(destination), "DeveloperProviderName": .string(provider),
            ], by: true)
        return answer["IdentityId"]?.string ?? answer["!"]?.string
    }

    /// Nil, or the refusal.
    fileprivate func unlink(_ user: String, from identity: String) async -> String? {
        await call(
            "UnlinkDeveloperIdentity",
            [
                "IdentityPoolId": Self.id, "IdentityId": .string(identity), "DeveloperUserIdentifier": .string(user),
                "DeveloperProviderName": .string(Self.backend),
            ], by: true)["!"]?.string
    }

    /// The role that STS gives for a token, or the type of its refusal.
    fileprivate func assume(
        _ token: String, role: String = "arn:aws:iam::123456789012:role/authRole"
    ) async -> String {
        do throws(CloudError) {
            let call = try AssumeRoleCall(form: [
                (name: "RoleArn", value: role), (name: "RoleSessionName", value: "session"),
                (name: "WebIdentityToken", value: token),
            ])
            return try await pool.assumeRole(call, on: PoolShard()).userARN
        } catch { return error.type }
    }
}
