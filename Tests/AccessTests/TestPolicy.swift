import Blueprint
import GraphQL
import JSON
import Testing

@testable import Access

/// The policy of a schema that is written in a test.
struct TestPolicy {
    let blueprint: Blueprint
    let policy: AccessPolicy

    init(_ schema: String, default usual: AuthMode = .userPools, change: (inout Settings) -> Void = { _ in }) throws {
        var settings = Settings()
        settings.defaultMode = usual
        settings.additionalModes = AuthMode.allCases.filter { $0 != usual }
        change(&settings)
        let reading = SDLReader.read(schema, settings: settings)
        blueprint = try #require(reading.blueprint, "\(reading.diagnostics.map(\.message))")
        let (api, diagnostics) = APISchema.generate(from: blueprint)
        try #require(!diagnostics.contains { $0.severity == .error }, "\(diagnostics.map(\.message))")
        policy = AccessPolicy(blueprint, api)
    }

    func model(_ name: String) throws -> ModelAccess { try #require(policy.model(name)) }
}

/// A record, or an input, that is written in a test.
func object(_ text: String) throws -> JSONObject {
    try #require(try JSONReader.value(of: text).object)
}

/// The callers of tests.
enum Callers {
    static let apiKey = Identity.apiKey
    static let alice = Identity.userPool(username: "alice", sub: "sub-alice", groups: ["Admin"])
    static let bob = Identity.userPool(username: "bob", sub: "sub-bob", groups: ["Devs"])
    static let carol = Identity.userPool(username: "carol", sub: "sub-carol")
    static let ann = Identity.oidc(claims: JSONObject([("sub", "sub-ann"), ("cognito:groups", .array(["Admin"]))]))
    static let ben = Identity.oidc(claims: JSONObject([("sub", "sub-ben")]))
    static let signedIn = Identity.iam(.authenticated, identityID: "us-east-1:1")
    static let guest = Identity.iam(.unauthenticated, identityID: "us-east-1:2")
    static let inGroupRole = Identity.iam(
        IAMPrincipal(role: .authenticated, accessKeyID: "ASIAG", identityID: "us-east-1:3", isInGroupRole: true))
    static let administrator = Identity.iam(.administrator)
    static let function = Identity.lambda(deniedFields: [])

    static let all: [(name: String, identity: Identity)] = [
        ("apiKey", apiKey), ("alice", alice), ("bob", bob), ("carol", carol), ("ann", ann), ("ben", ben),
        ("signedIn", signedIn), ("guest", guest), ("administrator", administrator), ("function", function),
    ]
}
