/// The limits of the room. A pattern comes from a schema or a configuration and may be clumsy; the text comes from a
/// client and may be hostile.
package enum PatternLimits {
    /// Code points of a pattern. Beyond: `PatternError.Reason.tooLong`.
    package static let patternLengthMax = 10_000
    /// Groups and classes inside each other. Beyond: `PatternError.Reason.nestedTooDeeply`.
    package static let nestingDepthMax = 60
    /// Instructions, after counted repetitions are written out. Beyond: `PatternError.Reason.programTooLarge`.
    package static let programInstructionsMax = 150_000
    /// The steps of one match, about an instruction each. Beyond: the text does not match.
    package static let stepsMax = 10_000_000
    /// Steps between two looks at the time: at most some milliseconds.
    package static let stepsPerLook = 100_000
    /// Choices that the backtracking matcher remembers. Beyond: the text does not match.
    package static let framesMax = 1_000_000
}
