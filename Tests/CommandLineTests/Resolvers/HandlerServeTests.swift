import Foundation
import JSON
import TestSupport
import Testing

/// Fields with handlers in JavaScript, through the real program.
@Suite("Handlers of fields, served")
struct HandlerServeTests {
    private static let schema = """
        echo: a.query().arguments({ text: a.string(), count: a.integer() }).returns(a.string())
          .handler(a.handler.custom({ entry: './echo.js' })).authorization(open),
        steps: a.query().arguments({ n: a.integer().required() }).returns(a.json())
          .handler([a.handler.custom({ entry: './first.js' }), a.handler.custom({ entry: './second.js' })])
          .authorization(open),
        kind: a.query().arguments({ kind: a.string().required() }).returns(a.ref('Shape'))
          .handler(a.handler.custom({ entry: './kind.js' })).authorization(open),
        many: a.query().arguments({ kind: a.string() }).returns(a.ref('Shape').array())
          .handler(a.handler.custom({ entry: './many.js' })).authorization(open),
        count: a.query().arguments({ text: a.string() }).returns(a.integer())
          .handler(a.handler.custom({ entry: './echo.js' })).authorization(open),
        Shape: a.customType({ name: a.string(), size: a.integer(), parts: a.ref('Part').array() }),
        Part: a.customType({ label: a.string().required() }),
        """

    private static let handlers = [
        "echo.js": """
        import { util } from '@aws-appsync/utils';
        export const request = (ctx) => ({ version: '2018-05-29', payload: ctx.args.text });
        export const response = (ctx) => ctx.result;
        """,
        "first.js": """
        import { runtime } from '@aws-appsync/utils';
        export function request(ctx) {
          ctx.stash.seen = [Object.keys(ctx.prev.result).length];
          if (ctx.args.n === 7) runtime.earlyReturn({ early: 7 });
          if (ctx.args.n === 8) runtime.earlyReturn({ ended: 8 }, { skipTo: 'END' });
          return { payload: { n: ctx.args.n } };
        }
        export function response(ctx) {
          ctx.stash.seen.push('response');
          return { n: ctx.result.n + 1 };
        }
        """,
        "second.js": """
        export function request(ctx) { return { payload: { before: ctx.prev.result, stash: ctx.stash } }; }
        export function response(ctx) {
          return { ...ctx.result, same: ctx.prev.result, error: ctx.error ?? null };
        }
        """,
        "kind.js": """
        import { util } from '@aws-appsync/utils';
        export function request(ctx) {
          const { kind } = ctx.args;
          if (kind === 'error') util.error('It is wrong', 'Own', { name: 'n', hidden: 1 }, { code: 4 });
          if (kind === 'plain') util.error('It is wrong');
          if (kind === 'unauthorized') util.unauthorized();
          if (kind === 'fault') return ctx.args.nothing.member;
          return {};
        }
        export function response(ctx) {
          if (ctx.args.kind === 'append') util.appendError('Beside it', 'Warned', { name: 'x' }, ['i']);
          return { name: ctx.args.kind, size: 3, parts: [{ label: 'a' }, { label: 'b', other: 1 }] };
        }
        """,
        "many.js": """
        export function request() {}
        export function response(ctx) {
          if (ctx.args.kind === 'object') return { name: 'one' };
          if (ctx.args.kind === 'broken') return [{ name: 'a', parts: [{ label: null }] }, { name: 'b' }];
          return [{ name: 'a' }, null, { name: 'c', size: 1 }];
        }
        """,
    ]

    @Test("a payload is the result, and steps share a stash and what the one before gave")
    func pipelines() throws {
        let server = try ResolverProject(Self.schema, Self.handlers).serve()
        #expect(try server.answer(to: #"{ echo(text: "hällo") }"#) == #"{"data":{"echo":"hällo"}}"#)
        #expect(try server.answer(to: "{ echo }") == #"{"data":{"echo":null}}"#)
        func steps(_ n: Int) throws -> JSONValue {
            let text = try server.value(of: "{ steps(n: \(n)) }")["data"]?["steps"]?.string
            return try JSONReader.value(of: text ?? "")
        }
        let one = try steps(1)
        #expect(one["before"] == ["n": 2] && one["same"] == ["n": 2] && one["error"] == .null)
        #expect(one["stash"]?["seen"] == [0, "response"])
        #expect(one["stash"]?["amplifyApiEnvironmentName"] == "NONE")
        #expect(one["stash"]?["awsAppsyncApiId"]?.string?.isEmpty == false)
        #expect(try steps(7)["before"] == ["early": 7])
        #expect(try steps(8) == ["ended": 8])
    }

