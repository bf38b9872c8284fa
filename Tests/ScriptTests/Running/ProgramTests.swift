import Script
import Testing

@Suite("Programs run as the language says")
struct ProgramTests {
    struct Case: CustomTestStringConvertible {
        let program: String
        let lines: [String]
        var testDescription: String { program }

        init(_ program: String, _ lines: String...) {
            self.program = program
            self.lines = lines
        }
    }

    static let cases: [Case] = [
        Case("console.log(1 + 2, 'a' + 1, `x${1 + 1}y`, -7 % 3, 2 ** 10, 7 >>> 1, ~5)", "3 a1 x2y -1 1024 3 -6"),
        Case(
            "let s = 0; for (let i = 0; i < 10; i++) { if (i === 3) continue; if (i > 7) break; s += i } console.log(s)",
            "25"),
        Case(
            "const f = []; for (let i = 0; i < 3; i++) f.push(() => i); console.log(f.map((g) => g()).join())", "0,1,2"),
        Case(
            "a: for (const x of [1, 2]) for (const y of [1, 2]) { if (y === 2) continue a; console.log(x, y) }", "1 1",
            "2 1"),
        Case("const { a, b: { c = 5 } = {}, ...r } = { a: 1, x: 2 }; console.log(a, c, r.x)", "1 5 2"),
        Case("const [a, , b = 3, ...c] = [1, 2, undefined, 4, 5]; console.log(a, b, c.join())", "1 3 4,5"),
        Case("let a = 1, b = 2; [a, b] = [b, a]; console.log(a, b)", "2 1"),
        Case(
            "function f(a, b = a + 1, ...c) { return [a, b, c.length].join() } console.log(f(1), f(1, 5, 6, 7), f.length)",
            "1,2,0 1,5,2 1"),
        Case(
            """
            class A { #x = 1; static n = 0; constructor(q) { this.q = q; A.n++ } get x() { return this.#x } set x(v) { this.#x = v } m() { return 'A' + this.q } static #p() { return 9 } static p() { return A.#p() } static is(o) { return #x in o } }
            class B extends A { y = this.q + 1; constructor() { super(7) } m() { return super.m() + 'B' } }
            const b = new B(); b.x += 4; console.log(b.x, b.y, b.m(), A.n, A.p(), A.is(b), A.is({}))
            """, "5 8 A7B 1 9 true false"),
        Case(
            "function t(k) { try { if (k) throw k; return 'r' } catch (e) { return 'c' + e } finally { console.log('f') } } console.log(t(0), t(1))",
            "f", "f", "r c1"),
        Case(
            "function t() { for (const x of [1, 2]) { try { continue } finally { console.log(x) } } return 'e' } console.log(t())",
            "1", "2", "e"),
        Case(
            "function* g() { const a = yield 1; console.log('got', a); try { yield 2 } finally { console.log('end') } } const i = g(); console.log(i.next().value, i.next('x').value, i.return(5).value, i.next().done)",
            "got x", "end", "1 2 5 true"),
        Case(
            "function* a() { const r = yield* b(); console.log('r', r) } function* b() { yield 1; return 2 } for (const x of a()) console.log(x)",
            "1", "r 2"),
        Case(
            "const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }), return() { console.log('closed'); return {} } } } }; for (const x of it) break; const [y] = it; console.log(y)",
            "closed", "closed", "1"),
        Case(
            "const o = { get a() { return 1 }, ['b' + 1]: 2, m() { return super.toString === Object.prototype.toString } }; console.log(o.a, o.b1, o.m(), Object.keys(o).join())",
            "1 2 true a,b1,m"),
        Case("console.log(Object.keys({ b: 1, 2: 1, a: 1, 1: 1 }).join())", "1,2,b,a"),
        Case(
            "let n = null; console.log(n?.a.b.c, n?.[0], n?.(), ({ f() { return this.v }, v: 4 }).f?.(), n ?? 'd')",
            "undefined undefined undefined 4 d"),
        Case(
            "switch (3) { case 1: console.log(1); default: console.log('d'); case 4: console.log(4); break; case 5: console.log(5) }",
            "d", "4"),
        Case(
            "function tag(s, ...v) { return s.raw.join('|') + v.join() } console.log(tag`a${1}b\\n${2}`)", "a|b\\n|1,2"),
        Case("var x = 1; { let x = 2; { const x = 3; console.log(x) } console.log(x) } console.log(x)", "3", "2", "1"),
        Case(
            "console.log(typeof undefinedName, typeof null, typeof (() => 1), typeof Symbol())",
            "undefined object function symbol"),
        Case("for (const k in { a: 1, __proto__: { b: 2 } }) console.log(k)", "a", "b"),
        Case("label: { console.log(1); break label; console.log(2) } console.log(3)", "1", "3"),
        Case(
            "const f = function g(n) { return n ? n * g(n - 1) : 1 }; console.log(f(5), f.name, (() => {}).name, (class { }).name === '')",
            "120 g  true"),
        Case(
            "function f() { return typeof this + arguments.length + [...arguments].join() } console.log(f(1, 2))",
            "undefined21,2"),
        Case(
            "class C { static /* a */ async m() { } static get /* b */ g() { return 1 } static #p() { } static p() { return this.#p } } console.log(C.m.toString(), Object.getOwnPropertyDescriptor(C, 'g').get.toString(), C.p().toString())",
            "async m() { } get /* b */ g() { return 1 } #p() { }"),
        Case(
            "const o = { __proto__: { p: 1 }, add() { return super[k] += 1 }, up() { return ++super[k] }, read() { return super[k] }, set(v) { return super[k] = v } }; const k = { toString() { Object.setPrototypeOf(o, { p: -1 }); return 'p' } }; for (const name of ['add', 'up', 'read']) { Object.setPrototypeOf(o, { p: 1, add: o.add, up: o.up, read: o.read }); console.log(o[name]()) }",
            "2", "2", "1"),
        Case(
            "const o = { m() { super.p = Object.setPrototypeOf(o, { set p(v) { console.log('new') } }) }, __proto__: { set p(v) { console.log('old') } } }; o.m()",
            "old"),
        Case("function F() { this.a = 1; return new.target === F } console.log(new F().a, F.call({}))", "1 false"),
    ]

