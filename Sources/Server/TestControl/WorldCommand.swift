import JSON

/// How a server starts another one as a world: the same program and configuration, with a free port, an empty database in memory and a
/// data folder of its own.
struct WorldCommand: Sendable {
    /// The options that hold for worlds too. All others are the world's own, or are of no use to it.
    private static let sameOptions = ["config", "schema", "explain-auth", "log-format"]

    private let options: [String]
    private let environment: [String: String]
    /// The names of the pool, its clients and the buckets, which are those of this server.
    let names: [UInt8]?
    /// True if the project can change while the server runs: a process that has waited might know an older one.
    let isWatching: Bool

    init(
        _ given: (file: String?, options: [String: [String]]), _ environment: [String: String],
        _ configuration: Configuration, isWatching: Bool
    ) {
        var options = given.options
        if let file = given.file { options["config"] = [file] }
        self.options = Self.sameOptions.flatMap { name in (options[name] ?? []).map { "--\(name)=\($0)" } }
        self.environment = environment
        names = try? PoolFile.content(for: configuration)
        self.isWatching = isWatching
    }

    /// The words of its command.
    func words(in folder: String) -> [String] {
        [
            "homeport", "exec", "--stdio", "--test-control", "--host=127.0.0.1", "--port=0", "--database=:memory:",
            "--data=\(Self.data(in: folder))", "--watch=false", "--console=false", "--log-level=error",
        ] + options
    }

    /// Its data folder.
    static func data(in folder: String) -> String { "\(folder)/data" }

    /// The variables that are another world's in another world.
    static func ownVariables(in folder: String) -> [String: String] {
        ["TMPDIR": folder, ExecCommand.worldVariable: "1"]
    }

    /// Its environment. What it keeps for a while lies in its folder too: files are linked, which needs the same disk.
    func variables(in folder: String, _ key: TestKey) -> [String: String] {
        var variables = environment
        for name in ["HOMEPORT_SEED", ExecCommand.databaseVariable, ExecCommand.filesVariable] { variables[name] = nil }
        for (name, value) in Self.ownVariables(in: folder) { variables[name] = value }
        variables[TestKey.variable] = key.text
        // One test does not need the machine's cores, and each loop takes memory.
        variables["HOMEPORT_EVENT_LOOPS"] = "1"
        return variables
    }
}
