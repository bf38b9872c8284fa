import Foundation
import GraphQL
import Testing

@testable import Blueprint

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
            ("T: a.model({ f: ¦missing }),", "cannot find the name \"missing\""),
            (
                "T: a.model({ f: a.string().default(¦[1]) }).authorization((allow) => allow.owner()),",
                "a default is a text, number or boolean"
            ),
            ("T: a.model({ f: a.string() ¦g: a.id() }),", "expected \",\" or \"}\""),
            ("T: a.model({ f: a.string().default(¦'x) }),", "the string has no end"),
            ("T: a.model({ f: a.string().default(¦`x) }),", "the template has no end"),
            ("T: a.enum([¦'1A']),", "is no name in GraphQL"),
            ("T: ¦4,", "\"T\" is 4"),
            ("T: a.model({ f: a.string().authorization(¦[]) }),", "takes a function"),
            (
                "T: a.model({ f: a.string().default(¦new Date()) }).authorization((allow) => allow.owner()),",
                "new is not evaluated"
            ),
            ("T: a.model({ ...¦(await x) }),", "await is not evaluated"),
            ("T: a.model({ f: a.ref(¦'Nope') }),", "Invalid ref. T is referring to Nope"),
        ])
    func refusal(text: String, message: String) throws {
        let mark = try #require(text.firstRange(of: "¦"))
        let column = text.unicodeScalars.distance(from: text.startIndex, to: mark.lowerBound) + 1
        // A mark before a parenthesis means what stands in it.
        let inside = text[mark.upperBound...].hasPrefix("(") ? 1 : 0
        let schema = read(module(text.replacing("¦", with: "")))
        let diagnostic = try #require(schema.diagnostics.first)
        #expect(schema.document == nil)
        #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
        #expect(diagnostic.location == SourceLocation(line: 4, column: column + inside))
        #expect(diagnostic.description.hasSuffix("^") || diagnostic.hint != nil)
    }

    @Test(
        "a statement that fails is an error for who needs it, and for nobody else",
        arguments: [
            "class Foo {}", "for (const x of []) { use(x); }", "if (x) y(); else z();", "const n = missing;", "x++;",
            "try { f(); } catch (e) {}", "throw 1;", "label: f();", "async function f() { await g(); }",
            "export type { T };",
            "declare const q: number;", "namespace N { export type T = string }", "const re = /[/]x/g.test('x');",
        ])
    func deferred(statement: String) {
        let schema = read(
            module("E: a.enum(['A']),", before: statement))
        #expect(schema.diagnostics.isEmpty, "\(schema.diagnostics)")
    }

    @Test("an object that a failed statement mentions is not trusted any more")
    func spoiled() {
        let schema = read(
            module(
                "T: a.model(fields).authorization((allow) => allow.publicApiKey()),",
                before: "const fields = {}; for (const x of ['y']) fields[x] = a.id();"))
        #expect(schema.diagnostics.map(\.message) == ["for is not evaluated: only declarations and builders are"])
    }

    @Test(
        "what goes beyond a limit is refused with its number",
        arguments: [
            (#"["x".repeat(2000000)]"#, "more than 1048576 bytes"),
            ("(() => { const f = (n) => f(n + 1); return f(0); })()", "more than 300 evaluations"),
            (String(repeating: "(", count: 500) + "1" + String(repeating: ")", count: 500), "more than 100 parts"),
            (String(repeating: "[", count: 500) + String(repeating: "]", count: 500), "more than 100 parts"),
            ("1" + String(repeating: "+1", count: 2_000), "more than 300 parts"),
            ("x" + String(repeating: ".y()", count: 2_000), "more than 300 parts"),
            (
                "(() => { const d = (l) => [...l, ...l]; return " + String(repeating: "d(", count: 40) + "[1]"
                    + String(repeating: ")", count: 40) + "; })()", "elements"
            ),
        ])
    func limit(expression: String, message: String) {
        let schema = read(module("E: a.enum(\(expression)),"))
        #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)")
    }

    @Test("files of too many bytes or tokens are refused")
    func sizes() {
        var limits = TypeScriptLimits()
        limits.bytesMax = 100
        #expect(
            read(module("E: a.enum(['A']),"), limits: limits).diagnostics.first?.message.contains("100 bytes") == true)
        limits = TypeScriptLimits()
        limits.tokensMax = 20
        #expect(
            read(module("E: a.enum(['A']),"), limits: limits).diagnostics.first?.message.contains("20 tokens") == true)
        limits = TypeScriptLimits()
        limits.stepsMax = 10
        #expect(
            read(module("E: a.enum(['A']),"), limits: limits).diagnostics.first?.message.contains("10 steps") == true)
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
        #expect(read(text, limits: limits, files: files).diagnostics.first?.message.contains("2 files") == true)
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
        let best = (0..<5).map { _ in ContinuousClock().measure { _ = read(text) } }.min() ?? .seconds(9)
        print("1,000 lines of TypeScript: \(best)")
        #if DEBUG
            #expect(best < .seconds(3))
        #else
            #expect(best < .milliseconds(30))
        #endif
    }
}
