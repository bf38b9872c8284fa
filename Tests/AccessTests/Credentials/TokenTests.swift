import Blueprint
import Crypto
import JSON
import Testing

@testable import Access

@Suite("Tokens")
struct TokenTests {
    private static func settings(_ issuers: TokenIssuer...) -> CredentialSettings {
        var settings = CredentialSettings(modes: [.userPools, .oidc])
        settings.issuers = issuers
        return settings
    }

    private static let keys = TokenIssuer.Keys.fixed(KeySet(TestIssuer.main.key.publicKey, id: "key-1"))
    private static let pool = TokenIssuer.userPool(TestIssuer.pool, keys: keys, clientIDs: [TestIssuer.client])
    private static let provider = TokenIssuer.provider(
        TestIssuer.provider, keys: keys, clientPattern: "client-[0-9]", issuedAtMilliseconds: 600_000,
        authenticatedMilliseconds: 1_200_000)

    /// What is changed of a good token, and how it is refused.
    static let badClaims: [(name: String, changes: [(String, JSONValue?)], refusal: Refusal)] = [
        ("expired", [("exp", .integer(TestIssuer.now))], .expiredToken),
        ("expired long ago", [("exp", 0)], .expiredToken),
        ("no end", [("exp", nil)], .notAuthorized),
        ("end is a text", [("exp", "9999999999")], .notAuthorized),
        ("end is beyond all numbers", [("exp", .largeInteger("99999999999999999999"))], .notAuthorized),
        ("end is no number", [("exp", .double(.infinity))], .notAuthorized),
        ("not yet", [("nbf", .integer(TestIssuer.now + 61))], .notAuthorized),
        ("not yet, by a text", [("nbf", "soon")], .notAuthorized),
        ("issued tomorrow", [("iat", .integer(TestIssuer.now + 86_400))], .notAuthorized),
        ("another client", [("aud", "client-2")], .notAuthorized),
        ("no client", [("aud", nil)], .notAuthorized),
        ("client in the wrong place", [("aud", nil), ("client_id", .string(TestIssuer.client))], .notAuthorized),
        ("access token of another client", [("token_use", "access"), ("client_id", "x")], .notAuthorized),
        ("access token without client", [("token_use", "access")], .notAuthorized),
        ("refresh token", [("token_use", "refresh")], .notAuthorized),
        ("no use", [("token_use", nil)], .notAuthorized),
        (
            "another issuer", [("iss", "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Elsewhere")],
            .notAuthorized
        ),
        ("no issuer", [("iss", nil)], .notAuthorized),
        ("issuer that begins alike", [("iss", .string(TestIssuer.pool + "x"))], .notAuthorized),
        ("issuer in a list", [("iss", .array([.string(TestIssuer.pool)]))], .notAuthorized),
    ]

