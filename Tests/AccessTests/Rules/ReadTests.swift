import JSON
import Testing

@testable import Access

@Suite("Reading")
struct ReadTests {
    private static func owned(_ field: String, _ values: [ByteText], isList: Bool = false) -> Decision {
        .filter(AccessPredicate(anyOf: [.init(field: field, values: values, isList: isList)]))
    }

    @Test("dynamic rules become a predicate, and none at all a denial")
    func predicates() throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [{allow: owner}, {allow: groups, groupsField: "teams"}]) {
              id: ID! teams: [String]
            }
            type Team @model @auth(rules: [{allow: groups, groupsField: "name"}]) { id: ID! name: String }
            """)
        let post = try test.model("Post")
        #expect(
            post.list.decision(for: test.policy.caller(Callers.bob))
                == .filter(
                    AccessPredicate(anyOf: [
                        .init(field: "owner", values: ["sub-bob", "bob", "sub-bob::bob"], isList: false),
                        .init(field: "teams", values: ["Devs"], isList: true),
                    ])))
        #expect(post.list.recordFields == ["owner", "teams"])
        #expect(
            try test.model("Team").get.decision(for: test.policy.caller(Callers.bob)) == Self.owned("name", ["Devs"]))
        #expect(try test.model("Team").get.decision(for: test.policy.caller(Callers.carol)) == .deny)
        #expect(try test.model("Team").list.decision(for: test.policy.caller(Callers.apiKey)) == .deny)
    }

    @Test("for reading, the parts of a claim count without the others")
    func incomplete() throws {
        let test = try TestPolicy("type Post @model @auth(rules: [{allow: owner, provider: oidc}]) { id: ID! }")
        let ann = test.policy.caller(Callers.ann)
        #expect(try test.model("Post").list.decision(for: ann) == Self.owned("owner", ["sub-ann"]))
        #expect(try test.model("Post").update.decision(for: ann, input: JSONObject()) { _ in "sub-ann" } == .deny)
    }

    @Test("the same name with another subject is somebody else")
    func otherSubject() throws {
        let test = try TestPolicy("type Post @model @auth(rules: [{allow: owner}]) { id: ID! }")
        let decision = try test.model("Post").get.decision(for: test.policy.caller(Callers.bob))
        #expect(!decision.admits { _ in "sub-alice::bob" })
        #expect(!decision.admits { _ in "sub-bob::alice" })
        for owner in ["sub-bob::bob", "sub-bob", "bob"] { #expect(decision.admits { _ in .string(owner) }) }
    }

    private static let clans = """
        type Clan @model @auth(rules: [
          {allow: groups, groups: ["Admin"]}
          {allow: owner, ownerField: "elder", operations: [read]}
          {allow: owner, ownerField: "younger", operations: [read]}
        ]) {
          id: ID!
          elder: ID! @primaryKey(sortKeyFields: ["id"])
            @index(name: "byElder", sortKeyFields: ["younger"], queryField: "clanByElder")
          younger: ID! @index(name: "byYounger", queryField: "clanByYounger")
        }
        """
    private static let own: [ByteText] = ["sub-bob", "bob", "sub-bob::bob"]

    /// The query, what it says of the two fields, and what comes of it.
    static let keyRows: [(String, elder: KeyArgument, younger: KeyArgument, Decision)] = [
        ("clanByYounger", .absent, .equals("zoe"), owned("elder", own)),
        ("clanByElder", .equals("zoe"), .equals("zoe"), .deny),
        ("clanByElder", .equals("zoe"), .other, .deny),
        ("listClans", .equals("zoe"), .absent, owned("younger", own)),
        (
            "listClans", .absent, .absent,
            .filter(
                AccessPredicate(anyOf: [
                    .init(field: "younger", values: own, isList: false),
                    .init(field: "elder", values: own, isList: false),
                ]))
        ),
        ("clanByElder", .equals("zoe"), .absent, .narrow([.init(field: "younger", value: "sub-bob::bob")])),
        ("clanByElder", .equals("zoe"), .equals("bob"), .allow),
        ("clanByElder", .equals("bob"), .absent, .allow),
        ("clanByYounger", .absent, .equals("sub-bob"), .allow),
        ("listClans", .equals("sub-bob::bob"), .absent, .allow),
    ]

    @Test("an owner field in the key is compared with the arguments", arguments: keyRows.indices)
    func keys(row: Int) throws {
        let (query, elder, younger, expected) = Self.keyRows[row]
        let test = try TestPolicy(Self.clans)
        let model = try test.model("Clan")
        let access = try query == "listClans" ? model.list : #require(model.query(query))
        let caller = test.policy.caller(Callers.bob)
        #expect(access.decision(for: caller) { $0 == "elder" ? elder : younger } == expected)
        #expect(access.decision(for: test.policy.caller(Callers.alice)) { _ in .equals("zoe") } == .allow)
    }

    @Test("whoever gets a record by somebody else's key is denied, even where there is no record")
    func keyOfGet() throws {
        let test = try TestPolicy(
            """
            type Order @model @auth(rules: [{allow: owner, ownerField: "email", identityClaim: "email"}]) {
              email: String! @primaryKey(sortKeyFields: ["orderId"])
              orderId: String! @index(name: "byOrderId", queryField: "ordersByOrderId")
            }
            """)
        let order = try test.model("Order")
        let caller = test.policy.caller(
            .userPool(username: "bob", sub: "sub-bob", claims: [("email", "bob@example.test")]))
        #expect(order.get.keyFields == ["email"])
        #expect(order.get.decision(for: caller) { _ in .equals("alice@example.test") } == .deny)
        #expect(order.list.decision(for: caller) { _ in .equals("alice@example.test") } == .deny)
        #expect(order.get.decision(for: caller) { _ in .equals("bob@example.test") } == .allow)
        #expect(order.list.decision(for: caller) == Self.owned("email", ["bob@example.test"]))
        #expect(
            order.query("ordersByOrderId")?.decision(for: caller) == Self.owned("email", ["bob@example.test"]))
        #expect(order.query("ordersByOrderId")?.keyFields == [])
    }

    @Test("an argument is a value or a condition of one equality")
    func arguments() throws {
        #expect(KeyArgument(nil) == .absent)
        #expect(KeyArgument(.null) == .absent)
        #expect(KeyArgument("a") == .equals("a"))
        #expect(KeyArgument(1) == .other)
        #expect(KeyArgument(try JSONReader.value(of: #"{"eq": "a", "le": null}"#)) == .equals("a"))
        #expect(KeyArgument(try JSONReader.value(of: #"{"eq": "a", "beginsWith": ""}"#)) == .other)
        #expect(KeyArgument(try JSONReader.value(of: #"{"beginsWith": "a"}"#)) == .other)
        #expect(KeyArgument(try JSONReader.value(of: "{}")) == .absent)
    }

    @Test("groups are compared whole, also where the claim is a text")
    func groupClaims() throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [{allow: groups, groups: ["Admin"], groupClaim: "roles"}]) { id: ID! }
            """)
        let list = try test.model("Post").list
        func decision(_ claim: JSONValue) -> Decision {
            let identity = Identity.userPool(username: "u", sub: "s", claims: [("roles", claim)])
            return list.decision(for: test.policy.caller(identity))
        }
        let denied: [JSONValue] = ["Super-Admin", "admin", ["Admins"], .null, 1, true, "[\"Adm\"]", "[\"Admin\"", [1]]
        for claim in denied { #expect(decision(claim) == .deny) }
        for claim: JSONValue in ["Admin", ["X", "Admin"], "[\"Admin\"]"] { #expect(decision(claim) == .allow) }
    }

    @Test("models without rules are closed, but to API keys in a sandbox and in projects of the first transformer")
    func withoutRules() throws {
        let model = "type Post @model { id: ID! }"
        let sandbox = "input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }\n"
        let closed = try TestPolicy(model, default: .apiKey)
        let open = try TestPolicy(sandbox + model, default: .apiKey)
        let old = try TestPolicy(model, default: .apiKey) { $0.transformerVersion = 1 }
        for (name, identity) in Callers.all {
            let isAdministrator = name == "administrator"
            let answers = try [closed, open, old].map { test in
                let post = try test.model("Post")
                let caller = test.policy.caller(identity)
                let isReadable = post.list.decision(for: caller) == .allow
                #expect(isReadable == (post.create.outcome(for: caller, input: JSONObject()) != .deny))
                #expect(isReadable == (post.delete.decision(for: caller) { _ in nil } == .allow))
                #expect(
                    isReadable
                        == (post.listen.outcome(for: caller, hasClientFilter: false) { _ in nil } != .deny))
                return isReadable
            }
            let isOfKey = isAdministrator || name == "apiKey"
            #expect(answers == [isAdministrator, isOfKey, isOfKey])
        }
    }

    @Test("a relation to a model without rules is as closed as that model")
    func relationsWithoutRules() throws {
        let models = """
            type Blog @model @auth(rules: [{ allow: public }]) { id: ID! posts: [Post] @hasMany first: Post @hasOne }
            type Post @model { id: ID! }
            """
        let sandbox = "input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }\n"
        for (schema, isOpen) in [(models, false), (sandbox + models, true)] {
            let test = try TestPolicy(schema, default: .apiKey)
            let blog = try test.model("Blog")
            for (name, identity) in Callers.all {
                let caller = test.policy.caller(identity)
                for field in ["posts", "first"] {
                    let relation = try #require(blog.relation(field))
                    let isAllowed = relation.decision(for: caller, source: { _ in nil }) == .allow
                    #expect(isAllowed == (name == "administrator" || isOpen && name == "apiKey"), "\(name) \(field)")
                }
            }
        }
    }
}
