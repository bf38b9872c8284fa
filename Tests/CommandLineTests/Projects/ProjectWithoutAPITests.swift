import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// A project that has sign-in, files and functions, and no API of data.
@Suite("A project without an API")
struct ProjectWithoutAPITests {
    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let version2 = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true } });
        """,
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        export const storage = defineStorage({ name: 'photos', access: (allow) => ({
          'media/*': [allow.guest.to(['read', 'write'])] }) });
        """,
        "amplify/functions/greet/resource.ts": """
        import { defineFunction } from '@aws-amplify/backend';
        export const greet = defineFunction({ name: 'greet', entry: './handler.mjs' });
        """,
        "amplify/functions/greet/handler.mjs": """
        export const handler = async (event) => ({ statusCode: 200, body: JSON.stringify({
          path: event.rawPath ?? event.path, api: process.env.ENDPOINT ?? '',
          names: Object.keys(process.env).filter((name) => name.startsWith('AMPLIFY_')) }) });
        """,
    ]
    private static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
        import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
        import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
        import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
        import { auth } from './auth/resource';
        import { storage } from './storage/resource';
        import { greet } from './functions/greet/resource';
        const backend = defineBackend({ auth, storage, greet });
        const stack = backend.createStack('api');
        const greeting = backend.greet.resources.lambda;
        const rest = new RestApi(stack, 'Rest', { restApiName: 'shop' });
        rest.root.addResource('items').addMethod('GET', new LambdaIntegration(greeting));
        const http = new HttpApi(stack, 'Http', { apiName: 'web' });
        http.addRoutes({ path: '/hello', methods: [HttpMethod.GET], integration: new HttpLambdaIntegration('i', greeting) });
        const own = greeting.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
        backend.greet.addEnvironment('ENDPOINT', http.apiEndpoint);
        backend.addOutput({ custom: {
          rest: rest.url, items: rest.urlForPath('/items'), http: http.url, endpoint: http.apiEndpoint, own: own.url } });
        """
    private static let version1 = [
        "amplify/backend/backend-config.json": """
        {"auth": {"shop": {"service": "Cognito"}}, "storage": {"photos": {"service": "S3"}},
         "api": {"rest": {"service": "API Gateway"}}}
        """,
        "amplify/backend/auth/shop/cli-inputs.json": """
        {"cognitoConfig": {"usernameAttributes": ["email"], "requiredAttributes": ["email"], "autoVerifiedAttributes": ["email"],
         "mfaConfiguration": "OFF", "passwordPolicyMinLength": 8, "allowUnauthenticatedIdentities": true,
         "identityPoolName": "shop", "authSelections": "identityPoolAndUserPool"}}
        """,
        "amplify/backend/storage/photos/cli-inputs.json": """
        {"resourceName": "photos", "bucketName": "photos", "storageAccess": "authAndGuest", "guestAccess": ["READ", "CREATE_AND_UPDATE"],
         "authAccess": ["READ"], "groupAccess": {}}
        """,
        "amplify/.config/project-config.json": """
        {"projectName": "shop", "frontend": "javascript", "javascript": {"config": {"SourceDir": "src"}}}
        """,
        "src/main.js": "",
    ]

    /// The pools have the names that the clients of these tests know.
    private static let names = IdentityClient.environment.filter { $0.key != "HOMEPORT_AUTH_POOL_CLIENTS" }

    private static func folder(_ files: [String: String]...) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, text) in files.joined() { try folder.write(text, to: name) }
        return folder
    }

    private static func version2(_ backend: String = backend) throws -> TemporaryFolder {
        try folder(version2, ["amplify/backend.ts": backend])
    }

    private static func server(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> HomeportProcess {
        try HomeportProcess(arguments, environment: names, schema: nil, in: folder)
    }

    private static func send(_ line: String, _ fields: [String] = [], body: String = "", to server: HomeportProcess)
        throws -> (head: String, body: String)
    {
        let client = try RawClient(port: server.port)
        let lines = ["\(line) HTTP/1.1", "Host: 127.0.0.1:\(server.port)"] + fields
        try client.send(
            lines.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        return try client.readAnswer()
    }

    /// Sign-in and files of a server that has them.
    ///
    /// - Parameter open: the folder where guests may put files.
    private static func signsInAndKeepsFiles(_ server: HomeportProcess, bucket: String, open: String) throws {
        let pool = try PoolClient(server)
        let name = "ann@example.com"
        let answer = try pool.call(
            "SignUp",
            [
                "Username": name, "Password": "Passw0rd!!", "UserAttributes": [["Name": "email", "Value": name]],
            ])
        #expect(answer["UserConfirmed"] as? Bool == false, "\(answer)")
        let guest = try SignedFileCall(server, as: IdentityClient(server: server).keys(idToken: nil))
        #expect(try guest.call("PUT", "/\(bucket)/\(open)/a", body: Array("a".utf8)).status == 200, "\(server.log)")
        #expect(try guest.call("GET", "/\(bucket)/\(open)/a").bytes == Array("a".utf8))
        #expect(try guest.call("PUT", "/\(bucket)/elsewhere/a", body: Array("a".utf8)).status == 403)
    }

    @Test(
        "of Gen 2 is served with its sign-in, files and functions, and its file for apps has no data",
        .enabled(if: hasNode))
    func servesVersion2() throws {
        let server = try Self.server(try Self.version2())
        #expect(!server.banner.contains("/graphql") && server.banner.contains("Server "), "\(server.banner)")
        let outputs = try JSONReader.value(of: server.folder.read("amplify_outputs.json"))
        #expect(outputs.object?.keys == ["auth", "storage", "version", "custom"])
        try Self.signsInAndKeepsFiles(server, bucket: outputs["storage"]?["bucket_name"]?.string ?? "", open: "media")
        let base = "http://127.0.0.1:\(server.port)"
        #expect(
            outputs["custom"] == [
                "rest": .string("\(base)/rest/shop/"), "items": .string("\(base)/rest/shop/items"),
                "http": .string("\(base)/rest/web/"), "endpoint": .string("\(base)/rest/web"),
                "own": .string("\(base)/url/greet/"),
            ])
        for (path, told) in [("/rest/shop/items", "/items"), ("/rest/web/hello", "/hello"), ("/url/greet/a", "/a")] {
            let answer = try Self.send("GET \(path)", to: server)
            let body = try JSONReader.value(of: answer.body)
            #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && body["path"] == .string(told), "\(answer) \(server.log)")
            #expect(body["api"] == .string("\(base)/rest/web"))
            // Nothing tells a function of an API that is not there.
            let names = body["names"]?.array?.compactMap(\.string) ?? []
            #expect(!names.contains { $0.contains("DATA") }, "\(names)")
        }
    }

    @Test(
        "says that it has none to who asks for it, whatever they ask",
        arguments: ["amplify/backend.ts", "amplify/auth/resource.ts", "amplify/backend/backend-config.json"])
    func refuses(file: String) throws {
        let folder =
            file.hasSuffix(".json")
            ? try Self.folder(Self.version1)
            : file.hasSuffix("backend.ts")
                ? try Self.version2() : try Self.folder([file: Self.version2[file] ?? ""])
        let server = try Self.server(folder)
        let key = OperationClient.key
        let query = #"{"query": "{ __typename }"}"#
        for (line, fields, body) in [
            ("POST /graphql", [key], query), ("POST /graphql", [], "nonsense"),
            ("GET /graphql?query=%7Bx%7D", [key], ""),
            ("POST /graphql", [key, "Accept: text/event-stream"], query),
            (
                "GET /graphql/realtime",
                [
                    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: graphql-ws",
                ], ""
            ),
        ] {
            let answer = try Self.send(line, fields, body: body, to: server)
            #expect(answer.head.hasPrefix("HTTP/1.1 404 "), "\(line): \(answer)")
            let told = try JSONReader.value(of: answer.body)
            #expect(
                told["errors"]?[0]?["message"]?.string?.contains("defines no API") == true
                    && told["message"]?.string?.contains("defines no API") == true, "\(line): \(answer)")
            #expect(!answer.body.contains("thisProjectHasNoAPI"))
        }
        #expect(try Self.send("GET /health", to: server).head.hasPrefix("HTTP/1.1 200 "))
        let origin = try Self.send("POST /graphql", ["Origin: http://a.test"], body: query, to: server)
        #expect(origin.head.contains("access-control-allow-origin"), "\(origin)")
    }

    @Test("of Gen 1 is served with its sign-in and its files, and its file for apps names no GraphQL")
    func servesVersion1() throws {
        let server = try Self.server(try Self.folder(Self.version1))
        let text = server.folder.read("src/aws-exports.js")
        #expect(text.contains("aws_user_pools_id") && !text.contains("appsync"), "\(text)")
        let bucket = try #require(text.firstMatch(of: /"aws_user_files_s3_bucket": "([^"]+)"/)?.1)
        try Self.signsInAndKeepsFiles(server, bucket: String(bucket), open: "public")
    }

    @Test("needs no key of an API where others can reach it")
    func needsNoKey() throws {
        let server = try Self.server(try Self.version2(), ["--host", "0.0.0.0"])
        #expect(try Self.send("GET /health", to: server).head.hasPrefix("HTTP/1.1 200 "))
    }

    @Test("is checked, and its files for apps are printed, but no schema")
    func commands() throws {
        for folder in [try Self.version2(), try Self.folder(Self.version1)] {
            let check = try ProgramRun.outcome(["check"], in: folder)
            #expect(check.code == .success && check.output.contains("defines no API"), "\(check)")
            #expect(check.output.hasSuffix("No errors\n"), "\(check)")
            let outputs = try ProgramRun.outcome(["outputs"], in: folder)
            #expect(outputs.code == .success, "\(outputs)")
            let file = try JSONReader.value(of: outputs.output)
            #expect(file["auth"] != nil && file["storage"] != nil && file["data"] == nil)
            for form in [[], ["--amplify"], ["--standalone"], ["--json"]] {
                let schema = try ProgramRun.outcome(["schema"] + form, in: folder)
                #expect(schema.code == .unreadableInput && schema.output.isEmpty, "\(schema)")
                #expect(schema.diagnostics.contains("defines no API"), "\(schema)")
            }
            let users = try ProgramRun.outcome(["users", "list"], in: folder)
            #expect(users.code == .success, "\(users)")
        }
    }

    @Test("is checked as all others are: what is wrong with it is told with its place")
    func checks() throws {
        let folder = try Self.version2()
        try folder.write(
            (Self.version2["amplify/storage/resource.ts"] ?? "").replacing("'media/*'", with: "'/media'"),
            to: "amplify/storage/resource.ts")
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code == .failure && check.output.isEmpty)
        #expect(check.diagnostics.contains("amplify/storage/resource.ts:3:"), "\(check)")
    }

    @Test("that names an API whose schema is not there is none")
    func incomplete() throws {
        let data =
            "import { a, defineData } from '@aws-amplify/backend';\n"
            + "export const data = defineData({ schema: a.schema({}) });\n"
        let version2 = try Self.folder(
            Self.version2,
            [
                "amplify/api/resource.ts": data,
                "amplify/backend.ts": "import { defineBackend } from '@aws-amplify/backend';\n"
                    + "import { data } from './api/resource';\ndefineBackend({ data });\n",
            ])
        let version1 = try Self.folder([
            "amplify/backend/backend-config.json": #"{"api": {"blog": {"service": "AppSync"}}}"#
        ])
        for (folder, remedy) in [(version2, "--schema"), (version1, "amplify/backend/api/blog/schema.graphql")] {
            for command in [["serve", "--port", "0"], ["check"]] {
                let outcome = try ProgramRun.outcome(command, in: folder)
                #expect(outcome.code == .unreadableInput && outcome.diagnostics.contains(remedy), "\(outcome)")
            }
        }
    }

    @Test("has one as soon as its schema is written while it is followed, and loses no record when that goes")
    func comesToHaveOne() throws {
        let folder = try Self.version2()
        let server = try Self.server(folder, ["--watch"])
        #expect(try Self.send("POST /graphql", body: "{}", to: server).head.hasPrefix("HTTP/1.1 404 "))
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({ Todo: a.model({ text: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
            export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
            """, to: "amplify/data/resource.ts")
        try folder.write(
            Self.backend.replacing("{ auth, storage, greet }", with: "{ auth, storage, greet, data }")
                .replacing("import { auth }", with: "import { data } from './data/resource';\nimport { auth }"),
            to: "amplify/backend.ts")
        #expect(server.logs("the schema has changed, and is served", milliseconds: 60_000), "\(server.log)")
        var answer = ""
        try eventually("a record is made: \(answer) \(server.log)") {
            answer =
                (try? server.answer(to: #"mutation { createTodo(input: { id: "a", text: "t" }) { id } }"#)) ?? ""
            return answer.contains("\"id\"")
        }
        #expect(answer == #"{"data":{"createTodo":{"id":"a"}}}"#, "\(server.log)")
        let outputs = try JSONReader.value(of: folder.read("amplify_outputs.json"))
        #expect(outputs["data"]?["url"] != nil)
        try folder.write(Self.backend, to: "amplify/backend.ts")
        try FileManager.default.removeItem(atPath: folder.file("amplify/data/resource.ts"))
        #expect(server.logs("still serving the last good project", milliseconds: 60_000), "\(server.log)")
        #expect(try server.answer(to: "{ listTodos { items { id } } }").contains(#""id":"a""#))
    }
}
