import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// Amplify's builders keep the lists and objects that they are given, and read them when the schema is made.
@Suite("Lists and objects that programs change after builders were given them")
struct LateReadingTests {
    /// The document of a program whose `entries` are the schema's.
    private static func printed(_ text: String) -> String {
        let schema = read("import { a, defineData } from '@aws-amplify/backend';\n" + text)
        return schema.document?.printed ?? schema.diagnostics.first?.description ?? ""
    }

    /// A program with one model, between what comes before and what comes after the schema is made.
    private static func model(_ before: String, _ fields: String, _ chain: String, _ after: String) -> String {
        printed(
            """
            \(before)
            const fields = { x: a.string(), y: a.string() };
            const Item = a.model(\(fields))\(chain);
            const entries = { Item };
            const schema = a.schema(entries).authorization((allow) => [allow.authenticated()]);
            export const data = defineData({ schema });
            \(after)
            """)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var before = ""
        var fields = "fields"
        var chain = ""
        let after: String
        /// What the document has, and what it no longer has.
        let has: String
        var hasNot = "nothing of the kind"

        var testDescription: String { "\(before) \(chain) \(after)" }
    }

    static let changes = [
        Change(
            before: "const groups = ['Admins', 'Everyone'];",
            chain: ".authorization((allow) => [allow.groups(groups)])", after: "groups.pop();",
            has: "groups: [\"Admins\"]", hasNot: "Everyone"),
        Change(
            before: "const operations = ['read', 'create', 'delete'];",
            chain: ".authorization((allow) => [allow.owner().to(operations)])", after: "operations.length = 1;",
            has: "operations: [read]", hasNot: "create"),
        Change(
            before: "const rules = [];",
            chain: ".authorization((allow) => { rules.push(allow.owner(), allow.publicApiKey()); return rules; })",
            after: "rules.pop();", has: "allow: owner", hasNot: "public"),
        Change(after: "fields.z = a.integer();", has: "z: Int"),
        Change(after: "delete fields.y;", has: "x: String", hasNot: "y: String"),
        Change(after: "Item.fields.z = a.integer();", has: "z: Int"),
        Change(after: "Object.assign(Item.fields, { z: a.integer() });", has: "z: Int"),
        Change(
            after: "schema.models.Item.authorization((allow) => [allow.owner()]);", has: "allow: owner",
            hasNot: "private"),
        Change(after: "entries.Other = a.model({ o: a.id() });", has: "type Other @model"),
        Change(after: "delete entries.Item; entries.Other = a.model({ o: a.id() });", has: "Other", hasNot: "Item"),
        Change(
            before: "const names = ['x', 'y'];", fields: "{ x: a.string().required(), y: a.string().required() }",
            chain: ".identifier(names)", after: "names.pop();", has: "x: String! @primaryKey\n"),
        Change(
            before: "const sort = ['y'];", chain: ".secondaryIndexes((index) => [index('x').sortKeys(sort)])",
            after: "sort.pop();", has: "@index(queryField: \"listItemByX\")"),
        Change(
            before: "const kept = ['y', 'x'];",
            chain: ".secondaryIndexes((index) => [index('x').projection('INCLUDE', kept)])",
            after: "kept.pop();", has: "nonKeyAttributes: [\"y\"]"),
        Change(
            before: "const indexes = [];",
            chain: ".secondaryIndexes((index) => { indexes.push(index('x'), index('y')); return indexes; })",
            after: "indexes.pop();", has: "listItemByX", hasNot: "listItemByY"),
        Change(
            before: "const disabled = ['delete'];", chain: ".disableOperations(disabled)",
            after: "disabled.push('subscriptions');", has: "subscriptions: null"),
        Change(
            before: "const kind = a.enum(['A']);", fields: "{ ...{ x: a.string() }, kind }",
            after: "kind.values.push('B');", has: "B"),
        Change(
            before: "const inner = { x: a.string() };", fields: "{ x: a.customType(inner) }",
            after: "inner.z = a.integer();", has: "z: Int"),
        Change(
            before: "let isOpen = true;",
            fields:
                "{ get x() { return isOpen ? a.string() : a.string().authorization((allow) => [allow.owner()]); } }",
            after: "isOpen = false;", has: "allow: owner"),
        Change(
            before: "const fieldRules = [];",
            fields:
                "{ x: a.string().authorization((allow) => { fieldRules.push(allow.owner()); return fieldRules; }) }",
            after: "fieldRules.push(fieldRules[0].to(['read']));", has: "x: String @auth"),
        Change(
            before: "const held = {};",
            after: "held.f = entries.Item.authorization; entries.Item = a.model({ only: a.id() });", has: "only: ID",
            hasNot: "x: String"),
    ]

    @Test("what they are at the end is what the schema is made of", arguments: changes)
    func changed(change: Change) {
        let printed = Self.model(change.before, change.fields, change.chain, change.after)
        #expect(printed.contains(change.has), "\(printed)")
        #expect(!printed.contains(change.hasNot), "\(printed)")
    }

    @Test("a list of rules that two models share is one list")
    func shared() {
        let printed = Self.printed(
            """
            const rules = [];
            const A = a.model({ x: a.id() }).authorization((allow) => { rules.push(allow.owner()); return rules; });
            const B = a.model({ x: a.id() }).authorization((allow) => { rules.push(allow.group('G')); return rules; });
            export const data = defineData({ schema: a.schema({ A, B }) });
            """)
        #expect(printed.ranges(of: "allow: owner").count == 2 && printed.ranges(of: "groups: [\"G\"]").count == 2)
    }

