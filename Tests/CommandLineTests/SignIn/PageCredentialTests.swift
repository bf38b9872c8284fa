import Foundation
import Synchronization
import TestSupport
import Testing

/// The keys that everybody knows, `local` with the secret `local`, in the hands of web pages: a script signs as well as a test does.
@Suite("The development administrator's keys in web pages")
struct PageCredentialTests {
    /// What a browser says of a request, with the port of the server as PORT, and whether it is a page's of another origin.
    private static let pages: [(fields: [(String, String)], isForeign: Bool)] = [
        ([], false),
        ([("origin", "http://127.0.0.1:PORT")], false),
        ([("origin", "http://127.0.0.1:PORT"), ("sec-fetch-site", "same-origin")], false),
        ([("sec-fetch-site", "none")], false),
        ([("origin", "http://evil.example")], true),
        ([("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")], true),
        ([("origin", "http://127.0.0.1:1")], true),
        ([("origin", "http://127.0.0.1")], true),
        ([("origin", "http://localhost:PORT")], true),
        ([("origin", "http://127.0.0.1:PORT.evil.example")], true),
        ([("origin", "null")], true),
        ([("origin", "")], true),
        ([("origin", "http://127.0.0.1:PORT"), ("origin", "http://evil.example")], true),
        ([("sec-fetch-site", "cross-site")], true),
        ([("sec-fetch-site", "same-site")], true),
        ([("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")], true),
        ([("sec-fetch-site", "anything")], true),
    ]

    private static func fields(_ page: [(String, String)], _ server: HomeportProcess) -> [(name: String, value: String)]
    {
        page.map { (name: $0.0, value: $0.1.replacing("PORT", with: "\(server.port)")) }
    }

    private struct Service {
        let name: String
        var api: String?
        var operation = ""
        var path = "/"
        var method = "POST"
        var body = "{}"
        var contentType = "application/x-amz-json-1.0"
    }

