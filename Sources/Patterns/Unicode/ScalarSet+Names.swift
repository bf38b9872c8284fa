// The sets that have names: `\d`, `\p{Lu}`, `\p{IsGreek}`.

extension ScalarSet {
    /// `\d`, or its Unicode form under the flag `U`.
    static func digits(isUnicode: Bool) -> ScalarSet {
        isUnicode ? .property(.category(.decimalNumbers)) : .ranges(0x30...0x39)
    }

    static func whiteSpace(isUnicode: Bool) -> ScalarSet {
        isUnicode ? .property(.whiteSpace) : .ranges(0x09...0x0D, 0x20...0x20)
    }

    static func words(isUnicode: Bool) -> ScalarSet {
        guard isUnicode else { return .ranges(0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A) }
        return .union([
            .property(.alphabetic), .property(.category([.marks, .decimalNumbers, .connectors])),
            .property(.joinControl),
        ])
    }

    /// `\h`
    static let horizontalSpace = ScalarSet.ranges(
        0x09...0x09, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x180E...0x180E, 0x2000...0x200A, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000)
    /// `\v`
    static let verticalSpace = ScalarSet.ranges(0x0A...0x0D, 0x85...0x85, 0x2028...0x2029)

    /// The set that `.` matches without the flag `s`.
    static func notLineBreak(onlyNewline: Bool) -> ScalarSet {
        .complement(
            onlyNewline ? .ranges(0x0A...0x0A) : .ranges(0x0A...0x0A, 0x0D...0x0D, 0x85...0x85, 0x2028...0x2029))
    }

    /// The set of `\p{name}`; nil when Java knows no such name.
    static func named(_ name: String, ignoresCase: Bool, isUnicode: Bool) -> ScalarSet? {
        if let equals = name.firstIndex(of: "=") {
            let value = String(name[name.index(after: equals)...])
            switch name[..<equals].lowercased() {
            case "sc", "script": return ScriptTable.ranges(of: value).map { .sorted($0) }
            case "blk", "block": return BlockTable.ranges(of: value).map { .sorted($0) }
            case "gc", "general_category": return general(value, ignoresCase)
            default: return nil
            }
        }
        if name.hasPrefix("In") {
            return BlockTable.ranges(of: String(name.dropFirst(2))).map { .sorted($0) }
        }
        if name.hasPrefix("Is") {
            let rest = String(name.dropFirst(2))
            return binary(rest.uppercased(), ignoresCase) ?? general(rest, ignoresCase)
                ?? ScriptTable.ranges(of: rest).map { .sorted($0) }
        }
        if isUnicode, let set = unicodePOSIX(name.uppercased(), ignoresCase) { return set }
        return general(name, ignoresCase)
    }

    /// Categories, the POSIX classes over ASCII and the questions of `java.lang.Character`.
    private static func general(_ name: String, _ ignoresCase: Bool) -> ScalarSet? {
        if let categories = Categories.named[name] {
            // Java counts upper, lower and title case as one when case does not matter.
            let isOneCase = ["Lu", "Ll", "Lt"].contains(name)
            return .property(.category(ignoresCase && isOneCase ? .cased : categories))
        }
        if name.hasPrefix("java") { return java(name, ignoresCase) }
        switch name {
        case "Lower" where ignoresCase, "Upper" where ignoresCase, "Alpha": return .ranges(0x41...0x5A, 0x61...0x7A)
        case "Lower": return .ranges(0x61...0x7A)
        case "Upper": return .ranges(0x41...0x5A)
        case "ASCII": return .ranges(0...0x7F)
        case "Digit": return .ranges(0x30...0x39)
        case "Alnum": return .ranges(0x30...0x39, 0x41...0x5A, 0x61...0x7A)
        case "Punct": return .ranges(0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E)
        case "Graph": return .ranges(0x21...0x7E)
        case "Print": return .ranges(0x20...0x7E)
        case "Blank": return .ranges(0x09...0x09, 0x20...0x20)
        case "Cntrl": return .ranges(0...0x1F, 0x7F...0x7F)
        case "XDigit": return .ranges(0x30...0x39, 0x41...0x46, 0x61...0x66)
        case "Space": return .ranges(0x09...0x0D, 0x20...0x20)
        case "L1": return .ranges(0...0xFF)
        case "all": return .everything
        default: return nil
        }
    }

