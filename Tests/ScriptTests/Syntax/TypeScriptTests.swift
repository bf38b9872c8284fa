import Testing

@testable import Script

@Suite("TypeScript")
struct TypeScriptTests {
    /// What TypeScript has, and the JavaScript that means the same.
    static let same: [(String, String)] = [
        ("let a: number = 1, b!: string, c: A<B<C>> = d", "let a = 1, b, c = d"),
        ("function f<T extends A = B>(a?: T, ...b: T[]): a is string {}", "function f(a, ...b) {}"),
        ("function f(): void; function f(a?: any) { return a }", "function f(a) { return a }"),
        ("export function f(): void; export function f(a?: any) {}", "export function f(a) {}"),
        ("a as B; a as const; a satisfies B; a!; <A>a; <const>a; a!.b!()![0]!", "a; a; a; a; a; a; a.b()[0]"),
        ("(a as any) = 1; a! += 2; [a as B, b!] = c", "(a) = 1; a += 2; [a, b] = c"),
        ("a?.b!.c; a as B + c", "a?.b.c; a + c"),
        (
            "f<A>(b); f<A, B<C>>(d); new A<B>(c); new A<B>; f<A>`b`; a?.<B>(c); a?.b<C>(d)",
            "f(b); f(d); new A(c); new A; f`b`; a?.(c); a?.b(d)"
        ),
        ("a < b > c", "a < b > c"), ("a < b; c > (d)", "a < b; c > (d)"), ("f(a < b, c > d)", "f(a < b, c > d)"),
        ("f(a < b, c > (d))", "f(a(d))"), ("x = a < b || c > (d)", "x = a < b || c > (d)"),
        ("x = f<A>; y = a<b>c", "x = f; y = a<b>c"), ("x = a<b>\nc", "x = a\nc"),
        ("(a: A, b?: B, c = 1, { d }: D, [e]: E[] = [], ...g: G) => a", "(a, b, c = 1, { d }, [e] = [], ...g) => a"),
        (
            "(a): A => b; async (a: A): Promise<B> => c; <T>(a: T) => a; async <T,>(a: T): T => a; (this: A) => 1",
            "(a) => b; async (a) => c; (a) => a; async (a) => a; () => 1"
        ),
        ("a ? (b) : c => d", "a ? (b) : c => d"), ("a ? (b): c => d : e", "a ? (b) => d : e"),
        ("a ? (b, c) : d", "a ? (b, c) : d"), ("a ? (b) => (c) : d => e", "a ? (b) => (c) : d => e"),
        ("a ? b : (c): d => e", "a ? b : (c) => e"),
        ("a ? (b = (c): d => e) : g", "a ? (b = (c) => e) : g"),
        ("a ? async (b): Promise<c> => d : e", "a ? async (b) => d : e"), ("async<T>(a)", "async(a)"),
        ("<T>(a)", "(a)"),
        (
            "interface A<T> extends B, C<T> { a: 1; b?(): void; readonly [c: string]: any; new (): A; (): B; get d(): E; set d(v) } a",
            "a"
        ), ("type A<T> = T extends infer U extends B ? { [K in keyof T as C<K>]-?: T[K] } : never; a", "a"),
        (
            "type A = new () => B; type C = abstract new () => D; type E = `a${F}b`; type G = [a: H, b?: I, ...c: J[]]; type K = typeof a.b<C>; type L = unique symbol; type M = -1 | asserts",
            ""
        ),
        ("type\nA = 1", "type\nA = 1"),
        (
            "declare const a: A; declare function b(): void; declare class C { d(): void }; declare module 'e' { export default f } declare namespace G.H { let i; } declare global { var j } declare enum K { L }; m",
            ";; m"
        ),
        (
            "abstract class A { abstract b(): void; abstract c: string; protected abstract get d(): E; f() {} }",
            "class A { f() {} }"
        ),
        (
            "class A implements B, C<D> { private static readonly e?: F = 1; override g(): void; g() {} declare h; [i: string]: J; k!: L }",
            "class A { static e = 1; g() {} k }"
        ),
        (
            "class A<T> extends B<T> { constructor(private c, readonly d = 1, e) { 'use x'; f(); super(); g() } h }",
            "class A extends B { c; d; constructor(c, d = 1, e) { 'use x'; f(); super(); this.c = c; this.d = d; g() } h }"
        ),
        (
            "class A { constructor(public a: B) { b() } constructor(a); }",
            "class A { a; constructor(a) { this.a = a; b() } }"
        ),
        (
            "class A { public; static; readonly = 1; declare; get; abstract() {} }",
            "class A { public; static; readonly = 1; declare; get; abstract() {} }"
        ),
        (
            "enum A { B, C = 'c', D = 5, E }",
            "var A; (o => { P; o[o['B'] = 0] = 'B'; o['C'] = 'c'; o[o['D'] = 5] = 'D'; o[o['E'] = 6] = 'E' })(A || (A = {}))"
        ),
        (
            "let a = <T>b; try {} catch (e: unknown) {} for (const c of d as E[]) ;",
            "let a = b; try {} catch (e) {} for (const c of d) ;"
        ),
        (
            "let x = { a<T>(b: T): T {}, get c(): D {}, async *e<G>() {} }",
            "let x = { a(b) {}, get c() {}, async *e() {} }"
        ),
        (
            "let type = 1, namespace, declare, abstract, as, is, of; type = 2; declare\nabstract",
            "let type = 1, namespace, declare, abstract, as, is, of; type = 2; declare\nabstract"
        ), ("a as any as B[] ?? c", "a ?? c"), ("let a = b as C ? d : e", "let a = b ? d : e"),
        ("if (a < b && c > d) {}", "if (a < b && c > d) {}"), ("a << b >> c >>> d", "a << b >> c >>> d"),
        ("f<<T>(a: T) => void>(b)", "f(b)"), ("let a: B<C<D<E>>>= f", "let a = f"), ("export = a", "export default a"),
        ("import type from 'a'; type", "import type from 'a'; type"),
        // Imports
        ("import { a, b } from 'c'; b", "import { b } from 'c'; b"),
        ("import a, { b } from 'c'; import * as d from 'e'", ""), ("import 'a'; import {} from 'b'", "import 'a'"),
        ("import { a } from 'b'; let c: a; type D = typeof a", "let c"),
        (
            "import type A from 'a'; import type { B } from 'b'; import type * as C from 'c'; import { type D, type E as F, g } from 'd'; g",
            "import { g } from 'd'; g"
        ),
        (
            "import { type } from 'a'; import { type as b } from 'c'; import { type as as d } from 'e'; type; b",
            "import { type } from 'a'; import { type as b } from 'c'; type; b"
        ),
        ("import { a } from 'b'; function f(a) { return a }", "function f(a) { return a }"),
        (
            "import { a } from 'b'; (a) => a; { let a; a } for (const a of []) a; try {} catch (a) { a }",
            "(a) => a; { let a; a } for (const a of []) a; try {} catch (a) { a }"
        ),
        ("import { a, b } from 'b'; (c = a, { d = b }) => c", "import { a, b } from 'b'; (c = a, { d = b }) => c"),
        (
            "import { a } from 'b'; { a; var c } class D extends a {}",
            "import { a } from 'b'; { a; var c } class D extends a {}"
        ),
        (
            "import { a } from 'b'; export { a }; export type { C } from 'c'; export { type D } from 'd'; export type E = 1",
            "import { a } from 'b'; export { a }"
        ),
        (
            "import { A } from 'a'; class A {}; interface B {} export { A, B }; export default B",
            "class A {}; export { A };"
        ), ("import { a } from 'b'; `${a}`; export default interface C {}", "import { a } from 'b'; `${a}`"),
        ("import a = b.c.d; a; import e = b.f", "const a = b.c.d; a"),
        ("import { b } from 'b'; import a = b.c", ""),
        ("import { b } from 'b'; import a = b.c; a", "import { b } from 'b'; const a = b.c; a"),
        ("export import a = b.c", "export const a = b.c"),
        ("export declare const a: B; export abstract class C {}", "export class C {}"),
        ("export default abstract class A {}", "export default class A {}"),
        (
            "import { a } from 'a'; import { b } from 'b'; export * from 'c'; b",
            "import { b } from 'b'; export * from 'c'; b"
        ),
        (
            "import { a } from 'a'; declare function f(x: typeof a): void; function g(x = a): void; function g() {}",
            "function g() {}"
        ),
    ]

