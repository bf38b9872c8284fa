import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What a check says of fields that nothing computes, of modes that nobody can use, and of names that are not there.
/// A start says the same.
@Suite("Notices of a project")
struct NoticeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }\n"
        /// The configuration, beside the schema.
        var configuration = ""
        var environment: [String: String] = [:]
        /// The warnings, without hints.
        let said: [String]
        var testDescription: String { "\(said.first ?? "nothing") \(configuration) \(environment)" }
    }

    private static let open = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }\n"

    static let rows: [Row] = [
        Row(said: []),
        // Fields that nothing computes.
        Row(
            schema: open
                + "type Query { a: String @function(name: \"echo\") b: String @function(name: \"echo\") c: String\n"
                + "  d: String @function(name: \"send-${env}\") }",
            configuration: #""functions": {"send": {"url": "http://x"}}"#,
            said: [
                "S:2:14: warning: Query.a, Query.b cannot be answered: the function \"echo\" has no URL",
                "S:2:82: warning: Query.c has nothing that computes it, so it is always null",
            ]),
        Row(
            schema: open + "type Query { p: String @predictions(actions: [identifyText]) }",
            said: ["S:2:14: warning: Query.p cannot be answered: @predictions does not run here"]),
        Row(
            schema: "type Todo @model(queries: {get: \"one\"}) @auth(rules: [{ allow: public }]) { id: ID! }\n"
                + "type Mutation { go: String }",
            said: ["S:2:17: warning: Mutation.go has nothing that computes it, so it is always null"]),
        Row(schema: open + "type Subscription { on: Todo @aws_subscribe(mutations: [\"createTodo\"]) }", said: []),
        // Modes in which nobody can prove who they are.
        Row(
            configuration: #""auth": {"apiKeys": []}"#,
            said: ["C: warning: auth.apiKeys: API_KEY is a mode of this API, but there is no key: nobody can use it"]),
        Row(
            configuration: #""auth": {"apiKeys": [{"key": "da2-x", "expires": "2020-01-01T00:00:00Z"}]}"#,
            said: [
                "C: warning: auth.apiKeys: API_KEY is a mode of this API, but every key has ended: nobody can use it"
            ]),
        Row(
            configuration:
                #""auth": {"apiKeys": [{"key": "da2-y"}, {"key": "da2-x", "expires": "2020-01-01T00:00:00Z"}]}"#,
            said: ["C: warning: auth.apiKeys: key 1 has ended and is not accepted any more"]),
        Row(
            configuration: #""auth": {"additional": ["OPENID_CONNECT", "AWS_LAMBDA"]}"#,
            said: [
                "warning: auth.oidc.issuer: OPENID_CONNECT is a mode of this API, but auth.oidc.issuer is not set: nobody "
                    + "can use it",
                "warning: auth.lambda.url: AWS_LAMBDA is a mode of this API, but auth.lambda.url is not set: nobody can "
                    + "use it",
            ]),
        Row(
            environment: ["HOMEPORT_AUTH_OIDC_ISSUER": "https://o", "HOMEPORT_AUTH_LAMBDA_URL": "http://l"],
            said: [
                "HOMEPORT_AUTH_OIDC_ISSUER: warning: auth.oidc.issuer: it is not used: OPENID_CONNECT is no mode of this "
                    + "API",
                "HOMEPORT_AUTH_LAMBDA_URL: warning: auth.lambda.url: it is not used: AWS_LAMBDA is no mode of this API",
            ]),
        // Keys of an administrator count for sign-in and files, whatever the modes are.
        Row(
            configuration:
                #""auth": {"iam": {"credentials": [{"accessKeyId": "a", "secretAccessKey": "b", "role": "admin"}]}}"#,
            said: []),
        // Names that are not there.
        Row(
            configuration: #""functions": {"nope": {"url": "http://x"}}"#,
            said: ["C: warning: functions.nope: the schema has no function of that name"]),
        Row(
            configuration: #""features": {"conflictDetectionModels": {"Tdo": "AUTOMERGE", "Todo": "AUTOMERGE"}}"#,
            said: ["C: warning: features.conflictDetectionModels.Tdo: the schema has no model of that name"]),
    ]

    @Test("are said with their place and a way out", arguments: rows)
    func areSaid(_ row: Row) throws {
        let folder = TemporaryFolder()
        try folder.write(row.schema, to: "schema.graphql")
        let more = row.configuration.isEmpty ? "" : ", " + row.configuration
        let file = try folder.write("{\"schema\": \"schema.graphql\"\(more)}", to: "config.json")
        let outcome = run(["check", "--config", file], environment: row.environment)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        let said = outcome.diagnostics.split(separator: "\n").filter {
            $0.contains("warning: ") && !$0.contains("deprecated")
        }
        .map { String($0).replacing(folder.path + "/schema.graphql", with: "S").replacing(file + ":1", with: "C") }
        #expect(said == row.said, "\(outcome.diagnostics)")
        let hints = outcome.diagnostics.split(separator: "\n").count { $0.hasPrefix("  hint: ") }
        #expect(hints == row.said.count)
    }

    @Test("what version 1 of the transformer leaves open is named in one note, what writes first")
    func openOperations() throws {
        let folder = TemporaryFolder()
        let path = try folder.write(
            """
            type Note @model @auth(rules: [{allow: owner, operations: [create, read]}]) { id: ID! }
            type Page @model @auth(rules: [{allow: owner, queries: null}]) { id: ID! }
            type Tag @model { id: ID! }
            type Team @model @auth(rules: [{allow: private}]) { id: ID! }
            """, to: "schema.graphql")
        func notes(_ environment: [String: String]) -> [String] {
            let environment = environment.merging(["HOMEPORT_AUTH_DEFAULT": "AMAZON_COGNITO_USER_POOLS"]) { first, _ in
                first
            }
            return run(["check", "--schema", path], environment: environment).diagnostics.split(separator: "\n").map(
                String.init)
        }
        let version = ["HOMEPORT_FEATURES_TRANSFORMER_VERSION": "1"]
        let said =
            "note: no rule names these operations, so they are open to every caller of AMAZON_COGNITO_USER_POOLS, as "
            + "version 1 of the transformer means it: "
        let hint = "  hint: Name them in the rules of each model, or set features.version1OpenOperations to "
        #expect(
            Array(notes(version).prefix(2)) == [
                said + "writes Note (update, delete), Tag (create, update, delete); reads Page (read), Tag (read)",
                hint + "\"reads\" or \"none\" to close them.",
            ])
        let closing = "HOMEPORT_FEATURES_VERSION1OPEN_OPERATIONS"
        #expect(
            Array(notes(version.merging([closing: "reads"]) { $1 }).prefix(2)) == [
                said + "reads Page (read), Tag (read)", hint + "\"none\" to close them.",
            ])
        #expect(!notes(version.merging([closing: "none"]) { $1 }).contains { $0.contains("note: ") })
    }

    @Test("a start says what version 1 leaves open, too")
    func openAtAStart() throws {
        let server = try HomeportProcess(
            environment: ["HOMEPORT_FEATURES_TRANSFORMER_VERSION": "1"], schema: "type Tag @model { id: ID! }")
        #expect(server.log.contains(": writes Tag (create, update, delete); reads Tag (read)"), "\(server.log)")
    }

    @Test("a name that is nearly right is answered with the right one")
    func nearest() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.open + "type Query { a: String @function(name: \"echo\") }", to: "schema.graphql")
        let file = try folder.write(
            #"{"schema": "schema.graphql", "functions": {"ehco": {"url": "http://x"}}}"#, to: "config.json")
        #expect(run(["check", "--config", file]).diagnostics.contains("  hint: Did you mean echo?"))
    }

    @Test("a Gen 2 project's functions go by the names that their authors gave them")
    func givenNames() throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { a, defineData, defineFunction } from '@aws-amplify/backend';
            const hello = defineFunction({ name: 'say-hello' });
            const schema = a.schema({
              sayHello: a.query().returns(a.string()).authorization(allow => [allow.publicApiKey()])
                .handler(a.handler.function(hello)),
              script: a.query().returns(a.string()).authorization(allow => [allow.publicApiKey()])
                .handler(a.handler.custom({ dataSource: 'None', entry: './script.js' })),
              Todo: a.model({ name: a.string() }).authorization(allow => [allow.publicApiKey()]),
            });
            export const data = defineData({
              schema, authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: {} } });
            """, to: "amplify/data/resource.ts")
        try folder.write("export function request() {}", to: "amplify/data/script.js")
        let path = folder.path + "/amplify/data/resource.ts"
        let said = run(["check", "--schema", path]).diagnostics
        #expect(said.contains("Query.sayHello cannot be answered: the function \"say-hello\" has no URL"), "\(said)")
        #expect(said.contains("Query.script cannot be answered: there is no data source None"), "\(said)")
        for name in ["say-hello", "sayHello", "FnSayHello"] {
            let functions = "{\"\(name)\": {\"url\": \"http://x\"}}"
            let outcome = run(["check", "--schema", path], environment: ["HOMEPORT_FUNCTIONS": functions])
            #expect(!outcome.diagnostics.contains("sayHello"), "\(outcome.diagnostics)")
            #expect(!outcome.diagnostics.contains("functions."), "\(outcome.diagnostics)")
        }
    }

    @Test("a start says them, too")
    func atAStart() throws {
        let server = try HomeportProcess(
            environment: ["HOMEPORT_AUTH_ADDITIONAL": "AWS_LAMBDA"],
            schema: Self.open + "type Query { a: String @function(name: \"echo\") }")
        #expect(server.log.contains("schema.graphql:2:14: warning: Query.a cannot be answered: "), "\(server.log)")
        #expect(server.log.contains("AWS_LAMBDA is a mode of this API, but auth.lambda.url is not set"))
    }
}
