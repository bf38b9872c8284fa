import Access
import JSON
import Store
import Testing

@testable import UserPool

@Suite("Roles of groups")
struct GroupRoleTests {
    private typealias Pool = TestIdentityPool
    private static let role = "arn:aws:iam::123456789012:role/us-east-1_abcDEF123-editorsGroupRole"

    /// A pool where rules of files name `editors`, with a user who is in `readers` and in that.
    private func pool(editorsRole: String? = nil) async throws -> (Pool, ann: String) {
        let test = try await Pool {
            $0.groupsWithRoles = ["editors"]
            $0.groups = [
                GroupSetting("editors", precedence: 5, role: editorsRole), GroupSetting("readers", precedence: 1),
            ]
        }
        let ann = try await test.makeUser("ann")
        let settings = test.pool.settings
        try await test.pool.write { session throws(PoolError) in
            let writing = PoolWriting(session: session, settings: settings, now: 0)
            try writing.makeGroups()
            guard let user = try session.user(named: UserName(ann, in: settings)) else { throw .userNotFound }
            for name in ["editors", "readers"] { try writing.add(user, to: try session.knownGroup(name)) }
        }
        return (test, ann)
    }

    private func principal(_ test: Pool, _ ann: String, role: String) async throws -> IAMPrincipal {
        let login = test.token(ann) {
            $0.set("cognito:roles", to: [.string(role)])
            $0.set("cognito:preferred_role", to: .string(role))
        }
        let identity = try await test.identity(of: login)
        let answer = await test.ask("GetCredentialsForIdentity", identity, token: login)
        let credentials = try #require(answer["Credentials"], "\(answer)")
        let key = try #require(credentials["AccessKeyId"]?.string)
        let token = try #require(credentials["SessionToken"]?.string)
        let found = test.pool.temporaryCredentials.credential(ofKey: key, sessionToken: token)
        return try #require(found).principal
    }

    @Test("are there for groups that rules name, though nobody has given them any")
    func areMade() async throws {
        let (test, ann) = try await pool()
        let settings = test.pool.settings
        let groups = try await test.pool.write { session throws(PoolError) in
            guard let user = try session.user(named: UserName(ann, in: settings)) else { throw .userNotFound }
            return try session.groups(of: user.number)
        }
        #expect(
            test.pool.withRoles(groups).map { "\($0.name) \($0.role ?? "-")" } == ["readers -", "editors \(Self.role)"])
    }

    @Test("tell in access keys whose they are")
    func areInKeys() async throws {
        let (test, ann) = try await pool()
        let principal = try await principal(test, ann, role: Self.role)
        #expect(principal.isInGroupRole)
        #expect(principal.group == "editors")
        #expect(principal.userARN.contains("us-east-1_abcDEF123-editorsGroupRole"))
    }

    @Test("that administrators have given go before")
    func areKept() async throws {
        let (test, ann) = try await pool(editorsRole: Pool.group)
        #expect(try await principal(test, ann, role: Pool.group).group == "editors")
        // The one that would have been made is nobody's then.
        #expect(try await principal(test, ann, role: Self.role).group == nil)
    }

    @Test("of groups that the user is not in belong to no group")
    func areNobodys() async throws {
        let (test, _) = try await pool()
        let bob = try await test.makeUser("bob")
        let principal = try await principal(test, bob, role: Self.role)
        #expect(principal.isInGroupRole && principal.group == nil)
    }
}
