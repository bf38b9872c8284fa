import JSON
import Testing

@testable import Resolvers

@Suite("Language of resolvers")
struct ResolverLanguageTests {
    @Test(
        "what AppSync has works",
        arguments: [
            ("return JSON.parse('{bad');", ""),
            ("return JSON.parse('[1,{\"a\":null}]');", [1, ["a": nil]]),
            ("return 'a-b-c'.replaceAll('-[a-z]', '_');", "a__"),
            ("return 'a.b.c'.replaceAll('.', '_');", "_____"),
            ("return 'john smith'.replace('(\\\\w+) (\\\\w+)', '$2 $1');", "smith john"),
            ("return [3, 1, 2].sort();", [1, 2, 3]),
            ("return [..._list(), ...'ab'];\nfunction _list() { return [1]; }", [1, "a", "b"]),
            ("const { a, ...rest } = ctx.args;\nreturn rest;", ["b": 2]),
            ("return `${[1, 2]} ${({})}`;", "1,2 [object Object]"),
            ("return Object.entries(ctx.args);", [["a", 1], ["b", 2]]),
            ("return [1, [2, [3]]].flat(2).map((x) => x * 2).join('-');", "2-4-6"),
            ("return [undefined, () => 1, NaN];", [nil, nil, nil]),
            (
                "return { a: undefined, f: () => 1, n: -0, big: 2 ** 60 };",
                ["n": 0, "big": 1_152_921_504_606_846_976.0]
            ),
            ("return 2 ** 53;", 9_007_199_254_740_992),
            ("return Math.max(1.5, 1) + Math.round(2.5);", 4.5),
            ("const f = (a = 1, ...b) => a + b.length;\nreturn f(undefined, 1, 2);", 3),
            ("let n = 0;\nfor (const c of 'añ€😀') { n += 1; }\nreturn n;", 4),
            ("switch (ctx.args.a) { case 1: return 'one'; default: return 'other'; }", "one"),
            ("return typeof Date === 'undefined';", true),
            ("return ctx.args.x?.y?.() ?? 'none';", "none"),
            ("const o = { get a() { return 1; } };\nreturn o.a;", 1),
            ("const t = (s, v) => s[0] + v + s.raw[1];\nreturn t`a${1}\\n`;", "a1\\n"),
            ("return Object.hasOwn(ctx.args, 'a') && !Object.hasOwn(ctx.args, 'z');", true),
            ("return ['a', 'b'].includes('b') && 'abc'.includes('b');", true),
        ] as [(String, JSONValue)])
    func works(body: String, expected: JSONValue) throws {
        #expect(try ResolverRunning.value(body, ["arguments": ["a": 1, "b": 2]]) == expected)
    }

    @Test(
        "what AppSync does not have fails where it is reached",
        arguments: [
            ("return new Date().toISOString();", "code.js:4:12: ReferenceError: Date is not defined"),
            ("return new Map();", "Map is not defined"),
            ("return Symbol('a');", "Symbol is not defined"),
            ("return setTimeout(() => 1, 1);", "setTimeout is not defined"),
            ("return eval('1');", "eval is not defined"),
            ("return globalThis.a;", "globalThis is not defined"),
            ("return ctx.args.s.padStart(3);", "ctx.args.s.padStart is not a function"),
            ("return ctx.args.list.keys();", "ctx.args.list.keys is not a function"),
            ("return ctx.args.hasOwnProperty('s');", "ctx.args.hasOwnProperty is not a function"),
            ("return (() => 1).call(null);", "is not a function"),
            ("return (() => 1).constructor('return 1')();", "is not a function"),
            ("return [].constructor.from([1]);", "Cannot read properties of undefined"),
            ("return util.isNull(null);", "util.isNull is not a function"),
            ("function F() { return {}; }\nreturn new F();", "F is not a constructor"),
            ("const A = class { };\nreturn {};", "Classes are not supported"),
            ("const g = function* () { return 1; };\nreturn g();", "Generators are not supported"),
            ("return [2, 1].sort((a, b) => a - b);", "Functions can not be passed as an argument"),
            ("return ctx.args.a.b.c;", "TypeError: Cannot read properties of undefined (reading 'b')"),
            ("undeclared = 1;", "undeclared is not defined"),
            ("const c = ctx;\nc.stash = {};", "Cannot assign to read only property 'stash'"),
            ("JSON.parse = 1;", "Cannot assign to read only property 'parse'"),
            ("Object.assign(util, { error: 1 });", "Cannot assign to read only property 'error'"),
            ("[].__proto__.map = 1;", "Cannot set properties of undefined"),
            ("return 'a'.replace('(', 'b');", "is no regular expression"),
        ])
    func fails(body: String, message: String) throws {
        let outcome = try ResolverRunning.outcome(body, ["arguments": ["s": "a", "list": [1]]])
        guard case .failed(let error) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(error.message.contains(bytesOf: message), "\(error.message)")
        #expect(error.message.hasPrefix("code.js:"))
        #expect(error.type == "Code")
        #expect(error.isFault)
    }

