import Access
import Blueprint
import JSON
import Network

/// Whom the page offers to be: the kinds that the schema's modes let in, users, and the groups and claims that rules ask for.
struct CallerChoice: Sendable {
    let host: any ConsoleHost
    let loop: EventLoop

    func json() async throws(ConsoleError) -> JSONValue {
        let blueprint = host.engine.blueprint
        let modes = blueprint.settings.modes
        var kinds = ["admin"]
        if modes.contains(.apiKey) { kinds.append("apiKey") }
        if modes.contains(.userPools), host.pool != nil { kinds.append("user") }
        if modes.contains(.userPools) || modes.contains(.oidc) { kinds.append("made") }
        if modes.contains(.iam) { kinds += ["guest", "iam"] }
        if modes.contains(where: { [.userPools, .oidc, .lambda].contains($0) }) { kinds.append("token") }
        var users: [JSONValue] = []
        if let pool = host.pool {
            let calls = PoolCalls(pool: pool, shard: host.poolShard(on: loop))
            let found = try await calls.call("ListUsers", ["Limit": .integer(Int64(ConsoleLimits.shownUsersMax))])
            for user in found["Users"]?.array ?? [] {
                let attributes = user["Attributes"]?.array ?? []
                func attribute(_ name: String) -> JSONValue {
                    attributes.first { $0["Name"]?.text == ByteText(name) }?["Value"] ?? .null
                }
                let name = user["Username"]?.string ?? ""
                users.append([
                    "username": .string(name), "sub": attribute("sub"), "email": attribute("email"),
                    "groups": .texts(try await calls.groups(of: name)),
                ])
            }
        }
        let rules = RuleNames(blueprint)
        return [
            "kinds": .texts(kinds), "users": .array(users), "groups": .texts(rules.groups),
            "roles": .texts(modes.contains(.iam) ? ["authenticated", "guest", "administrator"] : []),
            "claims": .texts(rules.claims),
        ]
    }
}

/// The groups and claims that the rules of a schema name.
struct RuleNames: Sendable {
    let groups: [String]
    let claims: [String]

    private static let usualClaims = Set(texts: ["sub", "username", "sub::username", "cognito:groups"])

    init(_ blueprint: Blueprint) {
        let ofModels = blueprint.models.flatMap { model in
            (model.rules ?? []) + model.fields.flatMap { $0.rules ?? [] }
        }
        let rules = ofModels + blueprint.types.flatMap { $0.fields.flatMap { $0.rules ?? [] } }
        groups = rules.flatMap { $0.groups ?? [] }.eachOnce()
        claims = rules.flatMap { [$0.identityClaim, $0.groupClaim].compactMap(\.self) }.eachOnce()
            .filter { !Self.usualClaims.contains($0) }
    }
}