    @Test("a program writes what it should", arguments: cases)
    func program(_ test: Case) {
        #expect(output(of: test.program) == test.lines)
    }

    static let async: [Case] = [
        Case("(async () => { console.log(1); await null; console.log(3) })(); console.log(2)", "1", "2", "3"),
        Case("try { await Promise.reject(new Error('no')) } catch (e) { console.log(e.message) }", "no"),
        Case("console.log((await Promise.all([1, Promise.resolve(2), (async () => 3)()])).join())", "1,2,3"),
        Case(
            "const r = await Promise.allSettled([1, Promise.reject(2)]); console.log(r[0].status, r[1].reason)",
            "fulfilled 2"),
        Case(
            "try { await Promise.any([Promise.reject(1)]) } catch (e) { console.log(e.name, e.errors.length) }",
            "AggregateError 1"),
        Case("console.log(await Promise.race([new Promise(() => {}), Promise.resolve('r')]))", "r"),
        Case(
            "async function* g() { yield 1; yield Promise.resolve(2) } for await (const x of g()) console.log(x)", "1",
            "2"),
        Case("for await (const x of [1, Promise.resolve(2)]) console.log(x)", "1", "2"),
        Case("await Promise.resolve(1).finally(() => console.log('f')).then((v) => console.log(v))", "f", "1"),
        Case(
            "const f = async () => { try { return await Promise.reject(1) } catch { return 'c' } finally { console.log('f') } }; console.log(await f())",
            "f", "c"),
        Case("console.log(await { then(r) { r(7) } })", "7"),
        Case(
            "let p; for (let n = 0; n < 3; n++) { p = import('./gone.js'); try { await p } catch (e) { console.log(n, e.message) } } try { await import('./gone.js'); } catch { } try { throw p } catch (e) { console.log(e === p) }",
            "0 Cannot find module 'gone.js'", "1 Cannot find module 'gone.js'", "2 Cannot find module 'gone.js'", "true"
        ),
    ]

