import Foundation
import JSON
import TestSupport
import Testing

/// Projects as Amplify's own guides and tools lay them out, each served with no setting at all (`Tests/Projects`).
@Suite("Whole projects")
struct WholeProjectTests {
    private static func server(
        _ project: String, _ arguments: [String] = [], environment: [String: String] = [:],
        change: (TemporaryFolder) throws -> Void = { _ in }
    ) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        let source = repositoryFile("Tests/Projects/\(project)")
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: folder.file(name))
        }
        try change(folder)
        return try HomeportProcess(arguments, environment: environment, schema: nil, in: folder)
    }

    private static func isThere(_ program: String) -> Bool {
        ["/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Tests run what is in `/usr/bin`; where there is no such program, what needs it is not tried.
    private static let hasNode = isThere("node")
    private static let hasPython = isThere("python3")

    struct Layout: Sendable, CustomTestStringConvertible {
        let project: String
        /// The file by which its app finds the server, and what stands in it.
        let file: String
        let has: String
        var list = "listTodos"
        var testDescription: String { project }
    }

    static let layouts = [
        Layout(project: "react", file: "amplify_outputs.json", has: #""user_pool_id""#),
        Layout(project: "vue", file: "amplify_outputs.json", has: #""model_introspection""#),
        Layout(project: "angular", file: "amplify_outputs.json", has: #""theme": "dark""#),
        Layout(project: "flutter", file: "lib/amplify_outputs.dart", has: "const amplifyConfig = r'''{"),
        Layout(project: "gen1", file: "src/aws-exports.js", has: "export default awsmobile;", list: "listPosts"),
    ]

    @Test("each answers queries, and its app gets the file where it reads it", arguments: layouts)
    func serves(layout: Layout) throws {
        let server = try Self.server(layout.project)
        let answer = try server.answer(to: "{ \(layout.list) { items { id } } }")
        #expect(answer == #"{"data":{"\#(layout.list)":{"items":[]}}}"#)
        let file = server.folder.read(layout.file)
        #expect(file.contains(layout.has) && file.contains("127.0.0.1:\(server.port)/graphql"), "\(file)")
        #expect(!server.log.contains("the schema has no function"), "\(server.log)")
    }

    @Test("a web app of Gen 1 gets both of its files, in its own form")
    func webFiles() throws {
        let server = try Self.server("gen1")
        let file = try JSONReader.value(of: server.folder.read("src/amplifyconfiguration.json"))
        // It has version 6 of aws-amplify, which takes the file as it is where no name begins with aws_.
        let endpoint = JSONValue.string("HTTP://127.0.0.1:\(server.port)/graphql")
        #expect(file["API"]?["GraphQL"]?["endpoint"] == endpoint && file["aws_appsync_graphqlEndpoint"] == nil)
        let module = server.folder.read("src/aws-exports.js")
        #expect(module.contains("\"aws_appsync_graphqlEndpoint\"") && module.contains("enumerable: false"))
    }

    /// Whether the new user is confirmed at once, or why there is none.
    private static func signUp(_ email: String, _ client: PoolClient) throws -> String {
        do {
            let answer = try client.call(
                "SignUp",
                [
                    "Username": email, "Password": "Passw0rd!x",
                    "UserAttributes": [["Name": "email", "Value": email]],
                ])
            return "\(answer["UserConfirmed"] as? Bool == true)"
        } catch let refusal as PoolClient.Refusal {
            return refusal.message
        }
    }

    // MARK: Functions

    @Test(
        "a function in JavaScript gets its variables, secrets, and names of what the server has", .enabled(if: hasNode))
    func javaScript() throws {
        let server = try Self.server("react") {
            try $0.write("# ours\nGREETING='Hello you'\n", to: ".homeport/secrets")
        }
        let pool = try PoolClient.names(of: server)["userPoolId"] ?? ""
        let answer = try server.answer(to: #"{ sayHello(name: "Ann") }"#)
        let said = "Hello you, Ann!  Todo-local-NONE \(pool) http://127.0.0.1:\(server.port)/graphql"
        #expect(answer == #"{"data":{"sayHello":"\#(said)"}}"#, "\(server.log)")
        #expect(
            server.logs("variables of functions have no value here, and are not set: STAGE of say-hello"))
        #expect(server.logs("goes on without it: Vpc (amplify/backend.ts:39)"))
    }

    @Test(
        "an API that the project makes is in the file for its app, at an address that leads to its function",
        .enabled(if: hasNode))
    func ownAPI() throws {
        let server = try Self.server("react")
        let file = try JSONReader.value(of: server.folder.read("amplify_outputs.json"))
        let address = "http://127.0.0.1:\(server.port)/rest/greetings/"
        #expect(
            file["custom"]?["API"]?["greetings"] == [
                "endpoint": .string(address), "region": "us-east-1", "apiName": "greetings",
            ])
        let client = try RawClient(port: server.port)
        try client.send("GET /rest/greetings/changes HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try client.readAnswer().body == "GET /changes", "\(server.log)")
    }

    @Test("a secret that is nowhere is told, with where to put it, and stops nothing")
    func unsetSecret() throws {
        let server = try Self.server("react")
        #expect(server.logs("functions go without the secrets GREETING: "), "\(server.log)")
        #expect(server.logs(".homeport/secrets"))
    }

    @Test("the configuration goes over what the project says of a function, and keeps the rest", .enabled(if: hasNode))
    func configured() throws {
        let server = try Self.server("react", ["--config", "homeport.json"]) { folder in
            let functions = #"{"say-hello": {"timeout": 50, "environment": {"GREETING": "Set", "STAGE": "here"}}}"#
            try folder.write(#"{"functions": \#(functions)}"#, to: "homeport.json")
        }
        #expect(try server.answer(to: #"{ sayHello(name: "Ann") }"#).contains("Set, Ann! here Todo-local-NONE"))
        let run = try ProgramRun.outcome(
            ["serve", "--config", "homeport.json", "--print-config"], in: server.folder)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("functions ") } ?? ""
        #expect(line.hasSuffix("homeport.json:1, amplify/backend.ts"), "\(line)")
        #expect(line.contains("handler.mjs") && line.contains("\"timeout\":50") && !line.contains("Set"), "\(line)")
    }

    @Test(
        "a function in TypeScript runs where something can read it, and else says what to install",
        .enabled(if: hasNode))
    func typeScript() throws {
        let server = try Self.server("angular")
        let answer = try server.answer(to: #"{ count(text: "four") }"#)
        let isTold = answer.contains("says how to install it") && server.logs("npm install --")
        #expect(answer == #"{"data":{"count":4}}"# || isTold, "\(answer) \(server.log)")
    }

    @Test("a function in Python answers a field, and admits people to the pool", .enabled(if: hasPython))
    func python() throws {
        let server = try Self.server("vue")
        #expect(
            try server.answer(to: #"{ greet(name: "Ann") }"#) == #"{"data":{"greet":"Hello, Ann, from greet"}}"#,
            "\(server.log)")
        let client = try PoolClient(server)
        #expect(try Self.signUp("ann@example.com", client) == "true")
        #expect(
            try Self.signUp("ann@elsewhere.org", client)
                == "PreSignUp failed with error only for people of example.com.")
    }

    @Test("functions of a Gen 1 project go by their deployed names, with its values and layers", .enabled(if: hasNode))
    func gen1() throws {
        let server = try Self.server("gen1")
        let said = "*a* dev eu-central-1 friendly http://127.0.0.1:\(server.port)/graphql"
        #expect(try server.answer(to: #"{ echo(text: "a") }"#) == #"{"data":{"echo":"\#(said)"}}"#, "\(server.log)")
        if Self.hasPython {
            #expect(try server.answer(to: #"{ count(text: "four") }"#) == #"{"data":{"count":4}}"#, "\(server.log)")
        }
        let client = try PoolClient(server)
        #expect(try Self.signUp("ann@example.com", client) == "true", "\(server.log)")
        #expect(
            try Self.signUp("ann@elsewhere.org", client)
                == "PreSignUp failed with error Invalid email domain: elsewhere.org.")
    }

    @Test("the REST API of a Gen 1 project calls its function, and apps find it", .enabled(if: hasNode))
    func restAPI() throws {
        let server = try Self.server("gen1")
        let base = "http://127.0.0.1:\(server.port)/rest/blogrest"
        #expect(server.folder.read("src/aws-exports.js").contains(base))
        let client = try RawClient(port: server.port)
        try client.send("GET /rest/blogrest/posts/7/likes HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 201 "), "\(server.log)")
        #expect(answer.body == #"["/posts/{id}/{proxy+}",{"id":"7","proxy":"likes"}]"#)
        try client.send("GET /rest/blogrest/drafts HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 403 "))
    }

    @Test("a function that backend.ts gives a URL is called there", .enabled(if: hasNode))
    func functionURL() throws {
        let server = try Self.server("react")
        let client = try RawClient(port: server.port)
        try client.send("GET /url/on-change/a?b=c HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.body == "/a b=c", "\(answer) \(server.log)")
        try client.send("GET /url/say-hello HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
    }

    @Test("a file that has come calls the function of the project's storage", .enabled(if: hasNode))
    func storageTrigger() throws {
        let server = try Self.server("angular")
        let outputs = try JSONReader.value(of: server.folder.read("amplify_outputs.json"))
        let bucket = try #require(outputs["storage"]?["bucket_name"]?.string)
        let put = try SignedFileCall(server).call("PUT", "/\(bucket)/public/a.txt", body: Array("a".utf8))
        #expect(put.status == 200)
        #expect(server.logs("uploaded public/a.txt to \(bucket)", milliseconds: 30_000), "\(server.log)")
    }

    @Test("a change of a table is told to the function that backend.ts has for it", .enabled(if: hasNode))
    func tableStream() throws {
        let server = try Self.server("react")
        let made = try server.answer(to: #"mutation { createTodo(input: { content: "first" }) { content } }"#)
        #expect(made.contains("first"))
        #expect(server.logs("INSERT first in Todo-local-NONE", milliseconds: 30_000), "\(server.log)")
    }

    @Test("a function of a table that is not there is told, and the rest is served")
    func noTable() throws {
        let server = try Self.server("react") {
            let backend = $0.read("amplify/backend.ts")
            try $0.write(
                backend.replacingOccurrences(
                    of: "tables['Todo'].tableStreamArn", with: "tables['Note'].tableStreamArn"),
                to: "amplify/backend.ts")
        }
        #expect(
            server.logs("the function on-change gets no changes: there is no model Note with a table")
        )
    }

    @Test("functions get what the models are like as a file, and nobody does without keys")
    func introspection() throws {
        let server = try Self.server("react")
        let path = "/amplify-introspection/modelIntrospectionSchema.json"
        let answer = try SignedFileCall(server).call("GET", path)
        #expect(answer.status == 200)
        let models = try JSONReader.value(of: answer.bytes)["models"]
        #expect(models?["Todo"] != nil)
        let client = try RawClient(port: server.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 403"))
        #expect(try SignedFileCall(server).call("PUT", path).status == 405)
    }

    @Test("the authorizer of defineData decides who may call", .enabled(if: hasPython), arguments: [true, false])
    func authorizer(hasBackend: Bool) throws {
        let folder = TemporaryFolder()
        let files = [
            "amplify/data/resource.ts": """
            import { a, defineData } from '@aws-amplify/backend';
            import { decide } from '../functions/decide';
            const schema = a.schema({
              Todo: a.model({ content: a.string() }).authorization((allow) => [allow.custom()]),
            });
            export const data = defineData({
              schema, authorizationModes: {
                defaultAuthorizationMode: 'lambda', lambdaAuthorizationMode: { function: decide, timeToLiveInSeconds: 0 } },
            });
            """,
            "amplify/functions/decide.ts": """
            import { defineFunction } from '@aws-amplify/backend';
            import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
            export const decide = defineFunction((scope) => new Function(scope, 'decide', {
              handler: 'decide.handler', runtime: Runtime.PYTHON_3_12, code: Code.fromAsset('amplify/functions') }));
            """,
            "amplify/functions/decide.py": """
            def handler(event, context):
                return {"isAuthorized": event["authorizationToken"] == "good"}
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { data } from './data/resource';
            import { decide } from './functions/decide';
            defineBackend({ data, decide });
            """,
        ]
        for (name, text) in files where hasBackend || name != "amplify/backend.ts" {
            try folder.write(text, to: name)
        }
        let config = #"{"functions": {"decide": {"timeout": 60}}}"#
        try folder.write(config, to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], schema: nil, in: folder)
        let query = "{ listTodos { items { id } } }"
        #expect(
            try server.answer(to: query, fields: ["Authorization: good"])
                == #"{"data":{"listTodos":{"items":[]}}}"#,
            "\(server.log)")
        #expect(try server.answer(to: query, fields: ["Authorization: bad"]).contains("UnauthorizedException"))
    }

    @Test("a function that is set and that no project defines refuses the start with what is missing")
    func halfSet() throws {
        #expect {
            _ = try Self.server("react", ["--config", "homeport.json"]) {
                try $0.write(#"{"functions": {"say-hallo": {"timeout": 5}}}"#, to: "homeport.json")
            }
        } throws: { error in
            "\(error)".contains(
                "say-hallo: expected a url where it is called, a command that runs it, or a handler")
        }
    }

    @Test("where there is no node, the log says at the first call what installs it")
    func noNode() throws {
        let server = try Self.server("react", environment: ["PATH": "/nowhere"])
        #expect(try server.answer(to: #"{ sayHello(name: "Ann") }"#).contains("\"sayHello\":null"))
        #expect(server.logs("there is no node, which functions in JavaScript and TypeScript need"), "\(server.log)")
    }

    @Test("a function whose file is not there is left out with a word, and the rest is served")
    func missingFile() throws {
        let server = try Self.server("react") {
            try FileManager.default.removeItem(atPath: $0.file("amplify/functions/say-hello/handler.mjs"))
        }
        #expect(server.logs("the function say-hello of the project is left out: handler: there is no file"))
        #expect(try server.answer(to: "{ listTodos { items { id } } }").contains("items"))
    }

    @Test("addresses of AWS that are written out in functions are told at the start, with their places")
    func cloudAddresses() throws {
        let server = try Self.server("react") {
            try $0.write(
                "export const a = 1;\nexport const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/prod';\n",
                to: "amplify/functions/say-hello/lib/call.ts")
        }
        #expect(server.logs("amplify/functions/say-hello/lib/call.ts:2"), "\(server.log)")
    }
}
