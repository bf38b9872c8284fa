/// The command that the arguments name.
struct Invocation: Sendable {
    let command: Command
    /// The values of the options by their names, in the order in which they were given. A flag has the value `true`.
    var options: [String: [String]] = [:]
    var operand: String?
    var secondOperand: String?
    /// The words of the command behind `--`.
    var program: [String] = []
    /// True if `--help` was given, so that nothing else counts.
    var asksForHelp = false

    /// The value of an option; of several, the last.
    subscript(option: String) -> String? { options[option]?.last }
}

/// Why the arguments make no sense, and what may have been meant.
struct UsageError: Error, Equatable {
    let message: String
    /// The command whose help would say more; nil: that of the program.
    var command: String?
}
