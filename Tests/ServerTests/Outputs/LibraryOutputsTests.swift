import JSON
import TestSupport
import Testing

@testable import Server

@Suite("The file of an app with version 6 of amplify-js")
struct LibraryOutputsTests {
    @Test(
        "has the library's own form, with the addresses of pools, files and subscriptions, beside the sections of Gen 2"
    )
    func gen2() throws {
        let project = try ClientProject.version2(asking: "^6.15.0")
        try project.write("amplify_outputs.json")
        let file = try project.value("amplify_outputs.json")
        #expect(file["version"] == "homeport-1.5")
        #expect(file.object?.keys == ["auth", "data", "storage", "version", "Auth", "API", "Storage"])
        let pool = try #require(file["Auth"]?["Cognito"]?.object)
        #expect(pool["userPoolId"] == file["auth"]?["user_pool_id"] && pool["userPoolId"] != nil)
        #expect(pool["userPoolClientId"] == file["auth"]?["user_pool_client_id"])
        #expect(pool["identityPoolId"] == file["auth"]?["identity_pool_id"])
        #expect(pool["userPoolEndpoint"] == "http://127.0.0.1:20002/")
        #expect(pool["identityPoolEndpoint"] == "http://127.0.0.1:20002/")
        #expect(pool["loginWith"] == ["email": true, "phone": false, "username": false])
        #expect(pool["groups"] == file["auth"]?["groups"] && pool["allowGuestAccess"] == true)
        #expect(pool["userAttributes"] == ["email": ["required": true]])
        #expect(pool["mfa"] == ["status": "off", "smsEnabled": false, "totpEnabled": false])
        #expect(pool["passwordFormat"]?["requireSpecialCharacters"] == true)
        let api = try #require(file["API"]?["GraphQL"])
        #expect(api["endpoint"] == "HTTP://127.0.0.1:20002/graphql" && api["defaultAuthMode"] == "userPool")
        #expect(api["region"] == "us-east-1" && api["apiKey"] == file["data"]?["api_key"])
        #expect(api["modelIntrospection"] == file["data"]?["model_introspection"])
        let files = try #require(file["Storage"]?["S3"])
        #expect(files["region"] == "localhost:20002#" && files["bucket"] == file["storage"]?["bucket_name"])
        let archive = try #require(files["buckets"]?["archive"])
        #expect(archive["region"] == "localhost:20002#" && archive["paths"]?["old/*"] != nil)
        // Code that reads the sections itself finds a region, by which SDKs can sign.
        #expect(
            file["storage"]?["aws_region"] == "us-east-1" && file["data"]?["url"] == "http://127.0.0.1:20002/graphql")
    }

    /// What an app asks for and what is installed, and what its file's version is.
    static let versions: [(asked: String?, installed: String?, isOwnForm: Bool)] = [
        (nil, nil, false), ("^6.0.0", nil, true), ("~5.3.3", nil, false), ("^5.0.0", "6.18.0", true),
        ("^6.0.0", "5.3.27", false), ("latest", nil, true), ("catalog:", "6.15.1", true), ("7.0.0-beta.1", nil, true),
    ]

    @Test("is written where the app asks for that version or has it installed", arguments: versions)
    func chooses(asked: String?, installed: String?, isOwnForm: Bool) throws {
        let project = try ClientProject.version2(asking: asked)
        if let installed { try project.install(installed) }
        try project.write("amplify_outputs.json")
        let file = try project.value("amplify_outputs.json")
        #expect(file["version"] == (isOwnForm ? "homeport-1.5" : "1.5") && (file["Auth"] != nil) == isOwnForm)
    }

    @Test("is found through the folders of a monorepo, and is no native app's")
    func choosesByFolder() throws {
        let project = try ClientProject.version2(asking: "^6.15.0")
        for (file, text) in [
            (".git/HEAD", ""), ("apps/web/package.json", #"{"dependencies": {"aws-amplify": "^5.3.0"}}"#),
            ("apps/ios/Podfile", ""), ("apps/swift/MyApp.xcodeproj/project.pbxproj", ""),
            ("apps/swift/MyApp/unused", ""), ("apps/native/android/unused", ""), ("apps/native/Podfile", ""),
            ("apps/native/package.json", #"{"dependencies": {"aws-amplify": "6.22.0", "react-native": "0.80.0"}}"#),
            ("apps/flutter/pubspec.yaml", ""), ("apps/plain/unused", ""),
        ] { try project.folder.write(text, to: file) }
        for (place, version) in [
            ("apps/web", "1.5"), ("apps/ios", "1.5"), ("apps/swift/MyApp", "1.5"), ("apps/native", "homeport-1.5"),
            ("apps/flutter", "1.5"),
            ("apps/plain", "homeport-1.5"),
        ] {
            try project.write("\(place)/amplify_outputs.json")
            #expect(try project.value("\(place)/amplify_outputs.json")["version"]?.string == version, "\(place)")
        }
    }

    @Test("names no identity pool for a library that would ask AWS", arguments: ["6.6.6", "~6.14.0"])
    func oldLibrary(version: String) throws {
        let project = try ClientProject.version2(asking: version)
        try project.write("amplify_outputs.json")
        let file = try project.value("amplify_outputs.json")
        let pool = try #require(file["Auth"]?["Cognito"])
        #expect(pool["identityPoolId"] == nil && pool["identityPoolEndpoint"] == nil)
        #expect(pool["userPoolEndpoint"] == "http://127.0.0.1:20002/" && file["auth"]?["identity_pool_id"] != nil)
        let library = try #require(AmplifyLibrary.find(forFile: project.folder.file("amplify_outputs.json")))
        #expect(!library.knowsIdentityAddress)
        let told = try Self.warnings(project)
        #expect(told.count == 1 && told[0].contains("npm install aws-amplify@^6.15"), "\(told)")
        try project.install("6.15.10")
        #expect(try Self.warnings(project).isEmpty)
    }

    /// What a start says of the app's library.
    private static func warnings(_ project: ClientProject) throws -> [String] {
        let lines = LogQueue(.text)
        defer { lines.stop() }
        let resolution = try project.resolution()
        let resources = try FoundProject.find(resolution.configuration.schema).value.get()
        let pool = try BuiltInPool.identifiers(of: resolution.configuration)
        let writer = try #require(
            ClientFileWriter(
                resolution.taking(resources), resources, pool, at: [], writesUsual: true,
                Log(LogSettings(), to: lines)))
        #expect(writer.paths == [project.folder.file("amplify_outputs.json")] && writer.isForFilesInBrowsers)
        return writer.warnings
    }

    // MARK: Gen 1

    private static func version1(asking version: String, files: [String] = []) throws -> ClientProject {
        let project = ClientProject()
        for (name, text) in [
            (
                "amplify/backend/api/blog/schema.graphql",
                "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }"
            ),
            (
                "amplify/backend/backend-config.json",
                #"{"api": {"blog": {"service": "AppSync"}}, "auth": {"blog": {"service": "Cognito"}}}"#
            ),
            (
                "amplify/backend/auth/blog/cli-inputs.json",
                """
                {"version": "1", "cognitoConfig": {"identityPoolName": "blog", "allowUnauthenticatedIdentities": false,
                 "userPoolName": "blog", "mfaConfiguration": "OFF", "passwordPolicyMinLength": 8,
                 "passwordPolicyCharacters": ["Requires Lowercase"], "requiredAttributes": ["email"],
                 "usernameAttributes": ["email"], "autoVerifiedAttributes": ["email"],
                 "authSelections": "identityPoolAndUserPool", "resourceName": "blog", "serviceName": "Cognito",
                 "useDefault": "manual", "userPoolGroups": false, "adminQueries": false, "triggers": {}}}
                """
            ),
            (
                "amplify/.config/project-config.json",
                #"{"frontend": "javascript", "javascript": {"config": {"SourceDir": "src"}}}"#
            ),
            ("src/unused", ""),
        ] { try project.folder.write(text, to: name) }
        for file in files { try project.folder.write("", to: file) }
        try project.ask(for: version)
        return project
    }

    @Test("Gen 1: the same form, and the older members where only code that names them finds them")
    func gen1() throws {
        let project = try Self.version1(asking: "^6.15.0")
        try project.write("src/aws-exports.js")
        try project.write("src/amplifyconfiguration.json")
        let json = try project.value("src/amplifyconfiguration.json")
        #expect(json.object?.keys.contains { $0.hasPrefix("aws_") } == false)
        #expect(
            json["version"] == "homeport-1" && json["API"]?["GraphQL"]?["endpoint"] == "HTTP://127.0.0.1:20002/graphql")
        let pool = try #require(json["Auth"]?["Cognito"])
        #expect(pool["userPoolEndpoint"] == "http://127.0.0.1:20002/" && pool["userPoolId"] != nil)
        #expect(pool["loginWith"] == ["username": false, "email": true, "phone": false])
        #expect(pool["userAttributes"] == ["email": ["required": true]])
        let module = try project.value("src/aws-exports.js")
        #expect(module["Auth"] == json["Auth"] && module["API"] == json["API"])
        #expect(module["aws_user_pools_id"] == pool["userPoolId"] && module["aws_project_region"] == "us-east-1")
        let text = project.folder.read("src/aws-exports.js")
        #expect(text.contains("enumerable: false") && text.hasSuffix("export default awsmobile;\n"))
    }

    @Test("Gen 1 with version 5: as Amplify writes it")
    func gen1Version5() throws {
        let project = try Self.version1(asking: "^5.3.0")
        try project.write("src/aws-exports.js")
        let module = try project.value("src/aws-exports.js")
        #expect(module["Auth"] == nil && module["aws_appsync_graphqlEndpoint"] == "http://127.0.0.1:20002/graphql")
        #expect(!project.folder.read("src/aws-exports.js").contains("enumerable"))
    }

    /// The modules that an app has, and those that are written.
    static let moduleCases: [(there: [String], written: [String])] = [
        ([], ["src/aws-exports.js"]), (["src/aws-exports.ts"], ["src/aws-exports.ts"]),
        (["src/aws-exports.js", "src/aws-exports.ts"], ["src/aws-exports.js", "src/aws-exports.ts"]),
        (["src/aws-exports.mjs"], ["src/aws-exports.mjs"]),
    ]

    @Test("Gen 1: the module is written under the name that the app has it by", arguments: moduleCases)
    func modules(there: [String], written: [String]) throws {
        let project = try Self.version1(asking: "^6.15.0", files: there)
        let resources = try FoundProject.find(try project.resolution().configuration.schema).value.get()
        let names = resources.usualOutputs.map { String($0.dropFirst(project.folder.path.utf8.count + 1)) }
        #expect(names == written + ["src/amplifyconfiguration.json"])
        for name in written {
            try project.write(name)
            #expect(try project.value(name)["API"] != nil)
        }
    }
}
