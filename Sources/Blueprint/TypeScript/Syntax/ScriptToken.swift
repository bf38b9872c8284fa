import GraphQL

/// A token of TypeScript: what it is, what it means, and where it stands.
struct ScriptToken {
    enum Kind: UInt8 {
        case name
        /// A keyword is a name to the lexer; the parser knows where it is none.
        case punctuator
        case string
        case number
        case regularExpression
        /// A template without substitutions.
        case template
        /// The parts of a template with substitutions: up to the first, between two, and behind the last.
        case templateHead, templateMiddle, templateTail
        case end
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// Whether a line ends between it and the token before.
    let isOnNewLine: Bool
    /// The name, the punctuator, or what a string means.
    let text: String
    var number: Double = 0
}

extension ScriptToken {
    /// How messages call it.
    var description: String {
        switch kind {
        case .end: "the end of the file"
        case .string: "a string"
        case .template, .templateHead, .templateMiddle, .templateTail: "a template"
        case .regularExpression: "a regular expression"
        default: "\"\(text)\""
        }
    }

    func isPunctuator(_ text: String) -> Bool { kind == .punctuator && self.text == text }
    func isName(_ text: String) -> Bool { kind == .name && self.text == text }
}
