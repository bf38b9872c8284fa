/// A word or sign of an expression.
struct ExpressionToken {
    enum Kind: Equatable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case plus, minus, comma, dot
        case openingParenthesis, closingParenthesis, openingBracket, closingBracket
        case and, or, not, between, `in`
        case set, add, delete, remove
        /// A number without zeros in front.
        case index
        case identifier
        /// `#name`
        case name
        /// `:value`
        case value
        case unknown
        case end
    }

    let kind: Kind
    /// Where it stands in the bytes of the expression; for the end, behind the last one.
    let range: Range<Int>
}

extension ExpressionToken.Kind {
    /// The keyword that a word is, in any case of its letters.
    init?(keyword bytes: ArraySlice<UInt8>) {
        guard let (_, kind) = Self.keywords.first(where: { Self.isSame(bytes, $0.word) }) else { return nil }
        self = kind
    }

    private static let keywords: [(word: StaticString, kind: Self)] = [
        ("and", .and), ("or", .or), ("not", .not), ("between", .between), ("in", .in), ("set", .set), ("add", .add),
        ("delete", .delete), ("remove", .remove),
    ]

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && zip(bytes, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)).allSatisfy {
                $0 | 0x20 == $1
            }
    }
}
