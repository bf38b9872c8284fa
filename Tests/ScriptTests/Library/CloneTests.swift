import Testing

@testable import Script

@Suite("Copies and names")
struct CloneTests {
    static let programs: [(String, [String])] = [
        (
            "const a = { b: [1, , { c: undefined }], d: new Map([[{ e: 1 }, new Set([2])]]) }; const f = structuredClone(a); console.log(JSON.stringify(f), f !== a, f.b !== a.b, 1 in f.b, f.b.length, [...f.d.keys()][0].e, [...f.d.values()][0].has(2))",
            [#"{"b":[1,null,{}],"d":{}} true true false 3 1 true"#]
        ),
        ("const a = {}; a.a = a; const b = structuredClone(a); console.log(b.a === b, b !== a)", ["true true"]),
        (
            "class A { x = 1; get y() { return 2 } } const a = structuredClone(new A); console.log(a instanceof A, JSON.stringify(a), Object.getPrototypeOf(a) === Object.prototype)",
            [#"false {"x":1} true"#]
        ),
        (
            "const e = structuredClone(new TypeError('x', { cause: { a: 1 } })); console.log(e instanceof TypeError, e.message, e.cause.a)",
            ["true x 1"]
        ),
        (
            "for (const v of [() => 1, Symbol('s')]) try { structuredClone({ v }) } catch (e) { console.log(e.name) }",
            ["DataCloneError", "DataCloneError"]
        ),
        (
            "const at = []; structuredClone({ a: { get b() { at.push('a.b') } }, get c() { at.push('c') }, d: [new Map([[{ get e() { at.push('e') } }, { get f() { at.push('f') } }]]), { get g() { at.push('g') } }] }); console.log(at.join())",
            ["a.b,c,e,f,g"]
        ),
        (
            "try { structuredClone({ a: { f() {} }, b() {} }) } catch (e) { console.log(e.message) }",
            ["f() {} could not be cloned."]
        ),
        (
            "try { structuredClone() } catch (e) { console.log(e.name) } console.log(structuredClone(null), structuredClone(undefined), structuredClone('a'))",
            ["TypeError", "null undefined a"]
        ),
        (
            "let d = {}; for (let i = 0; i < 50000; i++) d = { d }; let c = structuredClone(d), n = 0; while (c.d) { c = c.d; n++ } console.log(n)",
            ["50000"]
        ),
        ("console.log(crypto.randomUUID())", ["40404040-4040-4040-8040-404040404040"]),
        (
            "try { structuredClone([], { transfer: [1] }) } catch (e) { console.log('caught') }",
            ["structuredClone transfers nothing"]
        ),
    ]

    @Test("a copy holds copies of all that the value holds", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }
}