    @Test("arguments, references and sources of operations are read at the end too")
    func operations() {
        let printed = Self.printed(
            """
            const input = { x: a.string() };
            const sources = [a.ref('make')];
            const handlers = [a.handler.function('one')];
            const operations = ['create', 'delete'];
            const references = ['parentId'];
            const tools = [{ name: 't', description: 'd', query: a.ref('make') }];
            const schema = a.schema({
              Parent: a.model({ id: a.id().required(), children: a.hasMany('Child', references) }),
              Child: a.model({ otherId: a.id(), parent: a.belongsTo('Parent', references) }),
              make: a.mutation().arguments(input).returns(a.string()).handler(handlers),
              made: a.subscription().for(sources).handler(a.handler.custom({ entry: './made.js' })),
              changed: a.subscription().for(a.ref('Parent').mutations(operations)).handler(a.handler.custom({ entry: './made.js' })),
              talk: a.conversation({ aiModel: { resourcePath: 'm' }, systemPrompt: 'p', tools }).authorization((allow) => allow.owner()),
            }).authorization((allow) => [allow.publicApiKey()]);
            export const data = defineData({ schema });
            input.y = a.integer();
            sources[0] = a.ref('make').required();
            handlers.push(a.handler.function('two'));
            operations.pop();
            references[0] = 'otherId';
            tools[0].name = 'renamed';
            """)
        for text in [
            "make(x: String, y: Int)", "@function(name: \"one\") @function(name: \"two\")",
            "mutations: [\"createParent\"]", "references: [\"otherId\"]", "name: \"renamed\"",
        ] {
            #expect(printed.contains(text), "\(text) in \(printed)")
        }
    }

    @Test("what defineData is given is read at the end: modes, and the schema itself")
    func options() {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const closed = a.schema({ E: a.enum(['A']) });
            const options = {
              schema: a.schema({ O: a.enum(['A']) }),
              authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 7 } },
            };
            export const data = defineData(options);
            options.schema = closed;
            options.authorizationModes.defaultAuthorizationMode = 'userPool';
            options.name = 'late';
            """)
        #expect(schema.document?.printed.contains("enum E") == true, "\(schema.diagnostics)")
        #expect(schema.settings.defaultMode == .userPools)
        #expect(schema.name == "late")
    }

    @Test("a handler that waits for no answer leaves the one that it was made of as it is")
    func asynchronous() {
        let printed = Self.printed(
            """
            const handler = a.handler.function('f');
            const schema = a.schema({
              soon: a.mutation().returns(a.string()).handler(handler),
              late: a.mutation().handler(handler.async()),
            }).authorization((allow) => [allow.publicApiKey()]);
            export const data = defineData({ schema });
            """)
        #expect(printed.contains("soon: String"), "\(printed)")
        #expect(printed.contains("late: EventInvocationResponse"), "\(printed)")
    }

    @Test("what an operation returns is what the last call says of it")
    func results() {
        let printed = Self.printed(
            """
            const start = a.handler.function('f').async();
            const schema = a.schema({
              first: a.mutation().returns(a.string()).handler(start), last: a.mutation().handler(start).returns(a.string()),
            }).authorization((allow) => [allow.publicApiKey()]);
            export const data = defineData({ schema });
            """)
        #expect(printed.contains("first: EventInvocationResponse") && printed.contains("last: String"), "\(printed)")
        #expect(printed.contains("type EventInvocationResponse @aws_api_key {"), "\(printed)")
    }

    @Test(
        "what no longer fits together is refused, at the call",
        arguments: [
            (
                "const handlers = [a.handler.function('f')]; const q = a.query().returns(a.id()).handler(handlers); "
                    + "handlers.push(handlers[0].async()); const schema = a.schema({ q });",
                "another kind of handler is the last", 2
            ),
            (
                "const one = a.schema({ E: a.enum(['A']) }), two = a.schema({ F: a.enum(['A']) }); const all = [one];\n"
                    + "const schema = a.combine(all); all.push(two);",
                "the list of schemas is changed", 3
            ),
            (
                "const values = ['A'];\nconst schema = a.schema({ E: a.enum(values) }); values.push(4);",
                "`enum` takes a list of texts, found 4", 3
            ),
        ])
    func refused(text: String, message: String, line: Int) {
        let schema = read(
            "import { a, defineData } from '@aws-amplify/backend';\n\(text)\nexport const data = defineData({ schema });"
        )
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == line)
    }

    @Test(
        "a prompt is what GraphQL makes of it, as Amplify puts it between quotes as it is",
        arguments: [
            (#"'say \\"hi\\"'"#, #"say "hi""#), (#"'a\\nb'"#, "a\nb"), (#"'say "hi"'"#, #"say "hi""#),
            (#"'c:\\dir'"#, #"c:\dir"#), (#"'one\ntwo \\"x\\"'"#, "one\ntwo \"x\""),
            (#"'x\\", aiModel: \\"y'"#, #"x", aiModel: "y"#), (#"'x", aiModel: "y \\\\'"#, #"x", aiModel: "y \\"#),
        ])
    func prompts(literal: String, expected: String) throws {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({
              g: a.generation({ aiModel: { resourcePath: 'm' }, systemPrompt: \(literal) }).returns(a.string()),
            }).authorization((allow) => [allow.publicApiKey()]);
            export const data = defineData({ schema });
            """)
        guard case .type(.object(let query))? = schema.document?.definitions.first else {
            Issue.record("\(schema.diagnostics)")
            return
        }
        let directive = try #require(query.fields.first?.directives.first { $0.name.text == "generation" })
        #expect(directive.argument("systemPrompt") == .string(StringValue(expected)))
    }
}
