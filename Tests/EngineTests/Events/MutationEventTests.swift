import Access
import Blueprint
import JSON
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

@Suite("What is told of mutations")
struct MutationEventTests {
    private static let schema = """
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! title: String score: Int @function(name: "score")
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
          blog: Blog @belongsTo(fields: ["blogID"])
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! mood: Int @function(name: "score") posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        """

    /// Keeps events as subscribers would get them.
    private final class Ear: Sendable {
        private let events = Mutex<[MutationEvent]>([])

        init(_ engine: Engine) {
            engine.tellOfMutations(
                MutationListener(
                    hasListeners: { true }, publish: { [self] new in events.withLock { $0 += new } }))
        }

        var count: Int { events.withLock { $0.count } }
        var texts: [String] {
            events.withLock { $0.map { "\($0.mutationField) \($0.value.text)" } }
        }
    }

    static let rows: [(mutation: String, events: [String])] = [
        (#"createPost(input: {id: "1"}) { id score }"#, [#"createPost {"id":"1","score":7}"#]),
        (#"createPost(input: {id: "1"}) { score }"#, [#"createPost {"score":7}"#]),
        (#"createPost(input: {id: "1"}) { a: score b: id }"#, [#"createPost {"score":7,"id":"1"}"#]),
        (#"updatePost(input: {id: "0"}) { id score title }"#, [#"updatePost {"id":"0","score":7,"title":"t"}"#]),
        (#"deletePost(input: {id: "0"}) { score }"#, [#"deletePost {"score":7}"#]),
        (
            #"createPost(input: {id: "1", blogID: "b"}) { blog { mood posts { items { id score } } } }"#,
            [#"createPost {"blog":{"mood":7,"posts":{"items":[{"id":"0","score":7},{"id":"1","score":7}]}}}"#]
        ),
        (
            #"a: createPost(input: {id: "1"}) { id score } b: createPost(input: {id: "2"}) { id } c: createPost(input: {id: "3"}) { id score }"#,
            [#"createPost {"id":"2"}"#, #"createPost {"id":"1","score":7}"#, #"createPost {"id":"3","score":7}"#]
        ),
        (#"createPost(input: {id: "0"}) { id score }"#, []),
    ]

    @Test("is one event for each, whole, also where something had to be asked for it", arguments: rows)
    func oneEach(_ row: (mutation: String, events: [String])) async throws {
        let engine = try TestEngine(
            Self.schema, outside: FakeOutside("7"), functions: ["score": "http://f.test/score"])
        try await engine.create("Blog", [JSONObject([("id", "b")])])
        try await engine.create("Post", [JSONObject([("id", "0"), ("title", "t"), ("blogID", "b")])])
        let ear = Ear(engine.engine)
        _ = try await engine.value("mutation { \(row.mutation) }")
        // Behind everything that the writer still has to tell.
        try await engine.engine.store.writer.write(turn: .all, key: nil) { _ in }
        #expect(ear.texts == row.events)
    }

    /// Without an event where a function answers nothing.
    static let plain: [(mutation: String, answer: String, event: String?)] = [
        ("count", "7", "count 7"), ("hail", #""a \"b\"""#, #"hail "a \"b\"""#), ("mood", #""GOOD""#, #"mood "GOOD""#),
        ("real", "1.5", "real 1.5"), ("json", #"{"a":1}"#, #"json "{\"a\":1}""#),
        ("moods", #"["GOOD"]"#, #"moods ["GOOD"]"#), ("parts { length }", "[]", "parts []"),
        ("parts { size: length }", #"[{"length":1},null]"#, #"parts [{"length":1},null]"#),
        ("json", #""""#, #"json "\"\"""#), ("parts { length }", "[null]", "parts [null]"),
        ("count", "null", nil), ("hail", "null", nil), ("mood", "null", nil), ("real", "null", nil),
        ("json", "null", nil), ("moods", "null", nil), ("parts { length }", "null", nil),
        ("part { length }", "null", nil),
        ("part { length }", "{}", #"part {"length":null}"#),
    ]

    @Test(
        "is one event also where a mutation gives a text, a number or a list, and none where it gives null",
        arguments: plain)
    func plainValues(_ row: (mutation: String, answer: String, event: String?)) async throws {
        let fields = [
            ("count", "Int"), ("hail", "String"), ("mood", "Mood"), ("real", "Float"), ("json", "AWSJSON"),
            ("moods", "[Mood!]"), ("parts", "[Part]"), ("part", "Part"),
        ]
        let mutations = fields.map { "\($0.0): \($0.1) @function(name: \"f\")" }.joined(separator: " ")
        let engine = try TestEngine(
            "enum Mood { GOOD BAD } type Part { length: Int } type Query { a: Int } type Mutation { \(mutations) }",
            outside: FakeOutside(row.answer), functions: ["f": "http://f.test/f"])
        let ear = Ear(engine.engine)
        _ = try await engine.value("mutation { \(row.mutation) }")
        try await engine.engine.store.writer.write(turn: .all, key: nil) { _ in }
        #expect(ear.texts == (row.event.map { [$0] } ?? []))
    }

    private static let broken = """
        type Post @model @auth(rules: [{allow: public}]) { id: ID! title: String author: Author! @hasOne }
        type Author @model @auth(rules: [{allow: public}]) { id: ID! name: String }
        """

    static let nulls: [(strategy: ConflictStrategy?, mutation: String, answer: String, events: [String])] = [
        (nil, #"createPost(input: {id: "1", postAuthorId: "x"}) { id author { id } }"#, #"{"createPost":null}"#, []),
        (nil, #"p: createPost(input: {id: "1", postAuthorId: "x"}) { author { id } id }"#, #"{"p":null}"#, []),
        (
            nil, #"createPost(input: {id: "1", postAuthorId: "a"}) { id author { id } }"#,
            #"{"createPost":{"id":"1","author":{"id":"a"}}}"#, [#"createPost {"id":"1","author":{"id":"a"}}"#]
        ),
        (nil, #"deletePost(input: {id: "none"}) { id }"#, #"{"deletePost":null}"#, []),
        (.automerge, #"deletePost(input: {id: "none"}) { id }"#, #"{"deletePost":null}"#, []),
        (.automerge, #"deletePost(input: {id: "none", _version: 3}) { id }"#, #"{"deletePost":null}"#, []),
        (.optimisticConcurrency, #"deletePost(input: {id: "none"}) { id }"#, #"{"deletePost":null}"#, []),
        (
            .automerge, #"createPost(input: {id: "1", postAuthorId: "x"}) { author { id } }"#, #"{"createPost":null}"#,
            []
        ),
        (
            .automerge,
            #"a: deletePost(input: {id: "none"}) { id } b: deleteAuthor(input: {id: "a", _version: 1}) { id }"#,
            #"{"a":null,"b":{"id":"a"}}"#, [#"deleteAuthor {"id":"a"}"#]
        ),
    ]

    @Test("is nothing where the mutation answers null: it broke, or there was nothing to delete", arguments: nulls)
    func nullResults(
        _ row: (strategy: ConflictStrategy?, mutation: String, answer: String, events: [String])
    ) async throws {
        let engine = try TestEngine(Self.broken, project: { $0.conflictStrategy = row.strategy })
        try await engine.create("Author", [JSONObject([("id", "a")])])
        let ear = Ear(engine.engine)
        let response = try await engine.value("mutation { \(row.mutation) }")
        #expect(response["data"]?.text == row.answer)
        try await engine.engine.store.writer.write(turn: .all, key: nil) { _ in }
        #expect(ear.texts == row.events)
    }

    private static let kinds = """
        enum Mood { GOOD BAD }
        type Part { name: String! sizes: [Int] }
        type Thing @model @auth(rules: [{allow: public}]) {
          id: ID! text: String number: Int real: Float flag: Boolean day: AWSDate time: AWSTimestamp json: AWSJSON mood: Mood
          tags: [String] moods: [Mood!] part: Part parts: [Part] ownerID: ID
          boxID: ID box: Box @belongsTo(fields: ["boxID"])
        }
        type Box @model @auth(rules: [{allow: public}]) {
          id: ID! label: String! things: [Thing] @hasMany(fields: ["id"])
        }
        """

    static let selections: [(selection: String, names: String?)] = [
        ("id text number real flag day time json mood tags moods", nil),
        ("__typename part { name sizes } parts { __typename name } createdAt", nil),
        ("box { id label things { items { id text } nextToken } }", nil),
        (
            "a: text b: text c: box { l: label } d: box { i: id }",
            #"{"text":"é\n","box":{"label":"L","id":"b"}}"#
        ),
    ]

    @Test("is what the response of the mutation has, by the names of the fields", arguments: selections)
    func sameAsResponse(_ row: (selection: String, names: String?)) async throws {
        let engine = try TestEngine(Self.kinds)
        try await engine.create("Box", [JSONObject([("id", "b"), ("label", "L")])])
        let ear = Ear(engine.engine)
        let input = #"""
            {id: "1", text: "é\n", number: -7, real: 1.0, flag: false, day: "2024-02-29", time: 5, json: "{\"a\":[1]}",
            mood: BAD, tags: ["x", null], moods: [GOOD], part: {name: "p", sizes: [1, null]}, boxID: "b"}
            """#
        let response = try await engine.value("mutation { createThing(input: \(input)) { \(row.selection) } }")
        try await engine.engine.store.writer.write(turn: .all, key: nil) { _ in }
        let value = try #require(response[path: "data", "createThing"])
        #expect(ear.texts == ["createThing \(row.names ?? value.text)"])
    }

    @Test("is nothing where a part of it could not be had")
    func failed() async throws {
        let outside = FakeOutside(
            #"{"errorMessage":"no"}"#, fields: [("X-Amz-Function-Error", "Unhandled")])
        let engine = try TestEngine(Self.schema, outside: outside, functions: ["score": "http://f.test/score"])
        let ear = Ear(engine.engine)
        let response = try await engine.value(#"mutation { createPost(input: {id: "1"}) { id score } }"#)
        #expect(response[path: "data", "createPost"] == ["id": "1", "score": nil])
        #expect(response.messages == ["no"])
        try await engine.engine.store.writer.write(turn: .all, key: nil) { _ in }
        #expect(ear.texts == [])
    }

    @Test("is told before the mutation is answered, whichever way the answer takes")
    func toldFirst() async throws {
        let engine = try TestEngine(Self.schema)
        let ear = Ear(engine.engine)
        for number in 1...20 {
            let document =
                "mutation { a: createPost(input: {title: \"1\"}) { id } b: createPost(input: {title: \"2\"}) { id } }"
            let body = JSONWriter.bytes(of: ["query": .string(document)])
            guard case .pending(let pending) = engine.engine.answer(body, from: Requester(.apiKey), on: engine.shard)
            else {
                Issue.record("a mutation that is not waited for")
                return
            }
            if number.isMultiple(of: 2) {
                _ = await pending.response()
                #expect(ear.count == 2 * number)
            } else {
                let written = try #require(pending.written)
                let told = await withCheckedContinuation { continuation in
                    written.begin { _ in continuation.resume(returning: ear.count) }
                }
                #expect(told == 2 * number)
            }
        }
    }

    @Test("leaves the commit and whoever comes next all the time that they need")
    func deadlineIsLifted() async throws {
        let engine = try TestEngine(Self.schema, change: { $0.limits.mutationMilliseconds = 60_000 })
        for document in [
            #"createPost(input: {id: "1"}) { id }"#, #"createPost(input: {id: "1"}) { id }"#,
            #"a: createPost(input: {id: "2"}) { id } b: createPost(input: {id: "3"}) { id }"#,
            #"updatePost(input: {id: "none"}) { id }"#,
        ] {
            _ = try await engine.value("mutation { \(document) }")
            let deadline = try await engine.engine.store.writer.write(turn: .all, key: nil) { session in
                session.deadline
            }
            #expect(deadline == .max, "\(document)")
        }
    }
}
