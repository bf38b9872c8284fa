/// A piece of the text: a word, a literal or a sign.
struct Token {
    var kind = TokenKind.end
    /// A line ends between the token before and this one.
    var isAfterLineBreak = false
    /// A word or text with an escape in it.
    var hasEscape = false
    var start: Int32 = 0
    var end: Int32 = 0
    var line: Int32 = 1
    var lineStart: Int32 = 0
    /// Of a word, and of a private name together with its `#`.
    var name = Name.known(.empty)
    /// Of a number.
    var number: Double = 0

    var place: Place { Place(line: line, column: start - lineStart + 1, offset: start) }
}

/// Reading stops. The reason is with the lexer, so that nothing has to be carried up.
struct SyntaxRefusal: Error {}
