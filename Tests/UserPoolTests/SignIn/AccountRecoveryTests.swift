import JSON
import Testing

@testable import UserPool

/// Where the code goes by which a forgotten password is replaced.
@Suite("Account recovery")
struct AccountRecoveryTests {
    /// The verified addresses of a user and their second factor, and the medium of the code; nil: there is none.
    static let rows: [(AccountRecovery?, [String], PoolSettings.SecondFactor?, String?)] = [
        (nil, ["email", "phone_number"], nil, "EMAIL"), (nil, ["phone_number"], nil, "SMS"),
        (.emailOnly, ["email", "phone_number"], nil, "EMAIL"), (.emailOnly, ["phone_number"], nil, nil),
        (.phoneOnlyWithoutMFA, ["email", "phone_number"], nil, "SMS"),
        (.phoneOnlyWithoutMFA, ["email"], nil, nil), (.phoneOnlyWithoutMFA, ["phone_number"], .sms, nil),
        (.phoneWithoutMFAAndEmail, ["email", "phone_number"], nil, "SMS"),
        (.phoneWithoutMFAAndEmail, ["email", "phone_number"], .sms, "EMAIL"),
        (.phoneWithoutMFAAndEmail, ["email", "phone_number"], .totp, "SMS"),
        (.emailAndPhoneWithoutMFA, ["email", "phone_number"], nil, "EMAIL"),
        (.emailAndPhoneWithoutMFA, ["phone_number"], .sms, nil),
        (.phoneAndEmail, ["email", "phone_number"], .sms, "SMS"), (.phoneAndEmail, ["email"], nil, "EMAIL"),
    ]

    @Test("goes to the address that the pool names, and to none that brings the second factor", arguments: rows)
    func goes(
        recovery: AccountRecovery?, addresses: [String], factor: PoolSettings.SecondFactor?, medium: String?
    ) async throws {
        let pool = try TestPool { $0.accountRecovery = recovery }
        let values = ["email": "ann@example.com", "phone_number": "+15555550100"]
        try await pool.make(
            "ann",
            addresses.flatMap { name in
                [(name, .string(values[name] ?? "")), ("\(name)_verified", JSONValue("true"))]
            }
        ) { user in
            guard let factor else { return }
            user.secondFactors.enabled = [factor]
            user.totpSecret = factor == .totp ? Array(repeating: 1, count: 20) : nil
        }
        let call: JSONValue = ["ClientId": "client", "Username": "ann"]
        if let medium {
            let answer = try await pool.call("ForgotPassword", call)
            #expect(answer["CodeDeliveryDetails"]?["DeliveryMedium"] == .string(medium))
        } else {
            await #expect(throws: PoolError.self) { try await pool.call("ForgotPassword", call) }
        }
    }

    @Test("is an administrator's alone where nothing is allowed, for those who are there and for nobody")
    func none() async throws {
        let pool = try TestPool { $0.accountRecovery = AccountRecovery.none }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        for name in ["ann", "nobody"] {
            await #expect(throws: PoolError.notAuthorized("Contact administrator to reset password.")) {
                try await pool.call("ForgotPassword", ["ClientId": "client", "Username": .string(name)])
            }
        }
        #expect(try await pool.messageCount() == 0)
    }
}
