import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport check` and `homeport schema`, in projects as people lay them out.
@Suite("homeport check and schema")
struct SchemaCommandTests {
    private static let todo = "type Todo @model { id: ID! name: String! }\n"

    @Test("prints every error with its place, and ends with 1")
    func errors() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model {\n  id: ID!\n  list: Lst\n  other: Othr\n}\n", to: "a.graphql")
        let file = folder.path + "/a.graphql"
        let outcome = run(["check", "--schema", file])
        #expect(outcome.code == .failure)
        #expect(outcome.output.isEmpty)
        #expect(outcome.diagnostics.contains("\(file):3:9: error: Unknown type \"Lst\"."))
        #expect(outcome.diagnostics.contains("  3 |   list: Lst\n    |         ^\n"))
        #expect(outcome.diagnostics.contains("\(file):4:10: error: Unknown type \"Othr\"."))
        #expect(outcome.diagnostics.hasSuffix("2 errors\n"))
        #expect(run(["schema", "--schema", file]).code == .failure)
    }

    @Test("a folder of files is one schema")
    func folder() throws {
        let folder = TemporaryFolder()
        try folder.write("type A @model { id: ID! b: B @hasOne }", to: "schema/a.graphql")
        try folder.write("type B @model { id: ID! kind: Kind }", to: "schema/more/b.graphql")
        try folder.write("enum Kind { ONE TWO }", to: "schema/more/kinds.graphql")
        try folder.write("not a schema", to: "schema/readme.txt")
        let outcome = run(["check", "--schema", folder.path + "/schema"])
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        #expect(outcome.output == "2 models in 3 files: no errors\n")
        let printed = run(["schema", "--schema", folder.path + "/schema"]).output
        #expect(printed.contains("type A {") && printed.contains("enum Kind {") && !printed.contains("@aws_api_key"))
    }

    @Test("the directives of AppSync's modes are printed where they are asked for")
    func authDirectives() throws {
        let folder = TemporaryFolder()
        try folder.write("type A @model @auth(rules: [{ allow: private }]) { id: ID! }", to: "a.graphql")
        try folder.write(
            #"{"schema": "a.graphql", "auth": {"default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS"]}}"#,
            to: "config.json")
        let arguments = ["schema", "--config", folder.path + "/config.json"]
        #expect(run(arguments + ["--auth-directives"]).output.contains("type A @aws_cognito_user_pools {"))
        #expect(!run(arguments).output.contains("@aws_cognito_user_pools"))
    }

    @Test("a Gen 1 project's own switches count, and the configuration's count more")
    func projectSettings() throws {
        let folder = TemporaryFolder()
        let schema = "amplify/backend/api/app/schema.graphql"
        try folder.write(#"type A @model { id: ID! kind: String! @index(name: "byKind") }"#, to: schema)
        try folder.write(
            #"{"features": {"graphqltransformer": {"transformerversion": 2, "enableautoindexquerynames": false}}}"#,
            to: "amplify/cli.json")
        let path = folder.path + "/" + schema
        #expect(!run(["schema", "--schema", path]).output.contains("aSByKind"))
        let environment = ["HOMEPORT_FEATURES_ENABLE_AUTO_INDEX_QUERY_NAMES": "true"]
        #expect(run(["schema", "--schema", path], environment: environment).output.contains("aSByKind"))
    }

    @Test("a schema of the first transformer is read where the project says so, and refused with a hint elsewhere")
    func legacy() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"type A @model @key(name: "byKind", fields: ["kind"], queryField: "asByKind") { id: ID! kind: String! }"#,
            to: "a.graphql")
        let path = folder.path + "/a.graphql"
        let refused = run(["check", "--schema", path])
        #expect(refused.code == .failure && refused.diagnostics.contains("transformerVersion"))
        let accepted = run(["schema", "--schema", path], environment: ["HOMEPORT_FEATURES_TRANSFORMER_VERSION": "1"])
        #expect(accepted.code == .success && accepted.output.contains("asByKind("))
    }

    @Test("says where it looked when there is no schema, and what it cannot read")
    func missing() throws {
        let folder = TemporaryFolder()
        let rows: [(path: String, message: String)] = [
            (
                folder.path + "/none.graphql",
                "cannot read the schema \(folder.path)/none.graphql: No such file or directory"
            ),
            (folder.path, "there is no .graphql file in the folder \(folder.path)"),
        ]
        for row in rows {
            let outcome = run(["check", "--schema", row.path])
            #expect(outcome.code == .unreadableInput)
            #expect(outcome.diagnostics == "homeport: \(row.message)\n")
        }
    }
}
