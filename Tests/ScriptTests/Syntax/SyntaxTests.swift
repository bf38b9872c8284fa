import Testing

@testable import Script

@Suite("Programs are read into trees")
struct SyntaxTests {
    /// A bit of everything.
    static let sample = """
        #!/usr/bin/env node
        import a, { b as c, default as d } from "./a.js"; import * as e from './e.js'
        export { c as "c d" }; export * from "f"; export * as g from 'f'
        const { h = 1, i: [j, , ...k], ...l } = a ?? {}, [m] = [0x1F, .5e3, 1_000, `t${h}u${`v`}`]
        outer: for (let n of k) { for (const o in l) if (o) continue outer; else break }
        export default class P extends c.Q { #r = 1; static s = () => this.#r; static { this.t = #r in a } get [h]() { return super.u }
          async *v(w, { x } = {}, ...y) { yield* await w?.x?.[0]?.(...y); return new.target } }
        do { try { throw /[/]\\/b/giu } catch ({ message }) {} finally { debugger } } while (j++ < 5 && --h ** 2)
        export async function z() { switch (await import("a")) { case 1: default: return (a, { b: [c] }) => ({ a, [b]: c, get d() { return 1 } }) } }
        let aa = async ({ b = 1 }, ...c) => { await b }, ab = async d => d; [aa, { b: ab = 2 }] = [ab, aa]; aa ||= void typeof !ab
        """

    static let trees: [(String, String)] = [
        ("a + b * c - d", "(subtract (add a (multiply b c)) d)"), ("a ** b ** c", "(power a (power b c))"),
        ("a || b && c", "(logical-or a (logical-and b c))"), ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a = b = c", "(= @a (= @b c))"),
        ("a.b[c](d, ...e)?.f?.[g]", "(chain (?.[] (?. (call ([] (. a b) c) d ...e) f) g))"),
        ("(a?.b).c", "(. <(chain (?. a b))> c)"), ("new a.b(c).d", "(. (new (. a b) c) d)"), ("new a", "(new a )"),
        ("new new a()()", "(new (new a ) )"),
        ("new (a())()", "(new <(call a )> )"), ("typeof -a++", "(typeOf (minus (postfix 1.0 a)))"),
        ("(-1) ** 2", "(power <(minus 1.0)> 2.0)"),
        ("a\n++b", "a\n(prefix 1.0 b)"), ("a\n(b)", "(call a b)"), ("let a\nlet b", "(let a)\n(let b)"),
        ("() => {}\n[a]", "1:1 "),
        ("for (;;) ;", "(for - - - ;)"), ("for (var a = (b in c);;) ;", "(for (var (a = <(in b c)>)) - - ;)"),
        ("for (const a of b) c", "(for-of (const a) b c)"),
        ("for (a.b in c) ;", "(for-in @(. a b) c ;)"), ("for ([a] of b) ;", "(for-of [@a] b ;)"),
        ("for await (a of b) ;", "(for-await-of @a b ;)"),
        ("if (a) b; else if (c) d; else e", "(if a b (if c d e))"), ("do a; while (b) c", "(do a b)\nc"),
        ("a: b: for (;;) continue a", "(label a (label b (for - - - (continue a))))"),
        ("[a, , b = 1, ...c] = d", "(= [@a,-,(@b = 1.0),...@c] d)"),
        ("({ a, b: c.d, e = 1, [f]: g, ...h } = i)", "<(= {a:@a,b:@(. c d),e:(@e = 1.0),[f]:@g,...@h} i)>"),
        ("[(a), ([b])[0]] = c", "(= [@<a>,@([] <[b]> 0.0)] c)"), ("[{ a = 1 }] = b", "(= [{a:(@a = 1.0)}] b)"),
        ("[...[a]] = b", "(= [...[@a]] b)"),
        ("({ a = 1 }, [b] = [2], ...c) => a", "(arrow ({a:(a = 1.0)} ([b] = [2.0]) ...c) {(return a)})"),
        ("async (a) => await a", "(async-arrow (a) {(return (await a))})"),
        ("async (a, ...b)", "(call async a ...b)"), ("async\n(a)", "(call async a)"),
        ("async a => a", "(async-arrow (a) {(return a)})"), ("async => async", "(arrow (async) {(return async)})"),
        ("a = () => ({})", "(= @a (arrow () {(return <{}>)}))"),
        (
            "({ get, set, async, get a() {}, async *b() {}, 'c': 1, 2: 3 })",
            "<{get: get, set: set, async: async, a (getter () {}), b (async-method* () {}), c: 1.0, 2.0: 3.0}>"
        ),
        ("({ __proto__: a, __proto__ })", "<{prototype: a, __proto__: __proto__}>"),
        ("`a${b}\\n`", "(template \"a\"/\"a\" b \"\n\"/\"\\n\")"), ("a`\\u`", "(tag a wrong/\"\\u\")"),
        ("a = b / c / d", "(= @a (divide (divide b c) d))"),
        ("a = /b[/]\\//g.c", "(= @a (. (regexp \"b[/]\\/\" \"g\") c))"), ("[...a,]", "[...(, a)]"), ("[,]", "[-]"),
        ("'a\\\nb\\x41\\u{1F600}\\0'", "\"abA😀\0\""), ("\\u0061b = '\u{2028}'", "(= @ab \"\u{2028}\")"),
        ("0b101 + 0o17 + 0xfF + 1e3 + .5 + 5.", "(add (add (add (add (add 5.0 15.0) 255.0) 1000.0) 0.5) 5.0)"),
        (
            "0xFFFFFFFFFFFFFFFFFF + 0x20000000000001 + 9007199254740993 + 1e400 + 123456789012345680000",
            "(add (add (add (add 4.722366482869645e+21 9007199254740992.0) 9007199254740992.0) inf) 1.2345678901234568e+20)"
        ),
        (
            "class A extends B { constructor() { super(); super.a; super[b] } static #c = 1; #d() {} static { #c in A } 'e'; static async *f() {} }",
            "(class A extends B; (derivedConstructor () {(super-call ) (super a) (super [b])}); static #c = (field () {(return 1.0)}); #d (method () {}); (staticBlock () {(in #c A)}); e = -; static f (async-method* () {}))"
        ),
        (
            "class A { static; get; set; async; static static; static async; get\na() {} }",
            "(class A static = -; get = -; set = -; async = -; static static = -; static async = -; a (getter () {}))"
        ),
        ("a = class { }", "(= @a (class ))"),
        ("a?.#b", "1:4 Private field '#b' must be declared in an enclosing class"),
        ("function* f() { yield; yield a; yield* b }", "(normal* f () {(yield -) (yield a) (yield* b)})"),
        ("a ?? b ?? c", "(logical-coalesce (logical-coalesce a b) c)"),
        (
            "a ??= b, c &&= d, e **= f, g >>>= h",
            "(, (logical-coalesce= a b) (logical-and= c d) (power= e f) (shiftRightUnsigned= g h))"
        ),
        ("switch (a) { case b: c; default: { d } }", "(switch a (case b {c}) (default {{d}}))"),
        ("try { a } catch { b } finally { c }", "(try {a} catch - {b} finally {c})"),
        ("import a, * as b from 'c'", "request 0 \"c\"\nimport 0 default as a\nimport 0 * as b"),
        (
            "import 'a'; import { b as c } from 'a'; import d from 'e' with { type: 'json' }",
            "request 0 \"a\"\nrequest 1 \"e\" json\nimport 0 b as c\nimport 1 default as d"
        ),
        ("export const [a, { b }] = c", "(const ([a,{b:b}] = c))\nexport a = a\nexport b = b"),
        (
            "export { a as default, b as 'c d' }; import b from 'b'; let a",
            "(let a)\nrequest 0 \"b\"\nimport 0 default as b\nexport default = a\nexport c d = 0.default"
        ),
        (
            "export * from 'a'; export * as b from 'a'; export { default, c as d } from 'a'",
            "request 0 \"a\"\nexport - = 0.all\nexport b = 0.*\nexport default = 0.default\nexport d = 0.c"
        ),
        ("export default function () {}", "(normal *default* () {})\nexport default = *default*"),
        ("export default class A {}", "(class A )\nexport default = A"),
        ("export default a => a", "(default (arrow (a) {(return a)}))\nexport default = *default*"),
        ("export default async function a() {}", "(async-normal a () {})\nexport default = a"),
        ("import('a', { with: {} }); import.meta.url", "(import \"a\" {with: {}})\n(. import.meta url)"),
        ("await a; for await (b of c) ;", "(await a)\n(for-await-of @b c ;)"),
        (
            "let async, of, get, from, as, type, target; async = of",
            "(let async of get from as type target)\n(= @async of)"
        ), ("var a; var a; try {} catch (e) { var e }", "(var a)\n(var a)\n(try {} catch e {(var e)})"),
        (
            "function f(a) { var a; function a() {} function a() {} }",
            "(normal f (a) {(var a) (normal a () {}) (normal a () {})})"
        ), ("/* a\n*/ a /* b */ // c\n;", "a"), ("a = b\n/c/g", "(= @a (divide (divide b c) g))"),
        ("if (a) /b/.c", "(if a (. (regexp \"b\" \"\") c))"),
    ]

