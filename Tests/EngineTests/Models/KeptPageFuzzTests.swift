import Access
import JSON
import TestSupport
import Testing

@testable import Engine

/// What a shard remembers of an operation must not show: neither to another caller nor with other arguments.
@Suite("A page whose text is kept")
struct KeptPageFuzzTests {
    private static let schema = """
        type Post @model @auth(rules: [{allow: public, operations: [read]}, {allow: owner}]) {
          id: ID! title: String
          owner: String @index(name: "byOwner", sortKeyFields: ["createdAt"], queryField: "postsByOwner")
          createdAt: AWSDateTime!
          secret: String @auth(rules: [{allow: owner}])
          topic: ID @index(name: "byTopic", queryField: "postsByTopic")
        }
        type Note @model @auth(rules: [{allow: owner}]) {
          id: ID! title: String owner: String @index(name: "notesOfOwner", queryField: "notesByOwner")
        }
        type Topic @model @auth(rules: [{allow: public}, {allow: private}]) {
          id: ID! ownerName: String
          posts: [Post] @hasMany(indexName: "byTopic", fields: ["id"])
          ofOwner: [Note] @hasMany(indexName: "notesOfOwner", fields: ["ownerName"])
        }
        """

    private static let names = ["ann", "bob", "eve"]
    private static let callers: [Identity] = [.apiKey] + names.map(caller)

    private static func caller(_ name: String) -> Identity { .userPool(username: name, sub: "sub-\(name)") }

    private static let documents = [
        "query Q($f: ModelPostFilterInput, $l: Int, $t: String) { page: listPosts(filter: $f, limit: $l, nextToken: $t) { items { id owner } nextToken } }",
        "query Q($k: ID!, $f: ModelPostFilterInput, $l: Int, $t: String, $d: ModelSortDirection) { page: postsByTopic(topic: $k, filter: $f, limit: $l, nextToken: $t, sortDirection: $d) { items { id } nextToken } }",
        "query Q($k: String!, $f: ModelPostFilterInput, $l: Int, $t: String) { page: postsByOwner(owner: $k, filter: $f, limit: $l, nextToken: $t) { items { id title } nextToken } }",
        "query Q($f: ModelNoteFilterInput, $l: Int, $t: String) { page: listNotes(filter: $f, limit: $l, nextToken: $t) { nextToken items { id } } }",
        "query Q($k: String!, $l: Int, $t: String) { page: notesByOwner(owner: $k, limit: $l, nextToken: $t) { items { id } nextToken } }",
        // Relations of several parents at once, one of them by a key that is an owner.
        "query Q($l: Int, $t: String) { page: listTopics(limit: $l, nextToken: $t) { items { id posts(limit: 2) { items { id owner } nextToken } ofOwner(limit: 2) { items { id owner } nextToken } } nextToken } }",
    ]

    /// Records of three people, who stand there in each form that an owner may have.
    private static func engine(isFilled: Bool) async throws -> TestEngine {
        let engine = try TestEngine(
            schema, project: { $0.additionalModes = [.userPools] },
            change: { $0.semantics = isFilled ? .filled : .appsync })
        for number in 0..<60 {
            let name = names[number % 3]
            let forms: [JSONValue?] = [nil, .string(name), .string("sub-\(name)"), .string("sub-\(name)::\(name)")]
            var post = JSONObject([
                ("id", .string("p\(number)")), ("title", .string("t\(number % 5)")),
                ("secret", .string("s\(number % 4)")), ("topic", .string("k\(number % 2)")),
                ("createdAt", .string("2026-01-01T00:00:\(10 + number % 50)Z")),
            ])
            var note = JSONObject([("id", .string("n\(number)")), ("title", "x")])
            post["owner"] = forms[number / 3 % 4]
            note["owner"] = forms[number / 3 % 4]
            // Some are nobody's.
            let isNobodys = number.isMultiple(of: 7)
            if isNobodys { (post["owner"], note["owner"]) = (.null, .null) }
            let creator = isNobodys ? Identity.iam(.administrator) : caller(name)
            try await engine.create("Post", [post], as: creator)
            try await engine.create("Note", [note], as: creator)
        }
        let owners = names.flatMap { [$0, "sub-\($0)", "sub-\($0)::\($0)"] } + ["nobody"]
        for (number, owner) in owners.enumerated() {
            let topic = JSONObject([("id", .string("k\(number)")), ("ownerName", .string(owner))])
            try await engine.create("Topic", [topic])
        }
        return engine
    }

    @Test("leads through all records, page after page, to where one long page leads", arguments: [false, true])
    func walks(isFilled: Bool) async throws {
        let engine = try await Self.engine(isFilled: isFilled)
        for document in Self.documents {
            for caller in Self.callers {
                var variables = JSONObject()
                if document.contains("$k: ID") { variables["k"] = "k0" }
                if document.contains("$k: String") { variables["k"] = "sub-ann::ann" }
                variables["l"] = 1_000
                let whole = try await engine.value(document, variables, as: caller)
                guard let all = whole[path: "data", "page", "items"]?.array else { continue }
                for limit: Int64 in [1, 2, 5] {
                    variables["l"] = .integer(limit)
                    variables["t"] = nil
                    var found: [JSONValue] = []
                    // One more page than there can be.
                    for _ in 0...61 {
                        let response = try await engine.value(document, variables, as: caller)
                        found += response[path: "data", "page", "items"]?.array ?? []
                        variables["t"] = response[path: "data", "page", "nextToken"]
                        if variables["t"]?.isNull ?? true { break }
                    }
                    #expect(found == all, "\(document) with a limit of \(limit) as \(caller.name)")
                }
            }
        }
    }

