import JSON
import Script

struct Token {
    enum Kind { case symbol, name, variable, string, number, literal, regex, end }

    let kind: Kind
    /// An operator, a name, or a literal's text.
    var text: String
    let position: Int
    var number = 0.0
    var pattern: RegularExpression?

    func isSymbol(_ wanted: String) -> Bool { kind == .symbol && text == wanted }
}

/// Cuts the text of an expression into tokens.
struct Lexer {
    private let units: [UInt16]
    private var place = 0

    init(_ text: String) { units = Array(text.utf16) }

    var count: Int { units.count }

    private static func unit(_ scalar: Unicode.Scalar) -> UInt16 { UInt16(truncatingIfNeeded: scalar.value) }

    private static let singles = Set("[]{}(),@#;:?+-*/%|=<>^&!~.".utf16)
    private static let doubles = ["..", ":=", "!=", ">=", "<=", "**", "~>", "?:", "??"].map { Array($0.utf16) }
    private static let blanks = Set(" \t\n\r\u{0B}".utf16)
    private static let slash = unit("/")
    private static let backslash = unit("\\")
    private static let star = unit("*")
    private static let backquote = unit("`")

    private func at(_ index: Int) -> UInt16? { units.indices.contains(index) ? units[index] : nil }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self)
    }

    /// - Parameter isInfix: whether `/` divides here, and begins no pattern.
    mutating func next(isInfix: Bool) throws(JSONataError) -> Token {
        try skipBlanks()
        guard let unit = at(place) else { return Token(kind: .end, text: "(end)", position: units.count) }
        if !isInfix, unit == Self.slash {
            place += 1
            return try pattern()
        }
        for pair in Self.doubles where at(place) == pair[0] && at(place + 1) == pair[1] {
            place += 2
            return Token(kind: .symbol, text: String(decoding: pair, as: UTF16.self), position: place)
        }
        if Self.singles.contains(unit) {
            place += 1
            return Token(kind: .symbol, text: text(place - 1..<place), position: place)
        }
        if unit == Self.unit("\"") || unit == Self.unit("'") { return try quoted(unit) }
        if let token = try number() { return token }
        if unit == Self.backquote { return try quotedName() }
        return name()
    }

    private mutating func skipBlanks() throws(JSONataError) {
        while true {
            while let unit = at(place), Self.blanks.contains(unit) { place += 1 }
            guard at(place) == Self.slash, at(place + 1) == Self.star else { return }
            let start = place
            place += 2
            while !(at(place) == Self.star && at(place + 1) == Self.slash) {
                place += 1
                guard place < units.count else { throw JSONataError("S0106", at: start) }
            }
            place += 2
        }
    }

    private mutating func pattern() throws(JSONataError) -> Token {
        let start = place
        var depth = 0
        while let unit = at(place) {
            let isEscaped = isBehindBackslashes
            if unit == Self.slash, depth == 0, !isEscaped {
                let source = Array(units[start..<place])
                guard !source.isEmpty else { throw JSONataError("S0301", at: place) }
                place += 1
                var flags: RegularExpressionFlags = []
                while let flag = at(place), flag == Self.unit("i") || flag == Self.unit("m") {
                    flags.insert(flag == Self.unit("i") ? .ignoreCase : .multiline)
                    place += 1
                }
                var token = Token(
                    kind: .regex, text: String(decoding: source, as: UTF16.self), position: place)
                do throws(RegularExpressionSyntaxError) {
                    token.pattern = try RegularExpression(pattern: source, flags: flags)
                } catch {
                    throw JSONataError("S0303", at: place, value: error.message)
                }
                return token
            }
            if at(place - 1) != Self.backslash {
                if [Self.unit("("), Self.unit("["), Self.unit("{")].contains(unit) { depth += 1 }
                if [Self.unit(")"), Self.unit("]"), Self.unit("}")].contains(unit) { depth -= 1 }
            }
            place += 1
        }
        throw JSONataError("S0302", at: place)
    }

    private var isBehindBackslashes: Bool {
        var count = 0
        while at(place - count - 1) == Self.backslash { count += 1 }
        return count % 2 == 1
    }

    private static let escapes: [UInt16: UInt16] = [
        unit("\""): unit("\""), unit("\\"): unit("\\"), unit("/"): unit("/"), unit("b"): 8, unit("f"): 12,
        unit("n"): 10, unit("r"): 13, unit("t"): 9,
    ]

    private mutating func quoted(_ quote: UInt16) throws(JSONataError) -> Token {
        place += 1
        var made: [UInt16] = []
        while let unit = at(place) {
            if unit == quote {
                place += 1
                return Token(kind: .string, text: String(decoding: made, as: UTF16.self), position: place)
            }
            guard unit == Self.backslash else {
                made.append(unit)
                place += 1
                continue
            }
            place += 1
            guard let escaped = at(place) else { break }
            if let meant = Self.escapes[escaped] {
                made.append(meant)
            } else if escaped == Self.unit("u") {
                let digits = text(place + 1..<place + 5)
                guard digits.utf8.count == 4, digits.utf8.allSatisfy(Self.isHexadecimal),
                    let code = UInt16(digits, radix: 16)
                else { throw JSONataError("S0104", at: place) }
                made.append(code)
                place += 4
            } else {
                throw JSONataError("S0103", at: place, token: text(place..<place + 1))
            }
            place += 1
        }
        throw JSONataError("S0101", at: place)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    private func isDigit(_ index: Int) -> Bool { at(index).map { (48...57).contains($0) } ?? false }

    private mutating func number() throws(JSONataError) -> Token? {
        guard isDigit(place) else { return nil }
        var end = place + 1
        if at(place) != Self.unit("0") { while isDigit(end) { end += 1 } }
        if at(end) == Self.unit("."), isDigit(end + 1) {
            end += 1
            while isDigit(end) { end += 1 }
        }
        if at(end) == Self.unit("e") || at(end) == Self.unit("E") {
            let isSigned = at(end + 1) == Self.unit("+") || at(end + 1) == Self.unit("-")
            var behind = end + (isSigned ? 2 : 1)
            if isDigit(behind) {
                while isDigit(behind) { behind += 1 }
                end = behind
            }
        }
        let written = text(place..<end)
        guard let value = Double(written), value.isFinite else {
            throw JSONataError("S0102", at: place, token: written)
        }
        place = end
        return Token(kind: .number, text: written, position: place, number: value)
    }

    private mutating func quotedName() throws(JSONataError) -> Token {
        place += 1
        guard let end = units[place...].firstIndex(of: Self.backquote) else {
            throw JSONataError("S0105", at: units.count)
        }
        let name = text(place..<end)
        place = end + 1
        return Token(kind: .name, text: name, position: place)
    }

    private mutating func name() -> Token {
        let start = place
        while let unit = at(place), !Self.blanks.contains(unit), !Self.singles.contains(unit) { place += 1 }
        if units[start] == Self.unit("$") {
            return Token(kind: .variable, text: text(start + 1..<place), position: place)
        }
        let name = text(start..<place)
        switch name {
        case "or", "in", "and": return Token(kind: .symbol, text: name, position: place)
        case "true", "false", "null": return Token(kind: .literal, text: name, position: place)
        default: return Token(kind: .name, text: name, position: place)
        }
    }
}
