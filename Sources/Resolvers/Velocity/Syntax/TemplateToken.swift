/// A piece of a template, as Velocity's grammar cuts it.
struct TemplateToken: Sendable {
    enum Kind: UInt8, Sendable {
        case end
        // Text and what is no text.
        case text, escape, doubleEscape, escapedDirective, emptyIndex, comment, unparsed
        // Directives.
        case setDirective, ifDirective, elseIfDirective, elseDirective, endDirective, word, bracketedWord
        // References.
        case identifier, dot, leftBrace, rightBrace, leftIndex, rightIndex
        // Literals and punctuation of expressions.
        case string, integer, decimal, yes, no, null, space, comma, colon, twoDots
        case leftBracket, rightBracket, leftCurly, rightCurly, leftParenthesis, rightParenthesis, methodEnd
        case minus, plus, times, divide, modulo
        case and, or, not, less, lessOrEqual, greater, greaterOrEqual, equal, notEqual, assign
        // Kinds that the lexer keeps for itself.
        case more, skipped, terminator
    }

    let kind: Kind
    /// Where the token begins, marks such as `$` and backslashes in front of its name included.
    let start: Int
    let end: Int
    /// Marks that began something which was none: they are text if this token is printed.
    var marks: [UInt8] = []
}
