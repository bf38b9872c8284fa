import GraphQL
import Testing

@testable import Blueprint

@Suite("What a blueprint answers")
struct BlueprintQuestionsTests {
    private func blueprint(_ schema: String, _ settings: Settings = Settings()) throws -> Blueprint {
        let made = check(schema, settings)
        return try #require(made.blueprint, "\(made.errors)")
    }

    @Test("which key a relation by references uses, and which index finds the other side")
    func answersReferences() throws {
        let blueprint = try blueprint(
            """
            type Team @model { a: ID! @primaryKey(sortKeyFields: ["b"]) b: Int! members: [Member] @hasMany(references: ["ta", "tb"]) }
            type Member @model { id: ID! ta: ID tb: Int team: Team @belongsTo(references: ["ta", "tb"]) }
            """)
        let members = try #require(blueprint.model(named: "Team")?.relation(named: "members"))
        #expect(members.kind == .hasMany)
        #expect(members.sourceFields == ["a", "b"])
        #expect(members.targetFields == ["ta", "tb"])
        #expect(members.lookup == .index("gsi-Team.members"))
        let index = try #require(blueprint.model(named: "Member")?.index(named: "gsi-Team.members"))
        #expect(index.partition.field == "ta")
        #expect(index.sort.map(\.field) == ["tb"])
        let team = try #require(blueprint.model(named: "Member")?.relation(named: "team"))
        #expect(team.sourceFields == ["ta", "tb"])
        #expect(team.targetFields == ["a", "b"])
        #expect(team.lookup == .primaryKey)
        #expect(blueprint.target(of: team)?.name == "Team")
    }

    @Test("which fields a relation adds when it names none")
    func answersImplicitKeys() throws {
        let blueprint = try blueprint(
            """
            type Post @model { id: ID! comments: [Comment] @hasMany cover: Image @hasOne }
            type Comment @model { id: ID! }
            type Image @model { id: ID! }
            """)
        #expect(blueprint.model(named: "Comment")?.keyFields.map(\.name) == ["postCommentsId"])
        #expect(blueprint.model(named: "Post")?.keyFields.map(\.name) == ["postCoverId"])
    }

    @Test("which index answers a query")
    func answersQueries() throws {
        let blueprint = try blueprint(
            """
            type Order @model {
              id: ID!
              region: String! @index(name: "byRegion", sortKeyFields: ["day", "number"], queryField: "ordersIn")
              day: AWSDate!
              number: Int!
            }
            """)
        let index = try #require(blueprint.model(named: "Order")?.index(answering: "ordersIn"))
        #expect(index.name == "byRegion")
        #expect(index.sort == [KeyPart(field: "day", typeName: "AWSDate"), KeyPart(field: "number", typeName: "Int")])
    }

    @Test("who may read a field")
    func answersRules() throws {
        var settings = Settings()
        settings.additionalModes = [.userPools]
        let blueprint = try blueprint(
            """
            type Note @model @auth(rules: [{ allow: owner }, { allow: public, operations: [read] }]) {
              id: ID
              text: String
              secret: String @auth(rules: [{ allow: owner }])
            }
            """, settings)
        let matrix = try #require(blueprint.model(named: "Note")?.matrix)
        let strategies: (String) -> [AccessRule.Strategy] = { field in
            matrix.roles.indices.filter { matrix.mayRead($0, field: field) }.map { matrix.roles[$0].strategy }
        }
        #expect(Set(strategies("text")) == [.owner, .public])
        #expect(strategies("secret") == [.owner])
        #expect(matrix.isRestricted(field: "secret"))
        #expect(!matrix.isRestricted(field: "text"))
    }

    @Test("what runs behind a custom operation, and where errors in the schema would point to it")
    func answersOperations() throws {
        let blueprint = try blueprint(
            """
            type Query { echo(text: String): String @function(name: "echo") }
            type Mutation { ping: String @http(url: "https://example.com/ping", method: POST) }
            """)
        let echo = try #require(blueprint.customOperations(.query).first)
        guard case .functions(let calls)? = echo.resolver else {
            Issue.record("\(String(describing: echo.resolver))")
            return
        }
        #expect(calls.map(\.name) == ["echo"])
        guard case .http(let call)? = try #require(blueprint.customOperations(.mutation).first).resolver else {
            Issue.record("no call")
            return
        }
        #expect(call.method.rawValue == "POST")
    }
}
