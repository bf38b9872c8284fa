import JSON
import PostgresSupport
import Store
import TestSupport
import Testing

@testable import Engine

/// The same operations over a file and over a server: random schemas, records, filters, orders, pages, changes and searches.
@Suite(
    "Both databases", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct EngineDifferenceTests {
    /// A field that a schema may have, and its random values and conditions as a document writes them.
    private enum Kind: CaseIterable {
        case string, integer, float, boolean, color, strings, date

        var type: String {
            switch self {
            case .string: "String"
            case .integer: "Int"
            case .float: "Float"
            case .boolean: "Boolean"
            case .color: "Color"
            case .strings: "[String]"
            case .date: "AWSDate"
            }
        }

        func value(_ random: inout SeededRandom) -> String {
            func one(_ values: [String]) -> String { values.randomElement(using: &random) ?? "null" }
            let text = ["a", "B", "b c", "é", "e\u{301}", "😀 a", "", "a%_b", "Z"].map { "\"\($0)\"" }
            return switch self {
            case .string: one(text)
            case .integer: one(["-3", "0", "1", "2", "2147483647"])
            case .float: one(["-0.0", "0", "1.5", "9007199254740993", "1e-7", "-2.25"])
            case .boolean: one(["true", "false"])
            case .color: one(["RED", "GREEN"])
            case .strings:
                "[\((0..<Int.random(in: 0...3, using: &random)).map { _ in one(text) }.joined(separator: ", "))]"
            case .date: one(["\"2026-01-02\"", "\"2026-01-02Z\"", "\"1969-12-31+01:00\""])
            }
        }

        /// A condition on a field of this kind; nil: it has none.
        func condition(_ random: inout SeededRandom) -> String? {
            let compares = ["eq", "ne", "lt", "le", "gt", "ge"]
            let texts = compares + ["contains", "notContains", "beginsWith", "between", "attributeExists", "size"]
            let words: [String]
            switch self {
            case .string: words = texts
            case .integer, .float: words = compares + ["between", "attributeExists"]
            case .boolean, .color: words = ["eq", "ne"]
            case .strings: return nil
            case .date: words = compares + ["beginsWith", "between"]
            }
            let word = words.randomElement(using: &random) ?? "eq"
            return switch word {
            case "between": "{between: [\(value(&random)), \(value(&random))]}"
            case "attributeExists": "{attributeExists: \(Bool.random(using: &random))}"
            case "size":
                "{size: {\(compares.randomElement(using: &random) ?? "eq"): \(Int.random(in: 0...3, using: &random))}}"
            default: "{\(word): \(value(&random))}"
            }
        }
    }

    /// A random schema with one model, `Post`.
    private struct Layout {
        let fields: [(name: String, kind: Kind)]
        /// The sort fields of the index by `owner`.
        let sortFields: [(name: String, kind: Kind)]
        let isSearchable: Bool

        init(_ random: inout SeededRandom) {
            fields = (0..<Int.random(in: 2...7, using: &random)).map { number in
                ("f\(number)", Kind.allCases.randomElement(using: &random) ?? .string)
            }
            let fit = fields.filter { [.string, .integer, .date].contains($0.kind) }
            sortFields = Array(fit.prefix(Int.random(in: 0...2, using: &random)))
            isSearchable = Bool.random(using: &random)
        }

        var schema: String {
            let sorts = sortFields.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let index =
                "@index(name: \"byOwner\", queryField: \"byOwner\"\(sorts.isEmpty ? "" : ", sortKeyFields: [\(sorts)]"))"
            let sortNames = Set(sortFields.map(\.name))
            return """
                enum Color { RED GREEN }
                type Post @model @auth(rules: [{ allow: public }])\(isSearchable ? " @searchable" : "") {
                    id: ID!
                    owner: String! \(index)
                    \(fields.map { "\($0.name): \($0.kind.type)\(sortNames.contains($0.name) ? "!" : "")" }.joined(separator: "\n    "))
                }
                """
        }

        var selection: String { (["id", "owner"] + fields.map(\.name)).joined(separator: " ") }

        private func input(_ random: inout SeededRandom, isWhole: Bool) -> String {
            let sortNames = Set(sortFields.map(\.name))
            let values = fields.compactMap { field -> String? in
                let isNeeded = sortNames.contains(field.name)
                guard isNeeded && isWhole || Bool.random(using: &random) else { return nil }
                let isNull = !isNeeded && Int.random(in: 0..<5, using: &random) == 0
                return "\(field.name): \(isNull ? "null" : field.kind.value(&random))"
            }
            return
                ([
                    "id: \"p\(Int.random(in: 0..<25, using: &random))\"",
                    "owner: \"\(["x", "y"].randomElement(using: &random) ?? "x")\"",
                ]
                + values).joined(separator: ", ")
        }

        /// A filter, or a condition of a change.
        private func filter(_ random: inout SeededRandom, depth: Int = 2) -> String {
            let choice = Int.random(in: 0..<6, using: &random)
            if depth > 0, choice < 2 {
                let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in filter(&random, depth: depth - 1) }
                return "{\(choice == 0 ? "and" : "or"): [\(parts.joined(separator: ", "))]}"
            }
            if depth > 0, choice == 2 { return "{not: \(filter(&random, depth: depth - 1))}" }
            guard let field = fields.randomElement(using: &random), let condition = field.kind.condition(&random)
            else { return #"{owner: {ne: "nobody"}}"# }
            return "{\(field.name): \(condition)}"
        }

        func mutation(_ random: inout SeededRandom) -> String {
            let condition = Int.random(in: 0..<3, using: &random) == 0 ? ", condition: \(filter(&random))" : ""
            return switch Int.random(in: 0..<6, using: &random) {
            case 0...2: "mutation { createPost(input: {\(input(&random, isWhole: true))}) { \(selection) } }"
            case 3, 4: "mutation { updatePost(input: {\(input(&random, isWhole: true))}\(condition)) { \(selection) } }"
            default:
                "mutation { deletePost(input: {id: \"p\(Int.random(in: 0..<25, using: &random))\"}\(condition)) { \(selection) } }"
            }
        }

        /// The field of a query of pages, and its arguments but for the token.
        func query(_ random: inout SeededRandom) -> (field: String, arguments: String, more: String) {
            var arguments = "limit: \(Int.random(in: 1...12, using: &random))"
            let kind = Int.random(in: 0..<(isSearchable ? 3 : 2), using: &random)
            if kind == 2 {
                let words = fields.filter { $0.kind == .string }
                if let field = words.randomElement(using: &random), Bool.random(using: &random) {
                    let word = ["match", "matchPhrase", "eq", "wildcard"].randomElement(using: &random) ?? "match"
                    arguments +=
                        ", filter: {\(field.name): {\(word): \(["\"a\"", "\"b c\"", "\"é\""].randomElement(using: &random) ?? "\"a\"")}}"
                }
                let direction = Bool.random(using: &random) ? "asc" : "desc"
                return ("searchPosts", "\(arguments), sort: [{field: id, direction: \(direction)}]", " total")
            }
            if Bool.random(using: &random) { arguments += ", filter: \(filter(&random))" }
            guard kind == 1 else { return ("listPosts", arguments, "") }
            arguments += ", owner: \"x\", sortDirection: \(Bool.random(using: &random) ? "ASC" : "DESC")"
            if sortFields.count == 1, let sort = sortFields.first, Bool.random(using: &random) {
                let word = ["eq", "lt", "le", "gt", "ge"].randomElement(using: &random) ?? "eq"
                arguments += ", \(sort.name): {\(word): \(sort.kind.value(&random))}"
            }
            return ("byOwner", arguments, "")
        }
    }

    /// An answer without the number of its request.
    private static func shown(_ answer: String) -> String { answer.replacing(/Request ID: [A-Z0-9]+/, with: "…") }

    /// All pages of a query, as the answers to it.
    private static func pages(
        _ query: (field: String, arguments: String, more: String), _ layout: Layout, of engine: TestEngine
    ) async throws -> [String] {
        var (pages, token) = ([String](), String?.none)
        repeat {
            let next = token.map { ", nextToken: \"\($0)\"" } ?? ""
            let answer = try await engine.value(
                "{ \(query.field)(\(query.arguments)\(next)) { items { \(layout.selection) } nextToken\(query.more) } }"
            )
            token = answer[path: "data", query.field, "nextToken"]?.string
            // Only the tokens are each database's own.
            pages.append(shown(token.map { answer.text.replacing($0, with: "…") } ?? answer.text))
        } while token != nil && pages.count < 50
        return pages
    }

    @Test("answer alike, whatever the schema, the records, the filter, the order and the changes are")
    func answers() async throws {
        try await Self.compare(rounds: Fuzz.rounds(ordinarily: 5), with: { try TestDatabase.server() })
    }

    /// Compares a file with other databases.
    static func compare(rounds: Int, with other: () throws -> Store.Location) async throws {
        var random = SeededRandom(test: "EngineDifferenceTests")
        for _ in 0..<rounds {
            let layout = Layout(&random)
            let file = try TestEngine(layout.schema, at: .memory)
            let server = try TestEngine(layout.schema, at: try other())
            for step in 0..<60 {
                let mutation = layout.mutation(&random)
                let answers = [
                    Self.shown(try await file.value(mutation).text), Self.shown(try await server.value(mutation).text),
                ]
                #expect(answers[0] == answers[1], "\(mutation) in \(layout.schema)")
                guard step % 3 == 0 else { continue }
                let query = layout.query(&random)
                let pages = [
                    try await Self.pages(query, layout, of: file), try await Self.pages(query, layout, of: server),
                ]
                #expect(pages[0] == pages[1], "\(query) in \(layout.schema)")
                if answers[0] != answers[1] || pages[0] != pages[1] { return }
            }
        }
    }
}
