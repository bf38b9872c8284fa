/// The limits of regular expressions: a pattern is written by a person, but a text may be anything.
package enum RegularExpressionLimits {
    /// Groups inside one another; the reader of patterns calls itself for each.
    package static let depth = 250
    /// Capture groups of one pattern, as many as V8 has.
    package static let groups = 32_767
    /// Instructions of one program.
    package static let instructions = 1 << 20
    /// Places to come back to that one search remembers (16 bytes each, so 32 MB).
    package static let backtrackFrames = 1 << 21
    /// Units of a text that can be searched; positions are kept as 32 bits.
    package static let textUnits = Int(Int32.max) - 1
}
