import Foundation
import JSON
import TestSupport
import Testing

/// A real function in JavaScript calls each service that is served, signed as SDKs sign, under the rights that its project gives it.
@Suite("Services that functions call")
struct ServiceCallTests {
    /// Where `node` is; nil: it is not here, and nothing is tried.
    private static let node = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].first {
        FileManager.default.isExecutableFile(atPath: "\($0)/node")
    }

    private static let project = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        import { calls, confirm } from '../fn/resource';
        export const auth = defineAuth({
          loginWith: { email: true }, triggers: { postConfirmation: confirm },
          access: (allow) => [
            allow.resource(calls).to(['manageUsers', 'manageGroups', 'manageGroupMembership', 'managePasswordRecovery', 'listUsers', 'listUsersInGroup']),
            allow.resource(confirm).to(['addUserToGroup', 'getGroup', 'createGroup']),
          ],
        });
        """,
        "amplify/data/resource.ts": """
        import { a, defineData } from '@aws-amplify/backend';
        export const data = defineData({ schema: a.schema({ Todo: a.model({ text: a.string() }).authorization((allow) => [allow.authenticated()]) }) });
        """,
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        export const files = defineStorage({ name: 'files' });
        """,
        "amplify/fn/resource.ts": """
        import { defineFunction, secret } from '@aws-amplify/backend';
        export const calls = defineFunction({ name: 'calls', entry: './handler.mjs', timeoutSeconds: 60, environment: { STRIPE: secret('STRIPE') } });
        export const confirm = defineFunction({ name: 'confirm', entry: './handler.mjs', timeoutSeconds: 60 });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { PolicyStatement, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
        import { Queue } from 'aws-cdk-lib/aws-sqs';
        import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
        import { StringParameter } from 'aws-cdk-lib/aws-ssm';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { files } from './storage/resource';
        import { calls, confirm } from './fn/resource';
        const backend = defineBackend({ auth, data, files, calls, confirm });
        const stack = backend.createStack('own');
        const fn = backend.calls.resources.lambda;
        const table = backend.data.resources.tables['Todo'];
        table.grantReadWriteData(fn);
        fn.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:ListTables'], resources: ['*'] }));
        backend.files.resources.bucket.grantReadWrite(fn, 'in/*');
        const queue = new Queue(stack, 'jobs');
        queue.grantSendMessages(fn);
        queue.grantConsumeMessages(fn);
        fn.addToRolePolicy(new PolicyStatement({
          actions: ['ses:SendEmail', 'ses:SendRawEmail'], resources: ['arn:aws:ses:*:*:identity/app.example'],
        }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['sns:Publish', 'events:PutEvents'], resources: ['*'] }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources: ['arn:aws:bedrock:*::foundation-model/maker.*'] }));
        const limit = StringParameter.fromStringParameterName(stack, 'limit', '/app/limit');
        limit.grantRead(fn);
        limit.grantWrite(fn);
        Secret.fromSecretNameV2(stack, 'mine', 'mine').grantRead(fn);
        backend.confirm.resources.lambda.grantInvoke(fn);
        for (const f of [backend.calls, backend.confirm]) f.addEnvironment('POOL', backend.auth.resources.userPool.userPoolId);
        backend.calls.addEnvironment('TODO', table.tableName);
        backend.calls.addEnvironment('BUCKET', backend.files.resources.bucket.bucketName);
        backend.calls.addEnvironment('QUEUE_URL', queue.queueUrl);
        backend.calls.addEnvironment('OTHER', backend.confirm.resources.lambda.functionName);
        """,
    ]

    private static func start(_ programs: String) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        for (name, text) in project { try folder.write(text, to: name) }
        for name in ["handler.mjs", "signing.mjs"] {
            let text = try String(
                contentsOfFile: repositoryFile("Tests/Programs/service-calls/\(name)"), encoding: .utf8)
            try folder.write(text, to: "amplify/fn/\(name)")
        }
        try folder.write("STRIPE=sk\nmine=a secret\ntheirs=b secret\n", to: ".homeport/secrets")
        try folder.write(#"{"functions": {"strict": true}}"#, to: "homeport.json")
        return try HomeportProcess(
            ["--config", "homeport.json", "--schema", "amplify/data/resource.ts"],
            environment: ["PATH": "\(programs):/usr/bin:/bin"], schema: nil, in: folder)
    }

    private static func results(_ step: String, of server: HomeportProcess) throws -> [String: String] {
        var call = SignedCall("", #"{"step":"\#(step)"}"#, to: server)
        (call.hasTarget, call.service) = (false, "lambda")
        call.path = "/2015-03-31/functions/calls/invocations"
        call.signed = ["content-type", "host", "x-amz-date"]
        let answer = try call.answer(from: server)
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [String: String], "\(answer) \(server.log)")
    }

    /// What each answers; what ends in `…` begins so.
    private static let expected: [(step: String, answers: [String: String])] = [
        (
            "dynamodb",
            [
                "PutItem": "200", "UpdateItem": "200 changed", "GetItem": "200 changed", "BatchWriteItem": "200",
                "TransactWriteItems": "200", "BatchGetItem": "200 1", "Scan": "200 3", "Query": "200 1",
                "DeleteItem": "200", "ListTables": "200 true",
            ]
        ),
        (
            "s3",
            [
                "PutObject": "200", "GetObject": "200 hello", "HeadObject": "200 5", "CopyObject": "200",
                "ListObjectsV2": "200 2", "a link": "200 hello", "a link to put": "200", "DeleteObject": "204",
                "another folder": "403 …",
            ]
        ),
        (
            "cognito",
            [
                "AdminCreateUser": "200 FORCE_CHANGE_PASSWORD", "AdminSetUserPassword": "200", "CreateGroup": "200",
                "GetGroup": "200 staff", "AdminAddUserToGroup": "200", "AdminListGroupsForUser": "200 staff",
                "ListUsersInGroup": "200 1", "AdminUpdateUserAttributes": "200", "AdminGetUser": "200 Zoe",
                "AdminDisableUser": "200", "AdminEnableUser": "200", "ListUsers": "200 1", "ListGroups": "200 1",
                "AdminUserGlobalSignOut": "200", "AdminRemoveUserFromGroup": "200", "DeleteGroup": "200",
                "AdminDeleteUser": "200",
            ]
        ),
        (
            "queues",
            [
                "SendMessage": "200", "SendMessageBatch": "200 1", "ReceiveMessage": "200 more,told",
                "DeleteMessage": "200", "PutEvents": "200 0",
            ]
        ),
        (
            "mail",
            [
                "SendEmail": "200", "SendRawEmail": "200", "SendEmail of version 2": "200", "Publish": "200",
                "another sender": "403 …",
            ]
        ),
        (
            "others",
            [
                "PutParameter": "200", "GetParameter": "200 7", "a secret by its name": "200 true",
                "GetSecretValue": "200 a secret", "the secret of another": "400 …", "Invoke": "200 \"echoed\"",
                "Converse": "200 end_turn", "InvokeModel": "200",
            ]
        ),
    ]

    @Test("answer a function in JavaScript as they answer SDKs, and the denied calls as AWS denies them")
    func calls() throws {
        guard let node = Self.node else {
            print("services that functions call: skipped: node is not here")
            return
        }
        let server = try Self.start(node)
        for (step, answers) in Self.expected {
            let results = try Self.results(step, of: server)
            #expect(Set(results.keys) == Set(answers.keys), "\(step)")
            for (name, answer) in answers {
                let found = results[name] ?? "nothing"
                let isGood =
                    answer.hasSuffix("…")
                    ? found.hasPrefix(answer.dropLast()) && found.contains("AccessDenied") : found == answer
                #expect(isGood, "\(step) \(name): \(found)")
            }
        }
        // What was written is what the API has.
        #expect(server.log.contains("the function may not do secretsmanager:GetSecretValue on secret:theirs"))
    }

    @Test("a trigger of the pool administers it within a sign-up")
    func trigger() throws {
        guard let node = Self.node else {
            print("services that functions call: skipped: node is not here")
            return
        }
        let server = try Self.start(node)
        let client = try PoolClient(server)
        _ = try client.call(
            "SignUp",
            [
                "Username": "ann@app.example", "Password": "Passw0rd!",
                "UserAttributes": [["Name": "email", "Value": "ann@app.example"]],
            ])
        func administer(_ operation: String, _ more: String) throws -> (status: Int, head: String, body: String) {
            let names = try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: server.folder.file(".homeport/sign-in.json"))))
            let pool = (names as? [String: Any])?["userPoolId"] as? String ?? "?"
            return try SignedCall(operation, #"{"UserPoolId":"\#(pool)"\#(more)}"#, to: server).answer(from: server)
        }
        let confirmed = try administer("AdminConfirmSignUp", #","Username":"ann@app.example""#)
        #expect(confirmed.status == 200, "\(confirmed) \(server.log)")
        let members = try administer("ListUsersInGroup", #","GroupName":"members""#)
        #expect(members.body.contains("ann@app.example"), "\(members)")
    }
}
