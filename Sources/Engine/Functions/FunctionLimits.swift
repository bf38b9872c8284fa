/// The limits of what is called to compute a field. What goes beyond one gets an error that names it.
enum FunctionLimits {
    /// How long a function or an HTTP call may take: AppSync gives up the whole request by then.
    static let timeoutMilliseconds = 30_000
    /// The longest payload that a function is sent, and the longest result that it may give: those of AWS Lambda.
    static let payloadBytesMax = 6 << 20
    static let resultBytesMax = 6 << 20
    /// The longest answer of an HTTP call.
    static let answerBytesMax = 6 << 20
    /// Calls that nobody waits for (`invocationType: Event`) and that have not ended yet, over all loops.
    static let eventsMax = 1_000
    /// How much of what a service answers may stand in an error's message.
    static let messageBytesMax = 64 << 10
    /// How deeply the elements of an XML answer may contain each other.
    static let elementDepthMax = 200
}
