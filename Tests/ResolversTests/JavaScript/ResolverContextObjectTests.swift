import JSON
import Testing

@testable import Resolvers

@Suite("Context of handlers")
struct ResolverContextObjectTests {
    private static let context: JSONValue = [
        "arguments": ["id": "1", "nested": ["list": [1, ["a": "b"]]]], "source": ["id": "s"],
        "identity": ["sub": "u", "groups": nil], "stash": ["kept": true], "result": ["x": 1],
        "prev": ["result": [1, 2]], "request": ["headers": ["accept": ["a", "b"]], "domainName": nil],
        "info": [
            "fieldName": "f", "parentTypeName": "Query", "variables": ["v": 1],
            "selectionSetList": ["id", "author", "author/name"], "selectionSetGraphQL": "{\n  id\n}",
        ], "env": ["A": "b"],
    ]

    @Test(
        "it has what AppSync's has",
        arguments: [
            ("return ctx.args === ctx.arguments;", true),
            ("ctx.args.added = 1;\nreturn ctx.arguments.added;", 1),
            ("return ctx.args.nested;", ["list": [1, ["a": "b"]]]),
            ("return ctx.args.nested.list[1].a;", "b"),
            ("return [ctx.source.id, ctx.identity.groups, ctx.env.A, ctx.prev.result[1]];", ["s", nil, "b", 2]),
            ("return ctx.request.headers.accept[1];", "b"),
            ("return ctx.info.selectionSetList;", ["id", "author", "author/name"]),
            ("return ctx.info.selectionSetGraphQL;", "{\n  id\n}"),
            (
                "return JSON.parse(JSON.stringify(ctx.info));",
                ["fieldName": "f", "parentTypeName": "Query", "variables": ["v": 1]]
            ),
            ("return ctx.error === undefined;", true),
            ("return ctx.outErrors;", []),
            ("return Object.keys(ctx.args);", ["id", "nested"]),
            ("return { ...ctx.result, y: 2 };", ["x": 1, "y": 2]),
            ("delete ctx.args.id;\nreturn ctx.args;", ["nested": ["list": [1, ["a": "b"]]]]),
        ] as [(String, JSONValue)])
    func members(body: String, expected: JSONValue) throws {
        #expect(try ResolverRunning.value(body, Self.context) == expected)
    }

    @Test("the stash is what the handler has left, also where it fails")
    func stash() throws {
        let kept = try ResolverRunning.outcome("ctx.stash.a = { b: [1] };\nreturn null;", Self.context)
        #expect(JSONValue.object(kept.stash) == ["kept": true, "a": ["b": [1]]])
        let untouched = try ResolverRunning.outcome("return null;", Self.context)
        #expect(JSONValue.object(untouched.stash) == ["kept": true])
        let failed = try ResolverRunning.outcome("ctx.stash.a = 1;\nutil.error('no');", Self.context)
        #expect(JSONValue.object(failed.stash) == ["kept": true, "a": 1])
    }

    @Test("errors end a handler or are added, with what they carry")
    func errors() throws {
        let ended = try ResolverRunning.outcome("util.error('no', 'Type', { a: 1 }, { b: 2 });", [:])
        guard case .failed(let error) = ended.end else {
            Issue.record("\(ended.end)")
            return
        }
        #expect(error == ResolverError("no", type: "Type", data: ["a": 1], info: ["b": 2]))
        let added = try ResolverRunning.outcome(
            "const before = ctx.outErrors.length;\nutil.appendError('one');\nutil.appendError('two', 'T');\n"
                + "return [before, ctx.outErrors.length, ctx.outErrors[1].message];", [:])
        #expect(added.outErrors.map(\.message) == ["one", "two"])
        guard case .value([0, 2, "two"]) = added.end else {
            Issue.record("\(added.end)")
            return
        }
    }

    @Test("an early return carries its value and where to go on")
    func earlyReturn() throws {
        guard
            case .early(["a": 1], skipsToEnd: false) = try ResolverRunning.outcome("runtime.earlyReturn({ a: 1 });").end
        else {
            Issue.record("not early")
            return
        }
        guard
            case .early(.null, skipsToEnd: true) = try ResolverRunning.outcome(
                "runtime.earlyReturn(null, { skipTo: 'END' });"
            ).end
        else {
            Issue.record("not to the end")
            return
        }
    }

    @Test("the console writes lines with their places")
    func console() throws {
        let outcome = try ResolverRunning.outcome(
            "  console.log('a', { b: 1 });\n  console.error(undefined, [null], 1.5);\nreturn null;")
        #expect(
            outcome.logs == [
                #"INFO - code.js:4:3: "a" {"b":1}"#, "ERROR - code.js:5:3: undefined [null] 1.5",
            ])
    }

    @Test("no handler finds anything of another one")
    func isolation() throws {
        let code = try ResolverRunning.code(
            """
            n += 1;
            list.push(n);
            seen.x = (seen.x ?? 0) + 1;
            const tag = (s) => s;
            const t = tag`a`;
            return [n, list.length, seen.x, cached === null ? 'new' : 'old', ctx.stash.mine ?? null];
            """,
            before:
                "let n = 0;\nconst list = [];\nconst seen = {};\nlet cached = null;\nfunction circle() { return circle; }"
        )
        for _ in 0..<5 {
            guard case .value([1, 1, 1, "new", nil]) = code.run(.request, ResolverContext()).end else {
                Issue.record("something is left")
                return
            }
        }
    }

    @Test("a realm is used again after any end")
    func reuse() throws {
        let text = ResolverRunning.text(
            """
            const self = {};
            self.self = self;
            const f = () => [f, self];
            self.f = f;
            if (ctx.args.how === 'error') util.error('x');
            if (ctx.args.how === 'fault') return self.a.b;
            if (ctx.args.how === 'early') runtime.earlyReturn(1);
            return 1;
            """)
        let realm = ResolverRealm()
        let program = try JavaScriptProgram.read(text, file: "code.js", isTypeScript: false).0
        for how in ["value", "error", "fault", "early", "value"] {
            _ = HandlerRun(realm, program, ResolverLimits()).run(
                .request, ResolverContext(json: ["arguments": ["how": .string(how)]]), .live)
            #expect(realm.end(), "after \(how)")
        }
    }

    @Test("all that a realm has at first is frozen")
    func frozen() {
        let realm = ResolverRealm()
        #expect(realm.realm.isWhollyFrozen)
    }
}
