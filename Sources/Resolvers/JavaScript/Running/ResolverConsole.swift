import JSON
import Script

/// `console`: a line for each call, `INFO - code.js:5:3: "a" {"b":1}`.
enum ResolverConsole {
    static let table: [NativeProperty] = [("log", "INFO"), ("error", "ERROR")].map { (name, level) in
        .method(name, length: 0) { call throws(Thrown) in
            let run = try call.run
            var parts: [String] = []
            for value in call.arguments { parts.append(try show(value, call.realm, run.limits)) }
            run.log(level, parts.joined(separator: " "), at: run.callPlace(in: call.realm))
            return .undefined
        }
    }

    private static func show(_ value: Value, _ realm: Realm, _ limits: ResolverLimits) throws(Thrown) -> String {
        if value.isUndefined { return "undefined" }
        if value.isCallable { return "function" }
        var reader = ValueReader(realm, nestingMax: limits.nestingMax, bytesMax: limits.resultBytesMax)
        return JSONWriter.text(of: try reader.json(value))
    }
}
