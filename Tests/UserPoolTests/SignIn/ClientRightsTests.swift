import JSON
import Testing

@testable import UserPool

/// What a client of the pool may do, and what it is shown.
@Suite("Rights of a client")
struct ClientRightsTests {
    private static let refusal = PoolError.notAuthorized("A client attempted to write unauthorized attribute")

    private static func pool(_ change: (inout AppClient) -> Void) throws -> TestPool {
        var client = AppClient("client")
        change(&client)
        return try TestPool { settings in
            settings.clients = [client]
            settings.attributes.custom = ["role": .init(), "plan": .init()]
        }
    }

    private static func user(of pool: TestPool) async throws -> JSONValue {
        try await pool.make(
            "ann", [("email", "ann@example.com"), ("email_verified", "true"), ("custom:role", "user")])
        return try #require(try await pool.signIn("ann").token("AccessToken"))
    }

    @Test("attributes that it may not write are refused at sign-ups, updates, removals and with a first password")
    func writes() async throws {
        let pool = try Self.pool { $0.writeAttributes = ["email", "custom:plan"] }
        let token = try await Self.user(of: pool)
        await #expect(throws: Self.refusal) {
            try await pool.call(
                "UpdateUserAttributes",
                ["AccessToken": token, "UserAttributes": [["Name": "custom:role", "Value": "boss"]]])
        }
        await #expect(throws: Self.refusal) {
            try await pool.call(
                "DeleteUserAttributes", ["AccessToken": token, "UserAttributeNames": ["custom:role"]])
        }
        func signUp(_ name: JSONValue) async throws {
            try await pool.call(
                "SignUp",
                [
                    "ClientId": "client", "Username": "eve", "Password": .string(TestPool.password),
                    "UserAttributes": [["Name": name, "Value": "boss"]],
                ])
        }
        await #expect(throws: Self.refusal) { try await signUp("custom:role") }
        try await signUp("custom:plan")
        try await pool.call(
            "UpdateUserAttributes",
            ["AccessToken": token, "UserAttributes": [["Name": "custom:plan", "Value": "gold"]]])
        #expect(try await pool.user("ann").attribute("custom:role") == "user")

        try await pool.call(
            "AdminCreateUser",
            [
                "UserPoolId": "us-east-1_abcDEF123", "Username": "bob",
                "TemporaryPassword": .string(TestPool.password), "MessageAction": "SUPPRESS",
                "UserAttributes": [["Name": "custom:role", "Value": "user"]],
            ], by: true)
        let invited = try await pool.signIn("bob")
        await #expect(throws: Self.refusal) {
            try await pool.respond(
                "NEW_PASSWORD_REQUIRED",
                [
                    "USERNAME": "bob", "NEW_PASSWORD": "An0ther!Passw0rd", "userAttributes.custom:role": "boss",
                ], after: invited)
        }
    }

    @Test("attributes that it may not read are in no answer and no ID token")
    func reads() async throws {
        let pool = try Self.pool { $0.readAttributes = ["email"] }
        let token = try await Self.user(of: pool)
        let told = try await pool.call("GetUser", ["AccessToken": token])["UserAttributes"]?.array ?? []
        #expect(told.compactMap { $0["Name"]?.string } == ["sub", "email"])
        let claims = try await pool.signIn("ann").claims(of: "IdToken")
        #expect(claims["email"] == "ann@example.com")
        #expect(claims["custom:role"] == nil && claims["email_verified"] == nil)
    }

    @Test("first factors are those of the pool, whatever a user has")
    func firstFactors() async throws {
        let pool = try TestPool { $0.firstFactors = [.password] }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        for name in ["ann", "nobody"] {
            let answer = try await pool.begin(
                "USER_AUTH", ["USERNAME": .string(name), "PREFERRED_CHALLENGE": "EMAIL_OTP"])
            #expect(answer["AvailableChallenges"] == ["PASSWORD_SRP", "PASSWORD"])
        }
        await #expect(throws: PoolError.invalidPassword("Password is required")) {
            try await pool.call("SignUp", ["ClientId": "client", "Username": "eve"])
        }
    }
}
