import JSON
import Testing

@testable import UserPool

/// What a new password ends: whoever has stolen a refresh token is out.
@Suite("Sign-ins behind a new password")
struct PasswordChangeTests {
    private static let next = "An0ther!Passw0rd"

    private struct Way: Sendable {
        let name: String
        /// Whether the sign-in of who changes it goes on.
        var keepsOwn = false
        let change: @Sendable (TestPool, _ token: JSONValue) async throws -> Void
    }

    private static let ways: [Way] = [
        Way(name: "reset by a code") { pool, _ in
            try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "ann"])
            try await pool.call(
                "ConfirmForgotPassword",
                [
                    "ClientId": "client", "Username": "ann", "ConfirmationCode": .string(try await pool.code()),
                    "Password": .string(next),
                ])
        },
        Way(name: "set by an administrator") { pool, _ in
            try await administer("AdminSetUserPassword", ["Password": .string(next), "Permanent": true], pool)
        },
        Way(name: "set for once by an administrator") { pool, _ in
            try await administer("AdminSetUserPassword", ["Password": .string(next)], pool)
        },
        Way(name: "taken by an administrator") { pool, _ in try await administer("AdminResetUserPassword", [:], pool) },
        Way(name: "changed by the user", keepsOwn: true) { pool, token in
            try await pool.call(
                "ChangePassword",
                [
                    "AccessToken": token, "PreviousPassword": .string(TestPool.password),
                    "ProposedPassword": .string(next),
                ])
        },
    ]

    private static func administer(_ operation: String, _ members: JSONValue, _ pool: TestPool) async throws {
        try await pool.call(
            operation, (["UserPoolId": "us-east-1_abcDEF123", "Username": "ann"] as JSONValue).adding(members), by: true
        )
    }

    @Test("ends the sign-ins before it, but for that of who changes it; other users' go on", arguments: ways.indices)
    func ends(row: Int) async throws {
        let way = Self.ways[row]
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        try await pool.make("bob")
        let own = try await pool.signIn("ann")
        let stolen = try await pool.signIn("ann")
        let other = try await pool.signIn("bob")
        try await way.change(pool, try #require(own.token("AccessToken")))
        for (signIn, isGood) in [(own, way.keepsOwn), (stolen, false), (other, true)] {
            let refresh = try #require(signIn.token("RefreshToken"))
            let flow: String? = await Self.refusal(pool) { () async throws(PoolError) in
                _ = try await pool.begin("REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": refresh])
            }
            #expect(flow == (isGood ? nil : "NotAuthorizedException"), "\(way.name)")
            let user: String? = await Self.refusal(pool) { () async throws(PoolError) in
                _ = try await pool.call("GetUser", ["AccessToken": signIn.token("AccessToken") ?? .null])
            }
            #expect(user == (isGood ? nil : "NotAuthorizedException"), "\(way.name)")
        }
    }

    private static func refusal(_ pool: TestPool, _ work: () async throws(PoolError) -> Void) async -> String? {
        do throws(PoolError) {
            try await work()
            return nil
        } catch {
            return error.type
        }
    }
}
