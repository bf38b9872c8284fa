/// `console`, whose lines go to the host.
enum ConsoleLibrary {
    static func object(_ realm: Realm) -> ScriptObject {
        realm.object({ table }, prototype: realm.prototype(.object))
    }

    private static let table: [NativeProperty] = ["log", "info", "warn", "error", "debug", "trace"].map { name in
        .method(name, length: 0) { call throws(Thrown) in
            var line = ""
            for (index, value) in call.arguments.enumerated() {
                if index > 0 { line += " " }
                line += show(call.realm, value)
            }
            call.realm.host.console(name, line)
            return .undefined
        }
    }

    /// A value as a line has it: texts whole, where messages shorten them.
    private static func show(_ realm: Realm, _ value: Value) -> String {
        if case .text(let text) = value { return text.string }
        if case .object(let object) = value, !object.isCallable, !(object is ErrorObject) {
            if let text = try? realm.toText(value) { return text.string }
        }
        return realm.describe(value)
    }
}
