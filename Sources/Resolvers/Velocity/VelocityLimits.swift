/// What bounds templates, beside `ResolverLimits`, which bound a run of one.
enum VelocityLimits {
    /// The text of one template. Beyond: it is refused when it is read.
    static let templateBytesMax = 64 << 10
    /// Blocks, parentheses and arguments in each other. Beyond: a template is refused.
    static let syntaxNestingMax = 200
    /// What a value in a list or a map is taken to hold, in bytes.
    static let bytesPerValue = 48
    /// Bytes of a text that cost one step.
    static let bytesPerStep = 64
}
