/// Something wrong with the configuration: where, which key, what was expected, what was found.
package struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// `config.json:3:11`, `HOMEPORT_PORT` or `--port`.
    package let place: String
    /// The key's path; empty when the whole file is meant.
    package let key: String
    package let message: String

    package var description: String {
        key.isEmpty ? "\(place): \(message)" : "\(place): \(key): \(message)"
    }

    /// As the program says it: what is in a file begins with its place, as compilers have it, all else with the
    /// program's name.
    package var report: String {
        let isNoFile = place == "configuration" || place.hasPrefix("--") || place.hasPrefix("HOMEPORT_")
        return isNoFile
            ? "homeport: \(description)"
            : key.isEmpty
                ? "\(place): error: \(message)" : "\(place): error: \(key): \(message)"
    }
}

/// All that is wrong with the configuration.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problems: [ConfigurationProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }

    package var report: String { problems.map(\.report).joined(separator: "\n") }
}
