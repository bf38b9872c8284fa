extension CompletionScript {
    /// Works with bash 3.2 and without the bash-completion package. `--option=value` arrives in three words there.
    static func bash() -> String {
        let names = CommandTable.all.map(\.name).joined(separator: " ")
        return """
            # Completes the commands and options of homeport in bash.
            _homeport_files() {
                local IFS=$'\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -f -- "$1"))
            }
            _homeport() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" index
                COMPREPLY=()
                if [ "$word" = "=" ]; then
                    word=""
                elif [ "$previous" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
                    previous="${COMP_WORDS[COMP_CWORD-2]}"
                fi
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "${COMP_WORDS[index]}" in
                        -*) ;;
                        *) command="${COMP_WORDS[index]}"; break ;;
                    esac
                done
                case "$command,$previous" in
            \(CommandTable.all.map(values).joined())    esac
                case "$command" in
                    "") COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word")) ;;
            \(CommandTable.all.map(words).joined())    esac
            }
            complete -F _homeport homeport
            """
    }

    /// The words behind the options of a command.
    private static func values(_ command: Command) -> String {
        command.options.map { option in
            let answer: String
            switch option.value {
            case .none, .toggle: return ""
            case .path: answer = "_homeport_files \"$word\""
            case .choice(let names): answer = reply(names)
            case .text, .integer: answer = ":"
            }
            return "        \(command.name),--\(option.name)) \(answer); return ;;\n"
        }.joined()
    }

    private static func words(_ command: Command) -> String {
        let options = reply(options(of: command).map { "--\($0.name)" })
        let operands = operands(of: command)
        if operands.isEmpty { return "        \(command.name)) \(options) ;;\n" }
        return "        \(command.name)) case \"$word\" in -*) \(options) ;; *) \(reply(operands)) ;; esac ;;\n"
    }

    private static func reply(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
    }
}
