extension CompletionScript {
    /// For a file `_homeport` in the function path, or to be sourced after `compinit`.
    static func zsh() -> String {
        """
        #compdef homeport
        # Completes the commands and options of homeport in zsh.
        _homeport() {
            local -a commands
            commands=(
        \(CommandTable.all.map { "        \(quoted("\($0.name):\($0.summary)"))\n" }.joined())    )
            if (( CURRENT == 2 )); then
                _describe -t commands command commands
                return
            fi
            local command="${words[2]}"
            shift words
            (( CURRENT-- ))
            case "$command" in
        \(CommandTable.all.map(arguments).joined())    esac
        }
        if [ "$funcstack[1]" = "_homeport" ]; then
            _homeport "$@"
        else
            compdef _homeport homeport
        fi
        """
    }

    private static func arguments(_ command: Command) -> String {
        var lines = options(of: command).map { option in
            let summary = escaped(option.summary)
            let marker = option.isRepeatable ? "*" : ""
            let argument =
                switch option.value {
                case .none, .toggle: "--\(option.name)[\(summary)]"
                case .text(let name), .integer(let name, _, _): "--\(option.name)=[\(summary)]:\(name): "
                case .path(let name): "--\(option.name)=[\(summary)]:\(name):_files"
                case .choice(let names):
                    "--\(option.name)=[\(summary)]:\(option.name):(\(names.joined(separator: " ")))"
                }
            return quoted(marker + argument)
        }
        let operands = operands(of: command)
        if !operands.isEmpty, let operand = command.operand {
            lines.append(quoted("1:\(operand.name):(\(operands.joined(separator: " ")))"))
        }
        return "        \(command.name)) _arguments \(lines.joined(separator: " \\\n            ")) ;;\n"
    }

    /// A text between brackets and colons of `_arguments`.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
