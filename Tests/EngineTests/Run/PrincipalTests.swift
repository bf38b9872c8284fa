import Access
import JSON
import Testing

@testable import Engine

@Suite("Principals and what they select")
struct PrincipalTests {
    private static let schema = """
        type Note @model @searchable @auth(rules: [{allow: public, provider: iam}, {allow: private, provider: iam}]) {
          id: ID! otherID: ID other: Other @belongsTo(fields: ["otherID"])
          boxID: ID @index(name: "byBox", queryField: "notesByBox")
        }
        type Other @model @auth(rules: [{allow: private, provider: iam}]) {
          id: ID! noteID: ID @index(name: "byNote") notes: [Note] @hasMany(indexName: "byBox", fields: ["id"])
        }
        """

    static let selections = [
        "id other { id }", "other { notes { items { id } } }", "... on Note { other { id } }", "...F",
        "other { ... on Other { notes { nextToken } } }",
    ]

    static let documents = [
        #"{ getNote(id: "1") { ‹› } }"#, "{ listNotes { items { ‹› } } }", "{ searchNotes { items { ‹› } } }",
        #"{ notesByBox(boxID: "b") { items { ‹› } } }"#, #"mutation { createNote(input: {}) { ‹› } }"#,
        #"mutation { updateNote(input: {id: "1"}) { ‹› } }"#,
        #"{ a: getNote(id: "1") { id } getNote(id: "1") { ‹› } }"#,
    ]

    @Test("lack a policy for the whole request where they lack it for a type below", arguments: documents)
    func nested(document: String) async throws {
        let engine = try TestEngine(Self.schema, project: { $0.defaultMode = .iam })
        let guest = Identity.iam(.unauthenticated, identityID: "us-east-1:2")
        let signedIn = Identity.iam(.authenticated, identityID: "us-east-1:1")
        for selection in Self.selections + ["id"] {
            let fragment = selection == "...F" ? " fragment F on Note { other { id } }" : ""
            let text = document.replacing("‹›", with: selection) + fragment
            _ = try await engine.value(text, as: signedIn)
            do {
                _ = try await engine.value(text, as: guest)
                #expect(selection == "id", "\(text)")
            } catch let refused as TestEngine.Refused {
                #expect(refused.description == "UnauthorizedException: Permission denied")
                #expect(selection != "id", "\(text)")
            }
        }
    }
}
