import Glibc

/// Whether output is for a terminal that shows colours.
package enum TerminalColours {
    /// Yes for a terminal, unless `NO_COLOR` (no-color.org) or a dumb terminal says otherwise.
    package static func areWanted(on descriptor: Int32, environment: [String: String]) -> Bool {
        guard (environment["NO_COLOR"] ?? "").isEmpty, environment["TERM"] != "dumb" else { return false }
        return isatty(descriptor) == 1
    }
}
