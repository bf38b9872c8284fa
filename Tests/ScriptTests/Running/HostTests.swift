import Script
import Testing

@Suite("Programs and their host")
struct HostTests {
    @Test("modules share live bindings, in circles too")
    func modules() {
        let host = TestHost([
            "a.js": "export let n = 1; export function up() { n++ } export default class K { }; export { n as m }",
            "b.js":
                "export * from './a.js'; export * as ns from './a.js'; import { c } from './c.js'; export const b = () => c",
            "c.js": "import { b } from './b.js'; export const c = 'c'; export const call = () => b()",
        ])
        let program = """
            import K, { n, up, m } from './a.js'; import * as all from './b.js'; import { call } from './c.js';
            up(); console.log(n, m, K.name, call()); console.log(Object.keys(all).join());
            console.log((await import('./a.js')).n, import.meta.url);
            """
        #expect(output(of: program, host: host) == ["2 2 K c", "b,m,n,ns,up", "2 file:///main.js"])
    }

    @Test("a module that fails while it waits fails before those that import it")
    func rejectionOrder() {
        let host = TestHost([
            "gate.js": "export let open; export const gate = new Promise((_, reject) => { open = reject })",
            "inner.js": "import { gate } from './gate.js'; await gate",
            "outer.js": "import './inner.js'",
        ])
        let program = """
            import { open } from './gate.js';
            const inner = import('./inner.js').catch((e) => console.log('inner', e));
            const outer = inner.constructor.resolve().then(() => import('./outer.js')).catch((e) => console.log('outer', e));
            for (let n = 0; n < 20; n++) await null;
            open(1); await inner; await outer;
            await import('./inner.js').catch((e) => console.log('again', e));
            """
        #expect(output(of: program, host: host) == ["inner 1", "outer 1", "again 1"])
    }

    @Test("what a member of a circle that failed gives is the error of the circle")
    func errorOfCircle() {
        let host = TestHost([
            "a.js": "import './b.js'; await 0", "b.js": "import './c.js'; await 0; throw new Error('in b')",
            "c.js": "import './a.js'; await 0", "all.js": "import './b.js'; import './d.js'",
            "d.js": "import './a.js'; await 0",
        ])
        let program = """
            const errors = [];
            for (const name of ['all', 'c', 'a', 'd', 'b']) {
                try { await import(`./${name}.js`); } catch (e) { errors.push(e) }
            }
            console.log(errors.length, errors[0].message, errors.every((e) => e === errors[0]));
            """
        #expect(output(of: program, host: host) == ["5 in b true"])
    }

    struct Wrong: CustomTestStringConvertible {
        let program: String
        let message: String
        var testDescription: String { program }
    }

    static let wrong: [Wrong] = [
        Wrong(
            program: "import { gone } from './a.js'",
            message: "SyntaxError: The requested module './a.js' does not provide an export named 'gone'"),
        Wrong(program: "import { a } from './a.js'; a = 2", message: "TypeError: Assignment to constant variable."),
        Wrong(
            program: "import * as a from './a.js'; a.a = 2",
            message: "TypeError: Cannot assign to read only property 'a' of object"),
        Wrong(program: "import './bad.js'", message: "SyntaxError"),
        Wrong(program: "import './thrower.js'", message: "Error: in there"),
        Wrong(program: "await import('./gone.js')", message: "Error: Cannot find module 'gone.js'"),
    ]

    @Test("what is wrong with a module is said with its place", arguments: wrong)
    func wrongModule(_ test: Wrong) {
        let host = TestHost([
            "a.js": "export const a = 1", "bad.js": "let = =", "thrower.js": "\nthrow new Error('in there')",
        ])
        let error = failure(of: test.program, host: host)
        #expect(error?.message.hasPrefix(test.message) == true, "\(error?.message ?? "no error")")
    }

    @Test("an error in another module names that file")
    func places() {
        let host = TestHost(["deep.js": "export function f() {\n  null.x\n}"])
        let error = failure(of: "import { f } from './deep.js'\nf()", host: host)
        #expect(error?.file == "deep.js")
        #expect(error?.place.line == 2)
        #expect(error?.trace.map(\.file) == ["deep.js", "main.js"])
    }

    // MARK: Opaque values

