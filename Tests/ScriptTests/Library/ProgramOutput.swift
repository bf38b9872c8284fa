@testable import Script

/// Runs a program and keeps what it prints.
final class ProgramOutput: ScriptHost, NodeHost, @unchecked Sendable {
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

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        NodeModules.address(of: specifier) ?? specifier
    }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        if let exports = NodeModules.exports(of: address, in: realm, self) { return .native(exports) }
        guard address == "main.ts" else { throw ScriptHostError("Cannot find module '\(address)'") }
        do throws(ScriptSyntaxError) {
            return .program(
                try Script.compile(source, file: address, SyntaxOptions(goal: .module, isTypeScript: isTypeScript)))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    // MARK: Node

    let workingDirectory = "/home"
    let environment = [(name: "HOME", value: "/home"), (name: "STAGE", value: "dev")]
    let arguments = ["node", "/home/main.ts"]
    let platform = "linux"

    func exists(_ path: String) -> Bool { path == "/home/a b.txt" || path == "/home" }

    func contents(of path: String) throws(ScriptHostError) -> [UInt8]? {
        if path.hasPrefix("/etc") {
            throw ScriptHostError("\(path) is outside of the project", hint: "Keep it below /home.")
        }
        return path == "/home/a b.txt" ? Array("text é".utf8) : nil
    }

    /// What the program prints, and at the end what stopped it.
    static func of(_ source: String, isTypeScript: Bool = false) -> [String] {
        let host = ProgramOutput(source, isTypeScript: isTypeScript)
        // The steps bound it. How long it waits for a processor is the machine's.
        var limits = ScriptLimits()
        limits.milliseconds = 600_000
        let realm = Realm(host: host, limits: limits)
        realm.global.put("process", .object(NodeModules.process(in: realm, host)))
        do throws(ScriptError) {
            _ = try realm.module("main.ts")
        } catch {
            host.lines.append(error.message)
        }
        return host.lines
    }
}
