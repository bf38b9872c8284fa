import JSON
import Testing

@testable import Resolvers

/// What two runs at the same time have of each other: nothing.
@Suite("Runs beside each other")
struct SeparateRunsTests {
    /// Each tries to leave its mark where another run would find it; the language refuses what it may not change.
    private static let marking = [
        "counter += 1; seen.push(ctx.args.me); ctx.stash.seen = seen; return { counter, seen };",
        "Object.assign(util, { me: ctx.args.me }); return util.me;",
        "util.me = ctx.args.me; return util.me;",
        "util.time.me = ctx.args.me; return util.time.me;",
        "util.time.nowISO8601 = () => ctx.args.me; return util.time.nowISO8601();",
        "extensions.me = ctx.args.me; return 1;",
        "runtime.earlyReturn.me = ctx.args.me; return 1;",
        "Math.me = ctx.args.me; return Math.me;",
        "Math.round = () => ctx.args.me; return Math.round(1);",
        "JSON.parse = () => ctx.args.me; return JSON.parse('1');",
        "[].map.me = ctx.args.me; return [].map.me;",
        "const o = {}; o.__proto__.me = ctx.args.me; return ({}).me;",
        "const o = { __proto__: { me: ctx.args.me } }; return [o.me, ({}).me];",
        "const l = []; l.constructor.me = ctx.args.me; return 1;",
        "Object.me = ctx.args.me; return Object.me;",
        "String.raw = () => ctx.args.me; return String.raw`x`;",
        "const t = (s) => s; t`a`.me = ctx.args.me; return 1;",
        "const f = () => 1; f.me = ctx.args.me; return f.me;",
        "ctx.stash.me = ctx.args.me; ctx.stash.list = [ctx.args.me]; return ctx.stash;",
        "ctx.args.other = ctx.args.me; ctx.identity.me = ctx.args.me; ctx.env.me = ctx.args.me; return ctx.identity;",
        "ctx.source.list.push(ctx.args.me); ctx.info.variables.me = ctx.args.me; return ctx.source.list;",
        "console.log(ctx.args.me); util.appendError(ctx.args.me); return ctx.outErrors;",
        "me = ctx.args.me; return 1;",
    ]
    /// Looks where marks could be.
    private static let looking = """
        return [
          counter, seen, util.me, util.time.me, extensions.me, runtime.earlyReturn.me, Math.me, Math.round(1.2),
          JSON.parse('1'), [].map.me, ({}).me, [].constructor?.me, Object.me, String.raw`x`, ctx.stash, ctx.args.other,
          ctx.identity, ctx.env, ctx.source, ctx.info.variables, ctx.outErrors, typeof me,
          typeof util.time.nowISO8601(), ((s) => s.me)`a`,
        ];
        """
    private static let before = "let counter = 0;\nconst seen = [];"
    private static let templates = [
        #"$util.qr($ctx.stash.put("me", $ctx.args.me))$util.toJson($ctx.stash)"#,
        #"$util.qr($ctx.identity.put("me", $ctx.args.me))$util.toJson($ctx.identity)"#,
        #"$util.qr($ctx.source.list.add($ctx.args.me))$util.toJson($ctx.source)"#,
        #"#set($ctx.env.me = $ctx.args.me)$util.toJson($ctx.env)"#,
        #"#set($util.me = $ctx.args.me)#set($me = $ctx.args.me)$util.toJson($me)"#,
        #"$util.qr($util.put("me", $ctx.args.me))1"#,
        #"$util.appendError($ctx.args.me)$util.log.info($ctx.args.me)1"#,
    ]
    private static let lookingTemplate =
        #"$util.toJson({"a": $ctx.stash, "b": $ctx.identity, "c": $ctx.source, "d": $ctx.env, "e": "$!me $!util.me", "f": $ctx.outErrors})"#

    private static func context(_ mark: String) -> ResolverContext {
        var context = ResolverContext(json: ["arguments": ["me": .string(mark)]])
        (context.identity, context.source, context.environment) = (shared.identity, shared.source, shared.environment)
        context.info.variables = shared.info.variables
        return context
    }

    /// What all runs are told, as the values of one request are told to many.
    private static let shared = ResolverContext(json: [
        "identity": ["sub": "s"], "source": ["list": [1, 2]], "env": ["A": "b"], "info": ["variables": ["v": 1]],
    ])

    /// All that a run says.
    private static func text(of outcome: ResolverOutcome) -> String {
        let end =
            switch outcome.end {
            case .value(let value), .early(let value, _): JSONWriter.text(of: value)
            case .failed(let error): "\(error)"
            }
        return
            "\(end) \(JSONWriter.text(of: .object(outcome.stash))) \(outcome.logs) \(outcome.outErrors)"
    }

