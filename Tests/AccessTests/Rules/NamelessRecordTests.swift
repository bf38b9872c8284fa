import JSON
import Testing

@testable import Access

/// Records whose owner or group field names nobody, such as those that an API key has made.
@Suite("Records that name nobody")
struct NamelessRecordTests {
    /// The rule, the field that it compares, and an input by which bob would make the record his.
    static let rules: [(rule: String, field: String, taking: String)] = [
        ("{allow: owner}", "owner", #"{"owner": "bob"}"#),
        ("{allow: owner}", "owner", #"{"owner": "sub-bob::bob"}"#),
        (
            #"{allow: owner, ownerField: "author", identityClaim: "username"}"#, "author", #"{"author": "bob"}"#
        ),
        (#"{allow: owner, ownerField: "editors"}"#, "editors", #"{"editors": ["bob"]}"#),
        (#"{allow: groups, groupsField: "team"}"#, "team", #"{"team": "Devs"}"#),
        (#"{allow: groups, groupsField: "teams"}"#, "teams", #"{"teams": ["Devs"]}"#),
    ]

    static let stored: [JSONValue?] = [nil, .null, "", .array([]), .array([.null]), .array([""]), 0, false]

    @Test("are nobody's: no input takes them, and nobody reads, deletes or hears them", arguments: rules.indices)
    func cannotBeTaken(row: Int) throws {
        let (rule, field, taking) = Self.rules[row]
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [\(rule)]) {
              id: ID! owner: String author: String editors: [String] team: String teams: [String]
            }
            type Open @model @auth(rules: [{allow: private, operations: [read]}]) {
              owner: String author: String editors: [String] team: String teams: [String]
              secret: String @auth(rules: [\(rule)])
            }
            """)
        let model = try test.model("Post")
        let secret = try #require(test.policy.field(type: "Open", field: "secret"))
        // One of bob's groups has no name: a record without a group must not be theirs either.
        let bob = Identity.userPool(username: "bob", sub: "sub-bob", groups: ["Devs", ""])
        let input = try object(taking)
        for identity in [Callers.bob, bob] {
            let caller = test.policy.caller(identity)
            for value in Self.stored {
                let record: (String) -> JSONValue? = { $0 == field ? value : nil }
                #expect(model.update.decision(for: caller, input: input, record: record) == .deny, "\(value as Any)")
                #expect(model.update.decision(for: caller, input: JSONObject(), record: record) == .deny)
                #expect(model.delete.decision(for: caller, record: record) == .deny)
                #expect(!model.get.decision(for: caller).admits(record))
                #expect(!model.list.decision(for: caller).admits(record))
                #expect(!secret.decision(for: caller).admits(record))
                guard
                    case .start(let filter?, _) = model.listen.outcome(
                        for: caller, hasClientFilter: false, argument: { _ in nil })
                else {
                    Issue.record("a listener without a filter")
                    continue
                }
                #expect(!filter.isMet(by: record))
            }
            // The other way round it holds: what names them is theirs.
            #expect(model.delete.decision(for: caller) { input[$0] } == .allow)
        }
    }

    @Test("a predicate without conditions is met by no record")
    func noConditions() {
        for value in Self.stored + ["bob"] { #expect(!AccessPredicate(anyOf: []).isMet { _ in value }) }
    }
}
