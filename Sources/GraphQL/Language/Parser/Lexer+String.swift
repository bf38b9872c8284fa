extension Lexer {
    /// Reads a string, of either form, and checks its escapes. Specification: section 2.9.4.
    mutating func readString() throws(SyntaxFault) {
        if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\""), bytes[index + 2] == UInt8(ascii: "\"") {
            return try readBlockString()
        }
        let start = index
        var place = index + 1
        var hasEscapes = false
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                return finish(.string, from: start, to: place + 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw SyntaxFault(message: "expected a double quote before the end of the line", offset: place)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                place += try escape(at: place).length
            default:
                place += 1
            }
        }
        throw SyntaxFault(message: "expected a double quote, found \(TokenKind.endOfFile.description)", offset: place)
    }

    private mutating func readBlockString() throws(SyntaxFault) {
        let start = index
        var place = index + 3
        var hasEscapes = false
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "\""), isTripleQuote(at: place) {
                return finish(.blockString, from: start, to: place + 3, hasEscapes: hasEscapes)
            }
            if bytes[place] == UInt8(ascii: "\\"), isTripleQuote(at: place + 1) {
                hasEscapes = true
                place += 4
            } else {
                place += 1
            }
        }
        throw SyntaxFault(
            message: "expected three double quotes, found \(TokenKind.endOfFile.description)", offset: place)
    }

    private func isTripleQuote(at place: Int) -> Bool {
        place + 2 < bytes.count && bytes[place] == UInt8(ascii: "\"") && bytes[place + 1] == UInt8(ascii: "\"")
            && bytes[place + 2] == UInt8(ascii: "\"")
    }

    /// What the token, a string, means.
    func stringValue(of token: Token) throws(SyntaxFault) -> String {
        let isBlock = token.kind == .blockString
        let quotes = isBlock ? 3 : 1
        let inner = UnsafeBufferPointer(rebasing: bytes[(token.start + quotes)..<(token.end - quotes)])
        if isBlock {
            return try checked(BlockString.value(of: inner, hasEscapes: token.hasEscapes), token)
        }
        return token.hasEscapes ? try unescaped(token) : try checked(inner, token)
    }

    /// Text must be UTF-8. Bytes of one that is not never get into a tree.
    private func checked(_ text: some Collection<UInt8>, _ token: Token) throws(SyntaxFault) -> String {
        guard let string = String(validating: text, as: UTF8.self) else {
            throw SyntaxFault(message: "expected UTF-8 text in the string", offset: token.start)
        }
        return string
    }

    private func unescaped(_ token: Token) throws(SyntaxFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(token.end - token.start)
        var place = token.start + 1
        while place < token.end - 1 {
            if bytes[place] == UInt8(ascii: "\\") {
                let (scalar, length) = try escape(at: place)
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                place += length
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        return try checked(text, token)
    }

    /// The character that the escape at an offset stands for, and the bytes that it takes.
    private func escape(at place: Int) throws(SyntaxFault) -> (scalar: Unicode.Scalar, length: Int) {
        guard place + 1 < bytes.count else {
            throw SyntaxFault(message: "expected an escape, found \(TokenKind.endOfFile.description)", offset: place)
        }
        switch bytes[place + 1] {
        case UInt8(ascii: "\""): return ("\"", 2)
        case UInt8(ascii: "\\"): return ("\\", 2)
        case UInt8(ascii: "/"): return ("/", 2)
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{C}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"): return try unicodeEscape(at: place)
        default:
            throw SyntaxFault(
                message: "expected one of the escapes of a string, found \"\\\" and \(characterText(at: place + 1))",
                offset: place)
        }
    }

    /// `\u00E9`, `\uD83D\uDE00` (two halves of one character), or `\u{1F600}`.
    private func unicodeEscape(at place: Int) throws(SyntaxFault) -> (scalar: Unicode.Scalar, length: Int) {
        if place + 2 < bytes.count, bytes[place + 2] == UInt8(ascii: "{") {
            return try variableUnicodeEscape(at: place)
        }
        guard let unit = fourDigits(at: place + 2) else { throw badUnicodeEscape(at: place) }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        guard unit < 0xDC00, place + 7 < bytes.count, bytes[place + 6] == UInt8(ascii: "\\"),
            bytes[place + 7] == UInt8(ascii: "u"), let low = fourDigits(at: place + 8), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else {
            throw badUnicodeEscape(at: place)
        }
        return (scalar, 12)
    }

    private func variableUnicodeEscape(at place: Int) throws(SyntaxFault) -> (scalar: Unicode.Scalar, length: Int) {
        var digits = place + 3
        var value: UInt32 = 0
        while digits < bytes.count, let digit = Self.hexadecimalValue(bytes[digits]) {
            value = value << 4 | digit
            if value > 0x10FFFF { throw badUnicodeEscape(at: place) }
            digits += 1
        }
        guard digits > place + 3, digits < bytes.count, bytes[digits] == UInt8(ascii: "}"),
            let scalar = Unicode.Scalar(value)
        else {
            throw badUnicodeEscape(at: place)
        }
        return (scalar, digits + 1 - place)
    }

    private func badUnicodeEscape(at place: Int) -> SyntaxFault {
        SyntaxFault(message: "expected a Unicode character as four hexadecimal digits or in braces", offset: place)
    }

    private func fourDigits(at place: Int) -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = Self.hexadecimalValue(bytes[place + offset]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
