import JSON
import TestSupport
import Testing

/// Clients that are two libraries in one send a credential under two spellings of its field's name.
@Suite("Conformance: a credential that is sent twice")
struct RepeatedCredentialTests {
    private static let schema =
        "type Todo @model @auth(rules: [{ allow: public }, { allow: private }, "
        + "{ allow: private, provider: iam }]) { id: ID! name: String }"
    private static let key = "da2-of-the-links"
    private static let data = #"{"query":"subscription { onCreateTodo { id } }"}"#
    private static let query = #"{"query":"{ __typename }"}"#
    private static let patience = Duration.seconds(30)
    private static let signer = SigningIdentity(accessKeyID: "AKIALINK", secret: "secret/of/the/links")

    private static func server() throws -> HomeportProcess {
        let folder = TemporaryFolder()
        try folder.write(JSONWriter.text(of: TokenIdentity.signer.keySet), to: "jwks.json")
        let configuration: JSONValue = [
            "schema": "schema.graphql", "database": ":memory:",
            "auth": [
                "default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"],
                "apiKeys": [["key": .string(key)]],
                "userPools": ["issuer": .string(TokenIdentity.poolIssuer), "jwks": "jwks.json"],
                "iam": ["credentials": [signer.configuration]],
            ],
        ]
        try folder.write(JSONWriter.text(of: configuration), to: "config.json")
        return try HomeportProcess(["--config", "config.json"], schema: schema, in: folder)
    }

    /// Who calls, by the fields for a path and a body; their names are what the first library writes.
    private static func callers(_ server: HomeportProcess) throws -> [(String, (String, String) -> [(String, String)])]
    {
        let token = try TokenIdentity(
            CaseFields(["type": "userPool", "username": "amy"], "an identity"), isOfUserPool: true
        ).token()
        return [
            ("a key", { _, _ in [("host", server.authority), ("x-api-key", key)] }),
            ("a token", { _, _ in [("host", server.authority), ("Authorization", token)] }),
            (
                "a signature",
                { path, body in
                    signer.signedFields(
                        of: .init(
                            host: server.authority, path: path,
                            fields: [("accept", "application/json, text/javascript")],
                            body: Array(body.utf8)))
                }
            ),
        ]
    }

    /// The fields, and each of them again under another spelling; `change` makes the second of a credential another one.
    private static func twice(_ fields: [(String, String)], change: Bool = false) -> [(String, String)] {
        fields.flatMap { field in
            let (name, value) = field
            let isCredential = ["x-api-key", "authorization"].contains(name.lowercased())
            let again = name == name.lowercased() ? name.uppercased() : name.lowercased()
            return [field, (again, change && isCredential ? value + "0" : value)]
        }
    }

    private static func object(_ fields: [(String, String)]) -> JSONValue {
        .object(JSONObject(fields.map { ($0.0, .string($0.1)) }))
    }

    @Test("the frame that AWS's Apollo link sends with a key begins its subscription")
    func linkFrame() async throws {
        try await BlockingThread.run {
            let server = try Self.server()
            let header = #"{"host":"localhost","x-api-key":"\#(Self.key)"}"#
            var client = try WebSocketClient(
                port: server.port,
                path:
                    "/graphql/realtime?header=\(SubscriptionLink.parameter(try JSONReader.value(of: header)))&payload=e30%3D",
                protocols: ["graphql-ws"])
            try client.send(#"{"type":"connection_init"}"#)
            try client.send(
                #"{"id":"1","type":"start","payload":{"data":"{\"query\":\"subscription { onCreateTodo { id } }\"}","extensions":{"authorization":{"host":"localhost","x-amz-date":"20261122T120000Z","x-api-key":"\#(Self.key)","X-Api-Key":"\#(Self.key)","x-amz-user-agent":"aws-amplify/4.0.2"}}}}"#
            )
            var said: [String] = []
            while said.count < 3, case .text(let text) = try client.next(until: .now + Self.patience) {
                said.append(text)
            }
            #expect(said.last == #"{"id":"1","type":"start_ack"}"#)
        }
    }

    @Test("it counts once in a handshake and in a start, and one that contradicts itself is refused")
    func objects() async throws {
        try await BlockingThread.run {
            let server = try Self.server()
            for (name, fields) in try Self.callers(server) {
                let handshake = fields("/graphql/connect", "{}")
                let start = fields("/graphql", Self.data)
                let link = try SubscriptionLink(
                    port: server.port, authorization: Self.object(Self.twice(handshake)), patience: Self.patience)
                #expect(link.greeting?["type"] == "connection_ack", "\(name)")
                let begun = try link.start(
                    "s", Self.data, authorization: Self.object(Self.twice(start)), within: Self.patience)
                #expect(begun?["type"] == "start_ack", "\(name): \(begun ?? .null)")
                let refused = try link.start(
                    "t", Self.data, authorization: Self.object(Self.twice(start, change: true)), within: Self.patience)
                #expect(refused?["type"] == "error", "\(name)")
                let stranger = try SubscriptionLink(
                    port: server.port, authorization: Self.object(Self.twice(handshake, change: true)),
                    patience: Self.patience)
                #expect(stranger.greeting?["type"] == "connection_error", "\(name)")
            }
        }
    }

    @Test("it counts once in the fields of an HTTP request, and one that contradicts itself is refused")
    func requests() async throws {
        try await BlockingThread.run {
            let server = try Self.server()
            for (name, fields) in try Self.callers(server) {
                for (change, status) in [(false, "200 OK"), (true, "401 Unauthorized")] {
                    // A request has one host.
                    let shown = Self.twice(fields("/graphql", Self.query), change: change)
                    let sent =
                        shown.filter { $0.0.lowercased() != "host" }
                        + [("Host", server.authority), ("Content-Length", "\(Self.query.utf8.count)")]
                    let client = try RawClient(port: server.port)
                    try client.send(
                        "POST /graphql HTTP/1.1\r\n" + sent.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
                            + Self.query)
                    let answer = try client.readAnswer()
                    #expect(answer.head.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(name): \(answer)")
                }
            }
        }
    }
}