    @Test("answers as one that is made anew, whoever asks and whatever was asked before", arguments: [false, true])
    func answersAlike(isFilled: Bool) async throws {
        var generator = SeededRandom(test: "KeptPageFuzzTests/answersAlike")
        let engine = try await Self.engine(isFilled: isFilled)
        var tokens: [String] = []
        for _ in 0..<Fuzz.rounds(ordinarily: 150) {
            let document = Self.documents[Int.random(in: 0..<Self.documents.count, using: &generator)]
            let caller = Self.callers[Int.random(in: 0..<Self.callers.count, using: &generator)]
            let variables = Self.variables(for: document, tokens, using: &generator)
            let kept = try await engine.value(document, variables, as: caller)
            let anew = try await TestEngine(sharing: engine) { $0.semantics = isFilled ? .filled : .appsync }
                .value(document, variables, as: caller)
            #expect(kept["data"] == anew["data"], "\(document) \(JSONValue.object(variables).text) as \(caller)")
            // A message of the database ends with a number of its own.
            #expect(kept.messages.map { $0.prefix(40) } == anew.messages.map { $0.prefix(40) })
            if let token = kept[path: "data", "page", "nextToken"]?.string {
                tokens.append(token)
                if tokens.count > 12 { tokens.removeFirst() }
            }
        }
    }

    /// Variables of one document, and what its pages have then, in turn.
    private static let turns: [(variables: String, items: String)] = [
        ("{}", "b1 a2 a1 b2"), (#"{"r":"a"}"#, "a1 a2"), ("{}", "b1 a2 a1 b2"), (#"{"r":"b"}"#, "b1 b2"),
        (#"{"r":"a","p":{"gt":1}}"#, "a2"), (#"{"r":"a"}"#, "a1 a2"), (#"{"r":"a","d":"DESC"}"#, "a2 a1"),
        (#"{"r":"a","d":"ASC"}"#, "a1 a2"), (#"{"r":"b","d":"DESC"}"#, "b2 b1"), (#"{"r":"b","p":{"eq":1}}"#, "b1"),
        (#"{"r":"b","l":1}"#, "b1"), (#"{"r":"b"}"#, "b1 b2"), (#"{"r":"b","f":{"title":{"eq":"t2"}}}"#, "b2"),
        (#"{"r":"a"}"#, "a1 a2"), (#"{"r":"nobody"}"#, ""), ("{}", "b1 a2 a1 b2"),
    ]

    @Test("is of the key, the order and the condition that are asked for, whatever was asked before", arguments: 0..<4)
    func keys(_ start: Int) async throws {
        let engine = try TestEngine(
            """
            type Book @model @auth(rules: [{allow: public}]) {
              room: String! @primaryKey(sortKeyFields: ["place"]) place: Int! title: String
            }
            """)
        for (room, place) in [("b", 1), ("a", 2), ("a", 1), ("b", 2)] {
            try await engine.create(
                "Book",
                [
                    JSONObject([
                        ("room", .string(room)), ("place", .integer(Int64(place))), ("title", .string("t\(place)")),
                    ])
                ])
        }
        let document =
            "query Q($r: String, $p: ModelIntKeyConditionInput, $d: ModelSortDirection, $l: Int, $f: ModelBookFilterInput) { listBooks(room: $r, place: $p, sortDirection: $d, limit: $l, filter: $f) { items { room place } } }"
        // Each turn comes behind each other one: in order, backwards, and with steps over some.
        let steps = [1, Self.turns.count - 1, 3, 5][start]
        for number in 0..<Self.turns.count {
            let turn = Self.turns[number * steps % Self.turns.count]
            let variables = try #require(try JSONReader.value(of: turn.variables).object)
            let answer = try await engine.value(document, variables)
            let items = answer[path: "data", "listBooks", "items"]?.array ?? []
            let text = items.map { "\($0["room"]?.string ?? "")\($0["place"]?.integer ?? 0)" }.joined(separator: " ")
            #expect(text == turn.items, "\(turn.variables) \(answer.messages)")
        }
    }

    private static func variables(
        for document: String, _ tokens: [String], using generator: inout SeededRandom
    ) -> JSONObject {
        var variables = JSONObject()
        let filters: [JSONValue] =
            document.contains("ModelNoteFilterInput")
            ? [.null, ["title": ["eq": "x"]], ["owner": ["eq": "ann"]]]
            : [.null, ["title": ["eq": "t1"]], ["secret": ["eq": "s1"]], ["owner": ["ne": "bob"]]]
        if document.contains("$f") { variables["f"] = filters.randomElement(using: &generator) }
        if document.contains("$k: ID") { variables["k"] = ["k0", "k1"].randomElement(using: &generator) }
        if document.contains("$k: String") {
            variables["k"] = ["ann", "sub-ann", "sub-ann::ann", "sub-bob::bob", "eve"].randomElement(using: &generator)
        }
        if document.contains("$d") { variables["d"] = ["ASC", "DESC", .null].randomElement(using: &generator) }
        variables["l"] = [.null, 1, 3, 7, 100].randomElement(using: &generator)
        if Bool.random(using: &generator), let token = tokens.randomElement(using: &generator) {
            variables["t"] = .string(token)
        }
        return variables
    }
}
