import JSON
import Testing

@testable import UserPool

/// What one address, and one user, may make within an hour.
@Suite("Limits of what is made")
struct CreationCountsTests {
    private static let attempts = "LimitExceededException: Attempt limit exceeded, please try after some time."

    private static func pool(calls: Int = 5, guests: Int = 5, messages: Int = 5) throws -> TestPool {
        try TestPool { settings in
            settings.creation.callsPerAddress = calls
            settings.creation.guestsPerAddress = guests
            settings.creation.messagesPerUser = messages
        }
    }

    /// What a call is refused with; nil: it is carried out.
    private static func refusal(
        _ operation: String, _ members: JSONValue, _ pool: TestPool, from address: String
    ) async -> String? {
        let service = operation == "GetId" ? "AWSCognitoIdentityService" : "AWSCognitoIdentityProviderService"
        do throws(PoolError) {
            _ = try await pool.answer("\(service).\(operation)", members, from: address)
            return nil
        } catch {
            return "\(error.type): \(error.message)"
        }
    }

    /// A call that makes something, another one each time.
    private static func call(_ operation: String, _ number: Int) -> JSONValue {
        switch operation {
        case "SignUp":
            [
                "ClientId": "client", "Username": .string("user\(number)"), "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": .string("user\(number)@example.com")]],
            ]
        case "GetId": ["IdentityPoolId": "us-east-1:11111111-2222-4333-8444-555555555555"]
        default: ["ClientId": "client", "Username": .string("nobody\(number)")]
        }
    }

    @Test(
        "an address makes so many in an hour, one more as each is forgotten, and no other address is held up",
        arguments: ["SignUp", "ResendConfirmationCode", "ForgotPassword", "GetId"])
    func ofAddress(operation: String) async throws {
        let pool = try Self.pool()
        let expected = operation == "GetId" ? "TooManyRequestsException: Rate exceeded" : Self.attempts
        var number = 0
        func made(from address: String) async -> String? {
            number += 1
            return await Self.refusal(operation, Self.call(operation, number), pool, from: address)
        }
        for _ in 0..<5 { #expect(await made(from: "2001:db8::1") == nil) }
        // All addresses of a network count as one.
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:9::9"] {
            #expect(await made(from: address) == expected, "\(address)")
        }
        #expect(await made(from: "2001:db8:0:1::1") == nil)
        #expect(await made(from: "192.0.2.9") == nil)
        for _ in 0..<20 { #expect(await made(from: "127.0.0.1") == nil) }
        pool.clock.pass(seconds: 720)
        #expect(await made(from: "2001:db8::1") == nil)
        #expect(await made(from: "2001:db8::1") == expected)
        pool.clock.pass(seconds: 3_600)
        for _ in 0..<5 { #expect(await made(from: "2001:db8::1") == nil) }
    }

    @Test("calls that make something are counted together, those that make nothing are not")
    func together() async throws {
        let pool = try Self.pool()
        let address = "192.0.2.9"
        for _ in 0..<9 {
            let weak: JSONValue = ["ClientId": "client", "Username": "ann", "Password": "weak"]
            #expect(
                await Self.refusal("SignUp", weak, pool, from: address)?.contains("InvalidPasswordException") ?? false)
        }
        for (number, operation) in ["SignUp", "ForgotPassword", "ResendConfirmationCode", "SignUp", "SignUp"]
            .enumerated()
        {
            #expect(await Self.refusal(operation, Self.call(operation, number), pool, from: address) == nil)
        }
        #expect(
            await Self.refusal("ForgotPassword", Self.call("ForgotPassword", 9), pool, from: address) == Self.attempts)
        #expect(await Self.refusal("GetId", Self.call("GetId", 9), pool, from: address) == nil)
        #expect(try await pool.messageCount() == 3)
    }

    @Test(
        "a signed-in user has so many codes sent in an hour, to new addresses as to the old one, from wherever they call"
    )
    func ofUser() async throws {
        let pool = try Self.pool(calls: 100)
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        let token = try #require(try await pool.signIn("ann").token("AccessToken"))
        func change(_ address: String, from place: String) async -> String? {
            await Self.refusal(
                "UpdateUserAttributes",
                ["AccessToken": token, "UserAttributes": [["Name": "email", "Value": .string(address)]]], pool,
                from: place)
        }
        let code: JSONValue = ["AccessToken": token, "AttributeName": "email"]
        for number in 0..<3 { #expect(await change("ann\(number)@example.com", from: "192.0.2.\(number)") == nil) }
        // What has not changed sends nothing.
        for _ in 0..<9 { #expect(await change("ann2@example.com", from: "192.0.2.1") == nil) }
        for _ in 0..<2 {
            #expect(await Self.refusal("GetUserAttributeVerificationCode", code, pool, from: "127.0.0.1") == nil)
        }
        #expect(await change("other@example.com", from: "127.0.0.1") == Self.attempts)
        #expect(await Self.refusal("GetUserAttributeVerificationCode", code, pool, from: "192.0.2.7") == Self.attempts)
        #expect(try await pool.messageCount() == 5)
        #expect(try await pool.user("ann").attribute("email") == "ann2@example.com")
    }

    @Test("codes of signed-in users are counted for their address as well")
    func ofUsersAtOneAddress() async throws {
        let pool = try Self.pool(calls: 3)
        var outcomes: [String?] = []
        for name in ["ann", "bob"] {
            try await pool.make(name, [("email", .string("\(name)@example.com"))])
            let token = try #require(try await pool.signIn(name).token("AccessToken"))
            for _ in 0..<2 {
                outcomes.append(
                    await Self.refusal(
                        "GetUserAttributeVerificationCode", ["AccessToken": token, "AttributeName": "email"], pool,
                        from: "192.0.2.9"))
            }
        }
        #expect(outcomes == [nil, nil, nil, Self.attempts])
    }
}
