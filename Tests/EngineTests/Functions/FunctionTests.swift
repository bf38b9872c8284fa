import Access
import Blueprint
import GraphQL
import JSON
import Programs
import Project
import TestSupport
import Testing

@testable import Engine

@Suite("Functions of a field")
struct FunctionTests {
    private static let echo = #"echo(msg: String): String @function(name: "echo")"#

    @Test("the payload is that of Amplify's resolver, member by member")
    func payload() async throws {
        let outside = FakeOutside(#""hi""#)
        let outcome = try await FieldBench(Self.echo).outcome(
            #"{"msg":"a","n":null}"#, source: #"{"id":"7","z":1.0}"#, identity: ["sub": "u"],
            fields: [("X-Api-Key", "k"), ("accept", "a"), ("Accept", "b")], over: outside)
        #expect(outcome.value == "hi")
        #expect(outcome.errors.isEmpty)
        let request = try #require(outside.requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "http://functions.test/fn/echo")
        #expect(request.fields.map { "\($0.name): \($0.value)" } == ["content-type: application/json"])
        #expect(request.timeoutMilliseconds == EngineLimits().callMilliseconds)
        #expect(request.responseBytesMax == EngineLimits().callBytesMax)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"typeName":"Query","fieldName":"echo","arguments":{"msg":"a","n":null},"identity":{"sub":"u"},"source":{"id":"7","z":1.0},"request":{"headers":{"x-api-key":"k","accept":"a, b"},"domainName":null},"prev":null}"#
        )
    }

