import Foundation
import JSON
import TestSupport
import Testing

/// The trigger of Gen 1 that puts those who have signed up into a group, as `amplify add auth` writes it, without an SDK.
@Suite("The trigger that adds to a group")
struct GroupTriggerTests {
    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let function = "amplify/backend/function/shopPostConfirmation"
    private static let files = [
        "amplify/backend/backend-config.json": """
        {"auth": {"shop": {"service": "Cognito",
           "dependsOn": [{"category": "function", "resourceName": "shopPostConfirmation", "attributes": ["Arn", "Name"]}]}},
         "function": {"shopPostConfirmation": {"service": "Lambda"}}}
        """,
        "amplify/backend/auth/shop/cli-inputs.json": """
        {"cognitoConfig": {"usernameAttributes": ["email"], "requiredAttributes": ["email"], "autoVerifiedAttributes": ["email"],
         "mfaConfiguration": "OFF", "passwordPolicyMinLength": 8, "authSelections": "identityPoolAndUserPool",
         "triggers": "{\\"PostConfirmation\\": [\\"add-to-group\\"]}",
         "permissions": ["{\\"policyName\\": \\"AddToGroupCognito\\", \\"trigger\\": \\"PostConfirmation\\", \\"effect\\": \\"Allow\\", \\"actions\\": [\\"cognito-idp:AdminAddUserToGroup\\", \\"cognito-idp:GetGroup\\", \\"cognito-idp:CreateGroup\\"], \\"resource\\": {\\"paramType\\": \\"!GetAtt\\", \\"keys\\": [\\"UserPool\\", \\"Arn\\"]}}"]}}
        """,
        "\(function)/parameters.json": """
        {"modules": "add-to-group", "parentResource": "shop", "functionName": "shopPostConfirmation",
         "resourceName": "shopPostConfirmation", "GROUP": "editors", "trigger": true}
        """,
        "\(function)/shopPostConfirmation-cloudformation-template.json": """
        {"Parameters": {"env": {"Type": "String"}, "modules": {"Type": "String", "Default": ""},
           "GROUP": {"Type": "String", "Default": ""}},
         "Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {
           "Handler": "index.handler", "Runtime": "nodejs20.x", "Timeout": 25,
           "Environment": {"Variables": {"ENV": {"Ref": "env"}, "MODULES": {"Ref": "modules"}, "REGION": {"Ref": "AWS::Region"},
             "GROUP": {"Ref": "GROUP"}}}}}}}
        """,
        "\(function)/src/index.js": """
        const names = process.env.MODULES.split(',');
        const modules = names.map((name) => require(`./${name}`));
        exports.handler = async (event, context) => {
          await Promise.all(modules.map((module) => module.handler(event, context)));
          return event;
        };
        """,
        // As the template of Amplify's has it, with signed requests in the place of its SDK's.
        "\(function)/src/add-to-group.js": """
        const signing = import('./signing.mjs');
        async function call(operation, input) {
          const { json } = await signing;
          const answer = await json('cognito-idp', `AWSCognitoIdentityProviderService.${operation}`, input);
          if (answer.status !== 200) throw new Error(`${operation}: ${answer.text}`);
          return answer.value;
        }
        exports.handler = async (event) => {
          const group = { GroupName: process.env.GROUP, UserPoolId: event.userPoolId };
          try { await call('GetGroup', group); } catch (error) { await call('CreateGroup', group); }
          await call('AdminAddUserToGroup', { ...group, Username: event.userName });
        };
        """,
    ]

    @Test(
        "makes the group where there is none, and whoever confirms is in it from the first token on",
        .enabled(if: hasNode))
    func adds() throws {
        let folder = TemporaryFolder()
        for (name, text) in Self.files { try folder.write(text, to: name) }
        try folder.write(
            String(contentsOfFile: repositoryFile("Tests/Programs/service-calls/signing.mjs"), encoding: .utf8),
            to: "\(Self.function)/src/signing.mjs")
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code == .success && !check.diagnostics.contains("error"), "\(check)")
        let server = try HomeportProcess(schema: nil, in: folder)
        let pool = try PoolClient(server)
        for name in ["ann@example.com", "bob@example.com"] {
            let made = try pool.call(
                "SignUp",
                [
                    "Username": name, "Password": "Passw0rd!", "UserAttributes": [["Name": "email", "Value": name]],
                ])
            // Whoever signs in by an address has a name that nobody chose.
            let code = try #require(server.code(for: made["UserSub"] as? String ?? ""), "\(server.log)")
            let user = try pool.call("ConfirmSignUp", ["Username": name, "ConfirmationCode": code])
            #expect(user["__type"] == nil, "\(user) \(server.log)")
        }
        let names = try PoolClient.names(of: server)
        let list = try SignedCall(
            "ListUsersInGroup", #"{"UserPoolId":"\#(names["userPoolId"] ?? "")","GroupName":"editors"}"#, to: server
        ).answer(from: server).body
        let emails = try JSONReader.value(of: list)["Users"]?.array?.compactMap { user in
            user["Attributes"]?.array?.first { $0["Name"] == "email" }?["Value"]?.string
        }
        #expect(emails?.sorted() == ["ann@example.com", "bob@example.com"], "\(list) \(server.log)")
        #expect(!server.log.contains("error"), "\(server.log)")
    }
}