    @Test("is read as the JavaScript that its compiler makes of it", arguments: same)
    func sameTree(_ source: String, _ expected: String) {
        var tree = TreePrinter.tree(of: source, isTypeScript: true)
        if source.hasPrefix("enum") {
            tree = tree.replacing("made1", with: "o").replacing("(properties o B C D E)", with: "P")
        }
        tree = tree.replacing("\nexport export= = *default*", with: "")
        #expect(tree == TreePrinter.tree(of: expected))
    }

    static let refused: [(String, String)] = [
        ("@d class A {}", "1:1 Decorators are not supported"),
        ("class A { m(@d a) {} }", "1:13 Decorators are not supported"),
        (
            "class A extends B { constructor(private a) { if (b) super() } }",
            "1:21 A 'super' call must be a root-level statement within a constructor of a derived class that contains initialized properties, parameter properties, or private identifiers."
        ),
        ("let a: = 1", "1:8 Unexpected token '='"), ("interface A { a: }", "1:18 Unexpected token '}'"),
        ("type A =", "1:9 Unexpected end of input"),
        ("function f(private a) {}", "1:12 A parameter property is only allowed in a constructor implementation."),
        ("enum A { [a] }", "1:10 Computed property names are not allowed in enums."),
        ("enum A { 1 }", "1:10 An enum member cannot have a numeric name."),
        ("module 'a' {}", "1:8 Only ambient modules can use quoted names."),
        ("let a; enum a {}", "1:13 Identifier 'a' has already been declared"),
        ("class A { accessor [a] }", "1:11 An accessor with a computed name is not supported"),
        ("(a: A)", "1:3 Unexpected token ':'"), ("(a?)", "1:3 Unexpected token '?'"),
        ("namespace A { export default 1 }", "1:22 Unexpected token 'default'"),
        ("const a: number", "1:16 Missing initializer in const declaration"),
    ]

