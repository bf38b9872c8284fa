import Access
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Fields that functions compute, within records, lists and values: what is there, and what becomes null around it.
@Suite("Functions within a response")
struct FunctionHoleTests {
    private static let schema = """
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! title: String
          score: Int @function(name: "score")
          must: Int! @function(name: "must")
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
          blog: Blog @belongsTo(fields: ["blogID"])
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! firstID: ID
          mood: Int! @function(name: "must")
          posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
          first: Post! @hasOne(fields: ["firstID"])
        }
        type Query {
          made: Made @function(name: "made")
          must: Int! @function(name: "must")
        }
        type Made { name: String! inner: [Inner!] loose: [Inner] }
        type Inner { n: Int value: Int! @function(name: "must") soft: Int @function(name: "score") }
        """

    /// Ten times the number of the source, nothing for the second where something must be, and an error for the fourth.
    private static func answer(_ request: OutsideRequest) throws(OutsideError) -> OutsideResponse {
        let payload = (try? JSONReader.value(of: request.body)) ?? .null
        let source = payload["source"]
        let number = source?["n"]?.integer ?? source?["id"]?.string.flatMap { Int64($0.dropFirst()) } ?? 2
        func value(_ text: String) -> OutsideResponse {
            OutsideResponse(status: 200, fields: [], body: Array(text.utf8))
        }
        if request.url.hasSuffix("made") {
            return value(#"{"name":"m","inner":[{"n":1},{"n":2}],"loose":[{"n":1},{"n":2},null,{"n":3}]}"#)
        }
        if request.url.hasSuffix("must") { return value(number == 2 ? "null" : "7") }
        guard number != 4 else {
            return OutsideResponse(
                status: 200, fields: [(name: "X-Amz-Function-Error", value: "Unhandled")],
                body: Array(#"{"errorMessage":"no","errorType":"Error"}"#.utf8))
        }
        return value("\(number * 10)")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let data: JSONValue
        var paths: [String] = []
        var testDescription: String { query }
    }

    static let rows: [Row] = [
        Row(
            query: "{ listPosts { items { id score title } nextToken } }",
            data: [
                "listPosts": [
                    "items": [
                        ["id": "p1", "score": 10, "title": "a"], ["id": "p2", "score": 20, "title": "b"],
                        ["id": "p3", "score": 30, "title": "c"], ["id": "p4", "score": nil, "title": "d"],
                        ["id": "p5", "score": 50, "title": "e"],
                    ], "nextToken": nil,
                ]
            ], paths: [#"["listPosts","items",3,"score"]"#]),
        Row(
            query: #"{ postsByBlog(blogID: "b1") { nextToken items { score must id } } }"#,
            data: [
                "postsByBlog": [
                    "nextToken": nil,
                    "items": [["score": 10, "must": 7, "id": "p1"], nil, ["score": 30, "must": 7, "id": "p3"]],
                ]
            ], paths: [#"["postsByBlog","items",1,"must"]"#]),
        Row(
            query:
                #"{ a: getBlog(id: "b1") { id mood posts(limit: 2) { nextToken items { score blog { mood posts(limit: 1) { items { must } } } } } } }"#,
            data: [
                "a": [
                    "id": "b1", "mood": 7,
                    "posts": [
                        "nextToken": "…",
                        "items": [
                            ["score": 10, "blog": ["mood": 7, "posts": ["items": [["must": 7]]]]],
                            ["score": 20, "blog": ["mood": 7, "posts": ["items": [["must": 7]]]]],
                        ],
                    ],
                ]
            ]),
        // A record that must be there and is not takes the one around it along.
        Row(
            query: #"{ x: getBlog(id: "b1") { id first { must } } y: getBlog(id: "b3") { id first { must } } }"#,
            data: ["x": nil, "y": ["id": "b3", "first": ["must": 7]]], paths: [#"["x","first","must"]"#]),
        // A place that is left open goes with the record that it stands in, when that is taken back.
        Row(
            query:
                #"{ x: getBlog(id: "b4") { mood first { id } } y: getBlog(id: "b3") { mood first { id } } z: getBlog(id: "b4") { m: mood mood first { score } } }"#,
            data: ["x": nil, "y": ["mood": 7, "first": ["id": "p3"]], "z": nil],
            paths: [#"["x","first"]"#, #"["z","first"]"#]),
        Row(
            query: "{ listBlogs { items { a: mood id first { score } b: mood } nextToken } }",
            data: [
                "listBlogs": [
                    "items": [
                        ["a": 7, "id": "b1", "first": ["score": 20], "b": 7],
                        ["a": 7, "id": "b3", "first": ["score": 30], "b": 7], nil,
                        ["a": 7, "id": "b5", "first": ["score": 10], "b": 7],
                    ], "nextToken": nil,
                ]
            ], paths: [#"["listBlogs","items",2,"first"]"#]),
        Row(
            query: #"{ getPost(id: "p5") { score blog { mood posts { items { score } } first { id } } title } }"#,
            data: ["getPost": ["score": 50, "blog": nil, "title": "e"]], paths: [#"["getPost","blog","first"]"#]),
        Row(query: #"{ getPost(id: "p2") { id must } }"#, data: ["getPost": nil], paths: [#"["getPost","must"]"#]),
        Row(query: #"{ getPost(id: "p1") { blog { id } must } must }"#, data: nil, paths: [#"["must"]"#]),
        Row(
            query: "{ made { name inner { n value } } }", data: ["made": ["name": "m", "inner": nil]],
            paths: [#"["made","inner",1,"value"]"#]),
        Row(
            query: "{ made { loose { soft value n __typename } name } }",
            data: [
                "made": [
                    "loose": [
                        ["soft": 10, "value": 7, "n": 1, "__typename": "Inner"], nil, nil,
                        ["soft": 30, "value": 7, "n": 3, "__typename": "Inner"],
                    ], "name": "m",
                ]
            ], paths: [#"["made","loose",1,"value"]"#]),
        Row(
            query:
                #"mutation { a: createPost(input: {id: "p9", must: 1}) { id score must } b: createPost(input: {id: "p1", must: 1}) { id score } c: updatePost(input: {id: "p2", title: "z"}) { must } d: updatePost(input: {id: "p3", title: "z"}) { score title } }"#,
            data: [
                "a": ["id": "p9", "score": 90, "must": 7], "b": nil, "c": nil, "d": ["score": 30, "title": "z"],
            ], paths: [#"["b"]"#, #"["c","must"]"#]),
    ]

    /// Answers when others have had their turn, and knows how many wait at the same time.
    private final class CountingOutside: OutsideService {
        private let counts = Mutex((now: 0, most: 0))
        var most: Int { counts.withLock { $0.most } }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<50 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return OutsideResponse(status: 200, fields: [], body: Array("7".utf8))
        }
    }

    @Test("are called for a bounded number of places at the same time", arguments: [1, 2, 5])
    func boundedCalls(callsMax: Int) async throws {
        let outside = CountingOutside()
        let engine = try TestEngine(
            Self.schema, outside: outside,
            functions: ["score": "http://f.test/score", "must": "http://f.test/must"],
            change: { $0.limits.callsMax = callsMax })
        try await engine.create("Post", (0..<20).map { JSONObject([("id", .string("p\($0)")), ("must", 1)]) })
        let response = try await engine.value("{ listPosts { items { score must } } }")
        #expect(response["errors"] == nil, "\(response.text)")
        #expect(outside.most == callsMax)
    }

    @Test("are called for each place, and a null where none may be goes up to the nearest that may", arguments: rows)
    func holes(_ row: Row) async throws {
        // A loop of its own: what a shard has belongs to one thread.
        let engine = try TestEngine(
            Self.schema, outside: FakeOutside(Self.answer),
            functions: [
                "score": "http://f.test/score", "must": "http://f.test/must", "made": "http://f.test/made",
            ],
            change: { $0.limits.callsMax = 2 })
        try await engine.create(
            "Post",
            [("p1", "a", "b1"), ("p2", "b", "b1"), ("p3", "c", "b1"), ("p4", "d", "b2"), ("p5", "e", "b4")].map {
                id, title, blog in
                JSONObject([("id", .string(id)), ("title", .string(title)), ("must", 1), ("blogID", .string(blog))])
            })
        try await engine.create(
            "Blog",
            [("b1", "p2"), ("b3", "p3"), ("b4", "nowhere"), ("b5", "p1")].map {
                JSONObject([("id", .string($0)), ("firstID", .string($1)), ("mood", 1)])
            })
        let text = Scenario.masked(try await engine.text(row.query))
        let answer = try JSONReader.value(of: text)
        #expect(answer["data"] == row.data, "\(text)")
        #expect(answer.paths.sorted() == row.paths.sorted(), "\(text)")
    }
}
