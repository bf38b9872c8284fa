import JSON
import Testing

@testable import Access

@Suite("What a token claims")
struct ClaimTests {
    /// Texts that hold a group's name, and are not it.
    static let otherGroups = [
        "X,Admin", "Admin,X", "X, Admin", "X Admin", "Admin X", "Admin;X", "X|Admin", "Admin\nX", " Admin", "Admin ",
        "Admin,", ",Admin", "X:Admin", "Admin/X", "\"Admin\"", "{Admin}", "['Admin']", "[Admin]",
    ]

    @Test("a claim that is a text is one group, whatever stands between its words", arguments: otherGroups)
    func groups(text: String) throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [
              {allow: groups, groups: ["Admin"], groupClaim: "roles"}
              {allow: groups, groupsField: "team", groupClaim: "roles"}]) { id: ID! team: String }
            """)
        let list = try test.model("Post").list
        for claim in [JSONValue.string(text), .array([.string(text)])] {
            let identity = Identity.userPool(username: "u", sub: "s", claims: [("roles", claim)])
            let decision = list.decision(for: test.policy.caller(identity))
            #expect(!decision.admits { _ in "Admin" })
            #expect(!decision.admits { _ in "X" })
        }
    }

    @Test("a claim of which a part is missing reads what its parts name, and writes nothing")
    func incomplete() throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [{allow: owner, provider: oidc}]) { text: String }
            type Open @model @auth(rules: [{allow: private, provider: oidc, operations: [read]}]) {
              owner: String secret: String @auth(rules: [{allow: owner, provider: oidc}])
            }
            """)
        // The claim is `sub::username`, and the token has no username.
        let ann = test.policy.caller(Callers.ann)
        let model = try test.model("Post")
        let record: (String) -> JSONValue? = { _ in "sub-ann" }
        #expect(model.list.decision(for: ann).admits(record))
        #expect(model.get.decision(for: ann).admits(record))
        #expect(model.create.outcome(for: ann, input: JSONObject()) == .deny)
        #expect(model.update.decision(for: ann, input: JSONObject(), record: record) == .deny)
        #expect(model.delete.decision(for: ann, record: record) == .deny)
        #expect(!(try #require(test.policy.field(type: "Open", field: "secret")).decision(for: ann).admits(record)))
        #expect(model.listen.outcome(for: ann, hasClientFilter: false) { _ in nil } == .deny)
    }

    @Test(
        "a field that may not be written may not be sent, whatever is sent",
        arguments: ["null", "1", "\"\"", "[]", "{}"])
    func creates(value: String) throws {
        let test = try TestPolicy(
            """
            type Employee @model @auth(rules: [{allow: private, operations: [create, read]}]) {
              name: String salary: Int @auth(rules: [{allow: groups, groups: ["Admin"]}])
            }
            """)
        let create = try test.model("Employee").create
        let input = try object(#"{"name": "n", "salary": \#(value)}"#)
        #expect(create.outcome(for: test.policy.caller(Callers.bob), input: input) == .denyFields(["salary"]))
        #expect(
            create.outcome(for: test.policy.caller(Callers.alice), input: input)
                == .allow(filling: JSONObject()))
    }
}
