import JSON
import Testing

@testable import Access

@Suite("Subscribing")
struct ListenTests {
    private static let rules = """
        {allow: owner}, {allow: groups, groups: ["Admin"]}, {allow: groups, groupsField: "teams"}
        {allow: owner, ownerField: "editors"}
        """

    private static func filter(_ conditions: AccessPredicate.Condition...) -> ListenAccess.Outcome {
        .start(filter: AccessPredicate(anyOf: conditions), comparesArguments: false)
    }
    private static let owned = AccessPredicate.Condition(field: "owner", values: ["bob"], isList: false)
    private static let edited = AccessPredicate.Condition(field: "editors", values: ["bob"], isList: true)
    private static let shared = AccessPredicate.Condition(field: "teams", values: ["Devs"], isList: true)

    struct Row: Sendable {
        let rules: String
        let caller: Identity
        var owner: String?
        var hasClientFilter = false
        let outcome: ListenAccess.Outcome
    }

    static let rows = [
        Row(rules: rules, caller: Callers.bob, owner: "alice", outcome: .deny),
        Row(rules: rules, caller: Callers.bob, owner: "sub-alice::bob", outcome: .deny),
        Row(rules: rules, caller: Callers.apiKey, outcome: .deny),
        Row(rules: rules, caller: Callers.ann, outcome: .deny),
        Row(rules: #"{allow: groups, groups: ["Admin"]}"#, caller: Callers.bob, outcome: .deny),
        Row(rules: #"{allow: groups, groupsField: "teams"}"#, caller: Callers.carol, outcome: .deny),
        Row(rules: "{allow: owner, operations: [create, get, list]}", caller: Callers.bob, outcome: .deny),
        Row(rules: #"{allow: owner, identityClaim: "user_id"}"#, caller: Callers.bob, outcome: .deny),

        Row(rules: rules, caller: Callers.bob, outcome: filter(owned, edited, shared)),
        Row(rules: rules, caller: Callers.bob, owner: "", outcome: filter(owned, edited, shared)),
        Row(rules: rules, caller: Callers.bob, owner: "bob", outcome: filter(owned, edited, shared)),
        Row(rules: "{allow: owner}", caller: Callers.bob, outcome: filter(owned)),
        Row(
            rules: "{allow: owner}", caller: Callers.bob, owner: "sub-bob::bob",
            outcome: .start(filter: nil, comparesArguments: true)),
        Row(
            rules: "{allow: owner}", caller: Callers.bob, owner: "bob", hasClientFilter: true,
            outcome: filter(owned)),
        Row(rules: rules, caller: Callers.alice, owner: "bob", outcome: .start(filter: nil, comparesArguments: true)),
        Row(
            rules: rules, caller: Callers.alice, owner: "bob", hasClientFilter: true,
            outcome: .start(filter: nil, comparesArguments: false)),
        Row(rules: rules, caller: Callers.administrator, outcome: .start(filter: nil, comparesArguments: true)),
    ]

    @Test("who names somebody else is refused, who names nobody gets their own", arguments: rows.indices)
    func starts(row: Int) throws {
        let row = Self.rows[row]
        let test = try TestPolicy(
            "type Post @model @auth(rules: [\(row.rules)]) { id: ID! teams: [String] editors: [String] }")
        let outcome = try test.model("Post").listen.outcome(
            for: test.policy.caller(row.caller), hasClientFilter: row.hasClientFilter
        ) { $0 == "owner" ? row.owner : nil }
        #expect(outcome == row.outcome)
    }

    @Test("public subscriptions have no check of their own, but not for models without rules")
    func isPublic() throws {
        let test = try TestPolicy(
            """
            type Post @model(subscriptions: {level: public}) @auth(rules: [{allow: owner}]) { id: ID! }
            type None @model(subscriptions: {level: public}) { id: ID! }
            """)
        let bob = test.policy.caller(Callers.bob)
        let post = try test.model("Post").listen.outcome(for: bob, hasClientFilter: false) { _ in "alice" }
        #expect(post == .start(filter: nil, comparesArguments: true))
        #expect(try test.model("None").listen.outcome(for: bob, hasClientFilter: false) { _ in nil } == .deny)
    }
}
