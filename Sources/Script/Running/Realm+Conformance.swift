extension Realm {
    /// What suites of conformance tests expect among the globals: `print`, and `$262` with little in it.
    package func addConformanceGlobals() {
        global.put(
            key("print"),
            .object(
                function("print", length: 1) { call throws(Thrown) in
                    call.realm.host.console("log", try call.text(0).string)
                    return .undefined
                }), .hidden)
        let suite = object()
        suite.put("global", .object(global))
        suite.put(
            "evalScript",
            .object(
                function("evalScript", length: 1) { call throws(Thrown) in
                    let realm = call.realm
                    let text = try call.text(0)
                    let program: CompiledProgram
                    do throws(ScriptSyntaxError) {
                        program = try Script.compile(text.units, file: "evalScript", SyntaxOptions(goal: .script))
                    } catch {
                        throw realm.syntaxError(error.message)
                    }
                    try realm.runScript(program)
                    return .undefined
                }))
        suite.put("gc", .object(function("gc", length: 0) { _ in .undefined }))
        global.put(key("$262"), .object(suite), .hidden)
    }
}
