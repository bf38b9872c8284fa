import Access
import JSON
import Testing

@testable import Engine

@Suite("The length of a response")
struct ResponseLimitTests {
    private static let schema = """
        type Post @model @searchable @auth(rules: [{allow: public}, {allow: private}]) {
          id: ID! text: String meta: AWSJSON parts: [Part]
          count: Int @function(name: "count")
          secret: String @auth(rules: [{allow: private}])
          nextID: ID next: Post @hasOne(fields: ["nextID"])
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Part { text: String more: String @function(name: "text") }
        type Made { text: String posts: [String] post: Part }
        type Query { made: Made @function(name: "made") text: String @function(name: "text") }
        type Mutation { make: Made @function(name: "made") }
        """

    private static let bytesMax = 20_000
    private static let text = String(repeating: "t", count: 3_000)

    private static func outside() -> FakeOutside {
        FakeOutside { request throws(OutsideError) in
            let body =
                switch true {
                case request.url.hasSuffix("count"): "1"
                case request.url.hasSuffix("text"): "\"\(text)\""
                default:
                    #"{"text":"\#(text)","posts":["\#(text)","\#(text)","\#(text)","\#(text)","\#(text)","\#(text)","\#(text)"]}"#
                }
            return OutsideResponse(status: 200, fields: [], body: Array(body.utf8))
        }
    }

    private static let functions = ["count": "http://f/count", "text": "http://f/text", "made": "http://f/made"]

    private static func engine(_ bytesMax: Int) async throws -> TestEngine {
        let engine = try TestEngine(
            schema, outside: outside(),
            functions: functions,
            project: {
                $0.conflictStrategy = .automerge
                $0.additionalModes = [.userPools]
            },
            change: { $0.limits.responseBytesMax = bytesMax })
        let patient = try TestEngine(sharing: engine) { _ in }
        try await patient.create("Blog", [JSONObject([("id", "b")])])
        try await patient.create(
            "Post",
            (0..<20).map { (number: Int) -> JSONObject in
                let parts: JSONValue = [["text": .string(text)]]
                let meta = JSONValue.string("\"\(text)\"")
                return JSONObject([
                    ("id", .string("\(number)")), ("text", .string(text)), ("meta", meta), ("parts", parts),
                    ("blogID", .string("b")), ("nextID", .string("\((number + 1) % 20)")),
                ])
            })
        return engine
    }

    private static func repeated(_ count: Int = 100, _ field: (Int) -> String) -> String {
        (0..<count).map { "a\($0): \(field($0))" }.joined(separator: " ")
    }

    private static let chain = (0..<10).reduce("text") { inner, _ in "text next { \(inner) }" }

