/// The limits of what is called to compute a field, beside those of `EngineLimits`, which can be set. What goes
/// beyond one gets an error that names it.
enum FunctionLimits {
    /// The longest payload that a function is sent: that of AWS Lambda.
    static let payloadBytesMax = 6 << 20
    /// Calls that nobody waits for (`invocationType: Event`) and that have not ended yet, over all loops.
    static let eventsMax = 1_000
    /// Invocations of one field that go to a function as one, where nothing else is said, and where it is: as with AppSync.
    static let usualBatch = 5
    static let batchMax = 2_000
    /// How often a function is asked about the conflicts of one mutation, while others change the record.
    static let conflictQuestionsMax = 5
    /// How much of what a service answers may stand in an error's message.
    static let messageBytesMax = 64 << 10
    /// How deeply the elements of an XML answer may contain each other.
    static let elementDepthMax = 200
}
