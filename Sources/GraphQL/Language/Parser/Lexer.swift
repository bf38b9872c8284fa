/// Cuts the bytes of a document into tokens, one at a time. Specification: section 2.1.
///
/// Hot path: it works on bytes and allocates nothing. Strings and numbers are checked here and read later, by whoever
/// wants their value.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var token = Token(kind: .endOfFile, start: 0, end: 0)
    /// Where the token that is read starts.
    private(set) var index = 0
    private var tokensLeft: Int
    private let tokensMax: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DocumentLimits) {
        self.bytes = bytes
        tokensLeft = limits.tokensMax
        tokensMax = limits.tokensMax
    }

    /// Makes the next token the current one. At the end it stays there.
    @inline(never)
    mutating func advance() throws(SyntaxFault) {
        try step()
    }

    /// The same without a call, for the loops that most tokens go through.
    @inline(__always)
    mutating func step() throws(SyntaxFault) {
        let place = Self.skippingSpaces(in: bytes, from: token.end)
        guard place < bytes.count else {
            token = Token(kind: .endOfFile, start: bytes.count, end: bytes.count)
            return
        }
        let byte = bytes[place]
        if Self.startsName(byte), tokensLeft > 0 {
            tokensLeft &-= 1
            token = Token(kind: .name, start: place, end: Self.endOfName(in: bytes, from: place))
        } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "{"), tokensLeft > 0 {
            tokensLeft &-= 1
            let kind: TokenKind = byte == UInt8(ascii: "}") ? .rightBrace : .leftBrace
            token = Token(kind: kind, start: place, end: place &+ 1)
        } else {
            index = place
            try readOther()
        }
    }

    /// Reads a token that is neither a name nor a brace, or has more before it than spaces and line feeds.
    @inline(never)
    private mutating func readOther() throws(SyntaxFault) {
        if bytes[index] <= UInt8(ascii: ",") || bytes[index] >= 0x80 { skipIgnored() }
        guard index < bytes.count else {
            token = Token(kind: .endOfFile, start: bytes.count, end: bytes.count)
            return
        }
        tokensLeft -= 1
        if tokensLeft < 0 { throw tooManyTokens() }
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "{"): single(.leftBrace)
        case UInt8(ascii: "}"): single(.rightBrace)
        case UInt8(ascii: "("): single(.leftParenthesis)
        case UInt8(ascii: ")"): single(.rightParenthesis)
        case UInt8(ascii: ":"): single(.colon)
        case UInt8(ascii: "!"): single(.exclamationMark)
        case UInt8(ascii: "$"): single(.dollar)
        case UInt8(ascii: "@"): single(.at)
        case UInt8(ascii: "["): single(.leftBracket)
        case UInt8(ascii: "]"): single(.rightBracket)
        case UInt8(ascii: "="): single(.equals)
        case UInt8(ascii: "|"): single(.verticalBar)
        case UInt8(ascii: "&"): single(.ampersand)
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "."): try readSpread()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try readNumber()
        default:
            guard Self.startsName(byte) else { throw unexpectedCharacter(at: index) }
            finish(.name, from: index, to: Self.endOfName(in: bytes, from: index))
        }
    }

    private func tooManyTokens() -> SyntaxFault {
        SyntaxFault(
            kind: .limit, message: "the document has too many tokens (more than \(tokensMax))", offset: index)
    }

    /// Skips white space, line ends, commas, comments and byte order marks.
    @inline(never)
    private mutating func skipIgnored() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                index = Self.skippingSpaces(in: bytes, from: index)
            case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index += 1
            case UInt8(ascii: "#"):
                skipComment()
            case 0xEF where bytes[index...].starts(with: LineMap.byteOrderMark):
                index += LineMap.byteOrderMark.count
            default:
                return
            }
        }
    }

    private mutating func skipComment() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
            index += 1
        }
    }

    @inline(__always)
    private mutating func single(_ kind: TokenKind) {
        finish(kind, from: index, to: index &+ 1)
    }

    private mutating func readSpread() throws(SyntaxFault) {
        guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "."), bytes[index + 2] == UInt8(ascii: ".")
        else {
            throw SyntaxFault(message: "expected \"...\", found \".\"", offset: index)
        }
        finish(.spread, from: index, to: index + 3)
    }

    /// Makes a token of the bytes from one offset up to another.
    mutating func finish(_ kind: TokenKind, from start: Int, to end: Int, hasEscapes: Bool = false) {
        token = Token(kind: kind, hasEscapes: hasEscapes, start: start, end: end)
    }

    func unexpectedCharacter(at offset: Int) -> SyntaxFault {
        SyntaxFault(message: "expected a token, found \(characterText(at: offset))", offset: offset)
    }

    /// The character that starts at an offset, for messages.
    func characterText(at offset: Int) -> String {
        guard offset < bytes.count else { return TokenKind.endOfFile.description }
        let text = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return TokenKind.endOfFile.description }
        if scalar.value < 0x20 || scalar.value == 0x7F {
            return
                "the control character U+00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16, uppercase: true))"
        }
        return scalar == "\"" ? "a double quote" : "\"\(scalar)\""
    }
}
