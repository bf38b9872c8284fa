import Foundation
import GraphQL
import JSON
import Testing

@testable import Blueprint

/// What is said of a schema, as it is printed: place, words, line with caret, hint.
///
/// `Diagnostics/schemas.txt` has schemas with what is said of each; `Diagnostics/golden.txt` what is said of the
/// golden schemas that are refused. A line `#{…}` before a schema has the settings, as golden flags.
@Suite("Diagnostics")
struct DiagnosticsTests {
    /// A schema and the diagnostics printed for it, one a paragraph.
    struct Case: Sendable, CustomTestStringConvertible {
        let schema: String
        let settings: Settings
        let expected: String

        var testDescription: String { schema }
    }

    static let schemas: [Case] = {
        do { return try load("schemas.txt") } catch { fatalError("the cases cannot be read: \(error)") }
    }()

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: resources(in: "Diagnostics").appending(path: name), encoding: .utf8)
    }

    private static func load(_ name: String) throws -> [Case] {
        try text(name).components(separatedBy: "==========\n").dropFirst().map { part in
            let halves = part.components(separatedBy: "----------\n")
            var schema = halves[0]
            var settings = Settings()
            if schema.hasPrefix("#{"), let end = schema.firstIndex(of: "\n") {
                settings = try Settings(golden: String(schema[schema.index(after: schema.startIndex)..<end]))
                schema = String(schema[schema.index(after: end)...])
            }
            return Case(schema: schema, settings: settings, expected: halves[1])
        }
    }

    @Test("say what is wrong, where, and what to do about it", arguments: schemas)
    func areSaid(of schema: Case) {
        let made = check(schema.schema, schema.settings)
        #expect(made.diagnostics.map { "\($0)\n" }.joined() == schema.expected)
    }

    @Test("of the golden schemas that are refused")
    func areSaidOfGoldenSchemas() throws {
        var said = ""
        for golden in GoldenCase.errors {
            said += "========== \(golden.name)\n"
            for diagnostic in check(golden.input, golden.settings).errors { said += "\(diagnostic)\n" }
        }
        #expect(said == (try Self.text("golden.txt")))
    }

    @Test("name the file that a schema of several files has the mistake in")
    func nameFiles() {
        let sources = [
            Source("type A @model { id: ID! b: B }", name: "a.graphql"),
            Source("# empty", name: "empty.graphql"),
            Source("\n\ntype B {\n  c: Ce\n}", name: "b.graphql"),
        ]
        let made = SchemaCheck(of: sources)
        #expect(made.errors.map(\.file) == ["b.graphql"])
        #expect(made.errors.first?.location == SourceLocation(line: 4, column: 6))
        let repaired = SchemaCheck(of: Array(sources.prefix(2)) + [Source("type B { c: ID }")])
        #expect(repaired.api != nil)
    }

    @Test(
        "say that operations are no schema",
        arguments: ["{ SimpleModel @model }", "query Q { a } fragment F on T { b }", "# nothing\nmutation { a }"])
    func refuseOperations(_ text: String) {
        let made = check(text)
        #expect(made.api == nil)
        #expect(made.errors.map(\.message) == ["The schema has nothing but operations, which clients send."])
    }

    @Test("say that the name of an index is no part of a type's name", arguments: ["by.both", "by-both"])
    func refuseIndexNames(_ name: String) {
        func schema(_ sort: String, _ query: String) -> String {
            "type A @model { a: ID! @index(name: \"\(name)\", sortKeyFields: [\(sort)]\(query)) b: ID! c: ID! }"
        }
        let made = check(schema("\"b\", \"c\"", ", queryField: \"q\""))
        #expect(made.api == nil)
        #expect(made.errors.count == 1 && made.errors.first?.message.hasPrefix("Names must match") == true)
        // Without a query of several fields there are no such types.
        #expect(check(schema("\"b\"", ", queryField: \"q\"")).api != nil)
        #expect(check(schema("\"b\", \"c\"", ", queryField: null")).api != nil)
    }

    @Test("keep the caret under the place when the line has tabs")
    func keepTabs() {
        let made = check("type A {\n\t\ta: Strin\n}")
        #expect(made.errors.first?.description.contains("\n    | \t\t   ^") == true)
    }
}
