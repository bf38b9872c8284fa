/// A pattern that the language refuses; the text is the one that V8 prints, because people look for it.
package struct RegularExpressionSyntaxError: Error, Equatable {
    package enum Reason: String, Sendable {
        case tooLarge = "Regular expression too large"
        case unterminatedGroup = "Unterminated group"
        case unmatchedParenthesis = "Unmatched ')'"
        case escapeAtEnd = "\\ at end of pattern"
        case propertyName = "Invalid property name"
        case classPropertyName = "Invalid property name in character class"
        case escape = "Invalid escape"
        case classEscape = "Invalid class escape"
        case decimalEscape = "Invalid decimal escape"
        case unicodeEscape = "Invalid Unicode escape"
        case nothingToRepeat = "Nothing to repeat"
        case loneQuantifierBrackets = "Lone quantifier brackets"
        case rangeOutOfOrder = "numbers out of order in {} quantifier"
        case incompleteQuantifier = "Incomplete quantifier"
        case quantifier = "Invalid quantifier"
        case group = "Invalid group"
        case tooManyCaptures = "Too many captures"
        case captureGroupName = "Invalid capture group name"
        case duplicateCaptureGroupName = "Duplicate capture group name"
        case namedReference = "Invalid named reference"
        case namedCaptureReferenced = "Invalid named capture referenced"
        case characterClass = "Invalid character class"
        case unterminatedCharacterClass = "Unterminated character class"
        case classOutOfOrder = "Range out of order in character class"
    }

    package let reason: Reason
    /// The place in the pattern, in units.
    package let offset: Int
    package let pattern: [UInt16]
    package let flags: RegularExpressionFlags

    /// The text of the `SyntaxError`.
    package var message: String {
        "Invalid regular expression: /\(String(decoding: pattern, as: UTF16.self))/\(flags.text): \(reason.rawValue)"
    }
}

/// A search that was given up.
package enum RegularExpressionError: Error, Equatable {
    /// The caller's steps are used up, or the way back grew past its limit.
    case tooManySteps
}