    @Test("imports take their names, other names, a namespace and the default")
    func imports() throws {
        let code = try ResolverCode(
            javaScript: """
                import { util as u } from '@aws-appsync/utils';
                import * as ddb from '@aws-appsync/utils/dynamodb';
                import dynamo, { get as read } from '@aws-appsync/utils/dynamodb';
                const ask = (ctx) => [typeof u.error, u === util, typeof ddb.get, read === ddb.get, dynamo.get === read];
                const answer = function () { return typeof extensions + typeof runtime; };
                export { ask as request, answer as response };
                """)
        let request = code.run(.request, ResolverContext())
        guard case .value(let value) = request.end else {
            Issue.record("\(request.end)")
            return
        }
        #expect(value == ["function", true, "function", true, true])
        guard case .value("objectobject") = code.run(.response, ResolverContext()).end else {
            Issue.record("no globals")
            return
        }
    }

    @Test(
        "modules that AppSync cannot load are refused with a way out",
        arguments: [
            ("import { a } from './helper';", "has to be bundled into the code"),
            ("import _ from 'lodash';", "AppSync has no module 'lodash'"),
            ("import { utils } from '@aws-appsync/utils';", "has no export named 'utils'"),
            ("const a: string = 'a';", "This is TypeScript"),
            ("const x = ;", "Unexpected token ';'"),
            ("export default 1;\nconst y = import.meta;", "import.meta is not supported"),
        ])
    func refusals(line: String, message: String) {
        let code = "\(line)\nexport const request = () => null;\nexport const response = () => null;"
        do throws(ResolverCodeError) {
            _ = try ResolverCode(javaScript: code)
            Issue.record("it is taken")
        } catch {
            #expect(error.findings.contains { $0.message.contains(bytesOf: message) }, "\(error.findings)")
        }
    }

    @Test("TypeScript is taken with a warning where the file says so")
    func typeScript() throws {
        let code = try ResolverCode(
            javaScript: """
                import { util, type Context } from '@aws-appsync/utils';
                export function request(ctx: Context) { return (ctx.args.id as string)!; }
                export const response = (ctx: Context): unknown => ctx.result;
                """, file: "handler.ts", isTypeScript: true)
        #expect(code.warnings.count == 1)
        #expect(code.warnings.first?.message.contains(bytesOf: "transpiled") == true)
        guard case .value("7") = code.run(.request, ResolverContext(json: ["arguments": ["id": "7"]])).end else {
            Issue.record("it does not run")
            return
        }
    }

    @Test("both handlers must be there")
    func exports() {
        do throws(ResolverCodeError) {
            _ = try ResolverCode(javaScript: "export function request() { return {}; }")
            Issue.record("it is taken")
        } catch {
            #expect(error.findings.map(\.message) == ["The code must export a function named 'response'."])
        }
    }
}