    @Test("of several each gets the result of the one before, and the last one's is the value")
    func pipeline() async throws {
        let bench = try FieldBench(
            #"chain(msg: String): String @function(name: "hello") @function(name: "echo") @function(name: "hello")"#)
        let outside = FakeOutside { (request) throws(OutsideError) in
            OutsideResponse(status: 200, body: Array(request.url.hasSuffix("hello") ? #"{"a":1}"#.utf8 : "null".utf8))
        }
        let outcome = try await bench.outcome(#"{"msg":"m"}"#, over: outside)
        #expect(outcome.value == ["a": 1])
        #expect(outside.requests.map { $0.url.suffix(5) } == ["hello", "/echo", "hello"])
        #expect(outside.payloads.map { $0["prev"] } == [.null, ["result": ["a": 1]], ["result": .null]])
        #expect(outside.payloads.allSatisfy { $0["arguments"] == ["msg": "m"] && $0["fieldName"] == "chain" })
    }

    @Test("an error ends the pipeline")
    func pipelineError() async throws {
        let bench = try FieldBench(#"chain: String @function(name: "hello") @function(name: "echo")"#)
        let outside = FakeOutside(
            #"{"errorMessage":"no","errorType":"Error"}"#, fields: [("X-Amz-Function-Error", "Unhandled")])
        let outcome = try await bench.outcome(over: outside)
        #expect(outcome.value == .null)
        #expect(outcome.errors == [FieldBench.error("no", "Lambda:Unhandled")])
        #expect(outside.requests.count == 1)
    }

    struct Answer: CustomTestStringConvertible, Sendable {
        let name: String
        var status = 200
        var fields: [(name: String, value: String)] = []
        let body: String
        var function = "echo"
        var value: JSONValue = .null
        var error: (message: String, type: String)?

        var testDescription: String { name }
    }

    static let answers: [Answer] = [
        Answer(name: "a scalar", body: "1", value: 1),
        Answer(name: "an object", body: #"{"a":[true]}"#, value: ["a": [true]]),
        Answer(name: "a text that holds JSON stays a text", body: #""{\"a\":1}""#, value: #"{"a":1}"#),
        Answer(name: "nothing", body: "", value: .null),
        Answer(name: "another good status", status: 202, body: "2", value: 2),
        Answer(
            name: "no JSON", body: "<html>",
            error: ("The function 'echo' answered with something that is not JSON", "Lambda:AWSLambdaException")),
        Answer(
            name: "a handled error", fields: [("x-amz-function-error", "Handled")], body: #"{"errorMessage":"m"}"#,
            error: ("m", "Lambda:Handled")),
        Answer(
            name: "an error without text", fields: [("x-amz-function-error", "Unhandled")], body: "",
            error: ("The function 'echo' failed", "Lambda:Unhandled")),
        Answer(
            name: "a status with a message", status: 404, body: #"{"Message":"Function not found"}"#,
            error: ("Function not found", "Lambda:AWSLambdaException")),
        Answer(
            name: "a status without", status: 502, body: "bad gateway",
            error: ("The function 'echo' answered with status 502", "Lambda:AWSLambdaException")),
        Answer(
            name: "the emulator's error", body: #"{"errorType":"TypeError","errorMessage":"x","stackTrace":[]}"#,
            function: "rie", error: ("x", "Lambda:Unhandled")),
        Answer(
            name: "a result of the emulator", body: #"{"errorType":"T","errorMessage":"x","more":1}"#,
            function: "rie", value: ["errorType": "T", "errorMessage": "x", "more": 1]),
        Answer(
            name: "a result that looks like an error", body: #"{"errorType":"T","errorMessage":"x"}"#,
            value: ["errorType": "T", "errorMessage": "x"]),
        Answer(
            name: "what nests too deeply", body: String(repeating: "[", count: 2000),
            error: ("The function 'echo' answered with something that is not JSON", "Lambda:AWSLambdaException")),
    ]

    @Test("a function's answer is its result or an error", arguments: answers)
    func answersAreRead(_ answer: Answer) async throws {
        let bench = try FieldBench(#"f: String @function(name: "\#(answer.function)")"#)
        let outside = FakeOutside(status: answer.status, answer.body, fields: answer.fields)
        let outcome = try await bench.outcome(over: outside)
        #expect(outcome.value == answer.value)
        #expect(outcome.errors == (answer.error.map { [FieldBench.error($0.message, $0.type)] } ?? []))
    }

    static let failures: [(error: OutsideError, message: String, type: String)] = [
        (.timedOut(milliseconds: 5), "Execution timed out.", "ExecutionTimeout"),
        (.unreachable("10.0.0.7:9: refused"), "The function 'echo' cannot be reached", "Lambda:AWSLambdaException"),
        (
            .invalidURL("10.0.0.7 is bad"), "The URL that is configured for the function 'echo' cannot be called",
            "Lambda:AWSLambdaException"
        ),
        (
            .tooLarge(bytesMax: 5), "The result of the function 'echo' has more than 5 bytes",
            "Lambda:AWSLambdaException"
        ),
    ]

    @Test("a function without an answer is an error, and its address is for the operator only", arguments: failures)
    func failuresAreTold(_ row: (error: OutsideError, message: String, type: String)) async throws {
        let bench = try FieldBench(Self.echo)
        let outcome = try await bench.outcome(over: FakeOutside(row.error))
        #expect(outcome.value == .null)
        #expect(outcome.errors == [FieldBench.error(row.message, row.type)])
        #expect(bench.reports.all.allSatisfy { $0.hasPrefix("Query.echo: the function 'echo'") })
        #expect(!"\(outcome.errors)".contains("10.0.0.7"))
        if case .unreachable = row.error { #expect(bench.reports.all.contains { $0.contains("10.0.0.7:9: refused") }) }
    }

    @Test("a payload is as long as Lambda allows, and no longer")
    func payloadLimit() async throws {
        let bench = try FieldBench(Self.echo)
        let outside = FakeOutside("null")
        let whole = try await bench.outcome(over: outside)
        #expect(whole.errors.isEmpty)
        let room = FunctionLimits.payloadBytesMax - (outside.requests.first?.body.count ?? 0) - #""m":"""#.utf8.count
        let fits = try await bench.outcome(
            #"{"m":"\#(String(repeating: "a", count: room))"}"#, over: outside)
        #expect(fits.errors.isEmpty)
        let beyond = try await bench.outcome(
            #"{"m":"\#(String(repeating: "a", count: room + 1))"}"#, over: outside)
        #expect(beyond.errors.first?.message.contains("\(FunctionLimits.payloadBytesMax)") == true)
        #expect(outside.requests.count == 2)
    }

    // MARK: Events

    private static let event = """
        note: EventInvocationResponse @function(name: "echo", invocationType: Event)
        """
    private static let eventType = "type EventInvocationResponse { success: Boolean! }"

    @Test("an event is sent, not waited for, and succeeds whatever becomes of it")
    func events() async throws {
        let bench = try FieldBench(Self.event, types: Self.eventType)
        let outside = FakeOutside(.unreachable("gone"))
        let outcome = try await bench.outcome(over: outside)
        #expect(outcome.value == ["success": true])
        #expect(outcome.errors.isEmpty)
        await outside.arrivals(1)
        #expect(outside.requests.first?.fields.contains { $0 == ("x-amz-invocation-type", "Event") } == true)
        try await eventually("no event is under way") { bench.directory.openEvents == 0 }
        #expect(
            bench.reports.all == [
                "the function 'echo', called as an event: the function 'echo' cannot be reached: gone"
            ])
    }

    @Test("an event that cannot be sent has its error beside the value, and the pipeline goes on")
    func eventErrors() async throws {
        let bench = try FieldBench(
            #"f: String @function(name: "nobody", invocationType: Event) @function(name: "hello")"#)
        let outside = FakeOutside("1")
        let outcome = try await bench.outcome(over: outside)
        #expect(outcome.value == 1)
        #expect(outcome.errors.map(\.resolver?.errorType) == ["Lambda:ResourceNotFoundException"])
        #expect(outside.payloads.map { $0["prev"] } == [["result": ["success": false]]])
    }

    @Test("no more events are under way than the limit")
    func eventLimit() async throws {
        let bench = try FieldBench(Self.event, types: Self.eventType)
        for _ in 0..<FunctionLimits.eventsMax { #expect(bench.directory.beginEvent()) }
        let outside = FakeOutside("1")
        let refused = try await bench.outcome(over: outside)
        #expect(refused.value == ["success": false])
        #expect(refused.errors.map(\.resolver?.errorType) == ["Lambda:TooManyRequestsException"])
        bench.directory.endEvent()
        #expect(try await bench.outcome(over: outside).value == ["success": true])
    }

    // MARK: Names

    static let names: [(name: String, field: String, candidates: [String])] = [
        ("echo", "f", ["echo"]),
        ("echo-${env}", "f", ["echo-${env}", "echo-NONE", "echo"]),
        ("echo${env}", "f", ["echo${env}", "echoNONE", "echo"]),
        ("${env}", "f", ["${env}", "NONE"]),
        ("a-${env}-${aws_region}", "f", ["a-${env}-${aws_region}", "a-NONE-us-east-1"]),
        ("FnGreet", "greet", ["FnGreet", "greet"]),
        ("FnGreet2", "greet", ["FnGreet2", "greet2"]),
        ("FnGreetings", "greet", ["FnGreetings"]),
        ("", "greet", []),
    ]

    @Test("a function is found under the name in the schema, and what people call it", arguments: names)
    func namesAreFound(_ row: (name: String, field: String, candidates: [String])) {
        #expect(FunctionDirectory([:]).candidates(row.name, row.field) == row.candidates)
    }

    @Test("a function that Gen 2 defines in place is found under the name that it was given, and the operation's")
    func givenNames() {
        let directory = FunctionDirectory([:], givenNames: ["FnGreet": "say-hello"])
        #expect(directory.candidates("FnGreet", "greet") == ["FnGreet", "say-hello", "greet"])
    }

    static let addresses: [(configured: String, url: String, isEmulator: Bool)] = [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/2015-03-31/functions/function/invocations", true),
        ("http://127.0.0.1:9000/", "http://127.0.0.1:9000/2015-03-31/functions/function/invocations", true),
        (
            "http://f.test/2015-03-31/functions/mine/invocations",
            "http://f.test/2015-03-31/functions/mine/invocations", true
        ),
        ("http://f.test/fn/a", "http://f.test/fn/a", false),
        ("https://f.test?x=1", "https://f.test?x=1", false),
    ]

    @Test("an address without a path is an emulator's, another is called as it is", arguments: addresses)
    func addressesAreCalled(_ row: (configured: String, url: String, isEmulator: Bool)) {
        let endpoint = FunctionDirectory.Endpoint(row.configured)
        #expect(endpoint.url == row.url)
        #expect(endpoint.isEmulator == row.isEmulator)
    }

    @Test("a function that is not configured is an error that says what to do")
    func unknown() async throws {
        let outside = FakeOutside("1")
        let outcome = try await FieldBench(#"f: String @function(name: "other-${env}")"#).outcome(over: outside)
        #expect(
            outcome.errors == [
                FieldBench.error(
                    "The function 'other-${env}' is not configured: add it to \"functions\" with the URL where it is called, or what runs it",
                    "Lambda:ResourceNotFoundException")
            ])
        #expect(outside.requests.isEmpty)
    }

    // MARK: What only AWS can do

    static let unavailable: [(resolver: FieldResolver, text: String)] = [
        (.sql(.text("SELECT 1")), "an SQL statement"),
        (.sql(.reference("a.sql")), "'a.sql'"),
        (.predictions(["identifyText", "translateText"]), "identifyText, translateText"),
        (.generation(AssistantSettings(model: "m1")), "'m1'"),
    ]

    @Test("a field whose work only AWS can do is an error that names it", arguments: unavailable)
    func unavailableIsTold(_ row: (resolver: FieldResolver, text: String)) async throws {
        let field = ModelField(
            name: "f", type: TypeReference(Name("String", at: .none)), resolver: row.resolver)
        let outside = FakeOutside("1")
        let outcome = try await FieldBench(field, of: "Query").outcome(over: outside)
        let message = outcome.errors.first?.message ?? ""
        #expect(message.hasPrefix("f on type Query "))
        #expect(message.contains(row.text))
        #expect(outcome.errors.first?.resolver?.errorType == "NotImplemented")
        #expect(outside.requests.isEmpty)
    }

    @Test("a field whose steps are written in JavaScript whose files are not there is an error that names them")
    func scripts() async throws {
        let module = """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({
              echo: a.query().returns(a.string()).authorization((allow) => allow.publicApiKey())
                .handler([a.handler.custom({ entry: './one.js' }), a.handler.custom({ entry: './two.js' })]),
            });
            export const data = defineData({ schema });
            """
        let reading = TypeScriptSchema.read("resource.ts", Array(module.utf8)).reading()
        let field = try #require(reading.blueprint?.customOperations(.query).first, "\(reading.diagnostics)")
        let outcome = try await FieldBench(field, of: "Query").outcome(over: FakeOutside("1"))
        let error = try #require(outcome.errors.first)
        #expect(error.resolver?.errorType == "NotImplemented")
        #expect(
            error.message.hasPrefix("echo on type Query is a handler in JavaScript that cannot run: ./one.js: "),
            "\(error.message)")
    }
}
