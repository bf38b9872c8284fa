import JSON
import Testing

@testable import UserPool

@Suite("Invited users choose a password")
struct NewPasswordTests {
    private static let temporary = "Temp0rary!Word"
    private static let own = "An0ther!Passw0rd"

    private func pool(_ change: (inout PoolSettings) -> Void = { _ in }) async throws -> TestPool {
        let pool = try TestPool(change)
        let until = pool.clock.now + 7 * 86_400_000
        try await pool.make(
            "invited", password: Self.temporary, [("email", "invited@example.com"), ("email_verified", "true")]
        ) { user in
            user.status = .mustChangePassword
            user.temporaryUntil = until
        }
        return pool
    }

    @Test("the first sign-in asks for one, takes what else is told, and goes on")
    func firstSignIn() async throws {
        let pool = try await pool { $0.attributes.required = ["email", "name"] }
        let asked = try await pool.signIn("invited", Self.temporary)
        #expect(asked.challenge == "NEW_PASSWORD_REQUIRED")
        #expect(asked.list("requiredAttributes") == ["userAttributes.name"])
        #expect(
            asked.parameter("userAttributes") == #"{"email":"invited@example.com","email_verified":"true"}"#)
        let done = try await pool.respond(
            "NEW_PASSWORD_REQUIRED",
            ["USERNAME": "invited", "NEW_PASSWORD": .string(Self.own), "userAttributes.name": "Ann"], after: asked)
        #expect(done.signsIn)
        let user = try await pool.user("invited")
        #expect(user.status == .confirmed)
        #expect(user.attribute("name") == "Ann")
        #expect(user.attribute("email_verified") == "true")
        #expect(try await pool.signIn("invited", Self.own).signsIn)
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("invited", Self.temporary) }
    }

    @Test("a password against the policy leaves the session good, a taken one uses it up")
    func session() async throws {
        let pool = try await pool()
        let asked = try await pool.signIn("invited", Self.temporary)
        for weak in ["weak", "alllowercase1!", "With blank 1!", String(repeating: "aA1!", count: 65)] {
            await #expect(throws: PoolError.self) {
                try await pool.respond("NEW_PASSWORD_REQUIRED", ["NEW_PASSWORD": .string(weak)], after: asked)
            }
        }
        let answer: JSONValue = ["NEW_PASSWORD": .string(Self.own)]
        #expect(try await pool.respond("NEW_PASSWORD_REQUIRED", answer, after: asked).signsIn)
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond("NEW_PASSWORD_REQUIRED", answer, after: asked)
        }
    }

    @Test(
        "what users may not say of themselves is refused, and changes nothing",
        arguments: [
            ("sub", "x"), ("email_verified", "false"), ("phone_number_verified", "true"), ("identities", "[]"),
            ("cognito:user_status", "x"), ("dev:custom:x", "x"), ("custom:unknown", "x"), ("nonsense", "x"),
            ("email", "other@example.com"), ("custom:once", "2"), ("phone_number", "12"),
            ("name", String(repeating: "x", count: 2_049)),
        ])
    func refusedAttributes(name: String, value: String) async throws {
        let pool = try await pool { settings in
            var once = AttributeSchema.Custom()
            once.isMutable = false
            settings.attributes.custom["once"] = once
        }
        try await pool.edit("invited") { $0.attributes.set("custom:once", to: "1") }
        let asked = try await pool.signIn("invited", Self.temporary)
        await #expect(throws: PoolError.self) {
            try await pool.respond(
                "NEW_PASSWORD_REQUIRED",
                ["NEW_PASSWORD": .string(Self.own), "userAttributes.\(name)": .string(value)], after: asked)
        }
        let user = try await pool.user("invited")
        #expect(user.status == .mustChangePassword)
        #expect(user.attributes.keys == ["email", "email_verified", "custom:once"])
        #expect(
            try await pool.respond("NEW_PASSWORD_REQUIRED", ["NEW_PASSWORD": .string(Self.own)], after: asked).signsIn)
    }

    @Test("an address that comes with it is not verified, whatever stood there")
    func newAddress() async throws {
        let pool = try await pool()
        try await pool.edit("invited") { user in
            user.attributes = JSONObject([("phone_number_verified", "true")])
        }
        let asked = try await pool.signIn("invited", Self.temporary)
        try await pool.respond(
            "NEW_PASSWORD_REQUIRED",
            ["NEW_PASSWORD": .string(Self.own), "userAttributes.phone_number": "+15555550100"], after: asked)
        #expect(try await !pool.user("invited").hasVerified("phone_number"))
    }

    @Test("what everybody has to give is missed")
    func missing() async throws {
        let pool = try await pool { $0.attributes.required = ["name"] }
        let asked = try await pool.signIn("invited", Self.temporary)
        await #expect(throws: PoolError.invalidParameter("Invalid attributes given, name is missing")) {
            try await pool.respond("NEW_PASSWORD_REQUIRED", ["NEW_PASSWORD": .string(Self.own)], after: asked)
        }
    }

    enum Event: String, CaseIterable {
        case disabled, expired, newTemporaryPassword, deleted, sessionExpired
    }

    @Test("a session is worth what the user's record says when it is used", arguments: Event.allCases)
    func changedMeanwhile(event: Event) async throws {
        let pool = try await pool()
        let asked = try await pool.signIn("invited", Self.temporary)
        switch event {
        case .disabled: try await pool.edit("invited") { $0.isEnabled = false }
        case .expired: try await pool.edit("invited") { $0.temporaryUntil = 1 }
        case .newTemporaryPassword:
            try await pool.edit("invited") { user in
                user.password = user.password.map {
                    StoredPassword(salt: $0.salt, verifier: [2] + $0.verifier.dropFirst())
                }
            }
        case .deleted:
            let user = try await pool.user("invited")
            try await pool.write { change throws(PoolError) in try change.delete(user) }
            try await pool.make("invited", password: Self.temporary) { $0.status = .mustChangePassword }
        case .sessionExpired: pool.clock.pass(seconds: 181)
        }
        await #expect(throws: PoolError.self) {
            try await pool.respond(
                "NEW_PASSWORD_REQUIRED", ["USERNAME": "invited", "NEW_PASSWORD": .string(Self.own)], after: asked)
        }
        #expect(try await pool.user("invited").status == .mustChangePassword)
    }

    @Test(
        "the session is no answer to any other challenge", arguments: Challenge.allCases.filter { $0 != .newPassword })
    func otherChallenges(challenge: Challenge) async throws {
        let pool = try await pool()
        let asked = try await pool.signIn("invited", Self.temporary)
        await #expect(throws: PoolError.self) {
            try await pool.respond(
                challenge.rawValue,
                [
                    "USERNAME": "invited", "NEW_PASSWORD": .string(Self.own), "ANSWER": "PASSWORD",
                    "PASSWORD": .string(Self.temporary), "SMS_MFA_CODE": "123456", "EMAIL_OTP_CODE": "123456",
                    "SMS_OTP_CODE": "123456", "SOFTWARE_TOKEN_MFA_CODE": "123456", "SRP_A": "2", "DEVICE_KEY": "x",
                ], after: asked)
        }
    }
}
