import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// The pool that is served is the one that the project describes; the configuration goes over it.
@Suite("A project's own pool")
struct ServedProjectTests {
    private static let version2 = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({
          loginWith: { email: { verificationEmailSubject: 'Your shop code' } },
          userAttributes: { 'custom:plan': { dataType: 'String', maxLen: 5 } },
          groups: ['Buyers'],
        });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        const backend = defineBackend({ auth, data });
        backend.auth.resources.cfnResources.cfnUserPool.policies = { passwordPolicy: { minimumLength: 11 } };
        """,
        "amplify/data/resource.ts": """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({ Todo: a.model({ text: a.string() }) }).authorization((allow) => allow.authenticated());
        export const data = defineData({ schema });
        """,
    ]
    private static let version1 = [
        "amplify/backend/backend-config.json": """
        {"auth": {"shop": {"service": "Cognito"}},
         "api": {"shop": {"service": "AppSync", "output": {"authConfig": {"defaultAuthentication": {"authenticationType": "API_KEY"}}}}}}
        """,
        "amplify/backend/auth/shop/cli-inputs.json": """
        {"cognitoConfig": {"usernameAttributes": ["email"], "requiredAttributes": ["email"], "autoVerifiedAttributes": ["email"],
         "mfaConfiguration": "OFF", "passwordPolicyMinLength": 11, "passwordPolicyCharacters": [],
         "emailVerificationSubject": "Your shop code", "allowUnauthenticatedIdentities": false,
         "userpoolClientGenerateSecret": true}}
        """,
        "amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json":
            #"[{"groupName": "Buyers", "precedence": 1}]"#,
        "amplify/backend/api/shop/schema.graphql": "type Todo @model @auth(rules: [{allow: public}]) { id: ID! }",
        "amplify/cli.json":
            #"{"features": {"graphqltransformer": {"transformerversion": 2, "useexperimentalpipelinedtransformer": true}}}"#,
        "amplify/team-provider-info.json": #"{"dev": {"awscloudformation": {"Region": "eu-west-2"}}}"#,
    ]

    private static func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    /// The lines of a listing, with single blanks.
    private static func listing(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> [String] {
        let outcome = try ProgramRun.outcome(["serve", "--print-config"] + arguments, in: folder)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        return outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test("each setting of a Gen 2 project names its file, and gives way to the configuration")
    func listsVersion2() throws {
        let folder = try Self.folder(Self.version2)
        try folder.write(#"{"auth": {"pool": {"guests": false}}}"#, to: "homeport.json")
        let lines = try Self.listing(folder, ["--config", "homeport.json"])
        let file = "amplify/auth/resource.ts"
        for line in [
            "auth.pool.signIn [\"email\"] \(file)", "auth.pool.password.minLength 11 \(file)",
            "auth.pool.password.symbol false \(file)", "auth.pool.mfa \"OFF\" \(file)",
            "auth.pool.groups [{\"name\":\"Buyers\",\"precedence\":0}] \(file)",
            "auth.pool.messages.verification {\"emailSubject\":\"Your shop code\"} \(file)",
            "auth.pool.customAttributes {\"plan\":{\"type\":\"String\",\"max\":5,\"mutable\":true}} \(file)",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("auth.pool.guests false") && $0.contains("homeport.json:1") })
    }

    @Test("so does each of a Gen 1 project, and the region is that of its environment")
    func listsVersion1() throws {
        let lines = try Self.listing(try Self.folder(Self.version1))
        let file = "amplify/backend/auth/shop/cli-inputs.json"
        for line in [
            "auth.pool.signIn [\"email\"] \(file)", "auth.pool.password.minLength 11 \(file)",
            "auth.pool.password.digit false \(file)", "auth.pool.guests false \(file)",
            "auth.pool.groups [{\"name\":\"Buyers\",\"precedence\":1}] \(file)",
            "auth.pool.region \"eu-west-2\" amplify/team-provider-info.json",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test(
        "people sign up by email with a password as the project wants it, and get its message",
        arguments: [Self.version2, Self.version1])
    func serves(files: [String: String]) throws {
        let folder = try Self.folder(files)
        let schema =
            files["amplify/data/resource.ts"] == nil
            ? "amplify/backend/api/shop/schema.graphql" : "amplify/data/resource.ts"
        let server = try HomeportProcess(["--schema", schema], in: folder)
        let client = try PoolClient(server)
        let attributes = [["Name": "email", "Value": "ann@example.com"]]
        let refusal = #expect(throws: PoolClient.Refusal.self) {
            try client.call(
                "SignUp", ["Username": "ann@example.com", "Password": "Short1!a", "UserAttributes": attributes])
        }
        #expect(refusal?.type == "InvalidPasswordException")
        #expect(throws: PoolClient.Refusal.self) {
            try client.call("SignUp", ["Username": "ann", "Password": "longenough", "UserAttributes": attributes])
        }
        let answer = try client.call(
            "SignUp",
            ["Username": "ann@example.com", "Password": "longenoughitis", "UserAttributes": attributes])
        #expect(answer["UserConfirmed"] as? Bool == false)
        let mail = try ProgramRun.outcome(["mail", "--json"], in: folder)
        #expect(mail.output.contains("Your shop code"), "\(mail)")
    }
}
