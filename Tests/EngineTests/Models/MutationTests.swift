import Access
import JSON
import PostgresSupport
import Synchronization
import Testing

@testable import Engine

@Suite("A mutation of a record")
struct MutationTests {
    private static let post = """
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! title: String! likes: Int note: String tags: [String] mood: Mood
        }
        enum Mood { GOOD BAD }
        """

    static let scenarios: [Scenario] = [
        Scenario(
            "creates once, and says of a second one that the condition failed", post,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", title: "a", likes: 2}) { id title likes note tags } }"#,
                    #"{"data":{"createPost":{"id":"1","title":"a","likes":2,"note":null,"tags":null}}}"#),
                .init(
                    #"mutation { createPost(input: {id: "1", title: "b"}) { id } }"#,
                    Scenario.conditionFailed("createPost")),
                .init(#"{ getPost(id: "1") { title } }"#, #"{"data":{"getPost":{"title":"a"}}}"#),
            ]),
        Scenario(
            "makes ids and times where none are given", post,
            [
                .init(
                    #"mutation { createPost(input: {title: "a"}) { __typename id createdAt updatedAt } }"#,
                    #"{"data":{"createPost":{"__typename":"Post","id":"‹uuid›","createdAt":"…","updatedAt":"…"}}}"#)
            ]),
        Scenario(
            "changes what is given, and nothing else", post,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", title: "a", likes: 2, note: "n", tags: ["x"]}) { id } }"#,
                    #"{"data":{"createPost":{"id":"1"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", likes: 3, note: null}) { title likes note tags } }"#,
                    #"{"data":{"updatePost":{"title":"a","likes":3,"note":null,"tags":["x"]}}}"#),
                // What an update sets to null is absent afterwards, unlike what was created as null.
                .init(
                    #"{ listPosts(filter: {note: {attributeExists: false}}) { items { id } } }"#,
                    #"{"data":{"listPosts":{"items":[{"id":"1"}]}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "2", likes: 3}) { id } }"#,
                    Scenario.conditionFailed("updatePost")),
                .init(#"{ getPost(id: "2") { id } }"#, #"{"data":{"getPost":null}}"#),
            ]),
        Scenario(
            "happens under its condition only, which is asked of the record before", post,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", title: "a", likes: 2}) { id } }"#,
                    #"{"data":{"createPost":{"id":"1"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", likes: 9}, condition: {likes: {gt: 2}}) { id } }"#,
                    Scenario.conditionFailed("updatePost")),
                .init(
                    #"mutation { updatePost(input: {id: "1", likes: 9}, condition: {likes: {le: 2}, or: [{title: {eq: "a"}}, {note: {attributeExists: true}}]}) { likes } }"#,
                    #"{"data":{"updatePost":{"likes":9}}}"#),
                .init(
                    #"mutation { deletePost(input: {id: "1"}, condition: {not: {likes: {eq: 9}}}) { id } }"#,
                    Scenario.conditionFailed("deletePost")),
                .init(
                    #"mutation { deletePost(input: {id: "1"}, condition: {likes: {eq: 9}}) { id likes } }"#,
                    #"{"data":{"deletePost":{"id":"1","likes":9}}}"#),
                // A creation's condition is asked of nothing.
                .init(
                    #"mutation { createPost(input: {id: "1", title: "b"}, condition: {title: {eq: "b"}}) { id } }"#,
                    Scenario.conditionFailed("createPost")),
                .init(
                    #"mutation { createPost(input: {id: "1", title: "b"}, condition: {title: {ne: "b"}}) { id } }"#,
                    #"{"data":{"createPost":{"id":"1"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1"}, condition: {likes: {between: [1]}}) { id } }"#,
                    Scenario.failure("updatePost", "Unable to process the filter expression", "Unrecognized Filter")),
            ]),
        Scenario(
            "has its own outcome beside others, and the later sees the earlier", post,
            [
                .init(
                    """
                    mutation {
                      a: createPost(input: {id: "1", title: "a"}) { id likes }
                      b: createPost(input: {id: "1", title: "b"}) { id }
                      c: updatePost(input: {id: "1", likes: 1}, condition: {likes: {attributeExists: false}}) { likes }
                      d: deletePost(input: {id: "1"}) { title likes }
                      e: createPost(input: {id: "1", title: "e"}) { title likes }
                    }
                    """,
                    """
                    {"data":{"a":{"id":"1","likes":null},"b":null,"c":{"likes":1},"d":{"title":"a","likes":1},\
                    "e":{"title":"e","likes":null}},"errors":[{"path":["b"],"data":null,\
                    "errorType":"DynamoDB:ConditionalCheckFailedException","errorInfo":null,\
                    "locations":[{"line":3,"column":3,"sourceName":null}],"message":"The conditional request failed \
                    (Service: DynamoDb, Status Code: 400, Request ID: …)"}]}
                    """)
            ]),
        Scenario(
            "is skipped or not as its variables say, and `__typename` stands between", post,
            [
                .init(
                    """
                    mutation M($yes: Boolean!, $no: Boolean = false, $i: CreatePostInput!) {
                      t: __typename
                      a: createPost(input: $i) @include(if: $yes) { ...Parts @skip(if: $no) }
                      b: createPost(input: {id: "2", title: "b"}) @include(if: $no) { id }
                      c: createPost(input: {id: "3", title: "c"}) @skip(if: $yes) { id }
                    }
                    fragment Parts on Post { __typename name: title ... on Post @include(if: $yes) { mood } }
                    """, #"{"yes": true, "i": {"id": "1", "title": "a", "mood": "GOOD"}}"#,
                    #"{"data":{"t":"Mutation","a":{"__typename":"Post","name":"a","mood":"GOOD"}}}"#),
                .init(
                    "{ listPosts { items { id } } }", #"{"data":{"listPosts":{"items":[{"id":"1"}]}}}"#),
            ]),
        Scenario(
            "fills defaults at creation, for what is missing or null",
            """
            type Post @model @auth(rules: [{allow: public}]) {
              id: ID! s: String @default(value: "x y") n: Int @default(value: "7") f: Float @default(value: "1.5")
              b: Boolean @default(value: "true") e: Mood @default(value: "BAD") d: AWSDate @default(value: "2020-02-02")
              j: AWSJSON @default(value: "{\\"a\\": 1}") t: AWSTimestamp @default(value: "12")
            }
            enum Mood { GOOD BAD }
            """,
            [
                .init(
                    #"mutation { createPost(input: {id: "1"}) { s n f b e d j t } }"#,
                    #"{"data":{"createPost":{"s":"x y","n":7,"f":1.5,"b":true,"e":"BAD","d":"2020-02-02","j":"{\"a\":1}","t":12}}}"#
                ),
                .init(
                    #"mutation { createPost(input: {id: "2", s: null, n: 0, b: false, e: GOOD}) { s n b e } }"#,
                    #"{"data":{"createPost":{"s":"x y","n":0,"b":false,"e":"GOOD"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "2", s: null, n: null}) { s n } }"#,
                    #"{"data":{"updatePost":{"s":null,"n":null}}}"#),
            ]),
        Scenario(
            "is checked by `@validate`, in the order of the fields, after the rights and before the condition",
            """
            type Post @model @auth(rules: [{allow: public}]) {
              id: ID! s: String @validate(type: minLength, value: "2") @validate(type: matches, value: "^[a-z]+$", errorMessage: "letters only")
              n: Int @validate(type: gte, value: "0") @validate(type: lt, value: "10")
              f: Float @validate(type: gt, value: "0.5")
            }
            """,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", n: 10, s: "A"}) { id } }"#,
                    Scenario.failure("createPost", "Field s of type Post must have a minimum length of 2", nil)),
                .init(
                    #"mutation { createPost(input: {id: "1", n: 10, s: "ABC"}) { id } }"#,
                    Scenario.failure("createPost", "letters only", nil)),
                .init(
                    #"mutation { createPost(input: {id: "1", n: 10, s: "abc"}) { id } }"#,
                    Scenario.failure("createPost", "Field n of type Post must be less than 10", nil)),
                .init(
                    #"mutation { createPost(input: {id: "1", f: 0.5}) { id } }"#,
                    Scenario.failure("createPost", "Field f of type Post must be greater than 0.5", nil)),
                .init(
                    #"mutation { createPost(input: {id: "1", s: null, n: 0, f: 0.75}) { s n f } }"#,
                    #"{"data":{"createPost":{"s":null,"n":0,"f":0.75}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "9", n: -1}) { s } }"#,
                    Scenario.failure("updatePost", "Field n of type Post must be greater than or equal to 0", nil)),
            ]),
        Scenario(
            "has the name that the schema gives it, and then neither defaults nor validation",
            """
            type Post @model(mutations: {create: "addPost", update: null}, queries: {get: "onePost"}) @auth(rules: [{allow: public}]) {
              id: ID! s: String @default(value: "x") n: Int @validate(type: gt, value: "5")
            }
            """,
            [
                .init(
                    #"mutation { addPost(input: {id: "1", n: 1}) { s n } }"#,
                    #"{"data":{"addPost":{"s":null,"n":1}}}"#),
                .init(#"{ onePost(id: "1") { n } }"#, #"{"data":{"onePost":{"n":1}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1"}) { n } }"#,
                    #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":12,"sourceName":null}],"message":"Validation error of type FieldUndefined: Field 'updatePost' in type 'Mutation' is undefined @ 'updatePost'"}]}"#
                ),
            ]),
        Scenario(
            "asks for all fields of a key of several, or none",
            """
            type Post @model @auth(rules: [{allow: public}]) {
              id: ID! a: String @index(name: "byA", sortKeyFields: ["b", "c"], queryField: "postsByA") b: String c: Int
            }
            """,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", a: "x", b: "y"}) { id } }"#,
                    Scenario.failure(
                        "createPost",
                        "When creating any part of the composite sort key for @index 'byA', you must provide all fields for the key. Missing key: 'c'.",
                        nil)),
                .init(
                    #"mutation { createPost(input: {id: "1", a: "x"}) { id } }"#,
                    #"{"data":{"createPost":{"id":"1"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", c: 2}) { id } }"#,
                    Scenario.failure(
                        "updatePost",
                        "When updating any part of the composite sort key for @index 'byA', you must provide all fields for the key. Missing key: 'b'.",
                        nil)),
                .init(#"{ postsByA(a: "x") { items { id } } }"#, #"{"data":{"postsByA":{"items":[]}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", b: "y", c: 2}) { id } }"#,
                    #"{"data":{"updatePost":{"id":"1"}}}"#),
                .init(
                    #"{ postsByA(a: "x", bC: {eq: {b: "y", c: 2}}) { items { id } } }"#,
                    #"{"data":{"postsByA":{"items":[{"id":"1"}]}}}"#),
            ]),
        Scenario(
            "whose result must not be null, but is, is made all the same", post,
            [
                .init(
                    #"mutation { createPost(input: {id: "1", title: "a"}) { id } }"#,
                    #"{"data":{"createPost":{"id":"1"}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", title: null, likes: 5}) { id title } other: updatePost(input: {id: "1", likes: 6}) { likes } }"#,
                    #"{"data":{"updatePost":null,"other":{"likes":6}},"errors":[{"path":["updatePost","title"],"locations":null,"message":"Cannot return null for non-nullable type: 'String' within parent 'Post' (/updatePost/title)"}]}"#
                ),
                .init(#"{ getPost(id: "1") { likes } }"#, #"{"data":{"getPost":{"likes":6}}}"#),
            ]),
    ]

    @Test("answers as AppSync does", arguments: scenarios)
    func answers(_ scenario: Scenario) async throws { try await scenario.run() }

    @Test("of the first transformer's `@versioned` needs the version that is stored")
    func versioned() async throws {
        try await Scenario(
            "versions", "type Post @model @versioned { id: ID! title: String }",
            [
                .init(
                    #"mutation { createPost(input: {id: "1", title: "a"}) { version } }"#,
                    #"{"data":{"createPost":{"version":1}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", title: "b", expectedVersion: 1}) { title version } }"#,
                    #"{"data":{"updatePost":{"title":"b","version":2}}}"#),
                .init(
                    #"mutation { updatePost(input: {id: "1", title: "c", expectedVersion: 1}) { title } }"#,
                    Scenario.conditionFailed("updatePost")),
                .init(
                    #"mutation { deletePost(input: {id: "1", expectedVersion: 1}) { title } }"#,
                    Scenario.conditionFailed("deletePost")),
                .init(
                    #"mutation { updatePost(input: {id: "1", expectedVersion: 2147483647}) { title } }"#,
                    Scenario.conditionFailed("updatePost")),
                .init(
                    #"mutation { deletePost(input: {id: "1", expectedVersion: 2}) { title version } }"#,
                    #"{"data":{"deletePost":{"title":"b","version":2}}}"#),
            ]
        ).run(transformerVersion: 1)
    }

    @Test("that cannot be answered is not made")
    func tooLarge() async throws {
        let engine = try TestEngine(Self.withParts, change: { $0.limits.responseBytesMax = 400 })
        let parts = (0..<9).map { JSONObject([("id", .string("p\($0)")), ("wholeID", "1"), ("text", "0123456789")]) }
        try await engine.create("Part", parts)
        try await engine.create("Whole", [JSONObject([("id", "1"), ("text", "before")])])
        let answer = try await engine.value(
            #"mutation { updateWhole(input: {id: "1", text: "after"}) { text parts { items { id text wholeID createdAt } } } }"#
        )
        #expect(answer[path: "data", "updateWhole"] == .null)
        #expect(answer.errorTypes == ["ResponseTooLarge"])
        #expect(
            try await engine.value(#"{ getWhole(id: "1") { text } }"#)[path: "data", "getWhole", "text"] == "before")
    }

    @Test(
        "that reads for too long ends with an error, leaves nothing, and keeps nobody else waiting",
        .enabled(if: !TestDatabase.isOnServer, TestDatabase.needsFile))
    func deadline() async throws {
        let patient = try TestEngine(Self.withParts)
        let parts = (0..<4_000).map { JSONObject([("wholeID", "1"), ("text", .string("part \($0)"))]) }
        for start in stride(from: 0, to: parts.count, by: 200) {
            try await patient.create("Part", Array(parts[start..<start + 200]))
        }
        try await patient.create("Whole", [JSONObject([("id", "1"), ("text", "before")])])
        let engine = try TestEngine(sharing: patient) { $0.limits.mutationMilliseconds = 0 }
        let events = Mutex(0)
        engine.engine.tellOfMutations(
            MutationListener(hasListeners: { true }, publish: { _ in events.withLock { $0 += 1 } }))
        let slow = #"""
            mutation {
              updateWhole(input: {id: "1", text: "after"}) {
                id parts(limit: 10000, filter: {text: {contains: "nothing"}}) { items { id } }
              }
            }
            """#
        let answer = try await engine.value(slow)
        #expect(answer[path: "data", "updateWhole"] == .null)
        #expect(answer.errorTypes == ["ExecutionTimeout"])
        #expect(events.withLock { $0 } == 0)
        let other = try await engine.value(#"mutation { createWhole(input: {id: "2", text: "other"}) { id text } }"#)
        #expect(other[path: "data", "createWhole", "text"] == "other")
        #expect(
            try await patient.value(#"{ getWhole(id: "1") { text } }"#)[path: "data", "getWhole", "text"] == "before")
        #expect(try await patient.value(slow)[path: "data", "updateWhole", "parts", "items"] == [])
    }

    @Test("shares the writer's time with the others of its operation")
    func sharedDeadline() async throws {
        let patient = try TestEngine(Self.withParts)
        for _ in 0..<10 {
            try await patient.create(
                "Part", Array(repeating: JSONObject([("wholeID", "1"), ("text", "t")]), count: 200))
        }
        try await patient.create("Whole", [JSONObject([("id", "1")])])
        func document(_ count: Int) -> String {
            let fields = (0..<count).map {
                #"m\#($0): updateWhole(input: {id: "1"}) { parts(limit: 10000, filter: {text: {contains: "x"}}) { items { id } } }"#
            }
            return "mutation { \(fields.joined(separator: " ")) }"
        }
        // What some of them take at the best: each has time enough, all together have not.
        var time = Duration.seconds(1_000)
        for _ in 0..<8 {
            time = min(time, try await ContinuousClock().measure { _ = try await patient.value(document(10)) })
        }
        let milliseconds = max(2, Int64(time / .milliseconds(1)))
        let engine = try TestEngine(sharing: patient) { $0.limits.mutationMilliseconds = milliseconds }
        let answer = try await engine.value(document(200))
        let made = answer["data"]?.object?.members.filter { !$0.value.isNull }.count ?? 0
        #expect(made < 200)
        #expect(Set(answer.errorTypes) == ["ExecutionTimeout"])
    }

    private static let withParts = """
        type Whole @model @auth(rules: [{allow: public}]) {
          id: ID! text: String parts: [Part] @hasMany(indexName: "byWhole", fields: ["id"])
        }
        type Part @model @auth(rules: [{allow: public}]) {
          id: ID! wholeID: ID @index(name: "byWhole", queryField: "partsByWhole") text: String
        }
        """
}
