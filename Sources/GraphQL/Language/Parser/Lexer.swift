/// Cuts the bytes of a document into tokens, one at a time. Specification: section 2.1.
///
/// Hot path: it works on bytes and allocates nothing. Strings and numbers are checked here and read later, by whoever
/// wants their value.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var token = Token(kind: .endOfFile, start: 0, end: 0)
    var index = 0
    private var tokensLeft: Int
    private let tokensMax: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DocumentLimits) {
        self.bytes = bytes
        tokensLeft = limits.tokensMax
        tokensMax = limits.tokensMax
    }

    /// Makes the next token the current one. At the end it stays there.
    @inline(__always)
    mutating func advance() throws(SyntaxFault) {
        skipIgnored()
        guard index < bytes.count else {
            token = Token(kind: .endOfFile, start: bytes.count, end: bytes.count)
            return
        }
        tokensLeft &-= 1
        if tokensLeft < 0 { throw tooManyTokens() }
        let byte = bytes[index]
        if Self.startsName(byte) {
            readName()
        } else {
            try readOther(byte)
        }
    }

    private func tooManyTokens() -> SyntaxFault {
        SyntaxFault(
            kind: .limit, message: "the document has too many tokens (more than \(tokensMax))", offset: index)
    }

    /// Skips white space, line ends, commas, comments and byte order marks.
    @inline(__always)
    private mutating func skipIgnored() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte > UInt8(ascii: ",") { return skipByteOrderMarks() }
            switch byte {
            case UInt8(ascii: " "):
                index &+= 1
            case UInt8(ascii: "\n"):
                index = Self.skippingSpaces(in: bytes, from: index)
            case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index &+= 1
            case UInt8(ascii: "#"):
                skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipByteOrderMarks() {
        guard bytes[index] == 0xEF, bytes[index...].starts(with: LineMap.byteOrderMark) else { return }
        index += LineMap.byteOrderMark.count
        skipIgnoredAfterMark()
    }

    /// A call of its own, so that the hot loop above stays small enough to be inlined.
    @inline(never)
    private mutating func skipIgnoredAfterMark() {
        while index < bytes.count {
            if bytes[index] == 0xEF, bytes[index...].starts(with: LineMap.byteOrderMark) {
                index += LineMap.byteOrderMark.count
            } else if bytes[index] == UInt8(ascii: "#") {
                skipComment()
            } else if Self.isSeparator(bytes[index]) {
                index += 1
            } else {
                return
            }
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
        default: false
        }
    }

    @inline(never)
    private mutating func skipComment() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
            index += 1
        }
    }

    @inline(__always)
    private mutating func readName() {
        let start = index
        index = Self.endOfName(in: bytes, from: start)
        token = Token(kind: .name, start: start, end: index)
    }

    @inline(never)
    private mutating func readOther(_ byte: UInt8) throws(SyntaxFault) {
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
        default: throw unexpectedCharacter(at: index)
        }
    }

    @inline(__always)
    private mutating func single(_ kind: TokenKind) {
        token = Token(kind: kind, start: index, end: index &+ 1)
        index &+= 1
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
        index = end
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

extension Lexer {
    /// The offset of the first byte from an offset on that is no space and no line feed.
    ///
    /// Line feeds come one at a time, spaces behind them by the dozen: those are skipped eight at once.
    @inline(__always)
    static func skippingSpaces(in bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var place = offset
        while place < bytes.count, bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\n") {
            place &+= 1
            while let word = bytes.word(at: place) {
                let others = word ^ 0x2020_2020_2020_2020
                place &+= others.trailingZeroBitCount / 8
                if others != 0 { break }
            }
        }
        return place
    }

    /// The offset behind the name that starts at an offset. Looks at eight bytes at once.
    @inline(__always)
    static func endOfName(in bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var place = offset
        while let word = bytes.word(at: place) {
            let others = ~Self.nameBytes(of: word) & 0x8080_8080_8080_8080
            place &+= others.trailingZeroBitCount / 8
            if others != 0 { return place }
        }
        while place < bytes.count, Self.continuesName(bytes[place]) { place &+= 1 }
        return place
    }

    /// Whether that many more tokens are allowed.
    @inline(__always)
    func canSpend(_ tokens: Int) -> Bool { tokens <= tokensLeft }

    /// Goes on from a token that was found without the lexer, behind others that count as taken.
    @inline(__always)
    mutating func jump(to token: Token, spending tokens: Int) {
        self.token = token
        index = token.end
        tokensLeft &-= tokens
    }

    /// Whether a byte is a letter, a digit or an underscore: two sets of 64 bits, the first for ASCII below "@".
    @inline(__always)
    static func continuesName(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        let bits: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return (bits &>> UInt64(byte & 63)) & 1 != 0
    }

    /// Which of eight bytes are letters, digits or underscores: their highest bits are set.
    ///
    /// Adding to a byte sets its highest bit when it reaches a bound; none of the sums carries into the next byte,
    /// since the highest bits are taken off before.
    @inline(__always)
    static func nameBytes(of word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (ones &* 0x7F)
        let small = low | (ones &* 0x20)
        let letters = (small &+ ones &* (0x80 - 0x61)) & ~(small &+ ones &* (0x7F - 0x7A))
        let digits = (low &+ ones &* (0x80 - 0x30)) & ~(low &+ ones &* (0x7F - 0x39))
        let underscores = ~((low ^ ones &* 0x5F) &+ ones &* 0x7F)
        return (letters | digits | underscores) & ~word
    }

    /// Whether a byte is a letter or an underscore.
    @inline(__always)
    static func startsName(_ byte: UInt8) -> Bool {
        guard byte >= 64, byte < 0x80 else { return false }
        return ((0x07FF_FFFE_87FF_FFFE as UInt64) &>> UInt64(byte & 63)) & 1 != 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The eight bytes from an offset on, the first in the lowest bits, or nil when there are not as many.
    @inline(__always)
    func word(at offset: Int) -> UInt64? {
        guard offset &+ 8 <= count else { return nil }
        return UInt64(littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
