import Testing

@testable import Resolvers

@Suite("Lint rules")
struct LintRuleTests {
    /// The findings of the lint for a body of `request`, as `rule line message`.
    static func findings(_ code: String) -> [String] {
        let findings: [ResolverCodeError.Finding]
        do throws(ResolverCodeError) {
            findings = try ResolverCode(javaScript: code).warnings
        } catch {
            findings = error.findings
        }
        return findings.map { "\($0.place.line) \($0.rule ?? "-"): \($0.message)" }
    }

    private static func inRequest(_ body: String) -> String {
        "export function request(ctx) {\n\(body)\n}\nexport function response(ctx) { return ctx.result; }\n"
    }

    @Test(
        "the context and its members are not assigned to, by whatever name",
        arguments: [
            ("ctx['x'] = 1;", ["2 no-disallowed-re-assignment: ctx is readonly. Adding/Updating x is not supported."]),
            (
                "ctx[ctx.args.k] = 1;",
                ["2 no-disallowed-re-assignment: ctx is readonly. Adding/Updating k is not supported."]
            ),
            (
                "ctx['a' + 'b'] = 1;",
                ["2 no-disallowed-re-assignment: ctx is readonly adding/modifying properties is not supported."]
            ),
            (
                "ctx.stash ||= {};",
                ["2 no-disallowed-re-assignment: ctx is readonly. Adding/Updating stash is not supported."]
            ),
            (
                "const f = () => { ctx = 1; };",
                ["2 no-disallowed-re-assignment: ctx is readonly and re-assignment is not supported."]
            ),
            ("const f = (ctx) => { ctx.a = 1; };", []),
            ("ctx.prev.result = 1;", []),
            ("[ctx.a] = [1];", []),
        ])
    func context(body: String, expected: [String]) {
        #expect(Self.findings(Self.inRequest(body)).filter { !$0.contains(bytesOf: " -: ") } == expected)
    }

    @Test("a parameter of another name is named as it is")
    func parameterName() {
        let code = """
            export function request(context) { context.x = 1; return {}; }
            export const response = (ctx) => { ctx.y = 1; return null; };
            """
        #expect(
            Self.findings(code) == [
                "1 no-disallowed-re-assignment: context is readonly. Adding/Updating x is not supported."
            ])
    }

    @Test(
        "functions are passed to the methods of lists alone, and neither returned nor renamed",
        arguments: [
            ("const f = () => 1;\nconst g = f;", ["3 no-function-reassign: re-assigning function is not allowed"]),
            ("let f = () => 1;\nlet g;\ng = f;", ["4 no-function-reassign: re-assigning function is not allowed"]),
            ("const mk = () => () => 1;", []),
            ("const mk = () => { return () => 1; };", ["2 no-function-return: returning a function is not allowed"]),
            ("const f = (x) => x;\nreturn [1].map(f);", []),
            ("return ctx.args.list.sort((a, c) => a - c);", []),
            (
                "return 'a'.replace('a', () => 'b');",
                ["2 no-function-passing: Functions can not be passed as an argument"]
            ),
            ("const o = { f(g) { return g(); } };\nreturn o.f(() => 1);", []),
            ("return ((f) => f())(() => 1);", []),
        ])
    func functions(body: String, expected: [String]) {
        #expect(Self.findings(Self.inRequest(body)) == expected)
    }

    @Test(
        "recursion is found at each call of the circle",
        arguments: [
            (
                "function f() { g(); }\nfunction g() { f(); }\nf();",
                [
                    "2 no-recursion: Recursive function calls not supported. Detected cycle in f <-g <-f",
                    "3 no-recursion: Recursive function calls not supported. Detected cycle in g <-f <-g",
                    "4 no-recursion: Recursive function calls not supported. Detected cycle in f <-g <-f",
                ]
            ),
            ("const f = (n) => [n].map((x) => f(x));", []),
        ])
    func recursion(body: String, expected: [String]) {
        #expect(Self.findings(Self.inRequest(body)) == expected)
    }

    @Test(
        "methods that the runtime lacks are found where it is plain what they are called on",
        arguments: [
            ("const s = 'a';\nreturn s.padEnd(3);", "String.padEnd"),
            ("let s = `a`;\nreturn s.repeat(3);", "String.repeat"),
            ("return ('a' + ctx.args.b).search('a');", "String.search"),
            ("return ['a'].map((x) => x.padStart(2));", "String.padStart"),
            ("return 'a b'.split(' ')[0].padStart(2);", "String.padStart"),
            ("return JSON.stringify({}).localeCompare('a');", "String.localeCompare"),
            ("for (const k in ctx.args) { k.padStart(2); }", "String.padStart"),
            ("return Object.keys(ctx.args).values();", "Array.values"),
            ("const f = (...all) => all.entries();", "Array.entries"),
            ("const o = { s: 'a' };\nreturn o.s.padStart(1);", "String.padStart"),
            ("const f = () => 'a';\nreturn f().padStart(1);", "String.padStart"),
            ("return (ctx.args.a ? 'a' : 'b').matchAll('a');", "String.matchAll"),
            ("return Object.freeze({});", "ObjectConstructor.freeze"),
            ("return String(1).charCodeAt(0);", "String.charCodeAt"),
            ("return ctx.args.s.padStart(2);", nil),
            ("const { s } = ctx.args;\nreturn s.padStart(2);", nil),
            ("return (ctx.args.s || 'a').padStart(2);", nil),
            ("const Object = ctx.args;\nreturn Object.freeze({});", nil),
        ])
    func methods(body: String, denied: String?) {
        let found = Self.findings(Self.inRequest(body)).filter { $0.contains(bytesOf: "no-disallowed-methods") }
        #expect(found.count == (denied == nil ? 0 : 1), "\(found)")
        if let denied { #expect(found.first?.contains(bytesOf: "Method \(denied) is not implemented") == true) }
    }

    @Test("findings stand where a bundler's source has them")
    func sourceMap() {
        // Line 2 of the output comes from line 12, column 3 of the source.
        let mappings = ";AAWE"
        let map = #"{"version":3,"sources":["a.ts"],"names":[],"mappings":"\#(mappings)"}"#
        let code = """
            export function request(ctx) {
            try { } finally { }
            }
            export const response = () => null;
            //# sourceMappingURL=data:application/json;base64,\(Base64Writer.text(of: Array(map.utf8)))
            """
        #expect(Self.findings(code) == ["12 no-try: Try statements are not supported."])
    }
}

/// Base64, for tests alone.
enum Base64Writer {
    static func text(of bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            var bits = 0
            for index in 0..<3 { bits = bits << 8 | (index < group.count ? Int(group[index]) : 0) }
            for index in 0..<4 { text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : "=") }
        }
        return text
    }
}
