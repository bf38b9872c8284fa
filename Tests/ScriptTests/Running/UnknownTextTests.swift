import Testing

@testable import Script

/// A host that goes on without what is known only outside.
private final class PatientHost: ScriptHost {
    private let program: String
    private(set) var lines: [String] = []

    init(_ program: String) { self.program = program }

    func console(_ level: String, _ line: String) { lines.append(line) }
    func now() -> Double { 0 }
    func random() -> Double { 0 }
    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String { specifier }
    func meta(_ address: String) -> [(name: String, value: String)] { [] }
    func decides(_ object: OpaqueObject, isComparison: Bool, in realm: Realm) -> Bool? { false }
    func goesOn(without object: OpaqueObject, in realm: Realm) -> Bool { true }
    func typeName(of object: OpaqueObject, in realm: Realm) -> String? { "object" }
    func constant(_ name: String, of object: OpaqueObject) -> String? { name == "KNOWN" ? "known" : nil }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        let texts = [
            "main": program, "half": "export * from 'cdk'; export const own = 1;",
            "outer": "export * from 'half'; export const other = 2;",
        ]
        guard let text = texts[address] else { return .opaque(name: address) }
        do throws(ScriptSyntaxError) {
            return .program(try Script.compile(text, file: address))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }
}

@Suite("Texts with what is known only outside")
struct UnknownTextTests {
    private static func value(of expression: String) throws -> Value {
        let program = """
            import { x, y } from 'cdk';
            import * as half from 'half';
            import * as outer from 'outer';
            export const value = \(expression);
            """
        let host = PatientHost(program)
        let realm = Realm(host: host, limits: .patient)
        return try realm.module("main").get("value")
    }

    private static func shown(_ value: Value) -> String {
        switch value {
        case .text(let text): return text.string
        case .number(let number): return "\(number)"
        case .boolean(let flag): return "\(flag)"
        case .undefined: return "undefined"
        case .object(let object as OpaqueObject):
            guard case .template(let texts, let values) = object.making else { return "?\(object.origin)?" }
            return zip(texts, values.map { shown($0) } + [""]).map { $0 + $1 }.joined()
        default: return "another"
        }
    }

    @Test(
        "functions that put texts together keep their parts, and others give something as unknown",
        arguments: [
            ("[x, 'a', y].join('-')", "?x?-a-?y?"), ("'a'.concat(x, 'b')", "a?x?b"),
            ("JSON.stringify({ a: [x], b: 1 })", #"{"a":["?x?"],"b":1}"#), ("`${[x, 1]}`", "?x?,1"),
            ("String(x)", "?x?"), ("x + y", "?x??y?"), ("'a' + [x]", "a?x?"), ("'N'.replace('N', x)", "?x?"),
            ("'a-b'.replaceAll('-', x)", "a?x?b"), ("[[x], [1]].join(';')", "?x?;1"), ("[1, 2].join(x)", "1?x?2"),
            ("encodeURIComponent(x)", "?encodeURIComponent(x)?"), ("parseInt(x)", "?parseInt(x)?"),
            ("x * 2", "?x as a number?"), ("1 - x", "?x as a number?"), ("x % 2", "?x as a number?"),
            ("typeof x", "object"), ("'a' in x", "false"), ("({})[x]", "undefined"), ("({ [x]: 1 })[x]", "1.0"),
            ("({ ...x, a: 5 }).a", "5.0"), ("({ a: 5, ...x }).a", "5.0"), ("x.KNOWN", "known"),
            ("half.any", "?any?"), ("outer.any", "?any?"), ("half.own + outer.own", "2.0"), ("half.then", "undefined"),
            ("'any' in half", "false"),
            ("({ toString() { return encodeURIComponent(x); } }) + ''", "?encodeURIComponent(x)?"),
        ])
    func puts(expression: String, text: String) throws {
        #expect(try Self.shown(Self.value(of: expression)) == text)
    }
}
