import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What Amplify's builder and its transformer make of what is written, where that is not what one would guess.
@Suite("Builders of schemas in TypeScript")
struct BuilderTests {
    /// The document of some entries with rules for API keys.
    private static func document(_ entries: String) -> (printed: String?, message: String?) {
        let schema = read(
            "import { a, defineData } from '@aws-amplify/backend';\nconst schema = a.schema({\(entries)})"
                + ".authorization((allow) => allow.publicApiKey());\nexport const data = defineData({ schema });")
        return (schema.document?.printed, schema.diagnostics.first?.message)
    }

    /// What is wrong with a schema once its document is read, with every mode at hand.
    private static func refusal(_ text: String, files: [String: String] = [:]) -> String? {
        let schema = read(text, files: files)
        var settings = schema.settings
        settings.additionalModes = AuthMode.allCases.filter { $0 != settings.defaultMode }
        let check = SchemaCheck(of: schema.reading(settings: settings), in: schema.sources)
        return (schema.diagnostics + check.errors).first?.firstLine
    }

    @Test(
        "what Amplify accepts is accepted, and stands for the same",
        arguments: [
            // The default of a key is never looked at.
            ("T: a.model({ id: a.id().default(() => crypto.randomUUID()) })", "id: ID! @primaryKey\n"),
            ("T: a.model({ k: a.string().required().default([1]) }).identifier(['k'])", "k: String! @primaryKey\n"),
            ("T: a.model({ k: a.string().required().array() }).identifier(['k'])", "k: String! @primaryKey\n"),
            ("T: a.model({ id: a.id() }).identifier([])", "id: ID\n"),
            // An empty text is none.
            (
                "T: a.model({ x: a.string() }).secondaryIndexes((index) => [index('x').name('').queryField('')])",
                "x: String @index(queryField: \"listTByX\")"
            ),
            (
                "T: a.model({ x: a.string() }).secondaryIndexes((index) => [index('x').queryField(null)])",
                "x: String @index(queryField: null)"
            ),
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.ownerDefinedIn('')])",
                "@auth(rules: [{allow: owner}])"
            ),
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.group('A').withClaimIn('')])",
                "@auth(rules: [{allow: groups, groups: [\"A\"]}])"
            ),
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.owner('').identityClaim('')])",
                "@auth(rules: [{allow: owner, ownerField: \"owner\"}])"
            ),
            // What can be read from builders.
            (
                "E: a.enum(['A', 'B']), T: a.model({ x: a.string().default(a.enum(['A', 'B']).values[1]) })",
                "x: String @default(value: \"B\")"
            ),
            // The rules of a conversation are its owner's, whatever else is said of them.
            (
                "c: a.conversation({ aiModel: { resourcePath: 'm' }, systemPrompt: 'p' })"
                    + ".authorization((allow) => allow.owner().to(['read']).identityClaim('sub'))",
                "auth: {strategy: owner, provider: userPools}"
            ),
        ])
    func accepted(entries: String, expected: String) {
        let made = Self.document(entries)
        #expect(made.message == nil)
        #expect(made.printed?.contains(expected) == true, "\(made.printed ?? "")")
    }

    @Test(
        "what Amplify refuses is refused, in its words",
        arguments: [
            ("T: a.model({})", "Syntax Error: Expected Name, found \"}\"."),
            ("E: a.enum([])", "Syntax Error: Expected Name, found \"}\"."),
            ("C: a.customType({})", "Syntax Error: Expected Name, found \"}\"."),
            ("T: a.model({ x: a.string(), e: a.enum([]) })", "Syntax Error: Expected Name, found \"}\"."),
            ("T: a.model({ x: a.customType({}) })", "Syntax Error: Expected Name, found \"}\"."),
            (
                "q: a.query().arguments({ x: a.customType({}) }).returns(a.string()).handler(a.handler.function('f'))",
                "Syntax Error: Expected Name, found \"}\"."
            ),
            ("", "Syntax Error: Unexpected <EOF>."),
            (
                "T: a.model({ k: a.string().array().required() }).identifier(['k'])",
                "Invalid identifier definition. Field k cannot be used in the identifier. Identifiers must reference required or DB-generated fields)"
            ),
            (
                "T: a.model({ x: a.string(), y: a.string() }).identifier(['y', 'x'])",
                "Invalid identifier definition. Field x cannot be used in the identifier. Identifiers must reference required or DB-generated fields)"
            ),
            (
                "g: a.generation({ aiModel: { resourcePath: 'm' }, systemPrompt: '' }).returns(a.string())",
                "Invalid Generation Route definition. A Generation Route must include a valid input. g has an invalid or no input defined."
            ),
            (
                "g: a.generation({})",
                "Invalid Generation Route definition. A Generation Route must include a return type. g has no return type specified."
            ),
            (
                "T: a.model({ x: a.string().default(() => 1) })",
                "a default is a text, number or boolean, found a function"
            ),
            // From here on it is the transformer.
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.owner(), allow.owner().to(['read'])])",
                "@auth T:userPools:owner:owner:sub::username already exists for T"
            ),
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.groups(['A', 'A'])])",
                "@auth T:userPools:staticGroup:A:cognito:groups already exists for T"
            ),
            (
                "T: a.model({ x: a.string() }).authorization((allow) => [allow.owner().to(['read', 'read'])])",
                "Operation: read does not exist in the ACM."
            ),
            (
                "T: a.model({ x: a.string().default('x').array() })",
                "The @default directive may only be added to scalar or enum field types."
            ),
            (
                "q: a.query().returns(a.string().default('x')).handler(a.handler.function('f'))",
                "The @default directive may only be added to object definitions annotated with @model."
            ),
            (
                "C: a.customType({ x: a.string().default('x') }), T: a.model({ c: a.ref('C') })",
                "The @default directive may only be added to object definitions annotated with @model."
            ),
            (
                "Die: a.model({ x: a.id() }), Dice: a.model({ x: a.id() })",
                "Object type extension 'Query' cannot redeclare field listDice"
            ),
            (
                "P: a.model({ cs: a.hasMany('C', 'p') }), C: a.model({ p: a.id().array(), o: a.belongsTo('P', 'p') })",
                "The reference field C.p is a list: it cannot hold the key of one P."
            ),
        ])
    func refused(entries: String, message: String) {
        let text =
            "const schema = a.schema({\(entries)}).authorization((allow) => allow.publicApiKey());\n"
            + "export const data = defineData({ schema });"
        #expect(Self.refusal(text) == message)
    }

    @Test(
        "a conversation is checked as Amplify does",
        arguments: [
            (
                "inferenceConfiguration: { temperature: 5 }",
                "temperature valid range: Minimum value of 0. Maximum value of 1. Provided: 5"
            ),
            (
                "inferenceConfiguration: { temperature: -0.1 }",
                "temperature valid range: Minimum value of 0. Maximum value of 1. Provided: -0.1"
            ),
            (
                "inferenceConfiguration: { topP: 1.5 }",
                "topP valid range: Minimum value of 0. Maximum value of 1. Provided: 1.5"
            ),
            ("inferenceConfiguration: { maxTokens: 0 }", "maxTokens valid range: Minimum value of 1. Provided: 0"),
            ("inferenceConfiguration: { maxTokens: 1, temperature: 0, topP: 1 }", nil),
            (
                "tools: [a.ai.dataTool({ name: 'x', description: 'd', query: a.ref('nope') })]",
                "has no matching Query field definition"
            ),
            ("tools: [{ name: 'x', description: 'd', query: a.ref('q') }]", nil),
            ("tools: [{ name: 'x', description: 'd', query: a.ref('listPosts') }]", nil),
            ("tools: [{ name: 'x', description: 'd', model: a.ref('Post'), modelOperation: 'list' }]", nil),
            (
                "tools: [{ name: 'x', description: 'd', model: a.ref('Silent'), modelOperation: 'list' }]",
                "has no matching Query field definition"
            ),
            (
                "tools: [{ name: 'x', description: 'd', model: a.ref('None'), modelOperation: 'list' }]",
                "Could not find type definition for None"
            ),
            ("tools: [{ name: 'x', description: 'd' }]", "the tool \"x\" leads nowhere"),
            ("tools: [{ name: 'a b', description: 'd', query: a.ref('q') }]", "Found: a b"),
            (
                "tools: [{ name: 'x', description: 'd', query: a.ref('due') }]",
                "Disallowed required field type AWSDate."
            ),
            ("tools: [{ name: 'x', description: 'd', query: a.ref('late') }]", nil),
        ])
    func conversation(options: String, message: String?) {
        let refusal = Self.refusal(
            """
            const schema = a.schema({
              chat: a.conversation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'p', \(options) })
                .authorization((allow) => allow.owner()),
              Post: a.model({ t: a.string() }), Silent: a.model({ t: a.string() }).disableOperations(['list']),
              q: a.query().returns(a.string()).handler(a.handler.function('f')),
              due: a.query().arguments({ on: a.date().required() }).returns(a.string()).handler(a.handler.function('f')),
              late: a.query().arguments({ on: a.date(), n: a.integer().required() }).returns(a.string())
                .handler(a.handler.function('f')),
            }).authorization((allow) => allow.publicApiKey());
            export const data = defineData({ schema });
            """)
        if let message {
            #expect(refusal?.contains(message) == true, "\(refusal ?? "nothing")")
        } else {
            #expect(refusal == nil)
        }
    }

    @Test("a conversation gives the types and operations that Amplify gives it")
    func conversationTypes() throws {
        let module = read(
            """
            const schema = a.schema({
              tripChat: a.conversation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'p' })
                .authorization((allow) => allow.owner()),
            });
            export const data = defineData({ schema });
            """, files: ["auth/resource.ts": ""])
        let check = SchemaCheck(of: module.reading(), in: module.sources)
        let printed = try #require(check.api, "\(check.errors)").printed()
        for expected in [
            "type ConversationTripChat @aws_iam @aws_cognito_user_pools {\n  id: ID!\n  name: String\n  metadata: AWSJSON\n  messages(",
            "type ConversationMessageTripChat implements AmplifyAIConversationMessage @aws_iam @aws_cognito_user_pools {",
            "  createAssistantResponseTripChat(input: CreateConversationMessageTripChatAssistantInput!): ConversationMessageTripChat @aws_cognito_user_pools\n",
            "  createAssistantResponseStreamTripChat(input: CreateConversationMessageTripChatAssistantStreamingInput!): AmplifyAIConversationMessageStreamPart @aws_cognito_user_pools\n",
            "  onCreateAssistantResponseTripChat(conversationId: ID): AmplifyAIConversationMessageStreamPart @aws_subscribe(mutations: [\"createAssistantResponseStreamTripChat\"]) @aws_cognito_user_pools\n",
            "  updateConversationTripChat(", "  onCreateConversationMessageTripChat(",
            "  listConversationMessageTripChats(",
            "  errors: [AmplifyAIConversationTurnErrorInput]\n",
        ] { #expect(printed.contains(expected), "\(expected) is missing in\n\(printed)") }
        for unexpected in ["updateConversationMessageTripChat", "onCreateConversationTripChat", "onUpdateConversation"]
        {
            #expect(!printed.contains(unexpected))
        }
        // All of them are served.
        #expect(check.blueprint?.handledSubscriptions.isEmpty == true)
        #expect(
            Self.refusal(
                "const schema = a.schema({ ConversationChat: a.model({ x: a.id() }).authorization((allow) => allow.owner()),"
                    + "chat: a.conversation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'p' })"
                    + ".authorization((allow) => allow.owner()) });\nexport const data = defineData({ schema });")
                == "Conflicting type 'ConversationChat' found.")
    }

    @Test(
        "the modes are judged as defineData judges them",
        arguments: [
            ("", false, nil, [AuthMode.apiKey, .iam]), ("", true, nil, [.userPools, .iam]),
            ("{}", false, Self.noDefault, []), ("{}", true, Self.noDefault, []),
            ("{ apiKeyAuthorizationMode: {} }", false, nil, [.apiKey, .iam]),
            ("{ apiKeyAuthorizationMode: {} }", true, Self.noDefault, []),
            ("{ apiKeyAuthorizationMode: {}, lambdaAuthorizationMode: {} }", false, Self.noDefault, []),
            ("{ oidcAuthorizationMode: {} }", false, nil, [.oidc, .iam]),
            ("{ defaultAuthorizationMode: 'userPool' }", true, nil, [.userPools, .iam]),
            ("{ defaultAuthorizationMode: 'identityPool' }", true, nil, [.iam, .userPools]),
            ("{ defaultAuthorizationMode: 'oidc' }", true, "there is no oidcAuthorizationMode", []),
            ("{ defaultAuthorizationMode: 'lambda' }", true, "there is no lambdaAuthorizationMode", []),
            ("{ defaultAuthorizationMode: 'password' }", true, "there is no mode \"password\"", []),
            ("{ defaultAuthorisationMode: 'userPool' }", true, "has no `defaultAuthorisationMode`", []),
            (
                "{ defaultAuthorizationMode: 'userPool', lambdaAuthorizationMod: {} }", true,
                "has no `lambdaAuthorizationMod`", []
            ),
            (
                "{ defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 365 } }", true, nil,
                [.apiKey, .userPools, .iam]
            ),
            (
                "{ defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 366 } }", true,
                Self.expiry, []
            ),
            (
                "{ defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 0 } }", true,
                Self.expiry, []
            ),
        ])
    func modes(options: String, hasUsers: Bool, message: String?, modes: [AuthMode]) {
        let given = options.isEmpty ? "" : ", authorizationModes: \(options)"
        let schema = read(
            "const schema = a.schema({ T: a.model({ x: a.id() }) }).authorization((allow) => allow.publicApiKey());\n"
                + "export const data = defineData({ schema\(given) });",
            files: hasUsers ? ["auth/resource.ts": ""] : [:])
        if let message {
            #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)")
        } else {
            #expect(schema.diagnostics.isEmpty)
            #expect(schema.settings.modes == modes)
        }
    }

    @Test("an option of defineData that is misspelled is refused: without modes an API key may be enough")
    func misspelledModes() {
        let schema = read(
            "const schema = a.schema({ T: a.model({ x: a.id() }) }).authorization((allow) => allow.publicApiKey());\n"
                + "export const data = defineData({ schema, authorizationMode: { defaultAuthorizationMode: 'lambda' } });"
        )
        #expect(schema.diagnostics.first?.message == "`defineData` has no `authorizationMode`", "\(schema.diagnostics)")
    }

    private static let noDefault =
        "A defaultAuthorizationMode is required if multiple authorization modes are configured"
    private static let expiry = "API key expiration must be between 1 and 365 days."

    @Test(
        "the name of the data is a name for a resource",
        arguments: [
            ("''", nil), ("'my Data-1_x'", nil), ("'1x'", "found 1x"), ("'a.b'", "found a.b"),
            ("'\u{e9}'", "found \u{e9}"),
            ("'-x'", "found -x"),
        ])
    func dataNames(name: String, message: String?) {
        let schema = read(
            "const schema = a.schema({ E: a.enum(['A']) });\nexport const data = defineData({ schema, name: \(name) });"
        )
        #expect((schema.document == nil) == (message != nil))
        if let message {
            #expect(schema.diagnostics.first?.message.hasSuffix(message) == true, "\(schema.diagnostics)")
        }
    }

    @Test(
        "what a function is defined with stops no schema",
        arguments: [
            "timeoutSeconds: Math.min(30, 900), name: 'say'", "name: 'say', environment: { A: JSON.stringify({}) }",
            "name: 'say', ...unknown()", "...{ name: 'say' }",
            "...{ name: 'say' }, environment: { A: JSON.stringify(1) }",
            "layers: [unknown()], name: 'say', bundling: unknown, timeoutSeconds: unknown.x + 2",
        ])
    func functions(options: String) {
        let schema = read(
            module(
                "q: a.query().returns(a.string()).authorization((allow) => allow.publicApiKey())"
                    + ".handler(a.handler.function(defineFunction({ \(options) }))),",
                before: "import { unknown } from 'elsewhere';"))
        #expect(schema.diagnostics.isEmpty, "\(schema.diagnostics)")
        #expect(schema.givenNames == (options.hasSuffix("...unknown()") ? [:] : ["FnQ": "say"]))
    }

    @Test(
        "schemas that stand in a list are one API, and know each other where they were combined",
        arguments: [
            ("{ schemas: [one] }", nil), ("{ schemas: [one, two] }", "Invalid ref. Two is referring to One"),
            ("a.combine([one, two])", nil), ("{ schemas: a.combine([one, two]).schemas }", "Invalid ref. Two"),
            ("a.combine([])", "The definitions of amplify GraphQL cannot be empty."),
            ("{ schemas: [] }", "The definitions of amplify GraphQL cannot be empty."),
            ("{ schemas: [4] }", "expected a schema of a.schema(...), found 4"),
            ("{ schema: one }", "expected a schema of a.schema(...), found an object"),
        ])
    func schemas(given: String, message: String?) {
        let schema = read(
            """
            const one = a.schema({ One: a.customType({ x: a.id() }) });
            const two = a.schema({ Two: a.customType({ y: a.ref('One') }) });
            export const data = defineData({ schema: \(given) });
            """)
        #expect((schema.document == nil) == (message != nil))
        if let message { #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)") }
    }

    @Test("what is in an SQL database has no more fields and arguments than it declares")
    func databases() throws {
        func printed(_ models: String, engine: String = "postgresql") throws -> String {
            let module = read(
                """
                import { a, defineData } from '@aws-amplify/backend';
                import { configure } from '@aws-amplify/data-schema/internals';
                const schema = configure({ database: { engine: '\(engine)' } }).schema({ \(models) })
                  .authorization((allow) => allow.publicApiKey());
                export const data = defineData({ schema });
                """)
            let check = SchemaCheck(of: module.reading(), in: module.sources)
            return try #require(check.api, "\(module.diagnostics) \(check.errors)").printed(authDirectives: false)
        }
        let named = try printed(
            "T: a.model({ code: a.string().required(), x: a.string() }).identifier(['code', 'x'])"
                .replacing("x: a.string()", with: "x: a.string().required()"))
        #expect(named.contains("input ModelTFilterInput {\n  code: ModelStringInput\n  x: ModelStringInput\n  and:"))
        #expect(named.contains("input ModelSubscriptionTFilterInput {\n  code: ModelSubscriptionStringInput\n"))
        #expect(!named.contains("ModelIDInput\n  and"))
        #expect(
            named.contains(
                "listTS(code: String, filter: ModelTFilterInput, limit: Int, nextToken: String, sortDirection: ModelSortDirection)"
            )
                || named.contains(
                    "listTs(code: String, filter: ModelTFilterInput, limit: Int, nextToken: String, sortDirection: ModelSortDirection)"
                ))
        let plain = try printed("T: a.model({ id: a.integer().required() }).identifier(['id'])")
        #expect(plain.contains("(id: Int, filter: ModelTFilterInput,"))
        let generated = try printed("T: a.model({ id: a.integer().default() }).identifier(['id'])")
        #expect(generated.contains("(filter: ModelTFilterInput, limit: Int, nextToken: String): ModelTConnection"))
        #expect(generated.contains("getT(id: Int!)"))
        let refused = read(
            "import { configure } from '@aws-amplify/data-schema/internals';\n"
                + "const schema = configure({ database: { engine: 'mysql' } }).schema({ T: a.model({ x: a.string() }) })"
                + ".authorization((allow) => allow.publicApiKey());\nexport const data = defineData({ schema });")
        #expect(
            refused.reading().errors.map(\.firstLine) == ["SQL model \"T\" must contain a primary key field"])
    }

    @Test("models of an SQL database keep their places, and the names that they have")
    func names() {
        let schema = read(
            """
            import { configure } from '@aws-amplify/data-schema/internals';
            const schema = configure({ database: { engine: 'mysql' } })
              .schema({ post: a.model({ id: a.id().required() }), e: a.enum(['A']), tag: a.model({ id: a.id().required() }) })
              .renameModels(() => [['post', 'post'], ['tag', 'Tag']])
              .addToSchema({ e: a.enum(['B']) })
              .authorization((allow) => allow.publicApiKey());
            export const data = defineData({ schema });
            """)
        #expect(schema.diagnostics.isEmpty)
        let names = schema.document?.types.map(\.name.text)
        #expect(names == ["post", "e", "Tag"])
        #expect(schema.document?.printed.contains("@refersTo(name: \"tag\")") == true)
        #expect(schema.document?.printed.contains("@refersTo(name: \"post\")") == false)
    }

    @Test("rules for users in a project without any are served, and said once")
    func missingUsers() {
        let text = module(
            "S: a.model({ x: a.id() }).authorization((allow) => allow.guest()),\n"
                + "T: a.model({ x: a.id() }).authorization((allow) => allow.owner()),\n"
                + "U: a.model({ x: a.id() }).authorization((allow) => allow.authenticated()),")
        func warnings(_ files: [String: String]) -> [Diagnostic] {
            let schema = read(text, files: files)
            var settings = schema.settings
            if !settings.modes.contains(.userPools) { settings.additionalModes.append(.userPools) }
            let reading = schema.reading(settings: settings)
            #expect(reading.blueprint != nil)
            return reading.diagnostics.filter { $0.message.contains("no Cognito User Pools authentication provider") }
        }
        #expect(warnings([:]).map(\.location?.line) == [5])
        #expect(warnings(["auth/resource.ts": ""]).isEmpty)
    }

    @Test(
        "a file that a handler names is looked for where the handler stands",
        arguments: [
            ("./one.js", ["data/one.js"], nil), ("one.js", ["data/one.js"], nil), ("../one.js", ["one.js"], nil),
            ("/project/one.js", ["/project/one.js"], nil), ("/one.js", ["/one.js"], "Cannot find file at /one.js"),
            ("./one.js", ["data/one.ts"], "UnresolvedEntryPathError"),
            ("./one", ["data/one.js"], "UnresolvedEntryPathError"),
            ("/one.js", [], "Cannot find file at /one.js"),
        ])
    func files(entry: String, files: [String], message: String?) {
        let schema = read(
            module(
                "q: a.query().returns(a.string()).authorization((allow) => allow.publicApiKey())"
                    + ".handler(a.handler.custom({ entry: '\(entry)' })),"),
            files: Dictionary(uniqueKeysWithValues: files.map { ($0, "") }))
        #expect(schema.diagnostics.isEmpty)
        #expect(schema.missingFiles.count == (message == nil ? 0 : 1))
        if let message { #expect(schema.missingFiles.first?.message.hasPrefix(message) == true) }
        #expect(schema.reading().blueprint != nil)
    }
}
