import Foundation
import JSON
import Network
import Synchronization
import TestSupport
import Testing

/// A service that tells what it was asked, and answers as its paths say.
final class AskedService: HTTPApplication {
    private let asked = Mutex<[JSONValue]>([])

    /// What it was asked, in order.
    var requests: [JSONValue] { asked.withLock { $0 } }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 20) { [self] request in
            var body = ""
            if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
            var fields = JSONObject()
            for field in request.head.fields.all { fields.set(field.name.lowercased(), to: .string(field.value)) }
            let told: JSONValue = [
                "method": .string(request.head.methodText),
                "target": .string(
                    request.head.encodedPath + (request.head.query.isEmpty ? "" : "?\(request.head.query)")),
                "body": .string(body), "fields": .object(fields),
            ]
            asked.withLock { $0.append(told) }
            return Self.answer(request.head.path, told, body)
        }
    }

    private static func answer(_ path: String, _ told: JSONValue, _ body: String) -> HTTPResponse {
        func json(_ value: JSONValue, _ status: HTTPStatus = .ok) -> HTTPResponse {
            HTTPResponse(
                status: status, fields: HTTPFieldLines(["content-type": "application/json"]),
                body: .bytes(JSONWriter.bytes(of: value)))
        }
        switch path.split(separator: "/").last {
        case "teapot": return json(["is": "a teapot"], HTTPStatus(code: 418))
        case "fails":
            var answer = json(["errorMessage": "It broke", "errorType": "OwnError"])
            answer.fields.append("x-amz-function-error", "Unhandled")
            return answer
        case "batch":
            // Of each element what it is; an element that wants to fail does so by itself.
            let elements = (try? JSONReader.value(of: body))?.array ?? []
            return json(
                .array(elements.map { $0 == "i2" ? ["errorMessage": "Not this", "errorType": "Own"] : ["of": $0] }))
        case "direct":
            func element(_ context: JSONValue) -> JSONValue {
                let id = context["source"]?["id"] ?? .null
                return id == "i2"
                    ? ["data": .null, "errorMessage": "Not this", "errorType": "Own"]
                    : ["data": .string("\(context["info"]?["fieldName"]?.string ?? "") of \(id.string ?? "")")]
            }
            let told = (try? JSONReader.value(of: body)) ?? .null
            if let elements = told.array { return json(.array(elements.map(element))) }
            return json(element(told)["data"] ?? .null)
        case "decides":
            let mapping = (try? JSONReader.value(of: body))?["requestMapping"] ?? .null
            let wanted = mapping["attributeValues"]?["want"]?["S"] ?? .null
            switch wanted {
            case "retry":
                let condition: JSONValue = ["expression": "attribute_exists(id)"]
                return json([
                    "action": "retry",
                    "retryMapping": ["attributeValues": ["n": ["N": 9]], "condition": condition],
                ])
            case "again": return json(["action": "retry", "retryMapping": mapping])
            default: return json(["action": wanted])
            }
        case "forbids":
            var answer = json(["errorMessage": "Never", "errorType": "UnauthorizedException"])
            answer.fields.append("x-amz-function-error", "Unhandled")
            return answer
        case "BeginTransaction": return json(["transactionId": "t1"])
        case "Execute":
            if body.contains("wrong") { return json(["message": "syntax error at wrong"], .badRequest) }
            return json([
                "numberOfRecordsUpdated": 0, "records": [[["stringValue": "r"], ["isNull": true]]],
                "columnMetadata": [["label": "name", "name": "name"], ["label": "gone", "name": "gone"]],
            ])
        case "_search": return json(["hits": ["total": 1, "hits": [["_source": ["a": 1]]]]])
        default: return json(told)
        }
    }

    static func run(_ body: (String, AskedService) async throws -> Void) async throws {
        let service = AskedService()
        let server = try await LoopbackServer(service)
        try await body(server.url, service)
        await server.stop()
    }
}

/// What handlers reach beside tables, through the real program.
@Suite("Sources of handlers, served")
struct SourceHandlerTests {
    private static func operation(_ name: String, _ source: String) -> String {
        """
        \(name): a.query().arguments({ request: a.string() }).returns(a.string())
          .handler(a.handler.custom({ dataSource: '\(source)', entry: './any.js' })).authorization(open),
        """
    }

    private static let schema =
        operation("http", "web") + operation("mapped", "far") + operation("function", "fn") + operation("bus", "bus")
        + operation("rows", "rows") + operation("unconfigured", "plainRows") + operation("search", "search")
        + operation("model", "bedrock") + operation("converse", "models") + operation("gone", "gone")
        + operation("things", "things")

