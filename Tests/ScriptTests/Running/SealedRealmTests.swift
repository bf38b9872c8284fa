import Testing

@testable import Script

@Suite("Sealed realms")
struct SealedRealmTests {
    private static func module(
        _ text: String, in realm: Realm
    ) throws(ScriptSyntaxError) -> (RepeatedModule, Name) {
        let names = NameNumbers()
        let program = try ProgramNode(parsing: Array(text.utf16), names: names)
        let compiled = Script.compile(program, names, file: "a.js")
        return (RepeatedModule(compiled, imports: [], in: realm), names.name(of: "run"))
    }

    private static func string(_ value: Value) -> String {
        if case .text(let text) = value { return text.string }
        if case .number(let number) = value { return NumberText.decimal(number) }
        return "\(value)"
    }

    @Test("each run finds the module's variables as new, and the realm as it was")
    func runs() throws {
        let realm = Realm()
        realm.sealForRuns()
        let (module, run) = try Self.module(
            """
            let count = 0;
            const list = [];
            const circle = {};
            circle.self = circle;
            export function run(value) { count += 1; list.push(circle); return `${count}${list.length}${value}`; }
            """, in: realm)
        for _ in 0..<3 {
            realm.begin(ScriptLimits())
            #expect(Self.string(try module.call(run, .number(7))) == "117")
            #expect(realm.end())
            #expect(realm.isWhollyFrozen)
        }
    }

    @Test(
        "what a module's top level makes is there for each run, and new, whether or not it does more than make it",
        arguments: ["", "const list = [].concat(1);"])
    func topLevels(more: String) throws {
        let realm = Realm()
        realm.sealForRuns()
        let cases = [
            ("export function run(x) { return x + 1; }", "8"),
            ("export const run = (x) => x + 1;", "8"),
            (
                "const one = 1, name = 'n', yes = true, none = null; let nothing; export const run = (x) => "
                    + "`${one}${name}${yes}${none}${nothing}${x}`;", "1ntruenullundefined7"
            ),
            ("let count = 0; export function run(x) { count += 1; return count; }", "1"),
            (
                "const next = () => { count += 1; return count; }; let count = 0; export function run() { next(); return next(); }",
                "2"
            ),
            (
                "function even(n) { return n === 0 ? 'even' : odd(n - 1); } const odd = (n) => n === 0 ? 'odd' : even(n - 1); "
                    + "export function run(x) { return even(x); }", "odd"
            ),
            (
                "export function run(x) { run.seen = (run.seen ?? 0) + x; return `${run.seen}${run.name}${run.length}`; }",
                "7run1"
            ),
            ("function help() {} export function run(x) { help.seen = (help.seen ?? 0) + x; return help.seen; }", "7"),
            ("export const run = function self(x) { self.seen = (self.seen ?? 0) + x; return self.seen; };", "7"),
            (
                "export function run(x) { const seen = []; const inner = () => { seen.push(x); return seen.length; }; return inner(); }",
                "1"
            ),
            ("export function run() { return typeof other; } const other = 1; export { run as again };", "number"),
            ("export const run = 5;", "TypeError: number 5 is not a function"),
            ("export function run() { return later; } if (true) { var later = 2; }", "2"),
        ]
        for (text, expected) in cases {
            let (module, run) = try Self.module(more + text, in: realm)
            for _ in 0..<3 {
                realm.begin(ScriptLimits())
                let found: String
                do throws(Thrown) {
                    found = Self.string(try module.call(run, .number(7)))
                } catch {
                    found = realm.scriptError(error).message
                }
                #expect(found == expected, "\(text)")
                #expect(realm.end(), "\(text)")
                #expect(realm.isWhollyFrozen)
            }
        }
    }

    @Test(
        "nothing of the library can be changed by a run",
        arguments: [
            "Array.prototype.map = 1;", "Object.prototype.x = 1;", "JSON.parse = 1;", "delete Math.max;",
            "globalThis.x = 1;", "Object.defineProperty(Array, 'x', { value: 1 });", "String = 1;",
            "Object.setPrototypeOf(Math, null);", "[].map.x = 1;", "delete [].map.name;", "Array.prototype.push(1);",
        ])
    func frozen(statement: String) throws {
        let realm = Realm()
        realm.sealForRuns()
        let (module, run) = try Self.module("export function run() { \(statement) }", in: realm)
        realm.begin(ScriptLimits())
        #expect(throws: Thrown.self) { try module.call(run, .undefined) }
        #expect(realm.end())
        #expect(realm.isWhollyFrozen)
    }

    @Test("a run that leaves symbols behind is noticed")
    func leftOver() throws {
        let realm = Realm()
        realm.sealForRuns()
        let (module, run) = try Self.module("export function run() { Symbol('a'); }", in: realm)
        realm.begin(ScriptLimits())
        _ = try module.call(run, .undefined)
        #expect(!realm.end())
    }

    @Test("a part of the library has what it is given, and no new")
    func parts() throws {
        let library = ScriptLibrary(
            names: ["Object", "Math"], globals: [.fixed("answer") { _ in .number(42) }],
            [.object: .init(statics: ["keys"])])
        let realm = Realm(library: library)
        realm.sealForRuns()
        func result(_ body: String) throws(ScriptSyntaxError) -> String {
            let (module, run) = try Self.module("export function run() { \(body) }", in: realm)
            realm.begin(ScriptLimits())
            do throws(Thrown) {
                let text = Self.string(try module.call(run, .undefined))
                #expect(realm.end())
                return text
            } catch {
                let message = realm.scriptError(error).message
                #expect(realm.end())
                return message
            }
        }
        #expect(try result("return answer + Object.keys({ a: 1 }).length;") == "43")
        #expect(try result("return Object.values({});") == "TypeError: Object.values is not a function")
        #expect(try result("return Date;") == "ReferenceError: Date is not defined")
        #expect(try result("return new Object();") == "TypeError: Object is not a constructor")
        #expect(try result("return (function* () {})();") == "TypeError: Generators are not supported")
        #expect(try result("return typeof class {};") == "TypeError: Classes are not supported")
    }

    @Test(
        "loops have at most as many turns as said", arguments: ["of [1, 2, 3]", "of 'abc'", "in { a: 1, b: 1, c: 1 }"])
    func turns(loop: String) throws {
        let realm = Realm()
        let (module, run) = try Self.module(
            "export function run() { let n = 0; for (const x \(loop)) n += 1; return n; }", in: realm)
        var limits = ScriptLimits()
        limits.loopTurns = 3
        realm.begin(limits)
        #expect(Self.string(try module.call(run, .undefined)) == "3")
        limits.loopTurns = 2
        realm.begin(limits)
        #expect(throws: Thrown.self) { try module.call(run, .undefined) }
    }
}
