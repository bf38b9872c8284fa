import Cloud
import Crypto
import JSON
import Testing

@testable import UserPool

/// What tries, codes, sessions and tokens are bound to: whatever they are shown with that is another's, they are no good.
@Suite("What secrets are bound to")
struct BoundSecretsTests {
    private static func twoClients(_ change: (inout PoolSettings) -> Void = { _ in }) throws -> TestPool {
        try TestPool { settings in
            settings.clients = [AppClient("client"), AppClient("other")]
            change(&settings)
        }
    }

    private static func refusal(_ body: () async throws(PoolError) -> JSONValue) async -> String? {
        do throws(PoolError) {
            _ = try await body()
            return nil
        } catch {
            return error.type
        }
    }

    // MARK: Tries

    @Test("five wrong tries are free, then each locks for twice as long, a quarter of an hour at most")
    func locks() {
        let locks = (1...40).map { WrongTries.lockMilliseconds(after: $0) }
        #expect(locks[..<4].allSatisfy { $0 == 0 })
        #expect(Array(locks[4..<8]) == [1_000, 2_000, 4_000, 8_000])
        #expect(locks[20...].allSatisfy { $0 == 900_000 })
    }

    @Test("wrong passwords of somebody who is not there lock like those of somebody who is")
    func nobodies() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        for name in ["ann", "nemo"] {
            for _ in 0..<5 {
                await #expect(throws: PoolError.wrongPassword) { _ = try await pool.signIn(name, "Wr0ng!Password") }
            }
            await #expect(throws: PoolError.tooManyPasswords) { _ = try await pool.signIn(name, "Wr0ng!Password") }
        }
    }

    // MARK: Names

    @Test("an answer that names another user is nobody's, however right it is")
    func names() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")]) {
            $0.status = .mustChangePassword
        }
        try await pool.make("bob")
        let begun = try await pool.signIn("ann")
        for name in ["bob", "nemo", ""] {
            await #expect(throws: PoolError.invalidSession, "\(name)") {
                _ = try await pool.respond(
                    "NEW_PASSWORD_REQUIRED", ["USERNAME": .string(name), "NEW_PASSWORD": "N3w!Passw0rd"], after: begun)
            }
        }
        // The session is as good as before, and a user has several names.
        let user = try #require(try await pool.call("AdminGetUser", Self.ann, by: true)["UserAttributes"]?.array)
        let sub = try #require(user.first { $0["Name"] == "sub" }?["Value"])
        let done = try await pool.respond(
            "NEW_PASSWORD_REQUIRED", ["USERNAME": sub, "NEW_PASSWORD": "N3w!Passw0rd"], after: begun)
        #expect(done["AuthenticationResult"] != nil)
    }

    private static let ann: JSONValue = ["UserPoolId": "us-east-1_abcDEF123", "Username": "ann"]

    @Test("a proof that names another user is wrong, however right it is")
    func namesOfProofs() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        try await pool.make("bob")
        for (name, isRight) in [("ann", true), ("ANN", true), ("bob", false), ("nemo", false)] {
            let client = ReferenceClient(
                arithmetic: .fast, group: "abcDEF123", user: "ann", password: TestPool.password, secret: "5a")
            let begun = try await pool.begin(
                "USER_SRP_AUTH", ["USERNAME": "ann", "SRP_A": .string(client.clientNumber)])
            let claim = try pool.claim(of: client, begun).adding(["USERNAME": .string(name)])
            let refusal = await Self.refusal { () async throws(PoolError) in
                try await pool.respond("PASSWORD_VERIFIER", claim, after: begun)
            }
            #expect(refusal == (isRight ? nil : "NotAuthorizedException"), "\(name)")
        }
    }

    // MARK: Codes

    @Test("a code is good once, and for ten tries")
    func codes() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        func confirm(_ code: String) async -> String? {
            await Self.refusal { () async throws(PoolError) in
                try await pool.call(
                    "ConfirmForgotPassword",
                    [
                        "ClientId": "client", "Username": "ann", "ConfirmationCode": .string(code),
                        "Password": .string(TestPool.password),
                    ])
            }
        }
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "ann"])
        let first = try await pool.code()
        #expect(await confirm(first) == nil)
        #expect(await confirm(first) == "ExpiredCodeException")
        // Tries are locked for longer than the code is good, but for the patience of who waits a second less each time.
        pool.clock.pass(seconds: 7_200)
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "ann"])
        let second = try await pool.code()
        for _ in 0..<10 {
            #expect(await confirm(second == "000000" ? "000001" : "000000") == "CodeMismatchException")
            // As another right answer of the user's would.
            try await pool.write { change throws(PoolError) in
                guard let user = try change.session.user(named: UserName("ann", in: change.settings)) else { return }
                try change.endTries(WrongTries.subject(user, UserName("ann", in: change.settings), .code))
            }
        }
        #expect(await confirm(second) == "ExpiredCodeException")
    }

    // MARK: Sessions

    @Test("what is sealed for one thing opens for nothing else")
    func seals() {
        let seal = Seal(key: Array(0..<32))
        let kinds: [SealedState.Kind] = [.proof, .deviceProof, .challenge, .signedUp, .setUp]
        for kind in kinds {
            let bytes = SealedState(kind, client: AppClient("client"), user: 1, now: 0).sealed(by: seal)
            for other in kinds { #expect((SealedState(bytes, other, openedBy: seal) != nil) == (kind == other)) }
        }
    }

    @Test("a session is good with the client that has begun")
    func sessions() async throws {
        let pool = try Self.twoClients { $0.secondFactors = [.email] }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")]) { user in
            user.secondFactors = SecondFactorChoice(stored: "EMAIL_OTP*")
        }
        let asked = try await pool.signIn("ann")
        let code = try await pool.code()
        func answer(by client: String) async -> String? {
            await Self.refusal { () async throws(PoolError) in
                try await pool.call(
                    "RespondToAuthChallenge",
                    [
                        "ClientId": .string(client), "ChallengeName": "EMAIL_OTP", "Session": asked["Session"] ?? .null,
                        "ChallengeResponses": ["USERNAME": "ann", "EMAIL_OTP_CODE": .string(code)],
                    ])
            }
        }
        #expect(await answer(by: "other") == "NotAuthorizedException")
        #expect(await answer(by: "client") == nil)
    }

    @Test("a session that asks for one code is no answer to a challenge for another")
    func challenges() async throws {
        let pool = try TestPool { $0.secondFactors = [.email, .totp] }
        let secret = Array("12345678901234567890".utf8)
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")]) { user in
            user.secondFactors = SecondFactorChoice(stored: "EMAIL_OTP* SOFTWARE_TOKEN_MFA")
            user.totpSecret = secret
        }
        let asked = try await pool.signIn("ann")
        #expect(asked.challenge == "EMAIL_OTP")
        let code = String(decoding: OneTimeCode(secret: secret).code(of: pool.clock.now / 30_000), as: UTF8.self)
        await #expect(throws: PoolError.invalidSession) {
            _ = try await pool.respond(
                "SOFTWARE_TOKEN_MFA", ["USERNAME": "ann", "SOFTWARE_TOKEN_MFA_CODE": .string(code)], after: asked)
        }
    }

    @Test("a proof is good with the client that has begun, at its time")
    func proofs() async throws {
        let pool = try Self.twoClients()
        try await pool.make("ann")
        let client = ReferenceClient(
            arithmetic: .fast, group: "abcDEF123", user: "ann", password: TestPool.password,
            secret: String(repeating: "5a", count: 64))
        func prove(by id: String, secondsLate: Int64) async throws -> String? {
            let begun = try await pool.begin(
                "USER_SRP_AUTH", ["USERNAME": "ann", "SRP_A": .string(client.clientNumber)])
            let responses = try pool.claim(of: client, begun)
            pool.clock.pass(seconds: secondsLate)
            return await Self.refusal { () async throws(PoolError) in
                try await pool.call(
                    "RespondToAuthChallenge",
                    [
                        "ClientId": .string(id), "ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": responses,
                    ])
            }
        }
        #expect(try await prove(by: "client", secondsLate: 0) == nil)
        #expect(try await prove(by: "other", secondsLate: 0) == "NotAuthorizedException")
    }

    @Test("a proof of another time than now's is none")
    func times() async throws {
        let pool = try TestPool { settings in
            var client = AppClient("client")
            client.sessionSeconds = 900
            settings.clients = [client]
        }
        try await pool.make("ann")
        let client = ReferenceClient(
            arithmetic: .fast, group: "abcDEF123", user: "ann", password: TestPool.password,
            secret: String(repeating: "5a", count: 64))
        for (late, type) in [(Int64(200), String?.none), (400, "NotAuthorizedException")] {
            let begun = try await pool.begin(
                "USER_SRP_AUTH", ["USERNAME": "ann", "SRP_A": .string(client.clientNumber)])
            let responses = try pool.claim(of: client, begun)
            pool.clock.pass(seconds: late)
            let refusal = await Self.refusal { () async throws(PoolError) in
                try await pool.respond("PASSWORD_VERIFIER", responses, after: .null)
            }
            #expect(refusal == type)
        }
    }

    @Test("a proof of another time has used its block up, and counts as no try")
    func blocksOfUntimelyProofs() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        let client = ReferenceClient(
            arithmetic: .fast, group: "abcDEF123", user: "ann", password: TestPool.password,
            secret: String(repeating: "5a", count: 64))
        func refusal(of claim: JSONValue) async -> String? {
            await Self.refusal { () async throws(PoolError) in
                try await pool.respond("PASSWORD_VERIFIER", claim, after: .null)
            }
        }
        var claims: [JSONValue] = []
        let stamp = pool.timestamp
        for time in ["now", "Fri Jan 15 07:00:00 UTC 2026", " \(stamp)", "\(stamp)\n", "١", stamp.lowercased()] {
            let begun = try await pool.begin(
                "USER_SRP_AUTH", ["USERNAME": "ann", "SRP_A": .string(client.clientNumber)])
            let claim = try pool.claim(of: client, begun)
            claims.append(claim)
            #expect(await refusal(of: claim.adding(["TIMESTAMP": .string(time)])) == "NotAuthorizedException")
        }
        #expect(try await pool.signIn("ann").signsIn)
        for claim in claims.prefix(4) { #expect(await refusal(of: claim) == "NotAuthorizedException") }
    }

    // MARK: Tokens

    @Test("an access token is this pool's, for the API, of a client that is there")
    func accessTokens() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        let answer = try await pool.signIn("ann")
        let claims = try #require(try answer.claims(of: "AccessToken").object)
        let keys = try await pool.pool.tokenKeys()
        func refusal(_ name: String?, _ value: JSONValue?) async -> String? {
            var claims = claims
            if let name { claims[name] = value }
            let token = keys.signer.token(claims: JSONWriter.bytes(of: .object(claims)))
            return await Self.refusal { () async throws(PoolError) in
                try await pool.call("GetUser", ["AccessToken": .string(token)])
            }
        }
        #expect(await refusal(nil, nil) == nil)
        let others: [(String, JSONValue?)] = [
            ("iss", "http://localhost:20002/us-east-1_other0000"), ("iss", "https://evil.example"), ("iss", nil),
            ("token_use", "id"), ("token_use", nil), ("client_id", "nobody's"), ("client_id", nil),
            ("scope", "openid"), ("scope", nil), ("exp", nil), ("exp", 1), ("origin_jti", "x"), ("origin_jti", nil),
        ]
        for (name, value) in others { #expect(await refusal(name, value) == "NotAuthorizedException", "\(name)") }
        #expect(await refusal("sub", "somebody") == "UserNotFoundException")
    }

    @Test("a refresh token is good with its client, which alone takes it back")
    func refreshTokens() async throws {
        let pool = try Self.twoClients()
        try await pool.make("ann")
        let token = try await pool.signIn("ann").token("RefreshToken") ?? .null
        func refresh(by client: String) async -> String? {
            await Self.refusal { () async throws(PoolError) in
                try await pool.call(
                    "GetTokensFromRefreshToken", ["ClientId": .string(client), "RefreshToken": token])
            }
        }
        #expect(await refresh(by: "other") == "NotAuthorizedException")
        let revoked = await Self.refusal { () async throws(PoolError) in
            try await pool.call("RevokeToken", ["ClientId": "other", "Token": token])
        }
        #expect(revoked == "UnauthorizedException")
        #expect(await refresh(by: "client") == nil)
    }

    @Test("a refresh token that comes again ends what came of it, access tokens included")
    func reuse() async throws {
        let pool = try TestPool { settings in
            var client = AppClient("client")
            client.rotationGraceSeconds = 0
            settings.clients = [client]
        }
        try await pool.make("ann")
        let first = try await pool.signIn("ann").token("RefreshToken") ?? .null
        func refresh(_ token: JSONValue) async throws(PoolError) -> JSONValue {
            try await pool.call("GetTokensFromRefreshToken", ["ClientId": "client", "RefreshToken": token])
        }
        let next = try await refresh(first)
        pool.clock.pass(seconds: 1)
        #expect(
            await Self.refusal { () async throws(PoolError) in try await refresh(first) }
                == "RefreshTokenReuseException")
        let second = next.token("RefreshToken") ?? .null
        #expect(
            await Self.refusal { () async throws(PoolError) in try await refresh(second) } == "NotAuthorizedException")
        let user = await Self.refusal { () async throws(PoolError) in
            try await pool.call("GetUser", ["AccessToken": next.token("AccessToken") ?? .null])
        }
        #expect(user == "NotAuthorizedException")
    }

    private static func rotating(graceSeconds: Int64) throws -> TestPool {
        try TestPool { settings in
            var client = AppClient("client")
            client.rotationGraceSeconds = graceSeconds
            settings.clients = [client]
        }
    }

    private static func refresh(_ token: JSONValue, in pool: TestPool) async throws(PoolError) -> JSONValue {
        try await pool.call("GetTokensFromRefreshToken", ["ClientId": "client", "RefreshToken": token])
    }

    @Test(
        "a refresh token that rotated away long ago ends what came of it as well, the first like those after it",
        arguments: [Int64(0), 30], [0, 1, 2])
    func reuseOfOlder(graceSeconds: Int64, index: Int) async throws {
        let pool = try Self.rotating(graceSeconds: graceSeconds)
        try await pool.make("ann")
        var tokens = [try await pool.signIn("ann").token("RefreshToken") ?? .null]
        for _ in 0..<4 {
            pool.clock.pass(seconds: 60)
            tokens.append(try await Self.refresh(tokens[tokens.count - 1], in: pool).token("RefreshToken") ?? .null)
        }
        let old = tokens[index]
        #expect(
            await Self.refusal { () async throws(PoolError) in try await Self.refresh(old, in: pool) }
                == "RefreshTokenReuseException")
        let present = tokens[4]
        #expect(
            await Self.refusal { () async throws(PoolError) in try await Self.refresh(present, in: pool) }
                == "NotAuthorizedException")
    }

    @Test("without a time of grace a refresh token is good once, also twice at the same moment")
    func noGrace() async throws {
        let pool = try Self.rotating(graceSeconds: 0)
        try await pool.make("ann")
        let first = try await pool.signIn("ann").token("RefreshToken") ?? .null
        let next = try await Self.refresh(first, in: pool).token("RefreshToken") ?? .null
        for (token, type) in [(first, "RefreshTokenReuseException"), (next, "NotAuthorizedException")] {
            let refusal = await Self.refusal { () async throws(PoolError) in try await Self.refresh(token, in: pool) }
            #expect(refusal == type)
        }
    }

    @Test("a refresh token that is made up around a sign-in ends nothing")
    func madeUp() async throws {
        let pool = try Self.rotating(graceSeconds: 0)
        try await pool.make("ann")
        let signedIn = try await pool.signIn("ann")
        let origin = try #require(try signedIn.claims(of: "AccessToken")["origin_jti"]?.string)
        let own = Array(repeating: UInt8(7), count: 32)
        for token in [RefreshToken(for: origin), RefreshToken(for: origin, key: own)] {
            for call in ["GetTokensFromRefreshToken", "RevokeToken"] {
                let name = call == "RevokeToken" ? "Token" : "RefreshToken"
                let members = JSONObject([("ClientId", "client"), (name, .string(token.text))])
                let refusal = await Self.refusal { () async throws(PoolError) in
                    try await pool.call(call, .object(members))
                }
                #expect(refusal == (name == "Token" ? nil : "NotAuthorizedException"), "\(call)")
            }
        }
        let token = signedIn.token("RefreshToken") ?? .null
        #expect(await Self.refusal { () async throws(PoolError) in try await Self.refresh(token, in: pool) } == nil)
    }

    @Test("a user who was disabled gets nothing back with being enabled: no ID token of before names an identity")
    func disabled() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        let names: JSONValue = ["UserPoolId": "us-east-1_abcDEF123", "Username": "ann"]
        func identity(by signedIn: JSONValue) async -> String? {
            await Self.refusal { () async throws(PoolError) in
                try await pool.answer(
                    "AWSCognitoIdentityService.GetId",
                    [
                        "IdentityPoolId": "us-east-1:11111111-2222-4333-8444-555555555555",
                        "Logins": [
                            "cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123": signedIn.token("IdToken")
                                ?? .null
                        ],
                    ])
            }
        }
        // A sign-out ends other tokens, and not these, before and after.
        let out = try await pool.signIn("ann")
        try await pool.call("AdminUserGlobalSignOut", names, by: true)
        #expect(await identity(by: out) == nil)
        let before = try await pool.signIn("ann")
        #expect(await identity(by: before) == nil)
        // The identity pool's own token ends with the login that it was given for.
        func fault(of token: String) async -> CloudError? {
            do throws(CloudError) {
                let call = try AssumeRoleCall(form: [
                    ("RoleArn", IdentityRole.signedIn.arn), ("RoleSessionName", "session"), ("WebIdentityToken", token),
                ])
                _ = try await pool.pool.assumeRole(call, on: pool.shard)
                return nil
            } catch {
                return error
            }
        }
        let logins: JSONValue = [
            "cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123": before.token("IdToken") ?? .null
        ]
        let id = try await pool.answer(
            "AWSCognitoIdentityService.GetId",
            ["IdentityPoolId": "us-east-1:11111111-2222-4333-8444-555555555555", "Logins": logins])
        let given = try await pool.answer(
            "AWSCognitoIdentityService.GetOpenIdToken", ["IdentityId": id["IdentityId"] ?? .null, "Logins": logins])
        let token = try #require(given["Token"]?.string)
        #expect(await fault(of: token) == nil)
        try await pool.call("AdminDisableUser", names, by: true)
        #expect(await identity(by: before) == "NotAuthorizedException")
        try await pool.call("AdminEnableUser", names, by: true)
        try await pool.call("AdminUserGlobalSignOut", names, by: true)
        for former in [before, out] { #expect(await identity(by: former) == "NotAuthorizedException") }
        #expect(await fault(of: token)?.code == "AccessDenied")
        #expect(try await identity(by: pool.signIn("ann")) == nil)
    }
}
