import Foundation
import TestSupport
import Testing

@testable import homeport

/// Subscriptions with handlers of their own, as the real program checks, names and serves them.
@Suite("Handlers of subscriptions, served")
struct SubscriptionHandlerServeTests {
    private static let passing =
        "export function request() {\n  return {};\n}\n\nexport const response = (ctx) => {\n  return ctx.result;\n};\n"
    private static let operations = """
        idle: a.query().returns(a.string()).handler(a.handler.custom({ entry: './pass.js' })).authorization(open),
        Message: a.customType({ content: a.string(), channelName: a.string() }),
        publish: a.mutation().arguments({ content: a.string(), channelName: a.string() }).returns(a.ref('Message'))
          .handler(a.handler.custom({ entry: './publish.js' })).authorization(open),
        receive: a.subscription().for(a.ref('publish')).arguments({ namePrefix: a.string() })
          .handler(a.handler.custom({ entry: './receive.js' })).authorization(open),
        plain: a.subscription().for(a.ref('publish')).arguments({ channelName: a.string() })
          .handler(a.handler.custom({ entry: './pass.js' })).authorization(open),
        end: a.mutation().arguments({ channelName: a.string() }).returns(a.string())
          .handler(a.handler.custom({ entry: './end.js' })).authorization(open),
        """
    private static let handlers = [
        "pass.js": passing,
        "publish.js":
            "export const request = (ctx) => ({ payload: ctx.args });\nexport const response = (ctx) => ctx.result;",
        "receive.js": """
        import { util, extensions } from "@aws-appsync/utils"
        // Subscription handlers must return a `null` payload on the request
        export function request(ctx) {
          if (ctx.args.namePrefix === 'secret') util.unauthorized();
          if (ctx.args.namePrefix === 'odd') util.error('An odd channel', 'OddChannel');
          return { payload: null };
        }
        export function response(ctx) {
          const filter = { channelName: { beginsWith: ctx.args.namePrefix } }
          extensions.setSubscriptionFilter(util.transform.toSubscriptionFilter(filter))
          extensions.setSubscriptionInvalidationFilter(
            util.transform.toSubscriptionFilter({ channelName: { eq: ctx.args.namePrefix } }))
          return null
        }
        """,
        "end.js": """
        import { extensions } from "@aws-appsync/utils"
        export const request = () => ({});
        export function response(ctx) {
          extensions.invalidateSubscriptions({ subscriptionField: 'receive', payload: { channelName: ctx.args.channelName } });
          return 'told';
        }
        """,
    ]

    /// A client of AppSync's protocol.
    private struct Subscriber: ~Copyable {
        var socket: WebSocketClient

