import Glibc
import Script

/// Runs files and says what went wrong.
enum ScriptRunner {
    static func run(_ files: [String], isModule: Bool) -> Int32 {
        let host = FileHost()
        let realm = Realm(host: host)
        for file in files {
            do throws(ScriptError) {
                if isModule {
                    _ = try realm.module(file)
                } else {
                    try realm.run(try compile(file))
                }
            } catch {
                show(error)
                return 1
            }
        }
        return 0
    }

    private static func compile(_ file: String) throws(ScriptError) -> CompiledProgram {
        guard let text = FileHost.read(file) else {
            throw ScriptError(kind: .host, message: "Cannot read \(file)", file: file, place: .start)
        }
        do throws(ScriptSyntaxError) {
            return try Script.compile(text, file: file, SyntaxOptions(goal: .script))
        } catch {
            throw ScriptError(kind: .syntax, message: "SyntaxError: \(error.message)", file: file, place: error.place)
        }
    }

    static func show(_ error: ScriptError) {
        print("\(error.file):\(error.place.line):\(error.place.column): \(error.message)")
        if let hint = error.hint { print("  \(hint)") }
        for entry in error.trace {
            print("    at \(entry.function) \(entry.file):\(entry.place.line):\(entry.place.column)")
        }
    }
}