    static let ways: [(name: String, document: String)] = [
        ("gets", "{ \(repeated { _ in #"getPost(id: "1") { text }"# }) }"),
        ("names of types", "{ \(repeated(1_500) { _ in "__typename" }) }"),
        ("one column many times", #"{ getPost(id: "1") { \#(repeated { _ in "text" }) } }"#),
        ("a chain of records", #"{ getPost(id: "1") { \#(chain) } }"#),
        ("one relation many times", #"{ getPost(id: "1") { \#(repeated { _ in "next { text }" }) } }"#),
        ("a relation to many", #"{ getBlog(id: "b") { posts { items { text } } } }"#),
        ("lists", "{ listPosts { items { text } } }"),
        ("items many times", "{ listPosts(limit: 1) { \(repeated { _ in "items { text }" }) } }"),
        ("queries by index", #"{ postsByBlog(blogID: "b") { items { text } } }"#),
        ("searches", "{ searchPosts { items { text } } }"),
        ("aggregates", "{ searchPosts(aggregates: [\(repeatedAggregates)]) { aggregateItems { name } } }"),
        ("syncs", "{ syncPosts { items { text } } }"),
        ("values of JSON", "{ listPosts { items { meta } } }"),
        ("values of types without a function", "{ listPosts { items { parts { text } } } }"),
        ("values of types with a function", "{ listPosts { items { parts { text more } } } }"),
        ("a result of a function", "{ made { text posts } }"),
        ("one part of a result many times", "{ made { \(repeated { _ in "text" }) } }"),
        ("results of functions", "{ \(repeated { _ in "text" }) }"),
        ("a function in each record", "{ listPosts { items { \(repeated(200) { _ in "count" }) } } }"),
        ("introspection", "{ \(repeated { _ in "__schema { types { name fields { name } } }" }) }"),
        (
            "introspection of one type",
            #"{ __type(name: "Post") { \#(repeated { _ in "fields { name type { name } }" }) } }"#
        ),
        ("errors", "{ listPosts { items { \(repeated(20) { _ in "secret" }) } } }"),
        ("errors of root fields", "{ \(repeated(400) { _ in "listPosts(limit: 0) { items { id } }" }) }"),
        (
            "mutations",
            "mutation { \(repeated { #"createPost(input: {id: "m\#($0)", text: "\#(text.prefix(500))"}) { text }"# }) }"
        ),
        (
            "a column of a mutation many times",
            #"mutation { updatePost(input: {id: "1"}) { \#(repeated { _ in "text" }) } }"#
        ),
        (
            "records around a mutation",
            #"mutation { updatePost(input: {id: "1"}) { \#(repeated { _ in "next { text }" }) } }"#
        ),
        ("functions as mutations", "mutation { \(repeated { _ in "make { text }" }) }"),
    ]

    private static let repeatedAggregates = (0..<50).map {
        #"{name: "\#(String(repeating: "n", count: 500))\#($0)", type: max, field: id}"#
    }.joined(separator: ", ")

    @Test("is bound by one limit, whatever writes it, and its error names the limit", arguments: ways.indices)
    func binds(index: Int) async throws {
        let (name, document) = Self.ways[index]
        let engine = try await Self.engine(Self.bytesMax)
        let whole = try await TestEngine(sharing: engine, outside: Self.outside(), functions: Self.functions) { _ in }
            .bytes(document)
        #expect(whole.count > Self.bytesMax + 2_000, "\(name)")
        let bytes = try await engine.bytes(document)
        // What is left are the names of the fields, the error, and what was written before.
        #expect(bytes.count < Self.bytesMax + 12_000, "\(name)")
        let answer = try JSONReader.value(of: bytes)
        let tooLarge = answer["errors"]?.array?.filter { $0["errorType"] == "ResponseTooLarge" } ?? []
        #expect(tooLarge.count == 1, "\(name): \(answer.errorTypes)")
        #expect(
            tooLarge.first?["message"]?.string?.hasPrefix(
                "The response has more than 20000 bytes (limits.responseBytes).")
                == true, "\(name)")
    }

    @Test("of a whole number of megabytes is said in those")
    func units() {
        for (bytes, text) in [(500, "500 bytes"), (1 << 20, "1 MB"), (32 << 20, "32 MB"), (1_500_000, "1500000 bytes")]
        {
            #expect(FieldFailure.responseTooLarge(bytes).message.hasPrefix("The response has more than \(text) "))
        }
    }

    @Test("that is used up has no further mutation made")
    func mutations() async throws {
        let engine = try await Self.engine(Self.bytesMax)
        let answer = try await engine.value(
            "mutation { \(Self.repeated { #"createPost(input: {id: "m\#($0)", text: "\#(Self.text)"}) { id text }"# }) }"
        )
        let made = (0..<100).filter { answer[path: "data", "a\($0)", "id"] != nil }
        #expect(made == Array(0..<made.count), "\(made)")
        // As many as fit, and perhaps the one that the limit was found with.
        #expect((1...Self.bytesMax / Self.text.utf8.count + 1).contains(made.count), "\(made.count)")
        let patient = try TestEngine(sharing: engine) { _ in }
        let stored = try await patient.value("{ \(Self.repeated { #"getPost(id: "m\#($0)") { id }"# }) }")
        #expect((0..<100).filter { stored[path: "data", "a\($0)", "id"] != nil } == made)
    }
}
