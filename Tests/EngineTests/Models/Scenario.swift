import Access
import JSON
import Testing

@testable import Engine

/// Requests that are sent one after the other to an engine of their own, each with the answer that it must get.
struct Scenario: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        let query: String
        let variables: String
        /// The whole response. What no test can know stands there as `…`: the id of a request, a moment, a token.
        let answer: String

        init(_ query: String, _ answer: String) { self.init(query, "{}", answer) }

        init(_ query: String, _ variables: String, _ answer: String) {
            self.query = query
            self.variables = variables
            self.answer = answer
        }
    }

    let name: String
    let schema: String
    let steps: [Step]

    var testDescription: String { name }

    init(_ name: String, _ schema: String, _ steps: [Step]) {
        self.name = name
        self.schema = schema
        self.steps = steps
    }

    func run(transformerVersion: Int = 2) async throws {
        let engine = try TestEngine(schema) { $0.transformerVersion = transformerVersion }
        for step in steps {
            let variables = try #require(try JSONReader.value(of: step.variables).object)
            let answer = Self.masked(try await engine.text(step.query, variables))
            #expect(answer == step.answer, "\(step.query)")
        }
    }

    /// The answer without what differs from run to run.
    static func masked(_ text: String) -> String {
        text.replacing(#/Request ID: [0-9A-Z]{52}/#, with: "Request ID: …")
            .replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z/#, with: "…")
            .replacing(#/"(nextToken|last)":"[^"]+"/#) { "\"\($0.output.1)\":\"…\"" }
            .replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#, with: "‹uuid›")
    }

    /// A response of one field that failed as a resolver's does.
    static func failure(
        _ field: String, _ message: String, _ type: String?, line: Int = 1, column: Int = 12
    ) -> String {
        let type = type.map { "\"\($0)\"" } ?? "null"
        return """
            {"data":{"\(field)":null},"errors":[{"path":["\(field)"],"data":null,"errorType":\(type),"errorInfo":null,\
            "locations":[{"line":\(line),"column":\(column),"sourceName":null}],"message":"\(message)"}]}
            """
    }

    static func conditionFailed(_ field: String, column: Int = 12) -> String {
        failure(
            field, "The conditional request failed (Service: DynamoDb, Status Code: 400, Request ID: …)",
            "DynamoDB:ConditionalCheckFailedException", column: column)
    }
}
