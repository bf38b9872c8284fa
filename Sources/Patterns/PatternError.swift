/// Why a text is no pattern, and where.
package struct PatternError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// Something else had to stand there.
        case expected(String)
        /// A quantifier with nothing before it.
        case nothingToRepeat
        /// A repetition, a range or a code point that runs backwards or is too large.
        case badRange
        /// A backslash before a letter that means nothing there.
        case unknownEscape(String)
        /// Constructs of Java that are not supported: `\X`, `\N{…}`, `\b{g}`, the flag `c`.
        case unsupported(String)
        case unknownProperty(String)
        case unknownGroup(String)
        case duplicateGroup(String)
        case tooLong
        case nestedTooDeeply
        case programTooLarge
    }

    package let reason: Reason
    /// The code points before the place, a quotation's `\Q` and `\E` not counted.
    package let position: Int

    package var description: String {
        let what =
            switch reason {
            case .expected(let expected): "expected \(expected)"
            case .nothingToRepeat: "there is nothing to repeat"
            case .badRange: "the range runs backwards or is too large"
            case .unknownEscape(let escape): "\(escape) means nothing here"
            case .unsupported(let construct): "\(construct) is not supported"
            case .unknownProperty(let name): "unknown property '\(name)'"
            case .unknownGroup(let name): "no group '\(name)' before this place"
            case .duplicateGroup(let name): "there is a group '\(name)' already"
            case .tooLong: "a pattern has at most \(PatternLimits.patternLengthMax) code points"
            case .nestedTooDeeply: "groups and classes nest at most \(PatternLimits.nestingDepthMax) deep"
            case .programTooLarge: "its repetitions written out take over \(PatternLimits.programInstructionsMax) steps"
            }
        return "pattern, position \(position): \(what)"
    }
}
