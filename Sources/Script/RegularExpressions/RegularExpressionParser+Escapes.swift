extension RegularExpressionParser {
    /// An escape outside of a class; `\b` and `\B` are read before.
    mutating func atomEscape() throws(Failure) -> Node {
        guard let next = unit(after: 1) else { throw failure(.escapeAtEnd) }
        switch Unicode.Scalar(next) {
        case "1", "2", "3", "4", "5", "6", "7", "8", "9":
            if let group = backreferenceIndex() { return .backreference(group) }
            if isUnicode { throw failure(.escape) }
            if next >= UInt16(ascii: "8") {
                position += 2
                return .character(UInt32(next))
            }
            position += 1
            return .character(octal())
        case "0":
            position += 1
            if isUnicode, unit(after: 1).flatMap({ CodePoints.decimalDigit($0) }) != nil {
                throw failure(.decimalEscape)
            }
            return .character(octal())
        case "k" where isUnicode || hasNamedGroups:
            position += 2
            guard take("<") else { throw failure(.namedReference) }
            referencedNames.append(try groupName())
            return .namedReference(referencedNames.count - 1)
        default:
            if let set = try classEscape(isInClass: false) { return .set(set, isInverted: false) }
            return .character(try characterEscape(isInClass: false))
        }
    }

    /// `\d \D \s \S \w \W \p{…} \P{…}`; nil when the escape is none of them.
    mutating func classEscape(isInClass: Bool) throws(Failure) -> CodePointSet? {
        let limit = isUnicode ? CodePointSet.end : 0x10000
        let set: CodePointSet
        switch unit(after: 1).flatMap(Unicode.Scalar.init) {
        case "d": set = CharacterClasses.digits
        case "D": set = CharacterClasses.digits.inverted(below: limit)
        case "s": set = CharacterClasses.spaces
        case "S": set = CharacterClasses.spaces.inverted(below: limit)
        case "w": set = words
        case "W": set = words.inverted(below: limit)
        case "p" where isUnicode, "P" where isUnicode:
            let isInverted = unit(after: 1) == UInt16(ascii: "P")
            position += 2
            guard let property = propertySet() else { throw failure(isInClass ? .classPropertyName : .propertyName) }
            return isInverted ? property.inverted() : property
        default: return nil
        }
        position += 2
        return set
    }

    var words: CodePointSet {
        isUnicode && flags.contains(.ignoreCase) ? CharacterClasses.foldedWords : CharacterClasses.words
    }

    /// The braces behind `\p`.
    private mutating func propertySet() -> CodePointSet? {
        guard take("{") else { return nil }
        var name = ""
        var value: String?
        while let unit {
            position += 1
            switch Unicode.Scalar(unit) {
            case "}"?: return UnicodeProperty.set(name, value)
            case "="? where value == nil: value = ""
            case let letter?
            where letter.isASCII && (letter == "_" || letter.properties.isAlphabetic || ("0"..."9").contains(letter)):
                if value == nil { name.unicodeScalars.append(letter) } else { value?.unicodeScalars.append(letter) }
            default: return nil
            }
        }
        return nil
    }

    /// The number behind a backslash when the pattern has a group of that number.
    private mutating func backreferenceIndex() -> Int? {
        let start = position
        position += 1
        var value = 0
        while let unit, let digit = CodePoints.decimalDigit(unit) {
            value = value * 10 + digit
            guard value <= RegularExpressionLimits.groups else { break }
            position += 1
        }
        if value <= groupTotal { return value }
        position = start
        return nil
    }

    /// Up to three octal digits, not above 377.
    private mutating func octal() -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<3 {
            guard let unit, let digit = CodePoints.decimalDigit(unit), digit < 8, value * 8 + UInt32(digit) <= 0xFF
            else { break }
            value = value * 8 + UInt32(digit)
            position += 1
        }
        return value
    }

    /// An escape that stands for one character; the position is at the backslash.
    mutating func characterEscape(isInClass: Bool) throws(Failure) -> UInt32 {
        position += 1
        guard let next = unit else { throw failure(.escapeAtEnd) }
        switch Unicode.Scalar(next) {
        case "f": return taken(0x0C)
        case "n": return taken(0x0A)
        case "r": return taken(0x0D)
        case "t": return taken(0x09)
        case "v": return taken(0x0B)
        case "c":
            if let letter = unit(after: 1) {
                let isLetter = (0x41...0x5A).contains(letter & ~0x20)
                let isLegacy = isInClass && !isUnicode && (CodePoints.decimalDigit(letter) != nil || letter == 0x5F)
                if isLetter || isLegacy {
                    position += 2
                    return UInt32(letter & 0x1F)
                }
            }
            if isUnicode { throw failure(.unicodeEscape) }
            // The backslash stands for itself, and the `c` is read again.
            return 0x5C
        case "0", "1", "2", "3", "4", "5", "6", "7":
            if isUnicode {
                guard next == UInt16(ascii: "0"), unit(after: 1).flatMap({ CodePoints.decimalDigit($0) }) == nil else {
                    throw failure(isInClass ? .classEscape : .decimalEscape)
                }
                return taken(0)
            }
            return octal()
        case "x":
            position += 1
            if let value = hexadecimal(2) { return value }
            if isUnicode { throw failure(.escape) }
            return UInt32(next)
        case "u":
            position += 1
            if let value = unicodeEscape(asPoints: isUnicode) { return value }
            if isUnicode { throw failure(.unicodeEscape) }
            return UInt32(next)
        default:
            if isUnicode {
                let isSyntax = "^$\\.*+?()[]{}|/".unicodeScalars.contains { $0.value == UInt32(next) }
                guard isSyntax || (isInClass && next == UInt16(ascii: "-")) else { throw failure(.escape) }
            } else if next == UInt16(ascii: "k"), hasNamedGroups {
                throw failure(.escape)
            }
            return takeCharacter(asPoints: isUnicode) ?? 0
        }
    }

    private mutating func taken(_ value: UInt32) -> UInt32 {
        position += 1
        return value
    }

    /// So many hexadecimal digits; nil (the position as before) when there are fewer.
    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        let start = position
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let unit, let digit = CodePoints.hexadecimalDigit(unit) else {
                position = start
                return nil
            }
            value = value * 16 + digit
            position += 1
        }
        return value
    }

    /// What follows `\u`; nil (the position as before) when it is no escape.
    mutating func unicodeEscape(asPoints: Bool) -> UInt32? {
        let start = position
        if asPoints, take("{") {
            var value: UInt32?
            while let unit, let digit = CodePoints.hexadecimalDigit(unit) {
                let next = (value ?? 0) * 16 + digit
                guard next <= 0x10FFFF else { break }
                value = next
                position += 1
            }
            if let value, take("}") { return value }
            position = start
            return nil
        }
        guard let value = hexadecimal(4) else { return nil }
        guard asPoints, let lead = UInt16(exactly: value), UTF16.isLeadSurrogate(lead) else { return value }
        let afterLead = position
        if take("\\"), take("u"), let second = hexadecimal(4), let trail = UInt16(exactly: second),
            UTF16.isTrailSurrogate(trail)
        {
            return CodePoints.joined(lead, trail)
        }
        position = afterLead
        return value
    }
}
