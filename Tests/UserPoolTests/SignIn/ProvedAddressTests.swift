import JSON
import Testing

@testable import UserPool

/// New addresses that hold only when they are proved.
@Suite("A new address that has to be proved first")
struct ProvedAddressTests {
    private static let old = "ann@example.com"
    private static let new = "boss@example.com"

    /// A pool whose users sign in by email, and Ann's token.
    private static func pool(
        _ change: (inout PoolSettings) -> Void = { _ in }
    ) async throws -> (pool: TestPool, token: JSONValue) {
        let pool = try TestPool { settings in
            settings.signInNames = [.email]
            settings.addressesProvedFirst = ["email"]
            change(&settings)
        }
        try await pool.call(
            "SignUp",
            ["ClientId": "client", "Username": .string(old), "Password": .string(TestPool.password)])
        try await pool.call(
            "ConfirmSignUp",
            ["ClientId": "client", "Username": .string(old), "ConfirmationCode": .string(try await pool.code())])
        return (pool, try #require(try await pool.signIn(old).token("AccessToken")))
    }

    private static func update(_ pool: TestPool, _ token: JSONValue, _ address: String) async throws {
        try await pool.call(
            "UpdateUserAttributes",
            ["AccessToken": token, "UserAttributes": [["Name": "email", "Value": .string(address)]]])
    }

    private static func verify(_ pool: TestPool, _ token: JSONValue, _ code: String) async throws {
        try await pool.call(
            "VerifyUserAttribute", ["AccessToken": token, "AttributeName": "email", "Code": .string(code)])
    }

    private static func email(_ pool: TestPool, _ token: JSONValue) async throws -> [String?] {
        let list = try await pool.call("GetUser", ["AccessToken": token])["UserAttributes"]?.array ?? []
        return ["email", "email_verified"].map { name in
            list.first { $0["Name"]?.string == name }?["Value"]?.string
        }
    }

    @Test("waits: the old one is told, signs in and gets codes until the code of the new one comes back")
    func waits() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        let code = try await pool.code(to: Self.new)
        #expect(try await Self.email(pool, token) == [Self.old, "true"])
        let tokens = try await pool.signIn(Self.old)
        #expect(try tokens.claims(of: "IdToken")["email"] == .string(Self.old))
        await #expect(throws: PoolError.self) { try await pool.signIn(Self.new) }
        let forgotten = try await pool.call("ForgotPassword", ["ClientId": "client", "Username": .string(Self.old)])
        #expect(forgotten["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
        #expect(try await pool.code() == pool.code(to: Self.old))
        try await Self.verify(pool, token, code)
        #expect(try await Self.email(pool, token) == [Self.new, "true"])
        #expect(try await pool.signIn(Self.new).signsIn)
        await #expect(throws: PoolError.self) { try await pool.signIn(Self.old) }
    }

    @Test("ends the codes of the old one when it is proved")
    func endsCodes() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        let code = try await pool.code(to: Self.new)
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": .string(Self.old)])
        let forgotten = try await pool.code(to: Self.old)
        try await Self.verify(pool, token, code)
        await #expect(throws: PoolError.self) {
            try await pool.call(
                "ConfirmForgotPassword",
                [
                    "ClientId": "client", "Username": .string(Self.new), "ConfirmationCode": .string(forgotten),
                    "Password": "An0ther!Passw0rd",
                ])
        }
    }

    @Test("takes the place of one that waited, and the code of that one is no good any more")
    func replaces() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, "first@example.com")
        let first = try await pool.code(to: "first@example.com")
        try await Self.update(pool, token, Self.new)
        let second = try await pool.code(to: Self.new)
        if first != second {
            await #expect(throws: PoolError.self) { try await Self.verify(pool, token, first) }
        }
        try await Self.verify(pool, token, second)
        #expect(try await Self.email(pool, token) == [Self.new, "true"])
    }

    @Test("is given up by an update with the old one")
    func isGivenUp() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        let code = try await pool.code(to: Self.new)
        try await Self.update(pool, token, Self.old)
        await #expect(throws: PoolError.self) { try await Self.verify(pool, token, code) }
        #expect(try await Self.email(pool, token) == [Self.old, "true"])
    }

    @Test("gets another code when one is asked for")
    func sendsAgain() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        try await pool.call("GetUserAttributeVerificationCode", ["AccessToken": token, "AttributeName": "email"])
        #expect(try await pool.messageCount() == 3)
        try await Self.verify(pool, token, try await pool.code(to: Self.new))
        #expect(try await Self.email(pool, token) == [Self.new, "true"])
    }

    @Test("is refused where it is somebody else's, at once or by when it is proved")
    func isUnique() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        let code = try await pool.code(to: Self.new)
        // Whose it is may sign up all the same.
        try await pool.call(
            "SignUp",
            ["ClientId": "client", "Username": .string(Self.new), "Password": .string(TestPool.password)])
        await #expect(throws: PoolError("AliasExistsException", "An account with the given email already exists.")) {
            try await Self.verify(pool, token, code)
        }
        await #expect(throws: PoolError("AliasExistsException", "An account with the given email already exists.")) {
            try await Self.update(pool, token, Self.new)
        }
        #expect(try await Self.email(pool, token) == [Self.old, "true"])
    }

    @Test(
        "waits for administrators, too, unless they say that it is verified", arguments: [true, false])
    func administrators(isVerified: Bool) async throws {
        let (pool, token) = try await Self.pool()
        var attributes: [JSONValue] = [["Name": "email", "Value": .string(Self.new)]]
        if isVerified { attributes.append(["Name": "email_verified", "Value": "true"]) }
        try await pool.call(
            "AdminUpdateUserAttributes",
            [
                "UserPoolId": "us-east-1_abcDEF123", "Username": .string(Self.old),
                "UserAttributes": .array(attributes),
            ], by: true)
        #expect(try await Self.email(pool, token) == [isVerified ? Self.new : Self.old, "true"])
        if !isVerified { try await Self.verify(pool, token, try await pool.code(to: Self.new)) }
        #expect(try await Self.email(pool, token) == [Self.new, "true"])
    }

    @Test("holds at once where the pool does not demand that")
    func holdsElsewhere() async throws {
        let (pool, token) = try await Self.pool { $0.addressesProvedFirst = [] }
        try await Self.update(pool, token, Self.new)
        #expect(try await Self.email(pool, token) == [Self.new, "false"])
    }

    @Test("goes with its user")
    func isDeleted() async throws {
        let (pool, token) = try await Self.pool()
        try await Self.update(pool, token, Self.new)
        let number = try await pool.user(Self.old).number
        try await pool.call("DeleteUser", ["AccessToken": token])
        let waiting = try await pool.write { change throws(PoolError) in
            try change.session.waitingAddress("email", of: number)
        }
        #expect(waiting == nil)
    }
}
