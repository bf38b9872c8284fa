// What follows a backslash.

extension PatternParser {
    private var isUnicode: Bool { flags.contains(.unicodeClasses) }

    /// An escape outside of a class.
    mutating func escape() throws(PatternError) -> PatternNode {
        let start = source.position
        if let set = try setEscape() { return node(set) }
        guard let sign = source.raw(1)?.value, let scalar = Unicode.Scalar(sign) else {
            throw source.error(.expected("something behind the backslash"))
        }
        source.position = start + 2
        switch scalar {
        case "1"..."9": return .backReference(reference(Int(sign - 0x30)), flags.folding)
        case "k":
            guard source.takeRaw("<") else { throw source.error(.expected("'<'")) }
            let name = try groupName()
            return .backReference(try group(named: name), flags.folding)
        case "A", "G": return .assertion(.textStart)
        case "z": return .assertion(.textEnd)
        case "Z": return .assertion(.lastLineEnd(onlyNewline: flags.contains(.unixLines)))
        case "b":
            // \b{g}, a boundary between what a reader takes for characters, is another thing and not supported.
            guard source.raw()?.syntax != "{" || source.raw(1)?.syntax != "g" else {
                throw source.error(.unsupported(#"\b{g}"#))
            }
            return .assertion(.wordBoundary(isUnicode: isUnicode))
        case "B": return .assertion(.noWordBoundary(isUnicode: isUnicode))
        case "R":
            return .choice([
                .sequence([.scalar(0x0D), .scalar(0x0A)]), node(.verticalSpace),
            ])
        default:
            source.position = start
            let value = try scalarEscape()
            return node(.range(value...value, flags.folding))
        }
    }

    /// As many digits as still name a group that was opened before.
    private mutating func reference(_ first: Int) -> Int {
        var number = first
        while let digit = source.raw()?.syntax?.value, 0x30...0x39 ~= digit {
            let longer = number * 10 + Int(digit - 0x30)
            guard longer <= groups else { break }
            number = longer
            source.position += 1
        }
        return number
    }

    /// Reads an escape that means a set, if it is one.
    mutating func setEscape() throws(PatternError) -> ScalarSet? {
        guard let sign = source.raw(1)?.value, let scalar = Unicode.Scalar(sign) else { return nil }
        let set: ScalarSet
        switch scalar {
        case "d": set = .digits(isUnicode: isUnicode)
        case "D": set = .complement(.digits(isUnicode: isUnicode))
        case "s": set = .whiteSpace(isUnicode: isUnicode)
        case "S": set = .complement(.whiteSpace(isUnicode: isUnicode))
        case "w": set = .words(isUnicode: isUnicode)
        case "W": set = .complement(.words(isUnicode: isUnicode))
        case "h": set = .horizontalSpace
        case "H": set = .complement(.horizontalSpace)
        case "v": set = .verticalSpace
        case "V": set = .complement(.verticalSpace)
        case "p", "P":
            source.position += 2
            let named = try property()
            return scalar == "p" ? named : .complement(named)
        default: return nil
        }
        source.position += 2
        return set
    }

    private mutating func property() throws(PatternError) -> ScalarSet {
        var name = ""
        if source.takeRaw("{") {
            while let sign = source.raw(), sign.syntax != "}" {
                name.unicodeScalars.append(Unicode.Scalar(sign.value) ?? "?")
                source.position += 1
            }
            guard source.takeRaw("}") else { throw source.error(.expected("'}'")) }
        } else if let sign = source.raw(), let scalar = Unicode.Scalar(sign.value) {
            name.unicodeScalars.append(scalar)
            source.position += 1
        }
        let ignoresCase = flags.contains(.ignoresCase)
        guard let set = ScalarSet.named(name, ignoresCase: ignoresCase, isUnicode: isUnicode) else {
            throw source.error(.unknownProperty(name))
        }
        return set
    }

    /// Reads an escape that means one code point.
    mutating func scalarEscape() throws(PatternError) -> UInt32 {
        guard let sign = source.raw(1)?.value, let scalar = Unicode.Scalar(sign) else {
            throw source.error(.expected("something behind the backslash"))
        }
        source.position += 2
        switch scalar {
        case "t": return 0x09
        case "n": return 0x0A
        case "r": return 0x0D
        case "f": return 0x0C
        case "a": return 0x07
        case "e": return 0x1B
        case "c":
            guard let control = source.raw() else { throw source.error(.expected("a control character")) }
            source.position += 1
            let value = control.value ^ 0x40
            guard value <= JavaCodePoints.last else { throw source.error(.badRange) }
            return value
        case "0": return try octal()
        case "x": return try hexadecimal()
        case "u": return try codeUnits()
        case "a"..."z", "A"..."Z", "1"..."9":
            source.position -= 2
            let escape = "\\\(scalar)"
            throw source.error(scalar == "X" || scalar == "N" ? .unsupported(escape) : .unknownEscape(escape))
        default: return sign
        }
    }

    /// One to three octal digits, not above 377.
    private mutating func octal() throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < 3, let digit = source.raw()?.value, 0x30...0x37 ~= digit, value * 8 + digit - 0x30 <= 0o377 {
            value = value * 8 + digit - 0x30
            source.position += 1
            count += 1
        }
        guard count > 0 else { throw source.error(.expected("an octal digit")) }
        return value
    }

    private mutating func hexadecimal() throws(PatternError) -> UInt32 {
        guard source.takeRaw("{") else { return try digits(2) }
        var value: UInt32 = 0
        var hasDigits = false
        while let digit = hexadecimalDigit() {
            value = value * 16 + digit
            hasDigits = true
            guard value <= JavaCodePoints.last else { throw source.error(.badRange) }
        }
        guard hasDigits else { throw source.error(.expected("a hexadecimal digit")) }
        guard source.takeRaw("}") else { throw source.error(.expected("'}'")) }
        return value
    }

    /// Four digits, and four more when these are the first half of a surrogate pair and the second half follows.
    private mutating func codeUnits() throws(PatternError) -> UInt32 {
        let high = try digits(4)
        guard 0xD800...0xDBFF ~= high, source.raw()?.syntax == "\\", source.raw(1)?.syntax == "u" else { return high }
        let start = source.position
        source.position += 2
        let low = try digits(4)
        guard 0xDC00...0xDFFF ~= low else {
            source.position = start
            return high
        }
        return 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)
    }

    private mutating func digits(_ count: Int) throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = hexadecimalDigit() else { throw source.error(.expected("a hexadecimal digit")) }
            value = value * 16 + digit
        }
        return value
    }

    private mutating func hexadecimalDigit() -> UInt32? {
        guard let sign = source.raw()?.value else { return nil }
        let digit: UInt32
        switch sign {
        case 0x30...0x39: digit = sign - 0x30
        case 0x41...0x46: digit = sign - 0x41 + 10
        case 0x61...0x66: digit = sign - 0x61 + 10
        default: return nil
        }
        source.position += 1
        return digit
    }
}
