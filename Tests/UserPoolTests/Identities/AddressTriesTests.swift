import JSON
import Testing

@testable import UserPool

@Suite("Wrong tries of one address")
struct AddressTriesTests {
    private static let max = PoolLimits.addressTriesMax

    /// How many tries in a row an address has.
    private func free(_ tries: AddressTries, _ address: String, now: Int64 = 0, wrong: PoolError? = .wrongPassword)
        -> Int
    {
        var count = 0
        while count <= 2 * Self.max, tries.begin("InitiateAuth", from: address, now: now) {
            tries.end("InitiateAuth", from: address, wrong, now: now)
            count += 1
        }
        return count
    }

    @Test("are free up to a number, and then as many as are forgotten meanwhile")
    func limit() {
        let tries = AddressTries()
        #expect(free(tries, "192.0.2.1") == Self.max)
        #expect(free(tries, "192.0.2.1") == 0)
        #expect(free(tries, "192.0.2.1", now: 10 * PoolLimits.addressTryMilliseconds) == 10)
        #expect(free(tries, "192.0.2.2") == Self.max)
        #expect(free(tries, "192.0.2.1", now: 1 << 40) == Self.max)
    }

    @Test("are wrong passwords, codes and names, and nothing else")
    func whatCounts() {
        let counted: [PoolError] = [.wrongPassword, .wrongCode, .expiredCode, .userNotFound]
        for error in counted { #expect(free(AddressTries(), "192.0.2.1", wrong: error) == Self.max, "\(error)") }
        let others: [PoolError?] = [nil, .notConfirmed, .tooManyPasswords, .invalidParameter("x"), .invalidSession]
        for error in others { #expect(free(AddressTries(), "192.0.2.1", wrong: error) > Self.max) }
        let tries = AddressTries()
        for _ in 0...Self.max {
            #expect(tries.begin("GetUser", from: "192.0.2.1", now: 0))
            tries.end("GetUser", from: "192.0.2.1", .wrongPassword, now: 0)
        }
        #expect(tries.addresses == 0)
    }

    @Test("count before anybody knows whether they are wrong")
    func atOnce() {
        let tries = AddressTries()
        for _ in 0..<Self.max { #expect(tries.begin("RespondToAuthChallenge", from: "192.0.2.1", now: 0)) }
        #expect(!tries.begin("ConfirmSignUp", from: "192.0.2.1", now: 0))
        tries.end("RespondToAuthChallenge", from: "192.0.2.1", nil, now: 0)
        #expect(tries.begin("ConfirmSignUp", from: "192.0.2.1", now: 0))
    }

    @Test("of this machine are not counted; of version 6, those of a network are counted together")
    func addresses() {
        for own in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(free(AddressTries(), own) > Self.max, "\(own)")
        }
        let rows: [(one: String, other: String, areSame: Bool)] = [
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:9:9:9:9", true),
            ("2001:db8:0:1::1", "2001:db8::1", false), ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.11", false), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", true),
        ]
        for row in rows {
            let tries = AddressTries()
            #expect(free(tries, row.one) == Self.max)
            #expect((free(tries, row.other) == 0) == row.areSame, "\(row)")
        }
    }

    @Test("are kept of so many addresses, those that tried most last of all")
    func room() {
        let tries = AddressTries()
        _ = free(tries, "192.0.2.1")
        for number in 0..<(PoolLimits.addressesMax + 50) {
            let address = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            _ = tries.begin("InitiateAuth", from: address, now: 0)
            #expect(tries.addresses <= PoolLimits.addressesMax)
        }
        #expect(free(tries, "192.0.2.1") == 0)
    }

    @Test("end in a refusal that says nothing of what was tried")
    func refusal() async throws {
        let test = try await TestIdentityPool { $0.existenceErrors = .shown }
        func signIn(from address: String) async -> String? {
            await test.call(
                "InitiateAuth",
                [
                    "ClientId": "client", "AuthFlow": "USER_PASSWORD_AUTH",
                    "AuthParameters": ["USERNAME": "nobody", "PASSWORD": "x"],
                ], target: "AWSCognitoIdentityProviderService.InitiateAuth", from: address)["!"]?.string
        }
        for _ in 0..<Self.max {
            #expect(await signIn(from: "192.0.2.1") == "UserNotFoundException: User does not exist.")
        }
        #expect(
            await signIn(from: "192.0.2.1")
                == "LimitExceededException: Attempt limit exceeded, please try after some time.")
        #expect(await signIn(from: "192.0.2.2") == "UserNotFoundException: User does not exist.")
    }
}
