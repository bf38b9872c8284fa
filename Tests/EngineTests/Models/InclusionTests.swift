import JSON
import Testing

@testable import Engine

/// A field that stands several times in a selection is there when one of its places is met.
@Suite("Fields under conditions")
struct InclusionTests {
    private static let schema = """
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! title: String meta: Meta
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
          blog: Blog @belongsTo(fields: ["blogID"])
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! name: String posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Meta { text: String list: [Meta] }
        """

    /// A selection with a field `a` twice, each under a condition, and what is there when the field is.
    static let documents: [(document: String, path: [String])] = [
        ("{ r: listPosts { items { x: __typename a: id ‹x› a: id ‹y› } } }", ["r", "items"]),
        ("{ r: __typename a: __typename ‹x› a: __typename ‹y› }", []),
        (#"{ r: __typename a: getPost(id: "p") ‹x› { id } a: getPost(id: "p") ‹y› { id } }"#, []),
        (#"{ r: getPost(id: "p") { x: __typename a: blog ‹x› { id } a: blog ‹y› { id } } }"#, ["r"]),
        (#"{ r: getPost(id: "p") { x: __typename a: meta ‹x› { text } a: meta ‹y› { text } } }"#, ["r"]),
        (#"{ r: getPost(id: "p") { meta { x: __typename a: text ‹x› a: text ‹y› } } }"#, ["r", "meta"]),
        (
            #"{ r: getBlog(id: "b") { x: __typename a: posts ‹x› { nextToken } a: posts ‹y› { nextToken } } }"#,
            ["r"]
        ),
        (
            #"{ r: getBlog(id: "b") { posts { x: __typename a: items ‹x› { id } a: items ‹y› { id } } } }"#,
            ["r", "posts"]
        ),
        (#"{ r: getPost(id: "p") { x: __typename a: id ‹x› ... on Post { a: id ‹y› } } }"#, ["r"]),
        (#"{ r: getPost(id: "p") { x: __typename ... ‹x› { a: id } ...F ‹y› } } fragment F on Post { a: id }"#, ["r"]),
        (#"{ r: __schema { x: __typename a: queryType ‹x› { name } a: queryType ‹y› { name } } }"#, ["r"]),
        (
            #"mutation { r: updatePost(input: {id: "p"}) { x: __typename a: id ‹x› a: id ‹y› } }"#, ["r"]
        ),
        (
            #"mutation { r: __typename a: updatePost(input: {id: "p"}) ‹x› { id } a: updatePost(input: {id: "p"}) ‹y› { id } }"#,
            []
        ),
    ]

    @Test("are there when one of their places is met, and only then", arguments: documents.indices)
    func places(row: Int) async throws {
        let (document, path) = Self.documents[row]
        let engine = try TestEngine(Self.schema)
        try await engine.create("Blog", [JSONObject([("id", "b"), ("name", "n")])])
        try await engine.create(
            "Post", [JSONObject([("id", "p"), ("title", "t"), ("blogID", "b"), ("meta", ["text": "m"] as JSONValue)])])
        let forms: [(x: String, y: String)] = [
            ("@include(if: $x)", "@include(if: $y)"), ("@skip(if: $nx)", "@skip(if: $ny)"),
            ("@include(if: $x)", "@skip(if: $ny)"), ("@include(if: $x) @skip(if: $nx)", "@include(if: $y)"),
        ]
        for form in forms {
            let text = document.replacing("‹x›", with: form.x).replacing("‹y›", with: form.y)
            let kind = text.hasPrefix("mutation") ? "mutation" : "query"
            let body = text.hasPrefix("mutation") ? text.dropFirst(8) : text[...]
            let declared = ["x", "y", "nx", "ny"].filter { name in text.contains("$\(name))") }
                .map { "$\($0): Boolean!" }.joined(separator: ", ")
            // Both at first and last, so that what is kept of one request is met by the next.
            for (x, y) in [(false, true), (true, false), (false, false), (true, true), (false, true)] {
                let all: [(String, JSONValue)] = [
                    ("x", .bool(x)), ("y", .bool(y)), ("nx", .bool(!x)), ("ny", .bool(!y)),
                ]
                let variables = JSONObject(all.filter { text.contains("$\($0.0))") })
                let response = try await engine.value("\(kind) Q(\(declared))\(body)", variables)
                var place = path.reduce(response["data"]) { $0?[$1] }
                if let items = place?.array { place = items.first }
                #expect((place?["a"] != nil) == (x || y), "\(text) \(x) \(y): \(response.text)")
                #expect(response["errors"] == nil, "\(response.text)")
            }
        }
    }
}
