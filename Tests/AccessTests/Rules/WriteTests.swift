import JSON
import Testing

@testable import Access

@Suite("Changing and deleting")
struct WriteTests {
    /// The worked example of Amplify's documentation, and a field that needs a right to be cleared.
    private static let employees = """
        type Employee @model(subscriptions: {level: public})
          @auth(rules: [{allow: owner, ownerField: "email", operations: [read]}, {allow: groups, groups: ["Admin"]}]) {
          id: ID!
          email: String!
          salary: Int
          bio: String @auth(rules: [
            {allow: owner, ownerField: "email", operations: [read, update]}, {allow: groups, groups: ["Admin"]}])
          notes: [String] @auth(rules: [
            {allow: owner, ownerField: "email", operations: [read]},
            {allow: groups, groups: ["Admin"], operations: [create, read, update]}])
        }
        """

    static let rows: [(Identity, String, WriteDecision)] = [
        (Callers.carol, #"{"id": "e", "notes": ["x"]}"#, .denyFields(["notes"])),
        (Callers.carol, #"{"id": "e", "bio": null}"#, .denyFields(["bio"])),
        (Callers.carol, #"{"id": "e", "salary": 9, "bio": "b"}"#, .denyFields(["salary"])),
        (Callers.carol, #"{"id": "e", "salary": 9, "bio": null}"#, .denyFields(["bio", "salary"])),
        (Callers.alice, #"{"id": "e", "notes": null}"#, .denyFields(["notes"])),
        (Callers.bob, #"{"id": "e", "bio": "b"}"#, .deny),
        (Callers.apiKey, #"{"id": "e", "bio": "b"}"#, .deny),
        (Callers.carol, #"{"id": "e", "bio": "b"}"#, .allow),
        (Callers.alice, #"{"id": "e", "notes": ["n"], "bio": null, "salary": 1}"#, .allow),
        (Callers.administrator, #"{"id": "e", "notes": null}"#, .allow),
    ]

    @Test("fields are denied one by one, and null needs the right to delete", arguments: rows.indices)
    func fields(row: Int) throws {
        let (identity, input, expected) = Self.rows[row]
        let test = try TestPolicy(Self.employees)
        let record = try object(#"{"id": "e", "email": "carol"}"#)
        let decision = try test.model("Employee").update
            .decision(for: test.policy.caller(identity), input: object(input)) { record[$0] }
        #expect(decision == expected)
    }

    @Test("deleting takes the right on every field")
    func deletes() throws {
        let test = try TestPolicy(Self.employees)
        let model = try test.model("Employee")
        for identity in [Callers.alice, Callers.carol, Callers.bob] {
            #expect(model.delete.decision(for: test.policy.caller(identity)) { _ in "carol" } == .deny)
        }
        #expect(model.delete.decision(for: test.policy.caller(Callers.administrator)) { _ in nil } == .allow)
    }

    @Test("a record that is missing is denied to those who would need it, and allowed to the others")
    func missing() throws {
        let test = try TestPolicy(
            #"type Post @model @auth(rules: [{allow: owner}, {allow: groups, groups: ["Admin"]}]) { id: ID! }"#)
        let model = try test.model("Post")
        let input = try object(#"{"id": "p"}"#)
        #expect(model.update.decision(for: test.policy.caller(Callers.bob), input: input) { _ in nil } == .deny)
        #expect(model.delete.decision(for: test.policy.caller(Callers.bob)) { _ in nil } == .deny)
        #expect(model.update.decision(for: test.policy.caller(Callers.alice), input: input) { _ in nil } == .allow)
        #expect(model.delete.decision(for: test.policy.caller(Callers.alice)) { _ in nil } == .allow)
        #expect(model.update.recordFields == ["owner"])
    }

    @Test("the stored record is judged, not the input")
    func judgesTheRecord() throws {
        let test = try TestPolicy("type Post @model @auth(rules: [{allow: owner}]) { id: ID! owner: String }")
        let model = try test.model("Post")
        let bob = test.policy.caller(Callers.bob)
        let taking = try object(#"{"owner": "bob"}"#)
        let giving = try object(#"{"owner": "carol"}"#)
        #expect(model.update.decision(for: bob, input: taking) { _ in "sub-carol::carol" } == .deny)
        #expect(model.update.decision(for: bob, input: giving) { _ in "sub-bob::bob" } == .allow)
    }

    @Test("a name that looks like somebody's identity does not become them")
    func lookalike() throws {
        let test = try TestPolicy("type Post @model @auth(rules: [{allow: owner}]) { id: ID! }")
        let mallory = Identity.userPool(username: "sub-alice::alice", sub: "sub-mallory")
        let caller = test.policy.caller(mallory)
        let model = try test.model("Post")
        #expect(model.delete.decision(for: caller) { _ in "sub-alice::alice" } == .deny)
        #expect(!model.list.decision(for: caller).admits { _ in "sub-alice::alice" })
        #expect(model.delete.decision(for: caller) { _ in "sub-mallory::sub-alice::alice" } == .allow)
        let nobody = test.policy.caller(Identity.userPool(username: "", sub: ""))
        #expect(model.list.decision(for: nobody) == .deny)
    }
}
