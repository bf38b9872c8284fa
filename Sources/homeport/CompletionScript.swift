/// The scripts with which shells complete commands and options, from the table of commands.
enum CompletionScript {
    /// The script for one of `CommandTable.shells`.
    static func text(for shell: String) -> String {
        switch shell {
        case "zsh": zsh()
        case "fish": fish()
        default: bash()
        }
    }

    /// The options of a command, and `--help`.
    static func options(of command: Command) -> [CommandOption] {
        command.options + [CommandTable.help]
    }

    /// The words that may stand behind a command.
    static func operands(of command: Command) -> [String] {
        command.name == "help" ? CommandTable.all.map(\.name) : command.operand?.choices ?? []
    }

    /// A text in single quotes, with those inside written as every POSIX shell reads them.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
