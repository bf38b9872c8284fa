import Access
import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import Engine

@Suite("What a query selects")
struct SelectionTests {
    private static let schema = """
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! name: String! owner: Person
          posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"], limit: 2)
        }
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! title: String!
          blogID: ID @index(name: "byBlog", sortKeyFields: ["title"], queryField: "postsByBlog")
          mustID: ID
          blog: Blog @belongsTo(fields: ["blogID"])
          must: Blog! @hasOne(fields: ["mustID"])
        }
        type Person { name: String! age: Int friends: [Person!] }
        """

    private static func engine(change: (inout EngineSettings) -> Void = { _ in }) async throws -> TestEngine {
        let engine = try TestEngine(schema, change: change)
        let owner: JSONValue = ["name": "ann", "friends": [["name": "ben", "age": 3], ["name": "cid"]]]
        try await engine.create(
            "Blog",
            [
                JSONObject([("id", "b1"), ("name", "one"), ("owner", owner)]),
                JSONObject([("id", "b2"), ("name", "two")]),
            ])
        try await engine.create(
            "Post",
            [
                JSONObject([("id", "p1"), ("title", "c"), ("blogID", "b1"), ("mustID", "b2")]),
                JSONObject([("id", "p2"), ("title", "a"), ("blogID", "b1"), ("mustID", "b1")]),
                JSONObject([("id", "p3"), ("title", "b"), ("blogID", "b1")]),
                JSONObject([("id", "p4"), ("title", "z"), ("blogID", "gone"), ("mustID", "gone")]),
            ])
        return engine
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let variables: String
        let answer: String
        var testDescription: String { query }

        init(_ query: String, _ answer: String) { self.init(query, "{}", answer) }

        init(_ query: String, _ variables: String, _ answer: String) {
            self.query = query
            self.variables = variables
            self.answer = answer
        }
    }

    private static func nullError(_ path: String, _ text: String, _ type: String, in parent: String) -> String {
        #"{"path":\#(path),"locations":null,"message":"Cannot return null for non-nullable type: '\#(type)' within parent '\#(parent)' (\#(text))"}"#
    }

