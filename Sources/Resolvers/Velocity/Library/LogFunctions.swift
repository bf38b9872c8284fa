import JSON

/// `$util.log`: lines of the log, with `{}` for each further argument.
enum LogFunctions {
    static let all = ["info", "error", "debug"].map { level in
        OwnFunction("util.log.\(level)", 1...Int.max) { arguments, run throws(TemplateExit) in
            var line = arguments[0].isNull ? "null" : try run.text(of: arguments[0])
            if arguments.count > 1 {
                let parts = line.parts(separatedBy: "{}")
                line = parts[0]
                for (index, part) in parts.enumerated().dropFirst() {
                    line += index < arguments.count ? try run.text(of: arguments[index]) : "{}"
                    line += part
                }
            }
            try run.hold(bytes: line.utf8.count)
            run.log("\(level.uppercased()) - \(line)")
            return .text("")
        }
    }
}
