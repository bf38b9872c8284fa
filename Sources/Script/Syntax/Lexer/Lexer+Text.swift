extension Lexer {
    /// Goes over a text in quotes. What it says is read when it is asked for.
    mutating func scanText(quote: UInt16) throws(SyntaxRefusal) {
        token.kind = .text
        position += 1
        while position < units.count {
            let unit = units[position]
            if unit == quote {
                position += 1
                return
            }
            if unit == 0x5C {
                token.hasEscape = true
                position += 1
                let escaped = self.unit(at: position)
                if isLineEnd(escaped) {
                    position += escaped == 0x0D && self.unit(at: position + 1) == 0x0A ? 2 : 1
                    endLine(at: position)
                } else {
                    position += 1
                }
            } else if unit == 0x0A || unit == 0x0D {
                break
            } else {
                position += 1
                if unit == 0x2028 || unit == 0x2029 { endLine(at: position) }
            }
        }
        throw refuse(
            "Invalid or unexpected token",
            at: Place(line: token.line, column: token.start - token.lineStart + 1, offset: token.start),
            hint: "The text that begins here is not ended by \(quote == 0x22 ? "\"" : "'").")
    }

    /// What the text that is looked at says.
    mutating func textValue() throws(SyntaxRefusal) -> [UInt16] {
        let (start, end) = (Int(token.start) + 1, Int(token.end) - 1)
        guard token.hasEscape else { return Array(units[start..<end]) }
        var value: [UInt16] = []
        value.reserveCapacity(end - start)
        var index = start
        while index < end {
            let unit = units[index]
            if unit != 0x5C {
                value.append(unit)
                index += 1
            } else if let message = appendEscape(at: &index, to: &value, isTemplate: false) {
                throw refuse(message, at: token.place)
            }
        }
        return value
    }

    /// Reads an escape from its backslash on. The answer is what is wrong with it.
    private mutating func appendEscape(at index: inout Int, to value: inout [UInt16], isTemplate: Bool) -> String? {
        let escaped = unit(at: index + 1)
        index += 2
        switch escaped {
        case 0x6E: value.append(0x0A)
        case 0x74: value.append(0x09)
        case 0x72: value.append(0x0D)
        case 0x62: value.append(0x08)
        case 0x66: value.append(0x0C)
        case 0x76: value.append(0x0B)
        case 0x0D:
            if unit(at: index) == 0x0A { index += 1 }
        case 0x0A, 0x2028, 0x2029:
            break
        case 0x78, 0x75:
            let outer = position
            defer { position = outer }
            position = index
            guard let number = escaped == 0x78 ? scanHexadecimal(count: 2) : scanUnicodeEscape() else {
                return escaped == 0x78 ? "Invalid hexadecimal escape sequence" : "Invalid Unicode escape sequence"
            }
            index = position
            if number > 0xFFFF {
                value.append(UInt16(truncatingIfNeeded: 0xD800 + ((number - 0x10000) >> 10)))
                value.append(UInt16(truncatingIfNeeded: 0xDC00 + ((number - 0x10000) & 0x3FF)))
            } else {
                value.append(UInt16(truncatingIfNeeded: number))
            }
        case 0x30 where !(0x30...0x39).contains(unit(at: index)):
            value.append(0)
        case 0x30...0x39:
            if isTemplate { return "Octal escape sequences are not allowed in template strings" }
            return escaped >= 0x38
                ? "\\8 and \\9 are not allowed in strict mode."
                : "Octal escape sequences are not allowed in strict mode."
        default:
            value.append(escaped)
        }
        return nil
    }

    /// A text of a template up to its end or to the expression that follows, from right behind the backquote or the
    /// brace. The token that is looked at stays; the next begins behind the part.
    mutating func scanTemplateText(isTagged: Bool) throws(SyntaxRefusal) -> (text: Template.Text, isLast: Bool) {
        var raw: [UInt16] = []
        var cooked: [UInt16] = []
        var isValid = true
        let start = place(at: position)
        while position < units.count {
            let unit = units[position]
            switch unit {
            case 0x60:
                position += 1
                return (Template.Text(cooked: isValid ? cooked : nil, raw: raw), true)
            case 0x24 where self.unit(at: position + 1) == 0x7B:
                position += 2
                return (Template.Text(cooked: isValid ? cooked : nil, raw: raw), false)
            case 0x5C:
                let escape = place(at: position)
                var end = position
                if let message = appendEscape(at: &end, to: &cooked, isTemplate: true) {
                    if !isTagged { throw refuse(message, at: escape) }
                    isValid = false
                    end = position + 2
                }
                appendRaw(until: min(end, units.count), to: &raw)
            case 0x0D:
                cooked.append(0x0A)
                appendRaw(until: position + 1, to: &raw)
            default:
                cooked.append(unit)
                appendRaw(until: position + 1, to: &raw)
            }
        }
        throw refuse("Unterminated template literal", at: start)
    }

    /// Goes on, and keeps what is passed as it is written, with every line end as LF.
    private mutating func appendRaw(until end: Int, to raw: inout [UInt16]) {
        while position < end {
            let unit = units[position]
            position += 1
            if unit == 0x0D {
                if self.unit(at: position) == 0x0A { position += 1 }
                raw.append(0x0A)
                endLine(at: position)
            } else {
                raw.append(unit)
                if unit == 0x0A || unit == 0x2028 || unit == 0x2029 { endLine(at: position) }
            }
        }
    }

    /// Reads the `/` or `/=` that is looked at as the beginning of a regular expression.
    mutating func scanRegularExpression() throws(SyntaxRefusal) -> (pattern: [UInt16], flags: [UInt16]) {
        let place = token.place
        let start = Int(token.start) + 1
        position = start
        var isInClass = false
        while true {
            guard position < units.count, !isLineEnd(units[position]) else {
                throw refuse("Invalid regular expression: missing /", at: place)
            }
            let unit = units[position]
            if unit == 0x5C {
                position += 1
                guard position < units.count, !isLineEnd(units[position]) else { continue }
            } else if unit == 0x5B {
                isInClass = true
            } else if unit == 0x5D {
                isInClass = false
            } else if unit == 0x2F, !isInClass {
                break
            }
            position += 1
        }
        let pattern = Array(units[start..<position])
        position += 1
        let flagsStart = position
        while isNameStartHere() {
            if units[position] == 0x5C { throw refuse("Invalid regular expression flags", at: place) }
            position += units[position] & 0xFC00 == 0xD800 ? 2 : 1
        }
        let flags = Array(units[flagsStart..<position])
        token.end = Int32(truncatingIfNeeded: position)
        return (pattern, flags)
    }
}
