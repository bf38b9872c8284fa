/// What is planned and not there yet, though people ask for it by name: they are told so, and what to do meanwhile.
package enum Planned {
    /// By the name of the command.
    private static let commands: [String: String] = [
        "console": "the page is at / of a server that runs"
    ]

    /// By the key of the configuration.
    private static let settings: [String: String] = [:]

    /// What is said of a command that is not there yet; nil for one that nobody thinks of.
    package static func answer(command name: String) -> String? {
        commands[name].map { "the command \(name) is not there yet: \($0)" }
    }

    /// What is said of an option of `serve`.
    package static func answer(option name: String) -> String? {
        settings[name].map { "--\(name) is not there yet: \($0)" }
    }

    /// What is said of a key of the configuration.
    static func answer(key path: String) -> String? {
        settings[path].map { "it is not there yet: \($0)" }
    }

    /// The variables that somebody may set for them, with the keys.
    static let variables: [(name: String, key: String)] = settings.keys.sorted().map {
        (ConfigurationKey.environmentName(of: $0), $0)
    }
}
