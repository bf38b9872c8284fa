import Foundation
import TestSupport
import Testing

@testable import homeport

/// Subscriptions with handlers of their own, as the real program checks, names and serves them.
@Suite("Handlers of subscriptions, served")
struct SubscriptionHandlerServeTests {
    private static let resource = """
        import { type ClientSchema, a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({
          Message: a.model({ content: a.string().required(), channelName: a.string().required() })
            .authorization(allow => [allow.publicApiKey()]),
          receive: a.subscription().for(a.ref('Message').mutations(['create'])).arguments({ namePrefix: a.string() })
            .handler(a.handler.custom({ entry: './receive.js' })).authorization(allow => [allow.publicApiKey()]),
          pass: a.subscription().for(a.ref('Message').mutations(['create']))
            .handler(a.handler.custom({ entry: './pass.js' })).authorization(allow => [allow.publicApiKey()]),
        });
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
        """
    private static let passing =
        "export function request() {\n  return {};\n}\n\nexport const response = (ctx) => {\n  return ctx.result;\n};\n"
    private static let filtering = """
        import { util, extensions } from "@aws-appsync/utils"

        // Subscription handlers must return a `null` payload on the request
        export function request() { return { payload: null } }

        export function response(ctx) {
          const filter = { channelName: { beginsWith: ctx.args.namePrefix } }
          extensions.setSubscriptionFilter(util.transform.toSubscriptionFilter(filter))
          return null
        }
        """
    private static let message =
        "receive on type Subscription has a handler of its own (./receive.js), which this server cannot run"

