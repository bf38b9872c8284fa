import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Handlers of subscriptions")
struct SubscriptionHandlerTests {
    private static let schema = """
        Message: a.customType({ content: a.string().required() }),
        send: a.mutation().arguments({ content: a.string() }).returns(a.ref('Message'))
          .handler(a.handler.function('send')).authorization(allow => [allow.publicApiKey()]),
        receive: a.subscription().for(a.ref('send')).arguments({ namePrefix: a.string() })
          .handler(HANDLER).authorization(allow => [allow.publicApiKey()]),
        """

    private static func unserved(
        _ files: [String: String], handler: String = "a.handler.custom({ entry: './receive.js' })"
    ) throws -> (subscriptions: [HandledSubscription], diagnostics: [Diagnostic]) {
        let read = read(module(schema.replacing("HANDLER", with: handler)), files: files)
        try #require(read.diagnostics.isEmpty, "\(read.diagnostics)")
        let reading = read.reading()
        return (try #require(reading.blueprint).handledSubscriptions, reading.diagnostics)
    }

    /// The first example of Amplify's page on custom subscriptions, and the forms in which people write the same.
    static let passing: [String] = [
        """
        export function request() {
          return {};
        }

        export const response = (ctx) => {
          return ctx.result;
        };
        """,
        """
        // Subscription handlers must return a `null` payload on the request
        export function request() { return { payload: null }; }

        /**
         * @param {import('@aws-appsync/utils').Context} ctx
         */
        export function response(ctx) { return ctx.result; }
        """,
        "export const request = () => ({ payload: null });\nexport const response = (ctx) => null;",
        """
        import { util } from '@aws-appsync/utils';
        import type { Context } from '@aws-appsync/utils';
        export function request(ctx: Context) { return { version: '2018-05-29', payload: ctx.args }; }
        export function response(ctx: Context) { return ctx.prev.result; }
        """,
        "function request(c) { return { payload: {} } } function response(c) { } export { request, response };",
        "export function request(ctx) { const payload = { ...ctx.args, at: null }; return { payload } }\n"
            + "export function response(ctx) { const result = ctx.result; return result; }",
        "export const request = (ctx) => ({ payload: ctx.identity?.sub });\nexport const response = () => undefined;",
    ]

    @Test("a subscription is served whose module provably only passes on", arguments: passing)
    func serves(_ text: String) throws {
        let outcome = try Self.unserved(["data/receive.js": text])
        #expect(outcome.subscriptions.isEmpty)
        #expect(outcome.diagnostics.filter { $0.message.contains("receive") }.isEmpty)
    }

    private static let request = "export const request = () => ({ payload: null });\n"

    static let others: [String] = [
        // The second example of Amplify's page: it filters by an argument.
        """
        import { util, extensions } from "@aws-appsync/utils"

        // Subscription handlers must return a `null` payload on the request
        export function request() { return { payload: null } }

        /**
         * @param {import('@aws-appsync/utils').Context} ctx
         */
        export function response(ctx) {
          const filter = {
            channelName: {
              beginsWith: ctx.args.namePrefix
            }
          }

          extensions.setSubscriptionFilter(util.transform.toSubscriptionFilter(filter))

          return null
        }
        """,
        request + "export function response(ctx) { if (!ctx.identity) { util.unauthorized(); } return ctx.result; }",
        request + "export const response = (ctx) => util.error('no');",
        request + "export const response = (ctx) => ctx.identity.claims.sub && null;",
        request + "export const response = (ctx) => ctx.identity.sub.x;",
        request + "export const response = (ctx) => missing;",
        request + "export const response = (ctx) => ctx.args;",
        request + "export const response = (ctx) => ctx.result ? null : ctx.fail();",
        request + "export const response = (ctx) => { const a = check(ctx); return null; };",
        request + "export const response = (ctx) => { const { sub } = ctx.identity; return null; };",
        request + "export const response = (ctx) => { throw new Error('no'); };",
        request + "export const response = ({ identity: { sub } }) => null;",
        request + "export const response = (ctx, more = fail()) => null;",
        request + "export const response = (ctx) => null;\nextensions.setSubscriptionFilter({});",
        request + "const x = util.error('no');\nexport const response = (ctx) => null;",
        request + "import './effects';\nexport const response = (ctx) => null;",
        request + "export async function response(ctx) { return null; }",
        request + "function response(ctx) { return null; }",
        "export const response = (ctx) => null;",
        "export const request = () => { };\nexport const response = (ctx) => null;",
        "export const request = () => ({ operation: 'PutItem' });\nexport const response = (ctx) => null;",
        "export const request = () => ({ payload: runtime.earlyReturn() });\nexport const response = (ctx) => null;",
        "export const request = () => ({ get payload() { return fail() } });\nexport const response = (ctx) => null;",
        "export const request = () => ({ [fail()]: 1 });\nexport const response = (ctx) => null;",
        "export { request, response } from './other';", "export * from './other';", "", "not JavaScript at all {{{",
    ]

    @Test("one whose module does anything else, or may, has to be run", arguments: others)
    func refuses(_ text: String) throws {
        let outcome = try Self.unserved(["data/receive.js": text, "data/other.js": Self.passing[0]])
        #expect(outcome.subscriptions.map(\.field) == ["receive"])
        #expect(!outcome.diagnostics.contains { $0.message.contains("receive") })
    }

    @Test(
        "nor is one whose handler is no module that is there, works on data, or has another step",
        arguments: [
            "a.handler.custom({ entry: './missing.js' })",
            "a.handler.custom({ entry: './receive.js', dataSource: 'ThingDataSource' })",
            "[a.handler.custom({ entry: './receive.js' }), a.handler.custom({ entry: './filter.js' })]",
            "[a.handler.custom({ entry: './filter.js' }), a.handler.custom({ entry: './receive.js' })]",
            "a.handler.function('receive')",
        ])
    func refusesHandlers(_ handler: String) throws {
        let files = ["data/receive.js": Self.passing[0], "data/filter.js": Self.others[0]]
        #expect(try Self.unserved(files, handler: handler).subscriptions.map(\.field) == ["receive"])
        let twice = "[a.handler.custom({ entry: './receive.js' }), a.handler.custom({ entry: './receive.js' })]"
        #expect(try Self.unserved(files, handler: twice).subscriptions.isEmpty)
    }

    @Test(
        "a template only passes on when it is plain JSON, or gives the result",
        arguments: [
            (#"{"version": "2018-05-29", "payload": {}}"#, true, true),
            ("## a comment\n{\"payload\": null}\n", true, true), ("$util.toJson($context.result)\n", false, true),
            ("## nothing\n$util.toJson( null )", false, true), ("", false, true), ("", true, false),
            (#"#if($ctx.identity) {} #end"#, true, false), (#"{"payload": $util.toJson($ctx.args)}"#, true, false),
            ("$util.unauthorized()", false, false),
            ("$extensions.setSubscriptionFilter($util.transform.toSubscriptionFilter($filter))\nnull", false, false),
        ])
    func templates(_ row: (text: String, isRequest: Bool, isProven: Bool)) {
        #expect(PassingTemplate.isProven(Array(row.text.utf8), isRequest: row.isRequest) == row.isProven)
    }

    @Test("handlers beside a schema in SDL count, and functions of its own fields")
    func sdl() throws {
        let text = """
            type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
            type Mutation { send(text: String): String @function(name: "send") }
            type Subscription { onSend: String @aws_subscribe(mutations: ["send"]) @function(name: "check") }
            """
        let handler = CustomHandler(
            typeName: "Subscription", fieldName: "onCreateTodo", entry: "resolvers/Subscription.onCreateTodo.req.vtl")
        let reading = SDLReader.read([Source(text)], handlers: [handler])
        #expect(reading.blueprint?.handledSubscriptions.map(\.field) == ["onCreateTodo", "onSend"])
        #expect(
            reading.diagnostics.filter { $0.severity == .warning }.map(\.message) == [
                "onSend on type Subscription has a function (check), which this server cannot run"
            ])
    }
}
