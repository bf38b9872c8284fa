import Crypto
import JSON
import Testing

@testable import UserPool

@Suite("Passkeys")
struct PasskeyTests {
    private typealias Manner = VirtualAuthenticator.Manner

    private func pool(
        _ verification: PasskeySettings.UserVerification = .preferred, _ change: (inout PoolSettings) -> Void = { _ in }
    ) async throws -> TestPool {
        let pool = try TestPool { settings in
            settings.passkeys.relyingPartyID = "localhost"
            settings.passkeys.userVerification = verification
            change(&settings)
        }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true"), ("name", "Ann")])
        try await pool.make("bob")
        return pool
    }

    private func token(_ pool: TestPool, _ name: String = "ann") async throws -> JSONValue {
        try #require(try await pool.signIn(name).token("AccessToken"))
    }

    private func options(_ pool: TestPool, _ token: JSONValue) async throws -> JSONValue {
        try #require(
            try await pool.call("StartWebAuthnRegistration", ["AccessToken": token])["CredentialCreationOptions"])
    }

    private func complete(_ pool: TestPool, _ token: JSONValue, _ credential: JSONValue) async throws(PoolError) {
        let answer = try await pool.call(
            "CompleteWebAuthnRegistration", ["AccessToken": token, "Credential": credential])
        #expect(answer == .object(JSONObject()))
    }

    private func register(_ pool: TestPool, _ authenticator: inout VirtualAuthenticator, _ name: String = "ann")
        async throws
    {
        let token = try await token(pool, name)
        try await complete(pool, token, authenticator.create(try await options(pool, token)))
    }

    private func ask(_ pool: TestPool, _ name: String = "ann") async throws -> (JSONValue, JSONValue) {
        let asked = try await pool.begin(
            "USER_AUTH", ["USERNAME": .string(name), "PREFERRED_CHALLENGE": "WEB_AUTHN"])
        #expect(asked.challenge == "WEB_AUTHN")
        let text = try #require(asked.parameter("CREDENTIAL_REQUEST_OPTIONS"))
        return (asked, try JSONReader.value(of: text))
    }

    private func answer(_ credential: JSONValue) -> JSONValue {
        ["USERNAME": "ann", "CREDENTIAL": .string(JSONWriter.text(of: credential))]
    }

    // MARK: The way

    @Test("one that was registered lets in, again and again", arguments: VirtualAuthenticator.Kind.allCases)
    func lifeOfOne(kind: VirtualAuthenticator.Kind) async throws {
        let pool = try await pool(.required)
        var authenticator = VirtualAuthenticator(kind)
        let token = try await token(pool)
        let options = try await options(pool, token)
        #expect(options["rp"]?["id"] == "localhost" && options["user"]?["displayName"] == "Ann")
        #expect(options["excludeCredentials"] == [])
        #expect(options["authenticatorSelection"]?["userVerification"] == "required")
        try await complete(pool, token, authenticator.create(options))
        let listed = try await pool.call("ListWebAuthnCredentials", ["AccessToken": token])
        let record = try #require(listed["Credentials"]?.array?.first)
        #expect(record["CredentialId"] == .string(authenticator.idText) && record["RelyingPartyId"] == "localhost")
        #expect(record["AuthenticatorTransports"] == ["internal", "hybrid"] && record["CreatedAt"] != nil)
        #expect(record["AuthenticatorAttachment"] == "platform" && record["FriendlyCredentialName"] != nil)
        #expect(try await self.options(pool, token)["excludeCredentials"]?.array?.count == 1)

        let offered = try await pool.begin("USER_AUTH", ["USERNAME": "ann"])
        #expect(offered["AvailableChallenges"] == ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP", "WEB_AUTHN"])
        let selected = try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "WEB_AUTHN"], after: offered)
        let text = try #require(selected.parameter("CREDENTIAL_REQUEST_OPTIONS"))
        let done = try await pool.respond(
            "WEB_AUTHN", answer(authenticator.get(try JSONReader.value(of: text))), after: selected)
        #expect(try done.claims(of: "IdToken")["cognito:username"] == "ann")
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "WEB_AUTHN"], after: offered)
        }
        let (asked, request) = try await ask(pool)
        #expect(request["allowCredentials"]?.array?.first?["id"] == .string(authenticator.idText))
        let handle = try #require(options["user"]?["id"]?.string)
        let again = answer(authenticator.get(request, Manner(userHandle: handle)))
        #expect(try await pool.respond("WEB_AUTHN", again, after: asked).signsIn)
        // What was signed once is of no use any more.
        await #expect(throws: PoolError.usedSession) { try await pool.respond("WEB_AUTHN", again, after: asked) }
        let (next, _) = try await ask(pool)
        await #expect(throws: PoolError.wrongPassword) { try await pool.respond("WEB_AUTHN", again, after: next) }

        let removed = try await pool.call(
            "DeleteWebAuthnCredential", ["AccessToken": token, "CredentialId": .string(authenticator.idText)])
        #expect(removed == .object(JSONObject()))
        #expect(try await pool.begin("USER_AUTH", ["USERNAME": "ann"])["AvailableChallenges"]?.array?.count == 3)
    }

    @Test("without a domain for them they are not enabled, and never offered")
    func off() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        let token = try await token(pool)
        let calls: [(String, JSONValue)] = [
            ("StartWebAuthnRegistration", [:]), ("CompleteWebAuthnRegistration", ["Credential": [:]]),
            ("ListWebAuthnCredentials", [:]), ("DeleteWebAuthnCredential", ["CredentialId": "AA"]),
        ]
        for (operation, members) in calls {
            await #expect(
                throws: PoolError("WebAuthnNotEnabledException", "Passkeys are not enabled for this user pool.")
            ) {
                try await pool.call(operation, members.adding(["AccessToken": token]))
            }
        }
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "WEB_AUTHN"])
        #expect(asked["AvailableChallenges"] == ["PASSWORD_SRP", "PASSWORD"])
        await #expect(throws: PoolError.self) {
            try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "WEB_AUTHN"], after: asked)
        }
        await #expect(throws: PoolError.invalidSession) {
            try await pool.respond("WEB_AUTHN", ["CREDENTIAL": "{}"], after: asked)
        }
    }

    @Test("a second factor that is on is asked for behind it")
    func secondFactor() async throws {
        let pool = try await pool()
        var authenticator = VirtualAuthenticator()
        try await register(pool, &authenticator)
        try await pool.edit("ann") { user in
            user.totpSecret = OneTimeCode.makeSecret()
            user.secondFactors = SecondFactorChoice(stored: "SOFTWARE_TOKEN_MFA*")
        }
        let (asked, request) = try await ask(pool)
        let next = try await pool.respond("WEB_AUTHN", answer(authenticator.get(request)), after: asked)
        #expect(next.challenge == "SOFTWARE_TOKEN_MFA" && !next.signsIn)
    }

    @Test("those who are gone, disabled or not confirmed do not get in by it")
    func users() async throws {
        for change in [0, 1, 2] {
            let pool = try await pool()
            var authenticator = VirtualAuthenticator()
            try await register(pool, &authenticator)
            let (asked, request) = try await ask(pool)
            switch change {
            case 0: try await pool.edit("ann") { $0.isEnabled = false }
            case 1: try await pool.edit("ann") { $0.status = .mustReset }
            default:
                let user = try await pool.user("ann")
                try await pool.write { change throws(PoolError) in try change.delete(user) }
                #expect(try pool.pool.store.readerBeside().passkey(authenticator.id) == nil)
            }
            await #expect(throws: PoolError.self) {
                try await pool.respond("WEB_AUTHN", answer(authenticator.get(request)), after: asked)
            }
        }
    }

    // MARK: What is refused

    private static let registrations: [(what: String, manner: Manner, type: String)] = [
        ("another origin", Manner(origin: "https://evil.example"), "WebAuthnOriginNotAllowedException"),
        ("a like origin", Manner(origin: "https://evillocalhost"), "WebAuthnOriginNotAllowedException"),
        ("an origin with a path", Manner(origin: "http://localhost:8090/"), "WebAuthnOriginNotAllowedException"),
        ("an origin with a user", Manner(origin: "http://localhost@evil.example"), "WebAuthnOriginNotAllowedException"),
        ("no origin", Manner(origin: ""), "WebAuthnOriginNotAllowedException"),
        ("a frame", Manner(isCrossOrigin: true), "WebAuthnOriginNotAllowedException"),
        ("another domain", Manner(relyingPartyID: "evil.example"), "WebAuthnRelyingPartyMismatchException"),
        ("another challenge", Manner(challenge: "AAAA"), "WebAuthnChallengeNotFoundException"),
        ("a sign-in", Manner(type: "webauthn.get"), "InvalidParameterException"),
        ("nobody there", Manner(flags: 0x40), "WebAuthnCredentialNotSupportedException"),
        ("nobody proved", Manner(flags: 0x41), "WebAuthnCredentialNotSupportedException"),
        ("a copy that cannot be", Manner(flags: 0x55), "InvalidParameterException"),
        ("no passkey", Manner(flags: 0x05), "InvalidParameterException"),
        ("more than is said", Manner(tail: [0]), "InvalidParameterException"),
        ("extensions that are not there", Manner(flags: 0xC5), "InvalidParameterException"),
        ("an unknown format", Manner(format: "other", statement: [0xA0]), "WebAuthnCredentialNotSupportedException"),
        ("a statement of none", Manner(statement: [0xA1, 0x61, 0x61, 0x01]), "InvalidParameterException"),
        (
            "a statement of packed without a signature", Manner(format: "packed", statement: [0xA0]),
            "InvalidParameterException"
        ),
        (
            "another signature of packed",
            Manner(
                format: "packed",
                statement: [0xA2, 0x63, 0x61, 0x6C, 0x67, 0x26, 0x63, 0x73, 0x69, 0x67, 0x41, 0x00]),
            "InvalidParameterException"
        ),
        ("no bytes", Manner(bend: { $0.set("attestationObject", to: "!") }), "InvalidParameterException"),
        ("another type", Manner(bend: { $0.set("clientDataJSON", to: 1) }), "InvalidParameterException"),
        ("no JSON", Manner(bend: { $0.set("clientDataJSON", to: "AAAA") }), "WebAuthnChallengeNotFoundException"),
    ]

    @Test("what is not as it was asked for is not registered", arguments: registrations.indices)
    func refusedRegistration(row: Int) async throws {
        let pool = try await pool(.required)
        let (what, manner, type) = Self.registrations[row]
        var authenticator = VirtualAuthenticator()
        let token = try await token(pool)
        let credential = authenticator.create(try await options(pool, token), manner)
        do throws(PoolError) {
            try await complete(pool, token, credential)
            Issue.record("\(what) was registered")
        } catch {
            #expect(error.type == type, "\(what): \(error)")
        }
        #expect(try await pool.call("ListWebAuthnCredentials", ["AccessToken": token])["Credentials"] == [])
    }

    @Test(
        "an authenticator may say what it is, and its own signature has to be right",
        arguments: VirtualAuthenticator.Kind.allCases)
    func attestation(kind: VirtualAuthenticator.Kind) async throws {
        let pool = try await pool()
        let token = try await token(pool)
        var own = VirtualAuthenticator(kind)
        try await complete(pool, token, own.create(try await options(pool, token), Manner(format: "packed")))
        // Of another kind: taken as if there were none.
        var foreign = VirtualAuthenticator(kind)
        let statement: [UInt8] =
            [0xA2, 0x63] + Array("sig".utf8) + [0x41, 0x00, 0x63] + Array("x5c".utf8) + [0x81, 0x41, 0x00]
        for format in ["fido-u2f", "packed"] {
            foreign = VirtualAuthenticator(kind)
            let manner = Manner(format: format, statement: statement)
            try await complete(pool, token, foreign.create(try await options(pool, token), manner))
        }
        #expect(
            try await pool.call("ListWebAuthnCredentials", ["AccessToken": token])["Credentials"]?.array?.count == 3)
    }

    @Test("a challenge is for one user and one answer, and ends")
    func challenge() async throws {
        let pool = try await pool()
        let (ann, bob) = (try await token(pool), try await token(pool, "bob"))
        var authenticator = VirtualAuthenticator()
        let options = try await options(pool, ann)
        let unknown = "WebAuthnChallengeNotFoundException"
        func type(_ token: JSONValue, _ credential: JSONValue) async -> String? {
            do throws(PoolError) {
                try await complete(pool, token, credential)
                return nil
            } catch {
                return error.type
            }
        }
        #expect(await type(bob, authenticator.create(options)) == unknown)
        #expect(await type(ann, authenticator.create(options, Manner(origin: "https://evil.example"))) != nil)
        #expect(await type(ann, authenticator.create(options)) == unknown)
        let late = try await self.options(pool, ann)
        pool.clock.pass(seconds: PoolLimits.passkeyMilliseconds / 1_000)
        #expect(await type(ann, authenticator.create(late)) == unknown)
        // A new passkey is none of what was asked at a sign-in.
        try await register(pool, &authenticator)
        let (_, request) = try await ask(pool)
        #expect(await type(ann, authenticator.create(request)) == unknown)
    }

    @Test("a passkey is registered once, whoever's it is, and nobody has too many")
    func limits() async throws {
        let pool = try await pool()
        let (ann, bob) = (try await token(pool), try await token(pool, "bob"))
        var authenticator = VirtualAuthenticator()
        try await complete(pool, ann, authenticator.create(try await options(pool, ann)))
        for token in [ann, bob] {
            await #expect(throws: PoolError.invalidParameter("The passkey is registered already.")) {
                try await complete(pool, token, authenticator.create(try await options(pool, token)))
            }
        }
        for _ in 1..<PoolLimits.passkeysPerUserMax {
            var other = VirtualAuthenticator()
            try await complete(pool, ann, other.create(try await options(pool, ann)))
        }
        var other = VirtualAuthenticator()
        let credential = other.create(try await options(pool, ann))
        do throws(PoolError) {
            try await complete(pool, ann, credential)
            Issue.record("one too many")
        } catch {
            #expect(error.type == "LimitExceededException")
        }
        var names: [String] = []
        var next: JSONValue?
        repeat {
            var members = JSONObject([("AccessToken", ann), ("MaxResults", 7)])
            members["NextToken"] = next
            let page = try await pool.call("ListWebAuthnCredentials", .object(members))
            names += (page["Credentials"]?.array ?? []).compactMap { $0["CredentialId"]?.string }
            next = page["NextToken"]
        } while next != nil
        #expect(Set(names).count == PoolLimits.passkeysPerUserMax && names.count == PoolLimits.passkeysPerUserMax)
        // Another user's is none.
        for id in [authenticator.idText, "", "!"] {
            await #expect(throws: PoolError.notFound("Requested resource not found.")) {
                try await pool.call("DeleteWebAuthnCredential", ["AccessToken": bob, "CredentialId": .string(id)])
            }
        }
    }

    private static let assertions: [(what: String, manner: Manner)] = [
        ("another origin", Manner(origin: "https://evil.example")), ("a frame", Manner(isCrossOrigin: true)),
        ("another domain", Manner(relyingPartyID: "evil.example")), ("another challenge", Manner(challenge: "AAAA")),
        ("a registration", Manner(type: "webauthn.create")), ("nobody there", Manner(flags: 0x04)),
        ("nobody proved", Manner(flags: 0x01)), ("a copy that cannot be", Manner(flags: 0x15)),
        ("more than is said", Manner(tail: [0])), ("another user", Manner(userHandle: "AAAA")),
        ("an unknown passkey", Manner(id: [1, 2, 3])),
        ("another signature", Manner(bend: { $0.set("signature", to: "MAYCAQECAQE") })),
        ("no signature", Manner(bend: { $0.set("signature", to: "") })),
        ("other data", Manner(bend: { $0.set("authenticatorData", to: "AAAA") })),
    ]

    @Test(
        "what is not as it was asked for lets nobody in, and leaves nothing to try again", arguments: assertions.indices
    )
    func refusedSignIn(row: Int) async throws {
        let pool = try await pool(.required)
        let (what, manner) = Self.assertions[row]
        var authenticator = VirtualAuthenticator()
        try await register(pool, &authenticator)
        let (asked, request) = try await ask(pool)
        await #expect(throws: PoolError.wrongPassword, "\(what)") {
            try await pool.respond("WEB_AUTHN", answer(authenticator.get(request, manner)), after: asked)
        }
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("WEB_AUTHN", answer(authenticator.get(request)), after: asked)
        }
        let (next, again) = try await ask(pool)
        #expect(try await pool.respond("WEB_AUTHN", answer(authenticator.get(again)), after: next).signsIn)
    }

    @Test("another user's passkey lets nobody in, whatever names are sent")
    func foreign() async throws {
        let pool = try await pool()
        var (anns, bobs) = (VirtualAuthenticator(), VirtualAuthenticator())
        try await register(pool, &anns)
        try await register(pool, &bobs, "bob")
        let (asked, request) = try await ask(pool)
        await #expect(throws: PoolError.wrongPassword) {
            try await pool.respond("WEB_AUTHN", answer(bobs.get(request)), after: asked)
        }
        let (next, again) = try await ask(pool, "bob")
        let done = try await pool.respond("WEB_AUTHN", answer(bobs.get(again)), after: next)
        #expect(try done.claims(of: "IdToken")["cognito:username"] == "bob")
    }

    @Test("a passkey that counts has to count on")
    func counter() async throws {
        let pool = try await pool()
        var authenticator = VirtualAuthenticator()
        try await register(pool, &authenticator)
        // After a copy of it has signed, one of the two is refused.
        var copy = authenticator
        for isFirst in [true, false] {
            let (asked, request) = try await ask(pool)
            if isFirst {
                #expect(try await pool.respond("WEB_AUTHN", answer(authenticator.get(request)), after: asked).signsIn)
            } else {
                await #expect(throws: PoolError.wrongPassword) {
                    try await pool.respond("WEB_AUTHN", answer(copy.get(request)), after: asked)
                }
            }
        }
    }

    @Test(
        "an answer that is none is said to be one, and the challenge waits on",
        arguments: ["", "{", "[]", "{}", #"{"type":"public-key","id":"AA","response":{}}"#, #"{"type":"password"}"#])
    func malformed(text: String) async throws {
        let pool = try await pool()
        var authenticator = VirtualAuthenticator()
        try await register(pool, &authenticator)
        let (asked, request) = try await ask(pool)
        do throws(PoolError) {
            try await pool.respond("WEB_AUTHN", ["CREDENTIAL": .string(text)], after: asked)
            Issue.record("it was taken")
        } catch {
            #expect(error.type == "InvalidParameterException")
        }
        #expect(try await pool.respond("WEB_AUTHN", answer(authenticator.get(request)), after: asked).signsIn)
    }

    // MARK: Origins

    @Test(
        "pages of the domain and below it may use them, over https",
        arguments: [
            ("https://example.com", true), ("https://app.example.com", true), ("https://example.com:8443", true),
            ("http://example.com", false), ("https://example.org", false), ("https://badexample.com", false),
            ("https://example.com.evil.org", false), ("https://EXAMPLE.com", false), ("https://example.com.", false),
            ("https://example.com:", false), ("https://example.com:x", false), ("https://", false), ("null", false),
            ("https://example.com/", false), ("https://a@example.com", false), ("https:/example.com", false),
            ("android:apk-key-hash:abc", false), ("https://.example.com", false), ("", false),
        ])
    func origins(origin: String, isAdmitted: Bool) {
        var settings = PasskeySettings()
        settings.relyingPartyID = "example.com"
        #expect(settings.admits(origin: origin) == isAdmitted)
        settings.origins = ["android:apk-key-hash:abc"]
        #expect(settings.admits(origin: origin) == (origin == "android:apk-key-hash:abc"))
    }
}
