import Script

/// A host for tests: modules by name, and the lines of the console.
final class TestHost: ScriptHost {
    var files: [String: String]
    var opaque: Set<String> = []
    var native: [String: (Realm) -> [(name: String, value: Value)]] = [:]
    private(set) var lines: [String] = []

    init(_ files: [String: String] = [:]) {
        self.files = files
    }

    func console(_ level: String, _ line: String) { lines.append(line) }
    func now() -> Double { 1_700_000_000_000 }
    func random() -> Double { 0.25 }

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        specifier.hasPrefix("./") ? String(specifier.dropFirst(2)) : specifier
    }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        if opaque.contains(address) { return .opaque(name: address) }
        if let make = native[address] { return .native(make(realm)) }
        guard let text = files[address] else {
            throw ScriptHostError("Cannot find module '\(address)'", hint: "Add it.")
        }
        if isJSON { return .json(Array(text.utf16)) }
        do throws(ScriptSyntaxError) {
            return .program(try Script.compile(text, file: address))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    func meta(_ address: String) -> [(name: String, value: String)] { [("url", "file:///\(address)")] }
}

extension ScriptLimits {
    /// Those of a run, with more time than a busy machine takes.
    static var patient: ScriptLimits {
        var limits = ScriptLimits()
        limits.milliseconds = 600_000
        return limits
    }
}

/// What a program writes to the console, or its error.
func output(of program: String, _ limits: ScriptLimits = .patient, host: TestHost = TestHost()) -> [String] {
    host.files["main.js"] = program
    let realm = Realm(host: host, limits: limits)
    do throws(ScriptError) {
        _ = try realm.module("main.js")
    } catch {
        return host.lines + ["\(error.file):\(error.place.line):\(error.place.column) \(error.message)"]
    }
    return host.lines
}

/// The error that ends a program.
func failure(of program: String, _ limits: ScriptLimits = .patient, host: TestHost = TestHost()) -> ScriptError? {
    host.files["main.js"] = program
    let realm = Realm(host: host, limits: limits)
    do throws(ScriptError) {
        _ = try realm.module("main.js")
    } catch {
        return error
    }
    return nil
}