    @Test("promises settle by themselves", arguments: async)
    func promises(_ test: Case) {
        #expect(output(of: test.program) == test.lines)
    }

    static let errors: [Case] = [
        Case("undefined.x", "main.js:1:11 TypeError: Cannot read properties of undefined (reading 'x')"),
        Case("null.x = 1", "main.js:1:6 TypeError: Cannot set properties of null (setting 'x')"),
        Case("const o = { a: {} };\no.a.b()", "main.js:2:5 TypeError: o.a.b is not a function"),
        Case("x + 1", "main.js:1:1 ReferenceError: x is not defined"),
        Case("const c = 1; c = 2", "main.js:1:14 TypeError: Assignment to constant variable."),
        Case(
            "f(); let x = 1; function f() { return x }",
            "main.js:1:39 ReferenceError: Cannot access 'x' before initialization"),
        Case("const a = 5; for (const x of a) ;", "main.js:1:30 TypeError: a is not iterable"),
        Case("new (class A { constructor() { new.target() } })", "TypeError"),
        Case(
            "Object.setPrototypeOf(Object.prototype, null); Object.setPrototypeOf(Object.prototype, Object.create(null))",
            "main.js:1:55 TypeError: Immutable prototype object 'Object.prototype' cannot have their prototype set"),
        Case("Object.prototype.__proto__ = []", "TypeError: Immutable prototype object 'Object.prototype'"),
        Case("class A { } A()", "TypeError: Class constructor A cannot be invoked without 'new'"),
        Case(
            "class A extends Object { constructor() { this.x = 1 } } new A()",
            "ReferenceError: Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
        ),
        Case("new 5", "TypeError: 5 is not a constructor"),
        Case("const { a } = null", "TypeError: Cannot destructure property 'a' of 'null' as it is null."),
        Case("Object.freeze([1]).push(2)", "TypeError: Cannot add property 1, object is not extensible"),
        Case("throw 5", "main.js:1:1 Uncaught 5"),
        Case("import './gone.js'", "Error: Cannot find module 'gone.js'"),
        Case("await new Promise(() => {})", "main.js:1:1 A promise that the module waits for is never settled"),
        Case("Function('return 1')", "Function(...) makes code from a text, which is not supported"),
    ]

    @Test("errors say what V8 says, and where", arguments: errors)
    func error(_ test: Case) {
        let line = output(of: test.program).last ?? ""
        #expect(line.contains(test.lines[0]), "\(line)")
    }

    @Test("a part of the language that is not here is refused with a hint")
    func hint() {
        let error = failure(of: "new Proxy({}, {})")
        #expect(error?.message == "ReferenceError: Proxy is not defined")
        #expect(error?.hint != nil)
    }

    @Test("a script assigns to no global variable that its own value makes")
    func globals() throws {
        for program in [
            "made = (globalThis.made = 5)", "[made] = (function* () { yield globalThis.made = 5 })()",
            "({ a: made } = { get a() { return globalThis.made = 5 } })",
        ] {
            let realm = Realm(limits: .patient)
            let compiled = try Script.compile(program, file: "main.js", SyntaxOptions(goal: .script))
            let error = #expect(throws: ScriptError.self) { try realm.run(compiled) }
            #expect(error?.message == "ReferenceError: made is not defined", "\(program)")
        }
        let realm = Realm(limits: .patient)
        try realm.run(Script.compile("var a = 1; a = 2; [a] = [a + 1]", file: "main.js", SyntaxOptions(goal: .script)))
        #expect(try realm.global.get("a").isSame(as: .number(3)))
    }
}
