import Crypto
import JSON
import Store
import Testing

@testable import UserPool

@Suite("Sign-in by what the user chooses")
struct FirstFactorChoiceTests {
    private func pool(_ change: (inout PoolSettings) -> Void = { _ in }) async throws -> TestPool {
        let pool = try TestPool(change)
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        try await pool.make(
            "bob",
            [
                ("email", "bob@example.com"), ("email_verified", "true"), ("phone_number", "+15555550100"),
                ("phone_number_verified", "true"),
            ])
        try await pool.make("eve", [("email", "eve@example.com")])
        try await pool.make("guest", password: nil, [("email", "guest@example.com"), ("email_verified", "true")])
        return pool
    }

    @Test(
        "what is offered is what the user has",
        arguments: [
            ("ann", ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP"]),
            ("bob", ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP", "SMS_OTP"]), ("eve", ["PASSWORD_SRP", "PASSWORD"]),
            ("guest", ["EMAIL_OTP"]), ("nobody", ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP"]),
        ])
    func offered(name: String, ways: [String]) async throws {
        let pool = try await pool()
        for preferred in [nil, "WEB_AUTHN", ways.contains("SMS_OTP") ? nil : "SMS_OTP"] {
            var parameters = JSONObject([("USERNAME", .string(name))])
            parameters["PREFERRED_CHALLENGE"] = preferred.map(JSONValue.string)
            let answer = try await pool.begin("USER_AUTH", .object(parameters))
            #expect(answer.challenge == "SELECT_CHALLENGE")
            #expect(answer["AvailableChallenges"] == .array(ways.map { .string($0) }))
            #expect(answer["Session"]?.string != nil)
        }
    }

    @Test(
        "users are told by what they may begin",
        arguments: [
            ("ann", ["PASSWORD", "EMAIL_OTP"]), ("bob", ["PASSWORD", "EMAIL_OTP", "SMS_OTP"]), ("eve", ["PASSWORD"]),
        ])
    func told(name: String, factors: [String]) async throws {
        let pool = try await pool()
        let token = try #require(try await pool.signIn(name).token("AccessToken"))
        let answer = try await pool.call("GetUserAuthFactors", ["AccessToken": token])
        #expect(
            answer == [
                "Username": .string(name), "ConfiguredUserAuthFactors": .array(factors.map { .string($0) }),
            ])
        await #expect(throws: PoolError.self) { try await pool.call("GetUserAuthFactors", [:]) }
    }

    @Test("a preferred password lets in, and a selected one does, until one is right")
    func password() async throws {
        let pool = try await pool()
        let right = JSONValue.string(TestPool.password)
        let done = try await pool.begin(
            "USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "PASSWORD", "PASSWORD": right])
        #expect(done.signsIn)
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "ann"])
        await #expect(throws: PoolError.wrongPassword) {
            try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "PASSWORD", "PASSWORD": "Wr0ng!Word"], after: asked)
        }
        let answer: JSONValue = ["USERNAME": "bob", "ANSWER": "PASSWORD", "PASSWORD": right]
        let second = try await pool.respond("SELECT_CHALLENGE", answer, after: asked)
        // The session says who it is, whatever the answer does.
        #expect(try second.claims(of: "IdToken")["cognito:username"] == "ann")
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("SELECT_CHALLENGE", answer, after: asked)
        }
    }

    @Test("a proof by SRP lets in, preferred or selected, and uses the selection up")
    func proof() async throws {
        let pool = try await pool()
        for isSelected in [false, true] {
            let client = ReferenceClient(
                arithmetic: .fast, group: "abcDEF123", user: "ann", password: TestPool.password,
                secret: String(repeating: "5a", count: 32))
            let number = JSONValue.string(client.clientNumber)
            var asked: JSONValue?
            let begun: JSONValue
            if isSelected {
                let selection = try await pool.begin("USER_AUTH", ["USERNAME": "ann"])
                begun = try await pool.respond(
                    "SELECT_CHALLENGE", ["ANSWER": "PASSWORD_SRP", "SRP_A": number], after: selection)
                asked = selection
            } else {
                begun = try await pool.begin(
                    "USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": number])
            }
            #expect(begun.challenge == "PASSWORD_VERIFIER")
            let done = try await pool.respond("PASSWORD_VERIFIER", try pool.claim(of: client, begun), after: begun)
            #expect(done.signsIn)
            guard let asked else { continue }
            await #expect(throws: PoolError.usedSession) {
                try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "PASSWORD_SRP", "SRP_A": number], after: asked)
            }
        }
    }

    @Test("a code by mail lets in once, also those without a password")
    func mail() async throws {
        let pool = try await pool()
        for name in ["ann", "guest"] {
            let sent = try await pool.begin(
                "USER_AUTH", ["USERNAME": .string(name), "PREFERRED_CHALLENGE": "EMAIL_OTP"])
            #expect(sent.challenge == "EMAIL_OTP")
            let code = JSONValue.string(try await pool.code(to: "\(name)@example.com"))
            await #expect(throws: PoolError.wrongCode) {
                try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": "00000000"], after: sent)
            }
            #expect(try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: sent).signsIn)
            await #expect(throws: PoolError.usedSession) {
                try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: sent)
            }
        }
    }

    @Test("a selected code by SMS lets in, and the selection is used up by it")
    func sms() async throws {
        let pool = try await pool()
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "bob"])
        let sent = try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "SMS_OTP"], after: asked)
        #expect(sent.challenge == "SMS_OTP")
        let code = JSONValue.string(try await pool.code(to: "+15555550100"))
        #expect(try await pool.respond("SMS_OTP", ["SMS_OTP_CODE": code], after: sent).signsIn)
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "SMS_OTP"], after: asked)
        }
    }

    @Test("no code gets by a second factor that is on, nor is it one")
    func secondFactor() async throws {
        let pool = try await pool()
        try await pool.edit("bob") { user in
            user.secondFactors.enabled = [.totp]
            user.totpSecret = Array("12345678901234567890".utf8)
        }
        let sent = try await pool.begin("USER_AUTH", ["USERNAME": "bob", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        let code = JSONValue.string(try await pool.code())
        let next = try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: sent)
        #expect(next.challenge == "SOFTWARE_TOKEN_MFA")
        #expect(!next.signsIn)
        // Mail is the second factor: then it is not offered as the first.
        try await pool.edit("bob") { $0.secondFactors.enabled = [.email] }
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "bob", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        #expect(asked["AvailableChallenges"] == ["PASSWORD_SRP", "PASSWORD", "SMS_OTP"])
        // It was turned on after the code was sent.
        try await pool.edit("ann") { $0.secondFactors.enabled = [] }
        let mailed = try await pool.begin("USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        try await pool.edit("ann") { $0.secondFactors.enabled = [.email] }
        let first = JSONValue.string(try await pool.code(to: "ann@example.com"))
        await #expect(throws: PoolError.self) {
            try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": first], after: mailed)
        }
    }

    @Test("who is not there is answered alike, in every step")
    func hidden() async throws {
        let pool = try await pool()
        let known = try await pool.begin("USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        let ghost = try await pool.begin("USER_AUTH", ["USERNAME": "amy", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        #expect(known["ChallengeParameters"]?.object?.keys == ghost["ChallengeParameters"]?.object?.keys)
        #expect(known.parameter("CODE_DELIVERY_DESTINATION") == ghost.parameter("CODE_DELIVERY_DESTINATION"))
        #expect(known["Session"]?.string?.utf8.count == ghost["Session"]?.string?.utf8.count)
        let messages = try await pool.messageCount()
        #expect(messages == 1)
        // Wrong codes are refused alike, also once they are too many, and ten of them end no code sooner for those who are there.
        for _ in 0..<14 {
            var errors: [PoolError] = []
            for session in [known, ghost] {
                do throws(PoolError) {
                    try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": "00000000"], after: session)
                } catch {
                    errors.append(error)
                }
            }
            #expect(errors.count == 2 && errors.first == errors.last)
            pool.clock.pass(seconds: 8)
        }
    }

    @Test("nor does the limit of messages tell who is there")
    func hiddenLimit() async throws {
        let pool = try await pool()
        for _ in 0..<25 {
            for name in ["ann", "amy"] {
                let answer = try await pool.begin(
                    "USER_AUTH", ["USERNAME": .string(name), "PREFERRED_CHALLENGE": "EMAIL_OTP"])
                #expect(answer.challenge == "EMAIL_OTP")
            }
        }
        #expect(try await pool.messageCount() == PoolLimits.messagesPerAddressMax)
    }

    @Test("where existence is shown, who is not there is told so")
    func shown() async throws {
        let pool = try await pool { $0.existenceErrors = .shown }
        await #expect(throws: PoolError.userNotFound) { try await pool.begin("USER_AUTH", ["USERNAME": "nobody"]) }
    }

    @Test("texts that are no challenges, and names that are too long, are refused")
    func refused() async throws {
        let pool = try await pool()
        let refused: [JSONValue] = [
            [:], ["USERNAME": "ann", "PREFERRED_CHALLENGE": "SOFTWARE_TOKEN_MFA"],
            ["USERNAME": "ann", "PREFERRED_CHALLENGE": "PASSWORD"],
            ["USERNAME": "ann", "PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": "0"],
            ["USERNAME": .string(String(repeating: "a", count: 129))],
        ]
        for parameters in refused {
            await #expect(throws: PoolError.self) { try await pool.begin("USER_AUTH", parameters) }
        }
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "ann"])
        for answer in ["SMS_OTP", "WEB_AUTHN", "SMS_MFA", ""] {
            await #expect(throws: PoolError.self) {
                try await pool.respond("SELECT_CHALLENGE", ["ANSWER": .string(answer)], after: asked)
            }
        }
    }

    // MARK: Newcomers

    private func signUp(_ pool: TestPool, _ name: String) async throws -> (signUp: JSONValue, confirmation: JSONValue) {
        let made = try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": .string(name), "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": .string("\(name)@example.com")]],
            ])
        let confirmed = try await pool.call(
            "ConfirmSignUp",
            [
                "ClientId": "client", "Username": .string(name),
                "ConfirmationCode": .string(try await pool.code(to: "\(name)@example.com")),
            ])
        return (made, confirmed)
    }

    @Test("whoever has just signed up is let in by the session, once and as themselves")
    func newcomers() async throws {
        let pool = try await pool()
        let session = try #require(try await signUp(pool, "new").confirmation["Session"]?.string)
        await #expect(throws: PoolError.invalidSession) {
            try await pool.begin("USER_AUTH", ["USERNAME": "ann"], session: session)
        }
        #expect(try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session).signsIn)
        await #expect(throws: PoolError.usedSession) {
            try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session)
        }
    }

    @Test("the session does nothing else, ends, and gets by no second factor", arguments: 0..<4)
    func newcomersOnly(event: Int) async throws {
        let pool = try await pool()
        let answer = try await signUp(pool, "new").confirmation
        let session = try #require(answer["Session"]?.string)
        switch event {
        case 0:
            for challenge in Challenge.allCases {
                await #expect(throws: PoolError.self) {
                    try await pool.respond(
                        challenge.rawValue,
                        ["USERNAME": "new", "ANSWER": "PASSWORD", "PASSWORD": .string(TestPool.password)], after: answer
                    )
                }
            }
            await #expect(throws: PoolError.invalidSession) {
                try await pool.call("AssociateSoftwareToken", ["Session": .string(session)])
            }
            #expect(try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session).signsIn)
        case 1:
            pool.clock.pass(seconds: 181)
            await #expect(throws: PoolError.expiredSession) {
                try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session)
            }
        case 2:
            try await pool.edit("new") { user in
                user.secondFactors.enabled = [.totp]
                user.totpSecret = Array("12345678901234567890".utf8)
            }
            let next = try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session)
            #expect(next.challenge == "SOFTWARE_TOKEN_MFA")
        default:
            try await pool.edit("new") { $0.isEnabled = false }
            await #expect(throws: PoolError.disabled) {
                try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: session)
            }
        }
    }

    @Test("the session of a sign-up lets nobody in who has not confirmed")
    func unconfirmed() async throws {
        let pool = try await pool()
        let made = try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": "new", "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": "new@example.com"]],
            ])
        await #expect(throws: PoolError.notConfirmed) {
            try await pool.begin("USER_AUTH", ["USERNAME": "new"], session: made["Session"]?.string)
        }
    }
}