    private static func configuration(_ address: String) -> String {
        """
        {"resolvers": {
          "dataSources": {
            "web": {"endpoint": "\(address)/web"},
            "far": {"endpoint": "https://api.example.com"},
            "gone": {"endpoint": "http://127.0.0.1:1"},
            "fn": {"function": "own", "maxBatchSize": 100},
            "bus": {"eventBus": "default"},
            "rows": {"dataApi": "\(address)", "cluster": "c", "secret": "s", "databaseName": "d"},
            "plainRows": {"database": true},
            "search": {"openSearch": "\(address)/search"},
            "bedrock": {"endpoint": "https://bedrock-runtime.us-east-1.amazonaws.com", "signingService": "bedrock"},
            "models": {"models": true},
            "things": {"table": "Things", "partitionKey": "id"}
          },
          "endpoints": {"https://api.example.com": "\(address)/mapped"}},
         "bedrock": {"rules": "rules.json"},
         "functions": {"own": {"url": "\(address)/own"}, "decides": {"url": "\(address)/decides"}}}
        """
    }

    /// Asks a handler's source by a field, and gives what it tells, or the field's error.
    private struct Asked {
        let server: HomeportProcess

        func callAsFunction(_ field: String, _ request: JSONValue) throws -> JSONValue {
            let answer = try server.value(
                of: "query Q($r: String) { \(field)(request: $r) }", ["r": JSONWriter.text(of: request)])
            guard let text = answer["data"]?[field]?.string else { return answer["errors"]?[0] ?? answer }
            return try JSONReader.value(of: text)
        }
    }

    private func serving(_ story: @escaping @Sendable (Asked, AskedService) throws -> Void) async throws {
        try await AskedService.run { address, service in
            let project = try ResolverProject(Self.schema, ["any.js": TableHandlerTests.any])
            try project.folder.write(
                #"{"rules": [{"prompt": "hello", "text": "Good day."}]}"#, to: "rules.json")
            let server = try project.serve(configuration: Self.configuration(address))
            try story(Asked(server: server), service)
        }
    }

    @Test("a service over HTTP is asked with query, head and body, and every status is an answer")
    func http() async throws {
        try await serving { ask, _ in
            let told = try ask(
                "http",
                [
                    "method": "POST", "resourcePath": "/things/a b",
                    "params": [
                        "query": ["q": "x y", "list": ["1", "2"], "none": .null],
                        "headers": ["X-Own": "v", "Host": "elsewhere", "Content-Length": "1"],
                        "body": ["a": 1],
                    ],
                ])
            #expect(told["error"] == .null && told["result"]?["statusCode"] == 200, "\(told)")
            let asked = try JSONReader.value(of: told["result"]?["body"]?.string ?? "")
            #expect(asked["method"] == "POST" && asked["body"] == #"{"a":1}"#)
            #expect(asked["target"] == "/web/things/a%20b?q=x%20y&list=1&list=2", "\(asked)")
            #expect(asked["fields"]?["x-own"] == "v" && asked["fields"]?["content-type"] == "application/json")
            #expect(asked["fields"]?["host"] != "elsewhere")
            #expect(told["result"]?["headers"]?["content-type"] == "application/json")
            let teapot = try ask("http", ["method": "GET", "resourcePath": "/teapot"])
            #expect(teapot["result"]?["statusCode"] == 418 && teapot["result"]?["body"] == #"{"is":"a teapot"}"#)
            let mapped = try ask("mapped", ["method": "GET", "resourcePath": "/x"])
            #expect(mapped["result"]?["body"]?.string?.contains(#""target":"/mapped/x""#) == true, "\(mapped)")
            let gone = try ask("gone", ["method": "GET", "resourcePath": "/"])
            #expect(gone["result"] == .null && gone["error"]?["type"] == "Http:ServiceUnavailableException", "\(gone)")
            let method = try ask("http", ["method": "TRACE", "resourcePath": "/"])
            #expect(method["errorType"] == "MappingTemplate", "\(method)")
        }
    }

    @Test("a language model is reached as Bedrock is, signed or not, and as a source of its own kind")
    func models() async throws {
        try await serving { ask, _ in
            let body: JSONValue = [
                "anthropic_version": "bedrock-2023-05-31", "max_tokens": 10,
                "messages": [["role": "user", "content": [["type": "text", "text": "hello"]]]],
            ]
            let answer = try ask(
                "model",
                [
                    "method": "POST", "resourcePath": "/model/anthropic.claude-3-sonnet-20240229-v1:0/invoke",
                    "params": ["headers": ["Content-Type": "application/json"], "body": body],
                ])
            #expect(answer["result"]?["statusCode"] == 200, "\(answer)")
            let read = try JSONReader.value(of: answer["result"]?["body"]?.string ?? "")
            #expect(read["content"]?[0]?["text"] == "Good day.", "\(read)")
            let refused = try ask(
                "model", ["method": "POST", "resourcePath": "/model/m/invoke", "params": ["body": "no JSON"]])
            #expect(refused["result"]?["statusCode"] == 400, "\(refused)")
            let conversed = try ask(
                "converse",
                [
                    "operation": "Converse", "modelId": "anthropic.claude-3-haiku-20240307-v1:0",
                    "messages": [["role": "user", "content": [["text": "hello"]]]],
                ])
            #expect(
                conversed["result"]?["output"]?["message"]?["content"]?[0]?["text"] == "Good day.", "\(conversed)")
        }
    }

