import JSON

/// `homeport exec`: a server for one command, such as the tests of an app, which begins empty and leaves nothing.
package enum ExecCommand {
    /// The defaults of options: a free port, for this machine only, and a database that nobody keeps.
    package static let defaults = ["host": "127.0.0.1", "port": "0", "database": ":memory:"]

    /// The variable that names the database of the server to commands beside it. Servers that such a command starts have another one.
    package static let databaseVariable = "HOMEPORT_EXEC_DATABASE"
    /// The same for the folder of its files.
    static let filesVariable = "HOMEPORT_EXEC_FILES"
    /// Where the server is, for commands of others.
    static let addressVariable = "HOMEPORT_URL"
    /// A key of its API, for the same.
    static let keyVariable = "HOMEPORT_API_KEY"
    /// Set where a server has started another one as a world: that one leaves the app's files alone, and has no worlds.
    static let worldVariable = "HOMEPORT_EXEC_WORLD"
    /// Its value where worlds are forked from the process.
    static let templateValue = "template"

    /// Names the program to libraries that start it.
    private static let programVariable = "HOMEPORT_PROGRAM"

    /// Those of the variables that a command finds which are no settings.
    static let variables = [
        databaseVariable, filesVariable, addressVariable, keyVariable, worldVariable, programVariable,
    ]

    /// Runs a command beside the server, and ends the process with its code. Comes back where there was no server.
    ///
    /// - Parameters:
    ///   - words: the command; none: the program that has started this one takes its place.
    ///   - seed: a command of the shell that runs before.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ words: [String], seed: String?,
        environment: [String: String], _ output: CommandOutput
    ) -> ExitCode {
        if environment[worldVariable].map({ ByteText($0) }) == ByteText(templateValue) {
            return WorldForks.serve(resolution.telling(.warning), environment: environment, output)
        }
        let lines = words.isEmpty ? GuestLines() : nil
        let guest = GuestCommand(GuestCommand.Wish(words: words, seed: seed, lines: lines))
        // What the command prints counts.
        let code = Server.run(
            resolution.telling(.warning), environment: environment, output, guest: guest)
        guard code == .success, let status = guest.status else { return code }
        ProcessEnd.now(command: status)
    }
}
