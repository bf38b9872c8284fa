import JSON
import Testing

@testable import Engine

@Suite("Operations that a schema has no root type for")
struct MissingRootTests {
    private static func refusal(_ message: String, line: Int = 1, column: Int = 1) -> String {
        #"{"data":null,"errors":[{"path":null,"locations":[{"line":\#(line),"column":\#(column),"sourceName":null}],"message":"\#(message)"}]}"#
    }

    @Test(
        "are refused in AppSync's words, whatever they select",
        arguments: [
            (
                "mutation { createPost(input: {title: \"t\"}) { id } }",
                refusal("Schema is not configured for mutations.")
            ),
            ("mutation { __typename }", refusal("Schema is not configured for mutations.")),
            ("\n  mutation M { a }", refusal("Schema is not configured for mutations.", line: 2, column: 3)),
            ("subscription { onCreatePost { id } }", refusal("Schema is not configured for subscriptions.")),
            ("{ __typename }", #"{"data":{"__typename":"Query"}}"#),
        ])
    func refuses(_ row: (query: String, answer: String)) async throws {
        let engine = try TestEngine(
            "type Post @model(mutations: null, subscriptions: null) @auth(rules: [{ allow: public }]) { id: ID! title: String }"
        )
        for _ in 1...2 {
            #expect(JSONWriter.text(of: try await engine.value(row.query, JSONObject())) == row.answer)
        }
    }
}
