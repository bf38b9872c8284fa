import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What `amplify/backend.ts` says of APIs over HTTP.
@Suite("APIs over HTTP of a Gen 2 project")
struct GatewayReadingTests {
    private static func read(_ text: String) -> Project {
        let files = [
            "amplify/auth/resource.ts": """
            import { defineAuth } from '@aws-amplify/backend';
            export const auth = defineAuth({ loginWith: { email: true }, groups: ['staff'] });
            """,
            "amplify/fn/resource.ts": """
            import { defineFunction } from '@aws-amplify/backend';
            export const items = defineFunction({ name: 'items' });
            export const users = defineFunction({ name: 'users' });
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { Policy, PolicyStatement, Effect } from 'aws-cdk-lib/aws-iam';
            import * as rest from 'aws-cdk-lib/aws-apigateway';
            import { HttpApi, HttpMethod, PayloadFormatVersion, CorsHttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
            import * as auths from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
            import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
            import { Stack } from 'aws-cdk-lib';
            import { auth } from './auth/resource';
            import { items, users } from './fn/resource';
            const backend = defineBackend({ auth, items, users });
            const stack = backend.createStack('api');
            const lambda = backend.items.resources.lambda;
            const others = backend.users.resources.lambda;
            \(text)
            """,
        ]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    private static func paths(_ text: String, of function: Int = 0) throws -> [HTTPPath] {
        let reading = read(text)
        try #require(!reading.isRefused, "\(reading.diagnostics)")
        return reading.functions[function].paths
    }

    private static func path(
        _ path: String, _ method: String?, _ caller: HTTPPath.Caller = .anyone, api: String = "shop",
        isHTTP: Bool = false
    ) -> HTTPPath { HTTPPath(api: api, path: path, method: method, isVersion2: isHTTP, caller: caller) }

    @Test("the tree of a RestApi is read, with what a path takes from those above it")
    func restTree() throws {
        let text = """
            const api = new rest.RestApi(stack, 'Api', {
              restApiName: 'shop', deployOptions: { stageName: 'dev' },
              defaultCorsPreflightOptions: { allowOrigins: rest.Cors.ALL_ORIGINS },
            });
            const call = new rest.LambdaIntegration(lambda);
            api.root.addMethod('GET', call);
            const list = api.root.addResource('items', { defaultMethodOptions: { authorizationType: rest.AuthorizationType.IAM } });
            list.addMethod('GET', call);
            list.addMethod('DELETE', call, { authorizationType: rest.AuthorizationType.NONE });
            list.addProxy({ anyMethod: true, defaultIntegration: call });
            list.addResource('{id}').addMethod('PUT', new rest.LambdaIntegration(others));
            const pool = new rest.CognitoUserPoolsAuthorizer(stack, 'Users', { cognitoUserPools: [backend.auth.resources.userPool] });
            const mine = api.root.resourceForPath('/a/b');
            mine.addMethod('GET', call, { authorizationType: rest.AuthorizationType.COGNITO, authorizer: pool });
            mine.addMethod('POST', call, { authorizer: pool, authorizationScopes: ['shop/write'] });
            mine.addMethod('PUT', call, { authorizer: new rest.TokenAuthorizer(stack, 'T', { handler: others }) });
            mine.addMethod('OPTIONS');
            """
        let signers = HTTPPath.Caller.roles([:])
        #expect(
            try Self.paths(text) == [
                Self.path("/", "GET"), Self.path("/items", "GET", signers), Self.path("/items", "DELETE"),
                Self.path("/items/{proxy+}", nil, signers), Self.path("/a/b", "GET", .user(scopes: [])),
                Self.path("/a/b", "POST", .user(scopes: ["shop/write"])), Self.path("/a/b", "PUT", signers),
            ])
        #expect(try Self.paths(text, of: 1) == [Self.path("/items/{id}", "PUT", signers)])
    }

    @Test("a path that leads to no function of the backend is told, and is nobody's")
    func foreign() {
        let reading = Self.read(
            """
            const api = new rest.RestApi(stack, 'shop');
            api.root.addMethod('GET', new rest.HttpIntegration('https://example.com'));
            api.root.addMethod('PUT', new rest.LambdaIntegration(lambda));
            """)
        #expect(reading.functions.first?.paths == [Self.path("/", "PUT")])
        #expect(reading.diagnostics.first?.message.contains("GET / of shop (") == true, "\(reading.diagnostics)")
    }