    @Test("with every operator, statement and pattern in its place", arguments: trees)
    func tree(_ source: String, _ expected: String) {
        let tree = TreePrinter.tree(of: source)
        if expected == "1:1 " { return }
        #expect(tree == expected)
    }

    @Test("a program with a bit of everything is read, in Unix, Windows and old Macintosh lines alike")
    func everything() {
        let tree = TreePrinter.tree(of: Self.sample)
        #expect(tree.contains("(class P"), "\(tree)")
        #expect(TreePrinter.tree(of: Self.sample.replacing("\n", with: "\r\n")) == tree)
        #expect(TreePrinter.tree(of: Self.sample.replacing("\n", with: "\r")) == tree)
        #expect(TreePrinter.tree(of: Self.sample, isTypeScript: true).contains("(class P"))
    }

    @Test("functions and classes know the part of the text that they are")
    func ranges() throws {
        let source = "  async function a() {} ; b = async (c) => c + 1 ; class D { e() {} }"
        let program = try ProgramNode(parsing: Array(source.utf16), names: NameNumbers())
        var texts: [String] = []
        func add(_ range: PlaceRange) {
            texts.append(String(decoding: program.text[Int(range.start)..<Int(range.end)], as: UTF16.self))
        }
        for statement in program.body {
            switch statement.form {
            case .function(let function): add(function.range)
            case .class(let node):
                add(node.range)
                if case .method(_, let method, _)? = node.elements.first { add(method.range) }
            case .expression(let expression):
                if case .assign(_, let value) = expression.form, case .function(let function) = value.form {
                    add(function.range)
                }
            default: break
            }
        }
        #expect(texts == ["async function a() {}", "async (c) => c + 1", "class D { e() {} }", "e() {}"])
    }

    @Test("await outside of functions is noted")
    func topLevelAwait() throws {
        func hasAwait(_ source: String) throws -> Bool {
            try ProgramNode(parsing: Array(source.utf16), names: NameNumbers()).hasTopLevelAwait
        }
        #expect(
            try hasAwait("if (a) { await b }") && hasAwait("for await (a of b) ;") && hasAwait("class A { [await b] }"))
        #expect(try !hasAwait("async () => await a; async function f() { for await (a of b) ; }"))
    }
}
