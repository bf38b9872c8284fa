import Glibc
import Script

/// Runs conformance tests. Each line of the input is a job: `MODE TAB FILE TAB HARNESS,HARNESS...`, where the mode is
/// `script`, `module`, `parse-script` or `parse-module`, and `+async` follows where the test says itself that it is done.
/// Each answer is a line: `ok`, or `error TAB PHASE TAB TYPE TAB MESSAGE`.
enum Conformance {
    nonisolated(unsafe) private static var harness: [String: CompiledProgram] = [:]

    static func run() {
        while let line = readLine() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { continue }
            print(answer(fields[0], fields[1], fields[2].split(separator: ",").map(String.init)))
            fflush(nil)
        }
    }

    private static func answer(_ mode: String, _ file: String, _ includes: [String]) -> String {
        guard let text = FileHost.read(file) else { return "error\tread\t\t\(file)" }
        let isModule = mode.contains("module")
        let program: CompiledProgram
        do throws(ScriptSyntaxError) {
            program = try Script.compile(text, file: file, SyntaxOptions(goal: isModule ? .module : .script))
        } catch {
            return "error\tparse\tSyntaxError\t\(error.place.line):\(error.place.column) \(error.message)"
        }
        if mode.hasPrefix("parse") { return "ok" }
        let host = FileHost()
        host.printsLines = false
        var limits = ScriptLimits()
        limits.milliseconds = 20_000
        let realm = Realm(host: host, limits: limits)
        realm.addConformanceGlobals()
        do throws(ScriptError) {
            for include in includes {
                if harness[include] == nil, let text = FileHost.read(include) {
                    do throws(ScriptSyntaxError) {
                        harness[include] = try Script.compile(text, file: include, SyntaxOptions(goal: .script))
                    } catch {
                        return "error\tharness\t\t\(include) \(error.place.line) \(error.message)"
                    }
                }
                if let program = harness[include] { try realm.run(program) }
            }
        } catch {
            return "error\tharness\t\t\(error.file) \(error.message)"
        }
        do throws(ScriptError) {
            if isModule { _ = try realm.module(file) } else { try realm.run(program) }
        } catch {
            let type = error.message.prefix { $0 != ":" && $0 != " " }
            let phase = error.kind == .syntax ? "resolution" : "runtime"
            let message = error.message.map { $0.isNewline || $0 == "\t" ? " " : $0 }
            return "error\t\(phase)\t\(type)\t\(error.place.line): \(String(message).prefix(300))"
        }
        guard mode.hasSuffix("+async") else { return "ok" }
        if host.lines.contains("Test262:AsyncTestComplete") { return "ok" }
        let said = host.lines.last.map { String($0.map { $0.isNewline || $0 == "\t" ? " " : $0 }) } ?? "not done"
        return "error\truntime\tasync\t\(said.prefix(300))"
    }
}
