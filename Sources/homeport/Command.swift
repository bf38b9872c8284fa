/// A command of the program: a row of the table from which parsing, help and completion come.
struct Command: Sendable {
    let name: String
    let summary: String
    /// The words that may follow the command, besides options.
    var operand: Operand?
    /// The words that may follow that.
    var secondOperand: Operand?
    let options: [CommandOption]
    /// What is behind `--`: the words of another command.
    var program: Operand?
    /// What else there is to say in its help.
    var notes: [String] = []

    /// A word after the command that is no option.
    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        /// The allowed values; empty: any.
        var choices: [String] = []
        /// The option that it is another way to write; of a program, the option that takes its place.
        var option: String?
    }
}

/// An option of a command.
struct CommandOption: Sendable {
    /// The value behind an option.
    enum Value: Sendable, Equatable {
        /// Nothing.
        case none
        /// Nothing, or `=true` or `=false`.
        case toggle
        /// A text, shown in the help by this name.
        case text(String)
        /// A file or folder, shown in the help by this name.
        case path(String)
        /// A number, or the word that stands for one.
        case integer(String, ClosedRange<Int>, or: String? = nil)
        case choice([String])
    }

    /// The name without its dashes.
    let name: String
    let value: Value
    let summary: String
    var isRepeatable = false
    var isRequired = false

    /// True if `--no-NAME` switches it off.
    var isToggle: Bool { if case .toggle = value { true } else { false } }

    /// More choices than these have no place beside the option's name.
    private static let choicesShownMax = 8

    /// How it is written in the help: `--port N`.
    var usage: String {
        switch value {
        case .none, .toggle: "--\(name)"
        case .text(let placeholder), .path(let placeholder): "--\(name) \(placeholder)"
        case .integer(let placeholder, _, let word): "--\(name) \(placeholder)\(word.map { "|\($0)" } ?? "")"
        case .choice(let names) where names.count > Self.choicesShownMax: "--\(name) \(name.uppercased())"
        case .choice(let names): "--\(name) \(names.joined(separator: "|"))"
        }
    }
}
