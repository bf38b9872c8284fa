import Crypto
import JSON
import Store
import Testing

@testable import UserPool

@Suite("Second factors")
struct SecondFactorTests {
    private static let secret = Array("12345678901234567890".utf8)

    /// The code that an app shows so many steps from now.
    private func code(_ pool: TestPool, _ secret: [UInt8] = Self.secret, steps: Int64 = 0) -> JSONValue {
        let step = pool.clock.now / 30_000 + steps
        return .string(String(decoding: OneTimeCode(secret: secret).code(of: step), as: UTF8.self))
    }

    /// A user with these second factors on.
    private func pool(
        _ factors: [PoolSettings.SecondFactor], preferred: PoolSettings.SecondFactor? = nil,
        _ change: (inout PoolSettings) -> Void = { _ in }
    ) async throws -> TestPool {
        let pool = try TestPool(change)
        try await pool.make(
            "ann",
            [
                ("email", "ann@example.com"), ("email_verified", "true"), ("phone_number", "+15555550100"),
                ("phone_number_verified", "true"),
            ]
        ) { user in
            user.secondFactors.enabled = factors
            user.secondFactors.preferred = preferred
            if factors.contains(.totp) { user.totpSecret = Self.secret }
        }
        return pool
    }

    private func accessToken(_ answer: JSONValue) throws -> JSONValue { try #require(answer.token("AccessToken")) }

    // MARK: Authenticator apps

    @Test("an app is set up with a token, asked for, and turned off again")
    func authenticator() async throws {
        let pool = try await pool([])
        let token = try accessToken(try await pool.signIn("ann"))
        let text = try #require(
            try await pool.call("AssociateSoftwareToken", ["AccessToken": token])["SecretCode"]?.string)
        let secret = try #require(Base32.bytes(of: text))
        await #expect(throws: PoolError("EnableSoftwareTokenMFAException", "Code mismatch")) {
            try await pool.call("VerifySoftwareToken", ["AccessToken": token, "UserCode": "000000"])
        }
        // Until it is verified it is nobody's second factor.
        #expect(try await pool.signIn("ann").signsIn)
        let verified = try await pool.call(
            "VerifySoftwareToken",
            ["AccessToken": token, "UserCode": code(pool, secret), "FriendlyDeviceName": "phone"])
        #expect(verified["Status"] == "SUCCESS")
        #expect(try await pool.signIn("ann").signsIn)
        try await pool.call(
            "SetUserMFAPreference",
            ["AccessToken": token, "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": true]])
        let user = try await pool.call("GetUser", ["AccessToken": token])
        #expect(user["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"])
        #expect(user["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA")
        let asked = try await pool.signIn("ann")
        #expect(asked.challenge == "SOFTWARE_TOKEN_MFA")
        #expect(asked.parameter("FRIENDLY_DEVICE_NAME") == "phone")
        // The code that set it up has been taken.
        let mismatch = PoolError("CodeMismatchException", "Invalid code received for user")
        for wrong in [code(pool, secret), "000000", "", "12345", "1234567", "١٢٣٤٥٦"] {
            await #expect(throws: mismatch) {
                try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": wrong], after: asked)
            }
            pool.clock.pass(seconds: 2)
        }
        pool.clock.pass(seconds: 30)
        let right: JSONValue = ["USERNAME": "ann", "SOFTWARE_TOKEN_MFA_CODE": code(pool, secret)]
        #expect(try await pool.respond("SOFTWARE_TOKEN_MFA", right, after: asked).signsIn)
        try await pool.call(
            "SetUserMFAPreference", ["AccessToken": token, "SoftwareTokenMfaSettings": ["Enabled": false]])
        #expect(try await pool.signIn("ann").signsIn)
    }

    @Test("no step of an app is taken twice, nor one before it, in whichever session")
    func stepsOnce() async throws {
        let pool = try await pool([.totp])
        func tryCode(_ steps: Int64) async throws -> Bool {
            let asked = try await pool.signIn("ann")
            do throws(PoolError) {
                return try await pool.respond(
                    "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code(pool, steps: steps)], after: asked
                ).signsIn
            } catch {
                return false
            }
        }
        #expect(try await !tryCode(2))
        #expect(try await !tryCode(-2))
        #expect(try await tryCode(0))
        #expect(try await !tryCode(0))
        #expect(try await !tryCode(-1))
        #expect(try await tryCode(1))
        pool.clock.pass(seconds: 30)
        #expect(try await !tryCode(0))
    }

    @Test("of many with the same code one gets in")
    func sameCodeAtOnce() async throws {
        let pool = try await pool([.totp])
        var asked: [JSONValue] = []
        for _ in 0..<4 { asked.append(try await pool.signIn("ann")) }
        let answer: JSONValue = ["SOFTWARE_TOKEN_MFA_CODE": code(pool)]
        let count = await withTaskGroup(of: Bool.self) { group in
            for session in asked {
                group.addTask {
                    (try? await pool.respond("SOFTWARE_TOKEN_MFA", answer, after: session, on: PoolShard()).signsIn)
                        ?? false
                }
            }
            return await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        #expect(count == 1)
    }

    @Test("five wrong tries keep right ones out for a while, whatever the session")
    func limited() async throws {
        let pool = try await pool([.totp])
        for _ in 0..<5 {
            let asked = try await pool.signIn("ann")
            await #expect(throws: PoolError("CodeMismatchException", "Invalid code received for user")) {
                try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": "000000"], after: asked)
            }
        }
        let asked = try await pool.signIn("ann")
        for code in [code(pool), "000000"] {
            await #expect(throws: PoolError.tooManyAttempts) {
                try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code], after: asked)
            }
        }
        pool.clock.pass(seconds: 2)
        let right: JSONValue = ["SOFTWARE_TOKEN_MFA_CODE": code(pool)]
        #expect(try await pool.respond("SOFTWARE_TOKEN_MFA", right, after: asked).signsIn)
    }

    @Test("a new app takes the old one's place when it is verified, not before")
    func replaced() async throws {
        let pool = try await pool([.totp])
        let asked = try await pool.signIn("ann")
        let done = try await pool.respond(
            "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code(pool)], after: asked)
        let token = try accessToken(done)
        let text = try #require(
            try await pool.call("AssociateSoftwareToken", ["AccessToken": token])["SecretCode"]?.string)
        let secret = try #require(Base32.bytes(of: text))
        pool.clock.pass(seconds: 30)
        let again = try await pool.signIn("ann")
        let old: JSONValue = ["SOFTWARE_TOKEN_MFA_CODE": code(pool)]
        #expect(try await pool.respond("SOFTWARE_TOKEN_MFA", old, after: again).signsIn)
        pool.clock.pass(seconds: 30)
        try await pool.call("VerifySoftwareToken", ["AccessToken": token, "UserCode": code(pool, secret)])
        pool.clock.pass(seconds: 30)
        let last = try await pool.signIn("ann")
        await #expect(throws: PoolError.self) {
            try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code(pool)], after: last)
        }
        let new: JSONValue = ["SOFTWARE_TOKEN_MFA_CODE": code(pool, secret)]
        #expect(try await pool.respond("SOFTWARE_TOKEN_MFA", new, after: last).signsIn)
    }

    // MARK: Setting up on the way in

    private func demanding(_ factors: [PoolSettings.SecondFactor]) async throws -> TestPool {
        let pool = try TestPool { settings in
            settings.secondFactorDemand = .required
            settings.secondFactors = factors
        }
        try await pool.make("bob")
        return pool
    }

    @Test("where a second factor is demanded, whoever has none sets an app up before anything else")
    func setUp() async throws {
        let pool = try await demanding([.totp])
        let asked = try await pool.signIn("bob")
        #expect(asked.challenge == "MFA_SETUP")
        #expect(asked.list("MFAS_CAN_SETUP") == ["SOFTWARE_TOKEN_MFA"])
        await #expect(throws: PoolError.invalidSession) { try await pool.respond("MFA_SETUP", [:], after: asked) }
        let begun = try await pool.call("AssociateSoftwareToken", ["Session": try #require(asked["Session"])])
        await #expect(throws: PoolError.invalidSession) { try await pool.respond("MFA_SETUP", [:], after: begun) }
        let secret = try #require(begun["SecretCode"]?.string.flatMap(Base32.bytes))
        let session = try #require(begun["Session"])
        await #expect(throws: PoolError("EnableSoftwareTokenMFAException", "Code mismatch")) {
            try await pool.call("VerifySoftwareToken", ["Session": session, "UserCode": "000000"])
        }
        let verified = try await pool.call(
            "VerifySoftwareToken", ["Session": session, "UserCode": code(pool, secret)])
        #expect(verified["Status"] == "SUCCESS")
        await #expect(throws: PoolError.invalidSession) {
            try await pool.respond("MFA_SETUP", ["USERNAME": "nemo"], after: verified)
        }
        #expect(try await pool.respond("MFA_SETUP", ["USERNAME": "bob"], after: verified).signsIn)
        await #expect(throws: PoolError.usedSession) { try await pool.respond("MFA_SETUP", [:], after: verified) }
        // From now on it is asked for, and an old session sets up no other.
        let again = try await pool.signIn("bob")
        #expect(again.challenge == "SOFTWARE_TOKEN_MFA")
        for session in [again["Session"], asked["Session"]].compactMap(\.self) {
            if let begun = try? await pool.call("AssociateSoftwareToken", ["Session": session]) {
                let secret = try #require(begun["SecretCode"]?.string.flatMap(Base32.bytes))
                await #expect(throws: PoolError.invalidSession) {
                    try await pool.call(
                        "VerifySoftwareToken",
                        ["Session": try #require(begun["Session"]), "UserCode": code(pool, secret, steps: 1)])
                }
            }
        }
        await #expect(throws: PoolError.self) {
            try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code(pool, secret)], after: again)
        }
        let next: JSONValue = ["SOFTWARE_TOKEN_MFA_CODE": code(pool, secret, steps: 1)]
        #expect(try await pool.respond("SOFTWARE_TOKEN_MFA", next, after: again).signsIn)
    }

    @Test("or an address of mail, which is proved by it")
    func setUpMail() async throws {
        let pool = try await demanding([.totp, .email])
        let asked = try await pool.signIn("bob")
        #expect(asked.list("MFAS_CAN_SETUP") == ["SOFTWARE_TOKEN_MFA", "EMAIL_OTP"])
        await #expect(throws: PoolError.self) {
            try await pool.respond("MFA_SETUP", ["EMAIL": "a@example.com, b@example.com"], after: asked)
        }
        let sent = try await pool.respond("MFA_SETUP", ["USERNAME": "bob", "EMAIL": "bob@example.com"], after: asked)
        #expect(sent.challenge == "EMAIL_OTP")
        await #expect(throws: PoolError.wrongCode) {
            try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": "00000000"], after: sent)
        }
        #expect(try await !pool.user("bob").hasVerified("email"))
        let code = JSONValue.string(try await pool.code(to: "bob@example.com"))
        #expect(try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: sent).signsIn)
        #expect(try await pool.user("bob").hasVerified("email"))
        #expect(try await pool.signIn("bob").challenge == "EMAIL_OTP")
    }

    @Test("where it is demanded, a proved address counts as one")
    func demandedAddress() async throws {
        let pool = try await pool([]) { settings in
            settings.secondFactorDemand = .required
            settings.secondFactors = [.sms]
        }
        #expect(try await pool.signIn("ann").challenge == "SMS_MFA")
    }

    @Test("where none is, what a user has turned on is not asked for")
    func off() async throws {
        let pool = try await pool([.totp]) { $0.secondFactorDemand = .off }
        let done = try await pool.signIn("ann")
        #expect(done.signsIn)
        await #expect(throws: PoolError.self) {
            try await pool.call("AssociateSoftwareToken", ["AccessToken": try #require(done.token("AccessToken"))])
        }
    }

    // MARK: Codes

    @Test(
        "a code by mail or SMS lets in, and wrong ones leave the session good",
        arguments: [
            (PoolSettings.SecondFactor.email, "EMAIL_OTP", "EMAIL_OTP_CODE", "EMAIL", "a***@e***"),
            (.sms, "SMS_MFA", "SMS_MFA_CODE", "SMS", "+*******0100"),
        ])
    func codes(
        factor: PoolSettings.SecondFactor, challenge: String, member: String, medium: String, shown: String
    ) async throws {
        let pool = try await pool([factor])
        let asked = try await pool.signIn("ann")
        #expect(asked.challenge == challenge)
        #expect(asked.parameter("CODE_DELIVERY_DELIVERY_MEDIUM") == medium)
        #expect(asked.parameter("CODE_DELIVERY_DESTINATION") == shown)
        let code = JSONValue.string(try await pool.code())
        await #expect(throws: PoolError.wrongCode) {
            try await pool.respond(challenge, [member: "0000000"], after: asked)
        }
        #expect(try await pool.respond(challenge, [member: code], after: asked).signsIn)
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond(challenge, [member: code], after: asked)
        }
    }

    @Test("the code of an earlier challenge is none of the next, and none that went to another address is one")
    func codeOfAnother() async throws {
        let pool = try await pool([.sms])
        let first = try await pool.signIn("ann")
        let old = JSONValue.string(try await pool.code())
        let second = try await pool.signIn("ann")
        if try await pool.code() != old.string {
            for session in [first, second] {
                await #expect(throws: PoolError.wrongCode) {
                    try await pool.respond("SMS_MFA", ["SMS_MFA_CODE": old], after: session)
                }
            }
        }
        // A code by mail is the first factor, and is not taken for the second.
        try await pool.begin("USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        let mailed = try await pool.code(to: "ann@example.com")
        if try await pool.code(to: "+15555550100") != mailed {
            await #expect(throws: PoolError.wrongCode) {
                try await pool.respond("SMS_MFA", ["SMS_MFA_CODE": .string(mailed)], after: second)
            }
        }
        try await pool.edit("ann") { $0.attributes.set("phone_number", to: "+15555550199") }
        let code = JSONValue.string(try await pool.code(to: "+15555550100"))
        await #expect(throws: PoolError.expiredCode) {
            try await pool.respond("SMS_MFA", ["SMS_MFA_CODE": code], after: second)
        }
    }

    // MARK: Which one

    @Test("of several the user chooses, and no other than these")
    func choice() async throws {
        let pool = try await pool([.email, .sms])
        let asked = try await pool.signIn("ann")
        #expect(asked.challenge == "SELECT_MFA_TYPE")
        #expect(asked.list("MFAS_CAN_CHOOSE") == ["SMS_MFA", "EMAIL_OTP"])
        for other in ["SOFTWARE_TOKEN_MFA", "", "PASSWORD"] {
            await #expect(throws: PoolError.self) {
                try await pool.respond("SELECT_MFA_TYPE", ["ANSWER": .string(other)], after: asked)
            }
        }
        let sent = try await pool.respond("SELECT_MFA_TYPE", ["USERNAME": "ann", "ANSWER": "EMAIL_OTP"], after: asked)
        #expect(sent.challenge == "EMAIL_OTP")
        let code = JSONValue.string(try await pool.code())
        #expect(try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: sent).signsIn)
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("SELECT_MFA_TYPE", ["ANSWER": "EMAIL_OTP"], after: asked)
        }
    }

    @Test("a preferred one is asked for at once")
    func preferred() async throws {
        let pool = try await pool([.email, .sms], preferred: .sms)
        #expect(try await pool.signIn("ann").challenge == "SMS_MFA")
    }

    @Test("nobody gets by one that is on and cannot be asked for")
    func unreachable() async throws {
        let pool = try await pool([.email])
        try await pool.edit("ann") { $0.attributes.remove("email") }
        await #expect(throws: PoolError.self) { try await pool.signIn("ann") }
    }

    @Test(
        "preferences that cannot be are refused, and change nothing",
        arguments: [
            ["SoftwareTokenMfaSettings": ["Enabled": true]],
            [
                "SMSMfaSettings": ["Enabled": true, "PreferredMfa": true],
                "EmailMfaSettings": ["Enabled": true, "PreferredMfa": true],
            ],
            ["EmailMfaSettings": ["PreferredMfa": true]],
        ] as [JSONValue])
    func refusedPreferences(wishes: JSONValue) async throws {
        let pool = try await pool([])
        let token = try accessToken(try await pool.signIn("ann"))
        await #expect(throws: PoolError.self) {
            try await pool.call("SetUserMFAPreference", wishes.adding(["AccessToken": token]))
        }
        #expect(try await pool.user("ann").secondFactors.enabled.isEmpty)
    }

    // MARK: Sessions

    @Test(
        "a session that waits for one is no answer to anything else",
        arguments: [PoolSettings.SecondFactor.totp, .sms, .email], Challenge.allCases)
    func otherChallenges(factor: PoolSettings.SecondFactor, challenge: Challenge) async throws {
        guard challenge.rawValue != factor.rawValue else { return }
        let pool = try await pool([factor])
        let asked = try await pool.signIn("ann")
        let code = factor == .totp ? code(pool) : .string(try await pool.code())
        await #expect(throws: PoolError.self) {
            try await pool.respond(
                challenge.rawValue,
                [
                    "USERNAME": "ann", "NEW_PASSWORD": "An0ther!Passw0rd", "ANSWER": "PASSWORD",
                    "EMAIL": "x@example.com",
                    "PASSWORD": .string(TestPool.password), "SMS_MFA_CODE": code, "EMAIL_OTP_CODE": code,
                    "SMS_OTP_CODE": code, "SOFTWARE_TOKEN_MFA_CODE": code, "SRP_A": "2", "DEVICE_KEY": "x",
                ], after: asked)
        }
        let session = try #require(asked["Session"])
        await #expect(throws: PoolError.self) { try await pool.call("AssociateSoftwareToken", ["Session": session]) }
        await #expect(throws: PoolError.self) {
            try await pool.call("VerifySoftwareToken", ["Session": session, "UserCode": "123456"])
        }
        await #expect(throws: PoolError.self) {
            try await pool.begin("USER_AUTH", ["USERNAME": "ann"], session: session.string)
        }
    }

    @Test("it ends with its time, the password, and the user")
    func endOfSession() async throws {
        for event in 0..<3 {
            let pool = try await pool([.totp])
            let asked = try await pool.signIn("ann")
            switch event {
            case 0: pool.clock.pass(seconds: 181)
            case 1:
                try await pool.edit("ann") { user in
                    user.password = user.password.map {
                        StoredPassword(salt: $0.salt, verifier: $0.verifier.reversed())
                    }
                }
            default: try await pool.edit("ann") { $0.isEnabled = false }
            }
            await #expect(throws: PoolError.self) {
                try await pool.respond("SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": code(pool)], after: asked)
            }
        }
    }
}
