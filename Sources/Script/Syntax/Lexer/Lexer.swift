/// Takes a text apart into tokens, one at a time. Regular expressions and templates are read when the parser asks for
/// them, because only it knows whether a `/` divides and a `}` ends a block.
struct Lexer: ~Copyable {
    let units: [UInt16]
    let names: NameNumbers
    /// The token that is looked at.
    var token = Token()
    /// Where the token before it ended.
    var previousEnd: Int32 = 0
    /// Where the next token is looked for.
    var position = 0
    var line: Int32 = 1
    var lineStart: Int32 = 0
    /// Why the text was refused.
    var failure: ScriptSyntaxError?

    init(_ units: [UInt16], names: NameNumbers) {
        self.units = units
        self.names = names
    }

    /// A point to go back to.
    struct Mark {
        var token: Token
        var previousEnd: Int32
        var position: Int
        var line: Int32
        var lineStart: Int32
    }

    var mark: Mark {
        Mark(token: token, previousEnd: previousEnd, position: position, line: line, lineStart: lineStart)
    }

    mutating func goBack(to mark: Mark) {
        token = mark.token
        previousEnd = mark.previousEnd
        position = mark.position
        line = mark.line
        lineStart = mark.lineStart
    }

    mutating func refuse(_ message: String, at place: Place, hint: String? = nil) -> SyntaxRefusal {
        failure = ScriptSyntaxError(message, at: place, hint: hint)
        return SyntaxRefusal()
    }

    /// The unit at a position, 0 behind the end.
    func unit(at index: Int) -> UInt16 {
        index < units.count ? units[index] : 0
    }

    func place(at offset: Int) -> Place {
        let offset = Int32(truncatingIfNeeded: offset)
        return Place(line: line, column: offset - lineStart + 1, offset: offset)
    }

    mutating func invalidToken(at offset: Int, hint: String? = nil) -> SyntaxRefusal {
        refuse("Invalid or unexpected token", at: place(at: offset), hint: hint)
    }

    /// Goes on to the next token.
    mutating func next() throws(SyntaxRefusal) {
        previousEnd = token.end
        token.isAfterLineBreak = try skipSpace()
        token.hasEscape = false
        token.start = Int32(truncatingIfNeeded: position)
        token.line = line
        token.lineStart = lineStart
        guard position < units.count else {
            token.kind = .end
            token.end = token.start
            return
        }
        let unit = units[position]
        if isNameStart(unit) {
            scanWord()
            if position < units.count, units[position] == 0x5C || units[position] >= 0x80 {
                try scanUnusualWord(from: Int(token.start))
            }
        } else if unit >= 0x30 && unit <= 0x39 {
            try scanNumber()
        } else if unit == 0x22 || unit == 0x27 {
            try scanText(quote: unit)
        } else if unit < 0x80 && unit != 0x5C {
            try scanSign(unit)
        } else {
            try scanUnusualWord(from: position)
        }
        token.end = Int32(truncatingIfNeeded: position)
    }

    /// Reads a token that has been read as a longer one from its second unit on: what is left of `>>` behind `>`.
    mutating func splitToken() throws(SyntaxRefusal) {
        position = Int(token.start) + 1
        token.end = token.start + 1
        try next()
    }

    // MARK: Space

    mutating func endLine(at index: Int) {
        line &+= 1
        lineStart = Int32(truncatingIfNeeded: index)
    }

    /// Spaces, line ends and comments. True where a line ended.
    private mutating func skipSpace() throws(SyntaxRefusal) -> Bool {
        var hasLineBreak = false
        while position < units.count {
            let unit = units[position]
            switch unit {
            case 0x20, 0x09, 0x0B, 0x0C:
                position += 1
            case 0x0A, 0x0D:
                skipLineEnd(unit)
                hasLineBreak = true
            case 0x2F:
                let second = self.unit(at: position + 1)
                if second == 0x2F {
                    position += 2
                    while position < units.count, !isLineEnd(units[position]) { position += 1 }
                } else if second == 0x2A {
                    if try skipComment() { hasLineBreak = true }
                } else {
                    return hasLineBreak
                }
            case 0..<0x80:
                return hasLineBreak
            case 0x2028, 0x2029:
                position += 1
                endLine(at: position)
                hasLineBreak = true
            default:
                guard isUnusualSpace(unit) else { return hasLineBreak }
                position += 1
            }
        }
        return hasLineBreak
    }

    /// CR LF is one line end.
    private mutating func skipLineEnd(_ unit: UInt16) {
        position += unit == 0x0D && self.unit(at: position + 1) == 0x0A ? 2 : 1
        endLine(at: position)
    }

    private mutating func skipComment() throws(SyntaxRefusal) -> Bool {
        let start = place(at: position)
        var hasLineBreak = false
        position += 2
        while position < units.count {
            let unit = units[position]
            if unit == 0x2A, self.unit(at: position + 1) == 0x2F {
                position += 2
                return hasLineBreak
            }
            if unit == 0x0A || unit == 0x0D {
                skipLineEnd(unit)
                hasLineBreak = true
            } else {
                position += 1
                if unit == 0x2028 || unit == 0x2029 {
                    endLine(at: position)
                    hasLineBreak = true
                }
            }
        }
        throw refuse("Invalid or unexpected token", at: start, hint: "The comment is not ended by */.")
    }

    /// `#!` at the very beginning.
    mutating func skipHashbang() {
        guard unit(at: 0) == 0x23, unit(at: 1) == 0x21 else { return }
        while position < units.count, !isLineEnd(units[position]) { position += 1 }
    }

