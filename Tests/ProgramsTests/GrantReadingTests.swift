import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What `amplify/backend.ts` gives the roles of functions.
@Suite("Rights of functions in a Gen 2 project")
struct GrantReadingTests {
    private static func read(_ text: String, after: String = "") -> Project {
        let files = [
            "amplify/auth/resource.ts": """
            import { defineAuth } from '@aws-amplify/backend';
            import { worker } from '../fn/resource';
            export const auth = defineAuth({
              loginWith: { email: true },
              access: (allow) => [allow.resource(worker).to(['addUserToGroup', 'manageGroups'])],
            });
            """,
            "amplify/storage/resource.ts": """
            import { defineStorage } from '@aws-amplify/backend';
            export const files = defineStorage({ name: 'media' });
            """,
            "amplify/data/resource.ts": """
            import { a, defineData } from '@aws-amplify/backend';
            export const data = defineData({ schema: a.schema({ Todo: a.model({ x: a.string() }) }) });
            """,
            "amplify/fn/resource.ts": """
            import { defineFunction } from '@aws-amplify/backend';
            import { Function } from 'aws-cdk-lib/aws-lambda';
            export const worker = defineFunction({ name: 'worker' });
            export const other = defineFunction({ name: 'other' });
            \(after)
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import * as iam from 'aws-cdk-lib/aws-iam';
            import { Policy, PolicyStatement, Effect, ManagedPolicy, Grant } from 'aws-cdk-lib/aws-iam';
            import { Table, AttributeType } from 'aws-cdk-lib/aws-dynamodb';
            import { Queue } from 'aws-cdk-lib/aws-sqs';
            import { Topic } from 'aws-cdk-lib/aws-sns';
            import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
            import { EventBus } from 'aws-cdk-lib/aws-events';
            import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
            import { StringParameter } from 'aws-cdk-lib/aws-ssm';
            import { Key } from 'aws-cdk-lib/aws-kms';
            import { Search } from 'some-constructs';
            import { auth } from './auth/resource';
            import { data } from './data/resource';
            import { files } from './storage/resource';
            import * as functions from './fn/resource';
            const { worker, other } = functions;
            const backend = defineBackend({ auth, data, files, ...functions });
            const stack = backend.createStack('own');
            const fn = backend.worker.resources.lambda;
            \(text)
            """,
        ]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    /// A statement in a line: what it allows, and on what.
    private static func shown(_ statement: FunctionGrants.Statement) -> String {
        func text(_ value: FunctionVariable.Value) -> String {
            switch value {
            case .text(let text): text
            case .deployed(let origin): "<\(origin)>"
            case .joined(let parts): parts.map(text).joined()
            case .secret, .gateway, .missing: "?"
            }
        }
        let actions = statement.actions.joined(separator: ",") + (statement.hasUnreadActions ? ",?" : "")
        let resources =
            (statement.resources.map(text) + (statement.hasUnreadResources ? ["?"] : [])).joined(separator: ",")
        return (statement.isAllowing ? "" : "deny ") + (statement.isForOtherActions ? "not " : "") + actions + " on "
            + (statement.isForOtherResources ? "not " : "") + resources
            + (statement.isConditional ? " perhaps" : "")
    }

    private static func grants(_ text: String, of function: Int = 0) throws -> FunctionGrants {
        let reading = read(text)
        try #require(!reading.isRefused, "\(reading.diagnostics)")
        #expect(reading.isWhole)
        return reading.functions[function].grants
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let statements: [String]
        var unread: [String] = []
        var testDescription: String { text }

        init(_ text: String, _ statements: [String], unread: [String] = []) {
            (self.text, self.statements, self.unread) = (text, statements, unread)
        }
    }

    private static let todo = "<backend.data.resources.tables.Todo.tableArn>"
    private static let bucket = "<backend.files.resources.bucket.bucketArn>"
    private static let statement = "new PolicyStatement({ actions: ['ses:SendEmail'], resources: ['*'] })"

    static let rows = [
        Row(
            "backend.data.resources.tables['Todo'].grantReadData(fn)",
            [
                "dynamodb:BatchGetItem,dynamodb:GetRecords,dynamodb:GetShardIterator,dynamodb:Query,dynamodb:GetItem,dynamodb:Scan,"
                    + "dynamodb:ConditionCheckItem,dynamodb:DescribeTable on \(todo),\(todo)/index/*"
            ]),
        Row(
            "backend.data.resources.tables.Todo.grantWriteData(fn)",
            [
                "dynamodb:BatchWriteItem,dynamodb:PutItem,dynamodb:UpdateItem,dynamodb:DeleteItem,dynamodb:DescribeTable on "
                    + "\(todo),\(todo)/index/*"
            ]),
        Row(
            "const { Todo } = backend.data.resources.tables; Todo.grantFullAccess(fn)",
            ["dynamodb:* on \(todo),\(todo)/index/*"]),
        Row(
            "backend.data.resources.tables['Todo'].grant(fn, 'dynamodb:GetItem', 'dynamodb:Query')",
            ["dynamodb:GetItem,dynamodb:Query on \(todo),\(todo)/index/*"]),
        Row(
            "backend.data.resources.tables['Todo'].grantStreamRead(fn.role)",
            [
                "dynamodb:DescribeStream,dynamodb:GetRecords,dynamodb:GetShardIterator on \(todo)/stream/*",
                "dynamodb:ListStreams on *",
            ]),
        Row(
            "const m = new StateMachine(stack, 'Flow', { definitionBody: DefinitionBody.fromString('{}') }); m.grantStartExecution(fn);"
                + " m.grantExecution(fn, 'states:DescribeExecution')",
            [
                "states:StartExecution on arn:aws:states:*:*:stateMachine:Flow",
                "states:DescribeExecution on arn:aws:states:*:*:execution:Flow:*",
            ]),
        Row(
            "new Table(stack, 'Orders', { partitionKey: { name: 'id', type: AttributeType.STRING } }).grant(fn, 'dynamodb:Scan')",
            ["dynamodb:Scan on <arns/dynamodb:table/Orders>,<arns/dynamodb:table/Orders>/index/*"]),
        Row(
            "backend.files.resources.bucket.grantRead(fn, 'in/*')",
            ["s3:GetObject*,s3:GetBucket*,s3:List* on \(bucket),\(bucket)/in/*"]),
        Row("backend.files.resources.bucket.grantPut(fn)", ["s3:PutObject*,s3:Abort* on \(bucket),\(bucket)/*"]),
        Row(
            "new Queue(stack, 'jobs').grantSendMessages(fn)",
            ["sqs:SendMessage,sqs:GetQueueAttributes,sqs:GetQueueUrl on <queues/jobs.queueArn>"]),
        Row(
            "fn.addToRolePolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: [backend.files.resources.bucket.arnForObjects('a/*')] }))",
            ["s3:GetObject on \(bucket)/a/*"]),
        Row(
            "fn.addToRolePolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: [backend.files.resources.bucket.bucketArn + '/*'] }))",
            ["s3:GetObject on \(bucket)/*"]),
        Row(
            "fn.addToRolePolicy(new PolicyStatement({ actions: ['sqs:*'], resources: [new Queue(stack, 'q').queueArn, stack.formatArn({ service: 'x' })] }))",
            ["sqs:* on <queues/q.queueArn>,<backend.createStack().formatArn()>"]),
        Row(
            "new Table(stack, 'T', { partitionKey: { name: 'id', type: AttributeType.STRING } }).grants.fullAccess(fn)",
            ["dynamodb:* on <arns/dynamodb:table/Table-T>,<arns/dynamodb:table/Table-T>/index/*"]),
        Row(
            "new iam.CfnPolicy(stack, 'c', { roles: [fn.role.roleName], policyDocument: {} })", [],
            unread: ["new \"aws-cdk-lib/aws-iam\".CfnPolicy()"]),
        Row("new Topic(stack, 'T', { topicName: 'news' }).grantPublish(fn)", ["sns:Publish on <arns/sns:news>"]),
        Row(
            "new EventBus(stack, 'B', { eventBusName: 'shop' }).grantPutEventsTo(fn)",
            ["events:PutEvents on <arns/events:event-bus/shop>"]),
        Row(
            "Secret.fromSecretNameV2(stack, 's', 'stripe').grantRead(fn)",
            [
                "secretsmanager:GetSecretValue,secretsmanager:DescribeSecret on <arns/secretsmanager:secret:stripe-??????>"
            ]),
        Row(
            "StringParameter.fromStringParameterName(stack, 'p', '/app/limit').grantWrite(fn)",
            ["ssm:PutParameter on <arns/ssm:parameter/app/limit>"]),
        Row(
            "backend.auth.resources.userPool.grant(fn, 'cognito-idp:ListUsers')",
            ["cognito-idp:ListUsers on <backend.auth.resources.userPool.userPoolArn>"]),
        Row(
            "backend.other.resources.lambda.grantInvoke(fn)",
            [
                "lambda:InvokeFunction on <backend.other.resources.lambda.functionArn>,<backend.other.resources.lambda.functionArn>:*"
            ]),
        Row("fn.addToRolePolicy(\(statement))", ["ses:SendEmail on *"]),
        Row("fn.role?.addToPrincipalPolicy(\(statement))", ["ses:SendEmail on *"]),
        Row(
            "fn.role!.attachInlinePolicy(new Policy(stack, 'p', { statements: [\(statement)] }))",
            ["ses:SendEmail on *"]
        ),
        Row(
            "const p = new Policy(stack, 'p', { roles: [fn.role!] }); p.addStatements(\(statement))",
            ["ses:SendEmail on *"]),
        Row(
            "const p = new iam.Policy(stack, 'p', { statements: [\(statement)] }); p.attachToRole(fn.role)",
            ["ses:SendEmail on *"]),
        Row(
            """
            const s = new PolicyStatement(); s.addActions('s3:GetObject', 's3:PutObject'); s.addResources(`${backend.files.resources.bucket.bucketArn}/x/*`);
            fn.addToRolePolicy(s)
            """, ["s3:GetObject,s3:PutObject on \(bucket)/x/*"]),
        Row(
            "fn.addToRolePolicy(new PolicyStatement({ effect: Effect.DENY, notActions: ['s3:*'], notResources: ['arn:aws:s3:::x'] }))",
            ["deny not s3:* on not arn:aws:s3:::x"]),
        Row(
            "fn.addToRolePolicy(new PolicyStatement({ actions: ['s3:*'], resources: ['*'], conditions: { StringEquals: { a: 'b' } } }))",
            ["s3:* on * perhaps"]),
        Row(
            "fn.addToRolePolicy(PolicyStatement.fromJson({ Effect: 'Allow', Action: 'sqs:*', Resource: ['*'] }))",
            ["sqs:* on *"]),
        // What is null is not there, and excepts nothing.
        Row(
            "fn.addToRolePolicy(PolicyStatement.fromJson({ Effect: 'Allow', Action: 'sqs:*', NotAction: null, Resource: ['a'], NotResource: null }))",
            ["sqs:* on a"]),
        Row(
            "fn.addToRolePolicy(PolicyStatement.fromJson({ Effect: 'Deny', Action: null, NotAction: 'sqs:*', Resource: null, NotResource: 'a' }))",
            ["deny not sqs:* on not a"]),
        Row(
            "Grant.addToPrincipal({ grantee: fn, actions: ['sns:Publish'], resourceArns: ['*'] })", ["sns:Publish on *"]
        ),
        Row(
            "fn.role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('AmazonDynamoDBFullAccess'))",
            ["dynamodb:* on *"]),
        Row(
            "fn.role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaBasicExecutionRole'))",
            []),
        Row(
            "fn.role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('NobodyKnows'))", [],
            unread: ["the policy NobodyKnows"]),
        Row(
            "fn.addToRolePolicy(statements.make())".replacing("statements", with: "Search"), [],
            unread: ["Search.make()"]),
        Row("new Key(stack, 'k').grantDecrypt(fn)", ["kms:* on ?"]),
        Row(
            "new Search(stack, 's', { handler: fn })", [], unread: ["Search, which is given the function"]),
        Row(
            "for (const f of [backend.worker, backend.other]) f.resources.lambda.addToRolePolicy(\(statement))",
            ["ses:SendEmail on *"]),
        Row("backend.other.resources.lambda.addToRolePolicy(\(statement))", []),
        Row("backend.auth.resources.authenticatedUserIamRole.addToPrincipalPolicy(\(statement))", []),
    ]

    @Test("what a program gives the roles of identities is read, and that of one role is no other's")
    func identityRoles() throws {
        let resources = "backend.auth.resources"
        let text = """
            fn.grantInvoke(\(resources).authenticatedUserIamRole);
            \(resources).unauthenticatedUserIamRole.addToPrincipalPolicy(new PolicyStatement({
              actions: ['lambda:InvokeFunction'], resources: [backend.other.resources.lambda.functionArn],
            }));
            \(resources).authenticatedUserIamRole.attachInlinePolicy(new Policy(stack, 'p', { statements: [
              new PolicyStatement({ effect: Effect.DENY, actions: ['lambda:*'], resources: ['arn:aws:lambda:*:*:function:no'] }),
            ] }));
            new Policy(stack, 'q', { roles: [\(resources).unauthenticatedUserIamRole], statements: [\(Self.statement)] });
            \(resources).unauthenticatedUserIamRole.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('NobodyKnows'));
            """
        let reading = Self.read(text)
        let grants = reading.identityGrants
        let arn = "<backend.worker.resources.lambda.functionArn>"
        #expect(
            grants.users.statements.map(Self.shown) == [
                "lambda:InvokeFunction on \(arn),\(arn):*", "deny lambda:* on arn:aws:lambda:*:*:function:no",
            ])
        #expect(
            grants.guests.statements.map(Self.shown) == [
                "lambda:InvokeFunction on <backend.other.resources.lambda.functionArn>", "ses:SendEmail on *",
            ])
        #expect(grants.guests.unread == ["the policy NobodyKnows"] && grants.groups.isEmpty)
        #expect(reading.functions.allSatisfy { $0.grants.statements.isEmpty })
        #expect(Self.read("").identityGrants == IdentityRoleGrants())
    }

    @Test("rights of identities for which nothing here asks are warned of, once for a service and a role")
    func unaskedRights() throws {
        let text = """
            const { authenticatedUserIamRole: users, unauthenticatedUserIamRole: guests } = backend.auth.resources;
            backend.files.resources.bucket.grantReadWrite(users);
            backend.files.resources.bucket.grantRead(guests);
            users.addToPrincipalPolicy(new PolicyStatement({ actions: ['s3:PutObject', 'ses:SendEmail'], resources: ['*'] }));
            users.addToPrincipalPolicy(new PolicyStatement({ actions: ['appsync:GraphQL', 'execute-api:Invoke'], resources: ['*'] }));
            guests.addToPrincipalPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: ['*'] }));
            guests.addToPrincipalPolicy(new PolicyStatement({
              actions: ['s3:GetObject'], resources: ['*'], conditions: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
            }));
            fn.grantInvoke(users);
            """
        let diagnostics = Self.read(text).diagnostics
        #expect(diagnostics.allSatisfy { $0.location != nil }, "\(diagnostics)")
        #expect(
            diagnostics.map(\.message) == [
                "`ses:SendEmail` that signed-in users are given does not hold here",
                "`sqs:SendMessage` that guests are given does not hold here",
                "the condition under which guests are given something is not known here: it gives nothing",
            ])
    }

    @Test(
        "conditions on the beginning of keys are read, and others are none that are known",
        arguments: [
            ("{ StringLike: { 's3:prefix': ['public/', 'public/*'] } }", ["public/", "public/*"]),
            ("{ StringEquals: { 's3:prefix': 'public/' } }", ["public/"]),
            (
                "{ StringLike: { 's3:prefix': '${cognito-identity.amazonaws.com:sub}/*' } }",
                ["${cognito-identity.amazonaws.com:sub}/*"]
            ),
            ("{}", nil), ("{ StringEquals: { 's3:prefix': 'a*' } }", []), ("{ StringLike: { 's3:prefix': [fn] } }", []),
            ("{ StringLike: { 's3:delimiter': '/' } }", []), ("{ StringNotLike: { 's3:prefix': 'a' } }", []),
            ("{ StringLike: { 's3:prefix': 'a', 'aws:SourceIp': '::1' } }", []), ("fn.unknown", []),
            ("{ StringLike: { 's3:prefix': 'a' }, StringEquals: { 's3:prefix': 'a' } }", []),
        ] as [(String, [String]?)])
    func conditions(text: String, prefixes: [String]?) throws {
        let statements = Self.read(
            """
            backend.auth.resources.authenticatedUserIamRole.addToPrincipalPolicy(
              new PolicyStatement({ actions: ['s3:ListBucket'], resources: ['*'], conditions: \(text) }));
            """
        ).identityGrants.users.statements
        // Nothing is known of an empty list: it is another condition.
        #expect(statements.map(\.prefixes) == [prefixes?.isEmpty == true ? nil : prefixes], "\(statements)")
        #expect(statements.map(\.isConditional) == [prefixes?.isEmpty == true])
    }

    @Test("what a program gives is read", arguments: rows)
    func grants(row: Row) throws {
        let grants = try Self.grants(row.text)
        #expect(grants.statements.map(Self.shown) == row.statements)
        #expect(grants.unread == row.unread)
    }

    /// Policies that deny what no service here asks them for, and whether they refuse the project.
    static let refusedDenials: [(text: String, isRefused: Bool)] = [
        ("role.addToPrincipalPolicy(deny(['s3:DeleteObject'], ['*']))", true),
        ("role.addToPrincipalPolicy(deny(['s3:*'], [backend.files.resources.bucket.bucketArn]))", true),
        ("role.addToPrincipalPolicy(deny(['s3:*'], ['arn:aws:s3:::elsewhere/*']))", false),
        ("role.addToPrincipalPolicy(deny(['appsync:*'], ['arn:aws:appsync:*:*:apis/*/types/Mutation/*']))", true),
        ("role.addToPrincipalPolicy(deny(['lambda:*', 'ses:SendEmail'], ['*']))", false),
        ("new Policy(stack, 'p', { roles: [role], statements: [deny(['*'], ['*'])] })", true),
        ("role.addToPrincipalPolicy(deny(['s3:*'], [fn.functionArn]))", false),
        (
            "role.addToPrincipalPolicy(new PolicyStatement({ effect: Effect.DENY, notActions: ['s3:*'], resources: ['*'] }))",
            true
        ),
        ("backend.files.resources.bucket.addToResourcePolicy(deny(['s3:*'], ['*']))", true),
        (
            "backend.files.resources.bucket.addToResourcePolicy(new PolicyStatement({ effect: Effect.DENY, actions: ['s3:*'], "
                + "resources: ['*'], conditions: { Bool: { 'aws:SecureTransport': 'false' } } }))", false
        ),
        (
            "backend.files.resources.bucket.addToResourcePolicy(new PolicyStatement({ actions: ['s3:*'], resources: ['*'] }))",
            false
        ),
        ("new Queue(stack, 'q').addToResourcePolicy(deny(['sqs:*'], ['*']))", true),
    ]

    @Test("a project that denies what is decided by rules alone is refused at its place", arguments: refusedDenials)
    func denials(text: String, isRefused: Bool) {
        let reading = Self.read(
            """
            const role = backend.auth.resources.authenticatedUserIamRole;
            const deny = (actions, resources) => new PolicyStatement({ effect: Effect.DENY, actions, resources });
            \(text);
            """)
        #expect(reading.isRefused == isRefused, "\(reading.diagnostics)")
        guard isRefused else { return }
        #expect(reading.diagnostics.contains { $0.isError && $0.message.contains("not hold here") })
    }

    @Test(
        "a statement whose effect is not known to allow denies",
        arguments: ["'deny'", "stack.effect", "5"])
    func effects(effect: String) throws {
        let grants = try Self.grants(
            "fn.addToRolePolicy(new PolicyStatement({ effect: \(effect), actions: ['ses:SendEmail'], resources: ['*'] }))"
        )
        #expect(grants.statements.map(\.isAllowing) == [false])
    }

    private static let events = "arn:aws:appsync:us-east-1:123456789012:apis/local-events"

    @Test(
        "methods of channels give rights, and no more than is known",
        arguments: [
            ("api.grantPublish(fn)", ["appsync:EventPublish on \(events)/channelNamespace/*"]),
            ("api.grantSubscribe(fn)", ["appsync:EventSubscribe on \(events)/channelNamespace/*"]),
            (
                "api.grantPublishAndSubscribe(fn)",
                ["appsync:EventPublish,appsync:EventSubscribe on \(events)/channelNamespace/*"]
            ),
            ("api.grantConnect(fn)", ["appsync:EventConnect on \(events)"]),
            ("chat.grantPublish(fn)", ["appsync:EventPublish on \(events)/channelNamespace/chat"]),
            (
                "news.grantPublishAndSubscribe(fn)",
                ["appsync:EventPublish,appsync:EventSubscribe on \(events)/channelNamespace/news"]
            ),
            (
                "api.grant(fn, AppSyncEventResource.ofChannelNamespace('chat'), 'appsync:EventPublish')",
                ["appsync:EventPublish on \(events)/channelNamespace/chat"]
            ),
            (
                "api.grant(fn, AppSyncEventResource.forAPI(), 'appsync:EventConnect')",
                ["appsync:EventConnect on \(events)"]
            ),
            ("api.grant(fn, stack.resource, 'appsync:EventPublish')", []), ("api.grantEverything(fn)", []),
            ("chat.grantConnect(backend.other.resources.lambda)", []), ("", []),
        ])
    func channels(text: String, statements: [String]) throws {
        let grants = try Self.grants(
            """
            import { EventApi, ChannelNamespace, AppSyncEventResource } from 'aws-cdk-lib/aws-appsync';
            const api = new EventApi(stack, 'A', { apiName: 'a' });
            const chat = api.addChannelNamespace('chat');
            const news = new ChannelNamespace(stack, 'N', { api, channelNamespaceName: 'news' });
            \(text);
            """)
        #expect(grants.statements.map(Self.shown) == statements && grants.unread.isEmpty)
    }

    @Test("`access` of defineAuth is a statement for its function")
    func access() throws {
        let reading = Self.read("")
        let grant = try #require(reading.auth?.access.first)
        #expect(
            grant.grants.statements.map(Self.shown) == [
                "cognito-idp:AdminAddUserToGroup,cognito-idp:GetGroup,cognito-idp:ListGroups,cognito-idp:CreateGroup,"
                    + "cognito-idp:DeleteGroup,cognito-idp:UpdateGroup on <backend.auth.resources.userPool.userPoolArn>"
            ])
    }

    @Test("a function that a callback makes is given what the callback gives it, and a role of its own cannot be read")
    func constructs() throws {
        let reading = Self.read(
            "",
            after: """
                import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
                import { Code } from 'aws-cdk-lib/aws-lambda';
                const code = Code.fromAsset('x');
                export const made = defineFunction((scope) => {
                  const fn = new Function(scope, 'made', { code, handler: 'index.handler' });
                  fn.addToRolePolicy(new PolicyStatement({ actions: ['ses:SendEmail'], resources: ['*'] }));
                  return fn;
                });
                export const roled = defineFunction((scope) => new Function(scope, 'roled', { code, role: makeRole(scope) }));
                function makeRole(scope) { return Code.role(scope); }
                """)
        let grants = reading.functions.map { ($0.reference.name, $0.grants) }
        #expect(grants.first { $0.0 == "made" }?.1.statements.map(Self.shown) == ["ses:SendEmail on *"])
        #expect(grants.first { $0.0 == "roled" }?.1.unread == ["`role` of new Function()"])
    }

    @Test("a program that does not come to its end is known not to have said all")
    func failing() {
        #expect(!Self.read("throw new Error('x')").isWhole)
        #expect(Self.read("").isWhole)
    }

    @Test("a function's own construct says rights with `initialPolicy`, and with a role that the project makes")
    func ownPolicies() {
        func grants(_ options: String, _ before: String = "") -> FunctionGrants? {
            let reading = Self.read(
                "",
                after: """
                    import { Role, PolicyStatement, PolicyDocument, ManagedPolicy, Effect, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
                    export const own = defineFunction((scope) => {
                      \(before)
                      return new Function(scope, 'own', { handler: 'index.handler', \(options) });
                    });
                    """)
            return reading.functions.first { $0.key == "own" }?.grants
        }
        let first = grants(
            "initialPolicy: [new PolicyStatement({ actions: ['ses:SendEmail'], resources: ['*'] }), new PolicyStatement({ effect: Effect.DENY, actions: ['sqs:*'], resources: ['*'] })]"
        )
        #expect(first?.statements.map(\.actions) == [["ses:SendEmail"], ["sqs:*"]] && first?.unread == [])
        #expect(first?.statements.map(\.isAllowing) == [true, false])
        let role = """
            const role = new Role(scope, 'R', { assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
              inlinePolicies: { mine: new PolicyDocument({ statements: [new PolicyStatement({ actions: ['sns:Publish'], resources: ['*'] })] }) },
              managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonSNSReadOnlyAccess')] });
            role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameter'], resources: ['*'] }));
            """
        let second = grants("role", role)
        #expect(second?.unread == [], "\(String(describing: second))")
        let actions = second?.statements.flatMap(\.actions) ?? []
        for action in ["sns:Publish", "sns:List*", "ssm:GetParameter"] {
            #expect(actions.contains(action), "\(actions)")
        }
        #expect(grants("role: Role.fromRoleArn(scope, 'R', 'arn:aws:iam::1:role/x')")?.unread.count == 1)
        #expect(grants("initialPolicy: scope.policies")?.unread.count == 1)
        #expect(grants("") == FunctionGrants())
    }

    @Test("topics of a project are read, with the functions that follow them")
    func topics() {
        let reading = Self.read(
            """
            import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
            const news = new Topic(stack, 'News');
            news.addSubscription(new LambdaSubscription(fn));
            new Topic(stack, 'T', { topicName: 'named' });
            backend.worker.addEnvironment('NAME', news.topicName);
            """)
        #expect(reading.topics.map(\.name) == ["News", "named"])
        #expect(reading.topics.map(\.functions) == [["worker"], []])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.functions.first?.environment == [.init(name: "NAME", value: .text("News"))])
    }

    static let filters: [(options: String, filter: TopicResource.Filter)] = [
        ("{}", .none),
        (
            "{ filterPolicy: { kind: SubscriptionFilter.stringFilter({ allowlist: ['a', 'b'], denylist: ['c'] }) } }",
            .attributes(JSONObject([("kind", ["a", "b", ["anything-but": ["c"]]])]))
        ),
        (
            "{ filterPolicy: { kind: SubscriptionFilter.stringFilter({ matchPrefixes: ['p'], matchSuffixes: ['s'] }) } }",
            .attributes(JSONObject([("kind", [["prefix": "p"], ["suffix": "s"]])]))
        ),
        (
            """
            { filterPolicy: {
              n: SubscriptionFilter.numericFilter({ allowlist: [1], greaterThan: 2, greaterThanOrEqualTo: 3, lessThan: 4,
                lessThanOrEqualTo: 5, between: { start: 6, stop: 7 }, betweenStrict: { start: 8, stop: 9 } }),
              here: SubscriptionFilter.existsFilter(), gone: SubscriptionFilter.notExistsFilter() } }
            """,
            .attributes(
                JSONObject([
                    (
                        "n",
                        [
                            ["numeric": ["=", 1]], ["numeric": [">", 2]], ["numeric": [">=", 3]],
                            ["numeric": ["<", 4]],
                            ["numeric": ["<=", 5]], ["numeric": [">=", 6, "<=", 7]], ["numeric": [">", 8, "<", 9]],
                        ]
                    ),
                    ("here", [["exists": true]]), ("gone", [["exists": false]]),
                ]))
        ),
        (
            "{ filterPolicy: { k: new SubscriptionFilter([{ prefix: 'x' }]) } }",
            .attributes(JSONObject([("k", [["prefix": "x"]])]))
        ),
        (
            """
            { filterPolicyWithMessageBody: {
              order: FilterOrPolicy.policy({ kind: FilterOrPolicy.filter(SubscriptionFilter.stringFilter({ allowlist: ['a'] })) }),
              top: FilterOrPolicy.filter(SubscriptionFilter.existsFilter()) } }
            """,
            .body(JSONObject([("order", ["kind": ["a"]]), ("top", [["exists": true]])]))
        ),
        // What cannot be read lets nothing through, and is told.
        ("{ filterPolicy: { k: SubscriptionFilter.stringFilter({ allowlist: [stack.region] }) } }", .unread),
        ("{ filterPolicy: { k: SubscriptionFilter.likeFilter(['x']) } }", .unread),
        ("{ filterPolicy: { k: SubscriptionFilter.stringFilter({ like: ['x'] }) } }", .unread),
        ("{ filterPolicy: undefined }", .none), ("{ filterPolicy: 'kind' }", .unread),
        ("{ filterPolicy: { k: ['a'] } }", .unread), ("{ filterPolicy: stack.policy }", .unread),
        ("stack.options", .unread),
    ]

    @Test("which messages a follower gets is read as the CDK writes it", arguments: filters)
    func readsFilter(options: String, filter: TopicResource.Filter) {
        let reading = Self.read(
            """
            import { FilterOrPolicy, SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
            import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
            new Topic(stack, 'News').addSubscription(new LambdaSubscription(fn, \(options)));
            """)
        #expect(
            reading.topics.first?.followers == [.init("worker", filter: filter)], "\(reading.diagnostics)")
        #expect(reading.diagnostics.isEmpty == (filter != .unread), "\(reading.diagnostics)")
        if filter == .unread {
            #expect(reading.diagnostics.contains { $0.message.contains("of worker for the topic News") })
        }
    }

    @Test("what else is said of a follower is told, and it follows")
    func otherOptions() {
        let reading = Self.read(
            """
            import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
            new Topic(stack, 'News').addSubscription(new LambdaSubscription(fn, { deadLetterQueue: new Queue(stack, 'Dead') }));
            """)
        #expect(reading.topics.first?.followers == [.init("worker")])
        #expect(reading.diagnostics.contains { $0.message.contains("deadLetterQueue of worker for the topic News") })
    }
}
