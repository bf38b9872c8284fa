/// What bounds the code of resolvers and what it does: the one table of the room.
///
/// The values of a `ResolverLimits` hold for one run, so that tests lower them; the others hold always.
package struct ResolverLimits: Sendable {
    /// Characters of the code of one resolver or function. Beyond: it is refused when it is read.
    package static let codeCharactersMax = 32_768

    /// Turns of one loop. Beyond: the handler fails.
    package var loopTurnsMax = 1_000
    /// Turns of loops, calls, and what library functions count for their own loops.
    package var stepsMax = 5_000_000
    /// Functions that wait for one another.
    package var callDepthMax = 500
    /// What values hold at one time, about.
    package var memoryBytesMax = 64 << 20
    /// How long one handler may run.
    package var milliseconds = 2_000
    /// Bytes of what a handler answers, as JSON, and of its stash.
    package var resultBytesMax = 5 << 20
    /// Lines that one handler writes to the console. What comes behind them is left out.
    package var logLinesMax = 1_000
    /// Bytes of those lines together.
    package var logBytesMax = 256 << 10
    /// Errors that one field appends. Beyond: the handler fails.
    package var outErrorsMax = 1_000
    /// Values in values, in what a handler answers, and in what library functions are given.
    package var nestingMax = 100
    /// Steps between two looks at the clock.
    var stepsPerLook = 1_024

    package init() {}

    /// What a handler may take of a loop on which others wait. No client ever meets these: who would have met one is run anew beside
    /// the loop. Most handlers take less than a tenth of each.
    static let brief: ResolverLimits = {
        var limits = ResolverLimits()
        limits.stepsMax = 5_000
        limits.stepsPerLook = 64
        limits.milliseconds = 2
        limits.memoryBytesMax = 4 << 20
        limits.resultBytesMax = 256 << 10
        return limits
    }()
    /// Values, and bytes of texts, in all that a handler is told. Beyond: it runs beside the loop.
    static let briefContextValuesMax = 4_096
    static let briefContextBytesMax = 256 << 10
    /// The processor time beyond which a run beside the loop is not tried on the loop the next time.
    static let briefNanoseconds: Int64 = 500_000
    /// How long a handler may run beside the loop before it has to go on among those that take long.
    static let besideMilliseconds = 50
}
