import Foundation
import GraphQL
import JSON
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

    @Test("warns of types that AppSync refuses when they are deployed, with their places")
    func deployedNames() throws {
        let folder = TemporaryFolder()
        let text =
            "scalar Date\ntype AWSThing @model { id: ID! }\nenum AWSKind { A }\ntype Aws { x: AWSDate d: Date }\n"
        try folder.write(text, to: "a.graphql")
        let outcome = run(["check", "--schema", folder.file("a.graphql")])
        #expect(outcome.code == .success)
        let said = outcome.output + outcome.diagnostics
        for line in [
            "a.graphql:1:8: warning: AppSync refuses the scalar Date",
            "a.graphql:2:6: warning: AppSync refuses the type AWSThing",
            "a.graphql:3:6: warning: AppSync refuses the type AWSKind",
        ] { #expect(said.contains(line), "\(said)") }
        #expect(said.components(separatedBy: "AppSync refuses").count == 4, "\(said)")
    }

    @Test("what is no file is no schema: a pipe, a device, a folder without files, and nothing hangs")
    func noFiles() throws {
        let folder = TemporaryFolder()
        try folder.write("", to: "pipes/readme.txt")
        #expect(mkfifo(folder.file("pipes/x.graphql"), 0o600) == 0)
        try folder.write("", to: "empty/x.graphql/readme.txt")
        let rows = [
            (folder.file("pipes/x.graphql"), "it is a pipe or a device, expected a file"),
            (folder.file("pipes"), "it is a pipe or a device, expected a file"),
            ("/dev/zero", "it is a pipe or a device, expected a file"),
            ("/dev/null", "it is a pipe or a device, expected a file"),
            (folder.file("empty"), "there is no .graphql file"),
        ]
        for (path, message) in rows {
            let outcome = run(["check", "--schema", path])
            #expect(outcome.code == .unreadableInput, "\(path)")
            #expect(outcome.diagnostics.contains(message), "\(path): \(outcome.diagnostics)")
        }
    }

    @Test("shows no more of a line than fits on one, with the caret where it belongs")
    func longLine() throws {
        let folder = TemporaryFolder()
        let names = ["hab", "xyz"].map { String(repeating: $0, count: 5) }
        let fields = (0..<4_000).map { "\"é…\" f\($0): \(names[$0 % 2])\($0) " }
        try folder.write("type Todo @model { id: ID! " + fields.joined() + "}", to: "a.graphql")
        let outcome = run(["check", "--schema", folder.file("a.graphql")])
        #expect(outcome.code == .failure)
        let lines = outcome.diagnostics.split(separator: "\n").map { Array($0.unicodeScalars) }
        func text(_ line: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(line)) }
        #expect(outcome.diagnostics.utf8.count < 1_000_000)
        var count = 0
        for (number, headline) in lines.enumerated() where text(headline).contains("error: Unknown type") {
            let (line, caret) = (lines[number + 1], lines[number + 2])
            #expect(text(line).hasPrefix("  1 | ") && line.count <= 220)
            // Under the first letter of the type.
            let place = try #require(caret.firstIndex(of: "^"))
            #expect(line[place] == "h" || line[place] == "x", "\(text(line))")
            count += 1
        }
        #expect(count > 50)
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
            """
            {"features": {"graphqltransformer": {
              "useexperimentalpipelinedtransformer": true, "transformerversion": 2, "enableautoindexquerynames": false
            }}}
            """,
            to: "amplify/cli.json")
        let path = folder.path + "/" + schema
        #expect(!run(["schema", "--schema", path]).output.contains("aSByKind"))
        let environment = ["HOMEPORT_FEATURES_ENABLE_AUTO_INDEX_QUERY_NAMES": "true"]
        #expect(run(["schema", "--schema", path], environment: environment).output.contains("aSByKind"))
    }

    /// Files of a Gen 1 project, and the version that Amplify's own tool takes for it.
    static let projects: [(schema: String, files: [String: String], version: Int, note: String?)] = [
        ("amplify/backend/api/app/schema.graphql", [:], 1, "has no amplify/cli.json"),
        ("amplify/backend/api/app/schema/a.graphql", [:], 1, "has no amplify/cli.json"),
        ("app/schema.graphql", ["app/transform.conf.json": #"{"Version": 5}"#], 1, "has no amplify/cli.json"),
        ("app/schema.graphql", [:], 2, nil), ("backend/api/app/schema.graphql", [:], 2, nil),
        ("amplify/backend/api/app/schema.graphql", ["amplify/cli.json": "{}"], 1, nil),
        (
            "amplify/backend/api/app/schema.graphql",
            ["amplify/cli.json": #"{"features": {"graphqltransformer": {"transformerversion": 2}}}"#], 1,
            "/amplify/cli.json says transformerVersion 2, but useExperimentalPipelinedTransformer is not true"
        ),
        (
            "amplify/backend/api/app/schema.graphql",
            [
                "amplify/cli.json":
                    #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true}}}"#
            ], 2,
            nil
        ),
    ]

    @Test("a Gen 1 project has the version that Amplify's own tool takes for it", arguments: projects.indices)
    func projectVersion(row: Int) throws {
        let project = Self.projects[row]
        let folder = TemporaryFolder()
        // Of version 1 alone is that partial names are not completed.
        try folder.write(
            #"type A @model(queries: { get: "one" }) @auth(rules: [{ allow: public }]) @key(name: "k", fields: ["n"]) "#
                + "{ id: ID! n: Int! }", to: project.schema)
        for (name, text) in project.files { try folder.write(text, to: name) }
        let path = folder.path + "/" + project.schema
        let outcome = run(["schema", "--schema", path])
        #expect((outcome.code == .success) == (project.version == 1), "\(outcome.diagnostics)")
        if project.version == 1 { #expect(!outcome.output.contains("listAs") && !outcome.output.contains("listAS")) }
        let said = run(["check", "--schema", path]).diagnostics
        if let note = project.note {
            #expect(said.contains("note: ") && said.contains(note), "\(said)")
        } else {
            #expect(!said.contains("Amplify's own tool"), "\(said)")
        }
        // What the configuration says needs no note.
        let named = run(["check", "--schema", path], environment: ["HOMEPORT_FEATURES_TRANSFORMER_VERSION": "1"])
        #expect(named.code == .success && !named.diagnostics.contains("Amplify's own tool"), "\(named.diagnostics)")
        let other = run(["check", "--schema", path], environment: ["HOMEPORT_FEATURES_TRANSFORMER_VERSION": "2"])
        #expect(other.code == .failure)
    }

    @Test("a plug-in that transform.conf.json names is warned of, and its directives are left out")
    func plugIns() throws {
        let folder = TemporaryFolder()
        try folder.write(
            "type A @model @auth(rules: [{ allow: public }]) { id: ID! at: AWSTimestamp! @ttl }",
            to: "app/schema.graphql")
        let path = folder.path + "/app/schema.graphql"
        #expect(run(["check", "--schema", path]).code == .failure)
        try folder.write(#"{"Version": 5, "transformers": ["graphql-ttl-transformer"]}"#, to: "app/transform.conf.json")
        let outcome = run(["check", "--schema", path])
        #expect(outcome.code == .success)
        #expect(
            outcome.diagnostics.contains("@ttl is left out: it is a directive of a plug-in (graphql-ttl-transformer)"))
    }

    /// What `backend-config.json` says of the API, and the modes that the schema may then ask for.
    static let backends: [(api: String, isGood: Bool)] = [
        (
            #"{"output": {"authConfig": {"defaultAuthentication": {"authenticationType": "AMAZON_COGNITO_USER_POOLS"}, "#
                + #""additionalAuthenticationProviders": [{"authenticationType": "AWS_IAM"}]}}, "service": "AppSync"}"#,
            true
        ),
        (#"{"output": {"authConfig": {"defaultAuthentication": {"authenticationType": "API_KEY"}}}}"#, false),
        (#"{"output": {"securityType": "AWS_IAM"}}"#, true), (#"{"output": {"name": "app"}}"#, false),
    ]

    @Test("a Gen 1 project's own modes count, unless the configuration names some", arguments: backends)
    func projectModes(api: String, isGood: Bool) throws {
        let folder = TemporaryFolder()
        for path in ["amplify/backend/api/app/schema.graphql", "amplify/backend/api/app/schema/a.graphql"] {
            try folder.write(
                "type A @model @auth(rules: [{ allow: private, provider: identityPool }, { allow: owner }]) { id: ID! }",
                to: path)
        }
        try folder.write(
            #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true}}}"#,
            to: "amplify/cli.json")
        try folder.write("{\"api\": {\"app\": \(api)}}", to: "amplify/backend/backend-config.json")
        for path in ["schema.graphql", "schema"] {
            let schema = folder.path + "/amplify/backend/api/app/" + path
            let outcome = run(["check", schema])
            #expect((outcome.code == .success) == isGood, "\(outcome.diagnostics)")
            let named = run(
                ["check", schema], environment: ["HOMEPORT_AUTH_ADDITIONAL": "AWS_IAM,AMAZON_COGNITO_USER_POOLS"])
            #expect(named.code == .success)
            let fewer = run(["check", schema], environment: ["HOMEPORT_AUTH_DEFAULT": "API_KEY"])
            #expect(fewer.code == .failure)
            #expect(fewer.diagnostics.contains("Set HOMEPORT_AUTH_ADDITIONAL=AWS_IAM,AMAZON_COGNITO_USER_POOLS,"))
        }
    }

    @Test(
        "a Gen 1 project whose modes cannot be read is refused: its API would be open to the key that is usual",
        arguments: [
            #"{"authConfg": {"defaultAuthentication": {"authenticationType": "AMAZON_COGNITO_USER_POOLS"}}}"#,
            #"{"authConfig": {"defaultAuthenticatio": {"authenticationType": "AMAZON_COGNITO_USER_POOLS"}}}"#,
            #"{"authConfig": {"defaultAuthentication": {"authenticationTyp": "AMAZON_COGNITO_USER_POOLS"}}}"#,
            #"{"authConfig": []}"#, #"{"authConfig": {"defaultAuthentication": {"authenticationType": 5}}}"#,
            #"{"authConfig": {"defaultAuthentication": {"authenticationType": "USERS"}}}"#,
        ])
    func unreadableModes(output: String) throws {
        let folder = TemporaryFolder()
        try folder.write("type A @model { id: ID! }", to: "amplify/backend/api/app/schema.graphql")
        try folder.write(
            #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true}}}"#,
            to: "amplify/cli.json")
        try folder.write(
            #"{"api": {"app": {"service": "AppSync", "output": \#(output)}}}"#,
            to: "amplify/backend/backend-config.json")
        let outcome = run(["check", folder.path + "/amplify/backend/api/app/schema.graphql"])
        #expect(outcome.code == .configuration, "\(outcome.diagnostics)")
        #expect(outcome.diagnostics.contains("amplify/backend/backend-config.json"), "\(outcome.diagnostics)")
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

    private static let blog = """
        type Post @model @auth(rules: [{ allow: public }, { allow: owner }]) {
          id: ID! at: AWSDateTime mail: [AWSEmail!] old: String @deprecated(reason: "gone")
        }
        """

    @Test("a schema that stands by itself defines what it uses, once, and nothing else")
    func standalone() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.blog, to: "a.graphql")
        let path = folder.path + "/a.graphql"
        let environment = [
            "HOMEPORT_AUTH_DEFAULT": "API_KEY", "HOMEPORT_AUTH_ADDITIONAL": #"["AMAZON_COGNITO_USER_POOLS"]"#,
        ]
        func printed(_ options: String...) -> String {
            let outcome = run(["schema", "--schema", path] + options, environment: environment)
            #expect(outcome.code == .success, "\(outcome.diagnostics)")
            return outcome.output
        }
        let text = printed("--standalone")
        func count(_ part: String, in text: String) -> Int {
            text.split(separator: part, omittingEmptySubsequences: false).count - 1
        }
        for scalar in ["AWSDateTime", "AWSEmail"] { #expect(count("scalar \(scalar)\n", in: text) == 1, "\(scalar)") }
        for absent in ["scalar AWSJSON", "scalar String", "directive @deprecated", "aws_api_key", "schema {"] {
            #expect(!text.contains(absent), "\(absent)")
        }
        #expect(count("directive @aws_subscribe", in: text) == 1)
        let whole = printed("--standalone", "--auth-directives")
        #expect(whole.contains("directive @aws_cognito_user_pools(") && whole.contains("directive @aws_api_key on"))
        #expect(whole.contains("type Post @aws_api_key @aws_cognito_user_pools {"))
        // It is a schema without anything that AppSync adds.
        func schema(_ text: String) throws -> Schema {
            try Schema(Document(parsing: Source(text), limits: .schema), prelude: SchemaPrelude.standard)
        }
        for text in [text, whole] { _ = try schema(text) }
        #expect(throws: SchemaErrors.self) { try schema(printed()) }
    }

    @Test("root types of other names are said")
    func roots() throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            schema { query: MyQuery mutation: MyMutation }
            type Post @model(subscriptions: null) @auth(rules: [{ allow: public }]) { id: ID! }
            type MyQuery { hello: String @function(name: "hello") }
            type MyMutation { again: String @function(name: "hello") }
            """, to: "a.graphql")
        let outcome = run(["schema", "--standalone", "--schema", folder.path + "/a.graphql"])
        #expect(outcome.output.hasPrefix("schema {\n  query: MyQuery\n  mutation: MyMutation\n}\n"), "\(outcome)")
        let json = run(["schema", "--json", "--schema", folder.path + "/a.graphql"]).output
        #expect(json.contains("\"name\": \"MyQuery\""))
    }

    @Test("the introspection is what a server answers, in the form of Amplify's schema.json")
    func introspection() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.blog, to: "a.graphql")
        let outcome = run(["schema", "--json", "--schema", folder.path + "/a.graphql"])
        #expect(outcome.code == .success)
        let value = try JSONReader.value(of: outcome.output)
        #expect(value.object?.keys == ["data"] && value["data"]?.object?.keys == ["__schema"])
        let schema = try #require(value["data"]?["__schema"])
        #expect(schema["queryType"] == ["name": "Query"] && schema["subscriptionType"] == ["name": "Subscription"])
        let post = try #require(schema["types"]?.array?.first { $0["name"] == "Post" })
        let old = try #require(post["fields"]?.array?.first { $0["name"] == "old" })
        #expect(old["isDeprecated"] == true && old["deprecationReason"] == "gone")
        #expect(outcome.output.hasPrefix("{\n  \"data\": {\n    \"__schema\": {\n"))
    }

    @Test(
        "options that do not go together are refused with the way out",
        arguments: [
            (["--standalone", "--json"], "--standalone and --json are different forms of a schema: choose one"),
            (["--amplify", "--json"], "--amplify and --json are different forms of a schema: choose one"),
            (["--amplify", "--standalone", "--json"], "--amplify and --standalone and --json are different forms"),
            (["--amplify", "--auth-directives"], "--amplify prints the schema before"),
            (["--json", "--auth-directives"], "an introspection has no directives: leave out --auth-directives"),
        ])
    func combinations(_ row: (options: [String], message: String)) {
        let outcome = run(["schema"] + row.options)
        #expect(outcome.code == .usage && outcome.output.isEmpty)
        #expect(outcome.diagnostics.hasPrefix("homeport: \(row.message)"), "\(outcome.diagnostics)")
    }
}
