/// The smallest meaningful piece of a document: its kind, and the bytes it covers. Specification: section 2.1.6.
struct Token {
    var kind: TokenKind
    /// True if a string has escapes, so that its text is not simply its bytes.
    var hasEscapes = false
    var start: Int
    var end: Int
}

/// The kinds of tokens.
enum TokenKind: UInt8 {
    case endOfFile
    case exclamationMark
    case dollar
    case ampersand
    case leftParenthesis
    case rightParenthesis
    case spread
    case colon
    case equals
    case at
    case leftBracket
    case rightBracket
    case leftBrace
    case verticalBar
    case rightBrace
    case name
    case int
    case float
    case string
    case blockString

    /// How a message names it.
    var description: String {
        switch self {
        case .endOfFile: "the end of the document"
        case .exclamationMark: "\"!\""
        case .dollar: "\"$\""
        case .ampersand: "\"&\""
        case .leftParenthesis: "\"(\""
        case .rightParenthesis: "\")\""
        case .spread: "\"...\""
        case .colon: "\":\""
        case .equals: "\"=\""
        case .at: "\"@\""
        case .leftBracket: "\"[\""
        case .rightBracket: "\"]\""
        case .leftBrace: "\"{\""
        case .verticalBar: "\"|\""
        case .rightBrace: "\"}\""
        case .name: "a name"
        case .int: "an integer"
        case .float: "a number"
        case .string, .blockString: "a string"
        }
    }
}

/// What lexer and parser throw: cheap to make; `Document` adds line, column and text for the reader.
struct SyntaxFault: Error {
    var kind: SyntaxError.Kind = .syntax
    var message: String
    var offset: Int
}
