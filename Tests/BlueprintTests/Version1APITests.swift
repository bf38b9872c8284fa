import Testing

@testable import Blueprint

/// What the golden schemas of version 1 do not show: what is read for a relation, and which models are synced.
@Suite("Version 1 of the transformer")
struct Version1APITests {
    private static let settings = Settings(silentProjectOfVersion: 1)

    private func model(_ name: String, in schema: String, _ settings: Settings = Self.settings) throws -> Model {
        let made = check(schema, settings)
        return try #require(made.blueprint?.model(named: name), "\(made.errors)")
    }

    @Test("a list of a given key field is queried by that field, declared or not", arguments: ["", "postID: ID!"])
    func queriesByKeyField(declaration: String) throws {
        let schema = """
            type Post @model { id: ID! comments: [Comment] @connection(keyField: "postID") }
            type Comment @model { id: ID! t: String \(declaration) }
            """
        let relation = try #require(try model("Post", in: schema).relations.first)
        #expect(relation.targetFields == ["postID"])
        #expect(relation.lookup == .index("gsi-Post.comments"))
        let index = try #require(try model("Comment", in: schema).index(named: "gsi-Post.comments"))
        #expect(index.partition.field == "postID")
        #expect(try model("Comment", in: schema).keyFields.map(\.name) == (declaration.isEmpty ? ["postID"] : []))
    }

    @Test("the list of two named sides is in the order that either side asks for")
    func sortsByEitherSide() throws {
        for (list, single, takes) in [("", ", sortField: \"at\"", true), (", sortField: \"at\"", "", false)] {
            let schema = """
                type Post @model { id: ID! comments: [Comment] @connection(name: "C"\(list)) }
                type Comment @model { id: ID! at: Int post: Post @connection(name: "C"\(single)) }
                """
            let relation = try #require(try model("Post", in: schema).relations.first)
            #expect(relation.sortParts.map(\.field) == (takes ? ["at"] : []))
            #expect(try model("Comment", in: schema).index(named: "gsi-C")?.sort.map(\.field) == ["at"])
        }
    }

    @Test("a single record is found by its key and the field that has its sort key")
    func findsBySortField() throws {
        let schema = """
            type Post @model { id: ID! at: String tag: Tag @connection(sortField: "at") }
            type Tag @model @key(fields: ["name", "at"]) { name: ID! at: String! }
            """
        let relation = try #require(try model("Post", in: schema).relations.first)
        #expect(relation.lookup == .primaryKey)
        #expect(relation.sourceFields == ["postTagId", "at"])
        #expect(relation.targetFields == ["name", "at"])
    }

    @Test("a part of a key finds the first record that has it")
    func findsByPart() throws {
        let schema = """
            type Post @model { id: ID! name: ID! tag: Tag @connection(fields: ["name"]) }
            type Tag @model @key(fields: ["name", "at"]) { name: ID! at: String! }
            """
        let relation = try #require(try model("Post", in: schema).relations.first)
        #expect(relation.lookup == .index("gsi-Post.tag"))
        #expect(try model("Tag", in: schema).index(named: "gsi-Post.tag")?.parts.map(\.field) == ["name"])
    }

    @Test("only the models are synced that are named, or all of them")
    func syncsNamedModels() throws {
        let schema = "type A @model { id: ID! } type Person @model(queries: null) { id: ID! }"
        var settings = Self.settings
        settings.conflictStrategies = ["Person": .optimisticConcurrency]
        #expect(try !model("A", in: schema, settings).isSynced)
        #expect(try model("A", in: schema, settings).operations.sync == nil)
        #expect(try model("Person", in: schema, settings).conflictStrategy == .optimisticConcurrency)
        #expect(try model("Person", in: schema, settings).operations.sync == "syncPeople")
        settings.conflictStrategy = .automerge
        #expect(try model("A", in: schema, settings).conflictStrategy == .automerge)
        settings.transformerVersion = 2
        settings.conflictStrategy = nil
        #expect(try model("A", in: schema, settings).isSynced)
    }

    @Test("a directive in an extension of a model has no effect, and that is said")
    func ignoresExtensions() throws {
        let made = check(
            "type A @model { id: ID! } extend type A { b: A @connection c: Int }", Self.settings)
        #expect(made.diagnostics.map(\.message) == ["@connection has no effect in an extension of A"])
        #expect(made.blueprint?.model(named: "A")?.relations.isEmpty == true)
    }

    @Test("a function has a name")
    func namesFunctions() {
        let made = check("type Query { a: Int @function(name: \"\") }", Self.settings)
        #expect(made.errors.map(\.message) == ["Must supply a 'name' to @function."])
    }

    @Test("an empty name of a time takes it away", arguments: [1, 2])
    func takesTimesAway(version: Int) throws {
        var settings = Self.settings
        settings.transformerVersion = version
        let schema = "type A @model(timestamps: {createdAt: \"\"}) { id: ID! }"
        #expect(try model("A", in: schema, settings).timestamps == Timestamps(createdAt: nil))
    }

    @Test("two models with one operation are refused before anything else of them is looked at")
    func refusesTwins() {
        let made = check(
            """
            type A @model { id: ID! b: [A] @connection(name: "x") }
            type B @model(queries: {get: "getA"}, mutations: {create: "deleteA"}) { id: ID! }
            type Query { listA: Int listAs: Int }
            """, Self.settings)
        #expect(
            made.errors.map(\.message).prefix(3) == [
                "Object type extension 'Query' cannot redeclare field listAs",
                "Object type extension 'Query' cannot redeclare field getA",
                "Object type extension 'Mutation' cannot redeclare field deleteA",
            ])
    }

    @Test("nothing is said of rules that version 2 would warn of")
    func hasNoWarnings() {
        var settings = Self.settings
        settings.defaultMode = .userPools
        settings.additionalModes = [.iam]
        let made = check(
            """
            type A @model @auth(rules: [{allow: owner}, {allow: private, provider: iam}]) { id: ID! Owner: String }
            """, settings)
        #expect(made.diagnostics.isEmpty)
    }
}
