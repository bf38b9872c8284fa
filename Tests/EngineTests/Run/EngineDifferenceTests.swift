import Blueprint
import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// The same operations over a file and over a server: random schemas, records, filters, orders, pages, related records, changes, syncs and searches.
@Suite(
    "Both databases", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct EngineDifferenceTests {
    /// A field that a schema may have, and its random values and conditions as a document writes them.
    private enum Kind: CaseIterable {
        case string, integer, float, boolean, color, strings, date, time, dateTime, timestamp, json, email, address

        var type: String {
            switch self {
            case .string: "String"
            case .integer: "Int"
            case .float: "Float"
            case .boolean: "Boolean"
            case .color: "Color"
            case .strings: "[String]"
            case .date: "AWSDate"
            case .time: "AWSTime"
            case .dateTime: "AWSDateTime"
            case .timestamp: "AWSTimestamp"
            case .json: "AWSJSON"
            case .email: "AWSEmail"
            case .address: "AWSIPAddress"
            }
        }

        /// True if an index may be sorted by it.
        var isSortable: Bool { [.string, .integer, .date, .time, .dateTime, .timestamp].contains(self) }

        /// The texts of values, some of them in several forms.
        private var texts: [String] {
            switch self {
            case .date: ["2026-01-02", "2026-01-02Z", "1969-12-31+01:00"]
            case .time: ["03:04:05.123Z", "23:59:59", "00:00:00+01:30", "03:04:05Z"]
            case .dateTime:
                [
                    "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456789+02:00", "1969-12-31T23:59:59.999-08:00",
                    "2026-01-02T03:04:05.000Z",
                ]
            case .json:
                [
                    #"{"b":1,"a":[1,2.50,null]}"#, #"{ "a" : "é", "a" : 1e2 }"#, #""b c""#, "-0.0", "null", "[]",
                    "9007199254740993", #"{"a":"\\u00e9"}"#,
                ]
            case .email: ["a@example.com", "B@example.com", "é@example.com"]
            case .address: ["127.0.0.1", "10.0.0.0/8", "::1", "FE80::1"]
            default: ["a", "B", "b c", "é", "e\u{301}", "😀 a", "", "a%_b", "Z"]
            }
        }

        func value(_ random: inout SeededRandom) -> String {
            func one(_ values: [String]) -> String { values.randomElement(using: &random) ?? "null" }
            return switch self {
            case .integer: one(["-3", "0", "1", "2", "2147483647"])
            case .float: one(["-0.0", "0", "1.5", "9007199254740993", "1e-7", "-2.25"])
            case .boolean: one(["true", "false"])
            case .color: one(["RED", "GREEN"])
            case .timestamp: one(["-1", "0", "1767322800", "253402300799"])
            case .strings:
                "[\((0..<Int.random(in: 0...3, using: &random)).map { _ in quoted(one(texts)) }.joined(separator: ", "))]"
            default: quoted(one(texts))
            }
        }

        private func quoted(_ text: String) -> String { JSONWriter.text(of: .string(text)) }

        /// A condition on a field of this kind; nil: it has none.
        func condition(_ random: inout SeededRandom) -> String? {
            let compares = ["eq", "ne", "lt", "le", "gt", "ge"]
            let words: [String]
            switch self {
            case .string, .date, .time, .dateTime, .json, .email, .address:
                words = compares + ["contains", "notContains", "beginsWith", "between", "attributeExists", "size"]
            case .integer, .float, .timestamp: words = compares + ["between", "attributeExists"]
            case .boolean, .color: words = ["eq", "ne"]
            case .strings: return nil
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

    /// A random model with an index by one of its fields.
    private struct Model {
        let name: String
        /// The field of the index, and what it may hold.
        let owner: (name: String, values: [String])
        let fields: [(name: String, kind: Kind)]
        /// The sort fields of the index.
        let sortFields: [(name: String, kind: Kind)]
        /// True if records have versions.
        let isSynced: Bool

        init(
            _ name: String, by owner: String, of values: [String], fieldCount: Int, isSynced: Bool,
            _ random: inout SeededRandom
        ) {
            (self.name, self.owner, self.isSynced) = (name, (owner, values), isSynced)
            fields = (0..<fieldCount).map { number in
                ("f\(number)", Kind.allCases.randomElement(using: &random) ?? .string)
            }
            sortFields = Array(fields.filter(\.kind.isSortable).prefix(Int.random(in: 0...2, using: &random)))
        }

        private var sortNames: Set<String> { Set(sortFields.map(\.name)) }

        var index: String { "by\(name)Owner" }

        func text(_ directives: String, _ more: String) -> String {
            let sorts = sortFields.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let sortKey = sorts.isEmpty ? "" : ", sortKeyFields: [\(sorts)]"
            return """
                type \(name) @model @auth(rules: [{ allow: public }])\(directives) {
                    id: ID!
                    \(owner.name): ID! @index(name: "\(index)", queryField: "\(index)"\(sortKey))
                    \(fields.map { "\($0.name): \($0.kind.type)\(sortNames.contains($0.name) ? "!" : "")" }.joined(separator: "\n    "))
                    \(more)
                }
                """
        }

        var ownFields: String {
            (["id", owner.name] + fields.map(\.name) + (isSynced ? ["_version", "_deleted", "_lastChangedAt"] : []))
                .joined(separator: " ")
        }

        private func id(_ random: inout SeededRandom) -> String {
            "\(name.prefix(1).lowercased())\(Int.random(in: 0..<25, using: &random))"
        }

        private func input(_ random: inout SeededRandom) -> String {
            let values = fields.compactMap { field -> String? in
                let isNeeded = sortNames.contains(field.name)
                guard isNeeded || Bool.random(using: &random) else { return nil }
                let isNull = !isNeeded && Int.random(in: 0..<5, using: &random) == 0
                return "\(field.name): \(isNull ? "null" : field.kind.value(&random))"
            }
            let ownerValue = owner.values.randomElement(using: &random) ?? ""
            return (["id: \"\(id(&random))\"", "\(owner.name): \"\(ownerValue)\""] + values).joined(separator: ", ")
        }

        /// The version that a change is of: often the present one, which few changes have passed.
        private func version(_ random: inout SeededRandom) -> String {
            isSynced && Int.random(in: 0..<6, using: &random) > 0
                ? ", _version: \(Int.random(in: 1...3, using: &random))" : ""
        }

        /// A filter, or a condition of a change.
        func filter(_ random: inout SeededRandom, depth: Int = 2) -> String {
            let choice = Int.random(in: 0..<6, using: &random)
            if depth > 0, choice < 2 {
                let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in filter(&random, depth: depth - 1) }
                return "{\(choice == 0 ? "and" : "or"): [\(parts.joined(separator: ", "))]}"
            }
            if depth > 0, choice == 2 { return "{not: \(filter(&random, depth: depth - 1))}" }
            guard let field = fields.randomElement(using: &random), let condition = field.kind.condition(&random)
            else { return "{\(owner.name): {ne: \"nobody\"}}" }
            return "{\(field.name): \(condition)}"
        }

        func mutation(_ random: inout SeededRandom, selecting selection: String) -> String {
            let condition = Int.random(in: 0..<3, using: &random) == 0 ? ", condition: \(filter(&random))" : ""
            let change =
                switch Int.random(in: 0..<6, using: &random) {
                case 0...2: "create\(name)(input: {\(input(&random))})"
                case 3, 4: "update\(name)(input: {\(input(&random))\(version(&random))}\(condition))"
                default: "delete\(name)(input: {id: \"\(id(&random))\"\(version(&random))}\(condition))"
                }
            return "mutation { \(change) { \(selection) } }"
        }

        /// Arguments of a page of records, whether it is one of all or of the index.
        func pageArguments(_ random: inout SeededRandom, isOfIndex: Bool) -> String {
            var arguments = "limit: \(Int.random(in: 1...12, using: &random))"
            if Bool.random(using: &random) { arguments += ", filter: \(filter(&random))" }
            guard isOfIndex else { return arguments }
            // Without a sort key it is refused.
            if !sortFields.isEmpty || Int.random(in: 0..<10, using: &random) == 0 {
                arguments += ", sortDirection: \(Bool.random(using: &random) ? "ASC" : "DESC")"
            }
            if sortFields.count == 1, let sort = sortFields.first, Bool.random(using: &random) {
                let word = ["eq", "lt", "le", "gt", "ge"].randomElement(using: &random) ?? "eq"
                arguments += ", \(sort.name): {\(word): \(sort.kind.value(&random))}"
            }
            return arguments
        }

        func query(_ random: inout SeededRandom, selecting selection: String) -> Query {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return Query("get\(name)", "id: \"\(id(&random))\"", selection)
            case 1: return Query("list\(name)s", pageArguments(&random, isOfIndex: false), selection, pageMore: "")
            default:
                let ownerValue = owner.values.randomElement(using: &random) ?? ""
                let arguments = pageArguments(&random, isOfIndex: true)
                return Query(index, "\(owner.name): \"\(ownerValue)\", \(arguments)", selection, pageMore: "")
            }
        }
    }

    /// A field of a query, and its arguments but for the token.
    private struct Query {
        let field: String
        let arguments: String
        let selection: String
        /// What is asked for beside the records of a page; nil: the field is one record.
        let pageMore: String?

        init(_ field: String, _ arguments: String, _ selection: String, pageMore: String? = nil) {
            (self.field, self.arguments, self.selection, self.pageMore) = (field, arguments, selection, pageMore)
        }

        func text(_ token: String?) -> String {
            guard let pageMore else { return "{ \(field)(\(arguments)) { \(selection) } }" }
            let next = token.map { ", nextToken: \"\($0)\"" } ?? ""
            return "{ \(field)(\(arguments)\(next)) { items { \(selection) } nextToken\(pageMore) } }"
        }
    }

    /// A random schema: posts, and in most of them their comments.
    private struct Layout {
        let posts: Model
        let comments: Model?
        let isSearchable: Bool
        let strategy: ConflictStrategy?

        /// - Parameter number: of its round: a few of them have each kind of schema.
        init(_ random: inout SeededRandom, _ number: Int) {
            strategy = [nil, .automerge, .optimisticConcurrency][number % 3]
            let isSynced = strategy != nil
            posts = Model(
                "Post", by: "owner", of: ["x", "y"], fieldCount: Int.random(in: 2...7, using: &random),
                isSynced: isSynced, &random)
            comments =
                number % 4 == 3
                ? nil
                : Model(
                    "Comment", by: "postID", of: (0..<5).map { "p\($0)" },
                    fieldCount: Int.random(in: 1...4, using: &random),
                    isSynced: isSynced, &random)
            isSearchable = Bool.random(using: &random)
        }

        var schema: String {
            let relation =
                comments.map { "comments: [Comment] @hasMany(indexName: \"\($0.index)\", fields: [\"id\"])" } ?? ""
            return [
                "enum Color { RED GREEN }", posts.text(isSearchable ? " @searchable" : "", relation),
                comments?.text("", "post: Post @belongsTo(fields: [\"postID\"])") ?? "",
            ].joined(separator: "\n")
        }

        /// The fields of a post, also those behind relations.
        private func postSelection(_ random: inout SeededRandom, depth: Int = 2) -> String {
            guard depth > 0, let comments, Bool.random(using: &random) else { return posts.ownFields }
            let arguments = comments.pageArguments(&random, isOfIndex: true)
            let selection = commentSelection(&random, depth: depth - 1)
            return "\(posts.ownFields) comments(\(arguments)) { items { \(selection) } nextToken }"
        }

        private func commentSelection(_ random: inout SeededRandom, depth: Int = 2) -> String {
            guard let comments else { return "id" }
            guard depth > 0, Bool.random(using: &random) else { return comments.ownFields }
            return "\(comments.ownFields) post { \(postSelection(&random, depth: depth - 1)) }"
        }

        func mutation(_ random: inout SeededRandom) -> String {
            if let comments, Bool.random(using: &random) {
                return comments.mutation(&random, selecting: commentSelection(&random))
            }
            return posts.mutation(&random, selecting: postSelection(&random))
        }

        /// - Parameter moments: of syncs before.
        func query(_ random: inout SeededRandom, since moments: [Int64]) -> Query {
            let isOfComments = comments != nil && Bool.random(using: &random)
            let model = isOfComments ? comments ?? posts : posts
            let selection = isOfComments ? commentSelection(&random) : postSelection(&random)
            if strategy != nil, Int.random(in: 0..<3, using: &random) == 0 {
                var arguments = model.pageArguments(&random, isOfIndex: false)
                if let moment = moments.randomElement(using: &random), Bool.random(using: &random) {
                    arguments += ", lastSync: \(moment)"
                }
                return Query("sync\(model.name)s", arguments, selection, pageMore: " startedAt")
            }
            if isSearchable, Int.random(in: 0..<3, using: &random) == 0 { return search(&random) }
            return model.query(&random, selecting: selection)
        }

        private func search(_ random: inout SeededRandom) -> Query {
            var arguments = "limit: \(Int.random(in: 1...12, using: &random))"
            let words = posts.fields.filter { $0.kind == .string }
            if let field = words.randomElement(using: &random), Bool.random(using: &random) {
                let word = ["match", "matchPhrase", "eq", "wildcard"].randomElement(using: &random) ?? "match"
                arguments +=
                    ", filter: {\(field.name): {\(word): \(["\"a\"", "\"b c\"", "\"é\""].randomElement(using: &random) ?? "\"a\"")}}"
            }
            let direction = Bool.random(using: &random) ? "asc" : "desc"
            return Query(
                "searchPosts", "\(arguments), sort: [{field: id, direction: \(direction)}]", postSelection(&random),
                pageMore: " total")
        }
    }

    /// An engine whose clock goes on with the steps of the test, so that stamps are alike.
    private struct Subject {
        let engine: TestEngine

        init(_ layout: Layout, at location: Store.Location, _ clock: Clock) throws {
            var sync = SyncSettings()
            sync.now = { clock.milliseconds.withLock { $0 } }
            engine = try TestEngine(
                layout.schema, sync: sync, at: location, project: { $0.conflictStrategy = layout.strategy })
        }

        /// An answer without the number of its request and the tokens, which are each database's own.
        private static func shown(_ answer: String) -> String {
            answer.replacing(/Request ID: [A-Z0-9]+/, with: "…").replacing(
                /"nextToken":"[^"]*"/, with: "\"nextToken\":\"…\"")
        }

        func answer(_ document: String) async throws -> String { Self.shown(try await engine.value(document).text) }

        /// All pages of a query, as the answers to it, and when the sync began that it may be.
        func pages(_ query: Query) async throws -> (answers: [String], startedAt: Int64?) {
            var (pages, token, startedAt) = ([String](), String?.none, Int64?.none)
            repeat {
                let answer = try await engine.value(query.text(token))
                let page = answer[path: "data", query.field]
                token = query.pageMore == nil ? nil : page?["nextToken"]?.string
                startedAt = startedAt ?? page?["startedAt"]?.integer
                pages.append(Self.shown(answer.text))
            } while token != nil && pages.count < 50
            return (pages, startedAt)
        }
    }

    private final class Clock: Sendable {
        let milliseconds = Mutex<Int64>(1_767_322_800_000)
    }

    @Test("answer alike, whatever the schema, the records, the filter, the order, the relations and the changes are")
    func answers() async throws {
        // Each round makes the tables of a schema: a thousandth of those that look at a text.
        try await Self.compare(
            rounds: max(1, Fuzz.rounds(ordinarily: 6_000) / 1_000), with: { try TestDatabase.server() })
    }

    /// Compares a file with other databases.
    static func compare(rounds: Int, with other: () throws -> Store.Location) async throws {
        var random = SeededRandom(test: "EngineDifferenceTests")
        for round in 0..<rounds {
            let (layout, clock) = (Layout(&random, round), Clock())
            let file = try Subject(layout, at: .memory, clock)
            let server = try Subject(layout, at: try other(), clock)
            var moments: [Int64] = []
            for step in 0..<60 {
                clock.milliseconds.withLock { $0 += .random(in: 0...2_000, using: &random) }
                let mutation = layout.mutation(&random)
                let answers = [try await file.answer(mutation), try await server.answer(mutation)]
                #expect(answers[0] == answers[1], "\(mutation) in \(layout.schema)")
                guard step % 3 == 0 else { continue }
                let query = layout.query(&random, since: moments)
                let pages = [try await file.pages(query), try await server.pages(query)]
                #expect(pages[0].answers == pages[1].answers, "\(query) in \(layout.schema)")
                if answers[0] != answers[1] || pages[0].answers != pages[1].answers { return }
                if let moment = pages[0].startedAt { moments.append(moment) }
            }
        }
    }
}
