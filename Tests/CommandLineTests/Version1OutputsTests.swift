import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport outputs` in a project that Amplify's command line laid out, and the older files of a Gen 2 project.
@Suite("homeport outputs in a Gen 1 project")
struct Version1OutputsTests {
    /// The folder of a project, without the files of its schema.
    private static func project(
        auth: String? = nil, api: String? = nil, storage: String? = nil, more: [String: String] = [:]
    ) -> [String: String] {
        var categories: [String] = []
        var files = more
        if let auth {
            categories.append(#""auth": {"shopauth": {"service": "Cognito", "customAuth": false}}"#)
            files["amplify/backend/auth/shopauth/cli-inputs.json"] = #"{"version": "1", "cognitoConfig": \#(auth)}"#
        }
        if let api {
            categories.append(
                #""api": {"shop": {"service": "AppSync", "output": {"authConfig": \#(api)}}, "pay": {"service": "API Gateway"}}"#
            )
            files["amplify/backend/api/shop/schema.graphql"] =
                "type Item @model @auth(rules: [{allow: public}]) { id: ID! name: String }"
        }
        if let storage {
            categories.append(
                #""storage": {"pictures": {"service": "S3"}, "stock": {"service": "DynamoDB"}}"#)
            files["amplify/backend/storage/pictures/cli-inputs.json"] = storage
            files["amplify/backend/storage/stock/cli-inputs.json"] =
                #"{"tableName": "stock", "partitionKey": {"fieldName": "sku", "fieldType": "number"}}"#
        }
        files["amplify/backend/backend-config.json"] = "{\(categories.joined(separator: ", "))}"
        files["amplify/cli.json"] =
            #"{"features": {"graphqltransformer": {"transformerversion": 2, "useexperimentalpipelinedtransformer": true}}}"#
        return files
    }

    private static let byEmail = """
        {"usernameAttributes": ["email, phone_number"], "requiredAttributes": ["email", "given_name"],
         "autoVerifiedAttributes": ["email"], "mfaConfiguration": "OPTIONAL", "mfaTypes": ["SMS Text Message", "TOTP"],
         "passwordPolicyMinLength": "10", "passwordPolicyCharacters": ["Requires Lowercase", "Requires Numbers"],
         "authSelections": "identityPoolAndUserPool"}
        """
    private static let withKey = """
        {"defaultAuthentication": {"authenticationType": "API_KEY"},
         "additionalAuthenticationProviders": [{"authenticationType": "AWS_IAM"}]}
        """

    private static func text(_ files: [String: String], _ arguments: [String]) throws -> String {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let outcome = try ProgramRun.outcome(["outputs", "--out", "written"] + arguments, in: folder)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        return folder.read("written")
    }

    private static func value(_ files: [String: String], _ format: String) throws -> JSONValue {
        try JSONReader.value(of: Array(try text(files, ["--format", format]).utf8))
    }

    @Test("web apps are told of pools, words in capitals, the API and the key, and of no additional modes")
    func writesWeb() throws {
        let text = try Self.text(Self.project(auth: Self.byEmail, api: Self.withKey), ["--format", "aws-exports"])
        #expect(text.contains("\nconst awsmobile = {") && text.hasSuffix("};\n\n\nexport default awsmobile;\n"))
        let start = try #require(text.firstIndex(of: "{"))
        let end = try #require(text.lastIndex(of: "}"))
        var file = try #require(try JSONReader.value(of: Array(text[start...end].utf8)).object)
        let region = try #require(file["aws_project_region"]?.string)
        #expect(file["aws_user_pools_id"]?.string?.hasPrefix("\(region)_") == true)
        #expect(file["aws_cognito_identity_pool_id"]?.string?.hasPrefix("\(region):") == true)
        #expect(file["modelIntrospection"]?["models"]?["Item"] != nil)
        for own in [
            "aws_user_pools_id", "aws_cognito_identity_pool_id", "aws_user_pools_web_client_id", "modelIntrospection",
        ] {
            file.remove(own)
        }
        #expect(
            .object(file) == [
                "aws_project_region": .string(region), "aws_cognito_region": .string(region), "oauth": [:],
                "aws_cognito_username_attributes": ["EMAIL", "PHONE_NUMBER"], "aws_cognito_social_providers": [],
                "aws_cognito_signup_attributes": ["EMAIL", "GIVEN_NAME"], "aws_cognito_mfa_configuration": "OPTIONAL",
                "aws_cognito_mfa_types": ["SMS", "TOTP"],
                "aws_cognito_password_protection_settings": [
                    "passwordPolicyMinLength": "10",
                    "passwordPolicyCharacters": ["REQUIRES_LOWERCASE", "REQUIRES_NUMBERS"],
                ],
                "aws_cognito_verification_mechanisms": ["EMAIL"],
                "aws_appsync_graphqlEndpoint": "http://127.0.0.1:20002/graphql", "aws_appsync_region": .string(region),
                "aws_appsync_authenticationType": "API_KEY", "aws_appsync_apiKey": "da2-fakeApiId123456",
                "aws_appsync_dangerously_connect_to_http_endpoint_for_testing": true,
                "aws_cloud_logic_custom": [
                    [
                        "name": "pay", "endpoint": "http://127.0.0.1:20002/rest/pay", "region": .string(region),
                    ]
                ],
            ])
    }

    @Test("native apps have an entry for each mode, the key where the mode is that of keys, and the table")
    func writesNative() throws {
        let bucket =
            #"{"resourceName": "pictures", "bucketName": "pictures1", "storageAccess": "auth", "authAccess": ["READ"]}"#
        let files = Self.project(auth: Self.byEmail, api: Self.withKey, storage: bucket)
        let file = try Self.value(files, "gen1")
        let apis = try #require(file["api"]?["plugins"]?["awsAPIPlugin"]?.object)
        #expect(apis.keys == ["shop", "pay"])
        #expect(apis["shop"]?["authorizationType"] == "API_KEY" && apis["shop"]?["apiKey"] == "da2-fakeApiId123456")
        #expect(apis["pay"]?["endpointType"] == "REST" && apis["pay"]?["authorizationType"] == "AWS_IAM")
        let plugin = try #require(file["auth"]?["plugins"]?["awsCognitoAuthPlugin"])
        #expect(plugin["AppSync"]?.object?.keys == ["Default", "shop_AWS_IAM"])
        #expect(plugin["AppSync"]?["Default"]?["ApiKey"] == "da2-fakeApiId123456")
        #expect(plugin["AppSync"]?["shop_AWS_IAM"]?["ApiKey"] == nil)
        #expect(plugin["AppSync"]?["shop_AWS_IAM"]?["ClientDatabasePrefix"] == "shop_AWS_IAM")
        #expect(plugin["Auth"]?["Default"]?["authenticationFlowType"] == "USER_SRP_AUTH")
        let places = file["storage"]?["plugins"]
        #expect(places?["awsS3StoragePlugin"]?["defaultAccessLevel"] == "guest")
        #expect(places?["awsS3StoragePlugin"]?["bucket"] == plugin["S3TransferUtility"]?["Default"]?["Bucket"])
        #expect(places?["awsDynamoDbStoragePlugin"]?["name"] == "stock-dev")
        #expect(places?["awsDynamoDbStoragePlugin"]?["partitionKeyType"] == "N")
        let old = try Self.value(files, "awsconfiguration")
        #expect(old.object?.keys == plugin.object?.keys && old["Auth"] == plugin["Auth"])
    }

    @Test("a secret is that of native apps alone, which have a client of their own for it")
    func writesSecret() throws {
        let files = Self.project(
            auth: #"{"userpoolClientGenerateSecret": true, "usernameAttributes": ["email"]}"#)
        let native = try Self.value(files, "gen1")["auth"]?["plugins"]?["awsCognitoAuthPlugin"]?["CognitoUserPool"]
        let secret = try #require(native?["Default"]?["AppClientSecret"]?.string)
        #expect(secret.utf8.count == 51)
        let web = try Self.text(files, ["--format", "gen1-javascript"])
        #expect(!web.contains(secret))
        let client = try #require(native?["Default"]?["AppClientId"]?.string)
        #expect(!web.contains(client))
    }

    @Test(
        "who the tokens of are taken, and by what people sign in, follows from what was chosen",
        arguments: [
            (#""authSelections": "userPoolOnly""#, false, true, JSONValue.null),
            (#""authSelections": "identityPoolOnly""#, true, false, .null),
            (#""authProviders": ["accounts.google.com"], "googleClientId": "g""#, true, true, "COGNITO_IDENTITY_POOLS"),
            (
                #""oAuthMetadata": "{\"AllowedOAuthFlows\":[\"implicit\"],\"AllowedOAuthScopes\":[\"openid\"],\"CallbackURLs\":[\"http://localhost/\"],\"LogoutURLs\":[]}""#,
                true, true, "COGNITO_USER_POOLS"
            ),
        ])
    func writesSelections(setting: String, hasIdentities: Bool, hasUsers: Bool, target: JSONValue) throws {
        let file = try Self.value(Self.project(auth: "{\(setting)}"), "gen1-javascript")
        #expect((file["aws_cognito_identity_pool_id"] != nil) == hasIdentities)
        #expect((file["aws_user_pools_id"] != nil) == hasUsers)
        #expect(file["federationTarget"] ?? .null == target)
        if target == "COGNITO_USER_POOLS" {
            #expect(
                file["oauth"]?["responseType"] == "token" && file["oauth"]?["redirectSignIn"] == "http://localhost/")
        }
    }

    @Test("a project to which nothing was added yet has a file that says so")
    func writesEmpty() throws {
        #expect(try Self.value(Self.project(), "gen1-javascript").object?.keys == ["aws_project_region"])
        #expect(try Self.value(Self.project(), "gen1").object?.keys == ["UserAgent", "Version"])
    }

    @Test("the form follows from the file's name, and for Flutter from the project's generation")
    func choosesForm() throws {
        let folder = TemporaryFolder()
        for (name, text) in Self.project(auth: Self.byEmail) { try folder.write(text, to: name) }
        for (file, start) in [
            ("amplifyconfiguration.dart", "const amplifyconfig = '''{"), ("aws-exports.js", "/* eslint"),
            ("amplifyconfiguration.json", "{\n  \"UserAgent\""), ("amplify_outputs.json", "{\n  \"auth\""),
        ] {
            let outcome = try ProgramRun.outcome(["outputs", "--out", file], in: folder)
            #expect(outcome.code == .success, "\(outcome.diagnostics)")
            #expect(folder.read(file).hasPrefix(start), "\(file)")
        }
    }

    @Test("a file of the project that cannot be read is named, and nothing is written")
    func refuses() throws {
        let folder = TemporaryFolder()
        for (name, text) in Self.project(auth: "{") { try folder.write(text, to: name) }
        let outcome = try ProgramRun.outcome(["outputs", "--format", "gen1", "--out", "written"], in: folder)
        #expect(outcome.code == .configuration)
        #expect(outcome.diagnostics.contains("amplify/backend/auth/shopauth/cli-inputs.json"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("written")))
    }

    // MARK: Gen 2

    private static let version2 = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true }, multifactor: { mode: 'REQUIRED', totp: true } });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        const backend = defineBackend({ auth });
        backend.addOutput({ custom: { motto: "it's" } });
        """,
    ]

    @Test("a Gen 2 project has the older files too, with what it adds")
    func writesEarlierForms() throws {
        let web = try Self.value(Self.version2, "legacy-json")
        #expect(web["aws_cognito_mfa_configuration"] == "ON" && web["aws_cognito_mfa_types"] == ["TOTP"])
        #expect(web["custom"] == ["motto": "it's"] && web["allowUnauthenticatedIdentities"] == "true")
        let native = try Self.value(Self.version2, "gen1")
        #expect(native["Version"] == "1.0")
        let plugin = native["auth"]?["plugins"]?["awsCognitoAuthPlugin"]
        #expect(plugin?["Auth"]?["Default"]?["mfaConfiguration"] == "ON")
        let module = try Self.text(Self.version2, ["--format", "legacy-mjs"])
        #expect(module.hasPrefix("const amplifyConfig = {") && module.hasSuffix("export default amplifyConfig;\n"))
    }

    @Test("what a project adds of a pool elsewhere is all that the older files say of it")
    func writesAddedPool() throws {
        let files = [
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            const backend = defineBackend({});
            backend.addOutput({
              auth: { aws_region: 'eu-north-1', user_pool_id: 'eu-north-1_there', user_pool_client_id: 'there' },
              data: {
                aws_region: 'eu-north-1', url: 'https://there.example.com/graphql', default_authorization_type: 'AWS_IAM',
                authorization_types: [],
              },
            });
            """
        ]
        #expect(
            try Self.value(files, "legacy-json") == [
                "aws_project_region": "eu-north-1", "aws_user_pools_id": "eu-north-1_there",
                "aws_cognito_region": "eu-north-1", "aws_user_pools_web_client_id": "there",
                "aws_appsync_authenticationType": "AWS_IAM", "aws_appsync_region": "eu-north-1",
                "aws_appsync_graphqlEndpoint": "https://there.example.com/graphql",
                "aws_appsync_additionalAuthenticationTypes": "",
            ])
    }

    @Test("for Flutter the file is a raw text that no quote ends, with whole addresses")
    func writesDart() throws {
        let text = try Self.text(Self.version2, ["--format", "dart"])
        let start = "const amplifyConfig = r'''"
        #expect(text.hasPrefix(start) && text.hasSuffix("''';"))
        let inner = text.dropFirst(start.count).dropLast(4)
        #expect(!inner.contains("'"))
        let file = try JSONReader.value(of: Array(inner.utf8))
        #expect(file["custom"] == ["motto": "it's"])
        #expect(file["auth"]?["user_pool_endpoint"] == "http://127.0.0.1:20002")
        let plain = try Self.text(Self.version2, ["--format", "gen2"])
        #expect(!plain.contains("user_pool_endpoint"))
    }
}
