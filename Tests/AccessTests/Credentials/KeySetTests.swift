import Blueprint
import Crypto
import JSON
import Synchronization
import Testing

@testable import Access

@Suite("Keys of issuers")
struct KeySetTests {
    private static let url = "https://keys.test/jwks.json"

    private func gate(_ keys: TokenIssuer.Keys) throws -> TestGate {
        var settings = CredentialSettings(modes: [.userPools])
        settings.issuers = [.userPool(TestIssuer.pool, keys: keys)]
        return try TestGate(settings)
    }

    /// Sets of keys that lie, and what a token by `key-1` is answered.
    static let lyingSets: [(name: String, body: String)] = [
        ("nothing", ""), ("no JSON", "<html>"), ("no keys", "{}"), ("keys of another kind", #"{"keys": {"a": 1}}"#),
        ("no key", #"{"keys": []}"#), ("a secret", #"{"keys": [{"kty": "oct", "kid": "key-1", "k": "c2VjcmV0"}]}"#),
        ("a short key", #"{"keys": [{"kty": "RSA", "kid": "key-1", "n": "-w", "e": "AQAB"}]}"#),
        ("numbers that are none", #"{"keys": [{"kty": "RSA", "kid": "key-1", "n": "***", "e": 3}]}"#),
        ("null", "null"), ("a list", "[1]"), ("deep", String(repeating: "[", count: 2_000)),
    ]

    @Test("a set that lies gives no key", arguments: lyingSets.indices)
    func lies(row: Int) async throws {
        let gate = try gate(.url(Self.url))
        let outside = TestOutside(body: Array(Self.lyingSets[row].body.utf8))
        let token = TestIssuer.main.token()
        #expect(await gate.result(token: token, outside: outside).refusal == .notAuthorized)
        // The next ones do not ask again at once.
        for _ in 0..<5 { #expect(await gate.result(token: token, outside: outside).refusal == .notAuthorized) }
        #expect(outside.sent.count == 1)
    }

    @Test("a key of the set that is for something else is not used")
    func otherUse() async throws {
        for (name, value) in [
            ("use", JSONValue.string("enc")), ("alg", "RS512"), ("alg", "RSA-OAEP"), ("kty", "EC"),
            ("key_ops", ["encrypt"]), ("key_ops", ["sign", "decrypt"]), ("key_ops", []), ("key_ops", "verify"),
            ("key_ops", ["VERIFY"]), ("key_ops", [["verify"]]),
        ] {
            var key = TestIssuer.main.jwk
            key[name] = value
            let outside = TestOutside(body: TestIssuer.keySet([key]))
            let refusal = try await gate(.url(Self.url)).result(token: TestIssuer.main.token(), outside: outside)
                .refusal
            #expect(refusal == .notAuthorized, "\(name)")
        }
    }

    @Test("a key that may verify among other things is used, and one that says nothing of it")
    func verifyingKeys() async throws {
        for operations: JSONValue? in [nil, .null, ["verify"], ["sign", "verify"]] {
            for use: JSONValue? in [nil, .null, "sig"] {
                var key = TestIssuer.main.jwk
                key["key_ops"] = operations
                key["use"] = use
                let outside = TestOutside(body: TestIssuer.keySet([key]))
                let result = try await gate(.url(Self.url)).result(token: TestIssuer.main.token(), outside: outside)
                #expect(result.identity != nil, "\(operations ?? "none") \(use ?? "none")")
            }
        }
    }

    @Test("a set with the name of a key for another key does not admit its tokens")
    func swapped() async throws {
        var key = TestIssuer.other.jwk
        key["kid"] = "key-1"
        let outside = TestOutside(body: TestIssuer.keySet([key]))
        #expect(
            try await gate(.url(Self.url)).result(token: TestIssuer.main.token(), outside: outside).refusal
                == .notAuthorized)
    }

    static let failures: [OutsideError] = [
        .timedOut(milliseconds: 5_000), .unreachable("nobody there"), .tooLarge(bytesMax: 1), .invalidURL("x"),
    ]

    @Test("a set that cannot be had refuses, and is asked for again after a while only", arguments: failures.indices)
    func failing(row: Int) async throws {
        let gate = try gate(.url(Self.url))
        let outside = TestOutside { _ throws(OutsideError) in throw Self.failures[row] }
        let token = TestIssuer.main.token()
        for _ in 0..<3 { #expect(await gate.result(token: token, outside: outside).refusal == .notAuthorized) }
        #expect(outside.sent.count == 1)
        #expect(outside.sent.first?.timeoutMilliseconds == AccessLimits.keySetTimeoutMilliseconds)
        gate.clock.seconds += AccessLimits.keySetRetrySeconds
        let good = TestOutside(body: TestIssuer.keySet([TestIssuer.main.jwk]))
        #expect(await gate.result(token: token, outside: good).identity != nil)
    }

    @Test("a new key is asked for, but names that nobody has are not asked for again and again")
    func rotation() async throws {
        let gate = try gate(.url(Self.url))
        let first = TestOutside(body: TestIssuer.keySet([TestIssuer.main.jwk]))
        #expect(await gate.result(token: TestIssuer.main.token(), outside: first).identity != nil)
        let second = TestOutside(body: TestIssuer.keySet([TestIssuer.other.jwk, TestIssuer.main.jwk]))
        #expect(await gate.result(token: TestIssuer.other.token(), outside: second).refusal == .notAuthorized)
        #expect(second.sent.isEmpty)
        gate.clock.seconds += AccessLimits.keySetRetrySeconds
        #expect(await gate.result(token: TestIssuer.other.token(), outside: second).identity != nil)
        for number in 0..<20 {
            let token = TestIssuer.main.token(header: [("kid", .string("made-up-\(number)"))])
            #expect(await gate.result(token: token, outside: second).refusal == .notAuthorized)
        }
        #expect(second.sent.count == 1)
    }

    @Test("a set is asked for again when it is old, and kept for a day while that fails")
    func age() async throws {
        let gate = try gate(.url(Self.url))
        let good = TestOutside(body: TestIssuer.keySet([TestIssuer.main.jwk]))
        let bad = TestOutside(status: 503, body: [])
        func token(_ number: Int) -> String {
            TestIssuer.main.token(
                TestIssuer.claims([("jti", .integer(Int64(number))), ("exp", .integer(TestIssuer.now + 1_000_000))]))
        }
        #expect(await gate.result(token: token(0), outside: good).identity != nil)
        gate.clock.seconds += AccessLimits.keySetLifeSeconds + 1
        #expect(await gate.result(token: token(1), outside: bad).identity != nil)
        #expect(bad.sent.count == 1)
        #expect(await gate.result(token: token(2), outside: bad).identity != nil)
        #expect(bad.sent.count == 1)
        gate.clock.seconds += 86_400
        #expect(await gate.result(token: token(3), outside: bad).refusal == .notAuthorized)
        gate.clock.seconds += AccessLimits.keySetRetrySeconds
        #expect(await gate.result(token: token(4), outside: good).identity != nil)
    }

    @Test("a token that was good before is refused soon after its key is withdrawn, wherever the keys are")
    func withdrawn() async throws {
        let token = TestIssuer.main.token(TestIssuer.claims([("exp", .integer(TestIssuer.now + 1_000_000))]))
        let before = TestIssuer.keySet([TestIssuer.main.jwk])
        let after = TestIssuer.keySet([TestIssuer.other.jwk])
        let file = Mutex(before)
        for keys in [TokenIssuer.Keys.url(Self.url), .local(name: "jwks.json") { _ in file.withLock { $0 } }] {
            file.withLock { $0 = before }
            let gate = try gate(keys)
            #expect(await gate.result(token: token, outside: TestOutside(body: before)).identity != nil)
            file.withLock { $0 = after }
            let outside = TestOutside(body: after)
            // Asked again and again, so that it stays remembered.
            for _ in 0..<4 {
                gate.clock.seconds += AccessLimits.keySetLifeSeconds / 4
                _ = await gate.result(token: token, outside: outside)
            }
            gate.clock.seconds += AccessLimits.keySetLifeSeconds + 1
            #expect(await gate.result(token: token, outside: outside).refusal == .notAuthorized)
            #expect(await gate.result(token: "Bearer \(token)", outside: outside).refusal == .notAuthorized)
        }
    }

    @Test("a provider's description says where its keys are, if it is of that provider")
    func discovery() async throws {
        var settings = CredentialSettings(modes: [.oidc])
        settings.issuers = [.provider(TestIssuer.provider)]
        let token = TestIssuer.main.token(TestIssuer.claims([("iss", .string(TestIssuer.provider))]))
        for issuer in ["https://evil.test", TestIssuer.provider] {
            let keys = TestIssuer.keySet([TestIssuer.main.jwk])
            let outside = TestOutside { request in
                guard request.url.hasSuffix("/.well-known/openid-configuration") else {
                    return OutsideResponse(status: request.url == Self.url ? 200 : 404, body: keys)
                }
                let text = #"{"issuer": "\#(issuer)", "jwks_uri": "\#(Self.url)"}"#
                return OutsideResponse(status: 200, body: Array(text.utf8))
            }
            let identity = try await TestGate(settings).result(token: token, outside: outside).identity
            #expect((identity != nil) == (issuer == TestIssuer.provider))
        }
    }

    @Test("requests that wait for the same set share one download")
    func shared() async throws {
        let gate = try gate(.url(Self.url))
        let body = TestIssuer.keySet([TestIssuer.main.jwk])
        let outside = TestOutside { _ in
            // Lets the others come in meanwhile.
            for _ in 0..<20 { await Task.yield() }
            return OutsideResponse(status: 200, body: body)
        }
        let identities = await OneActor().identities(gate, TestIssuer.main.token(), outside, count: 20)
        #expect(identities == 20)
        #expect(outside.sent.count == 1)
    }

    @Test("a token whose key no file has keeps nobody out whose key comes meanwhile, and fills no log")
    func staleTokens() async throws {
        let file = Mutex<[UInt8]?>(nil)
        let gate = try gate(.local(name: "jwks.json") { _ in file.withLock { $0 } })
        let (stale, good) = (TestIssuer.other.token(), TestIssuer.main.token())
        // What the file holds, and whose tokens are good then: without a moment between.
        let steps: [(keys: [UInt8]?, isStaleGood: Bool, isGoodGood: Bool)] = [
            (nil, false, false), (Array("broken".utf8), false, false),
            (TestIssuer.keySet([TestIssuer.main.jwk]), false, true), (Array("broken".utf8), false, true),
            (TestIssuer.keySet([TestIssuer.main.jwk, TestIssuer.other.jwk]), true, true),
        ]
        for (number, step) in steps.enumerated() {
            file.withLock { $0 = step.keys }
            for _ in 0..<3 {
                #expect((await gate.result(token: stale).identity != nil) == step.isStaleGood, "step \(number)")
                #expect((await gate.result(token: good).identity != nil) == step.isGoodGood, "step \(number)")
            }
        }
        #expect(gate.reports.all == ["the keys of \(TestIssuer.pool) cannot be read: jwks.json holds no set of keys"])
    }

    @Test("keys in a file are read, and read again when they change")
    func file() async throws {
        let file = Mutex<[UInt8]?>(nil)
        let bytesAsked = Mutex(0)
        let gate = try gate(
            .local(name: "jwks.json") { bytesMax in
                bytesAsked.withLock { $0 = bytesMax }
                return file.withLock { $0 }
            })
        #expect(await gate.result(token: TestIssuer.main.token()).refusal == .notAuthorized)
        #expect(bytesAsked.withLock { $0 } == AccessLimits.keySetBytesMax)
        file.withLock { $0 = TestIssuer.keySet([TestIssuer.main.jwk]) }
        gate.clock.seconds += AccessLimits.keySetRetrySeconds
        #expect(await gate.result(token: TestIssuer.main.token()).identity != nil)
        file.withLock { $0 = TestIssuer.keySet([TestIssuer.main.jwk, TestIssuer.other.jwk]) }
        gate.clock.seconds += AccessLimits.keySetRetrySeconds
        #expect(await gate.result(token: TestIssuer.other.token()).identity != nil)
    }
}

/// A place where tasks take turns, as on an event loop.
private actor OneActor {
    func identities(_ gate: TestGate, _ token: String, _ outside: TestOutside, count: Int) async -> Int {
        let tasks = (0..<count).map { _ in
            Task {
                // Only a task that names the actor runs on it.
                _ = self
                return await gate.result(token: token, outside: outside).identity != nil
            }
        }
        var found = 0
        for task in tasks where await task.value { found += 1 }
        return found
    }
}
