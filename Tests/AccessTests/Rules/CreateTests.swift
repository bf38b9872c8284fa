import JSON
import Testing

@testable import Access

@Suite("Creating")
struct CreateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rules: String
        let caller: Identity
        let input: String
        /// What is filled in; nil when it is denied.
        let filled: String?
        var denied: [String] = []
        var testDescription: String { "\(rules) \(caller.name) \(input)" }
    }

    private static let ownerAndAdmins = #"{allow: owner}, {allow: groups, groups: ["Admin"]}"#
    private static let editors = #"{allow: owner, ownerField: "editors"}"#
    private static let two = #"{allow: owner}, {allow: owner, ownerField: "author", identityClaim: "username"}"#
    private static let whole = #"{"owner": "sub-carol::carol"}"#

    static let rows = [
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": "someone"}"#, filled: nil),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": null}"#, filled: nil),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": ""}"#, filled: nil),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": "sub-bob::carol"}"#, filled: nil),
        Row(rules: "{allow: owner}", caller: Callers.ann, input: "{}", filled: nil),
        Row(rules: "{allow: owner, provider: oidc}", caller: Callers.ann, input: "{}", filled: nil),
        Row(rules: "{allow: owner, operations: [read]}", caller: Callers.carol, input: "{}", filled: nil),
        Row(rules: editors, caller: Callers.carol, input: #"{"editors": ["bob"]}"#, filled: nil),
        Row(rules: editors, caller: Callers.carol, input: #"{"editors": []}"#, filled: nil),
        Row(rules: #"{allow: owner, identityClaim: "email"}"#, caller: Callers.carol, input: "{}", filled: nil),
        Row(rules: "{allow: groups, groupsField: \"team\"}", caller: Callers.bob, input: "{}", filled: nil),
        Row(
            rules: "{allow: groups, groupsField: \"team\"}", caller: Callers.bob, input: #"{"team": "X"}"#, filled: nil),
        Row(
            rules: "{allow: groups, groupsField: \"teams\"}", caller: Callers.bob, input: #"{"teams": "Devs"}"#,
            filled: nil),

        Row(rules: "{allow: owner}", caller: Callers.carol, input: "{}", filled: whole),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": "carol"}"#, filled: "{}"),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: #"{"owner": "sub-carol"}"#, filled: "{}"),
        Row(rules: "{allow: owner}", caller: Callers.carol, input: whole, filled: "{}"),
        Row(rules: editors, caller: Callers.carol, input: "{}", filled: #"{"editors": ["sub-carol::carol"]}"#),
        Row(rules: editors, caller: Callers.carol, input: #"{"editors": ["bob", "carol"]}"#, filled: "{}"),
        Row(
            rules: two, caller: Callers.carol, input: "{}",
            filled: #"{"owner": "sub-carol::carol", "author": "carol"}"#),
        Row(rules: two, caller: Callers.carol, input: #"{"owner": "x", "author": "carol"}"#, filled: "{}"),
        Row(
            rules: ownerAndAdmins, caller: Callers.alice, input: "{}", filled: #"{"owner": "sub-alice::alice"}"#),
        Row(rules: ownerAndAdmins, caller: Callers.alice, input: #"{"owner": null}"#, filled: "{}"),
        Row(rules: ownerAndAdmins, caller: Callers.alice, input: #"{"owner": "bob"}"#, filled: "{}"),
        Row(
            rules: "{allow: owner}, {allow: private}", caller: Callers.bob, input: "{}",
            filled: #"{"owner": "sub-bob::bob"}"#),
        Row(rules: "{allow: owner}, {allow: public}", caller: Callers.apiKey, input: "{}", filled: "{}"),
        Row(
            rules: "{allow: owner}, {allow: private, provider: identityPool}", caller: Callers.signedIn, input: "{}",
            filled: "{}"),
        Row(rules: "{allow: owner}", caller: Callers.administrator, input: "{}", filled: "{}"),
        Row(
            rules: "{allow: groups, groupsField: \"teams\"}", caller: Callers.bob, input: #"{"teams": ["X", "Devs"]}"#,
            filled: "{}"),
        Row(
            rules: "{allow: groups, groupsField: \"team\"}", caller: Callers.bob, input: #"{"team": "Devs"}"#,
            filled: "{}"),
    ]

    @Test("whoever names themselves, or nobody, becomes the owner", arguments: rows)
    func fills(row: Row) throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [\(row.rules)]) {
              id: ID! owner: String author: String editors: [String] team: String teams: [String]
            }
            """)
        let outcome = try test.model("Post").create
            .outcome(for: test.policy.caller(row.caller), input: try object(row.input))
        #expect(outcome == (try row.filled.map { .allow(filling: try object($0)) } ?? .deny))
    }

    @Test("without the project's setting, a group's member does not become the owner")
    func option() throws {
        let test = try TestPolicy("type Post @model @auth(rules: [\(Self.ownerAndAdmins)]) { id: ID! }") {
            $0.populateOwnerFieldForStaticGroupAuth = false
        }
        let create = try test.model("Post").create
        #expect(
            create.outcome(for: test.policy.caller(Callers.alice), input: JSONObject())
                == .allow(filling: JSONObject()))
        #expect(
            create.outcome(for: test.policy.caller(Callers.bob), input: JSONObject())
                == .allow(filling: try object(#"{"owner": "sub-bob::bob"}"#)))
    }

    @Test("with rights on some fields, the others are named in the order of the input")
    func partial() throws {
        let test = try TestPolicy(
            """
            type Student @model @auth(rules: [{allow: groups, groups: ["Admin"]}]) {
              name: String @auth(rules: [{allow: groups, groups: ["Admin"]}, {allow: private, operations: [create]}])
              grade: Int
              school: School @belongsTo
            }
            type School @model @auth(rules: [{allow: private}]) { id: ID! students: [Student] @hasMany }
            """)
        let create = try test.model("Student").create
        let carol = test.policy.caller(Callers.carol)
        let denied = try create.outcome(
            for: carol, input: object(#"{"grade": 1, "id": "s", "name": "n", "schoolStudentsId": "x"}"#))
        #expect(denied == .denyFields(["grade", "id", "schoolStudentsId"]))
        #expect(WriteDecision.message(denying: ["grade", "id"]) == "Unauthorized on [grade, id]")
        #expect(
            try create.outcome(for: carol, input: object(#"{"name": "n"}"#)) == .allow(filling: JSONObject()))
        #expect(
            try create.outcome(for: test.policy.caller(Callers.alice), input: object(#"{"grade": 1, "id": "s"}"#))
                == .allow(filling: JSONObject()))
        #expect(create.outcome(for: test.policy.caller(Callers.apiKey), input: JSONObject()) == .deny)
    }
}
