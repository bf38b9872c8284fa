import Foundation
import GraphQL
import TestSupport
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Refused schemas in TypeScript")
struct TypeScriptRefusalTests {
    /// What stands in a model's chain of calls, the mark where the diagnostic is to point, and a part of its message.
    @Test(
        "a refusal says what is wrong, and points at it",
        arguments: [
            ("T: a.model({ f: a.¦text() }),", "`a` has no `text`"),
            ("T: a.model({ f: ¦'String' }),", "is the text \"String\", and not a field of a model"),
            ("T: a.model({ f: a.enum(['A']).¦required() }),", "a.enum(...) has no `required`"),
            ("T: a.model({ f: a.string() }).authorization((allow) => [allow.¦everyone()]),", "has no `everyone`"),
            ("T: a.model({}).authorization((allow) => [allow.owner().to(['read']).¦to([])]),", "may be called once"),
            ("¦T: a.model({ f: a.string() }),", "Model `T` is missing authorization rules."),
            ("T: a.model({ f: ¦missing }),", "ReferenceError: missing is not defined"),
            (
                "T: a.model({ f: a.string().default(¦[1]) }).authorization((allow) => allow.owner()),",
                "a default is a text, number or boolean"
            ),
            ("T: a.model({ f: a.string() ¦g: a.id() }),", "SyntaxError: Unexpected identifier 'g'"),
            ("T: a.model({ f: a.string().default(¦'x) }),", "SyntaxError: Invalid or unexpected token"),
            ("T: a.model({ f: a.string().default(`¦x) }),", "SyntaxError: Unterminated template literal"),
            ("T: a.enum([¦'1A']),", "is no name in GraphQL"),
            ("T: a.enum(['A', ¦'true']),", "\"true\" is no name of a value of an enum"),
            ("T: ¦4,", "\"T\" is 4"),
            ("T: a.model({ f: a.string().authorization(¦[]) }),", "takes a function"),
            (
                "T: a.model({ f: a.string().default(¦new Date()) }).authorization((allow) => allow.owner()),",
                "a default is a text, number or boolean, found an object"
            ),
            ("T: a.model({ ...(await ¦x) }),", "ReferenceError: x is not defined"),
            ("T: a.model({ f: a.string().¦foo.bar }),", "a.string() has no `foo`"),
            ("T: a.model({ get f() { return null.¦x; } }),", "TypeError: Cannot read properties of null (reading 'x')"),
            ("T: a.model({ f: a.string().default('x'.¦nope()) }),", "TypeError: \"x\".nope is not a function"),
            ("T: a.model({ f: a.string().default(¦Proxy) }),", "Proxy is not defined here"),
            ("T: a.model({ ¦@decorated f: a.id() }),", "SyntaxError"),
            ("T: a.model({ f: a.ref(¦'Nope') }),", "Invalid ref. T is referring to Nope"),
        ])
    func refusal(text: String, message: String) throws {
        let mark = try #require(text.firstRange(of: "¦"))
        let column = text.unicodeScalars.distance(from: text.startIndex, to: mark.lowerBound) + 1
        let schema = read(module(text.replacing("¦", with: "")))
        let diagnostic = try #require(schema.diagnostics.first)
        #expect(schema.document == nil)
        #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
        #expect(diagnostic.location == SourceLocation(line: 4, column: column))
        #expect(diagnostic.description.hasSuffix("^") || diagnostic.hint != nil)
        _ = try readInProject(["amplify/data/resource.ts": module(text.replacing("¦", with: ""))])
    }

    @Test(
        "statements that have no part in the schema do it no harm",
        arguments: [
            "class Foo {}", "for (const x of []) { use(x); }", "if (0) y(); else {}", "let x = 1; x++;",
            "try { f(); } catch (e) {}", "label: for (;;) { break label; }", "async function f() { await g(); }",
            "export type { T };", "type T = string; interface I { x: T }",
            "declare const q: number;", "namespace N { export type T = string }", "const re = /[/]x/g.test('x');",
            "const deep = JSON.parse('[1]').map(String);", "new Map([[1, 2]]).forEach((value, key) => value + key);",
        ])
    func harmless(statement: String) {
        let schema = read(
            module("E: a.enum(['A']),", before: statement))
        #expect(schema.diagnostics.isEmpty, "\(schema.diagnostics)")
    }