    @Test("is refused at its place where it is none", arguments: refused)
    func message(_ source: String, _ expected: String) {
        #expect(TreePrinter.tree(of: source, isTypeScript: true) == expected)
    }

    @Test("a type is no JavaScript")
    func javaScript() {
        for source in [
            "let a: b", "interface A {}", "type A = 1", "enum A {}", "(a: b) => c", "a as b", "a!",
            "import type { a } from 'b'", "class A { private b }", "f<a>(b) c",
        ] {
            #expect(TreePrinter.tree(of: source).hasPrefix("1:"), "\(source)")
        }
    }

    static let programs: [(String, [String])] = [
        (
            "enum A { X, Y = 5, Z, 'a-b' = 9, W = Y << 2, V = W | X, S = 's', U = -1, N, F = ~U, G = 1.5, H, I = A.Y + 1, J, P = (1 + 2) * 3, Q } enum A { R = X, AA = Z + 100, BB } console.log(JSON.stringify(A) === `{\"0\":\"R\",\"5\":\"Y\",\"6\":\"I\",\"7\":\"J\",\"9\":\"P\",\"10\":\"Q\",\"20\":\"V\",\"106\":\"AA\",\"107\":\"BB\",\"X\":0,\"Y\":5,\"Z\":6,\"a-b\":9,\"W\":20,\"V\":20,\"S\":\"s\",\"U\":-1,\"-1\":\"U\",\"N\":0,\"F\":0,\"G\":1.5,\"1.5\":\"G\",\"H\":2.5,\"2.5\":\"H\",\"I\":6,\"J\":7,\"P\":9,\"Q\":10,\"R\":0,\"AA\":106,\"BB\":107}`)",
            ["true"]
        ),
        (
            "const enum C { A = 1, B, C = 'c' } console.log(C.A, C.B, C.C, JSON.stringify(C))",
            [#"1 2 c {"1":"A","2":"B","A":1,"B":2,"C":"c"}"#]
        ),
        (
            "function f() { enum L { A, B = A + 1, C = (() => { const A = 50; return A })(), D = (x => x + B)(1) as any } return L } console.log(JSON.stringify(f()))",
            [#"{"0":"A","1":"B","2":"D","50":"C","A":0,"B":1,"C":50,"D":2}"#]
        ),
        (
            "namespace N { export const a = 1; export let b = 2; const hidden = 3; export function f() { return a + b + hidden } export class K { v = a } export namespace M { export const q = a + b; export enum E { P, Q } } export const { c, d: [d1] } = { c: 7, d: [8] }; b++; export let u; export interface I {} export var inc = () => ++b } console.log(JSON.stringify(N), N.f(), new N.K().v, N.inc(), N.b, N.f())\nnamespace N { export const g = a * 10 + b; export const h = M.q + f(); const a2 = K; console.log(new a2().v) } console.log(N.g, N.h)",
            [#"{"a":1,"b":3,"M":{"q":3,"E":{"0":"P","1":"Q","P":0,"Q":1}},"c":7,"d1":8} 7 1 4 4 8"#, "1", "14 11"]
        ),
        (
            "namespace P.Q.R { export const x = 1 } namespace P.Q { export const y = R.x + 1 } console.log(JSON.stringify(P)); namespace T { export interface X {} } console.log(typeof P.Q)",
            [#"{"Q":{"R":{"x":1},"y":2}}"#, "object"]
        ),
        (
            "class C { static s = 1 } namespace C { export const extra = s2(); function s2() { return 'e' + C.s } } function F() { return F.val } namespace F { export let val = 9 } enum E { A } namespace E { export function help(x: E) { return E[x] } } console.log(C.extra, F(), E.help(0))",
            ["e1 9 A"]
        ),
        (
            "namespace S { export const v = 1; export function t(v: number) { return v + ((v) => v)(v) } export function w() { var v = 5; return v } export function z() { return typeof v + v } } console.log(S.t(3), S.w(), S.z())",
            ["6 5 number1"]
        ),
        (
            "namespace A { export namespace A { export const A = 4 } } console.log(A.A.A); namespace B.C { export const y = 1 } namespace O { import I = B.C; export import J = B.C; export const r = I.y + J.y } console.log(JSON.stringify(O))",
            ["4", #"{"J":{"y":1},"r":2}"#]
        ),
        (
            "class B { accessor a = 3; constructor(public x: number, y = x) { console.log(this.a, y) } } const b = new B(1); b.a = 4; console.log(b.a, Object.keys(b).join(), B.prototype.hasOwnProperty('a'))",
            ["3 1", "4 x true"]
        ),
        (
            "export namespace X { export const k = 1 } export namespace X { export const l = k + 1 } console.log(JSON.stringify(X))",
            [#"{"k":1,"l":2}"#]
        ),
    ]

    @Test("enums, namespaces and parameter properties run as its compiler has them run", arguments: programs)
    func run(_ source: String, _ expected: [String]) {
        let lines = ProgramOutput.of(source, isTypeScript: true)
        #expect(lines == expected)
    }
}
