extension CompletionScript {
    /// For a file `homeport.fish` in the folder of completions, or to be sourced.
    static func fish() -> String {
        var lines = [
            """
            # Completes the commands and options of homeport in fish.
            function __homeport_has_no_command
                test (count (commandline -opc)) -eq 1
            end
            function __homeport_command_is
                set -l words (commandline -opc)
                test (count $words) -gt 1; and test "$words[2]" = "$argv[1]"
            end
            complete -c homeport -f
            """,
            "complete -c homeport -n __homeport_has_no_command -l help -d \(quoted("Say what there is."))",
            "complete -c homeport -n __homeport_has_no_command -l version -d \(quoted("Print the version."))",
        ]
        for command in CommandTable.all {
            lines.append(
                "complete -c homeport -n __homeport_has_no_command -a \(command.name) -d \(quoted(command.summary))")
        }
        for command in CommandTable.all {
            let condition = "-n '__homeport_command_is \(command.name)'"
            for option in options(of: command) {
                let value =
                    switch option.value {
                    case .none, .toggle: ""
                    case .text, .integer: " -x"
                    case .path: " -r -F"
                    case .choice(let names): " -x -a \(quoted(names.joined(separator: " ")))"
                    }
                lines.append("complete -c homeport \(condition) -l \(option.name)\(value) -d \(quoted(option.summary))")
            }
            let operands = operands(of: command)
            if !operands.isEmpty {
                lines.append("complete -c homeport \(condition) -a \(quoted(operands.joined(separator: " ")))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
