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