    static let opaque: [Wrong] = [
        Wrong(program: "new Stack(app, 'x').region.toString().length", message: ""),
        Wrong(program: "const { a, ...b } = Stack.of(1); b.c(a)", message: ""),
        Wrong(program: "Stack.x = 1; f({ ...Stack }, [...Stack.list]); function f() { }", message: ""),
        Wrong(program: "const arn = `arn:${Stack.of(1).account}:x` + '/y'; await arn", message: ""),
        Wrong(program: "class S extends Stack { constructor() { super(1); this.a = 2 } } new S().a", message: ""),
        Wrong(
            program: """
                class S extends Stack {
                  #n = 1; list = []; add(x) { this.list.push(x + this.#twice()); return this; } #twice() { return this.#n * 2; }
                  get size() { return this.list.length; } set first(x) { this.list[0] = x; }
                  tag(x) { return super.tag(x); } static make() { return new S(); }
                }
                class T extends S { add(x) { return super.add(x + 1); } }
                const t = new T(); t.add(1).add(2).first = 9;
                if (t.size !== 2 || t.list.join() !== '9,5' || !('add' in t) || !(t instanceof S) || t.constructor !== T) throw 1;
                t.tag('x').y; S.make().add(1).other.z();
                """, message: ""),
        Wrong(program: "if (Stack.isOn) { }", message: "The value of Stack.isOn of \"cdk\" is needed as a condition"),
        Wrong(
            program: "Stack.count * 2", message: "The value of Stack.count of \"cdk\" is needed as a text or a number"),
        Wrong(
            program: "({})[Stack.name]",
            message: "The value of Stack.name of \"cdk\" is needed as the name of a property"),
        Wrong(
            program: "for (const x of Stack.all) ;", message: "The value of Stack.all of \"cdk\" is needed as a list"),
        Wrong(
            program: "Stack.region === 'eu'", message: "The value of Stack.region of \"cdk\" is needed in a comparison"),
        Wrong(
            program: "try { !Stack.a } catch { } finally { }",
            message: "The value of Stack.a of \"cdk\" is needed as a condition"),
        Wrong(program: "typeof Stack", message: "The value of Stack of \"cdk\" is needed in typeof"),
    ]

    @Test("an opaque value stays one until its value is needed", arguments: opaque)
    func opaqueValue(_ test: Wrong) {
        let host = TestHost()
        host.opaque = ["cdk"]
        let error = failure(of: "import { Stack, app } from 'cdk'\n" + test.program, host: host)
        if test.message.isEmpty {
            #expect(error == nil, "\(error?.message ?? "")")
        } else {
            #expect(error?.kind == .opaque)
            #expect(error?.message.hasPrefix(test.message) == true, "\(error?.message ?? "no error")")
            #expect(error?.place.line == 2)
        }
    }

    // MARK: Objects of the host

    final class Builder {
        var rules: [String] = []
    }

    static let builder = HostClass(
        "Builder",
        [
            .method("authorization", length: 1) { call throws(Thrown) in
                let builder: Builder = try call.payload()
                let allow = call.realm.object()
                allow.put(
                    "owner", .object(call.realm.function("owner", length: 0) { call in call.realm.value("owner") }))
                let answer = try call.call(try call.function(0), .object(allow))
                try call.realm.iterate(answer) { (rule) throws(Thrown) in
                    builder.rules.append(try call.realm.toText(rule).string)
                }
                return call.this
            }
        ])

    @Test("an object of the host carries its state, is chained and calls back")
    func hostObject() throws {
        let host = TestHost()
        host.native["builders"] = { realm in
            [
                ("default", .object(realm.object())),
                (
                    "model",
                    .object(
                        realm.function("model", length: 0) { call in
                            .object(call.realm.hostObject(Self.builder, Builder()))
                        })
                ),
            ]
        }
        host.files["main.js"] = """
            import { model } from 'builders'
            export const m = model().authorization((allow) => [allow.owner(), 'x']).authorization(() => ['y'])
            """
        let realm = Realm(host: host)
        let namespace = try realm.module("main.js")
        guard case .object(let object) = try namespace.get("m") else { return #expect(Bool(false)) }
        #expect(((object as? HostObject)?.payload as? Builder)?.rules == ["owner", "x", "y"])
    }

    @Test("a method of the host refuses another object")
    func wrongReceiver() {
        let host = TestHost()
        host.native["builders"] = { realm in [("m", .object(realm.hostObject(Self.builder, Builder())))] }
        let error = failure(of: "import { m } from 'builders'; m.authorization.call({}, () => [])", host: host)
        #expect(error?.message.hasPrefix("TypeError") == true)
    }

    @Test("a program is compiled once for all threads and realms")
    func shared() async throws {
        let program = try Script.compile(
            "let s = 0; for (let i = 0; i < 1000; i++) s += i; console.log(s)", file: "s.js",
            SyntaxOptions(goal: .script))
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let host = TestHost()
                    try? Realm(host: host).run(program)
                    return host.lines
                }
            }
            for await lines in group { #expect(lines == ["499500"]) }
        }
    }
}
