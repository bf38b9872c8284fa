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

    /// All words that are a kind of their own. Their spellings stand here once more, in the order of the cases: asking a case
    /// for its name is slow, and a program is read at each start.
    static let words: [(spelling: String, kind: TokenKind)] = {
        let spellings = (reservedSpellings + " " + nameSpellings).utf8.split(separator: UInt8(ascii: " "))
        let kinds = (TokenKind.break.rawValue...TokenKind.unique.rawValue).compactMap(TokenKind.init(rawValue:))
            .filter { $0 != .escapedWord && $0 != .identifier }
        return zip(spellings, kinds).map { (String(decoding: $0, as: UTF8.self), $1) }
    }()

    private static let reservedSpellings = """
        break case catch class const continue debugger default delete do else enum export extends false finally for \
        function if import in instanceof new null return super switch this throw true try typeof var void while with \
        implements interface let package private protected public static yield
        """
    private static let nameSpellings = """
        await async of get set as from target meta abstract accessor asserts declare global infer is keyof module \
        namespace out override readonly require satisfies type unique
        """
}
