import Foundation
import JSON
import TestSupport
import Testing

/// What a project says beside its schema holds as soon as it is written, without a new start.
@Suite("The definitions of a project that is followed")
struct DefinitionWatchTests {
    private static let held = "the project has changed, and what it says holds"
    private static let served = "the schema has changed, and is served"
    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { storage } from './storage/resource';
        import { greet } from './functions/greet/resource';
        const backend = defineBackend({ auth, data, storage, greet });
        """
    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        import { greet } from '../functions/greet/resource';
        const schema = a.schema({
          Todo: a.model({ content: a.string() }).authorization((allow) => [allow.publicApiKey()]),
          hello: a.query().returns(a.string()).authorization((allow) => [allow.publicApiKey()])
            .handler(a.handler.function(greet)),
        });
        export const data = defineData({
          schema, authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: {} } });
        """
    private static let auth = """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true }, groups: ['readers'] });
        """

    private static func function(_ name: String, _ options: String = "") -> String {
        "import { defineFunction } from '@aws-amplify/backend';\n"
            + "export const \(name) = defineFunction({ name: '\(name)', entry: './handler.mjs', \(options) });\n"
    }

    private static func storage(_ actions: String, bucket: String = "photos") -> String {
        """
        import { defineStorage } from '@aws-amplify/backend';
        export const storage = defineStorage({ name: '\(bucket)', access: (allow) => ({
          'media/*': [allow.guest.to([\(actions)])] }) });
        """
    }

    private static let files = [
        "amplify/backend.ts": backend, "amplify/data/resource.ts": data, "amplify/auth/resource.ts": auth,
        "amplify/storage/resource.ts": storage("'read'"),
        "amplify/functions/greet/resource.ts": function("greet", "environment: { WORD: 'Hello' }"),
        "amplify/functions/greet/handler.mjs":
            "import { end } from './end.mjs';\nexport const handler = async () => process.env.WORD + end;\n",
        "amplify/functions/greet/end.mjs": "export const end = '!';\n",
    ]

    private let folder = TemporaryFolder()

    private func server(_ environment: [String: String] = [:]) throws -> HomeportProcess {
        for (name, text) in Self.files { try folder.write(text, to: name) }
        return try HomeportProcess(["--watch"], environment: environment, schema: nil, in: folder)
    }

    /// Writes files as an editor does, the last of which makes the server take note.
    private func edit(
        _ files: [(name: String, text: String)], of server: HomeportProcess, expecting line: String = held
    ) throws {
        let before = server.logCount(of: line)
        for (name, text) in files {
            try folder.write(text, to: name + ".part")
            _ = rename(folder.file(name + ".part"), folder.file(name))
        }
        try #require(server.logs(line, times: before + 1), "\(server.log)")
    }

    private func wait(for server: HomeportProcess, line: Int = #line, until isThere: () throws -> Bool) throws {
        try eventually("what is edited holds: \(server.log)", line: line, isThere)
    }

