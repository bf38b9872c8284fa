/// Every limit of functions, in one place.
package enum RuntimeLimits {
    /// The event and the result of a call that somebody waits for.
    package static let payloadBytesMax = (6 << 20) + 100
    /// The event of a call that nobody waits for.
    package static let eventBytesMax = 1 << 20
    /// A result that is streamed.
    package static let streamedBytesMax = 20 << 20
    /// The head of a request of a runtime: the cause of an error for tracing alone may have 1 MiB.
    static let headBytesMax = 2 << 20
    /// The trailer of a result that has failed halfway.
    static let trailerBytesMax = 64 << 10
    /// Connections of one process.
    static let connectionsMax = 64

    /// Processes of all functions together. Beyond, the one that has been idle for longest is ended.
    package static let processesMax = 64
    /// Calls of a function that wait for a process, and what their events take in all functions together. Beyond: refused.
    package static let waitingMax = 1_000
    package static let waitingBytesMax = 64 << 20

    /// Calls that nobody waits for and that have not ended, and when one that has failed is made again. Beyond: refused, given up.
    package static let laterMax = 1_000
    static let laterMilliseconds = [60_000, 120_000]

    /// The time that a process has until it asks for its first event.
    static let startMilliseconds = 30_000
    /// How long nothing is started behind two starts that have failed, and behind many.
    static let firstDelayMilliseconds = 100
    static let longestDelayMilliseconds = 5_000
    /// How long a process has to end by itself: behind an error of its start, and when the server stops.
    static let endMilliseconds = 800
    /// The descriptors that a process may have.
    static let descriptorsMax: UInt64 = 1_024
    /// The runtime's own memory beside the memory of its function: the stacks of its threads, its compiler.
    static let runtimeMemoryBytes: UInt64 = 192 << 20
    /// The memory that it may reserve beside that before its first event, as long as it does not write there: Node 24 has half a GiB for the
    /// code of each of its threads.
    static let reservedMemoryBytes: UInt64 = 2 << 30

    /// The longest piece of a line that goes to the log, and what a process may write there in a second. Beyond: dropped and
    /// counted.
    static let lineBytesMax = 4 << 10
    static let outputBytesPerSecond = 256 << 10
    /// The end of a call's output that a caller can ask for.
    package static let tailBytesMax = 4 << 10

    /// What is kept in memory of each function for people: its newest calls, with the beginning of the event and of the result, and the
    /// newest lines of its output.
    package static let journalCallsMax = 50
    package static let journalBytesMax = 2 << 10
    package static let journalLinesMax = 200

    /// Changes of a table that a function is told of at once, and what they take in the database.
    package static let streamBatch = 1...10_000
    package static let streamBytesMax = 2 << 20
    /// How often a function is told of a change that it alone is told of and fails with, and for how long changes are kept where
    /// nobody answers.
    package static let streamTriesMax = 5
    /// How often a function may want to be told again; -1 is as often as it takes.
    package static let streamRetries = -1...10_000
    package static let streamKeptMilliseconds: Int64 = 24 * 3_600_000
    package static let streamFirstDelayMilliseconds: Int64 = 1_000
    package static let streamLongestDelayMilliseconds: Int64 = 60_000
    /// How long nothing is tried where the database cannot be read or written.
    package static let streamPauseMilliseconds: Int64 = 5_000
    /// After how long changes are looked for without anybody saying so.
    package static let streamLookMilliseconds: Int64 = 60_000
    /// The same among several nodes, which change tables without a word: as Lambda does, who reads a stream looks four times a second.
    package static let nodeStreamLookMilliseconds: Int64 = 250

    package static let timeoutSeconds = 1...900
    package static let memoryMegabytes = 128...10_240
    package static let concurrency = 1...processesMax
    /// The files of a function that are read to find its imports.
    static let importedFilesMax = 256
    static let importedFileBytesMax = 1 << 20
    static let importedBytesMax = 16 << 20
}
