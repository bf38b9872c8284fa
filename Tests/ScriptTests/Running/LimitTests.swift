import Script
import Testing

@Suite("A run is bounded in everything")
struct LimitTests {
    struct Case: CustomTestStringConvertible {
        let program: String
        let kind: ScriptLimits.Kind
        let limits: ScriptLimits
        var testDescription: String { program }

        init(_ program: String, _ kind: ScriptLimits.Kind, _ change: (inout ScriptLimits) -> Void) {
            self.program = program
            self.kind = kind
            var limits = ScriptLimits.patient
            change(&limits)
            self.limits = limits
        }
    }

    static let cases: [Case] = [
        Case("for (;;) ;", .steps) { $0.steps = 10_000 },
        Case("while (true) { try { for (;;) ; } catch { } finally { } }", .steps) { $0.steps = 10_000 },
        Case("const f = () => Promise.resolve().then(f); f()", .steps) { $0.steps = 10_000 },
        Case("[...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }]", .steps) {
            $0.steps = 10_000
        },
        Case("Array.prototype.forEach.call({ length: 1e15 }, () => {})", .steps) { $0.steps = 10_000 },
        Case("const f = () => f(); f()", .callDepth) { $0.callDepth = 500 },
        Case("const f = () => { try { f() } catch { f() } finally { f() } }; f()", .callDepth) { $0.callDepth = 500 },
        Case("class A { constructor() { new A() } } new A()", .callDepth) { $0.callDepth = 500 },
        Case("const f = (...a) => f(...a); f(1)", .callDepth) { $0.callDepth = 500 },
        Case("const f = () => [1].forEach(f); f()", .nativeDepth) { _ in },
        Case("const o = { get a() { return this.a } }; o.a", .nativeDepth) { _ in },
        Case("const o = { toString() { return `${o}` } }; `${o}`", .nativeDepth) { _ in },
        Case("let a = []; for (let i = 0; i < 1000; i++) a = Object.setPrototypeOf([], a); a.x", .nativeDepth) { _ in },
        Case("let b = () => 1; for (let i = 0; i < 1000; i++) b = b.bind(); b()", .nativeDepth) { _ in },
        Case("const l = []; for (;;) l.push({ a: 1 })", .memory) { $0.memoryBytes = 1 << 20 },
        Case("const l = []; for (let i = 0; ; i++) l.push('text ' + i)", .memory) { $0.memoryBytes = 1 << 20 },
        Case("const l = []; for (;;) l.push(() => l)", .memory) { $0.memoryBytes = 1 << 20 },
        Case("const o = {}; for (let i = 0; ; i++) o['k' + i] = i", .memory) { $0.memoryBytes = 1 << 20 },
        Case("let s = 'x'; for (;;) s += s", .textLength) { $0.textLength = 1 << 16 },
        Case("let s = 'x'; for (;;) s = `${s}${s}`", .textLength) { $0.textLength = 1 << 16 },
        Case("const l = []; for (;;) l.push(1)", .listLength) { $0.listLength = 1000 },
        Case("const o = {}; for (let i = 0; ; i++) o[i] = i", .listLength) { $0.listLength = 1000 },
        Case("let i = 0; const g = function* () { for (;;) yield i }; [...g()]", .listLength) { $0.listLength = 1000 },
        Case("for (;;) ;", .time) { $0.milliseconds = 20 },
    ]

    @Test("a program that goes on is ended, whatever it catches", arguments: cases)
    func bounded(_ test: Case) {
        #expect(failure(of: test.program, test.limits)?.kind == .limit(test.kind))
    }

    @Test("the number of modules is bounded")
    func modules() {
        var limits = ScriptLimits.patient
        limits.modules = 3
        let host = TestHost(["1": "import '2'", "2": "import '3'", "3": "import '4'", "4": ""])
        #expect(failure(of: "import '1'", limits, host: host)?.kind == .limit(.modules))
    }

    @Test("what a program lets go does not count as memory")
    func garbage() {
        var limits = ScriptLimits.patient
        limits.memoryBytes = 4 << 20
        let program = "let o; for (let i = 0; i < 50000; i++) { o = { i, s: 'n' + i, l: [i] } } console.log(o.i)"
        #expect(output(of: program, limits) == ["49999"])
    }

    @Test("chains of hundreds of thousands of links end without a deep stack")
    func chains() {
        let program = """
            let a = null; for (let i = 0; i < 100000; i++) a = { a };
            let f = () => 0; for (let i = 0; i < 100000; i++) { const g = f; f = () => g }
            let p = {}; for (let i = 0; i < 100000; i++) p = Object.create(p);
            let l = []; for (let i = 0; i < 100000; i++) l = [l];
            let s = ''; for (let i = 0; i < 100000; i++) s += i + 'abcdefghijklmnopqrstuvwxyzabcdefghij';
            a = f = p = l = null; console.log(s.length > 1000000)
            """
        #expect(output(of: program) == ["true"])
    }

    @Test("a realm takes all its objects with it, those in circles too")
    func circles() {
        let host = TestHost([
            "main.js": """
            export const a = { }; a.self = a; const b = { a }; a.b = b;
            function F() { } const it = (function* () { yield it })(); it.next();
            class C { static c = C; m = () => this } export const c = new C();
            const p = new Promise((r) => r).then(() => p); (async () => { await new Promise(() => {}) })();
            """
        ])
        weak var probe: Probe?
        do {
            let realm = Realm(host: host)
            let object = Probe()
            probe = object
            let holder = realm.hostObject(HostClass("Probe", []), object)
            let namespace = try? realm.module("main.js")
            if let a = (try? namespace?.get("a"))?.object {
                a.put("probe", .object(holder))
                holder.put("a", .object(a))
            }
            #expect(realm.objectCount > 20)
        }
        #expect(probe == nil)
    }

    final class Probe {}
}