    func isLineEnd(_ unit: UInt16) -> Bool {
        unit == 0x0A || unit == 0x0D || unit == 0x2028 || unit == 0x2029
    }

    private func isUnusualSpace(_ unit: UInt16) -> Bool {
        switch unit {
        case 0xA0, 0xFEFF, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Returns whether the next token is `=>`, on the same line.
    mutating func isArrowNext() -> Bool {
        var index = position
        while unit(at: index) == 0x20 { index += 1 }
        if unit(at: index) == 0x3D { return unit(at: index + 1) == 0x3E }
        guard unit(at: index) == 0x2F || unit(at: index) == 0x09 || unit(at: index) >= 0x80 else { return false }
        let mark = mark
        defer { goBack(to: mark) }
        do {
            try next()
            return token.kind == .arrow && !token.isAfterLineBreak
        } catch {
            failure = nil
            return false
        }
    }

    /// The token behind the one that is looked at.
    mutating func tokenBehind() throws(SyntaxRefusal) -> Token {
        let mark = mark
        try next()
        let behind = token
        goBack(to: mark)
        return behind
    }

    // MARK: Words

    private func isNameStart(_ unit: UInt16) -> Bool {
        let lower = unit | 0x20
        return (lower >= 0x61 && lower <= 0x7A && unit < 0x80) || unit == 0x24 || unit == 0x5F
    }

    private func isNamePart(_ unit: UInt16) -> Bool {
        isNameStart(unit) || (unit >= 0x30 && unit <= 0x39)
    }

    private mutating func scanWord() {
        let start = position
        position += 1
        while position < units.count, isNamePart(units[position]) { position += 1 }
        let end = position
        token.name = units.withUnsafeBufferPointer { names.name(of: UnsafeBufferPointer(rebasing: $0[start..<end])) }
        token.kind = kind(of: token.name)
    }

    private func kind(of name: Name) -> TokenKind {
        let number = Int(name.number)
        return number < names.tokens.count ? names.tokens[number] : .identifier
    }

    /// A word with escapes or letters beyond ASCII.
    private mutating func scanUnusualWord(from start: Int) throws(SyntaxRefusal) {
        position = start
        token.name = names.name(of: try scanName(from: start))
        var kind = kind(of: token.name)
        if token.hasEscape {
            if !kind.isIdentifier {
                kind = .escapedWord
            } else if kind != .await {
                kind = .identifier
            }
        }
        token.kind = kind
    }

    /// The units of a name, with its escapes taken out.
    mutating func scanName(from start: Int) throws(SyntaxRefusal) -> [UInt16] {
        var spelling: [UInt16] = []
        while position < units.count {
            let unit = units[position]
            if isNamePart(unit), !spelling.isEmpty || isNameStart(unit) {
                spelling.append(unit)
                position += 1
            } else if unit == 0x5C {
                let escape = position
                guard self.unit(at: position + 1) == 0x75 else { throw invalidToken(at: escape) }
                position += 2
                token.hasEscape = true
                guard let value = scanUnicodeEscape(), let scalar = Unicode.Scalar(value),
                    isNameScalar(scalar, isFirst: spelling.isEmpty)
                else {
                    throw refuse("Invalid Unicode escape sequence", at: place(at: escape))
                }
                spelling.append(contentsOf: UTF16.encode(scalar) ?? .init())
            } else if unit >= 0x80, let scalar = scalar(at: position),
                isNameScalar(scalar, isFirst: spelling.isEmpty)
            {
                spelling.append(contentsOf: UTF16.encode(scalar) ?? .init())
                position += scalar.value > 0xFFFF ? 2 : 1
            } else {
                break
            }
        }
        if spelling.isEmpty { throw invalidToken(at: start) }
        return spelling
    }

    private func isNameScalar(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        if scalar.value < 0x80 {
            let unit = UInt16(truncatingIfNeeded: scalar.value)
            return isFirst ? isNameStart(unit) : isNamePart(unit)
        }
        if isFirst { return scalar.properties.isIDStart }
        return scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
    }

    private func scalar(at index: Int) -> Unicode.Scalar? {
        let first = UInt32(units[index])
        if first & 0xFC00 == 0xD800 {
            let second = UInt32(unit(at: index + 1))
            guard second & 0xFC00 == 0xDC00 else { return nil }
            return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        }
        return Unicode.Scalar(first)
    }

    /// What stands behind `\u`: four digits, or some in braces. Nothing where it is neither, or beyond Unicode.
    mutating func scanUnicodeEscape() -> UInt32? {
        if unit(at: position) == 0x7B {
            position += 1
            var value: UInt32 = 0
            let start = position
            while let digit = Lexer.hexadecimalValue(unit(at: position)) {
                value = value << 4 | digit
                guard value <= 0x10FFFF else { return nil }
                position += 1
            }
            guard position > start, unit(at: position) == 0x7D else { return nil }
            position += 1
            return value
        }
        return scanHexadecimal(count: 4)
    }

    mutating func scanHexadecimal(count: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = Lexer.hexadecimalValue(unit(at: position)) else { return nil }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    /// True where a name could go on here, which nothing may directly behind a number.
    func isNameStartHere() -> Bool {
        guard position < units.count else { return false }
        let unit = units[position]
        if unit < 0x80 { return isNamePart(unit) || unit == 0x5C }
        return scalar(at: position)?.properties.isIDStart ?? false
    }
}