    @Test("what a handler might filter or refuse is refused in every protocol; what only passes on is served")
    func serves() async throws {
        try await onThreadOfItsOwn {
            let folder = TemporaryFolder()
            try folder.write(Self.resource, to: "amplify/data/resource.ts")
            try folder.write(Self.filtering, to: "amplify/data/receive.js")
            try folder.write(Self.passing, to: "amplify/data/pass.js")
            let check = try ProgramRun.outcome(["check"], in: folder)
            #expect(check.code == .success)
            #expect(check.diagnostics.contains("resource.ts:6:40: warning: \(Self.message)"), "\(check.diagnostics)")
            #expect(!check.diagnostics.contains("pass on type"))

            let server = try HomeportProcess(in: folder)
            #expect(server.log.contains("warning: \(Self.message)"))
            let subscription = "subscription { receive { content } }"
            var appSync = try WebSocketClient(
                port: server.port, path: "/graphql", protocols: ["graphql-ws"],
                fields: [("x-api-key", ClientScript.key)])
            try appSync.send(#"{"type":"connection_init"}"#)
            for _ in 1...2 { _ = try appSync.next(until: .now + .seconds(30)) }
            func start(_ id: String, _ query: String) -> String {
                #"{"id":"\#(id)","type":"start","payload":{"data":"{\"query\":\"\#(query)\"}"}}"#
            }
            try appSync.send(start("1", subscription))
            let refusal = #"{"errorType":"NotImplemented","message":"\#(Self.message)"}"#
            #expect(
                try appSync.next(until: .now + .seconds(30))
                    == .text(#"{"id":"1","type":"error","payload":{"errors":[\#(refusal)]}}"#))
            try appSync.send(start("2", "subscription { pass { content } }"))
            #expect(try appSync.next(until: .now + .seconds(30)) == .text(#"{"id":"2","type":"start_ack"}"#))
            _ = try server.answer(
                to: #"mutation { createMessage(input: { content: "c", channelName: "n" }) { content channelName } }"#)
            #expect(
                try appSync.next(until: .now + .seconds(30))
                    == .text(#"{"id":"2","type":"data","payload":{"data":{"pass":{"content":"c"}}}}"#))

            var transport = try WebSocketClient(
                port: server.port, path: "/graphql", protocols: ["graphql-transport-ws"],
                fields: [("x-api-key", ClientScript.key)])
            try transport.send(#"{"type":"connection_init"}"#)
            _ = try transport.next(until: .now + .seconds(30))
            try transport.send(#"{"id":"1","type":"subscribe","payload":{"query":"\#(subscription)"}}"#)
            let error = #"{"message":"\#(Self.message)","errorType":"NotImplemented"}"#
            #expect(
                try transport.next(until: .now + .seconds(30))
                    == .text(#"{"id":"1","type":"error","payload":[\#(error)]}"#))

            let stream = try RawClient(port: server.port)
            let body = #"{"query":"\#(subscription)"}"#
            try stream.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nx-api-key: \(ClientScript.key)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(try stream.read(through: "event: complete").contains(#"data: {"errors":[\#(error)]}"#))
        }
    }

    @Test("templates that a Gen 1 project keeps for a subscription count")
    func templates() async throws {
        try await onThreadOfItsOwn {
            let folder = TemporaryFolder()
            let api = "amplify/backend/api/blog"
            try folder.write(
                "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }", to: "\(api)/schema.graphql")
            try folder.write(
                "#set($x = 1)\n$util.unauthorized()", to: "\(api)/resolvers/Subscription.onCreateTodo.auth.1.req.vtl")
            try folder.write(
                "$util.toJson($context.result)\n", to: "\(api)/resolvers/Subscription.onDeleteTodo.res.vtl")
            try folder.write("$util.unauthorized()", to: "\(api)/resolvers/Query.getTodo.req.vtl")
            let check = try ProgramRun.outcome(["check"], in: folder)
            #expect(check.diagnostics.contains("warning: onCreateTodo on type Subscription has a handler of its own"))
            #expect(!check.diagnostics.contains("onDeleteTodo"))
        }
    }

    @Test("resolvers that a Gen 1 project keeps in files are named, and nothing answers in their place")
    func resolvers() async throws {
        try await onThreadOfItsOwn {
            let folder = TemporaryFolder()
            let api = "amplify/backend/api/blog"
            try folder.write(
                """
                type Todo @model @auth(rules: [{ allow: public }]) { id: ID! text: String upper: String }
                type Query { near: [Todo] plain: String }
                """, to: "\(api)/schema.graphql")
            try folder.write(
                #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true, "transformerversion": 2}}}"#,
                to: "amplify/cli.json")
            for name in [
                "Query.near.req.vtl", "Query.near.res.vtl", "Todo.upper.req.vtl", "Query.listTodos.postAuth.1.req.vtl",
                "Mutation.deleteTodo.res.vtl", "InvokeEchoLambdaDataSource.req.vtl",
            ] { try folder.write("$util.toJson({})", to: "\(api)/resolvers/\(name)") }
            let check = try ProgramRun.outcome(["check"], in: folder)
            #expect(check.code == .success)
            for said in [
                "warning: Query.near, Todo.upper cannot be answered: a handler in Velocity does not run here",
                "warning: Mutation.deleteTodo, Query.listTodos cannot be answered: files in the project's folder resolvers",
                "warning: Query.plain has nothing that computes it",
            ] { #expect(check.diagnostics.contains(said), "\(check.diagnostics)") }

            let server = try HomeportProcess(in: folder)
            _ = try server.answer(to: "mutation { createTodo(input: { text: \"t\" }) { id } }")
            for (query, field, files) in [
                ("{ near { id } }", "near on type Query", "resolvers/Query.near.req.vtl, resolvers/Query.near.res.vtl"),
                (
                    "{ listTodos { items { id } } }", "listTodos on type Query",
                    "resolvers/Query.listTodos.postAuth.1.req.vtl"
                ),
                (
                    #"mutation { deleteTodo(input: { id: "x" }) { id } }"#, "deleteTodo on type Mutation",
                    "resolvers/Mutation.deleteTodo.res.vtl"
                ),
            ] {
                let answer = try server.answer(to: query)
                #expect(answer.contains("NotImplemented"), "\(answer)")
                #expect(answer.contains("\(field) is a handler in Velocity (\(files))"), "\(answer)")
            }
            let created = try server.answer(to: "mutation { createTodo(input: { text: \"u\" }) { text upper } }")
            #expect(
                created.contains(#""text":"u""#) && created.contains("upper on type Todo is a handler"), "\(created)")
        }
    }
}
