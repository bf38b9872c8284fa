import JSON
import Network
import TestSupport
import Testing

/// What stands in for functions and HTTP servers.
@Suite("Conformance: stand-ins")
struct StandInTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let function: JSONValue
        let event: JSONValue
        let result: JSONValue
        var isError = false
        var testDescription: String { JSONWriter.text(of: function) }
    }

    static let rows: [Row] = [
        Row(function: ["kind": "const", "value": [1]], event: [:], result: [1]),
        Row(function: ["kind": "echo"], event: ["a": 1], result: ["a": 1]),
        Row(function: ["kind": "get", "path": "arguments.list.1"], event: ["arguments": ["list": [1, 2]]], result: 2),
        Row(
            function: ["kind": "get", "path": "arguments.list.2"], event: ["arguments": ["list": [1, 2]]], result: nil),
        Row(
            function: ["kind": "lookup", "path": "source.id", "rows": ["1": "x"]], event: ["source": ["id": 1]],
            result: "x"),
        Row(
            function: ["kind": "lookup", "path": "source.id", "rows": ["1": "x"], "default": []],
            event: ["source": ["id": 2]], result: []),
        Row(
            function: ["kind": "events", "each": ["same", nil, ["payload": 2]]],
            event: ["events": [["id": "a", "payload": 1], ["id": "b"], ["id": "c"], ["id": "d"]]],
            result: ["events": [["id": "a", "payload": 1], ["payload": 2, "id": "c"], ["id": "d"]]]),
        Row(
            function: ["kind": "error", "message": "no"], event: [:],
            result: ["errorMessage": "no", "errorType": "Error"], isError: true),
        Row(
            function: ["kind": "dispatch", "fields": ["Query.a": ["kind": "const", "value": 1]]],
            event: ["typeName": "Query", "fieldName": "a"], result: 1),
        Row(
            function: ["kind": "dispatch", "fields": ["Query.a": ["kind": "const", "value": 1]]],
            event: ["typeName": "Query", "fieldName": "b"],
            result: ["errorMessage": "Resolver not found.", "errorType": "Error"], isError: true),
    ]

    @Test("a function answers as it is told to", arguments: rows)
    func functions(_ row: Row) throws {
        let result = try StandInFunction(CaseFields(row.function, "a function")).result(of: row.event)
        #expect(result.value == row.result)
        #expect(result.isError == row.isError)
    }

    @Test("what is asked over HTTP is answered by the route that takes it")
    func routes() async throws {
        let testCase = try #require(ConformanceCase.everyCase.first { $0.name == "http-post" })
        let url = try HTTPURL(StandIns.url(of: testCase))
        let answer = try await BlockingThread.run {
            try HTTPAnswer(
                to: "POST", "/http-post/http/api/posts?q=1&r=a%20b", [("X-Own-Key", "1")], #"{"z":2}"#, at: url.port)
        }
        #expect(answer.head.status == 201)
        let expected: JSONValue = [
            "method": "POST", "path": "/posts", "query": ["q": "1", "r": "a b"], "body": ["z": 2], "headers": [:],
        ]
        #expect(try answer.json() == expected)
        let missing = try await BlockingThread.run {
            try HTTPAnswer(to: "GET", "/http-post/http/api/nothing", [], "", at: url.port)
        }
        #expect(missing.head.status == 404)
    }
}
