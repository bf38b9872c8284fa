import Access
import JSON
import Testing

@testable import Engine

@Suite("What an authorizer denies")
struct DeniedFieldTests {
    private static let schema = """
        type Post @model @searchable @auth(rules: [{allow: custom}]) {
          id: ID! title: String meta: Meta
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog") blog: Blog @belongsTo(fields: ["blogID"])
        }
        type Blog @model @auth(rules: [{allow: custom}]) {
          id: ID! name: String posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Meta { text: String }
        """

    /// The field, a document that asks for it, and where the null stands: the nearest place that may be null.
    static let rows: [(field: String, document: String, null: [String])] = [
        ("Query.getPost", #"{ x: getPost(id: "p") { id } }"#, ["x"]),
        ("Query.listPosts", "{ x: listPosts { items { id } } }", ["x"]),
        ("Query.searchPosts", "{ x: searchPosts { items { id } } }", ["x"]),
        ("Mutation.updatePost", #"mutation { x: updatePost(input: {id: "p", title: "new"}) { id } }"#, ["x"]),
        ("Mutation.createPost", #"mutation { x: createPost(input: {id: "new"}) { id } }"#, ["x"]),
        ("Mutation.deletePost", #"mutation { x: deletePost(input: {id: "p"}) { id } }"#, ["x"]),
        ("Post.title", #"{ x: getPost(id: "p") { id title } }"#, ["x", "title"]),
        ("Post.title", #"mutation { x: updatePost(input: {id: "p"}) { id title } }"#, ["x", "title"]),
        ("Post.meta", #"{ x: getPost(id: "p") { id meta { text } } }"#, ["x", "meta"]),
        ("Meta.text", #"{ x: getPost(id: "p") { id meta { text } } }"#, ["x", "meta", "text"]),
        ("Post.blog", #"{ x: getPost(id: "p") { id blog { name } } }"#, ["x", "blog"]),
        ("Blog.name", #"{ x: getPost(id: "p") { id blog { id name } } }"#, ["x", "blog", "name"]),
        ("Blog.posts", #"{ x: getBlog(id: "b") { id posts { items { id } } } }"#, ["x", "posts"]),
        ("ModelPostConnection.items", "{ x: listPosts { items { id } nextToken } }", ["x"]),
        ("ModelPostConnection.nextToken", "{ x: listPosts { nextToken __typename } }", ["x", "nextToken"]),
        ("ModelPostConnection.items", #"{ x: getBlog(id: "b") { id posts { items { id } } } }"#, ["x", "posts"]),
        ("ModelPostConnection.items", #"{ x: postsByBlog(blogID: "b") { items { id } } }"#, ["x"]),
    ]

    @Test("is null with an error wherever it is selected, and nothing else is", arguments: rows)
    func denied(_ row: (field: String, document: String, null: [String])) async throws {
        let engine = try TestEngine(Self.schema, project: { $0.defaultMode = .lambda })
        let open = Identity.lambda(deniedFields: [])
        try await engine.create("Blog", [JSONObject([("id", "b"), ("name", "n")])], as: open)
        try await engine.create(
            "Post",
            [JSONObject([("id", "p"), ("title", "t"), ("blogID", "b"), ("meta", ["text": "m"] as JSONValue)])], as: open
        )
        let field = row.field.split(separator: ".")
        let response = try await engine.value(row.document, as: .lambda(deniedFields: [row.field]))
        #expect(
            response.messages == ["Not Authorized to access \(field[1]) on type \(field[0])"], "\(response.text)")
        #expect(response.errorTypes == ["Unauthorized"])
        var place = response["data"]
        for name in row.null {
            #expect(place?.isNull == false, "\(response.text)")
            place = place?[name]
        }
        #expect(place == .null, "\(response.text)")
        // What was denied has changed nothing.
        let title = try await engine.value(#"{ getPost(id: "p") { title } x: getPost(id: "new") { id } }"#, as: open)
        #expect(title[path: "data", "getPost", "title"] == "t")
        #expect(title[path: "data", "x"] == .null)
        #expect(try await engine.value(row.document, as: open)["errors"] == nil)
    }
}
