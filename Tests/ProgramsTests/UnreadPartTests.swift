import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What becomes of parts of the CDK that nothing here follows.
@Suite("Parts of the CDK that nothing reads")
struct UnreadPartTests {
    private static func read(_ program: String) -> Project {
        Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({ loginWith: { email: true }, groups: ['staff'] });
                """,
                "amplify/storage/resource.ts": """
                import { defineStorage } from '@aws-amplify/backend';
                export const storage = defineStorage({ name: 'files' });
                """,
                "amplify/fn/resource.ts": """
                import { defineFunction } from '@aws-amplify/backend';
                export const fn = defineFunction({ name: 'fn' });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend'; import { Aspects } from 'aws-cdk-lib';
                import * as iam from 'aws-cdk-lib/aws-iam'; import * as s3 from 'aws-cdk-lib/aws-s3';
                import * as sqs from 'aws-cdk-lib/aws-sqs'; import * as lambda from 'aws-cdk-lib/aws-lambda';
                import * as rest from 'aws-cdk-lib/aws-apigateway'; import * as http from 'aws-cdk-lib/aws-apigatewayv2';
                import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
                import { EventApi, GraphqlApi } from 'aws-cdk-lib/aws-appsync'; import { Table } from 'aws-cdk-lib/aws-dynamodb';
                import { EventBus } from 'aws-cdk-lib/aws-events'; import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
                import { auth } from './auth/resource';
                import { storage } from './storage/resource'; import { fn } from './fn/resource';
                const backend = defineBackend({ auth, storage, fn }); const stack = backend.createStack('s');
                const r = backend.auth.resources; const call = backend.fn.resources.lambda; const bucket = backend.storage.resources.bucket;
                const deny = { Statement: [{ Effect: 'Deny', Action: '*', Resource: '*', Principal: '*' }] };
                const api = new rest.RestApi(stack, 'a'); const integration = new rest.LambdaIntegration(call);
                \(program)
                """,
            ]))
    }

    static let refused: [(program: String, message: String)] = [
        (
            "api.root.addMethod('GET', integration).node.defaultChild.authorizationType = 'AWS_IAM';",
            "defaultChild.authorizationType` says who may do what"
        ),
        (
            "api.root.addMethod('GET', integration).node.defaultChild.addPropertyOverride('AuthorizationType', 'AWS_IAM');",
            "defaultChild.authorizationType` says who may do what"
        ),
        (
            "const [route] = new http.HttpApi(stack, 'h').addRoutes({ path: '/x', methods: [http.HttpMethod.GET], integration: new HttpLambdaIntegration('i', call) }); route.node.defaultChild.authorizationType = 'AWS_IAM';",
            "addRoutes()[0].node.defaultChild.authorizationType` says"
        ),
        (
            "call.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.NONE }).node.defaultChild.authType = 'AWS_IAM';",
            "defaultChild.authType` says who may do what"
        ),
        (
            "new EventApi(stack, 'e', { authorizationConfig: { authProviders: [] } }).node.defaultChild.addPropertyOverride('EventConfig.AuthProviders', []);",
            "defaultChild.eventConfig` says who may do what"
        ),
        (
            "r.unauthenticatedUserIamRole.node.defaultChild.policies = [];",
            "defaultChild.policies` says who may do what"
        ),
        (
            "r.authenticatedUserIamRole.node.defaultChild.addPropertyOverride('PermissionsBoundary', 'arn');",
            "defaultChild.permissionsBoundary` says who may do what"
        ),
        (
            "iam.PermissionsBoundary.of(r.authenticatedUserIamRole).apply(iam.ManagedPolicy.fromAwsManagedPolicyName('X'));",
            "apply()` restricts a role of the identity pool"
        ),
        (
            "new iam.CfnPolicy(stack, 'p', { policyName: 'p', policyDocument: deny, roles: ['x'] });",
            "CfnPolicy()` denies something"
        ),
        (
            "new s3.CfnBucketPolicy(stack, 'p', { bucket: bucket.bucketName, policyDocument: deny });",
            "CfnBucketPolicy()` denies something"
        ),
        (
            "new sqs.CfnQueuePolicy(stack, 'p', { queues: [], policyDocument: new iam.PolicyDocument({ statements: [new iam.PolicyStatement({ effect: iam.Effect.DENY, actions: ['*'] })] }) });",
            "CfnQueuePolicy()` denies something"
        ),
        (
            "new s3.BucketPolicy(stack, 'p', { bucket }).document.addStatements(new iam.PolicyStatement({ effect: iam.Effect.DENY, actions: ['s3:*'], resources: ['*'] }));",
            "addStatements()` denies something"
        ),
        (
            "Aspects.of(stack).add({ visit(node) { if (node.allowUnauthenticatedIdentities) node.allowUnauthenticatedIdentities = false; } });",
            "speaks of allowUnauthenticatedIdentities"
        ),
        (
            "backend.auth.stack.node.findAll().forEach((part) => { part.mfaConfiguration = 'ON'; });",
            "speaks of mfaConfiguration"
        ),
        (
            "api.root.addMethod('GET', integration, { authorizationTyp: 'AWS_IAM' });",
            "has no option `authorizationTyp`"
        ),
        (
            "new http.HttpApi(stack, 'h', { defaultAuthoriser: 1 });",
            "`new HttpApi()` has no option `defaultAuthoriser`"
        ),
    ]

    @Test("what says who may do what refuses the project, with the place", arguments: refused)
    func refuses(program: String, message: String) throws {
        let reading = Self.read(program)
        let said = try #require(
            reading.diagnostics.first { $0.isError && $0.message.contains(message) }, "\(reading.diagnostics)")
        #expect(said.location?.line == 14, "\(said)")
        #expect(reading.isRefused && reading.signIn == .refused)
    }

    @Test(
        "what restricts nobody is reported",
        arguments: [
            "bucket.addLifecycleRule({ expiration: 1 });", "bucket.addCorsRule({ allowedMethods: [] });",
            "bucket.grantPublicAccess();", "call.configureAsyncInvoke({ retryAttempts: 0 });",
            "call.addLayers(lambda.LayerVersion.fromLayerVersionArn(stack, 'l', 'arn'));",
            "r.userPool.addClient('c');", "r.userPool.addResourceServer('r', {});", "api.addUsagePlan('u');",
            "r.userPool.addGroup('g', { groupName: 'g' });", "bucket.addInventory({});",
            "bucket.onCloudTrailPutObject('o');", "bucket.addReplicationPolicy({});",
            "api.addGatewayResponse('r', {});", "api.addDomainName('d', {});", "call.addAlias('live');",
            "new http.HttpApi(stack, 'h').addStage('s', {});", "new Table(stack, 't', {}).addReplica({});",
            "new EventBus(stack, 'b').archive('a', {});", "new Secret(stack, 's').addRotationSchedule('r', {});",
            "new GraphqlApi(stack, 'g', {}).createResolver('r', { typeName: 'Query', fieldName: 'x' });",
            "iam.PermissionsBoundary.of(stack).apply(iam.ManagedPolicy.fromAwsManagedPolicyName('X'));",
            "api.root.addMethod('GET', integration, { requestParameters: { 'method.request.querystring.x': true } });",
        ])
    func reports(program: String) {
        let reading = Self.read(program)
        #expect(!reading.isRefused, "\(reading.diagnostics)")
        #expect(reading.diagnostics.contains { $0.location?.line == 14 && $0.message.contains("does not hold here") })
    }

    @Test(
        "what gives rights, or restricts connections without encryption alone, is passed over",
        arguments: [
            "bucket.grantRead(call); r.userPool.grant(call, 'cognito-idp:AdminGetUser');",
            "new s3.CfnBucketPolicy(stack, 'p', { bucket: 'b', policyDocument: { Statement: [{ Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }] } });",
            "api.root.addMethod('GET', integration, { authorizationType: rest.AuthorizationType.IAM, methodResponses: [] });",
            "Object.values(r.groups).forEach((group) => { group.role.addToPrincipalPolicy(new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: ['*'] })); });",
            "call.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.NONE, cors: {} });",
        ])
    func passes(program: String) {
        let reading = Self.read(program)
        #expect(!reading.isRefused && !reading.diagnostics.contains { $0.isError }, "\(reading.diagnostics)")
        #expect(!reading.diagnostics.contains { $0.message.contains("does not hold here") }, "\(reading.diagnostics)")
    }

    @Test(
        "an API that hides its schema does so here",
        arguments: [("'DISABLED'", true), ("'ENABLED'", false)])
    func hiddenSchema(value: String, isHidden: Bool) {
        let reading = Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/data/resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                export const data = defineData({ schema: a.schema({ Todo: a.model({ text: a.string() }) }) });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { data } from './data/resource';
                defineBackend({ data }).data.resources.cfnResources.cfnGraphqlApi.introspectionConfig = \(value);
                """,
            ]))
        #expect(reading.hidesSchema == isHidden && !reading.isRefused, "\(reading.diagnostics)")
    }
}