    @Test(
        "a program that does not come to its end is refused, whatever the schema needs of it",
        arguments: [
            ("const n = missing;", "ReferenceError: missing is not defined"), ("throw 1;", "Uncaught 1"),
            ("throw new TypeError('no');", "TypeError: no"),
            ("await Promise.reject(new Error('late'));", "Error: late"),
            ("await new Promise(() => {});", "A promise that the module waits for is never settled"),
            ("x++; let x = 1;", "ReferenceError: Cannot access 'x' before initialization"),
            ("import { one } from 'node:fs'; one();", "does not provide an export named 'one'"),
        ])
    func failing(statement: String, message: String) {
        let schema = read(module("E: a.enum(['A']),", before: statement))
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 2)
    }

    @Test(
        "what goes beyond a limit is refused with its number",
        arguments: [
            (#"["x".repeat(2000000)]"#, "Invalid string length"),
            ("(() => { let s = 'x'; for (;;) s += s; })()", "The limit is 1048576 characters."),
            ("(() => { const f = (n) => f(n + 1); return f(0); })()", "The limit is 10000 calls in each other."),
            ("(() => { const f = (n) => [n].map(f); return f(0); })()", "The limit is 120 modules, or functions"),
            ("(() => { for (;;); })()", "The limit is 2000000 turns of loops and calls."),
            (String(repeating: "(", count: 500) + "1" + String(repeating: ")", count: 500), "At most 80 constructs"),
            (String(repeating: "[", count: 500) + String(repeating: "]", count: 500), "At most 80 constructs"),
            ("1" + String(repeating: "+1", count: 2_000), "At most 1000 operators, calls or members"),
            ("x" + String(repeating: ".y()", count: 2_000), "At most 1000 operators, calls or members"),
            (
                "(() => { const d = (l) => [...l, ...l]; return " + String(repeating: "d(", count: 40) + "[1]"
                    + String(repeating: ")", count: 40) + "; })()", "The limit is 50000 elements."
            ),
        ])
    func limit(expression: String, message: String) {
        let schema = read(module("E: a.enum(\(expression)),"))
        #expect(schema.diagnostics.first?.description.contains(message) == true, "\(schema.diagnostics)")
    }

    @Test("files of too many bytes, and programs of too many steps, are refused")
    func sizes() {
        var limits = TypeScriptLimits()
        limits.bytesMax = 100
        #expect(
            read(module("E: a.enum(['A']),"), limits: limits).diagnostics.first?.message.contains("100 bytes") == true)
        limits = TypeScriptLimits()
        limits.stepsMax = 10
        #expect(
            read(module("E: a.enum(['A']),", before: "for (let i = 0; i < 99; i++);"), limits: limits)
                .diagnostics.first?.hint == "The limit is 10 turns of loops and calls.")
    }

    @Test("a schema of too many modules is refused")
    func modules() {
        var limits = TypeScriptLimits()
        limits.modulesMax = 2
        let files = [
            "data/one.ts": "export { E } from './two';",
            "data/two.ts": "import { a } from '@aws-amplify/backend'; export const E = a.enum(['A']);",
        ]
        let text = module("E,", before: "import { E } from './one';")
        #expect(read(text, files: files).diagnostics.isEmpty)
        #expect(read(text, limits: limits, files: files).diagnostics.first?.hint == "The limit is 2 files.")
    }

    @Test("a schema of 1,000 lines is read quickly")
    func speed() {
        var entries = ""
        for number in 0..<100 {
            entries += """
                Model\(number): a
                  .model({
                    name: a.string().required(),
                    content: a.string().default('text'),
                    count: a.integer(),
                    tags: a.string().array(),
                    state: a.enum(['OPEN', 'CLOSED']),
                  })
                  .secondaryIndexes((index) => [index('name').sortKeys(['count'])])
                  .authorization((allow) => [allow.publicApiKey(), allow.owner().to(['read'])]),

                """
        }
        let text = module(entries)
        let best = (0..<5).map { _ in processorTime { _ = read(text) } }.min() ?? .seconds(9)
        print("1,000 lines of TypeScript: \(best)")
        #if DEBUG
            #expect(best < .seconds(3))
        #else
            #expect(best < .milliseconds(30))
        #endif
    }
}