    /// The binary properties of `\p{Is…}`, by their names in capitals.
    private static func binary(_ name: String, _ ignoresCase: Bool) -> ScalarSet? {
        switch name {
        case "ALPHABETIC": .property(.alphabetic)
        case "LETTER": .property(.category(.letters))
        case "IDEOGRAPHIC": .property(.ideographic)
        case "LOWERCASE" where ignoresCase, "UPPERCASE" where ignoresCase, "TITLECASE" where ignoresCase:
            .union([.property(.lowercase), .property(.uppercase), .property(.category(.titlecase))])
        case "LOWERCASE": .property(.lowercase)
        case "UPPERCASE": .property(.uppercase)
        case "TITLECASE": .property(.category(.titlecase))
        case "WHITE_SPACE", "WHITESPACE": .property(.whiteSpace)
        case "CONTROL": .property(.category(.controls))
        case "PUNCTUATION": .property(.category(.punctuation))
        case "HEX_DIGIT", "HEXDIGIT": .union([.property(.hexDigit), .property(.category(.decimalNumbers))])
        case "ASSIGNED": .complement(.property(.category(.unassigned)))
        case "NONCHARACTER_CODE_POINT", "NONCHARACTERCODEPOINT": .property(.noncharacter)
        case "DIGIT": .property(.category(.decimalNumbers))
        case "ALNUM": .union([.property(.alphabetic), .property(.category(.decimalNumbers))])
        case "BLANK": .union([.property(.category(.spaces)), .ranges(0x09...0x09)])
        case "GRAPH": graphic
        case "PRINT":
            .intersection(
                .union([graphic, .property(.category(.spaces))]), .complement(.property(.category(.controls))))
        case "WORD": words(isUnicode: true)
        case "JOIN_CONTROL", "JOINCONTROL": .property(.joinControl)
        default: nil
        }
    }

    /// The POSIX classes under the flag `U`.
    private static func unicodePOSIX(_ name: String, _ ignoresCase: Bool) -> ScalarSet? {
        switch name {
        case "ALPHA": binary("ALPHABETIC", ignoresCase)
        case "LOWER": binary("LOWERCASE", ignoresCase)
        case "UPPER": binary("UPPERCASE", ignoresCase)
        case "SPACE": binary("WHITE_SPACE", ignoresCase)
        case "PUNCT": binary("PUNCTUATION", ignoresCase)
        case "XDIGIT": binary("HEX_DIGIT", ignoresCase)
        case "CNTRL": binary("CONTROL", ignoresCase)
        case "ALNUM", "DIGIT", "BLANK", "GRAPH", "PRINT": binary(name, ignoresCase)
        default: nil
        }
    }

    private static let graphic = ScalarSet.complement(
        .union([.property(.whiteSpace), .property(.category([.controls, .surrogates, .unassigned]))]))

    private static func java(_ name: String, _ ignoresCase: Bool) -> ScalarSet? {
        switch name {
        case "javaLowerCase" where ignoresCase, "javaUpperCase" where ignoresCase, "javaTitleCase" where ignoresCase:
            binary("LOWERCASE", true)
        case "javaLowerCase": .property(.lowercase)
        case "javaUpperCase": .property(.uppercase)
        case "javaTitleCase": .property(.category(.titlecase))
        case "javaAlphabetic": .property(.alphabetic)
        case "javaIdeographic": .property(.ideographic)
        case "javaDigit": .property(.category(.decimalNumbers))
        case "javaDefined": .complement(.property(.category(.unassigned)))
        case "javaLetter": .property(.category(.letters))
        case "javaLetterOrDigit": .property(.category([.letters, .decimalNumbers]))
        case "javaSpaceChar": .property(.category(.separators))
        case "javaWhitespace":
            // White space that may be broken at, and the separators of ASCII's control characters.
            .union([
                .intersection(
                    .property(.category(.separators)),
                    .complement(.ranges(0xA0...0xA0, 0x2007...0x2007, 0x202F...0x202F))),
                .ranges(0x09...0x0D, 0x1C...0x1F),
            ])
        case "javaISOControl": .ranges(0...0x1F, 0x7F...0x9F)
        case "javaMirrored": .property(.mirrored)
        case "javaIdentifierIgnorable": identifierIgnorable
        case "javaUnicodeIdentifierStart": .property(.idStart)
        case "javaUnicodeIdentifierPart": .union([.property(.idContinue), identifierIgnorable])
        case "javaJavaIdentifierStart":
            .property(.category([.letters, .letterNumbers, .currencySymbols, .connectors]))
        case "javaJavaIdentifierPart":
            .union([
                .property(
                    .category([
                        .letters, .letterNumbers, .currencySymbols, .connectors, .decimalNumbers, .nonspacingMarks,
                        .spacingMarks,
                    ])),
                identifierIgnorable,
            ])
        default: nil
        }
    }

    private static let identifierIgnorable = ScalarSet.union([
        .ranges(0...0x08, 0x0E...0x1B, 0x7F...0x9F), .property(.category(.formats)),
    ])
}
