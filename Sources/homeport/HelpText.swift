import Server

/// The texts of `help` and `--help`, from the table of commands.
enum HelpText {
    private static let width = 100

    /// The help of the program.
    static func program() -> String {
        let commands = CommandTable.all.map { (heading($0) + program($0), $0.summary) }
        let codes = ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }
        return """
            Usage: homeport COMMAND [OPTION]...

            A self-hosted AppSync: give it the schema of an Amplify app, and it serves the app's API.

            Commands:
            \(table(commands))

            `homeport help COMMAND` says what a command's options are.

            Exit codes:
            \(table(codes))
            """
    }

    /// The help of a command.
    static func command(_ command: Command) -> String {
        var usage = "Usage: homeport \(heading(command))"
        if !command.options.isEmpty { usage += " [OPTION]..." }
        usage += self.program(command)
        let options = (command.options + [CommandTable.help]).map { option in
            (option.usage, option.summary + (option.isRepeatable ? " May be repeated." : ""))
        }
        var parts = [usage, command.summary]
        for operand in [command.operand, command.secondOperand].compactMap(\.self) where isLong(operand) {
            let choices = wrapped(operand.choices.joined(separator: ", "), to: width - operand.name.count - 2)
            parts.append("\(operand.name): " + choices.joined(separator: "\n  "))
        }
        parts.append("Options:\n" + table(options))
        if !command.notes.isEmpty { parts.append(command.notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// The words behind the options.
    private static func program(_ command: Command) -> String { command.program.map { " -- \($0.name)" } ?? "" }

    private static func heading(_ command: Command) -> String {
        ([command.name]
            + [command.operand, command.secondOperand].compactMap(\.self).map { operand in
                let name =
                    operand.choices.isEmpty || isLong(operand) ? operand.name : operand.choices.joined(separator: "|")
                return operand.isRequired ? name : "[\(name)]"
            }).joined(separator: " ")
    }

    /// Returns whether its choices stand in a line of their own.
    private static func isLong(_ operand: Command.Operand) -> Bool {
        operand.choices.joined(separator: "|").count > choicesMax
    }

    private static let choicesMax = 66

    /// Two columns, the second one wrapped.
    private static func table(_ rows: [(String, String)]) -> String {
        let indent = min(rows.map(\.0.count).max() ?? 0, 28) + 4
        return rows.map { left, right in
            var lines = wrapped(right, to: width - indent)
            var text = "  " + left
            if text.count + 2 > indent {
                text += "\n" + String(repeating: " ", count: indent)
            } else {
                text += String(repeating: " ", count: indent - text.count)
            }
            text += lines.isEmpty ? "" : lines.removeFirst()
            for line in lines { text += "\n" + String(repeating: " ", count: indent) + line }
            return text
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
