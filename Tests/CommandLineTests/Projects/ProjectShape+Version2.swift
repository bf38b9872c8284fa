import JSON
import TestSupport
import Testing

extension ProjectShape {
    private static let data = """
        import { a, defineData } from '@aws-amplify/backend'; import { fn } from '../fn/resource';
        const schema = a.schema({
          Todo: a.model({ text: a.string() }).authorization((allow) => [allow.publicApiKey()]),
          ask: a.query().returns(a.string()).authorization((allow) => [allow.publicApiKey()]).handler(a.handler.function(fn)),
        });
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
        """

    private static func project(
        _ program: String = "", auth: String = "defineAuth({ loginWith: { email: true } })",
        storage: String = "defineStorage({ name: 'files' })",
        environment: String = "{}", handler: String = "export const handler = async () => process.env.AFTER;",
        files: [String: String] = [:]
    ) -> [String: String] {
        let usual = [
            "amplify/package.json": #"{"type": "module"}"#,
            "amplify/data/resource.ts": data,
            "amplify/auth/resource.ts":
                "import { defineAuth, secret } from '@aws-amplify/backend'; import { ProviderAttribute } from 'aws-cdk-lib/aws-cognito';\nexport const auth = \(auth);",
            "amplify/storage/resource.ts":
                "import { defineStorage } from '@aws-amplify/backend';\nexport const storage = \(storage);",
            "amplify/fn/resource.ts": """
            import { defineFunction, secret } from '@aws-amplify/backend';
            export const fn = defineFunction({ name: 'fn', entry: './handler.js', environment: \(environment) });
            """,
            "amplify/fn/handler.js": handler,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend'; import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
            import * as ec2 from 'aws-cdk-lib/aws-ec2'; import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
            import { PolicyStatement } from 'aws-cdk-lib/aws-iam'; import { Table } from 'aws-cdk-lib/aws-dynamodb';
            import { auth } from './auth/resource'; import { data } from './data/resource';
            import { storage } from './storage/resource'; import { fn } from './fn/resource';
            import fs from 'node:fs'; import path from 'node:path';
            const backend = defineBackend({ auth, data, storage, fn }); const stack = backend.createStack('s');
            \(program)
            """,
        ]
        return usual.merging(files) { $1 }
    }

    /// A call of a model over HTTP/2, as the SDK makes it.
    private static let modelCall = """
        import crypto from 'node:crypto';
        import http2 from 'node:http2';
        const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
        const digest = (text) => crypto.createHash('sha256').update(text).digest('hex');
        const code = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
        export const handler = async () => {
          const body = JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] });
          const { host, origin } = new URL(AWS_ENDPOINT_URL);
          const date = new Date().toISOString().replace(/[-:]|\\.\\d+/g, '');
          const scope = [date.slice(0, 8), AWS_REGION, 'bedrock', 'aws4_request'];
          const fields = { host, 'x-amz-date': date, 'x-amz-security-token': AWS_SESSION_TOKEN };
          const names = Object.keys(fields).join(';');
          const path = '/model/maker.model/converse';
          const signed = ['POST', path, '', ...Object.entries(fields).map(([name, value]) => `${name}:${value}`), '', names, digest(body)];
          const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest(signed.join('\\n'))].join('\\n');
          const signature = code(scope.reduce(code, 'AWS4' + AWS_SECRET_ACCESS_KEY), text).toString('hex');
          const session = http2.connect(origin);
          const stream = session.request({
            ':method': 'POST', ':path': path, ':authority': host, ...fields, 'content-type': 'application/json',
            authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
          });
          stream.end(body);
          let answer = '';
          for await (const part of stream) answer += part;
          session.close();
          return JSON.parse(answer).stopReason;
        };
        """

    /// A pool of known names, to which a test shows a password itself.
    private static let knownPool = IdentityClient.environment.merging([
        "HOMEPORT_AUTH_POOL_CLIENTS": #"[{"id": "client", "flows": ["ALLOW_USER_PASSWORD_AUTH"]}]"#
    ]) { $1 }

    static let version2 = [
        ProjectShape(
            finding: "A", name: "a function that calls a model over HTTP/2",
            files: project(
                "backend.fn.resources.lambda.addToRolePolicy(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources: ['*'] }));",
                handler: modelCall), query: "{ ask }", answer: #"{"data":{"ask":"end_turn"}}"#, needsNode: true),
        ProjectShape(
            finding: "C", name: "an option that Amplify does not know",
            files: project(
                auth:
                    "defineAuth({ loginWith: { email: true }, userAttributes: { email: { required: true, order: 1 } as any } })",
                storage:
                    "defineStorage({ name: 'files', cors: [], access: (allow) => ({ 'all/*': [allow.authenticated.to(['read', 'write'])] }) } as any)"
            ),
            warnings: ["`userAttributes.email` has no `order`", "`defineStorage` has no `cors`"],
            environment: knownPool,
            works: { server in try puts("all/a.txt", in: server) }),
        ProjectShape(
            finding: "C", name: "a constant of the CDK's, and a provider without addresses",
            files: project(
                auth: """
                    defineAuth({ loginWith: { email: true, externalProviders: { google: {
                      clientId: secret('ID'), clientSecret: secret('SECRET'), scopes: ['email'],
                      attributeMapping: { email: ProviderAttribute.GOOGLE_EMAIL.attributeName } } } as any } })
                    """),
            warnings: ["`externalProviders` has no `callbackUrls`", "`externalProviders` has no `logoutUrls`"],
            works: { server in
                let client = try PoolClient(server)
                _ = try client.call(
                    "SignUp",
                    [
                        "Username": "ann@example.com", "Password": "Passw0rd!x",
                        "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
                    ])
            }),
        ProjectShape(
            finding: "D", name: "a program that goes on behind what is not known",
            files: project(
                """
                const source = backend.fn.resources.lambda.addEventSourceMapping('m', { eventSourceArn: stack.arn });
                source.node.addDependency(stack); new tasks.MediaConvertCreateJob(stack, 'j', {} as any);
                if (typeof backend.fn.resources.lambda.node.defaultChild.environment === 'object') stack.x;
                backend.addOutput({ custom: { id: new ec2.Vpc(stack, 'v').vpcId } });
                backend.fn.addEnvironment('AFTER', 'set');
                """), query: "{ ask }", answer: #"{"data":{"ask":"set"}}"#,
            warnings: ["MediaConvertCreateJob", "`custom.id` of addOutput", "is taken for"], needsNode: true),
        ProjectShape(
            finding: "D", name: "a program that lists a folder of the project by its own place",
            files: project(
                "backend.fn.addEnvironment('AFTER', fs.readdirSync(path.join(__dirname, 'tables')).join('+'));",
                files: ["amplify/package.json": "{}", "amplify/tables/a.txt": "", "amplify/tables/b.txt": ""]),
            query: "{ ask }", answer: #"{"data":{"ask":"a.txt+b.txt"}}"#, needsNode: true),
        ProjectShape(
            finding: "D", name: "a secret and a variable without values, and a state machine that cannot be",
            files: project(
                """
                backend.fn.addEnvironment('VPC', new ec2.Vpc(stack, 'v').vpcId);
                new sfn.StateMachine(stack, 'm', { definitionBody: sfn.DefinitionBody.fromString('{"StartAt":"a","States":{"a":{"Type":"No"}}}') });
                """, environment: "{ KEY: secret('KEY') }"),
            warnings: ["without the secrets KEY", "VPC of fn", "the state machine m is left out", "Vpc"]),
        ProjectShape(
            finding: "H", name: "a function that imports the second SDK by names and as a namespace",
            files: project(
                handler: """
                    import { Lambda } from 'aws-sdk';
                    import * as AWS from 'aws-sdk';
                    export const handler = async () => [new Lambda().name, new AWS.DynamoDB.DocumentClient().name].join();
                    """,
                files: [
                    "node_modules/aws-sdk/package.json": #"{"name": "aws-sdk", "main": "index.js"}"#,
                    "node_modules/aws-sdk/index.js": """
                    const sdk = {};
                    for (const name of ['Lambda']) sdk[name] = class { name = name; };
                    sdk.DynamoDB = { DocumentClient: class { name = 'DocumentClient'; } };
                    module.exports = sdk;
                    """,
                ]), query: "{ ask }", answer: #"{"data":{"ask":"Lambda,DocumentClient"}}"#, needsNode: true),
        ProjectShape(
            finding: "K", name: "files of everybody that a rule gives to each identity",
            files: project(
                storage:
                    "defineStorage({ name: 'files', access: (allow) => ({ 'public/*': [allow.entity('identity').to(['read', 'write', 'delete'])] }) })"
            ), environment: knownPool,
            works: { server in try puts("public/a.txt", in: server) }),
        ProjectShape(
            finding: "3", name: "packages that are not installed yet",
            files: project(
                handler:
                    "import dayjs from 'dayjs'; import x from 'left'; export const handler = async () => dayjs(x);",
                files: ["package.json": #"{"dependencies": {"dayjs": "1", "left": "1"}}"#]),
            warnings: ["the function fn imports dayjs, left, which are not installed: npm install --prefix"],
            works: { server in
                #expect(server.logs("npm install --prefix \(server.folder.path)\n"), "\(server.log)")
            }),
        ProjectShape(
            finding: "7", name: "a handler in JavaScript that exports, requires and imports its variables",
            files: project(
                environment: "{ WORD: 'w' }",
                handler:
                    "import { env } from '$amplify/env/fn'; const { sep } = require('node:path'); export const handler = async () => env.WORD + sep;",
                files: ["amplify/package.json": "{}"]), query: "{ ask }", answer: #"{"data":{"ask":"w/"}}"#,
            needsNode: true),
        ProjectShape(
            finding: "11", name: "a data source with the name of a model's deployed table",
            files: project(
                "backend.data.addDynamoDbDataSource('source', Table.fromTableName(stack, 't', 'Todo-abcdefghijklmnopqrstuvwx12-NONE'));",
                files: [
                    "amplify/data/resource.ts": data.replacing(
                        "const schema = a.schema({",
                        with: """
                            const schema = a.schema({
                              find: a.query().arguments({ id: a.id() }).returns(a.ref('Todo')).authorization((allow) => [allow.publicApiKey()])
                                .handler(a.handler.custom({ dataSource: 'source', entry: './find.js' })),
                            """),
                    "amplify/data/find.js": """
                    import { util } from '@aws-appsync/utils';
                    export const request = (ctx) => ({ operation: 'GetItem', key: util.dynamodb.toMapValues({ id: ctx.args.id }) });
                    export const response = (ctx) => ctx.result;
                    """,
                ]),
            works: { server in
                _ = try server.answer(to: #"mutation { createTodo(input: {id: "a", text: "found"}) { id } }"#)
                let found = try server.answer(to: #"{ find(id: "a") { text } }"#)
                #expect(found == #"{"data":{"find":{"text":"found"}}}"#, "\(server.log)")
            }),
        ProjectShape(
            finding: "15", name: "a literal with sign-in spread into it",
            files: project(files: [
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend'; import { auth } from './auth/resource';
                import { data } from './data/resource';
                defineBackend({ auth: { ...auth }, data });
                """
            ])),
    ]

    /// A signed-in user puts a file and reads it, and a guest does not.
    private static func puts(_ path: String, in server: HomeportProcess) throws {
        let outputs = try JSONReader.value(of: server.folder.read("amplify_outputs.json"))
        let bucket = try #require(outputs["storage"]?["bucket_name"]?.string)
        let client = IdentityClient(server: server)
        let keys = try client.keys(idToken: try client.idToken(of: "ann@example.com", email: "ann@example.com"))
        let files = try SignedFileCall(server, as: keys)
        #expect(try files.call("PUT", "/\(bucket)/\(path)", body: Array("text".utf8)).status == 200, "\(server.log)")
        #expect(try files.call("GET", "/\(bucket)/\(path)").bytes == Array("text".utf8))
        let guest = try SignedFileCall(server, as: try client.keys())
        #expect(try guest.call("GET", "/\(bucket)/\(path)").status == 403)
    }
}