    @Test("claims that do not hold are refused", arguments: badClaims.indices)
    func claims(row: Int) async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let (name, changes, refusal) = Self.badClaims[row]
        let token = TestIssuer.main.token(TestIssuer.claims(changes))
        #expect(await gate.result(token: token).refusal == refusal, "\(name)")
        #expect(await gate.result(token: TestIssuer.main.token()).identity?.token?.username == "alice")
    }

    static let badHeaders: [(name: String, header: [(String, JSONValue?)], refusal: Refusal)] = [
        ("none", [("alg", "none")], .notAuthorized),
        ("None", [("alg", "None")], .notAuthorized),
        ("no algorithm", [("alg", nil)], .unparsableToken),
        ("a list of algorithms", [("alg", .array(["RS256"]))], .unparsableToken),
        ("HS256", [("alg", "HS256")], .notAuthorized),
        ("another digest", [("alg", "RS512")], .notAuthorized),
        ("a curve", [("alg", "ES256")], .notAuthorized),
        ("lower case", [("alg", "rs256")], .notAuthorized),
        ("a key that nobody knows", [("kid", "key-2")], .notAuthorized),
        ("a key that is a path", [("kid", "../../dev/null")], .notAuthorized),
        ("a key that is a number", [("kid", 1)], .unparsableToken),
        ("something that must be understood", [("crit", .array(["exp"]))], .unparsableToken),
        ("packed claims", [("zip", "DEF")], .unparsableToken),
    ]

    @Test("headers that promise something else are refused", arguments: badHeaders.indices)
    func headers(row: Int) async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let (name, header, refusal) = Self.badHeaders[row]
        #expect(await gate.result(token: TestIssuer.main.token(header: header)).refusal == refusal, "\(name)")
    }

    @Test("a token without a signature, or with one by the public key as a secret, is refused")
    func forged() async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let main = TestIssuer.main
        let claims = TestIssuer.claims()
        for algorithm in ["none", "RS256", "HS256"] {
            let text = main.signed(claims, header: [], algorithm: algorithm)
            #expect(await gate.result(token: "\(text).").refusal == .notAuthorized)
        }
        let text = main.signed(claims, header: [], algorithm: "HS256")
        let numbers = try #require(main.key.publicKey.rsaNumbers)
        for secret in [numbers.modulus, JSONWriter.bytes(of: .object(main.jwk)), Array("key-1".utf8), []] {
            let code = HMACSHA256.code(of: Array(text.utf8), key: secret)
            #expect(await gate.result(token: "\(text).\(Base64.text(of: code))").refusal == .notAuthorized)
        }
    }

    @Test("a key that the token brings itself is not used")
    func ownKey() async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let jwk = TestIssuer.other.jwk
        for header: [(String, JSONValue?)] in [
            [("jwk", .object(jwk)), ("kid", "key-1")], [("jwk", .object(jwk)), ("kid", nil)],
            [("jku", "https://evil.test/jwks.json")], [("x5c", .array(["x"])), ("kid", "key-1")],
        ] {
            let token = TestIssuer.other.token(header: header)
            #expect(await gate.result(token: token).refusal == .notAuthorized)
        }
    }

    @Test("a changed token is refused, wherever it is changed")
    func changed() async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let parts = TestIssuer.main.token().split(separator: ".").map(String.init)
        let others = TestIssuer.main.token(TestIssuer.claims([("cognito:username", "bob")])).split(separator: ".")
        #expect(await gate.result(token: "\(parts[0]).\(others[1]).\(parts[2])").refusal == .notAuthorized)
        #expect(await gate.result(token: "\(parts[0]).\(parts[1]).\(others[2])").refusal == .notAuthorized)
        #expect(await gate.result(token: parts.joined(separator: ".")).identity != nil)
    }

    static let garbage = [
        "x", "a.b", "a.b.c", "a.b.c.d", "...", "..", "{}.{}.{}", "eyJ9.eyJ9.x", "Bearer", "Bearer ", "bearer a.b.c",
        "\u{0}.\u{0}.\u{0}",
        "e30.e30.", "bnVsbA.bnVsbA.bnVsbA", "W10.W10.W10", "eyJhbGciOiJSUzI1NiJ9.e30=.x", "Basic dTpw", "😀.😀.😀",
        String(repeating: ".", count: 10_000), String(repeating: "a", count: 1 << 20),
        "eyJhbGciOiJSUzI1NiJ9." + Base64.text(of: Array(String(repeating: "[", count: 5_000).utf8)) + ".x",
    ]

    @Test("what is no token is refused", arguments: garbage.indices)
    func malformed(row: Int) async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let refusal = await gate.result(token: Self.garbage[row]).refusal
        #expect(refusal?.status == 401)
        #expect(refusal == .unparsableToken || refusal == .notAuthorized)
    }

    @Test("a token beyond the limit of length is refused, one below is read")
    func length() async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let long = TestIssuer.main.token(
            TestIssuer.claims([("x", .string(String(repeating: "x", count: AccessLimits.tokenBytesMax)))]))
        #expect(await gate.result(token: long).refusal == .unparsableToken)
        let short = TestIssuer.main.token(
            TestIssuer.claims([("x", .string(String(repeating: "x", count: AccessLimits.tokenBytesMax / 2)))]))
        #expect(await gate.result(token: short).identity != nil)
    }

    @Test("a provider's token is good for its clients and for as long as the API says")
    func provider() async throws {
        let gate = try TestGate(Self.settings(Self.pool, Self.provider))
        func claims(_ changes: [(String, JSONValue?)]) -> JSONObject {
            TestIssuer.claims([("iss", .string(TestIssuer.provider)), ("token_use", nil)] + changes)
        }
        let now = TestIssuer.now
        let rows: [(changes: [(String, JSONValue?)], refusal: Refusal?)] = [
            ([("aud", "client-12")], .notAuthorized),
            ([("aud", "a-client-1")], .notAuthorized),
            ([("iat", .integer(now - 600))], .expiredToken),
            ([("iat", nil)], .notAuthorized),
            ([("auth_time", .integer(now - 1200))], .expiredToken),
            ([("auth_time", nil)], .notAuthorized),
            ([], nil),
            ([("aud", .array(["x", "client-2"]))], nil),
            ([("aud", "x"), ("azp", "client-3")], nil),
            ([("iat", .integer(now - 599))], nil),
        ]
        for (changes, refusal) in rows {
            let result = await gate.result(token: TestIssuer.main.token(claims(changes)))
            #expect(result.refusal == refusal, "\(changes)")
            if refusal == nil { #expect(result.identity?.mode == .oidc) }
        }
    }

    static let clients: [(pattern: String, client: String, isAdmitted: Bool)] = [
        ("client-[12]", "client-1", true), ("^client-[12]$", "client-1", true), ("client-[12]", "client-1\n", false),
        ("^client-[12]$", "client-1\n", false), ("client-[12]", "my-client-1", false), ("client", "client-1", false),
        ("a|b", "b", true), ("a|b", "ab", false), ("(?i)CLIENT", "client", true), (".*", "anybody", true),
        ("(?!old-).*", "new-1", true), ("(?!old-).*", "old-1", false), ("", "a", false), (#"\Qa.b\E"#, "a.b", true),
        // What has to be tried in many ways costs no more than its limit.
        ("(a+)+b", String(repeating: "a", count: 8_000), false),
        ("(a|aa)+", String(repeating: "a", count: 8_000), true),
        ("(.*.*.*)*b", String(repeating: "a", count: 2_000), false),
        (#"(?=(a+)+$)\1b"#, String(repeating: "a", count: 8_000), false),
        (#"(a*)*\1b"#, String(repeating: "a", count: 8_000), false),
    ]

    @Test(
        "clients match a provider's pattern as a whole, at a bounded cost", .timeLimit(.minutes(10)),
        arguments: clients.indices)
    func clientPatterns(row: Int) async throws {
        let (pattern, client, isAdmitted) = Self.clients[row]
        let provider = TokenIssuer.provider(TestIssuer.provider, keys: Self.keys, clientPattern: pattern)
        let gate = try TestGate(Self.settings(provider))
        let claims = TestIssuer.claims([("iss", .string(TestIssuer.provider)), ("aud", .string(client))])
        let result = await gate.result(token: TestIssuer.main.token(claims))
        #expect((result.identity != nil) == isAdmitted, "\(pattern)")
    }

    @Test("many clients in one token share what one may cost", .timeLimit(.minutes(10)))
    func manyClients() async throws {
        let provider = TokenIssuer.provider(TestIssuer.provider, keys: Self.keys, clientPattern: #"(a*)*\1b|good"#)
        let gate = try TestGate(Self.settings(provider))
        for (others, isAdmitted) in [(10, true), (100, true), (2_000, false)] {
            let names = [String](repeating: "aaa", count: others) + ["good"]
            let claims = TestIssuer.claims([
                ("iss", .string(TestIssuer.provider)), ("aud", .array(names.map(JSONValue.string))),
            ])
            let result = await gate.result(token: TestIssuer.main.token(claims))
            #expect((result.identity != nil) == isAdmitted, "\(others)")
        }
    }

    @Test("an issuer looks at its own tokens alone")
    func ownTokens() throws {
        let check = try TokenCheck(.userPool(TestIssuer.pool))
        for issuer in [TestIssuer.provider, TestIssuer.pool + "/", "", TestIssuer.pool.uppercased()] {
            let token = try #require(
                JSONWebToken(TestIssuer.main.token(TestIssuer.claims([("iss", .string(issuer))]))))
            #expect(throws: Refusal.notAuthorized) { try check.expiry(of: token, now: TestIssuer.now) }
        }
        let token = try #require(JSONWebToken(TestIssuer.main.token()))
        #expect(try check.expiry(of: token, now: TestIssuer.now) == TestIssuer.now + 3600)
    }

    @Test("a token that was good is remembered, until it ends")
    func remembers() async throws {
        let gate = try TestGate(Self.settings(Self.pool))
        let token = TestIssuer.main.token(TestIssuer.claims([("exp", .integer(TestIssuer.now + 100))]))
        let first = try #require(await gate.result(token: token).identity)
        #expect(await gate.result(token: "Bearer \(token)").identity === first)
        #expect(await gate.result(token: "bearer  \(token) ").identity === first)
        gate.clock.seconds += 99
        #expect(await gate.result(token: token).identity === first)
        gate.clock.seconds += 1
        #expect(await gate.result(token: token).refusal == .expiredToken)
    }

    @Test("the cache keeps to its size and forgets the oldest")
    func cache() {
        var cache = GenerationCache<Int>(countMax: 10)
        for number in 0..<1000 {
            cache.insert(number, for: "\(number)", expires: 10)
            #expect(cache.value(of: "0", now: 0) == 0)
            #expect(cache.count <= 10)
        }
        #expect(cache.value(of: "500", now: 0) == nil)
        #expect(cache.value(of: "999", now: 9) == 999)
        #expect(cache.value(of: "999", now: 10) == nil)
    }

    @Test("curves and larger digests are good where the issuer's keys have them")
    func algorithms() async throws {
        let p256 = TestIssuer(key: .makeP256(), keyID: "curve")
        let set = KeySet(keys: [
            .init(id: "key-1", algorithm: nil, key: TestIssuer.main.key.publicKey),
            .init(id: "curve", algorithm: .es256, key: p256.key.publicKey),
        ])
        let provider = TokenIssuer.provider(TestIssuer.provider, keys: .fixed(set))
        let pool = TokenIssuer.userPool(TestIssuer.pool, keys: .fixed(set))
        let gate = try TestGate(Self.settings(provider, pool))
        let claims = TestIssuer.claims([("iss", .string(TestIssuer.provider))])
        #expect(await gate.result(token: p256.token(algorithm: .es256)).refusal == .notAuthorized)
        for algorithm in [SignatureAlgorithm.rs256, .rs384, .rs512] {
            #expect(await gate.result(token: TestIssuer.main.token(claims, algorithm: algorithm)).identity != nil)
        }
        let swapped = p256.token(claims, header: [("kid", "key-1")], algorithm: .es256)
        #expect(await gate.result(token: swapped).refusal == .notAuthorized)
        #expect(await gate.result(token: p256.token(claims, algorithm: .es256)).identity?.mode == .oidc)
    }
}
