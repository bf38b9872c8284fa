import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport outputs`: the file that an app loads, of projects as people lay them out.
@Suite("homeport outputs")
struct OutputsCommandTests {
    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({
          Todo: a.model({ text: a.string(), list: a.belongsTo('List', 'listId'), listId: a.id() }),
          List: a.model({ todos: a.hasMany('Todo', 'listId') }),
        }).authorization((allow) => allow.publicApiKey());
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
        """

    private static func auth(_ argument: String) -> String {
        "import { defineAuth, secret } from '@aws-amplify/backend';\nexport const auth = defineAuth(\(argument));\n"
    }

    private static func backend(_ names: String, _ rest: String = "") -> String {
        let imports = names.split(separator: ",").map { name in
            let name = name.trimmingCharacters(in: .whitespaces)
            return "import { \(name) } from './\(name)/resource';\n"
        }
        return "import { defineBackend } from '@aws-amplify/backend';\n" + imports.joined()
            + "const backend = defineBackend({ \(names) });\n" + rest
    }

    /// What the command writes in a project of those files.
    private static func outputs(_ files: [String: String], _ arguments: [String] = []) throws -> JSONValue {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let outcome = try ProgramRun.outcome(["outputs", "--out", "outputs.json"] + arguments, in: folder)
        #expect(outcome.code == .success && outcome.output.isEmpty, "\(outcome.diagnostics)")
        return try JSONReader.value(of: folder.read("outputs.json"))
    }

    @Test("a project with sign-in and an API has both, with ids of the form that clients take apart")
    func writesBoth() throws {
        let file = try Self.outputs([
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { email: true }, groups: ['Admins'] }"),
            "amplify/data/resource.ts": Self.data, "amplify/backend.ts": Self.backend("auth, data"),
        ])
        #expect(file.object?.keys == ["auth", "data", "version"])
        #expect(file["version"] == "1.5")
        let pool = try #require(file["auth"]?["user_pool_id"]?.string)
        let region = try #require(file["auth"]?["aws_region"]?.string)
        #expect(pool.hasPrefix("\(region)_") && pool.count { $0 == "_" } == 1)
        #expect(file["auth"]?["identity_pool_id"]?.string?.hasPrefix("\(region):") == true)
        let client = try #require(file["auth"]?["user_pool_client_id"]?.string)
        #expect(client.utf8.count == 26 && client.allSatisfy { $0.isLowercase || $0.isNumber })
        var auth = try #require(file["auth"]?.object)
        for id in ["user_pool_id", "aws_region", "identity_pool_id", "user_pool_client_id"] { auth.remove(id) }
        #expect(
            .object(auth) == [
                "mfa_methods": [], "standard_required_attributes": ["email"], "username_attributes": ["email"],
                "user_verification_types": ["email"], "groups": [["Admins": ["precedence": 0]]],
                "mfa_configuration": "NONE",
                "password_policy": [
                    "min_length": 8, "require_lowercase": true, "require_numbers": true, "require_symbols": true,
                    "require_uppercase": true,
                ],
                "unauthenticated_identities_enabled": true,
            ])
        let data = try #require(file["data"])
        #expect(data["url"] == "http://127.0.0.1:20002/graphql")
        #expect(data["api_key"] == "da2-fakeApiId123456")
        #expect(data["default_authorization_type"] == "API_KEY")
        #expect(data["authorization_types"] == ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"])
        let todo = data["model_introspection"]?["models"]?["Todo"]
        #expect(todo?["fields"]?.object?.keys == ["id", "text", "list", "listId", "createdAt", "updatedAt"])
    }

    @Test(
        "the pages of a pool that the configuration describes are told of, with the providers that clients know by name"
    )
    func writesPages() throws {
        let clients =
            #"[{"id": "app", "callbackUrls": ["http://localhost:3000/"], "logoutUrls": ["http://localhost:3000/out"], "scopes": ["openid", "email"]}]"#
        let schema = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }"
        for (providers, names): (String, JSONValue) in [
            ("[]", []), (#"[{"kind": "apple"}, {"kind": "google"}]"#, ["GOOGLE", "SIGN_IN_WITH_APPLE"]),
            (
                #"[{"kind": "oidc", "name": "Login", "clientId": "x", "issuer": "https://x"}, {"kind": "facebook"}]"#,
                ["FACEBOOK"]
            ),
        ] {
            let file = try Self.outputs(
                [
                    "schema.graphql": schema,
                    "homeport.json": #"{"auth": {"providers": \#(providers), "pool": {"clients": \#(clients)}}}"#,
                ], ["--config", "homeport.json"])
            #expect(
                file["auth"]?["oauth"] == [
                    "identity_providers": names, "redirect_sign_in_uri": ["http://localhost:3000/"],
                    "redirect_sign_out_uri": ["http://localhost:3000/out"], "response_type": "code",
                    "scopes": ["openid", "email"], "domain": "127.0.0.1:20002",
                ], "\(providers)")
        }
    }

    @Test("a project with providers has those of the configuration too")
    func addsProviders() throws {
        let file = try Self.outputs(
            [
                "amplify/auth/resource.ts": Self.auth(
                    """
                    { loginWith: { email: true, externalProviders: {
                      google: { clientId: secret('A'), clientSecret: secret('B') },
                      callbackUrls: ['http://localhost:3000/'], logoutUrls: ['http://localhost:3000/'] } } }
                    """),
                "amplify/backend.ts": Self.backend("auth"),
                "homeport.json": #"{"auth": {"providers": [{"kind": "apple"}, {"kind": "google"}]}}"#,
            ], ["--config", "homeport.json"])
        #expect(file["auth"]?["oauth"]?["identity_providers"] == ["GOOGLE", "SIGN_IN_WITH_APPLE"])
    }

    private static let storage = """
        import { defineFunction, defineStorage } from '@aws-amplify/backend';
        const fn = defineFunction({ name: 'resize' });
        export const storage = defineStorage({
          name: 'garden',
          access: (allow) => ({
            'public/*': [allow.guest.to(['read']), allow.groups(['Admins']).to(['write', 'read'])],
            'own/{entity_id}/*': [allow.authenticated.to(['get']), allow.entity('identity').to(['read', 'delete'])],
            'in/*': [allow.resource(fn).to(['read'])],
          }),
        });
        """

    @Test("a project with files has its places, as much of them as the version of the file knows")
    func writesStorage() throws {
        let files = [
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { email: true }, groups: ['Admins'] }"),
            "amplify/storage/resource.ts": Self.storage, "amplify/backend.ts": Self.backend("auth, storage"),
        ]
        let storage = try #require(try Self.outputs(files)["storage"])
        let name = try #require(storage["bucket_name"]?.string)
        #expect(name.hasPrefix("amplify-garden-"))
        #expect(storage.object?.keys == ["aws_region", "bucket_name", "buckets"])
        let bucket = try #require(storage["buckets"]?.array?.first)
        #expect(bucket["name"] == "garden" && bucket["bucket_name"] == .string(name))
        #expect(
            bucket["paths"] == [
                "public/*": ["guest": ["get", "list"], "groupsAdmins": ["write", "get", "list"]],
                "own/*": ["authenticated": ["get"]],
                "own/${cognito-identity.amazonaws.com:sub}/*": ["entityidentity": ["get", "list", "delete"]],
                "in/*": [:],
            ])
        let older = try #require(try Self.outputs(files, ["--outputs-version", "1.1"])["storage"])
        #expect(older["buckets"]?.array?.first?.object?.keys == ["name", "bucket_name", "aws_region"])
        let oldest = try #require(try Self.outputs(files, ["--outputs-version", "1"])["storage"])
        #expect(oldest.object?.keys == ["aws_region", "bucket_name"])
    }

    @Test("check says what is wrong with the rules for files")
    func checksStorage() throws {
        let folder = TemporaryFolder()
        for (name, text) in [
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { email: true }, groups: ['Admins'] }"),
            "amplify/data/resource.ts": Self.data,
            "amplify/storage/resource.ts": Self.storage.replacing("'in/*'", with: "'/in'"),
            "amplify/backend.ts": Self.backend("auth, data, storage"),
        ] { try folder.write(text, to: name) }
        let outcome = try ProgramRun.outcome(["check"], in: folder)
        #expect(outcome.code == .failure && outcome.output.isEmpty)
        #expect(outcome.diagnostics.contains("amplify/storage/resource.ts:8:32: error:"), "\(outcome.diagnostics)")
    }

    @Test("a project without sign-in has no section for it, and one without an API none for that")
    func writesOne() throws {
        let data = try Self.outputs([
            "amplify/data/resource.ts": Self.data, "amplify/backend.ts": Self.backend("data"),
        ])
        #expect(data.object?.keys == ["data", "version"])
        #expect(data["data"]?["authorization_types"] == ["AWS_IAM"])
        let auth = try Self.outputs([
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { phone: true } }"),
            "amplify/backend.ts": Self.backend("auth"),
        ])
        #expect(auth.object?.keys == ["auth", "version"])
        #expect(auth["auth"]?["username_attributes"] == ["phone_number"])
        let nothing = try Self.outputs(["amplify/backend.ts": Self.backend("")])
        #expect(nothing == ["version": "1.5"])
        let unnamed = try Self.outputs([
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { email: true } }"),
            "amplify/data/resource.ts": Self.data, "amplify/backend.ts": Self.backend("data"),
        ])
        #expect(unnamed["auth"] == nil)
    }

    @Test("what backend.addOutput adds stands behind what is written, and may not take its place")
    func writesAdded() throws {
        let auth = Self.auth("{ loginWith: { email: true } }")
        let file = try Self.outputs(
            [
                "amplify/auth/resource.ts": auth,
                "amplify/backend.ts": Self.backend("auth", "backend.addOutput({ custom: { appName: 'Garden' } });"),
            ], ["--outputs-version", "1.2"])
        #expect(file.object?.keys == ["auth", "version", "custom"])
        #expect(file["custom"] == ["appName": "Garden"] && file["version"] == "1.4")
        let folder = TemporaryFolder()
        try folder.write(auth, to: "amplify/auth/resource.ts")
        try folder.write(
            Self.backend("auth", "backend.addOutput({ auth: { mfa_configuration: 'NONE' } });"),
            to: "amplify/backend.ts")
        let outcome = try ProgramRun.outcome(["outputs"], in: folder)
        #expect(outcome.code == .failure && outcome.output.isEmpty)
        #expect(outcome.diagnostics.contains("Output entry with key mfa_configuration already exists"))
    }

    @Test("lists that clients on phones ask for are written when they are empty too")
    func writesEmptyLists() throws {
        let file = try Self.outputs([
            "amplify/auth/resource.ts": Self.auth("{ loginWith: { email: true } }"),
            "amplify/backend.ts": Self.backend(
                "auth", "backend.auth.resources.cfnResources.cfnUserPool.usernameAttributes = [];"),
        ])
        #expect(file["auth"]?["username_attributes"] == [])
        let iam = Self.data.replacing("publicApiKey", with: "guest").replacing("'apiKey'", with: "'iam'")
        let data = try Self.outputs(["amplify/data/resource.ts": iam])
        #expect(data["data"]?["default_authorization_type"] == "AWS_IAM")
        #expect(data["data"]?["authorization_types"] == [])
        #expect(data["data"]?["api_key"] == nil)
    }

    @Test("a schema that lies in no project has the built-in pool beside it, as the configuration has that")
    func writesPlainSchema() throws {
        let schema = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! text: String }"
        let file = try Self.outputs(
            [
                "blog/schema.graphql": schema,
                "c.json": """
                {"port": 4000, "schema": "blog/schema.graphql", "auth": {"pool": {
                  "signIn": ["email"], "requiredAttributes": ["email"], "region": "eu-central-1", "guests": false}}}
                """,
            ], ["--config", "c.json"])
        #expect(file["auth"]?["username_attributes"] == ["email"])
        #expect(file["auth"]?["standard_required_attributes"] == ["email"])
        #expect(file["auth"]?["unauthenticated_identities_enabled"] == false)
        #expect(file["auth"]?["user_pool_id"]?.string?.hasPrefix("eu-central-1_") == true)
        #expect(file["data"]?["aws_region"] == "eu-central-1")
        #expect(file["data"]?["url"] == "http://127.0.0.1:4000/graphql")
        #expect(file["data"]?["model_introspection"]?["models"]?["Todo"]?["pluralName"] == "Todos")
    }

    @Test(
        "an older version of the form leaves out what it does not know",
        arguments: [("1", false, false), ("1.2", false, false), ("1.3", true, false), ("1.4", true, true)])
    func writesVersions(version: String, hasGroups: Bool, hasPasswordless: Bool) throws {
        let file = try Self.outputs(
            ["amplify/auth/resource.ts": Self.auth("{ loginWith: { email: { otpLogin: true } } }")],
            ["--outputs-version", version, "--format", "gen2"])
        #expect(file["version"] == .string(version))
        #expect((file["auth"]?["groups"] != nil) == hasGroups)
        #expect((file["auth"]?["passwordless"] != nil) == hasPasswordless)
    }

    @Test("providers and addresses make the section of the hosted pages")
    func writesProviders() throws {
        let file = try Self.outputs(
            [
                "amplify/auth/resource.ts": Self.auth(
                    """
                    { loginWith: { email: true, externalProviders: {
                      loginWithAmazon: { clientId: secret('A'), clientSecret: secret('B') },
                      google: { clientId: secret('A'), clientSecret: secret('B') },
                      saml: { metadata: { metadataContent: '<x/>', metadataType: 'FILE' } },
                      callbackUrls: ['http://localhost:3000/', 'app://in'], logoutUrls: ['http://localhost:3000/'] } } }
                    """)
            ], ["--port", "4001"])
        #expect(
            file["auth"]?["oauth"] == [
                "identity_providers": ["GOOGLE", "LOGIN_WITH_AMAZON"],
                "redirect_sign_in_uri": ["http://localhost:3000/", "app://in"],
                "redirect_sign_out_uri": ["http://localhost:3000/"], "response_type": "code",
                "scopes": ["phone", "email", "openid", "profile", "aws.cognito.signin.user.admin"],
                "domain": "127.0.0.1:4001",
            ])
    }

    @Test("where tokens come from another pool, nothing is said of sign-in, and that is said")
    func leavesOutForeignPool() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        try folder.write(
            "{\"auth\": {\"userPools\": {\"issuer\": \"https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x\"}}}",
            to: "c.json")
        let outcome = try ProgramRun.outcome(["outputs", "--config", "c.json"], in: folder)
        #expect(outcome.code == .success)
        #expect(try JSONReader.value(of: outcome.output).object?.keys == ["data", "version"])
        #expect(outcome.diagnostics.contains("the file says nothing of sign-in"))
    }

    @Test("the ids are those that a server of the same data folder has")
    func writesServedIdentifiers() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        let first = try ProgramRun.outcome(["outputs"], in: folder)
        let stored = try JSONReader.value(of: folder.read(".homeport/sign-in.json"))
        let auth = try JSONReader.value(of: first.output)["auth"]
        #expect(auth?["user_pool_id"] == stored["userPoolId"])
        #expect(auth?["user_pool_client_id"] == stored["clientId"])
        #expect(auth?["identity_pool_id"] == stored["identityPoolId"])
        #expect(try ProgramRun.outcome(["outputs"], in: folder).output == first.output)
    }

    @Test("with a certificate the address is one that it is for")
    func writesSecureAddress() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        #expect(try ProgramRun.outcome(["certificate"], in: folder).code == .success)
        let outcome = try ProgramRun.outcome(["outputs"], in: folder)
        let file = try JSONReader.value(of: outcome.output)
        #expect(file["data"]?["url"] == "https://localhost:20002/graphql")
    }

    @Test("the file appears when it is whole, ends without a line break, and nothing else is left")
    func writesWhole() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        try folder.write("what was there before, and longer than it needs to be", to: "amplify_outputs.json")
        let outcome = try ProgramRun.outcome(["outputs", "--out", "amplify_outputs.json"], in: folder)
        #expect(outcome.code == .success)
        let text = folder.read("amplify_outputs.json")
        #expect(text.hasPrefix("{\n  \"auth\": {\n") && text.hasSuffix("\n}"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("amplify_outputs.json.part")))
        let printed = try ProgramRun.outcome(["outputs"], in: folder)
        #expect(printed.output == text + "\n")
    }

    static let refused: [(files: [String: String], arguments: [String], code: ExitCode, message: String)] = [
        ([:], [], .unreadableInput, "homeport: there is no schema here"),
        (["schema.graphql": "type Todo @model { id: ID! x: Nope }"], [], .failure, "error: Unknown type \"Nope\"."),
        (
            ["amplify/auth/resource.ts": auth("{ loginWith: { emial: true } }")], [], .failure,
            "amplify/auth/resource.ts:2:47: error: `loginWith` has no `emial`"
        ),
        (
            ["amplify/auth/resource.ts": auth("{ loginWith: {} }"), "amplify/backend.ts": backend("auth")], [],
            .failure,
            "At least one authentication method must be enabled."
        ),
        (["schema.graphql": "type Todo @model { id: ID! }"], ["--port", "0"], .configuration, "homeport: port is 0"),
        (
            ["schema.graphql": "type Todo @model { id: ID! }"], ["--out", "missing/file.json"], .unwritableOutput,
            "homeport: cannot write missing/file.json.part: No such file or directory"
        ),
        (
            ["schema.graphql": "type Todo @model { id: ID! }"], ["--format", "gen3"], .usage,
            "not \"gen3\""
        ),
    ]

    @Test("what is refused is said, and writes no file", arguments: refused)
    func refuses(files: [String: String], arguments: [String], code: ExitCode, message: String) throws {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let arguments = arguments.contains("--out") ? arguments : ["--out", "outputs.json"] + arguments
        let outcome = try ProgramRun.outcome(["outputs"] + arguments, in: folder)
        #expect(outcome.code == code)
        #expect(outcome.diagnostics.contains(message), "\(outcome.diagnostics)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("outputs.json")))
    }
}
