import Blueprint
import Server

/// Reads arguments by the table of commands.
///
/// `--option value` and `--option=value` are the same; `--no-option` is `--option=false`; `--` ends the options; the last value of an option counts
/// unless it may be repeated.
enum ArgumentParser {
    /// Reads the arguments. They do not include the name of the program.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else { throw UsageError(message: "expected a command") }
        switch first {
        case "--help", "-h": return try parse(["help"] + arguments.dropFirst())
        case "--version": return try parse(["version"] + arguments.dropFirst())
        default: break
        }
        guard let command = CommandTable.command(named: first) else { throw unknown(first) }
        var rest = arguments.dropFirst()
        var invocation = Invocation(command: command)
        var areOptionsOver = false
        while let word = rest.popFirst() {
            if !areOptionsOver, word == "--" {
                areOptionsOver = true
                guard command.program == nil else {
                    invocation.program = Array(rest)
                    break
                }
            } else if !areOptionsOver, word == "--help" || word == "-h" {
                invocation.asksForHelp = true
                return invocation
            } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
                try read(word, &rest, into: &invocation)
            } else {
                try readOperand(word, into: &invocation)
            }
        }
        try placeOperand(&invocation)
        try checkComplete(invocation)
        return invocation
    }

    private static func read(
        _ word: String, _ rest: inout ArraySlice<String>, into invocation: inout Invocation
    ) throws(UsageError) {
        let command = invocation.command
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let given = parts.count > 1 ? parts[1] : nil
        guard word.hasPrefix("--"), let option = command.options.first(where: { "--\($0.name)" == parts[0] }) else {
            guard let off = command.options.first(where: { $0.isToggle && "--no-\($0.name)" == parts[0] }) else {
                throw unknown(parts[0], of: command)
            }
            guard given == nil else { throw error("\(parts[0]) takes no value", command) }
            invocation.options[off.name] = ["false"]
            return
        }
        let value: String
        switch option.value {
        case .none:
            guard given == nil else { throw error("--\(option.name) takes no value", command) }
            value = "true"
        case .toggle:
            value = given ?? "true"
            guard ["true", "false"].contains(value) else {
                throw error("--\(option.name) is true or false, not \"\(value)\"", command)
            }
        default:
            guard let text = given ?? rest.popFirst() else { throw error("--\(option.name) needs a value", command) }
            value = text
        }
        try check(value, option, command)
        guard option.isRepeatable || invocation.options[option.name] == nil else {
            invocation.options[option.name] = [value]
            return
        }
        invocation.options[option.name, default: []].append(value)
    }

    private static func check(_ value: String, _ option: CommandOption, _ command: Command) throws(UsageError) {
        switch option.value {
        case .integer(_, let range, let word):
            if let word, word.utf8.elementsEqual(value.utf8) { return }
            guard let number = Int(value), range.contains(number) else {
                throw error(
                    "--\(option.name) is an integer from \(range.lowerBound) to \(range.upperBound), not \"\(value)\"",
                    command)
            }
        case .choice(let names):
            guard names.contains(value) else {
                var message = "--\(option.name) is one of \(names.joined(separator: ", ")), not \"\(value)\""
                if let nearest = NearestName.of(value, in: names) { message += "; did you mean \(nearest)?" }
                throw error(message, command)
            }
        case .path, .text:
            guard !value.isEmpty else { throw error("--\(option.name) needs a value, found an empty one", command) }
        case .none, .toggle: break
        }
    }

    private static func readOperand(_ word: String, into invocation: inout Invocation) throws(UsageError) {
        let command = invocation.command
        if invocation.operand != nil, command.secondOperand != nil, invocation.secondOperand == nil {
            guard !word.isEmpty else { throw error("expected a name, found an empty text", command) }
            invocation.secondOperand = word
            return
        }
        guard let operand = command.operand, invocation.operand == nil else {
            guard command.program == nil else {
                let words = ([invocation.operand].compactMap { $0 } + [word]).joined(separator: " ")
                throw error(
                    "expected nothing more, found \"\(word)\"; put -- before the command: "
                        + "homeport \(command.name) -- \(words)", command)
            }
            throw error("expected nothing more, found \"\(word)\"", command)
        }
        if !operand.choices.isEmpty, !operand.choices.contains(word) {
            throw error(
                "\(operand.name) is one of \(operand.choices.joined(separator: ", ")), not \"\(word)\"", command)
        }
        invocation.operand = word
    }

    /// An operand that is another way to write an option counts as that.
    private static func placeOperand(_ invocation: inout Invocation) throws(UsageError) {
        let command = invocation.command
        guard let word = invocation.operand, let operand = command.operand, let option = operand.option else { return }
        guard invocation.options[option] == nil else {
            throw error("expected one \(operand.name), found two: --\(option) is the same", command)
        }
        guard !word.isEmpty else { throw error("expected \(operand.name), found an empty text", command) }
        invocation.options[option] = [word]
    }

    private static func checkComplete(_ invocation: Invocation) throws(UsageError) {
        let command = invocation.command
        if let operand = command.operand, operand.isRequired, invocation.operand == nil {
            let choices = operand.choices.isEmpty ? "" : ": \(operand.choices.joined(separator: ", "))"
            throw error("expected \(operand.name)\(choices)", command)
        }
        if let program = command.program {
            let option = program.option.flatMap { invocation.options[$0] == nil ? nil : $0 }
            let isEmpty = invocation.program.isEmpty || invocation.program[0].isEmpty
            guard isEmpty != (option == nil) else {
                throw error(
                    option.map { "--\($0) takes the place of \(program.name): give one of the two" }
                        ?? "expected -- and behind it \(program.name)", command)
            }
        }
        for option in command.options where option.isRequired && invocation.options[option.name] == nil {
            throw error("expected --\(option.name)", command)
        }
    }

    /// The message about an unknown command.
    static func unknown(_ name: String) -> UsageError {
        if name == "console" {
            return UsageError(message: "there is no command \"console\": it is the page at / of a server that runs")
        }
        let isOption = name.hasPrefix("-")
        var message = isOption ? "expected a command, found the option \(name)" : "there is no command \"\(name)\""
        if !isOption, let nearest = NearestName.of(name, in: CommandTable.all.map(\.name)) {
            message += "; did you mean \(nearest)?"
        }
        return UsageError(message: message)
    }

    private static func unknown(_ option: String, of command: Command) -> UsageError {
        let bare = String(option.drop { $0 == "-" })
        let names = (command.options + [CommandTable.help]).map(\.name)
        // One letter stands for the first option that begins with it: that is what people try.
        let nearest =
            bare.utf8.count == 1 && !option.hasPrefix("--")
            ? names.first { $0.hasPrefix(bare) } : NearestName.of(bare, in: names)
        var message = "\(command.name) has no option \(option)"
        if let nearest { message += "; did you mean --\(nearest)?" }
        return error(message, command)
    }

    private static func error(_ message: String, _ command: Command) -> UsageError {
        UsageError(message: message, command: command.name)
    }
}
