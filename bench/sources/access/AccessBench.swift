import Access
import Blueprint
import Crypto
import GraphQL
import JSON

/// Times what each request pays for access, and prints a line for each: its name and the nanoseconds of a round.
///
/// Arguments are the names of the only lines to print.
@main
struct AccessBench {
    private static let issuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Bench"
    private static let schema = """
        type Post @model @auth(rules: [{allow: owner}, {allow: groups, groups: ["Admin", "Editors"]}]) {
          id: ID! title: String secret: String @auth(rules: [{allow: owner}])
        }
        """

    static func main() async throws {
        let names = Array(CommandLine.arguments.dropFirst())
        if names.isEmpty || !names.allSatisfy({ $0.hasPrefix("list") }) {
            try measureCredentials()
            try measureDecisions()
        }
        if names.isEmpty || names.contains("list") { try await ListBench()?.run() }
    }

    private static func measureCredentials() throws {
        let key = PrivateKey.makeRSA()
        let tokens = (0..<20_000).map { Self.token(key, number: $0) }
        var settings = CredentialSettings(modes: [.apiKey, .userPools])
        settings.apiKeys = [APIKey("da2-fakeApiId123456")]
        settings.issuers = [.userPool(issuer, keys: .fixed(KeySet(key.publicKey, id: "bench")))]
        let authenticator = try Authenticator(settings)
        func request(_ name: String, _ value: String) -> CredentialRequest {
            CredentialRequest(
                path: "/graphql", fields: ListedFields([("host", "localhost"), (name, value)]), body: [])
        }
        let withKey = request("x-api-key", "da2-fakeApiId123456")
        measure("identify-api-key") { _ = authenticator.identify(withKey) }
        let seen = request("authorization", tokens[0])
        measure("identify-seen-token") { _ = authenticator.identify(seen) }
        let requests = tokens.map { request("authorization", $0) }
        var next = 0
        measure("identify-new-token") {
            _ = authenticator.identify(requests[next % requests.count])
            next += 1
        }
        let message = Array(tokens[0].utf8)
        let signature = key.signature(of: message, by: .rs256) ?? []
        measure("verify-rs256") { _ = key.publicKey.verifies(signature, of: message, by: .rs256) }
    }

    private static func token(_ key: PrivateKey, number: Int) -> String {
        let now = Timestamp.now.seconds
        let claims = JSONObject([
            ("sub", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"), ("iss", .string(issuer)), ("client_id", "client"),
            ("token_use", "access"), ("scope", "aws.cognito.signin.user.admin"), ("auth_time", .integer(now)),
            ("iat", .integer(now)), ("exp", .integer(now + 3_600)), ("username", "alice"),
            ("jti", .string("token-\(number)")), ("cognito:groups", .array(["Readers", "Writers"])),
        ])
        let header = JSONObject([("alg", "RS256"), ("kid", "bench")])
        let text = [header, claims].map { Base64.text(of: JSONWriter.bytes(of: .object($0))) }
            .joined(separator: ".")
        return "\(text).\(Base64.text(of: key.signature(of: Array(text.utf8), by: .rs256) ?? []))"
    }

    private static func measureDecisions() throws {
        var settings = Settings()
        settings.defaultMode = .userPools
        guard let blueprint = SDLReader.read(schema, settings: settings).blueprint else { return }
        let policy = AccessPolicy(blueprint, APISchema.generate(from: blueprint).schema)
        guard let post = policy.model("Post"), let secret = post.field("secret") else { return }
        let identity = Identity.userPool(username: "alice", sub: "sub-alice", groups: ["Readers"])
        measure("caller") { _ = policy.caller(identity) }
        let caller = policy.caller(identity)
        let gate = policy.gate(type: "Query", field: "listPosts")
        measure("gate") { _ = gate.admits(caller) }
        measure("decide-list") { _ = post.list.decision(for: caller) }
        let decision = secret.decision(for: caller)
        let owner = JSONValue.string("sub-alice::alice")
        measure("decide-field-of-record") { _ = decision.admits { _ in owner } }
    }

    /// The best of five runs of at least a tenth of a second, after one to warm up.
    private static func measure(_ name: String, _ body: () -> Void) {
        guard CommandLine.arguments.count < 2 || CommandLine.arguments.dropFirst().contains(name) else { return }
        let clock = ContinuousClock()
        var best = Int64.max
        for run in 0...5 {
            let start = clock.now
            var rounds: Int64 = 0
            repeat {
                for _ in 0..<16 { body() }
                rounds += 16
            } while clock.now - start < .milliseconds(100)
            let (seconds, attoseconds) = (clock.now - start).components
            let nanoseconds = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / rounds
            if run > 0 { best = min(best, nanoseconds) }
        }
        print(name, best)
    }
}
