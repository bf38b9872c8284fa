/// What a token is. The order matters: reserved words stand together, and everything from `identifier` on can be a name
/// of a variable.
enum TokenKind: UInt8, Sendable {
    case end
    case number, bigInteger, text, privateName

    case openBrace, closeBrace, openParenthesis, closeParenthesis, openBracket, closeBracket
    case dot, ellipsis, semicolon, comma, question, optionalDot, colon, arrow, at, backquote

    case assign
    case addAssign, subtractAssign, multiplyAssign, divideAssign, remainderAssign, powerAssign
    case shiftLeftAssign, shiftRightAssign, shiftRightUnsignedAssign, andAssign, orAssign, xorAssign
    case logicalAndAssign, logicalOrAssign, coalesceAssign

    case increment, decrement, not, complement
    case coalesce, logicalOr, logicalAnd, or, xor, and
    case equal, notEqual, same, notSame
    case less, lessOrEqual, greater, greaterOrEqual
    case shiftLeft, shiftRight, shiftRightUnsigned
    case add, subtract, multiply, divide, remainder, power

    case `break`, `case`, `catch`, `class`, const, `continue`, debugger, `default`, delete, `do`, `else`, `enum`, export
    case extends, `false`, finally, `for`, function, `if`, `import`, `in`, instanceof, new, null, `return`, `super`
    case `switch`, this, `throw`, `true`, `try`, typeof, `var`, void, `while`, with
    // These are reserved because all code is strict.
    case implements, interface, `let`, package, `private`, protected, `public`, `static`, yield
    /// A reserved word that is written with an escape: only good for a property's name.
    case escapedWord

    case identifier
    case await, async, of, get, set, `as`, from, target, meta
    case abstract, accessor, asserts, declare, global, infer, `is`, keyof, module, namespace, out, override, readonly
    case require, satisfies, type, unique

    /// Reserved words and names: what can stand behind a dot.
    var isWord: Bool { rawValue >= TokenKind.break.rawValue }
    /// Can be a name of a variable, but for `await` where that is an operator.
    var isIdentifier: Bool { rawValue >= TokenKind.identifier.rawValue }
    var isReservedInStrictCodeOnly: Bool {
        rawValue >= TokenKind.implements.rawValue && rawValue <= TokenKind.yield.rawValue
    }
    var isAssignment: Bool {
        rawValue >= TokenKind.assign.rawValue && rawValue <= TokenKind.coalesceAssign.rawValue
    }

    /// All words that are a kind of their own.
    static let words: [(spelling: String, kind: TokenKind)] =
        (TokenKind.break.rawValue...TokenKind.unique.rawValue).compactMap { raw in
            guard let kind = TokenKind(rawValue: raw), kind != .escapedWord, kind != .identifier else { return nil }
            return ("\(kind)", kind)
        }
}
