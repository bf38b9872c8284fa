import Access
import JSON
import Testing

@testable import UserPool

@Suite("Identities of users and guests")
struct IdentityTests {
    private typealias Pool = TestIdentityPool
    private static let noLogin =
        "NotAuthorizedException: Logins don't match. Please include at least one valid login for this identity or identity pool."

    @Test("a user has one identity, by either name of the provider, and over a new start; others have others")
    func stableIdentities() async throws {
        let test = try await Pool()
        let (ann, bob) = (try await test.makeUser("ann"), try await test.makeUser("bob"))
        let first = try await test.identity(of: test.token(ann))
        #expect(test.pool.identityNames.isOwn(first) && first.hasPrefix("us-east-1:"))
        #expect(try await test.identity(of: test.token(ann)) == first)
        #expect(try await test.identity(of: test.token(ann), key: "localhost:20002/us-east-1_abcDEF123") == first)
        #expect(try await test.identity(of: test.token(bob)) != first)
        let again = try await Pool(over: test.store)
        #expect(try await again.identity(of: again.token(ann)) == first)
        let guests = [try await test.newGuest(), try await test.newGuest(), try await again.newGuest()]
        #expect(Set(guests + [first]).count == 4)
        #expect(guests.allSatisfy(again.pool.identityNames.isOwn))
    }

    @Test("logins that are absent, null or empty are a guest's")
    func guests() async throws {
        let test = try await Pool()
        for logins: JSONValue? in [nil, .null, .object(JSONObject())] {
            var members = JSONObject([("IdentityPoolId", .string(Pool.identifiers.identityPoolID))])
            if let logins { members.set("Logins", to: logins) }
            let id = try #require(await test.call("GetId", .object(members))["IdentityId"]?.string)
            var ask = JSONObject([("IdentityId", .string(id))])
            if let logins { ask.set("Logins", to: logins) }
            let answer = await test.call("GetCredentialsForIdentity", .object(ask))
            #expect(answer["IdentityId"]?.string == id)
            let credentials = answer["Credentials"]
            #expect(credentials?["AccessKeyId"]?.string?.hasPrefix("ASIA") == true)
            #expect(credentials?["AccessKeyId"]?.string?.utf8.count == 20)
            #expect(credentials?["SecretKey"]?.string?.utf8.count == 40)
            #expect(credentials?["SessionToken"]?.string?.isEmpty == false)
            #expect(credentials?["Expiration"]?.integer == test.time.seconds + 3_600)
        }
    }

    @Test("what a login must be, in the service's words")
    func logins() async throws {
        let test = try await Pool()
        let ann = try await test.makeUser("ann")
        let gone = try await test.makeUser("gone")
        let (goneToken, off) = (test.token(gone), try await test.makeUser("off"))
        try await test.delete(gone)
        try await test.disable(off)
        let good = test.token(ann)
        let now = test.time.seconds
        let refused = "NotAuthorizedException: "
        let unsigned = refused + "Invalid login token. Couldn't verify signed token."
        let foreign = refused + "Token is not from a supported provider of this identity pool."
        let issuer = refused + "Invalid login token. Issuer doesn't match providerName"
        let noCognito = refused + "Invalid login token. Not a Cognito token."
        let malformed = refused + "Invalid login token. Not a valid OpenId Connect identity token."
        let rows: [(name: String, key: String, token: String, says: String)] = [
            ("no token", Pool.provider, "x", malformed), ("an empty token", Pool.provider, "", malformed),
            ("a changed signature", Pool.provider, String(good.dropLast(4)) + "AAAA", unsigned),
            ("another's key", Pool.provider, test.token(ann, isForeign: true), unsigned),
            ("another provider", "accounts.google.com", good, foreign),
            ("another pool's provider", "cognito-idp.us-east-1.amazonaws.com/us-east-1_other", good, foreign),
            ("another case", Pool.provider.uppercased(), good, foreign),
            ("a path behind", Pool.provider + "/x", good, foreign),
            ("another address than the token's", "127.0.0.1:1/us-east-1_abcDEF123", good, issuer),
            (
                "another issuer", Pool.provider,
                test.token(ann) { $0.set("iss", to: "https://evil.example/us-east-1_x") }, issuer
            ),
            ("no issuer", Pool.provider, test.token(ann) { $0.remove("iss") }, issuer),
            ("an access token", Pool.provider, test.token(ann) { $0.set("token_use", to: "access") }, noCognito),
            ("no use", Pool.provider, test.token(ann) { $0.remove("token_use") }, noCognito),
            ("no end", Pool.provider, test.token(ann) { $0.remove("exp") }, noCognito),
            ("another client", Pool.provider, test.token(ann) { $0.set("aud", to: "other") }, foreign),
            ("no client", Pool.provider, test.token(ann) { $0.remove("aud") }, foreign),
            (
                "a token that has ended", Pool.provider, test.token(ann) { $0.set("exp", to: .integer(now)) },
                refused + "Invalid login token. Token expired: \(now) >= \(now)"
            ),
            (
                "somebody who is not there", Pool.provider, test.token("4a1f0000-0000-4000-8000-000000000000"),
                refused + "Invalid login token. User does not exist."
            ),
            (
                "a name instead of a `sub`", Pool.provider, test.token("ann"),
                refused + "Invalid login token. User does not exist."
            ),
            ("somebody deleted", Pool.provider, goneToken, refused + "Invalid login token. User does not exist."),
            ("somebody disabled", Pool.provider, test.token(off), refused + "User is disabled."),
        ]
        let guest = try await test.newGuest()
        for row in rows {
            for (operation, id) in [
                ("GetId", nil), ("GetCredentialsForIdentity", guest), ("GetOpenIdToken", guest),
            ] {
                let answer = await test.ask(operation, id, token: row.token, key: row.key)
                #expect(answer["!"]?.string == row.says, "\(row.name): \(operation)")
            }
            let unlinked = await test.ask("UnlinkIdentity", guest, token: row.token, key: row.key, remove: [row.key])
            #expect(unlinked["!"]?.string == row.says, "\(row.name)")
        }
        // None of these has made the guest anybody's.
        #expect(await test.ask("GetCredentialsForIdentity", guest)["IdentityId"]?.string == guest)
    }

