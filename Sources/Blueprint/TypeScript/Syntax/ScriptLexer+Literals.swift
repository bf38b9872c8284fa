/// Strings, templates, numbers and regular expressions.
extension ScriptLexer {
    mutating func readString() throws(TypeScriptError) {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == quote {
                offset += 1
                return add(.string, from: start, text: String(decoding: text, as: UTF8.self))
            }
            if byte == 0x0A || byte == 0x0D { break }
            if byte == UInt8(ascii: "\\") {
                try readEscape(into: &text)
            } else {
                text.append(byte)
                offset += 1
            }
        }
        throw error("the string has no end", at: start)
    }

    /// Reads up to the end of a template or its next substitution; true when it was the end.
    mutating func readTemplatePart(
        from start: Int, last: ScriptToken.Kind, other: ScriptToken.Kind
    ) throws(TypeScriptError) -> Bool {
        var text: [UInt8] = []
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "`"):
                offset += 1
                add(last, from: start, text: String(decoding: text, as: UTF8.self))
                return true
            case UInt8(ascii: "$") where byte(1) == UInt8(ascii: "{"):
                offset += 2
                add(other, from: start, text: String(decoding: text, as: UTF8.self))
                return false
            case UInt8(ascii: "\\"): try readEscape(into: &text)
            case 0x0D:
                text.append(0x0A)
                offset += byte(1) == 0x0A ? 2 : 1
            case let byte:
                text.append(byte)
                offset += 1
            }
        }
        throw error("the template has no end", at: start)
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(TypeScriptError) {
        let start = offset
        offset += 1
        guard offset < bytes.count else { return }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "0"): text.append(0x00)
        case 0x0A: return
        case 0x0D: if self.byte() == 0x0A { offset += 1 }
        case UInt8(ascii: "x"): try append(hexadecimal(count: 2, from: start), to: &text)
        case UInt8(ascii: "u"): try readUnicodeEscape(from: start, into: &text)
        default: text.append(byte)
        }
    }

    private mutating func readUnicodeEscape(from start: Int, into text: inout [UInt8]) throws(TypeScriptError) {
        if byte() == UInt8(ascii: "{") {
            offset += 1
            let digits = bytes[offset...].prefix { $0 != UInt8(ascii: "}") }.count
            let value = try hexadecimal(count: max(1, min(digits, 7)), from: start)
            guard byte() == UInt8(ascii: "}"), value <= 0x10FFFF else {
                throw error("the escape is no character", at: start)
            }
            offset += 1
            return append(value, to: &text)
        }
        let value = try hexadecimal(count: 4, from: start)
        guard (0xD800...0xDBFF).contains(value), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") else {
            return append(value, to: &text)
        }
        let before = offset
        offset += 2
        let low = try hexadecimal(count: 4, from: start)
        guard (0xDC00...0xDFFF).contains(low) else {
            offset = before
            return append(value, to: &text)
        }
        append(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00), to: &text)
    }

    private mutating func hexadecimal(count: Int, from start: Int) throws(TypeScriptError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = Self.digit(byte()), digit < 16 else {
                throw error("the escape is no character", at: start)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    /// Half a pair of surrogates is no character of its own.
    private func append(_ value: UInt32, to text: inout [UInt8]) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        text.append(contentsOf: Array(String(scalar).utf8))
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    mutating func readNumber() throws(TypeScriptError) {
        let start = offset
        let radix: Double? =
            switch (byte(), byte(1) | 0x20) {
            case (UInt8(ascii: "0"), UInt8(ascii: "x")): 16
            case (UInt8(ascii: "0"), UInt8(ascii: "o")): 8
            case (UInt8(ascii: "0"), UInt8(ascii: "b")): 2
            default: nil
            }
        var value: Double
        if let radix {
            offset += 2
            value = 0
            while true {
                if byte() == UInt8(ascii: "_") {
                    offset += 1
                    continue
                }
                guard let digit = Self.digit(byte()), Double(digit) < radix else { break }
                value = value * radix + Double(digit)
                offset += 1
            }
            guard offset > start + 2 else { throw error("the number has no digits", at: start) }
        } else {
            value = try decimal(from: start)
        }
        let next = byte()
        guard Self.digit(next) == nil, next != UInt8(ascii: "n"), next != UInt8(ascii: "_"), next != UInt8(ascii: "$")
        else { throw error("the number is none of the subset", at: start) }
        add(.number, from: start, text: String(decoding: bytes[start..<offset], as: UTF8.self), number: value)
    }

    private mutating func decimal(from start: Int) throws(TypeScriptError) -> Double {
        var digits: [UInt8] = []
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        func takeDigits(_ lexer: inout ScriptLexer) {
            while isDigit(lexer.byte()) || lexer.byte() == UInt8(ascii: "_") {
                if lexer.byte() != UInt8(ascii: "_") { digits.append(lexer.byte()) }
                lexer.offset += 1
            }
        }
        takeDigits(&self)
        if byte() == UInt8(ascii: ".") {
            if digits.isEmpty { digits.append(UInt8(ascii: "0")) }
            digits.append(UInt8(ascii: "."))
            offset += 1
            takeDigits(&self)
            if digits.last == UInt8(ascii: ".") { digits.append(UInt8(ascii: "0")) }
        }
        let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
        if byte() | 0x20 == UInt8(ascii: "e"), isDigit(byte(sign ? 2 : 1)) {
            digits.append(UInt8(ascii: "e"))
            if sign { digits.append(byte(1)) }
            offset += sign ? 2 : 1
            takeDigits(&self)
        }
        guard let value = Double(String(decoding: digits, as: UTF8.self)) else {
            throw error("the number cannot be read", at: start)
        }
        return value
    }

    mutating func readRegularExpression() throws(TypeScriptError) {
        let start = offset
        var isInClass = false
        offset += 1
        while offset < bytes.count, byte() != 0x0A, byte() != 0x0D {
            switch byte() {
            case UInt8(ascii: "\\"): offset += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                offset += 1
                while byte() >= UInt8(ascii: "a"), byte() <= UInt8(ascii: "z") { offset += 1 }
                return add(.regularExpression, from: start, text: "/")
            default: break
            }
            offset += 1
        }
        throw error("the regular expression has no end", at: start)
    }
}