/// Overrides of a Gen 1 project that change other resources than those of sign-in.
@Suite("Overrides of Gen 1")
struct Version1OverrideTests {
    private static func read(_ body: String) -> (hidesSchema: Bool, problems: [Diagnostic]) {
        let file = "amplify/backend/storage/files/override.ts"
        let program = """
            import { AmplifyS3ResourceTemplate } from '@aws-amplify/cli-extensibility-helper';
            export function override(resources: AmplifyS3ResourceTemplate) {
              \(body)
            }
            """
        return Version1Override.read(file, in: ProgramSurroundings([file: program]))
    }

    @Test(
        "a change of rights is an error at its place",
        arguments: [
            "resources.s3GuestReadPolicy.policyDocument = { Statement: [] };",
            "resources.s3AuthPrivatePolicy.policyDocument.Statement.push({ Effect: 'Deny' });",
            "resources.unauthRole.addOverride('Properties.Policies', []);",
            "const { authRole } = resources; authRole.permissionsBoundary = 'arn';",
            "resources.restApi.addPropertyOverride('Body.paths./items.get.security', []);",
            "resources.s3Bucket.objectLockEnabled = true;",
            "resources.api.GraphQLAPI.authenticationType = 'AWS_IAM';",
        ])
    func rights(body: String) throws {
        let said = try #require(Self.read(body).problems.first { $0.isError })
        #expect(said.location?.line == 3, "\(said)")
    }

    @Test(
        "any other change that does not hold is a warning",
        arguments: [
            "resources.s3Bucket.versioningConfiguration = { status: 'Enabled' };",
            "resources.models['Post'].modelDDBTable.timeToLiveSpecification = { enabled: true };",
            "resources.authRole.roleName = 'x';", "resources.restApi.description = 'x';",
        ])
    func others(body: String) throws {
        let problems = Self.read(body).problems
        #expect(problems.allSatisfy { !$0.isError }, "\(problems)")
        #expect(!problems.isEmpty || body.contains("roleName"))
    }

    @Test("an override that is as Amplify writes it says nothing, and one that cannot be run is an error")
    func usual() {
        #expect(Self.read("/* TODO: Add snippet of how to override in comments */").problems.isEmpty)
        #expect(Self.read("throw new Error('x');").problems.contains { $0.isError })
        #expect(Self.read("resources.api.GraphQLAPI.introspectionConfig = 'DISABLED';").hidesSchema)
    }
}
