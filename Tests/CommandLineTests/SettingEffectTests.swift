import Foundation
import JSON
import Network
import Server
import TestSupport
import Testing

@testable import homeport

/// What somebody outside of the program sees of a setting, and does not see without it. Where each value goes inside is
/// shown for all keys (`ConfigurationFieldTests`).
@Suite("The effects of settings")
struct SettingEffectTests {
    /// What is to be seen of a server that has been asked and has ended.
    struct Sight {
        let answer: String
        let log: String
        let folder: TemporaryFolder
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let value: String
        /// What is sent: to the end of the connection, for which the server is waited.
        let request: String
        /// What is set with and without the value.
        var others: [String: String] = [:]
        var schema = Self.usual
        /// Whether the server would wait for more than was sent, if it were not for the value.
        var endsOnlyByIt = false
        let isSeen: @Sendable (Sight) -> Bool
        var testDescription: String { key }

        static let usual = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String }"

        var variable: String { ConfigurationKey.environmentName(of: key) }
    }

    private static func ping(_ fields: [String] = [], target: String = "/ping") -> String {
        let lines = ["Host: localhost", "Connection: close"] + fields
        return "GET \(target) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private static func query(
        _ query: String, host: String = "localhost", key: String = "da2-fakeApiId123456"
    ) -> String {
        let body = "{\"query\":\"\(query.replacing("\"", with: "\\\""))\"}"
        let lines = ["Host: \(host)", "Connection: close", "x-api-key: \(key)", "Content-Length: \(body.utf8.count)"]
        return "POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body
    }

    private static func chunked(_ body: String) -> String {
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-api-key: da2-fakeApiId123456\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n" + body
    }

    private static func status(_ number: Int) -> @Sendable (Sight) -> Bool {
        { $0.answer.hasPrefix("HTTP/1.1 \(number) ") }
    }

    private static func answer(_ text: String) -> @Sendable (Sight) -> Bool {
        { $0.answer.contains(text) }
    }

    private static let seed = """
        {"type":"Todo","record":{"id":"a","name":"one","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-01T00:00:00.000Z"}}
        {"type":"Todo","record":{"id":"b","name":"two","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-01T00:00:00.000Z"}}

        """
    private static let isSeeded = ["HOMEPORT_SEED": "seed.jsonl"]

    static let rows: [Row] = messages + operations + callers + surroundings

    private static let messages = [
        Row(
            key: "limits.headBytes", value: "300", request: ping(["X: " + String(repeating: "x", count: 400)]),
            isSeen: status(431)),
        Row(
            key: "limits.targetBytes", value: "20", request: ping(target: "/ping?abcdefghijklmnopqrstuvwxyz"),
            isSeen: status(414)),
        Row(key: "limits.headFields", value: "3", request: ping(["X: 1", "Y: 2"]), isSeen: status(431)),
        Row(key: "limits.bodyBytes", value: "20", request: query("{ __typename }"), isSeen: status(413)),
        Row(
            key: "limits.chunkLineBytes", value: "8",
            request: chunked("1a;some=extension\r\n{\"query\":\"{ __typename }\"}\r\n0\r\n\r\n"), isSeen: status(400)),
        Row(
            key: "limits.trailerBytes", value: "8",
            request: chunked("1a\r\n{\"query\":\"{ __typename }\"}\r\n0\r\nX-Checksum: 123456789\r\n\r\n"),
            isSeen: status(431)),
        Row(
            key: "limits.idleMilliseconds", value: "1", request: "", endsOnlyByIt: true,
            isSeen: { $0.answer.isEmpty }),
        Row(
            key: "limits.headMilliseconds", value: "1", request: "GET /ping HTTP/1.1\r\n", endsOnlyByIt: true,
            isSeen: status(408)),
        Row(
            key: "limits.bodySilenceMilliseconds", value: "1",
            request: "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n", endsOnlyByIt: true,
            isSeen: status(408)),
        Row(
            key: "cors.privateNetwork", value: "true",
            request: "OPTIONS /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: https://a\r\n"
                + "Access-Control-Request-Private-Network: true\r\n\r\n",
            isSeen: answer("access-control-allow-private-network: true\r\n")),
        Row(
            key: "proxies", value: #"["127.0.0.1"]"#,
            request: "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n"
                + "X-Amz-Target: AWSCognitoIdentityService.GetId\r\nX-Forwarded-Host: evil.example\r\n\r\n",
            isSeen: status(421)),
        Row(
            key: "allowedHosts", value: "my.test", request: query("{ __typename }", host: "my.test", key: "da2-own"),
            others: ["HOMEPORT_AUTH_API_KEYS": "da2-own"], isSeen: answer("{\"data\":")),
    ]

    private static let operations = [
        Row(
            key: "introspection", value: "false", request: query("{ __schema { queryType { name } } }"),
            isSeen: answer("\"errors\":")),
        Row(
            key: "limits.queryDepth", value: "1", request: query("{ listTodos { items { id } } }"),
            isSeen: answer("\"errors\":")),
        Row(
            key: "limits.operationReads", value: "1",
            request: query("{ a: getTodo(id: 1) { id } b: getTodo(id: 2) { id } }"), isSeen: answer("\"errors\":")),
        Row(
            key: "limits.responseBytes", value: "10", request: query("{ a: getTodo(id: 1) { id } }"),
            isSeen: answer("\"errors\":")),
        Row(
            key: "limits.pageRecords", value: "1", request: query("{ listTodos { items { id } } }"), others: isSeeded,
            isSeen: answer(#""items":[{"id":"a"}]"#)),
        Row(
            key: "limits.pageBytes", value: "1", request: query("{ listTodos { items { id } } }"), others: isSeeded,
            isSeen: answer(#""items":[{"id":"a"}]"#)),
        Row(
            key: "features.listSemantics", value: "filled",
            request: query(#"{ listTodos(limit: 1, filter: { name: { eq: "two" } }) { items { id } } }"#),
            others: isSeeded, isSeen: answer(#""items":[{"id":"b"}]"#)),
        Row(
            key: "features.conflictDetection", value: "AUTOMERGE", request: query("{ syncTodos { items { id } } }"),
            isSeen: answer("\"syncTodos\":{\"items\"")),
        Row(
            key: "features.conflictDetectionModels", value: #"{"Todo": "AUTOMERGE"}"#,
            request: query("{ syncTodos { items { id } } }"), isSeen: answer("\"syncTodos\":{\"items\"")),
        Row(
            key: "features.enableAutoIndexQueryNames", value: "false",
            request: query(#"{ todosByName(name: "one") { items { id } } }"#),
            schema:
                "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String @index(name: \"byName\") }",
            isSeen: answer("FieldUndefined")),
        Row(
            key: "features.transformerVersion", value: "1", request: query("{ __typename }"),
            schema: "type Todo @model @key(fields: [\"name\"]) { id: ID! name: String! }", endsOnlyByIt: true,
            isSeen: answer("{\"data\":")),
    ]

    private static let callers = [
        Row(
            key: "auth.apiKeys", value: "da2-mine", request: query("{ __typename }", key: "da2-mine"),
            isSeen: answer("{\"data\":")),
        Row(
            key: "auth.default", value: "AMAZON_COGNITO_USER_POOLS", request: query("{ __typename }"),
            schema: "type Todo @model @auth(rules: [{ allow: private }]) { id: ID! }", isSeen: status(401)),
        Row(
            key: "auth.explain", value: "true", request: query("{ listTodos { items { id } } }"),
            schema: "type Todo @model @auth(rules: [{ allow: owner }]) { id: ID! }",
            isSeen: answer("\"extensions\":{\"authorization\":[")),
    ]

    /// A function that answers one call with a page.
    private static func page(_ members: String) -> String {
        let program = #"""
            exec 3<>"/dev/tcp/${AWS_LAMBDA_RUNTIME_API%:*}/${AWS_LAMBDA_RUNTIME_API#*:}"
            next() {
                printf 'GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: %s\r\n\r\n' "$AWS_LAMBDA_RUNTIME_API" >&3
            }
            next
            while IFS= read -r line <&3; do
                line=${line%$'\r'}
                case ${line,,} in lambda-runtime-aws-request-id:*) id=${line#*: } ;; '') break ;; esac
            done
            body='{"statusCode":200,"headers":{"content-type":"text/html"},"body":"<p>a page"}'
            printf 'POST /2018-06-01/runtime/invocation/%s/response HTTP/1.1\r\nHost: %s\r\nContent-Length: %s\r\n\r\n%s' \
                "$id" "$AWS_LAMBDA_RUNTIME_API" "${#body}" "$body" >&3
            # The call ends with the question for the next one.
            next
            cat <&3 >/dev/null
            """#
        let command = String(
            decoding: JSONWriter.bytes(of: ["/bin/bash", "-c", .string(program)] as JSONValue), as: UTF8.self)
        return #"{"f": {"command": \#(command), "httpURL": "NONE"\#(members)}}"#
    }

    private static let surroundings = [
        Row(
            key: "functions", value: page(#", "ownOrigin": true"#),
            request: "GET /url/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            others: ["HOMEPORT_FUNCTIONS": page("")],
            isSeen: { $0.answer.contains("<p>a page") && !$0.answer.contains("content-security-policy: sandbox") }),
        Row(
            key: "seed", value: "seed.jsonl", request: query("{ listTodos { items { id } } }"),
            isSeen: answer(#""items":[{"id":"a"},{"id":"b"}]"#)),
        Row(
            key: "data", value: "elsewhere", request: ping(),
            isSeen: { !$0.folder.read("elsewhere/data.sqlite").isEmpty }),
        Row(key: "database", value: "x.sqlite", request: ping(), isSeen: { !$0.folder.read("x.sqlite").isEmpty }),
        Row(key: "log.format", value: "json", request: ping(), isSeen: { $0.log.hasPrefix("{") }),
        Row(key: "log.level", value: "error", request: ping(), isSeen: { !$0.log.contains("stopping") }),
        Row(
            key: "backup.every", value: "1d", request: ping(target: "/health"),
            isSeen: { $0.answer.contains(#""backup":{"#) }),
        Row(
            key: "metrics.token", value: "abcdefghijklmnop",
            request: ping(["X-Forwarded-For: 10.0.0.1", "Authorization: Bearer abcdefghijklmnop"], target: "/metrics"),
            isSeen: status(200)),
        Row(
            key: "metrics.addresses", value: "10.0.0.0/8",
            request: ping(["X-Forwarded-For: 10.0.0.1"], target: "/metrics"),
            others: ["HOMEPORT_PROXIES": "127.0.0.1"], isSeen: status(200)),
        Row(key: "log.clients", value: "true", request: ping(), isSeen: { $0.log.contains(" client=127.0.0.1") }),
        Row(key: "log.requests", value: "false", request: ping(), isSeen: { !$0.log.contains(" GET /ping ") }),
    ]

    private static func sight(_ row: Row, isSet: Bool) throws -> Sight {
        var environment = row.others
        if isSet { environment[row.variable] = row.value }
        let folder = TemporaryFolder()
        try folder.write(seed, to: "seed.jsonl")
        let server = try HomeportProcess(environment: environment, schema: row.schema, in: folder)
        let client = try RawClient(port: server.port)
        try client.send(row.request)
        let answer = try client.readToEnd()
        server.signal(SIGTERM)
        _ = server.exitStatus()
        return Sight(answer: answer, log: server.log, folder: folder)
    }

    @Test("are seen with a setting, and not without it", arguments: rows)
    func areSeen(row: Row) throws {
        let with = try Self.sight(row, isSet: true)
        #expect(row.isSeen(with), "\(with.answer)\n\(with.log)")
        guard !row.endsOnlyByIt else { return }
        let without = try Self.sight(row, isSet: false)
        #expect(!row.isSeen(without), "\(without.answer)\n\(without.log)")
    }
}
