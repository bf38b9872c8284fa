import Testing

@testable import Blueprint

@Suite("Directives of version 1 of the transformer")
struct LegacyTests {
    /// A schema for the first transformer, and one that means the same for the second.
    struct Pair: Sendable {
        let old: String
        let new: String
    }

    private static let legacy = Settings(silentProjectOfVersion: 1)

    static let pairs = [
        Pair(
            old: """
                type Order @model
                  @key(fields: ["customer", "day", "number"])
                  @key(name: "byStatus", fields: ["status", "day"], queryField: "ordersByStatus")
                  @key(name: "byNumber", fields: ["number"])
                {
                  customer: ID!
                  day: AWSDate!
                  number: Int!
                  status: String!
                }
                """,
            new: """
                type Order @model {
                  customer: ID! @primaryKey(sortKeyFields: ["day", "number"])
                  day: AWSDate!
                  number: Int! @index(name: "byNumber", queryField: null)
                  status: String! @index(name: "byStatus", sortKeyFields: ["day"], queryField: "ordersByStatus")
                }
                """),
        Pair(
            old: """
                type Post @model { id: ID! comments: [Comment] @connection(keyName: "byPost", fields: ["id"], limit: 5) }
                type Comment @model @key(name: "byPost", fields: ["postID"]) {
                  id: ID!
                  postID: ID!
                  post: Post @connection(fields: ["postID"])
                }
                """,
            new: """
                type Post @model { id: ID! comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"], limit: 5) }
                type Comment @model {
                  id: ID!
                  postID: ID! @index(name: "byPost", queryField: null)
                  post: Post @belongsTo(fields: ["postID"])
                }
                """),
        Pair(
            old: """
                type Team @model { id: ID! name: String }
                type Project @model { id: ID! teamID: ID! team: Team @connection(fields: ["teamID"]) }
                """,
            new: """
                type Team @model { id: ID! name: String }
                type Project @model { id: ID! teamID: ID! team: Team @hasOne(fields: ["teamID"]) }
                """),
    ]

    @Test("mean what their successors mean", arguments: pairs)
    func areReadAsSuccessors(pair: Pair) throws {
        let old = try #require(check(pair.old, Self.legacy).blueprint)
        let new = try #require(check(pair.new).blueprint)
        #expect(old.models.map(\.name) == new.models.map(\.name))
        for (one, other) in zip(old.models, new.models) {
            #expect(one.key == other.key)
            #expect(Set(one.indexes) == Set(other.indexes))
            #expect(one.relations == other.relations)
            #expect(one.keyFields == other.keyFields)
        }
    }

    @Test("keys that a connection implies are in inputs alone")
    func hidesImpliedKeys() throws {
        let made = check(
            "type Post @model { id: ID! comments: [Comment] @connection } type Comment @model { id: ID! }", Self.legacy)
        let facts = try Facts(of: try #require(made.api).printed()).facts
        #expect(facts.contains("CreateCommentInput.postCommentsId: ID"))
        #expect(facts.contains("UpdateCommentInput.postCommentsId: ID"))
        #expect(facts.filter { $0.contains("postCommentsId") }.count == 2)
    }

    @Test("two sides of one name have one key, named after the single side")
    func joinsNamedSides() throws {
        let made = check(
            """
            type Post @model { id: ID! comments: [Comment] @connection(name: "PostComments") }
            type Comment @model { id: ID! post: Post! @connection(name: "PostComments") }
            """, Self.legacy)
        let facts = try Facts(of: try #require(made.api).printed()).facts
        #expect(facts.contains("CreateCommentInput.commentPostId: ID!"))
        #expect(facts.contains("UpdateCommentInput.commentPostId: ID"))
        #expect(!facts.contains { $0.contains("postCommentsId") })
    }

    @Test("@versioned: updates name the version that they change")
    func versions() throws {
        let made = check("type Post @model @versioned { id: ID! }", Self.legacy)
        let facts = try Facts(of: try #require(made.api).printed()).facts
        #expect(facts.contains("Post.version: Int!"))
        #expect(facts.contains("UpdatePostInput.expectedVersion: Int!"))
        #expect(facts.contains("DeletePostInput.expectedVersion: Int!"))
        #expect(!facts.contains { $0.hasPrefix("CreatePostInput.version") })
        #expect(try #require(made.blueprint?.model(named: "Post")).versioning == Versioning())
    }

    @Test("what they became is said, without an error")
    func saysWhatTheyBecame() {
        for pair in Self.pairs {
            let made = check(pair.old, Self.legacy)
            #expect(!made.diagnostics.isEmpty)
            #expect(made.diagnostics.allSatisfy { $0.severity == .note })
        }
    }

    @Test("plurals of old projects add an s, unless the project says otherwise")
    func formsPlainPlurals() throws {
        let schema = "type Category @model { id: ID! }"
        #expect(try #require(check(schema, Self.legacy).api).printed().contains("listCategorys("))
        var settings = Self.legacy
        settings.improvePluralization = true
        #expect(try #require(check(schema, settings).api).printed().contains("listCategories("))
    }
}