    static let rows: [Row] = [
        Row(
            #"{ __typename getBlog(id: "b1") { __typename id posts { __typename items { __typename title blog { __typename } } } } }"#,
            #"{"data":{"__typename":"Query","getBlog":{"__typename":"Blog","id":"b1","posts":{"__typename":"ModelPostConnection","items":[{"__typename":"Post","title":"a","blog":{"__typename":"Blog"}},{"__typename":"Post","title":"b","blog":{"__typename":"Blog"}}]}}}}"#
        ),
        Row(
            #"{ a: getBlog(id: "b1") { x: name y: name } b: getBlog(id: "b2") { name } c: getBlog(id: "b3") { name } }"#,
            #"{"data":{"a":{"x":"one","y":"one"},"b":{"name":"two"},"c":null}}"#),
        // The order of the selection is the order of the answer, fragments where they stand.
        Row(
            """
            query Q($yes: Boolean!, $id: ID!) {
              getBlog(id: $id) { ...Name id ... on Blog { owner { ...P } } ... @include(if: $yes) { again: name } }
              gone: getBlog(id: $id) @skip(if: $yes) { id }
            }
            fragment Name on Blog { name }
            fragment P on Person { name friends { name age friends { name } } }
            """, #"{"yes": true, "id": "b1"}"#,
            #"{"data":{"getBlog":{"name":"one","id":"b1","owner":{"name":"ann","friends":[{"name":"ben","age":3,"friends":null},{"name":"cid","age":null,"friends":null}]},"again":"one"}}}"#
        ),
        // Fields of one name are one: what each selects is joined.
        Row(
            #"{ getBlog(id: "b1") { posts { items { title } } posts { nextToken items { id } } } }"#,
            #"{"data":{"getBlog":{"posts":{"items":[{"title":"a","id":"p2"},{"title":"b","id":"p3"}],"nextToken":"…"}}}}"#
        ),
        // The token before the items that it goes on from, and items under two names.
        Row(
            #"{ postsByBlog(blogID: "b1", limit: 2) { nextToken first: items { id } second: items { title } last: nextToken } }"#,
            #"{"data":{"postsByBlog":{"nextToken":"…","first":[{"id":"p2"},{"id":"p3"}],"second":[{"title":"a"},{"title":"b"}],"last":"…"}}}"#
        ),
        Row(
            #"{ postsByBlog(blogID: "b1", limit: 5) { nextToken } }"#, #"{"data":{"postsByBlog":{"nextToken":null}}}"#),
        Row(
            #"{ postsByBlog(blogID: "b1", limit: 1) { nextToken __typename } }"#,
            #"{"data":{"postsByBlog":{"nextToken":"…","__typename":"ModelPostConnection"}}}"#),
        Row(
            #"{ getBlog(id: "b1") { a: posts(limit: 1) { items { id } } b: posts(limit: 1, sortDirection: DESC) { items { id } } c: posts(title: {beginsWith: "b"}) { items { id } } d: posts(filter: {id: {eq: "p1"}}) { items { id } nextToken } } }"#,
            #"{"data":{"getBlog":{"a":{"items":[{"id":"p2"}]},"b":{"items":[{"id":"p1"}]},"c":{"items":[{"id":"p3"}]},"d":{"items":[],"nextToken":"…"}}}}"#
        ),
        // A null where none may be goes up to the nearest place that may be null: an item, an object, all of it.
        Row(
            #"{ postsByBlog(blogID: "b1") { items { id must { name } } nextToken } }"#,
            #"{"data":{"postsByBlog":{"items":[{"id":"p2","must":{"name":"one"}},null,{"id":"p1","must":{"name":"two"}}],"nextToken":null}},"errors":["#
                + nullError(
                    #"["postsByBlog","items",1,"must"]"#, "/postsByBlog/items[1]/must", "Blog", in: "Post") + "]}"),
        Row(
            #"{ getPost(id: "p4") { id blog { id } must { name } } }"#,
            #"{"data":{"getPost":null},"errors":["#
                + nullError(#"["getPost","must"]"#, "/getPost/must", "Blog", in: "Post") + "]}"),
        Row(
            #"{ getPost(id: "p2") { id blog { name posts(limit: 9) { items { id must { id } } } } must { posts { items { must { id } } } } } }"#,
            #"{"data":{"getPost":{"id":"p2","blog":{"name":"one","posts":{"items":[{"id":"p2","must":{"id":"b1"}},null,{"id":"p1","must":{"id":"b2"}}]}},"must":{"posts":{"items":[{"must":{"id":"b1"}},null]}}}},"errors":["#
                + nullError(
                    #"["getPost","blog","posts","items",1,"must"]"#, "/getPost/blog/posts/items[1]/must", "Blog",
                    in: "Post") + ","
                + nullError(
                    #"["getPost","must","posts","items",1,"must"]"#, "/getPost/must/posts/items[1]/must", "Blog",
                    in: "Post") + "]}"),
        Row(
            #"{ getPost(id: "p4") { blog { id } title } }"#, #"{"data":{"getPost":{"blog":null,"title":"z"}}}"#),
        Row(
            #"{ listBlogs(filter: {posts: {eq: 1}}) { items { id } } }"#,
            #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":13,"sourceName":null}],"message":"Validation error of type WrongType: argument 'filter' with value 'ObjectValue{objectFields=[ObjectField{name='posts', value=ObjectValue{objectFields=[ObjectField{name='eq', value=IntValue{value=1}}]}}]}' contains a field not in 'ModelBlogFilterInput': 'posts' @ 'listBlogs'"}]}"#
        ),
    ]

    @Test("stands in the answer as it was asked for", arguments: rows)
    func answers(_ row: Row) async throws {
        let engine = try await Self.engine()
        let variables = try #require(try JSONReader.value(of: row.variables).object)
        #expect(Scenario.masked(try await engine.text(row.query, variables)) == row.answer)
    }

    // MARK: Tokens

    @Test("is gone on with by a token of the same field, arguments and parent only")
    func tokens() async throws {
        let engine = try await Self.engine()
        func page(_ field: String, _ token: String) async throws -> JSONValue {
            try await engine.value(
                "query ($t: String) { \(field) }", JSONObject([("t", .string(token))]))
        }
        let first = try await engine.value(#"{ postsByBlog(blogID: "b1", limit: 1) { nextToken } }"#)
        let token = try #require(first[path: "data", "postsByBlog", "nextToken"]?.string)
        // The limit may be another.
        let second = try await page(#"postsByBlog(blogID: "b1", limit: 5, nextToken: $t) { items { id } }"#, token)
        #expect(second[path: "data", "postsByBlog", "items"] == [["id": "p3"], ["id": "p1"]])
        let null = try await page(
            #"postsByBlog(blogID: "b1", nextToken: $t, filter: null, sortDirection: null) { items { id } }"#, token)
        #expect(null[path: "data", "postsByBlog", "items"] == [["id": "p3"], ["id": "p1"]])
        for field in [
            #"postsByBlog(blogID: "gone", limit: 1, nextToken: $t) { items { id } }"#,
            #"postsByBlog(blogID: "b1", limit: 1, nextToken: $t, sortDirection: DESC) { items { id } }"#,
            #"postsByBlog(blogID: "b1", nextToken: $t, filter: {id: {ne: "x"}}) { items { id } }"#,
            #"postsByBlog(blogID: "b1", nextToken: $t, title: {ge: "a"}) { items { id } }"#,
            "listPosts(nextToken: $t) { items { id } }", "listBlogs(nextToken: $t) { items { id } }",
        ] {
            let refused = try await page(field, token)
            #expect(refused.messages == ["Invalid pagination token given."], "\(field)")
            #expect(refused.errorTypes == ["DynamoDB:UserIllegalArgumentException"])
        }
        let nested = try await engine.value(#"{ getBlog(id: "b1") { posts(limit: 1) { nextToken } } }"#)
        let inner = try #require(nested[path: "data", "getBlog", "posts", "nextToken"]?.string)
        let other = try await page(#"getBlog(id: "b2") { posts(limit: 1, nextToken: $t) { items { id } } }"#, inner)
        #expect(other.messages == ["Invalid pagination token given."])
        let same = try await page(#"getBlog(id: "b1") { posts(limit: 1, nextToken: $t) { items { id } } }"#, inner)
        #expect(same[path: "data", "getBlog", "posts", "items"] == [["id": "p3"]])
        for broken in ["", "x", token + "A", String(token.dropLast(2))] {
            let refused = try await page(
                #"postsByBlog(blogID: "b1", limit: 1, nextToken: $t) { items { id } }"#, broken)
            #expect(refused.messages == ["Invalid pagination token given."], "\(broken)")
        }
    }

    // MARK: Limits

    @Test("ends at the limits of an operation, with an error that says which")
    func limits() async throws {
        let posts = "{ listPosts { items { id blog { posts { items { id } } } } } }"
        struct Case {
            let type: String
            let query: String
            let change: (inout EngineSettings) -> Void
        }
        for limit in [
            Case(type: "ResolverCountLimitReached", query: posts) { $0.limits.readsMax = 4 },
            Case(type: "ResponseTooLarge", query: posts) { $0.limits.responseBytesMax = 64 },
        ] {
            let patient = try await Self.engine()
            let engine = try TestEngine(sharing: patient, change: limit.change)
            let answer = try await engine.value(limit.query)
            #expect(answer.errorTypes == [limit.type])
            #expect(answer[path: "data", "listPosts"] == .null)
        }
        let shallow = try await Self.engine { $0.limits.depthMax = 3 }
        #expect(try await shallow.value("{ listPosts { items { id } } }")["errors"] == nil)
        let deep = try await shallow.value(
            "{ listPosts { ...C } } fragment C on ModelPostConnection { items { blog { id } } }")
        #expect(deep["data"] == .null)
        #expect(deep.messages == ["The operation nests 4 fields deep; 3 are allowed."])
        let small = try await Self.engine { $0.limits.pageMax = 2 }
        let page = try await small.value("{ listPosts(limit: 100) { items { id } nextToken } }")
        #expect(page[path: "data", "listPosts", "items"]?.array?.count == 2)
        #expect(page[path: "data", "listPosts", "nextToken"]?.string != nil)
        for limit in ["0", "-1"] {
            let refused = try await small.value("{ listPosts(limit: \(limit)) { items { id } } }")
            #expect(refused.errorTypes == ["DynamoDB:DynamoDbException"])
        }
    }

    @Test(
        "is interrupted in the database when its time is over",
        .enabled(if: TestDatabase.isLocal, TestDatabase.needsFile))
    func deadline() async throws {
        let engine = try await Self.engine { $0.limits.milliseconds = 0 }
        let inputs = (0..<4_000).map { JSONObject([("id", .string("n\($0)")), ("title", "t"), ("blogID", "b1")]) }
        for start in stride(from: 0, to: inputs.count, by: 100) {
            try await engine.create("Post", Array(inputs[start..<start + 100]))
        }
        let answer = try await engine.value(
            #"{ __typename listPosts(limit: 10000, filter: {title: {contains: "x"}}) { items { id } } }"#)
        #expect(answer[path: "data", "__typename"] == "Query")
        #expect(answer[path: "data", "listPosts"] == .null)
        #expect(answer.errorTypes == ["ExecutionTimeout"])
        // The connection is as good as before.
        #expect(try await engine.value(#"{ getPost(id: "p1") { title } }"#)[path: "data", "getPost", "title"] == "c")
    }

    @Test("is refused where filters nest too deep, or are too many, without an end of the process")
    func monsters() async throws {
        let engine = try await Self.engine()
        func answer(_ filter: JSONValue) async throws -> JSONValue {
            try await engine.value(
                "query ($f: ModelPostFilterInput) { listPosts(filter: $f) { items { id } } }",
                JSONObject([("f", filter)]))
        }
        let one: JSONValue = ["id": ["eq": "p1"]]
        let deep = (0..<100).reduce(one) { filter, _ in ["not": filter] }
        let many: JSONValue = ["or": .array(Array(repeating: one, count: 3_000))]
        for filter in [deep, many] {
            let answer = try await answer(filter)
            #expect(answer["errors"] != nil)
            #expect(answer[path: "data", "listPosts"]?.object == nil)
        }
        let wide = try await answer(["or": .array(Array(repeating: one, count: 1_900))])
        #expect(wide[path: "data", "listPosts", "items"] == [["id": "p1"]])
        let nested = try await answer((0..<30).reduce(one) { filter, _ in ["not": filter] })
        #expect(nested[path: "data", "listPosts", "items"] == [["id": "p1"]])
    }
}
