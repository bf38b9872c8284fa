import JSON

/// The words and signs of an expression, and how a refusal shows them.
struct ExpressionTokens {
    let bytes: [UInt8]
    /// At least one: the end.
    private let tokens: [ExpressionToken]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var tokens: [ExpressionToken] = []
        var index = 0
        while index < bytes.count {
            let start = index
            guard let kind = Self.next(bytes, &index) else { continue }
            tokens.append(ExpressionToken(kind: kind, range: start..<index))
        }
        tokens.append(ExpressionToken(kind: .end, range: bytes.count..<bytes.count))
        self.tokens = tokens
    }

    /// The token at that place; behind the last one there is the end.
    subscript(place: Int) -> ExpressionToken {
        place < tokens.count ? tokens[place] : ExpressionToken(kind: .end, range: bytes.count..<bytes.count)
    }

    func text(of token: ExpressionToken) -> String { text(token.range) }

    /// What a refusal says about a token that does not belong where it stands: the token, and the text from the one before
    /// it to the one behind it.
    func refusal(at place: Int) -> String {
        let token = self[place]
        let shown = token.kind == .end ? "<EOF>" : text(of: token)
        let start = place > 0 ? self[place - 1].range.lowerBound : 0
        let end = token.kind == .end ? bytes.count : self[place + 1].range.upperBound
        return "Syntax error; token: \"\(shown)\", near: \"\(text(start..<end))\""
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The kind of the token that begins at the index, which moves behind it; nil for a blank.
    private static func next(_ bytes: [UInt8], _ index: inout Int) -> ExpressionToken.Kind? {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
        case UInt8(ascii: "="): return .equal
        case UInt8(ascii: "<"):
            if skip(UInt8(ascii: ">"), bytes, &index) { return .notEqual }
            return skip(UInt8(ascii: "="), bytes, &index) ? .lessOrEqual : .less
        case UInt8(ascii: ">"): return skip(UInt8(ascii: "="), bytes, &index) ? .greaterOrEqual : .greater
        case UInt8(ascii: "+"): return .plus
        case UInt8(ascii: "-"): return .minus
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "."): return .dot
        case UInt8(ascii: "("): return .openingParenthesis
        case UInt8(ascii: ")"): return .closingParenthesis
        case UInt8(ascii: "["): return .openingBracket
        case UInt8(ascii: "]"): return .closingBracket
        case UInt8(ascii: "0"): return .index
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            while index < bytes.count, bytes[index].isDigit { index += 1 }
            return .index
        case UInt8(ascii: "#"), UInt8(ascii: ":"):
            let start = index
            while index < bytes.count, bytes[index].isWord { index += 1 }
            guard index > start else { return .unknown }
            return byte == UInt8(ascii: "#") ? .name : .value
        case let byte where byte.isLetter:
            let start = index - 1
            while index < bytes.count, bytes[index].isWord { index += 1 }
            return ExpressionToken.Kind(keyword: bytes[start..<index]) ?? .identifier
        default:
            // All bytes of a character that is none of ASCII.
            while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            return .unknown
        }
    }

    private static func skip(_ sign: UInt8, _ bytes: [UInt8], _ index: inout Int) -> Bool {
        guard index < bytes.count, bytes[index] == sign else { return false }
        index += 1
        return true
    }
}
