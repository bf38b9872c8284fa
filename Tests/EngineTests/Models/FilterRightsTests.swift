import Access
import JSON
import Testing

@testable import Engine

@Suite("A filter over a protected field")
struct FilterRightsTests {
    private static let schema = """
        type Post @model @searchable @auth(rules: [{allow: public}, {allow: private}, {allow: owner}]) {
          id: ID! title: String owner: String
          secret: String @auth(rules: [{allow: owner}])
          parentID: ID @index(name: "byParent", queryField: "postsByParent")
          posts: [Post] @hasMany(indexName: "byParent", fields: ["id"])
        }
        """

    private static let alice = Identity.userPool(username: "alice", sub: "sub-alice")

    private static func engine() async throws -> TestEngine {
        let engine = try TestEngine(schema, project: { $0.additionalModes = [.userPools] })
        for (id, owner) in [("1", alice), ("2", Identity.userPool(username: "bob", sub: "sub-bob"))] {
            try await engine.create(
                "Post", [JSONObject([("id", .string(id)), ("secret", "abc"), ("parentID", "1")])], as: owner)
        }
        return engine
    }

    static let documents: [(document: String, field: String, found: JSONValue)] = [
        (#"{ x: listPosts(filter: {secret: {beginsWith: "a"}}) { items { id } } }"#, "x", ["items": [["id": "1"]]]),
        (
            #"{ x: listPosts(filter: {not: {secret: {beginsWith: "b"}}}) { items { id } } }"#, "x",
            ["items": [["id": "1"]]]
        ),
        (
            #"{ x: listPosts(filter: {or: [{title: {eq: "t"}}, {secret: {attributeExists: true}}]}) { items { id } } }"#,
            "x", ["items": [["id": "1"]]]
        ),
        (
            #"{ x: postsByParent(parentID: "1", filter: {secret: {gt: "a"}}) { items { id } } }"#, "x",
            ["items": [["id": "1"]]]
        ),
        (
            #"{ x: searchPosts(filter: {secret: {wildcard: "a*"}}) { items { id } total } }"#, "x",
            ["items": [["id": "1"]], "total": 1]
        ),
        (
            #"{ x: searchPosts(sort: {field: secret, direction: asc}) { items { id } } }"#, "x",
            ["items": [["id": "1"]]]
        ),
        (
            #"mutation { x: updatePost(input: {id: "1", title: "t"}, condition: {secret: {lt: "b"}}) { id } }"#, "x",
            ["id": "1"]
        ),
    ]

    @Test("finds what the caller may read, and is refused where that is nothing", arguments: documents)
    func asks(_ row: (document: String, field: String, found: JSONValue)) async throws {
        let engine = try await Self.engine()
        let owners = try await engine.value(row.document, as: Self.alice)
        #expect(owners["data"]?[row.field] == row.found, "\(owners.text)")
        let refused = try await engine.value(row.document, as: .apiKey)
        #expect(refused["data"]?[row.field] == .null)
        #expect(refused.messages == ["Not Authorized to access secret on type Post"], "\(refused.text)")
    }

    @Test("in a relation, and in a condition on somebody else's record, tells nothing either")
    func elsewhere() async throws {
        let engine = try await Self.engine()
        let nested = #"{ getPost(id: "1") { id posts(filter: {secret: {contains: "b"}}) { items { id } } } }"#
        #expect(
            try await engine.value(nested, as: Self.alice)[path: "data", "getPost", "posts", "items"] == [["id": "1"]])
        let refused = try await engine.value(nested, as: .apiKey)
        #expect(refused[path: "data", "getPost"] == ["id": "1", "posts": nil])
        let answers = try await ["a", "x"].asyncMap { guess in
            try await engine.text(
                #"mutation { updatePost(input: {id: "2", title: "t"}, condition: {secret: {beginsWith: "\#(guess)"}}) { id } }"#,
                as: Self.alice)
        }
        #expect(Scenario.masked(answers[0]) == Scenario.masked(answers[1]))
    }
}

extension Array {
    /// One after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