    @Test("a function is given the payload itself, alone or in a batch, waited for or not")
    func functions() async throws {
        try await serving { ask, service in
            let told = try ask("function", ["operation": "Invoke", "payload": ["a": 1]])
            #expect(told["result"]?["body"] == #"{"a":1}"#, "\(told)")
            let event = try ask(
                "function", ["operation": "Invoke", "payload": ["b": 2], "invocationType": "Event"])
            #expect(event["result"] == .null && event["error"] == .null, "\(event)")
            let batch = try ask("function", ["operation": "BatchInvoke", "payload": ["c": 3]])
            #expect(batch["error"]?["type"] == "Lambda:IllegalArgument", "\(batch)")
            #expect(service.requests.contains { $0["body"] == #"[{"c":3}]"# })
            let other = try ask("function", ["operation": "Other"])
            #expect(other["errorType"] == "MappingTemplate", "\(other)")
        }
    }

    @Test("a function says what becomes of a change whose condition was not met")
    func conditions() async throws {
        try await serving { ask, service in
            func put(_ want: String, _ n: Int64) throws -> JSONValue {
                try ask(
                    "things",
                    [
                        "operation": "PutItem", "key": ["id": ["S": "a"]],
                        "attributeValues": ["n": ["N": .integer(n)], "want": ["S": .string(want)]],
                        "condition": [
                            "expression": "attribute_not_exists(id)",
                            "conditionalCheckFailedHandler": [
                                "strategy": "Custom",
                                "lambdaArn": "arn:aws:lambda:us-east-1:123456789012:function:decides",
                            ],
                        ],
                    ])
            }
            let first = try put("first", 1)
            #expect(first["result"]?["n"] == 1 && first["error"] == .null, "\(first)")
            // What is there as it is wanted is no failure.
            #expect(try put("first", 1)["error"] == .null && service.requests.isEmpty)
            let rejected = try put("reject", 2)
            #expect(rejected["error"]?["type"] == "DynamoDB:ConditionalCheckFailedException", "\(rejected)")
            #expect(rejected["result"]?["n"] == 1, "\(rejected)")
            let told = try JSONReader.value(of: service.requests.last?["body"]?.string ?? "")
            #expect(told["currentValue"] == ["id": "a", "n": 1, "want": "first"], "\(told)")
            #expect(told["requestMapping"]?["operation"] == "PutItem" && told["identity"] == .null, "\(told)")
            #expect(told["arguments"]?["request"]?.string?.contains("PutItem") == true, "\(told)")
            #expect(
                told["resolver"] == [
                    "tableName": "Things", "awsRegion": "us-east-1", "parentType": "Query", "field": "things",
                    "outputType": "String",
                ], "\(told)")
            let discarded = try put("discard", 3)
            #expect(discarded["error"] == .null && discarded["result"]?["n"] == 1, "\(discarded)")
            let retried = try put("retry", 4)
            #expect(retried["error"] == .null && retried["result"] == ["n": 9, "id": "a"], "\(retried)")
            let before = service.requests.count
            let again = try put("again", 5)
            #expect(again["error"]?["type"] == "DynamoDB:ConditionalCheckFailedException", "\(again)")
            #expect(service.requests.count - before == 5)
            let nothing = try put("nothing", 5)
            #expect(nothing["error"]?["type"] == "Lambda:IllegalArgument", "\(nothing)")
        }
    }

    @Test("events are put on a bus, and each has an entry of its own")
    func events() async throws {
        try await serving { ask, _ in
            let event: JSONValue = ["source": "own", "detailType": "t", "detail": ["a": 1]]
            let dashed: JSONValue = ["source": "own", "detail-type": "t", "detail": [:]]
            let put = try ask("bus", ["operation": "PutEvents", "events": [event, dashed]])
            #expect(put["result"]?["FailedEntryCount"] == 0, "\(put)")
            #expect(put["result"]?["Entries"]?.array?.count == 2)
            #expect(put["result"]?["Entries"]?[0]?["EventId"]?.string?.isEmpty == false)
            let none = try ask("bus", ["operation": "PutEvents", "events": []])
            #expect(none["errorType"] == "MappingTemplate", "\(none)")
        }
    }

    @Test("statements go to the Data API where it is configured, two of them in one transaction")
    func statements() async throws {
        try await serving { ask, service in
            let one = try ask(
                "rows",
                [
                    "statements": ["select * from t where id = :P0"], "variableMap": [":P0": "u"],
                    "variableTypeHintMap": [":P0": "UUID"],
                ])
            let read = try JSONReader.value(of: one["result"]?.string ?? "")
            #expect(read["sqlStatementResults"]?[0]?["records"]?[0]?[0] == ["stringValue": "r"], "\(one)")
            let asked = try JSONReader.value(of: service.requests.last?["body"]?.string ?? "")
            #expect(asked["resourceArn"] == "c" && asked["secretArn"] == "s" && asked["database"] == "d")
            #expect(
                asked["parameters"] == [["name": "P0", "value": ["stringValue": "u"], "typeHint": "UUID"]], "\(asked)")
            let before = service.requests.count
            _ = try ask("rows", ["statements": ["insert", "select"]])
            #expect(
                service.requests.dropFirst(before).map { $0["target"] ?? .null } == [
                    "/BeginTransaction", "/Execute", "/Execute", "/CommitTransaction",
                ])
            let wrong = try ask("rows", ["statements": ["select 1", "wrong"]])
            #expect(wrong["result"] == .null && wrong["error"]?["message"] == "syntax error at wrong", "\(wrong)")
            #expect(service.requests.last?["target"] == "/RollbackTransaction")
            let many = try ask("rows", ["statements": ["a", "b", "c"]])
            #expect(many["errorType"] == "MappingTemplate", "\(many)")
            let unconfigured = try ask("unconfigured", ["statements": ["a"]])
            #expect(unconfigured["errorType"] == "NotImplemented")
            #expect(unconfigured["message"]?.string?.contains("dataApi") == true, "\(unconfigured)")
        }
    }

    @Test("OpenSearch answers as it does")
    func search() async throws {
        try await serving { ask, service in
            let found = try ask(
                "search",
                [
                    "operation": "GET", "path": "/post/_search",
                    "params": ["queryString": ["size": 1], "body": ["query": [:]]],
                ])
            #expect(found["result"]?["hits"]?["hits"]?[0]?["_source"] == ["a": 1], "\(found)")
            #expect(service.requests.last?["target"] == "/search/post/_search?size=1")
        }
    }

    @Test(
        "a data source of a stack that is nothing gives back what it is sent, whatever it is called",
        arguments: ["NONE_DS", "Nothing"])
    func nothing(name: String) throws {
        let stack = #"""
            {"Resources": {
              "N": {"Type": "AWS::AppSync::DataSource", "Properties": {"Name": "\#(name)", "Type": "NONE"}},
              "R": {"Type": "AWS::AppSync::Resolver", "Properties": {"TypeName": "Query", "FieldName": "hello", "DataSourceName": "\#(name)",
                "RequestMappingTemplateS3Location": "s3://x/resolvers/Query.hello.req.vtl",
                "ResponseMappingTemplateS3Location": "s3://x/resolvers/Query.hello.res.vtl"}}}}
            """#
        let server = try ResolverFolder.serve(
            "input AMPLIFY { globalAuthRule: AuthRule = { allow: public } } type Query { hello: String } type T @model { id: ID! }",
            [
                "Query.hello.req.vtl": #"{"version": "2018-05-29", "payload": "hi"}"#,
                "Query.hello.res.vtl": "$util.toJson($ctx.result)",
            ], stacks: ["CustomResources.json": stack])
        #expect(try server.answer(to: "{ hello }") == #"{"data":{"hello":"hi"}}"#)
        #expect(!server.log.contains("cannot be answered"), "\(server.log)")
    }
}
