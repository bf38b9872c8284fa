/// A property of code points that the standard library knows.
enum ScalarProperty: Sendable {
    case category(Categories)
    case alphabetic, ideographic, lowercase, uppercase, whiteSpace, hexDigit, joinControl, noncharacter, mirrored
    case idStart, idContinue

    func contains(_ value: UInt32) -> Bool {
        // A surrogate is no scalar; only a pattern can name one, and no text holds it.
        guard let properties = JavaCodePoints.properties(value) else { return false }
        return switch self {
        case .category(let categories): categories.contains(Categories(properties.generalCategory))
        case .alphabetic: properties.isAlphabetic
        case .ideographic: properties.isIdeographic
        case .lowercase: properties.isLowercase
        case .uppercase: properties.isUppercase
        case .whiteSpace: properties.isWhitespace
        case .hexDigit: properties.isHexDigit
        case .joinControl: properties.isJoinControl
        case .noncharacter: properties.isNoncharacterCodePoint
        case .mirrored: properties.isBidiMirrored
        case .idStart: properties.isIDStart
        case .idContinue: properties.isIDContinue
        }
    }
}

/// General categories of Unicode.
struct Categories: OptionSet, Sendable {
    let rawValue: UInt32

    static let uppercase = Categories(rawValue: 1 << 0)
    static let lowercase = Categories(rawValue: 1 << 1)
    static let titlecase = Categories(rawValue: 1 << 2)
    static let modifierLetters = Categories(rawValue: 1 << 3)
    static let otherLetters = Categories(rawValue: 1 << 4)
    static let nonspacingMarks = Categories(rawValue: 1 << 5)
    static let spacingMarks = Categories(rawValue: 1 << 6)
    static let enclosingMarks = Categories(rawValue: 1 << 7)
    static let decimalNumbers = Categories(rawValue: 1 << 8)
    static let letterNumbers = Categories(rawValue: 1 << 9)
    static let otherNumbers = Categories(rawValue: 1 << 10)
    static let connectors = Categories(rawValue: 1 << 11)
    static let dashes = Categories(rawValue: 1 << 12)
    static let openings = Categories(rawValue: 1 << 13)
    static let closings = Categories(rawValue: 1 << 14)
    static let initialQuotes = Categories(rawValue: 1 << 15)
    static let finalQuotes = Categories(rawValue: 1 << 16)
    static let otherPunctuation = Categories(rawValue: 1 << 17)
    static let mathSymbols = Categories(rawValue: 1 << 18)
    static let currencySymbols = Categories(rawValue: 1 << 19)
    static let modifierSymbols = Categories(rawValue: 1 << 20)
    static let otherSymbols = Categories(rawValue: 1 << 21)
    static let spaces = Categories(rawValue: 1 << 22)
    static let lineSeparators = Categories(rawValue: 1 << 23)
    static let paragraphSeparators = Categories(rawValue: 1 << 24)
    static let controls = Categories(rawValue: 1 << 25)
    static let formats = Categories(rawValue: 1 << 26)
    static let surrogates = Categories(rawValue: 1 << 27)
    static let privateUse = Categories(rawValue: 1 << 28)
    static let unassigned = Categories(rawValue: 1 << 29)

    static let cased: Categories = [.uppercase, .lowercase, .titlecase]
    static let letters: Categories = [.cased, .modifierLetters, .otherLetters]
    static let marks: Categories = [.nonspacingMarks, .spacingMarks, .enclosingMarks]
    static let numbers: Categories = [.decimalNumbers, .letterNumbers, .otherNumbers]
    static let punctuation: Categories = [
        .connectors, .dashes, .openings, .closings, .initialQuotes, .finalQuotes, .otherPunctuation,
    ]
    static let symbols: Categories = [.mathSymbols, .currencySymbols, .modifierSymbols, .otherSymbols]
    static let separators: Categories = [.spaces, .lineSeparators, .paragraphSeparators]
    static let others: Categories = [.controls, .formats, .surrogates, .privateUse, .unassigned]

    /// By Java's short names.
    static let named: [String: Categories] = [
        "L": .letters, "Lu": .uppercase, "Ll": .lowercase, "Lt": .titlecase, "Lm": .modifierLetters,
        "Lo": .otherLetters, "LC": .cased, "LD": [.letters, .decimalNumbers],
        "M": .marks, "Mn": .nonspacingMarks, "Mc": .spacingMarks, "Me": .enclosingMarks,
        "N": .numbers, "Nd": .decimalNumbers, "Nl": .letterNumbers, "No": .otherNumbers,
        "P": .punctuation, "Pc": .connectors, "Pd": .dashes, "Ps": .openings, "Pe": .closings, "Pi": .initialQuotes,
        "Pf": .finalQuotes, "Po": .otherPunctuation,
        "S": .symbols, "Sm": .mathSymbols, "Sc": .currencySymbols, "Sk": .modifierSymbols, "So": .otherSymbols,
        "Z": .separators, "Zs": .spaces, "Zl": .lineSeparators, "Zp": .paragraphSeparators,
        "C": .others, "Cc": .controls, "Cf": .formats, "Cs": .surrogates, "Co": .privateUse, "Cn": .unassigned,
    ]
}

extension Categories {
    /// Over 30 lines, as there are 30 of them.
    init(_ category: Unicode.GeneralCategory) {
        self =
            switch category {
            case .uppercaseLetter: .uppercase
            case .lowercaseLetter: .lowercase
            case .titlecaseLetter: .titlecase
            case .modifierLetter: .modifierLetters
            case .otherLetter: .otherLetters
            case .nonspacingMark: .nonspacingMarks
            case .spacingMark: .spacingMarks
            case .enclosingMark: .enclosingMarks
            case .decimalNumber: .decimalNumbers
            case .letterNumber: .letterNumbers
            case .otherNumber: .otherNumbers
            case .connectorPunctuation: .connectors
            case .dashPunctuation: .dashes
            case .openPunctuation: .openings
            case .closePunctuation: .closings
            case .initialPunctuation: .initialQuotes
            case .finalPunctuation: .finalQuotes
            case .otherPunctuation: .otherPunctuation
            case .mathSymbol: .mathSymbols
            case .currencySymbol: .currencySymbols
            case .modifierSymbol: .modifierSymbols
            case .otherSymbol: .otherSymbols
            case .spaceSeparator: .spaces
            case .lineSeparator: .lineSeparators
            case .paragraphSeparator: .paragraphSeparators
            case .control: .controls
            case .format: .formats
            case .surrogate: .surrogates
            case .privateUse: .privateUse
            case .unassigned: .unassigned
            @unknown default: .unassigned
            }
    }
}
