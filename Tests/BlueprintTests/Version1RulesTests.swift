import Testing

@testable import Blueprint

@Suite("Rules in version 1 of the transformer")
struct Version1RulesTests {
    private static let settings: Settings = {
        var settings = Settings()
        settings.transformerVersion = 1
        settings.defaultMode = .userPools
        settings.additionalModes = [.apiKey, .iam]
        settings.useSubUsernameForDefaultIdentityClaim = false
        return settings
    }()

    private static let writes: OperationSet = [.create, .update, .delete]

    static let operations: [(rule: String, operations: OperationSet)] = [
        ("{allow: owner}", .all),
        ("{allow: owner, operations: [read]}", .read),
        ("{allow: owner, operations: [create, delete]}", [.create, .delete]),
        ("{allow: owner, operations: []}", []),
        ("{allow: owner, operations: null}", []),
        ("{allow: owner, operations: null, queries: [get]}", []),
        ("{allow: owner, queries: [get]}", writes.union(.get)),
        ("{allow: owner, queries: [list, get]}", writes.union([.get, .list])),
        ("{allow: owner, queries: null}", writes),
        ("{allow: owner, queries: []}", writes),
        ("{allow: owner, mutations: [create]}", OperationSet.read.union(.create)),
        ("{allow: owner, mutations: null}", .read),
        ("{allow: owner, queries: null, mutations: [update]}", .update),
        ("{allow: owner, operations: [create], queries: [get], mutations: [update]}", .create),
    ]

    @Test("are for what operations, queries and mutations name", arguments: operations)
    func readsOperations(rule: String, operations: OperationSet) throws {
        let made = check("type Note @model @auth(rules: [\(rule)]) { id: ID! }", Self.settings)
        let note = try #require(made.blueprint?.model(named: "Note"), "\(made.errors)")
        #expect(note.rules?.map(\.operations) == [operations])
        #expect(made.diagnostics.isEmpty)
    }

    @Test("queries by keys, relations, search, sync and subscriptions go together")
    func readsTogether() {
        #expect(OperationSet.read == OperationSet.indirectRead.union([.get, .list]))
        #expect(OperationSet.indirectRead.isDisjoint(with: [.get, .list, .create, .update, .delete]))
    }

    @Test("may be none, be for no group, for the default field of groups, and stand twice")
    func takesOddRules() throws {
        let made = check(
            """
            type A @model @auth(rules: []) { id: ID! }
            type B @model @auth(rules: [{allow: groups, groups: []}]) { id: ID! }
            type C @model @auth(rules: [{allow: groups}]) { id: ID! }
            type D @model @auth(rules: [{allow: owner, operations: [read]}, {allow: owner}]) { id: ID! }
            type E @model @auth(rules: [{allow: owner, identityField: "sub"}]) { id: ID! }
            """, Self.settings)
        let blueprint = try #require(made.blueprint, "\(made.errors)")
        func rules(_ name: String) -> [AccessRule]? { blueprint.model(named: name)?.rules }
        #expect(rules("A") == [])
        #expect(rules("B")?.map(\.groups) == [[]])
        #expect(rules("B")?.map(\.isDynamic) == [false])
        #expect(rules("C")?.map(\.isDynamic) == [true])
        #expect(blueprint.model(named: "C")?.matrix?.roles.map(\.entity) == ["groups"])
        #expect(rules("D")?.map(\.operations) == [.read, .all])
        #expect(rules("E")?.map(\.identityClaim) == ["sub"])
    }

    @Test("stand on a field of a model without rules, whose other fields are required")
    func takesFieldRules() throws {
        let made = check(
            """
            type Note @model {
              id: ID!
              t: String!
              secret: String @auth(rules: [{allow: owner, operations: [read, update]}])
            }
            """, Self.settings)
        let note = try #require(made.blueprint?.model(named: "Note"), "\(made.errors)")
        #expect(note.rules == nil)
        #expect(note.field(named: "secret")?.rules?.map(\.operations) == [OperationSet.read.union(.update)])
    }

    static let refusals: [(schema: String, message: String)] = [
        (
            "type T @auth(rules: [{allow: owner}]) { a: Int } type N @model { id: ID! }",
            "Types annotated with @auth must also be annotated with @model."
        ),
        (
            "type N @model { id: ID! t: String! @auth(rules: [{allow: private}]) }",
            "Per-field auth on the required field t is not supported with subscriptions."
        ),
        (
            "type N @model @auth(rules: [{allow: public, provider: userPools}]) { id: ID! }",
            "@auth directive with 'public' strategy only supports 'apiKey' (default) and 'iam' providers, but found "
                + "'userPools' assigned."
        ),
        (
            "type N @model @auth(rules: [{allow: private, provider: identityPool}]) { id: ID! }",
            "Value \"identityPool\" does not exist in \"AuthProvider\" enum."
        ),
        (
            "type N @model @auth(rules: [{allow: owner, operations: [list]}]) { id: ID! }",
            "Value \"list\" does not exist in \"ModelOperation\" enum."
        ),
        (
            "type N @model @auth(rules: [{allow: owner, provider: oidc}]) { id: ID! }",
            "@auth directive with 'oidc' provider found, but the project has no OPENID_CONNECT authentication provider "
                + "configured."
        ),
        (
            "type N @model @auth(rules: [{allow: groups, groups: [\"A\"], identityField: \"sub\"}]) { id: ID! }",
            "@auth identityField/Claim can only be used for 'allow: owner'"
        ),
        (
            "type N @model @auth(rules: [{allow: owner, identityField: \"a\", identityClaim: \"b\"}]) { id: ID! }",
            "Please use consider IdentifyClaim over IdentityField as it is deprecated."
        ),
        (
            "type N @model { id: ID! t: String @auth(rules: [{allow: owner, queries: [get]}]) }",
            "@auth directives used on field definitions may not specify the 'queries' or 'mutations' arguments. All @auth "
                + "directives used on field definitions are performed when the field is resolved and can be thought of as "
                + "'read' operations."
        ),
        (
            "type N @model { id: ID! t: [N] @hasMany a: Int @default(value: \"1\") }",
            "Your GraphQL Schema is using \"@hasMany\", \"@default\" directives from the newer version of the GraphQL "
                + "Transformer. Visit https://docs.amplify.aws/cli/migration/transformer-migration/ to learn how to migrate "
                + "your GraphQL schema."
        ),
        (
            "type N @model { id: ID! t: [X] @hasMany }",
            "Your GraphQL Schema is using \"@hasMany\" directive from the newer version of the GraphQL "
                + "Transformer. Visit https://docs.amplify.aws/cli/migration/transformer-migration/ to learn how to migrate "
                + "your GraphQL schema. There are additional validation errors listed below: "
        ),
        ("type N @model @mapsTo(name: \"M\") { id: ID! }", "Unknown directive \"@mapsTo\"."),
    ]

    @Test("are refused in the words of version 1", arguments: refusals)
    func refuses(schema: String, message: String) throws {
        let made = check(schema, Self.settings)
        #expect(made.errors.first?.firstLine == message)
    }

    @Test("a required field may have rules for readers where nobody is told of changes")
    func takesRequiredFields() {
        for level in ["off", "public"] {
            let made = check(
                """
                type N @model(subscriptions: {level: \(level)}) { id: ID! t: String! @auth(rules: [{allow: private}]) }
                """, Self.settings)
            #expect(made.errors.isEmpty)
        }
    }
}
