import Server

/// The reference of the commands for people, from the help.
enum CommandReference {
    /// The document `docs/command-line.md`.
    static func markdown() -> String {
        let commands = CommandTable.all.map { command in
            "## `homeport \(command.name)`\n\n```text\n\(HelpText.command(command))\n```"
        }
        return """
            # Command line

            `--option value` and `--option=value` are the same; `--` ends the options.

            ```text
            \(HelpText.program())
            ```

            \(commands.joined(separator: "\n\n"))

            """
    }
}