    @Test("no run finds what another one has changed, on however many threads")
    func hammered() async throws {
        let marking =
            try Self.marking.map { try ResolverRunning.code($0, before: Self.before) }
            + Self.templates.map { try ResolverCode(template: $0, response: nil) }
        let looking = [
            try ResolverRunning.code(Self.looking, before: Self.before),
            try ResolverCode(template: Self.lookingTemplate, response: nil),
        ]
        let clean = looking.map { Self.text(of: $0.run(.request, Self.context("nobody"))) }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<60 {
                        let mark = "mark-\(task)-\(round)-"
                        let code = marking[(task * 7 + round) % marking.count]
                        let told = Self.text(of: code.run(.request, Self.context(mark)))
                        let others = told.parts(separatedBy: mark).joined().contains(bytesOf: "mark-")
                        #expect(!others, "\(told)")
                        for (number, look) in looking.enumerated() {
                            let found = Self.text(of: look.run(.request, Self.context("nobody")))
                            #expect(found == clean[number])
                        }
                    }
                }
            }
        }
        #expect(JSONWriter.text(of: Self.shared.identity) == #"{"sub":"s"}"#)
        #expect(JSONWriter.text(of: Self.shared.source) == #"{"list":[1,2]}"#)
    }

    @Test("a variable of the module is new for each handler of one request too")
    func modules() throws {
        let code = try ResolverCode(
            javaScript: """
                let counter = 0;
                export const request = (ctx) => { counter += 1; ctx.stash.n = counter; return { payload: counter }; };
                export const response = (ctx) => { counter += 1; return [counter, ctx.stash.n]; };
                """)
        for _ in 0..<3 {
            let asked = code.run(.request, ResolverContext())
            var context = ResolverContext()
            context.stash = asked.stash
            guard case .value(let value) = code.run(.response, context).end else {
                Issue.record("no value")
                return
            }
            #expect(value == [1, 1])
        }
    }
}

/// What a handler can reach of the machine: nothing.
@Suite("What handlers cannot reach")
struct ResolverSandboxTests {
    @Test(
        "no name leads to files, to the network, to a clock, to code that is text",
        arguments: [
            "Date", "process", "require", "module", "exports", "Buffer", "fetch", "XMLHttpRequest", "WebSocket",
            "EventSource", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "performance", "crypto",
            "Deno",
            "Bun", "fs", "os", "net", "globalThis", "global", "window", "self", "Function", "eval", "Reflect", "Proxy",
            "WeakRef", "WeakMap", "FinalizationRegistry", "SharedArrayBuffer", "ArrayBuffer", "Atomics", "Intl",
            "structuredClone", "importScripts", "navigator", "localStorage", "Worker", "WebAssembly", "URL",
            "TextDecoder",
            "__dirname", "__filename", "print", "$262", "Temporal", "Iterator", "Symbol", "Map", "Set", "RegExp",
            "Error",
        ])
    func names(name: String) throws {
        #expect(try ResolverRunning.value("return typeof \(name);") == "undefined")
    }

    @Test(
        "no module but those of AppSync is there, by whatever way it is asked for",
        arguments: [
            "import fs from 'fs';", "import { readFileSync } from 'node:fs';",
            "import http from 'https://example.com/a.js';",
            "import x from './other.js';", "import x from '../../etc/passwd';", "import x from 'file:///etc/passwd';",
            "import x from '/etc/passwd' with { type: 'json' };", "export * from 'fs';", "export { a } from 'node:os';",
            "import '@aws-appsync/utils/../../fs';",
        ])
    func modules(text: String) {
        #expect(throws: ResolverCodeError.self) {
            try ResolverCode(
                javaScript: text
                    + "\nexport const request = () => ({});\nexport const response = () => ({});")
        }
    }

    @Test(
        "code that asks while it runs gets nothing",
        arguments: [
            "return import('fs');", "return import.meta.url;", "return (() => 1).constructor('return 1')();",
            "return [].map.constructor('return 1')();", "return ({}).constructor.constructor('return 1')();",
            "return ''.constructor.constructor('return 1')();", "return util.error.constructor('return 1')();",
            "return (0, eval)('1');",
        ])
    func running(body: String) {
        guard let code = try? ResolverCode(javaScript: ResolverRunning.text(body)) else { return }
        guard case .failed(let error) = code.run(.request, ResolverContext()).end else {
            Issue.record("\(body) gives something")
            return
        }
        #expect(error.isFault)
    }

    @Test("time and chance are those that it is given, and nothing else tells them")
    func surroundings() throws {
        let surroundings = ResolverSurroundings(
            now: { 1_000 }, randomBytes: { Array(repeating: 0, count: $0) })
        let code = try ResolverRunning.code(
            """
            return [
              util.time.nowEpochMilliSeconds(), util.time.nowISO8601(), util.time.nowEpochSeconds(), Math.random(),
              util.math.randomDouble(), util.autoId(),
            ];
            """)
        var found: [JSONValue] = []
        for _ in 0..<2 {
            guard case .value(let value) = code.run(.request, ResolverContext(), in: surroundings).end else {
                Issue.record("no value")
                return
            }
            found.append(value)
        }
        #expect(found[0] == found[1])
        #expect(found[0][0] == 1_000 && found[0][1] == "1970-01-01T00:00:01.000Z" && found[0][3] == 0)
    }

    @Test(
        "a template reaches no class of Java and no file",
        arguments: [
            #"$util.class"#, #"$ctx.class.forName("java.lang.Runtime")"#, #"$util.getClass()"#,
            #"$util.getClass().forName("java.lang.Runtime").getRuntime().exec("id")"#,
            ##"#set($s = "")$s.getClass().forName("java.lang.System").getenv()"##,
            ##"#include("/etc/passwd")"##, ##"#parse("/etc/passwd")"##, ##"#evaluate("$util.autoId()")"##,
            ##"#set($i = 1)$i.getClass().getClassLoader()"##,
        ])
    func templates(template: String) throws {
        let code: ResolverCode
        do throws(ResolverCodeError) {
            code = try ResolverCode(template: template, response: nil)
        } catch {
            return
        }
        // What is not there prints its own text, which is no JSON.
        switch code.run(.request, ResolverContext()).end {
        case .failed: break
        case .value(let value), .early(let value, _):
            #expect(!JSONWriter.text(of: value).contains(bytesOf: "root:"), "\(value)")
            #expect(value.isNull || value.object?.isEmpty == true || value.string == template, "\(value)")
        }
    }
}