    private static let hello = "{ hello }"
    private static func said(_ text: String) -> String { #"{"data":{"hello":"\#(text)"}}"# }

    @Test(
        "functions get their new variables and code with the next call, and new ones are there", .enabled(if: hasNode))
    func functions() throws {
        let server = try server()
        #expect(try server.answer(to: Self.hello) == Self.said("Hello!"), "\(server.log)")
        let resource = "amplify/functions/greet/resource.ts"
        try edit([(resource, Self.function("greet", "environment: { WORD: 'Good day' }"))], of: server)
        #expect(try server.answer(to: Self.hello) == Self.said("Good day!"), "\(server.log)")
        // What the handler imports is no definition: the next call has it all the same.
        try folder.write("export const end = '?';\n", to: "amplify/functions/greet/end.mjs")
        try wait(for: server) { try server.answer(to: Self.hello) == Self.said("Good day?") }
        // A function that comes with a field of its own, and with a table of whose changes it is told.
        let data = Self.data.replacingOccurrences(
            of: "hello: a",
            with: "part: a.query().returns(a.string())"
                + ".authorization((allow) => [allow.publicApiKey()]).handler(a.handler.function(part)),\n  hello: a"
        ).replacingOccurrences(
            of: "import { greet }", with: "import { part } from '../functions/part/resource';\nimport { greet }")
        let backend =
            Self.backend.replacingOccurrences(of: "storage, greet }", with: "storage, greet, part }")
            .replacingOccurrences(
                of: "import { greet }", with: "import { part } from './functions/part/resource';\nimport { greet }")
                + """
                import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
                const { tables } = backend.data.resources;
                new EventSourceMapping(tables['Todo'].stack, 'changes', {
                  target: backend.part.resources.lambda, eventSourceArn: tables['Todo'].tableStreamArn,
                  startingPosition: StartingPosition.LATEST });
                """
        try edit(
            [
                (
                    "amplify/functions/part/handler.mjs",
                    "export const handler = async (event) => {\n"
                        + "  for (const record of event.Records ?? []) console.log('told of', record.eventName);\n"
                        + "  return 'Bye'; };\n"
                ), ("amplify/functions/part/resource.ts", Self.function("part")),
                ("amplify/backend.ts", backend), ("amplify/data/resource.ts", data),
            ], of: server, expecting: Self.served)
        try wait(for: server) { try server.answer(to: "{ part }") == #"{"data":{"part":"Bye"}}"# }
        _ = try server.answer(to: #"mutation { createTodo(input: { content: "a" }) { id } }"#)
        #expect(server.logs("told of INSERT", milliseconds: 60_000), "\(server.log)")
        // One that is gone is not there.
        try edit(
            [("amplify/backend.ts", Self.backend), ("amplify/data/resource.ts", Self.data)], of: server,
            expecting: Self.served)
        try wait(for: server) {
            var call = SignedCall("", "{}", to: server)
            (call.service, call.path, call.hasTarget) = ("lambda", "/2015-03-31/functions/part/invocations", false)
            call.signed = ["content-type", "host", "x-amz-date"]
            return try call.answer(from: server).status == 404
        }
        #expect(try server.answer(to: Self.hello) == Self.said("Good day?"), "\(server.log)")
    }

    @Test("a project that is wrong is told of, and what was said before holds on", .enabled(if: hasNode))
    func wrong() throws {
        let server = try server()
        #expect(try server.answer(to: Self.hello) == Self.said("Hello!"), "\(server.log)")
        try edit(
            [("amplify/auth/resource.ts", "export const auth = defineAuth({ loginWith: ")], of: server,
            expecting: "still serving the last good project")
        #expect(try server.answer(to: Self.hello) == Self.said("Hello!"), "\(server.log)")
        try edit(
            [
                ("amplify/auth/resource.ts", Self.auth),
                (
                    "amplify/functions/greet/resource.ts",
                    Self.function("greet", "environment: { WORD: 'Again' }")
                ),
            ], of: server)
        try wait(for: server) { try server.answer(to: Self.hello) == Self.said("Again!") }
    }

    @Test("rules of files and buckets hold with the next request, and apps are told of them")
    func storage() throws {
        let server = try server(IdentityClient.environment)
        func bucket() throws -> String {
            let outputs = try JSONReader.value(of: folder.read("amplify_outputs.json"))
            return try #require(outputs["storage"]?["bucket_name"]?.string)
        }
        let name = try bucket()
        let guest = try SignedFileCall(server, as: IdentityClient(server: server).keys(idToken: nil))
        let path = "/\(name)/media/a.txt"
        #expect(try guest.call("PUT", path, body: Array("a".utf8)).status == 403)
        try edit([("amplify/storage/resource.ts", Self.storage("'read', 'write'"))], of: server)
        #expect(try guest.call("PUT", path, body: Array("a".utf8)).status == 200)
        #expect(try guest.call("GET", path).status == 200)
        try edit([("amplify/storage/resource.ts", Self.storage("'write'"))], of: server)
        #expect(try guest.call("GET", path).status == 403)
        // Another bucket in its place: the file of the first one is there again with it.
        try edit([("amplify/storage/resource.ts", Self.storage("'read', 'write'", bucket: "others"))], of: server)
        let other = try bucket()
        #expect(other != name)
        #expect(try guest.call("PUT", "/\(other)/media/b.txt", body: Array("b".utf8)).status == 200)
        #expect(try guest.call("GET", path).status == 404)
        try edit([("amplify/storage/resource.ts", Self.storage("'read'"))], of: server)
        #expect(try guest.call("GET", path).bytes == Array("a".utf8))
    }

    @Test("rights of a role hold with the next request, where nothing else has changed")
    func rights() throws {
        let server = try server(IdentityClient.environment)
        let outputs = try JSONReader.value(of: folder.read("amplify_outputs.json"))
        let path = "/\(try #require(outputs["storage"]?["bucket_name"]?.string))/drop/a.txt"
        let guest = try SignedFileCall(server, as: IdentityClient(server: server).keys(idToken: nil))
        func put() throws -> Int { try guest.call("PUT", path, body: Array("a".utf8)).status }
        #expect(try put() == 403)
        let backend =
            "import { PolicyStatement } from 'aws-cdk-lib/aws-iam';\n" + Self.backend + """

                backend.auth.resources.unauthenticatedUserIamRole.addToPrincipalPolicy(new PolicyStatement({
                  actions: ['s3:PutObject'], resources: [`${backend.storage.resources.bucket.bucketArn}/drop/*`] }));
                """
        try edit([("amplify/backend.ts", backend)], of: server)
        #expect(try put() == 200, "\(server.log)")
        try edit([("amplify/backend.ts", Self.backend)], of: server)
        #expect(try put() == 403, "\(server.log)")
    }

    @Test(
        "the pool has its new groups, attributes, password needs and triggers at once; what needs a start says so",
        .enabled(if: hasNode))
    func pool() throws {
        let server = try server()
        let client = try PoolClient(server)
        func signUp(_ email: String, _ password: String, _ more: [[String: String]] = []) -> String {
            do {
                let answer = try client.call(
                    "SignUp",
                    [
                        "Username": email, "Password": password,
                        "UserAttributes": [["Name": "email", "Value": email]] + more,
                    ])
                return answer["UserConfirmed"] as? Bool == true ? "confirmed" : "unconfirmed"
            } catch {
                return "\(error)"
            }
        }
        #expect(signUp("a@example.com", "Passw0rd!") == "unconfirmed")
        let colour = [["Name": "custom:colour", "Value": "red"]]
        #expect(signUp("b@example.com", "Passw0rd!", colour).contains("colour"))
        try edit(
            [
                (
                    "amplify/functions/admit/handler.mjs",
                    "export const handler = async (event) => {\n"
                        + "  event.response.autoConfirmUser = true; return event; };\n"
                ), ("amplify/functions/admit/resource.ts", Self.function("admit")),
                (
                    "amplify/auth/resource.ts",
                    """
                    import { defineAuth } from '@aws-amplify/backend';
                    import { admit } from '../functions/admit/resource';
                    export const auth = defineAuth({
                      loginWith: { email: true }, groups: ['writers', 'readers'], triggers: { preSignUp: admit },
                      userAttributes: { 'custom:colour': { dataType: 'String', maxLen: 5 } } });
                    """
                ),
                (
                    "amplify/backend.ts",
                    Self.backend + """

                        backend.auth.resources.cfnResources.cfnUserPool.policies = {
                          passwordPolicy: { minimumLength: 20 } };
                        """
                ),
            ], of: server)
        // Files are edited one after the other, and some may hold before the others: who is let in then is somebody else.
        try wait(for: server) {
            server.log.contains(Self.held) && signUp("early@example.com", "Passw0rd!").contains("long")
        }
        #expect(signUp("b@example.com", "Passw0rd!Passw0rd!Pass", colour) == "confirmed", "\(server.log)")
        let groups = try SignedCall(
            "ListGroups", #"{"UserPoolId":"\#(PoolClient.names(of: server)["userPoolId"] ?? "")"}"#, to: server
        ).answer(from: server).body
        let ranks = try JSONReader.value(of: groups)["Groups"]?.array?.map { [$0["GroupName"], $0["Precedence"]] }
        #expect(ranks == [["readers", 1], ["writers", 0]], "\(groups)")
        // Users are kept by the names with which they sign up.
        let line = "auth.pool.signIn: what amplify/auth/resource.ts says holds from the next start on"
        try edit(
            [
                (
                    "amplify/auth/resource.ts",
                    "import { defineAuth } from '@aws-amplify/backend';\n"
                        + "export const auth = defineAuth({ loginWith: { phone: true } });\n"
                )
            ], of: server, expecting: line)
        var number = 0
        try wait(for: server) {
            number += 1
            return signUp("c\(number)@example.com", "Passw0rd!Passw0rd!Pass") == "unconfirmed"
        }
    }

    @Test("a function does with the API what allow.resource lets it do, and no more", .enabled(if: hasNode))
    func grants() throws {
        let server = try server()
        func data(_ rule: String) -> String {
            Self.data.replacingOccurrences(
                of: "(greet)),\n})", with: "(greet)),\n}).authorization((allow) => [\(rule)])")
        }
        let start = Self.served
        try edit(
            [
                (
                    "amplify/functions/greet/handler.mjs",
                    "export const handler = async () => JSON.stringify(process.env);\n"
                ), ("amplify/data/resource.ts", data("allow.resource(greet).to(['query'])")),
            ], of: server, expecting: start)
        let told = try JSONReader.value(of: server.answer(to: Self.hello))["data"]?["hello"]?.string ?? ""
        let variables = try JSONReader.value(of: told)
        func answer(_ query: String) throws -> String {
            let body = JSONWriter.text(of: ["query": .string(query)])
            var call = SignedCall("", body, to: server)
            (call.hasTarget, call.service, call.path) = (false, "appsync", "/graphql")
            call.accessKeyID = variables["AWS_ACCESS_KEY_ID"]?.string ?? ""
            call.secret = variables["AWS_SECRET_ACCESS_KEY"]?.string ?? ""
            call.others = [("x-amz-security-token", variables["AWS_SESSION_TOKEN"]?.string ?? "")]
            call.signed = ["content-type", "host", "x-amz-date", "x-amz-security-token"]
            return try call.answer(from: server).body
        }
        let query = "{ listTodos { items { content } } }"
        let mutation = #"mutation { createTodo(input: { content: "a" }) { content } }"#
        #expect(try answer(query) == #"{"data":{"listTodos":{"items":[]}}}"#, "\(server.log)")
        #expect(try answer(mutation).contains("Permission denied"))
        try edit(
            [("amplify/data/resource.ts", data("allow.resource(greet).to(['mutate'])"))], of: server,
            expecting: start)
        #expect(try answer(query).contains("Permission denied"))
        #expect(try answer(mutation) == #"{"data":{"createTodo":{"content":"a"}}}"#)
        try edit(
            [("amplify/data/resource.ts", data("allow.resource(greet)"))], of: server, expecting: start)
        #expect(try answer(query) == #"{"data":{"listTodos":{"items":[{"content":"a"}]}}}"#)
        #expect(try answer(mutation) == #"{"data":{"createTodo":{"content":"a"}}}"#)
    }
}
