import JSON
import Testing

@testable import UserPool

/// What administrators and functions are told of the identity pool.
@Suite("Descriptions of the identity pool")
struct IdentityPoolDescriptionTests {
    private static let id = JSONValue.string(TestIdentityPool.identifiers.identityPoolID)

    @Test("the one pool is listed and described, for administrators only", arguments: [true, false])
    func described(allowsGuests: Bool) async throws {
        let pool = try await TestIdentityPool { $0.allowsGuests = allowsGuests }
        let list = await pool.call("ListIdentityPools", ["MaxResults": 10], by: true)
        #expect(list["IdentityPools"]?.array?.map { $0["IdentityPoolId"] } == [Self.id])
        let described = await pool.call("DescribeIdentityPool", ["IdentityPoolId": Self.id], by: true)
        #expect(described["IdentityPoolId"] == Self.id)
        #expect(described["AllowUnauthenticatedIdentities"] == .bool(allowsGuests))
        let provider = described["CognitoIdentityProviders"]?.array?.first
        #expect(provider?["ProviderName"] == .string(TestIdentityPool.provider))
        #expect(provider?["ClientId"] == "client")
        let other: JSONValue = ["IdentityPoolId": "us-east-1:22222222-2222-4333-8444-555555555555"]
        let refusal = await pool.call("DescribeIdentityPool", other, by: true)["!"]?.string
        #expect(refusal?.hasPrefix("ResourceNotFoundException: ") == true)
        let roles = await pool.call("GetIdentityPoolRoles", ["IdentityPoolId": Self.id], by: true)
        #expect(roles["Roles"]?["authenticated"] == "arn:aws:iam::123456789012:role/authRole")
        #expect((roles["Roles"]?["unauthenticated"] != nil) == allowsGuests)
        #expect(roles["RoleMappings"]?["\(TestIdentityPool.provider):client"]?["Type"] == "Token")
        for (operation, members) in [
            ("GetIdentityPoolRoles", other),
            ("DescribeIdentity", ["IdentityId": "us-east-1:22222222-2222-4333-8444-555555555555"]),
        ] as [(String, JSONValue)] {
            let refusal = await pool.call(operation, members, by: true)["!"]?.string
            #expect(refusal?.hasPrefix("ResourceNotFoundException: ") == true)
        }
        for (operation, members) in [
            ("ListIdentityPools", ["MaxResults": 10]), ("DescribeIdentityPool", ["IdentityPoolId": Self.id]),
            ("GetIdentityPoolRoles", ["IdentityPoolId": Self.id]), ("DescribeIdentity", ["IdentityId": Self.id]),
        ] as [(String, JSONValue)] {
            let refusal = await pool.call(operation, members)["!"]?.string
            #expect(refusal?.hasPrefix("MissingAuthenticationTokenException: ") == true)
        }
    }

    @Test(
        "an operation that neither pool has is refused by its name",
        arguments: ["AWSCognitoIdentityService.", "AWSCognitoIdentityProviderService."])
    func unknown(service: String) async throws {
        let pool = try await TestIdentityPool()
        #expect(
            await pool.call("", [:], target: service + "FlyToTheMoon")["!"]
                == "UnknownOperationException: FlyToTheMoon is none of the operations that are served here.")
        let long = await pool.call("", [:], target: service + String(repeating: "x", count: 1_000))["!"]?.string
        #expect((long?.utf8.count ?? 0) < 200)
    }
}
