import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// Projects whose schema is written in TypeScript: found, checked, printed and served by the real program.
@Suite("A schema in TypeScript")
struct Gen2ServeTests {
    struct Module: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var file = "amplify/data/resource.ts"
        var testDescription: String { name }
    }

    private static let todo =
        "a.schema({ Todo: a.model({ text: a.string() }) }).authorization((allow) => allow.publicApiKey())"

    static let modules = [
        Module(
            name: "as Amplify writes it",
            text: """
                import { type ClientSchema, a, defineData } from '@aws-amplify/backend';
                const schema = \(todo);
                export type Schema = ClientSchema<typeof schema>;
                export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
                """),
        Module(name: "a schema that is exported, and no defineData", text: "export const schema = \(todo);"),
        Module(name: "an expression, and nothing else", text: todo),
        Module(name: "a call of defineData, and nothing else", text: "defineData({ schema: \(todo) });"),
        Module(
            name: "JavaScript", text: "export const data = defineData({ schema: \(todo) })",
            file: "amplify/data/resource.js"),
        Module(
            name: "Amplify's SDL in a text",
            text: """
                import { defineData } from '@aws-amplify/backend';
                const schema = `type Todo @model @auth(rules: [{ allow: public }]) { text: String }`;
                export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
                """),
    ]

    @Test("a project's schema is found, and records are created and read", arguments: modules)
    func serves(_ module: Module) throws {
        let folder = TemporaryFolder()
        try folder.write(module.text, to: module.file)
        let server = try HomeportProcess(in: folder)
        let client = try OperationClient(port: server.port)
        #expect(
            try client.answer(to: #"mutation { createTodo(input: {id: "t", text: "x"}) { id text } }"#)
                == #"{"data":{"createTodo":{"id":"t","text":"x"}}}"#)
        #expect(
            try client.answer(to: "{ listTodos { items { text } } }")
                == #"{"data":{"listTodos":{"items":[{"text":"x"}]}}}"#)
    }

    @Test("`check`, `schema` and `schema --amplify` take it like one in SDL", arguments: modules)
    func prints(_ module: Module) throws {
        let folder = TemporaryFolder()
        try folder.write(module.text, to: module.file)
        let arguments = ["--schema", "\(folder.path)/\(module.file)"]
        let checked = run(["check"] + arguments)
        #expect(checked.code == .success, "\(checked.diagnostics)")
        #expect(checked.output == "1 model in 1 file: no errors\n")
        let api = run(["schema"] + arguments)
        #expect(api.code == .success && api.output.contains("createTodo(input: CreateTodoInput!"))
        let amplify = run(["schema", "--amplify"] + arguments)
        #expect(amplify.code == .success && amplify.output.contains("type Todo @model @auth(rules: [{allow: public"))
        // What is printed is a schema itself, of the same API.
        try folder.write(amplify.output, to: "printed.graphql")
        let again = run(["schema", "--schema", "\(folder.path)/printed.graphql"])
        #expect(again.output == api.output, "\(again.diagnostics)")
    }

    @Test("what is wrong is said with its place, and nothing is served")
    func refuses() throws {
        let folder = TemporaryFolder()
        try folder.write(
            "a.schema({\n  Todo: a.model({ text: a.text() }).authorization((allow) => allow.publicApiKey()),\n})",
            to: "amplify/data/resource.ts")
        let file = "\(folder.path)/amplify/data/resource.ts"
        let outcome = run(["check", "--schema", file])
        #expect(outcome.code == .failure)
        #expect(outcome.diagnostics.contains("\(file):2:27: error: `a` has no `text`"), "\(outcome.diagnostics)")
        #expect(throws: HomeportProcess.Failure.self) { try HomeportProcess(["--schema", file]) }
    }

    @Test("functions are found by every name that people know, and handlers that need AWS say so at their field")
    func handlers() async throws {
        try await FunctionService.run { address in
            let folder = TemporaryFolder()
            try folder.write(
                """
                import { a, defineData, defineFunction } from '@aws-amplify/backend';
                import { greet } from '../functions/greet/resource';
                import { hidden } from '../functions/nowhere';
                const query = () => a.query().returns(a.string()).authorization((allow) => allow.publicApiKey());
                const schema = a.schema({
                  byText: query().handler(a.handler.function('plain')),
                  byName: query().handler(a.handler.function(defineFunction({ name: 'say-hello' }))),
                  byFile: query().handler(a.handler.function(defineFunction({ entry: './code/shout.ts' }))),
                  byFolder: query().handler(a.handler.function(greet)),
                  byOperation: query().handler(a.handler.function(hidden)),
                  byKey: query().handler(a.handler.function('listed')),
                  missing: query().handler(a.handler.function('absent')),
                  script: query().handler(a.handler.custom({ entry: './steps/first.js' })),
                });
                export const data = defineData({
                  schema, functions: { listed: defineFunction({ name: 'the-listed' }) },
                  authorizationModes: { defaultAuthorizationMode: 'apiKey' },
                });
                """, to: "amplify/data/resource.ts")
            try folder.write(
                "import { defineFunction } from '@aws-amplify/backend'; export const greet = defineFunction({ timeoutSeconds: 9 });",
                to: "amplify/functions/greet/resource.ts")
            let names = ["plain", "say-hello", "shout", "greet", "byOperation", "the-listed"]
            let functions = names.map { #""\#($0)": {"url": "\#(address)/\#($0)"}"# }.joined(separator: ", ")
            try folder.write(#"{"functions": {\#(functions)}}"#, to: "homeport.json")
            let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
            let client = try OperationClient(port: server.port)
            let rows = [
                ("byText", "plain"), ("byName", "say-hello"), ("byFile", "shout"), ("byFolder", "greet"),
                ("byOperation", "byOperation"), ("byKey", "the-listed"),
            ]
            for (field, name) in rows {
                #expect(
                    try client.answer(to: "{ \(field) }") == #"{"data":{"\#(field)":"\#(name) was called"}}"#)
            }
            let missing = try client.answer(to: "{ missing }")
            #expect(missing.contains(#""data":{"missing":null}"#))
            #expect(missing.contains("The function 'absent' is not configured"), "\(missing)")
            let script = try client.answer(to: "{ script }")
            #expect(
                script.contains(#""data":{"script":null}"#) && script.contains(#""errorType":"NotImplemented""#))
            #expect(
                script.contains(
                    "script on type Query is a handler in JavaScript that cannot run: ./steps/first.js"),
                "\(script)")
        }
    }

    @Test("a handler whose file is missing is an error of a check, and a warning of a start")
    func missingHandlers() throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({
              script: a.query().returns(a.string()).authorization((allow) => allow.publicApiKey())
                .handler(a.handler.custom({ entry: './steps/first.js' })),
            });
            export const data = defineData({ schema });
            """, to: "amplify/data/resource.ts")
        let said =
            "UnresolvedEntryPathError: Could not determine import path to construct absolute code path from relative "
            + "path: ./steps/first.js"
        let refused = try ProgramRun.outcome(["check"], in: folder)
        #expect(refused.code == .failure)
        #expect(refused.diagnostics.contains("resource.ts:4:40: error: \(said)"), "\(refused.diagnostics)")
        #expect(refused.diagnostics.contains("1 error\n"), "\(refused.diagnostics)")
        let server = try HomeportProcess(in: folder)
        #expect(server.log.contains("warning: \(said)"), "\(server.log)")
        let client = try OperationClient(port: server.port)
        #expect(try client.answer(to: "{ script }").contains(#""errorType":"NotImplemented""#))
        try folder.write("export const request = () => ({});", to: "amplify/data/steps/first.js")
        #expect(try ProgramRun.outcome(["check"], in: folder).code == .success)
    }

    @Test("statements of an SQL schema are named where they cannot be run, and its models are served")
    func statements() throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { a, defineData, secret } from '@aws-amplify/backend';
            import { schema as generated } from './schema.sql';
            const schema = generated
              .renameModels(() => [['books', 'Book']])
              .addToSchema({
                top: a.query().returns(a.string()).handler(a.handler.inlineSql('SELECT 1')),
                file: a.query().returns(a.string()).handler(a.handler.sqlReference('./top.sql')),
              })
              .authorization((allow) => allow.publicApiKey());
            export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
            """, to: "amplify/data/resource.ts")
        try folder.write(
            """
            import { a } from '@aws-amplify/data-schema';
            import { configure } from '@aws-amplify/data-schema/internals';
            import { secret } from '@aws-amplify/backend';
            export const schema = configure({
              database: { identifier: 'ID', engine: 'postgresql', connectionUri: secret('URI') },
            }).schema({
              "books": a.model({ "id": a.integer().required().default(), "title": a.string() }).identifier(["id"]),
            });
            """, to: "amplify/data/schema.sql.ts")
        let server = try HomeportProcess(in: folder)
        let client = try OperationClient(port: server.port)
        #expect(
            try client.answer(to: #"mutation { createBook(input: {title: "T"}) { id title } }"#)
                == #"{"data":{"createBook":{"id":1,"title":"T"}}}"#)
        let top = try client.answer(to: "{ top }")
        #expect(top.contains("top on type Query is an SQL statement"), "\(top)")
        let file = try client.answer(to: "{ file }")
        #expect(file.contains("file on type Query is the SQL statement './top.sql'"), "\(file)")
    }

    struct Modes: Sendable, CustomTestStringConvertible {
        let name: String
        var modes = ""
        var hasUsers = false
        var configuration = "{}"
        /// The directives of the modes that the API knows.
        let known: Set<String>
        var testDescription: String { name }
    }

    private static let directives: [String: String] = [
        "API_KEY": "publicApiKey()", "AMAZON_COGNITO_USER_POOLS": "authenticated()", "OPENID_CONNECT": "owner('oidc')",
        "AWS_LAMBDA": "custom()", "AWS_IAM": "guest()",
    ]

    static let modeRows = [
        Modes(
            name: "nothing is said: an API key, IAM, and the users of the built-in pool",
            known: ["API_KEY", "AWS_IAM", "AMAZON_COGNITO_USER_POOLS"]),
        Modes(
            name: "the project has users", hasUsers: true, known: ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"]),
        Modes(
            name: "the schema says it",
            modes:
                "defaultAuthorizationMode: 'oidc', oidcAuthorizationMode: { oidcProviderName: 'p', oidcIssuerUrl: 'https://p' }",
            known: ["OPENID_CONNECT", "AWS_IAM", "AMAZON_COGNITO_USER_POOLS"]),
        Modes(
            name: "the configuration says something else of them",
            modes: "defaultAuthorizationMode: 'apiKey', lambdaAuthorizationMode: { function: f }",
            configuration: #"{"auth": {"lambda": {"url": "http://127.0.0.1:1/"}}}"#,
            known: ["API_KEY", "AWS_LAMBDA", "AWS_IAM", "AMAZON_COGNITO_USER_POOLS"]),
        Modes(
            name: "the configuration says which there are",
            modes: "defaultAuthorizationMode: 'oidc', oidcAuthorizationMode: {}",
            configuration: #"{"auth": {"default": "API_KEY", "additional": ["AWS_IAM"]}}"#,
            known: ["API_KEY", "AWS_IAM"]),
        Modes(
            name: "the configuration adds one",
            configuration: #"{"auth": {"additional": ["AWS_LAMBDA"], "lambda": {"url": "http://127.0.0.1:1/"}}}"#,
            known: ["API_KEY", "AWS_LAMBDA"]),
    ]

    @Test("the modes are those of the schema, unless the configuration says which there are", arguments: modeRows)
    func modes(_ row: Modes) throws {
        let folder = TemporaryFolder()
        if row.hasUsers { try folder.write("", to: "amplify/auth/resource.ts") }
        try folder.write(row.configuration, to: "homeport.json")
        for (mode, rule) in Self.directives {
            let options = row.modes.isEmpty ? "" : ", authorizationModes: { \(row.modes) }"
            try folder.write(
                """
                import { a, defineData, defineFunction } from '@aws-amplify/backend';
                const f = defineFunction({ name: 'f' });
                const schema = a.schema({ T: a.model({ x: a.id() }).authorization((allow) => allow.\(rule)) });
                export const data = defineData({ schema\(options) });
                """, to: "amplify/data/resource.ts")
            let file = "\(folder.path)/amplify/data/resource.ts"
            let outcome = run(["check", "--config", "\(folder.path)/homeport.json", "--schema", file])
            #expect((outcome.code == .success) == row.known.contains(mode), "\(mode): \(outcome.diagnostics)")
        }
    }
}