    /// A call of each service; many make or change something.
    private static let services: [Service] = [
        Service(
            name: "cognito-idp", api: "AWSCognitoIdentityProviderService", operation: "ListUserPools",
            body: #"{"MaxResults":5}"#, contentType: "application/x-amz-json-1.1"),
        Service(
            name: "dynamodb", api: "DynamoDB_20120810", operation: "CreateTable",
            body: """
                {"TableName":"made","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],\
                "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}
                """),
        Service(name: "dynamodb", api: "DynamoDBStreams_20120810", operation: "ListStreams"),
        Service(name: "sqs", api: "AmazonSQS", operation: "CreateQueue", body: #"{"QueueName":"made"}"#),
        Service(
            name: "sqs", body: "Action=CreateQueue&QueueName=made&Version=2012-11-05",
            contentType: "application/x-www-form-urlencoded"),
        Service(
            name: "ssm", api: "AmazonSSM", operation: "PutParameter",
            body: #"{"Name":"/made","Value":"1","Type":"String","Overwrite":true}"#,
            contentType: "application/x-amz-json-1.1"),
        Service(
            name: "secretsmanager", api: "secretsmanager", operation: "CreateSecret",
            body: #"{"Name":"made","SecretString":"1"}"#, contentType: "application/x-amz-json-1.1"),
        Service(name: "states", api: "AWSStepFunctions", operation: "ListStateMachines"),
        Service(
            name: "events", api: "AWSEvents", operation: "PutEvents",
            body: #"{"Entries":[{"Source":"a","DetailType":"b","Detail":"{}"}]}"#,
            contentType: "application/x-amz-json-1.1"),
        Service(
            name: "sns", body: "Action=CreateTopic&Name=made&Version=2010-03-31",
            contentType: "application/x-www-form-urlencoded"),
        Service(
            name: "ses", path: "/v2/email/outbound-emails",
            body: """
                {"FromEmailAddress":"a@b.example","Destination":{"ToAddresses":["c@d.example"]},\
                "Content":{"Simple":{"Subject":{"Data":"s"},"Body":{"Text":{"Data":"t"}}}}}
                """, contentType: "application/json"),
        Service(
            name: "lambda", path: "/2015-03-31/functions/open/invocations", body: #"{"made":1}"#,
            contentType: "application/json"),
        Service(name: "lambda", path: "/url/closed", method: "GET", body: ""),
        Service(name: "execute-api", path: "/rest/shop/private", method: "GET", body: ""),
        Service(
            name: "appsync", path: "/v1/dataplane-evaluatecode",
            body: #"{"runtime":{"name":"APPSYNC_JS","runtimeVersion":"1.0.0"},"code":"","context":"{}"}"#,
            contentType: "application/json"),
        Service(
            name: "bedrock", path: "/model/any/converse",
            body: #"{"messages":[{"role":"user","content":[{"text":"hello"}]}]}"#, contentType: "application/json"),
        Service(
            name: "sts", body: "Action=GetCallerIdentity&Version=2011-06-15",
            contentType: "application/x-www-form-urlencoded"),
    ]

    /// How services name a key that they do not know.
    private static let unknown = ["UnrecognizedClientException", "InvalidClientTokenId", "InvalidAccessKeyId"]

    private static func isRefused(_ text: String) -> Bool { unknown.contains { text.contains($0) } }

    private static func with(_ body: @escaping @Sendable (HomeportProcess, _ calls: @Sendable () -> Int) throws -> Void)
        async throws
    {
        let calls = Mutex(0)
        let counted = HTTPFunction { _ in
            calls.withLock { $0 += 1 }
            return ["statusCode": 200, "body": "called"]
        }
        try await counted.run { url in
            try await BlockingThread.run {
                let folder = TemporaryFolder()
                try folder.write(
                    """
                    {"functions": {
                      "open": {"url": "\(url)", "rest": [{"api": "shop", "path": "/private", "allow": {"auth": ["read"]}}]},
                      "closed": {"url": "\(url)", "httpURL": "AWS_IAM"}}}
                    """, to: "homeport.json")
                try body(
                    try HomeportProcess(["--config", "homeport.json", "--database", "memory"], in: folder),
                    { calls.withLock { $0 } })
            }
        }
    }

    @Test("signed headers count from programs and the server's own pages, for every service, and from no other page")
    func headers() async throws {
        try await Self.with { server, calls in
            // Those of other origins first: nothing of what they ask for may be there when the others ask.
            for (page, isForeign) in Self.pages.sorted(by: { $0.isForeign && !$1.isForeign }) {
                if !isForeign { continue }
                for service in Self.services {
                    let answer = try Self.call(service, Self.fields(page, server), server)
                    #expect(
                        Self.isRefused(answer.head + answer.body) && (400..<500).contains(answer.status),
                        "\(service.name) \(service.operation)\(service.path) \(page): \(answer)")
                }
                let files = try SignedFileCall(server)
                for (method, target) in [("GET", "/"), ("PUT", "/homeport-files/made"), ("PUT", "/made-bucket")] {
                    // One of each: a dictionary holds no two of a name.
                    guard Set(page.map(\.0)).count == page.count else { continue }
                    var change = SignedFileCall.Change()
                    for field in Self.fields(page, server) { change.fields[field.name] = field.value }
                    let answer = try files.call(method, target, body: Array("x".utf8), change: change)
                    #expect(answer.status == 403 && answer.code == "InvalidAccessKeyId", "\(target) \(page)")
                }
            }
            #expect(calls() == 0, "a page has called a function")
            var list = Service(name: "dynamodb", api: "DynamoDB_20120810", operation: "ListTables")
            #expect(try !Self.call(list, [], server).body.contains("made"))
            list = Service(name: "sqs", api: "AmazonSQS", operation: "ListQueues")
            #expect(try !Self.call(list, [], server).body.contains("made"))
            #expect(try SignedFileCall(server).call("HEAD", "/homeport-files/made").status == 404)
            for (page, isForeign) in Self.pages where !isForeign {
                for service in Self.services {
                    let answer = try Self.call(service, Self.fields(page, server), server)
                    #expect(
                        !Self.isRefused(answer.head + answer.body),
                        "\(service.name) \(service.operation)\(service.path) \(page): \(answer)")
                }
            }
            #expect(calls() > 0)
        }
    }

    private static func call(
        _ service: Service, _ fields: [(name: String, value: String)], _ server: HomeportProcess
    ) throws -> (status: Int, head: String, body: String) {
        var call = SignedCall(service.operation, service.body, to: server)
        (call.service, call.path, call.method) = (service.name, service.path, service.method)
        (call.contentType, call.others) = (service.contentType, fields)
        if let api = service.api {
            call.api = api
        } else {
            call.hasTarget = false
            call.signed = ["content-type", "host", "x-amz-date"]
        }
        return try call.answer(from: server)
    }

    @Test("links and forms count from programs, typed addresses and the server's own pages, and from no other page")
    func linksAndForms() async throws {
        try await Self.with { server, _ in
            let files = try SignedFileCall(server)
            try files.call("PUT", "/homeport-files")
            try files.call("PUT", "/homeport-files/there", body: Array("x".utf8))
            for (page, isForeign) in Self.pages {
                let lines = Self.fields(page, server).map { "\($0.name): \($0.value)\r\n" }.joined()
                let get = files.link("GET", "/homeport-files/there")
                let put = files.link("PUT", "/homeport-files/made")
                for (method, target, body) in [("GET", get, ""), ("PUT", put, "x")] {
                    let client = try RawClient(port: server.port)
                    try client.send(
                        "\(method) \(target) HTTP/1.1\r\nhost: 127.0.0.1:\(server.port)\r\n\(lines)content-length: "
                            + "\(body.utf8.count)\r\n\r\n\(body)")
                    let answer = try client.readAnswer()
                    #expect(Self.isRefused(answer.body) == isForeign, "\(method) \(page): \(answer)")
                    #expect(answer.head.hasPrefix("HTTP/1.1 \(isForeign ? 403 : 200) "), "\(method) \(page): \(answer)")
                }
                let form = FormRequest(
                    [("key", "form")], [#"["starts-with", "$key", ""]"#], Array("x".utf8), isSigned: true,
                    host: "127.0.0.1:\(server.port)", lines)
                let client = try RawClient(port: server.port)
                try client.send(form.bytes)
                let answer = try client.readAnswer()
                #expect(answer.head.hasPrefix("HTTP/1.1 \(isForeign ? 403 : 204) "), "\(page): \(answer)")
                let found = try files.call("HEAD", "/homeport-files/form").status
                #expect(found == (isForeign ? 404 : 200), "\(page)")
                for key in ["form", "made"] { try files.call("DELETE", "/homeport-files/\(key)") }
            }
        }
    }

    @Test("the API key and the roles of Amplify's mock count from pages on, as apps in browsers use them")
    func mock() throws {
        let server = try HomeportProcess(
            environment: ["HOMEPORT_AUTH_ADDITIONAL": #"["AWS_IAM"]"#],
            schema: "type Todo @model @auth(rules: [{allow: public}, {allow: private, provider: iam}]) { id: ID! }")
        let client = try RawClient(port: server.port)
        let body = #"{"query":"{ listTodos { items { id } } }"}"#
        try client.send(
            "POST /graphql HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost:5173\r\nsec-fetch-site: same-site\r\n"
                + "x-api-key: da2-fakeApiId123456\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try client.readAnswer().body.contains(#""items":[]"#))
        var call = SignedCall("", body, to: server)
        (call.accessKeyID, call.secret) = ("ASIAVJKIAM-AuthRole", "fake")
        (call.service, call.path, call.hasTarget) = ("appsync", "/graphql", false)
        call.contentType = "application/json"
        call.signed = ["content-type", "host", "x-amz-date"]
        call.others = [("origin", "http://localhost:5173"), ("sec-fetch-site", "same-site")]
        let answer = try call.answer(from: server)
        #expect(answer.body.contains(#""items":[]"#), "\(answer)")
    }
}
