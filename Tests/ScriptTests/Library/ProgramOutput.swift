@testable import Script

/// Runs a program and keeps what it prints.
final class ProgramOutput: ScriptHost {
    private(set) var lines: [String] = []
    private let source: String
    private let isTypeScript: Bool

    private init(_ source: String, isTypeScript: Bool) {
        self.source = source
        self.isTypeScript = isTypeScript
    }

    func console(_ level: String, _ line: String) { lines.append(line) }
    func now() -> Double { 1_795_371_163_000 }
    func random() -> Double { 0.25 }
    func meta(_ address: String) -> [(name: String, value: String)] { [("url", "file:///" + address)] }

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String { specifier }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        guard address == "main.ts" else { throw ScriptHostError("Cannot find module '\(address)'") }
        do throws(ScriptSyntaxError) {
            return .program(
                try Script.compile(source, file: address, SyntaxOptions(goal: .module, isTypeScript: isTypeScript)))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    /// What the program prints, and at the end what stopped it.
    static func of(_ source: String, isTypeScript: Bool = false) -> [String] {
        let host = ProgramOutput(source, isTypeScript: isTypeScript)
        let realm = Realm(host: host)
        do throws(ScriptError) {
            _ = try realm.module("main.ts")
        } catch {
            host.lines.append(error.message)
        }
        return host.lines
    }
}