    @Test("a second login of somebody else, or of another provider, refuses the whole call")
    func severalLogins() async throws {
        let test = try await Pool()
        let (ann, bob) = (try await test.makeUser("ann"), try await test.makeUser("bob"))
        let local = "localhost:20002/us-east-1_abcDEF123"
        func ask(_ logins: [(String, String)]) async -> String? {
            let answer = await test.call(
                "GetId",
                [
                    "IdentityPoolId": .string(Pool.identifiers.identityPoolID),
                    "Logins": .object(JSONObject(logins.map { ($0.0, .string($0.1)) })),
                ])
            return answer["!"]?.string ?? answer["IdentityId"]?.string
        }
        let own = try await test.identity(of: test.token(ann))
        #expect(await ask([(Pool.provider, test.token(ann)), (local, test.token(ann))]) == own)
        #expect(await ask([(Pool.provider, test.token(ann)), (local, test.token(bob))]) == Self.noLogin)
        #expect(
            await ask([(Pool.provider, test.token(ann)), ("graph.facebook.com", "x")])
                == "NotAuthorizedException: Token is not from a supported provider of this identity pool.")
    }

    @Test("an identity needs its own login, and a guest's becomes the login's that comes with it first")
    func linking() async throws {
        let test = try await Pool()
        let (ann, bob) = (try await test.makeUser("ann"), try await test.makeUser("bob"))
        let guest = try await test.newGuest()
        let other = try await test.newGuest()
        #expect(await test.ask(guest: guest, token: test.token(ann)) == guest)
        #expect(try await test.identity(of: test.token(ann)) == guest)
        // From now on it is no guest's.
        #expect(
            await test.ask(guest: guest) == "NotAuthorizedException: Access to Identity '\(guest)' is forbidden.")
        #expect(await test.ask(guest: guest, token: test.token(bob)) == Self.noLogin)
        // Who has one already gets that, whichever guest's is named.
        #expect(await test.ask(guest: other, token: test.token(ann)) == guest)
        #expect(await test.ask(guest: other) == other)
        #expect(await test.ask(guest: other, token: test.token(bob)) == other)
        for operation in ["GetOpenIdToken", "GetCredentialsForIdentity"] {
            #expect(await test.ask(operation, guest, token: test.token(bob))["!"]?.string == Self.noLogin)
        }
    }

    @Test("two users who take the same guest's identity at once never share it")
    func linkingAtOnce() async throws {
        let test = try await Pool()
        for round in 0..<20 {
            let guest = try await test.newGuest()
            var tokens: [String] = []
            for user in 0..<4 { tokens.append(test.token(try await test.makeUser("u\(round)-\(user)"))) }
            let answers = await withTaskGroup(of: String.self, returning: [String].self) { group in
                for token in tokens {
                    group.addTask { await test.ask(guest: guest, token: token, on: PoolShard()) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == guest }.count == 1, "\(answers)")
            #expect(answers.filter { $0 == Self.noLogin }.count == 3, "\(answers)")
            var identities: Set<String> = []
            for token in tokens { identities.insert(try await test.identity(of: token)) }
            #expect(identities.count == 4)
        }
        // One user who asks many times at once has one.
        let token = test.token(try await test.makeUser("one"))
        let same = await withTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
            for _ in 0..<8 {
                group.addTask { await test.ask("GetId", token: token, on: PoolShard())["IdentityId"]?.string }
            }
            return await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(same.count == 1 && !same.contains(nil))
    }

    private static let dead = "us-east-1:00000000-0000-4000-8000-000000000000"

    @Test("a name that nobody knows is a new guest's where that is wished, and never becomes a user's")
    func adoption() async throws {
        for (adopts, guests) in [(true, true), (true, false), (false, true), (false, false)] {
            let test = try await Pool {
                $0.adoptsUnknownGuests = adopts
                $0.allowsGuests = guests
            }
            let ann = try await test.makeUser("ann")
            let unknown = "ResourceNotFoundException: Identity '\(Self.dead)' not found."
            let noGuests =
                "NotAuthorizedException: Unauthenticated access is not supported for this identity pool."
            let asGuest = await test.ask(guest: Self.dead)
            #expect(asGuest == (!adopts ? unknown : guests ? Self.dead : noGuests), "\(adopts) \(guests)")
            let asUser = await test.ask(guest: Self.dead, token: test.token(ann))
            if adopts {
                #expect(asUser != Self.dead && test.pool.identityNames.isOwn(asUser), "\(asUser)")
                #expect(try await test.identity(of: test.token(ann)) == asUser)
            } else {
                #expect(asUser == unknown)
            }
            let new = await test.ask("GetId")
            #expect((new["!"]?.string == noGuests) == !guests)
            for id in ["eu-west-1:00000000-0000-4000-8000-000000000000", "us-east-1:0", "us-east-1:-"] {
                #expect(await test.ask(guest: id) == "ResourceNotFoundException: Identity '\(id)' not found.")
            }
        }
    }

    @Test("members are what the service's model says")
    func shapes() async throws {
        let test = try await Pool()
        let long = String(repeating: "a", count: 60)
        for id in ["", "x", "us-east-1:ZZ", "us east:00", "us-east-1:0\n", "us-east-1:\(long)", "a:b:c"] {
            let answer = await test.ask(guest: id)
            #expect(answer.hasPrefix("InvalidParameterException: "), "\(id): \(answer)")
        }
        let pool = Pool.identifiers.identityPoolID
        let rows: [(JSONValue, String)] = [
            (["IdentityPoolId": 1], "SerializationException: "), ([:], "InvalidParameterException: "),
            (["IdentityPoolId": .string(pool), "Logins": []], "SerializationException: "),
            (["IdentityPoolId": .string(pool), "Logins": ["a": 1]], "SerializationException: "),
            (["IdentityPoolId": .string(pool), "AccountId": "x"], "InvalidParameterException: "),
            (
                ["IdentityPoolId": "us-east-1:11111111-2222-4333-8444-555555555556"],
                "ResourceNotFoundException: IdentityPool 'us-east-1:11111111-2222-4333-8444-555555555556' not found."
            ),
        ]
        for (members, says) in rows {
            #expect(await test.call("GetId", members)["!"]?.string?.hasPrefix(says) == true, "\(members)")
        }
    }

    @Test("an identity whose login was taken from it is nobody's, and its user gets a new one")
    func unlinking() async throws {
        let test = try await Pool()
        let (ann, bob) = (try await test.makeUser("ann"), try await test.makeUser("bob"))
        let first = try await test.identity(of: test.token(ann))
        let (annToken, bobToken) = (test.token(ann), test.token(bob))
        let wrong = [
            await test.ask("UnlinkIdentity", first, token: bobToken, remove: [Pool.provider]),
            await test.ask("UnlinkIdentity", first, token: annToken, remove: ["accounts.google.com"]),
            await test.ask("UnlinkIdentity", first, token: annToken, remove: []),
        ]
        for answer in wrong { #expect(answer["!"]?.string == Self.noLogin) }
        #expect(
            await test.ask("UnlinkIdentity", first, remove: [Pool.provider])["!"]?.string?
                .hasPrefix("InvalidParameterException") == true)
        #expect(try await test.identity(of: annToken) == first)
        #expect(await test.ask("UnlinkIdentity", first, token: annToken, remove: [Pool.provider]).isEmpty)
        #expect(await test.ask(guest: first) == "NotAuthorizedException: Access to Identity '\(first)' is forbidden.")
        #expect(await test.ask(guest: first, token: annToken) == Self.noLogin)
        #expect(await test.ask(guest: first, token: bobToken) == Self.noLogin)
        #expect(try await test.identity(of: annToken) != first)
    }
}

extension TestIdentityPool {
    /// The identity whose credentials an answer has, or its refusal.
    func ask(guest identity: String, token: String? = nil, on shard: PoolShard? = nil) async -> String {
        let answer = await ask("GetCredentialsForIdentity", identity, token: token, on: shard)
        return answer["!"]?.string ?? answer["IdentityId"]?.string ?? "nothing"
    }
}
