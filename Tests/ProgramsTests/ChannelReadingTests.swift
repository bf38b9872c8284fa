import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Channels of a project")
struct ChannelReadingTests {
    private static func api(_ lines: String) -> EventAPIResource? {
        let backend = """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { AuthorizationType, AppSyncAuthorizationType, CfnApi, CfnChannelNamespace, ChannelNamespace, Code, EventApi,
              LambdaInvokeType } from 'aws-cdk-lib/aws-appsync';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('s');
            const fn = backend.say.resources.lambda;
            \(lines)
            """
        return Project.read("amplify", in: ProgramSurroundings(["amplify/backend.ts": backend])).eventAPI
    }

    @Test("resources say modes and namespaces")
    func resources() throws {
        let api = try #require(
            Self.api(
                """
                const api = new CfnApi(stack, 'A', { name: 'events', eventConfig: {
                  authProviders: [{ authType: AuthorizationType.USER_POOL }, { authType: 'API_KEY' }],
                  connectionAuthModes: [{ authType: AuthorizationType.USER_POOL }],
                  defaultPublishAuthModes: [{ authType: AuthorizationType.IAM }],
                  defaultSubscribeAuthModes: [{ authType: AuthorizationType.USER_POOL }, { authType: AuthorizationType.API_KEY }] } });
                new CfnChannelNamespace(stack, 'N', { apiId: api.attrApiId, name: 'default' });
                new CfnChannelNamespace(stack, 'C', { apiId: api.attrApiId, name: 'chat', codeHandlers: 'export function onPublish(ctx) {}',
                  publishAuthModes: [{ authType: AuthorizationType.LAMBDA }],
                  handlerConfigs: { onSubscribe: { behavior: 'DIRECT', integration: { dataSourceName: 'ds', lambdaConfig: { invokeType: 'EVENT' } } } } });
                """))
        #expect(api.connect == ["AMAZON_COGNITO_USER_POOLS"])
        #expect(api.publish == ["AWS_IAM"])
        #expect(api.subscribe == ["AMAZON_COGNITO_USER_POOLS", "API_KEY"])
        #expect(api.namespaces.map(\.name) == ["default", "chat"])
        #expect(api.namespaces[0] == EventAPIResource.Namespace("default"))
        #expect(api.namespaces[1].publish == ["AWS_LAMBDA"])
        #expect(api.namespaces[1].text == "export function onPublish(ctx) {}")
        #expect(
            api.namespaces[1].onSubscribe == EventAPIResource.Handler(dataSource: "ds", isDirect: true, isEvent: true))
    }

    @Test("constructs say modes, namespaces and handlers; the modes are those of the providers where no list is given")
    func constructs() throws {
        let api = try #require(
            Self.api(
                """
                const api = new EventApi(stack, 'A', { apiName: 'events', authorizationConfig: {
                  authProviders: [{ authorizationType: AppSyncAuthorizationType.USER_POOL }],
                  defaultPublishAuthModeTypes: [AppSyncAuthorizationType.IAM] } });
                const source = api.addLambdaDataSource('ds', fn);
                api.addChannelNamespace('bets', { code: Code.fromInline('export function onPublish(ctx) {}'),
                  authorizationConfig: { subscribeAuthModeTypes: [AppSyncAuthorizationType.API_KEY] } });
                new ChannelNamespace(stack, 'X', { api, channelNamespaceName: 'direct',
                  publishHandlerConfig: { direct: true, dataSource: source, lambdaInvokeType: LambdaInvokeType.EVENT } });
                """))
        #expect(api.connect == ["AMAZON_COGNITO_USER_POOLS"])
        #expect(api.publish == ["AWS_IAM"])
        #expect(api.subscribe == ["AMAZON_COGNITO_USER_POOLS"])
        #expect(api.namespaces.map(\.name) == ["bets", "direct"])
        #expect(api.namespaces[0].text == "export function onPublish(ctx) {}")
        #expect(api.namespaces[0].subscribe == ["API_KEY"])
        #expect(
            api.namespaces[1].onPublish == EventAPIResource.Handler(function: "say", isDirect: true, isEvent: true))
    }

    @Test("code that cannot be read is code that lets nothing pass, and a mode that cannot be read admits nobody")
    func unread() throws {
        let api = try #require(
            Self.api(
                """
                const api = new EventApi(stack, 'A');
                api.addChannelNamespace('n', { code: Code.fromBucket(stack, 'x'),
                  authorizationConfig: { publishAuthModeTypes: [stack.mode] } });
                """))
        #expect(api.connect == ["API_KEY"])
        #expect(api.namespaces.first?.text?.isEmpty == true)
        #expect(api.namespaces.first?.publish?.isEmpty == true)
    }

    @Test("the parts of the file for clients that the server writes for channels are no warnings")
    func outputs() {
        let backend = """
            import { defineBackend } from '@aws-amplify/backend';
            import { AuthorizationType, CfnApi } from 'aws-cdk-lib/aws-appsync';
            const backend = defineBackend({}); const stack = backend.createStack('s');
            const api = new CfnApi(stack, 'A', { name: 'events', eventConfig: { authProviders: [{ authType: 'API_KEY' }] } });
            backend.addOutput({ custom: { events: {
              url: `https://${api.getAtt('Dns.Http').toString()}/event`, aws_region: stack.region,
              default_authorization_type: AuthorizationType.USER_POOL, topic: stack.topic } } });
            """
        let reading = Project.read("amplify", in: ProgramSurroundings(["amplify/backend.ts": backend]))
        let warnings = reading.added { _ in nil }.warnings
        #expect(warnings.count == 1 && warnings.first?.message.contains("custom.events.topic") == true, "\(warnings)")
    }

    @Test("a project without such an API has none")
    func none() { #expect(Self.api("") == nil) }
}
