import Access
import GraphQL
import JSON
import Testing

@testable import Engine

@Suite("HTTP calls of a field")
struct HTTPCallTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let field: String
        var arguments = "{}"
        var source: String?
        let request: String

        var testDescription: String { "\(field) \(arguments)" }
    }

    static let requests: [Row] = [
        Row(field: #"f: T @http(url: "http://h.test/posts/1")"#, request: "GET http://h.test/posts/1"),
        Row(field: #"f: T @http(url: "http://h.test")"#, request: "GET http://h.test/"),
        Row(field: #"f: T @http(url: "https://h.test:8443?a=1")"#, request: "GET https://h.test:8443/?a=1"),
        Row(
            field: #"f(id: Int!, title: String): T @http(url: "http://h.test/posts/:id")"#,
            arguments: #"{"params":{"id":"7"},"query":{"title":"a b&c"}}"#,
            request: "GET http://h.test/posts/7?title=a%20b%26c"),
        Row(
            field: #"f(a: String, b: String): T @http(url: "http://h.test/:a/x/:b")"#,
            arguments: #"{"params":{"a":"../é","b":".."}}"#,
            request: "GET http://h.test/..%2F%C3%A9/x/%2E%2E"),
        Row(
            field: #"f(n: [Int], o: AWSJSON, x: Float, z: String): T @http(url: "http://h.test/p?k=v")"#,
            arguments: #"{"query":{"n":[1,null,2],"o":{"a":1},"x":1.5,"z":null}}"#,
            request: "GET http://h.test/p?k=v&n=1&n=2&o=%7B%22a%22%3A1%7D&x=1.5"),
        Row(
            field: #"f(title: String): T @http(method: POST, url: "http://h.test/posts")"#,
            arguments: #"{"body":{"title":"t","n":null}}"#,
            request: #"POST http://h.test/posts {"title":"t","n":null}"#),
        Row(
            field: #"f(title: String): T @http(method: PUT, url: "http://h.test/posts")"#,
            arguments: #"{"query":{"title":"q"},"body":{"title":"t"}}"#,
            request: #"PUT http://h.test/posts?title=q {"title":"t"}"#),
        Row(
            field: #"f(title: String): T @http(method: PATCH, url: "http://h.test/posts")"#,
            request: "PATCH http://h.test/posts"),
        Row(
            field: #"f(title: String): T @http(method: DELETE, url: "http://h.test/posts")"#,
            arguments: #"{"query":{"title":"q"}}"#, request: "DELETE http://h.test/posts"),
        Row(
            field: #"f: T @http(url: "http://${env}.test/${aws_region}/${env}/${!ctx.source.id}/${ctx.source.n}")"#,
            source: #"{"id":"a/b","n":2}"#, request: "GET http://NONE.test/us-east-1/NONE/a%2Fb/2"),
        Row(
            field:
                #"f: T @http(url: "http://h.test/$ctx.source.id/$context.identity.sub/${ctx.args.query.q}/$!ctx.source.no/$5")"#,
            arguments: #"{"query":{"q":"v"}}"#, source: #"{"id":"i"}"#, request: "GET http://h.test/i/me/v//$5?q=v"),
        // As in Velocity, what leads nowhere stays as it is written.
        Row(
            field: #"f: T @http(url: "http://h.test/${ctx.source.no}/a b/ü")"#, source: "{}",
            request: "GET http://h.test/%24%7Bctx.source.no%7D/a%20b/%C3%BC"),
    ]

    @Test("the request is the directive's, with the arguments and what it names put in", arguments: requests)
    func requestsAreMade(_ row: Row) async throws {
        let outside = FakeOutside("{}")
        let outcome = try await FieldBench(row.field).outcome(
            row.arguments, source: row.source, identity: ["sub": "me"], over: outside)
        #expect(outcome.errors.isEmpty)
        let request = try #require(outside.requests.first)
        let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
        #expect("\(request.method) \(request.url)\(body)" == row.request)
        #expect(request.timeoutMilliseconds == EngineLimits().callMilliseconds)
        #expect(request.responseBytesMax == EngineLimits().callBytesMax)
    }

    @Test("the client's fields are passed on but for those of its connection, and the directive's go over them")
    func fields() async throws {
        let bench = try FieldBench(
            """
            f(a: String): T @http(method: POST, url: "http://h.test/", headers: [{key: "X-Own", value: "${env}-${ctx.source.id}"}, {key: "accept", value: "b"}])
            """)
        let outside = FakeOutside("{}")
        _ = try await bench.outcome(
            source: #"{"id":"s"}"#,
            fields: [
                ("Host", "me"), ("Connection", "close"), ("Content-Length", "3"), ("Content-Type", "text/plain"),
                ("Accept", "a"), ("Authorization", "token"), ("Accept-Encoding", "gzip"), ("TE", "trailers"),
                ("x-own", "forged"),
            ], over: outside)
        #expect(
            outside.requests.first?.fields.map { "\($0.name): \($0.value)" } == [
                "authorization: token", "Content-Type: application/json", "X-Own: NONE-s", "accept: b",
            ])
    }

    static let required: [(arguments: String, isThere: Bool)] = [
        (#"{"body":{"title":"t"}}"#, true), (#"{"query":{"title":"t"}}"#, true),
        (#"{"body":{"title":null},"query":{"title":"t"}}"#, true), (#"{"body":{"title":false}}"#, true),
        (#"{"body":{"title":null}}"#, false), (#"{"body":{"other":"t"}}"#, false), ("{}", false),
        (#"{"body":null,"query":null}"#, false),
    ]

    @Test("a required argument stands in the query or in the body, or nothing is sent", arguments: required)
    func requiredIsThere(_ row: (arguments: String, isThere: Bool)) async throws {
        let bench = try FieldBench(
            #"f(id: Int!, title: String!, other: String): T @http(method: POST, url: "http://h.test/:id")"#)
        let outside = FakeOutside("{}")
        let outcome = try await bench.outcome(row.arguments, over: outside)
        let error = FieldBench.error(
            "An argument you marked as Non-Null is not present in the query nor the body of your request.", nil)
        #expect(outcome.errors == (row.isThere ? [] : [error]))
        #expect(outside.requests.count == (row.isThere ? 1 : 0))
    }

    struct Answer: CustomTestStringConvertible, Sendable {
        var method = "GET"
        var status = 200
        var type = "application/json"
        let body: String
        var value: JSONValue = .null
        var error: (message: String, type: String)?

        var testDescription: String { "\(method) \(status) \(body)" }
    }

    static let answers: [Answer] = [
        Answer(body: #"{"a":[1]}"#, value: ["a": [1]]),
        Answer(body: #""x""#, value: "x"),
        Answer(method: "POST", status: 201, body: "1", value: 1),
        Answer(status: 201, body: "made", error: ("made", "201")),
        Answer(method: "DELETE", status: 204, body: "", error: ("", "204")),
        Answer(status: 404, body: #"{"message":"no"}"#, error: (#"{"message":"no"}"#, "404")),
        Answer(status: 500, body: "oh", error: ("oh", "500")),
        Answer(
            body: "", error: ("Template transformation yielded an empty response.", "MappingTemplate")),
        Answer(type: "text/xml; charset=utf-8", body: "<a><b>1</b></a>", value: ["a": ["b": 1]]),
        Answer(
            type: "application/xml", body: "<a>",
            error: ("The answer is not XML: expected </a> at byte 3", "MappingTemplate")),
    ]

    @Test(
        "the answer is the value, and any status but 200 an error, or 201 where something was sent", arguments: answers)
    func answersAreRead(_ answer: Answer) async throws {
        let bench = try FieldBench(#"f: T @http(method: \#(answer.method), url: "http://h.test/")"#)
        let outside = FakeOutside(status: answer.status, answer.body, fields: [("Content-Type", answer.type)])
        let outcome = try await bench.outcome(over: outside)
        #expect(outcome.value == answer.value)
        #expect(outcome.errors == (answer.error.map { [FieldBench.error($0.message, $0.type)] } ?? []))
    }

    @Test("an answer that is not JSON is an error")
    func noJSON() async throws {
        let outcome = try await FieldBench(#"f: T @http(url: "http://h.test/")"#).outcome(over: FakeOutside("hello"))
        #expect(outcome.errors.first?.message.hasPrefix("The answer is not JSON") == true)
        #expect(outcome.errors.first?.resolver?.errorType == "MappingTemplate")
    }

    @Test("a long answer of an error is cut")
    func longMessages() async throws {
        let text = String(repeating: "a", count: FunctionLimits.messageBytesMax)
        let bench = try FieldBench(#"f: T @http(url: "http://h.test/")"#)
        #expect(try await bench.outcome(over: FakeOutside(status: 500, text)).errors.first?.message == text)
        #expect(try await bench.outcome(over: FakeOutside(status: 500, text + "b")).errors.first?.message == text + "…")
    }

    static let failures: [(error: OutsideError, message: String, type: String)] = [
        (.timedOut(milliseconds: 5), "Execution timed out.", "ExecutionTimeout"),
        (.unreachable("refused"), "The HTTP service cannot be reached", "Http:ServiceUnavailableException"),
        (.invalidURL("bad"), "The URL of the HTTP call is not valid", "Http:BadRequestException"),
        (.tooLarge(bytesMax: 5), "The answer has more than 5 bytes", "Http:BadGatewayException"),
    ]

    @Test("a service without an answer is an error, and its address is for the operator only", arguments: failures)
    func failuresAreTold(_ row: (error: OutsideError, message: String, type: String)) async throws {
        let bench = try FieldBench(#"f: T @http(url: "http://h.test/")"#)
        let outcome = try await bench.outcome(over: FakeOutside(row.error))
        #expect(outcome.errors == [FieldBench.error(row.message, row.type)])
        #expect(!"\(outcome.errors)".contains("h.test"))
    }
}