    @Test("roles may call what the policies that are attached to them name, and nothing else")
    func policies() throws {
        let paths = try Self.paths(
            """
            const api = new rest.RestApi(stack, 'shop', {});
            const call = new rest.LambdaIntegration(lambda);
            const options = { authorizationType: rest.AuthorizationType.IAM };
            for (const name of ['items', 'books', 'staff', 'rest']) {
              const part = api.root.addResource(name, { defaultMethodOptions: options });
              part.addMethod('GET', call);
              part.addProxy({ defaultIntegration: call });
            }
            const statement = (resources, effect) => new PolicyStatement({ actions: ['execute-api:Invoke'], resources, effect });
            backend.auth.resources.authenticatedUserIamRole.attachInlinePolicy(new Policy(stack, 'p', {
              statements: [statement([
                `${api.arnForExecuteApi('*', '/items', 'dev')}`, `${api.arnForExecuteApi('*', '/items/*', 'dev')}`,
                api.arnForExecuteApi('GET', '/books'),
              ])],
            }));
            backend.auth.resources.unauthenticatedUserIamRole.addToPrincipalPolicy(statement([api.arnForExecuteApi('GET', '/items')]));
            backend.auth.resources.groups['staff'].role.attachInlinePolicy(new Policy(stack, 'q', {
              statements: [statement([`${api.arnForExecuteApi()}/staff/*`]), statement(['*'], Effect.DENY),
                new PolicyStatement({ actions: ['s3:GetObject'], resources: ['*'] })],
            }));
            """)
        let found = paths.map { path -> [String: Set<String>] in
            if case .roles(let roles) = path.caller { roles } else { ["everybody": []] }
        }
        #expect(
            found == [
                ["auth": [], "guest": []], ["auth": []], ["auth": []], [:], [:], [:], [:], [:],
            ])
    }

    /// Denials for signed-in users beside a policy that allows everything, and the methods that they have left at each path.
    static let denials: [(policy: String, left: [[String]?])] = [
        ("statement(['*'], Effect.DENY)", [nil, nil, nil]),
        ("statement([api.arnForExecuteApi('GET', '/items')], 'Deny')", [["-GET"], [], []]),
        ("statement([api.arnForExecuteApi('*', '/items/secret')], Effect.DENY)", [[], nil, []]),
        ("statement([`${api.arnForExecuteApi()}/items/*`], Effect.DENY)", [[], nil, []]),
        ("statement(['arn:aws:execute-api:eu-west-1:1:abc/dev/GET/x'], Effect.DENY)", [nil, nil, nil]),
        ("statement(['arn:aws:execute-api:*:*:*/*/GET/x/*'], Effect.DENY)", [[], [], []]),
        ("statement(['arn:aws:s3:::x/*', lambda.functionArn], Effect.DENY, 's3:*')", [[], [], []]),
        ("statement([stack.arn], Effect.DENY)", [nil, nil, nil]),
        ("statement([stack.arn], stack.effect)", [nil, nil, nil]),
        ("statement(['*'], Effect.DENY, 'execute-api:In*')", [nil, nil, nil]),
        (
            "new PolicyStatement({ effect: Effect.DENY, actions: ['execute-api:*'], resources: ['*'], conditions: { Bool: { x: true } } })",
            [nil, nil, nil]
        ),
        (
            "new PolicyStatement({ effect: Effect.DENY, actions: ['execute-api:*'], notResources: ['arn:aws:s3:::x'] })",
            [nil, nil, nil]
        ),
    ]

    @Test("a statement that denies calls takes precedence, also where it only may mean them", arguments: denials)
    func denied(policy: String, left: [[String]?]) throws {
        for way in [
            "role.addToPrincipalPolicy(denial);",
            "role.attachInlinePolicy(new Policy(stack, 'p', { statements: [denial] }));",
            "new Policy(stack, 'p', { roles: [role], statements: [denial] });",
            "const p = new Policy(stack, 'p', {}); role.attachInlinePolicy(p); p.addStatements(denial);",
        ] {
            let paths = try Self.paths(
                """
                const api = new rest.RestApi(stack, 'shop', {});
                const list = api.root.addResource('items', { defaultMethodOptions: { authorizationType: rest.AuthorizationType.IAM } });
                const call = new rest.LambdaIntegration(lambda);
                list.addMethod('ANY', call); list.addResource('{id}').addMethod('GET', call); list.addMethod('PUT', call);
                const statement = (resources, effect, action = 'execute-api:Invoke') => new PolicyStatement({ actions: [action], resources, effect });
                const role = backend.auth.resources.authenticatedUserIamRole;
                role.addToPrincipalPolicy(statement(['*'], Effect.ALLOW));
                const denial = \(policy);
                \(way)
                """)
            let found = paths.map { path -> Set<String>? in
                guard case .roles(let roles) = path.caller else { return ["everybody"] }
                return roles["auth"]
            }
            let all: Set = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]
            let wanted = left.map { methods in
                methods.map { $0.contains("-GET") ? all.subtracting(["GET"]) : Set($0) }
            }
            #expect(found == wanted, "\(policy) by \(way)")
        }
    }

    @Test("a right under a condition, a key of a usage plan and scopes that cannot be read open no path")
    func closed() throws {
        let paths = try Self.paths(
            """
            const api = new rest.RestApi(stack, 'shop', {});
            const call = new rest.LambdaIntegration(lambda);
            api.root.addMethod('GET', call, { authorizationType: rest.AuthorizationType.IAM });
            api.root.addMethod('PUT', call, { apiKeyRequired: true });
            backend.auth.resources.authenticatedUserIamRole.addToPrincipalPolicy(new PolicyStatement({
              actions: ['execute-api:Invoke'], resources: ['*'], conditions: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }));
            const pool = new auths.HttpUserPoolAuthorizer('users', backend.auth.resources.userPool);
            const http = new HttpApi(stack, 'h', { apiName: 'h', defaultAuthorizer: pool, defaultAuthorizationScopes: ['shop/read'] });
            const integration = new HttpLambdaIntegration('call', lambda);
            http.addRoutes({ path: '/a', integration });
            http.addRoutes({ path: '/b', integration, authorizationScopes: [stack.scope] });
            """)
        #expect(
            paths.map(\.caller) == [
                .roles([:]), .roles([:]), .user(scopes: ["shop/read"]), .user(scopes: [""]),
            ])
    }

    @Test("routes of an HttpApi are read, and the function of a LambdaRestApi has all of its paths")
    func others() throws {
        let text = """
            const api = new HttpApi(stack, 'Api', { apiName: 'shop', corsPreflight: { allowMethods: [CorsHttpMethod.GET] } });
            const call = new HttpLambdaIntegration('call', lambda);
            const pool = new auths.HttpUserPoolAuthorizer('users', backend.auth.resources.userPool,
              { userPoolClients: [backend.auth.resources.userPoolClient] });
            api.addRoutes({ path: '/items', methods: [HttpMethod.GET, HttpMethod.PUT], integration: call, authorizer: pool });
            api.addRoutes({ path: '/items/{proxy+}', integration: call, authorizer: new auths.HttpIamAuthorizer() });
            api.addRoutes({ path: '/old', methods: [HttpMethod.ANY], authorizer: new auths.HttpLambdaAuthorizer('l', others),
              integration: new HttpLambdaIntegration('old', lambda, { payloadFormatVersion: PayloadFormatVersion.VERSION_1_0 }) });
            new rest.LambdaRestApi(stack, 'whole', { handler: others });
            backend.addOutput({ custom: { API: { [api.httpApiName]: {
              endpoint: api.url, region: Stack.of(api).region, apiName: api.httpApiName } } } });
            backend.items.addEnvironment('ITEMS', `${api.apiEndpoint}/items`);
            """
        let user = HTTPPath.Caller.user(scopes: [])
        #expect(
            try Self.paths(text) == [
                Self.path("/items", "GET", user, isHTTP: true), Self.path("/items", "PUT", user, isHTTP: true),
                Self.path("/items/{proxy+}", nil, .roles([:]), isHTTP: true), Self.path("/old", nil, .roles([:])),
            ])
        #expect(
            try Self.paths(text, of: 1) == [
                Self.path("/", nil, api: "whole"), Self.path("/{proxy+}", nil, api: "whole"),
            ])
        let reading = Self.read(text)
        #expect(
            reading.functions[0].environment == [
                FunctionVariable(name: "ITEMS", value: .joined([.gateway("shop", path: ""), .text("/items")]))
            ])
        let added = reading.added { value in
            switch value {
            case .gateway(let api, let path): "http://here/\(api)\(path)"
            case .deployed(let origin): origin
            default: nil
            }
        }
        #expect(
            added.parts.value["custom"]?["API"] == [
                "shop": ["endpoint": "http://here/shop/", "region": "Stack.of().region", "apiName": "shop"]
            ])
    }
}
