import JSON
import PostgresSupport
import TestSupport

/// How a server is told about a case: the only place that knows the form of the configuration.
struct CaseConfiguration {
    static let name = "config.json"
    private static let keysName = "jwks.json"

    private let testCase: ConformanceCase
    private let standIns: String
    /// Where the data is: in memory, or with `HOMEPORT_TEST_DATABASE=postgres` in a schema of a real server.
    private let database: String

    init(_ testCase: ConformanceCase) throws {
        self.testCase = testCase
        database =
            TestDatabase.isOnServer
            ? try PostgresServer.shared.get().url(ofNewSchema: "case\(UInt64.random(in: 0 ... .max))") : ":memory:"
        standIns = StandIns.url(of: testCase)
    }

    func write(to folder: TemporaryFolder) throws {
        // Before a server writes its own schema there: one of that name is what a server is given without a case.
        try folder.write(schema, to: testCase.schemaName)
        try folder.write(JSONWriter.text(of: TokenIdentity.signer.keySet), to: Self.keysName)
        for (name, text) in testCase.files { try folder.write(text, to: name) }
        try folder.write(JSONWriter.text(of: configuration, pretty: true), to: Self.name)
    }

    /// The schema, in which `${http:NAME}` stands for the URL of an HTTP server.
    private var schema: String {
        testCase.httpServers.keys.reduce(testCase.schema) {
            $0.replacing("${http:\($1)}", with: "\(standIns)/http/\($1)")
        }
    }

    private var configuration: JSONValue {
        var features = JSONObject([("subscriptionsInheritPrimaryAuth", false), ("conflictDetection", nil)])
        for flag in testCase.features { features[flag.key] = flag.value }
        let functions = testCase.functions.keys.sorted().map { name in
            (name, ["url": .string("\(standIns)/fn/\(name)")] as JSONValue)
        }
        var all = JSONObject([
            ("schema", .string(testCase.schemaName)), ("host", "127.0.0.1"), ("database", .string(database)),
            ("auth", auth),
            ("features", .object(features)), ("functions", .object(JSONObject(functions))),
        ])
        for member in testCase.configuration { all.set(member.key, to: member.value) }
        return .object(all)
    }

    private var auth: JSONValue {
        let signers = testCase.identities.sorted { $0.key < $1.key }.compactMap { identity -> JSONValue? in
            guard case .signer(let signer) = identity.value, signer.isRegistered else { return nil }
            return signer.configuration
        }
        return [
            "default": testCase.auth["default"] ?? "API_KEY", "additional": testCase.auth["additional"] ?? [],
            "apiKeys": [["key": .string(Identity.knownAPIKey)]],
            "userPools": [
                "issuer": .string(TokenIdentity.poolIssuer), "jwks": .string(Self.keysName),
                "clientIds": [.string(TokenIdentity.clientID)],
            ],
            "oidc": ["issuer": .string(TokenIdentity.providerIssuer), "jwks": .string(Self.keysName)],
            "iam": ["credentials": .array(signers)],
            "lambda": ["url": .string("\(standIns)/authorize")],
        ]
    }
}