    @Test("errors have AppSync's form: type, info and data at the top, data as far as it is selected")
    func errors() throws {
        let server = try ResolverProject(Self.schema, Self.handlers).serve()
        func answer(_ kind: String) throws -> String {
            try server.answer(to: #"{ kind(kind: "\#(kind)") { name } }"#)
        }
        func error(_ members: String, _ message: String, _ data: String = #"{"kind":null}"#) -> String {
            #"{"data":\#(data),"errors":[{"path":["kind"],\#(members),"locations":[{"line":1,"column":3,"sourceName":null}],"message":"\#(message)"}]}"#
        }
        #expect(
            try answer("error")
                == error(#""data":{"name":"n"},"errorType":"Own","errorInfo":{"code":4}"#, "It is wrong"))
        #expect(try answer("plain") == error(#""data":null,"errorType":null,"errorInfo":null"#, "It is wrong"))
        #expect(
            try answer("unauthorized")
                == error(
                    #""data":null,"errorType":"Unauthorized","errorInfo":null"#,
                    "Not Authorized to access kind on type Query"))
        #expect(
            try answer("append")
                == error(
                    #""data":{"name":"x"},"errorType":"Warned","errorInfo":["i"]"#, "Beside it",
                    #"{"kind":{"name":"append"}}"#))
        let fault = try answer("fault")
        #expect(
            fault.contains(#""errorType":"Code""#)
                && fault.contains(#""message":"code.js:7:49: TypeError: Cannot read properties"#), "\(fault)")
    }

    @Test("what comes out is what the schema says: lists, custom types, nulls that break")
    func coercion() throws {
        let server = try ResolverProject(Self.schema, Self.handlers).serve()
        #expect(
            try server.answer(to: #"{ kind(kind: "k") { name size parts { label } } }"#)
                == #"{"data":{"kind":{"name":"k","size":3,"parts":[{"label":"a"},{"label":"b"}]}}}"#)
        #expect(
            try server.answer(to: "{ many { name size } }")
                == #"{"data":{"many":[{"name":"a","size":null},null,{"name":"c","size":1}]}}"#)
        let mismatch = try server.answer(to: #"{ many(kind: "object") { name } }"#)
        #expect(
            mismatch.contains("Can't resolve value (/many) : type mismatch error, expected type LIST"),
            "\(mismatch)")
        let broken = try server.value(of: #"{ many(kind: "broken") { name parts { label } } }"#)
        #expect(broken["data"]?["many"]?.array?.last?["name"] == "b", "\(broken)")
        #expect(broken["errors"]?.array?.count == 1)
        let number = try server.answer(to: #"{ count(text: "no number") }"#)
        #expect(number.contains(#""data":{"count":null}"#) && number.contains("errors"), "\(number)")
    }

    @Test("rules hold before any handler runs, and a result's records have rules of their own")
    func rules() throws {
        let schema = """
            Post: a.model({ id: a.id().required(), title: a.string(), secret: a.string().authorization((allow) => [allow.owner()]),
              comments: a.hasMany('Comment', 'postId') }).authorization((allow) => [allow.publicApiKey(), allow.owner()]),
            Comment: a.model({ postId: a.id(), post: a.belongsTo('Post', 'postId'), text: a.string() })
              .authorization((allow) => [allow.publicApiKey()]),
            Diary: a.model({ text: a.string() }).authorization((allow) => [allow.owner()]),
            first: a.query().returns(a.ref('Post')).handler(a.handler.custom({ dataSource: a.ref('Post'), entry: './get.js' }))
              .authorization(open),
            diary: a.query().returns(a.ref('Diary')).handler(a.handler.custom({ entry: './diary.js' })).authorization(open),
            closed: a.query().returns(a.string()).handler(a.handler.custom({ entry: './get.js' }))
              .authorization((allow) => [allow.group('admins')]),
            """
        let get = """
            import { util } from '@aws-appsync/utils';
            export function request(ctx) {
              return { operation: 'GetItem', key: util.dynamodb.toMapValues({ id: 'p' }) };
            }
            export const response = (ctx) => ctx.result;
            """
        let server = try ResolverProject(
            schema,
            [
                "get.js": get,
                "diary.js":
                    "export const request = () => ({ payload: { id: 'd', text: 't', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' } });\nexport const response = (ctx) => ctx.result;",
            ]
        ).serve()
        #expect(try server.answer(to: "{ first { title } }") == #"{"data":{"first":null}}"#)
        _ = try server.answer(to: #"mutation { createPost(input: { id: "p", title: "t" }) { id } }"#)
        _ = try server.answer(to: #"mutation { createComment(input: { postId: "p", text: "c" }) { id } }"#)
        #expect(
            try server.answer(to: "{ first { title createdAt comments { items { text post { title } } } } }")
                .hasPrefix(#"{"data":{"first":{"title":"t","createdAt":"20"#))
        let nested = try server.value(of: "{ first { title comments { items { text post { title } } } } }")
        #expect(nested["data"]?["first"]?["comments"]?["items"] == [["text": "c", "post": ["title": "t"]]])
        let secret = try server.value(of: "{ first { title secret } }")
        #expect(secret["data"]?["first"]?["secret"] == .null)
        #expect(secret["errors"]?[0]?["errorType"] == "Unauthorized")
        let closed = try server.value(of: "{ closed }")
        #expect(closed["data"]?["closed"] == .null)
        #expect(closed["errors"]?[0]?["message"] == "Not Authorized to access closed on type Query", "\(closed)")
    }

    @Test("handlers find the request's head, the caller, what is selected and the API's variables")
    func context() throws {
        let project = try ResolverProject(
            """
            tell: a.query().arguments({ a: a.string() }).returns(a.ref('Told')).handler(a.handler.custom({ entry: './tell.js' })).authorization(open),
            Told: a.customType({ text: a.json(), inner: a.ref('Inner') }),
            Inner: a.customType({ one: a.string(), two: a.string() }),
            """,
            [
                "tell.js": """
                import { util } from '@aws-appsync/utils';
                export const request = () => ({});
                export const response = (ctx) => ({ text: JSON.stringify({
                  info: ctx.info, list: ctx.info.selectionSetList, graphQL: ctx.info.selectionSetGraphQL, env: ctx.env,
                  identity: ctx.identity, type: util.authType(), key: ctx.request.headers['x-api-key'], source: ctx.source,
                }) });
                """
            ],
            backend:
                "backend.data.resources.cfnResources.cfnGraphqlApi.environmentVariables = { PLACE: 'here' };")
        let server = try project.serve()
        let answer = try server.value(
            of: """
                query Q($v: String, $yes: Boolean!) {
                  told: tell(a: $v) { text in: inner { one } ...More ... on Told { inner @include(if: $yes) { two } } }
                }
                fragment More on Told { inner { two } }
                """, ["v": "x", "yes": true])
        let text = answer["data"]?["told"]?["text"]?.string ?? ""
        // A text in a field of JSON is JSON twice.
        let told = try JSONReader.value(of: try JSONReader.value(of: text).string ?? "")
        #expect(
            told["info"] == ["fieldName": "tell", "parentTypeName": "Query", "variables": ["v": "x", "yes": true]],
            "\(answer)")
        #expect(told["list"] == ["text", "in", "in/one", "inner", "inner/two"])
        // The list has no fragments, the text keeps them.
        #expect(
            told["graphQL"] == """
                {
                  text
                  in: inner {
                    one
                  }
                  ...More
                  ...on Told {
                    inner @include(if: $yes) {
                      two
                    }
                  }
                }
                """)
        #expect(told["env"] == ["PLACE": "here"])
        #expect(told["identity"] == .null && told["source"] == .null)
        #expect(told["type"] == "API Key Authorization")
        #expect(told["key"]?.string == "da2-fakeApiId123456")
    }

    @Test("a handler that imports another file is refused, as its upload would be, and check says in which line")
    func imports() throws {
        let schema = """
            local: a.query().returns(a.string()).handler(a.handler.custom({ entry: './local.js' })).authorization(open),
            package: a.query().returns(a.string()).handler(a.handler.custom({ entry: './package.js' })).authorization(open),
            echo: a.query().arguments({ text: a.string() }).returns(a.string())
              .handler(a.handler.custom({ entry: './echo.js' })).authorization(open),
            """
        let rest = "\nexport const request = () => ({});\nexport const response = () => twice('a');"
        let project = try ResolverProject(
            schema,
            [
                "local.js": "// A handler.\nimport { twice } from '../lib/twice.js';" + rest,
                "package.js": "import { twice } from 'twice';" + rest, "echo.js": Self.handlers["echo.js"] ?? "",
                "../lib/twice.js": "export const twice = (text) => text + text;",
            ])
        let check = try ProgramRun.outcome(["check"], in: project.folder)
        for said in [
            "Query.local cannot be answered: ./local.js:2:",
            "AppSync imports no other files: '../lib/twice.js' has to be bundled into the code",
            "Query.package cannot be answered: ./package.js:1:", "AppSync has no module 'twice'",
        ] { #expect(check.diagnostics.contains(said), "\(check.diagnostics)") }
        let server = try project.serve()
        for field in ["local", "package"] {
            let answer = try server.value(of: "{ \(field) }")
            #expect(answer["errors"]?[0]?["errorType"] == "NotImplemented", "\(answer)")
            #expect(answer["errors"]?[0]?["message"]?.string?.contains("\(field).js") == true, "\(answer)")
        }
        #expect(try server.answer(to: #"{ echo(text: "a") }"#) == #"{"data":{"echo":"a"}}"#)
    }
}
