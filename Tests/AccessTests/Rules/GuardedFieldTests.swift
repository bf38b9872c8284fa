import JSON
import Testing

@testable import Access

/// Somebody has some right to the records, and none to one of their fields: the field is checked by itself.
@Suite("Fields that somebody with other rights may not read")
struct GuardedFieldTests {
    /// Rules, and somebody whom only they admit.
    static let roles: [(rule: String, caller: Identity)] = [
        ("allow: private", Callers.carol),
        (#"allow: groups, groups: ["Devs"]"#, Callers.bob),
        (#"allow: groups, groupsField: "team""#, Callers.bob),
        (#"allow: owner, ownerField: "editors""#, Callers.bob),
        ("allow: private, provider: oidc", Callers.ben),
        ("allow: owner, provider: oidc", Callers.ben),
        ("allow: public", Callers.apiKey),
        ("allow: custom", Callers.function),
        ("allow: private, provider: identityPool", Callers.signedIn),
        ("allow: public, provider: identityPool", Callers.guest),
        ("allow: public, provider: iam", Callers.guest),
    ]

    static let operations = [
        "create", "update", "delete", "create, update", "update, delete", "get", "list", "listen", "search", "sync",
        "read", "create, read", "update, list",
    ]

    private static func type(_ rules: [String], field: [String]) -> String {
        """
        type Post @model @searchable @auth(rules: [\(rules.map { "{\($0)}" }.joined(separator: ", "))]) {
          text: String team: String editors: [String]
          secret: String @auth(rules: [\(field.map { "{\($0)}" }.joined(separator: ", "))])
        }
        """
    }

    @Test("are refused to them, whatever they may do with the records", arguments: operations)
    func refused(operations: String) throws {
        for (rule, identity) in Self.roles {
            let schema = Self.type(
                ["\(rule), operations: [\(operations)]", #"allow: groups, groups: ["Root"]"#],
                field: [#"allow: groups, groups: ["Root"]"#])
            let test = try TestPolicy(schema)
            let field = try #require(test.policy.field(type: "Post", field: "secret"), "\(schema)")
            #expect(field.decision(for: test.policy.caller(identity)) == .deny, "\(schema)")
            let root = Identity.userPool(username: "r", sub: "r", groups: ["Root"])
            #expect(field.decision(for: test.policy.caller(root)) == .allow)
        }
    }

    /// Who may read the field, and who else may do something with the record: no user of the same pool, who would be a
    /// reader of the field as well.
    static let readers: [(reader: String, others: [Int])] = [
        ("allow: private", [4, 5, 6, 7, 8, 9, 10]), ("allow: private, provider: oidc", [0, 1, 2, 3, 6, 7, 8, 9, 10]),
        ("allow: private, provider: identityPool", [0, 1, 2, 3, 4, 5, 6, 7, 9, 10]),
        ("allow: private, provider: iam", [0, 1, 2, 3, 4, 5, 6, 7, 9, 10]),
        ("allow: public", [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]), ("allow: custom", [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]),
    ]

    @Test("and are no more theirs because everybody of some mode reads them", arguments: readers.indices)
    func notDominated(row: Int) throws {
        let (reader, others) = Self.readers[row]
        for other in others {
            let (rule, identity) = Self.roles[other]
            for operations in Self.operations {
                let schema = Self.type(["\(rule), operations: [\(operations)]", reader], field: [reader])
                let test = try TestPolicy(schema)
                let field = try #require(test.policy.field(type: "Post", field: "secret"), "\(schema)")
                #expect(field.decision(for: test.policy.caller(identity)) == .deny, "\(schema)")
            }
        }
    }
}