        init(_ server: HomeportProcess) throws {
            var opened = try WebSocketClient(
                port: server.port, path: "/graphql", protocols: ["graphql-ws"],
                fields: [("x-api-key", ClientScript.key)])
            try opened.send(#"{"type":"connection_init"}"#)
            for _ in 1...2 { _ = try opened.next(until: .now + .seconds(30)) }
            socket = opened
        }

        mutating func start(_ id: String, _ query: String) throws -> String {
            let quoted = query.replacing("\"", with: #"\\\""#)
            try socket.send(#"{"id":"\#(id)","type":"start","payload":{"data":"{\"query\":\"\#(quoted)\"}"}}"#)
            return try next()
        }

        mutating func next() throws -> String {
            guard case .text(let text) = try socket.next(until: .now + .seconds(30)) else { return "" }
            return text
        }
    }

    @Test(
        "a handler says which events a subscriber gets, or refuses, and what ends it; arguments count where none does")
    func serves() throws {
        let server = try ResolverProject(Self.operations, Self.handlers).serve()
        var subscriber = try Subscriber(server)
        func started(_ id: String) -> String { #"{"id":"\#(id)","type":"start_ack"}"# }
        #expect(
            try subscriber.start("1", #"subscription { receive(namePrefix: "a") { content } }"#) == started("1"))
        #expect(
            try subscriber.start("2", #"subscription { plain(channelName: "b1") { content } }"#) == started("2"))
        let unauthorized = try subscriber.start("3", #"subscription { receive(namePrefix: "secret") { content } }"#)
        #expect(
            unauthorized.contains(#""errorType":"Unauthorized""#)
                && unauthorized.contains("Not Authorized to access receive on type Subscription"), "\(unauthorized)"
        )
        let odd = try subscriber.start("4", #"subscription { receive(namePrefix: "odd") { content } }"#)
        #expect(odd.contains(#""errorType":"OddChannel""#) && odd.contains("An odd channel"), "\(odd)")
        for (channel, text) in [("b1", "for b"), ("a1", "for a"), ("c", "for nobody"), ("a", "for a too")] {
            _ = try server.answer(
                to:
                    #"mutation { publish(content: "\#(text)", channelName: "\#(channel)") { content channelName } }"#
            )
        }
        #expect(
            try subscriber.next()
                == #"{"id":"2","type":"data","payload":{"data":{"plain":{"content":"for b"}}}}"#)
        for text in ["for a", "for a too"] {
            #expect(
                try subscriber.next()
                    == #"{"id":"1","type":"data","payload":{"data":{"receive":{"content":"\#(text)"}}}}"#)
        }
        // What the mutation has not selected is null for the filter.
        _ = try server.answer(to: #"mutation { publish(content: "unseen", channelName: "a1") { content } }"#)
        _ = try server.answer(to: #"mutation { end(channelName: "other") }"#)
        _ = try server.answer(to: #"mutation { end(channelName: "a") }"#)
        #expect(try subscriber.next() == #"{"id":"1","type":"complete"}"#)
    }

    @Test("a handler is told of the fields that came with the subscription, its variables and what it selects")
    func tells() throws {
        var handlers = Self.handlers
        handlers["receive.js"] = """
            import { util } from "@aws-appsync/utils"
            export function request(ctx) {
              const { variables, selectionSetList, selectionSetGraphQL } = ctx.info;
              const told = [ctx.request.headers['x-team'], variables, selectionSetList, selectionSetGraphQL];
              util.error(JSON.stringify(told), 'Told');
            }
            export const response = (ctx) => ctx.result;
            """
        let server = try ResolverProject(Self.operations, handlers).serve()
        var subscriber = try Subscriber(server)
        let data =
            #"{\"query\":\"subscription R($p: String) { receive(namePrefix: $p) { content channelName } }\",\"variables\":{\"p\":\"a\"}}"#
        let fields = #"{"x-api-key":"\#(ClientScript.key)","host":"localhost","X-Team":"red"}"#
        try subscriber.socket.send(
            #"{"id":"1","type":"start","payload":{"data":"\#(data)","extensions":{"authorization":\#(fields)}}}"#)
        let told = try subscriber.next()
        for part in [
            #"[\"red\",{\"p\":\"a\"},[\"content\",\"channelName\"],"#, #"content\\n  channelName"#,
            #""errorType":"Told""#,
        ] {
            #expect(told.contains(part), "\(part) in \(told)")
        }
    }

    @Test("a handler that cannot run refuses in every protocol")
    func refuses() throws {
        var handlers = Self.handlers
        handlers["receive.js"] =
            "export function request() { while (true) {} }\nexport const response = () => null;"
        let project = try ResolverProject(Self.operations, handlers)
        let check = try ProgramRun.outcome(["check"], in: project.folder)
        #expect(check.code == .success)
        #expect(check.diagnostics.contains("While statements are not supported."), "\(check.diagnostics)")
        let server = try project.serve()
        let subscription = "subscription { receive { content } }"
        var subscriber = try Subscriber(server)
        let refused = try subscriber.start("1", subscription)
        #expect(refused.contains(#""errorType":"NotImplemented""#) && refused.contains("receive.js"), "\(refused)")
        var transport = try WebSocketClient(
            port: server.port, path: "/graphql", protocols: ["graphql-transport-ws"],
            fields: [("x-api-key", ClientScript.key)])
        try transport.send(#"{"type":"connection_init"}"#)
        _ = try transport.next(until: .now + .seconds(30))
        try transport.send(#"{"id":"1","type":"subscribe","payload":{"query":"\#(subscription)"}}"#)
        guard case .text(let error) = try transport.next(until: .now + .seconds(30)) else { return }
        #expect(error.contains(#""type":"error""#) && error.contains("NotImplemented"), "\(error)")
        let stream = try RawClient(port: server.port)
        let body = #"{"query":"\#(subscription)"}"#
        try stream.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nx-api-key: \(ClientScript.key)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(try stream.read(through: "event: complete").contains("NotImplemented"))
    }

    @Test("templates that a Gen 1 project keeps for a subscription run when somebody subscribes")
    func templates() throws {
        let folder = TemporaryFolder()
        let api = "amplify/backend/api/blog"
        try folder.write(
            "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }", to: "\(api)/schema.graphql")
        try folder.write(
            "#set($x = 1)\n$util.unauthorized()", to: "\(api)/resolvers/Subscription.onCreateTodo.auth.1.req.vtl")
        try folder.write(
            "$util.toJson($context.result)\n", to: "\(api)/resolvers/Subscription.onDeleteTodo.res.vtl")
        try folder.write("#if(", to: "\(api)/resolvers/Subscription.onUpdateTodo.req.vtl")
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(!check.diagnostics.contains("onDeleteTodo") && !check.diagnostics.contains("onCreateTodo cannot"))
        #expect(check.diagnostics.contains("Subscription.onUpdateTodo cannot be answered"), "\(check.diagnostics)")
        let server = try HomeportProcess(schema: nil, in: folder)
        var subscriber = try Subscriber(server)
        let refused = try subscriber.start("1", "subscription { onCreateTodo { id } }")
        #expect(refused.contains("Not Authorized to access onCreateTodo on type Subscription"), "\(refused)")
        let broken = try subscriber.start("2", "subscription { onUpdateTodo { id } }")
        #expect(broken.contains("NotImplemented"), "\(broken)")
        #expect(
            try subscriber.start("3", "subscription { onDeleteTodo { id } }") == #"{"id":"3","type":"start_ack"}"#)
    }

    @Test("resolvers that a Gen 1 project keeps in files without a stack are named, and have no effect, as on AWS")
    func resolvers() throws {
        let folder = TemporaryFolder()
        let api = "amplify/backend/api/blog"
        try folder.write(
            """
            type Todo @model @auth(rules: [{ allow: public }]) { id: ID! text: String upper: String }
            type Query { near: [Todo] plain: String echo: String @function(name: "echo") }
            """, to: "\(api)/schema.graphql")
        try folder.write(
            #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true, "transformerversion": 2}}}"#,
            to: "amplify/cli.json")
        for name in [
            "Query.near.req.vtl", "Query.near.res.vtl", "Todo.upper.req.vtl", "Query.echo.postAuth.1.req.vtl",
        ] { try folder.write("$util.toJson({})", to: "\(api)/resolvers/\(name)") }
        try folder.write(
            #"{ "version": "2018-05-29", "operation": "Invoke", "payload": {} }"#,
            to: "\(api)/resolvers/InvokeEchoLambdaDataSource.req.vtl")
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code == .success)
        for said in [
            "resolvers/Query.near.req.vtl has no effect: Amplify makes no resolver for Query.near, and no stack attaches one",
            "resolvers/Todo.upper.req.vtl has no effect: Amplify makes no resolver for Todo.upper",
            "resolvers/Query.echo.postAuth.1.req.vtl runs here, and Amplify leaves it out when it deploys: Query.echo",
            "warning: Query.near, Query.plain has nothing that computes it",
            "Query.echo runs resolvers/InvokeEchoLambdaDataSource.req.vtl on EchoLambdaDataSource",
            "Query.echo cannot be answered: the function \"echo\" has no URL",
        ] { #expect(check.diagnostics.contains(said), "\(check.diagnostics)") }

        let server = try HomeportProcess(schema: nil, in: folder)
        let near = try server.answer(to: "{ near { id } }")
        #expect(near == #"{"data":{"near":null}}"#)
        let echo = try server.answer(to: "{ echo }")
        #expect(echo.contains("The function 'echo' is not configured"), "\(echo)")
        let created = try server.answer(to: "mutation { createTodo(input: { text: \"u\" }) { text upper } }")
        #expect(created == #"{"data":{"createTodo":{"text":"u","upper":null}}}"#)
    }
}
