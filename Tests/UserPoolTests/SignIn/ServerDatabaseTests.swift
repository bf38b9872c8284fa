import JSON
import PostgresSupport
import Testing

@testable import UserPool

/// A pool whose users are in a database on a server.
@Suite(
    "A user pool over a server's database", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct ServerDatabaseTests {
    @Test("signs users up and in, renews their tokens, and lists them for administrators")
    func life() async throws {
        let pool = try TestPool(at: TestDatabase.server()) { settings in
            settings.verifiedAttributes = ["email"]
            settings.groups = [GroupSetting("admins")]
        }
        for name in ["ann", "bob"] {
            let made = try await pool.call(
                "SignUp",
                [
                    "ClientId": "client", "Username": .string(name), "Password": .string(TestPool.password),
                    "UserAttributes": [["Name": "email", "Value": .string("\(name)@example.com")]],
                ])
            #expect(made["UserConfirmed"] == false)
        }
        #expect(try await pool.messageCount() == 2)
        await #expect(throws: PoolError.notConfirmed) { try await pool.signIn("ann") }
        let code = try await pool.code(to: "ann@example.com")
        try await pool.call(
            "ConfirmSignUp", ["ClientId": "client", "Username": "ann", "ConfirmationCode": .string(code)])
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("ann", "wrong") }
        let tokens = try await pool.signIn("ann")
        #expect(tokens.signsIn)
        let renewed = try await pool.begin(
            "REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": try #require(tokens.token("RefreshToken"))])
        let access: JSONValue = try #require(renewed.token("AccessToken"))
        #expect(try await pool.call("GetUser", ["AccessToken": access])["Username"] == "ann")
        func listed(_ members: [(String, JSONValue)] = []) async throws -> JSONValue {
            try await pool.call(
                "ListUsers", .object(JSONObject([("UserPoolId", "us-east-1_abcDEF123")] + members)), by: true)
        }
        let first = try await listed([("Limit", 1)])
        #expect(first["Users"]?.array?.map { $0["Username"] } == ["ann"])
        let rest = try await listed([("PaginationToken", try #require(first["PaginationToken"]))])
        #expect(rest["Users"]?.array?.map { $0["Username"] } == ["bob"])
        try await pool.call("GlobalSignOut", ["AccessToken": access])
        await #expect(throws: PoolError.self) { try await pool.call("GetUser", ["AccessToken": access]) }
    }
}
