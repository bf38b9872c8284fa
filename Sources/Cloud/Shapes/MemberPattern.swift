import JSON

/// Which characters a text is of, with the pattern that the service names where a text has others. A room adds its own.
package final class MemberPattern: Sendable, CustomStringConvertible {
    /// As the service writes it.
    package let pattern: String
    package let admits: @Sendable (_ text: String) -> Bool
    /// True if it admits all texts.
    let isAny: Bool

    package init(_ pattern: String, _ admits: @escaping @Sendable (_ text: String) -> Bool) {
        (self.pattern, self.admits, isAny) = (pattern, admits, false)
    }

    private init(any pattern: String) { (self.pattern, admits, isAny) = (pattern, { _ in true }, true) }

    /// Letters and digits of ASCII, and other characters of ASCII.
    package convenience init(_ pattern: String, lettersAnd others: StaticString) {
        self.init(pattern) { text in
            others.withUTF8Buffer { others in
                text.utf8.allSatisfy { $0.isAlphanumeric || others.contains($0) }
            }
        }
    }

    package var description: String { pattern }

    package static let any = MemberPattern(any: #"[\s\S]*"#)
    /// Letters, marks, symbols, digits, punctuation: no blanks, no control or format characters.
    package static let name = MemberPattern(#"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#) {
        $0.unicodeScalars.allSatisfy(isNameCharacter)
    }
    /// No blanks.
    package static let solid = MemberPattern(#"[\S]+"#) {
        !$0.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
    }
    package static let token = MemberPattern(#"[A-Za-z0-9-_=.]+"#, lettersAnd: "-_=.")
    package static let digits = MemberPattern("[0-9]+") { $0.utf8.allSatisfy(\.isDigit) }
    /// The name of a resource, such as a rule.
    package static let resource = MemberPattern(#"[\.\-_A-Za-z0-9]+"#, lettersAnd: ".-_")
    /// A path of such names, such as an event bus of a partner.
    package static let resourcePath = MemberPattern(#"[/\.\-_A-Za-z0-9]+"#, lettersAnd: "/.-_")
    /// As hashes are written.
    package static let base64 = MemberPattern(#"[\w+=/]+"#, lettersAnd: "_+=/")

    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
            .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}
