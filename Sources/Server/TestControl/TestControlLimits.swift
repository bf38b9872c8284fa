/// The limits of what tests may ask for.
enum TestControlLimits {
    /// Snapshots that are kept at the same time.
    static let snapshotsMax = 64
    static let nameBytesMax = 64
    /// The records of a call to `seed`.
    static let seedBytesMax = 64 << 20
    /// Any other call.
    static let bodyBytesMax = 1 << 20
    /// Rules for faults at the same time.
    static let rulesMax = 100
    /// The text of a pattern.
    static let patternBytesMax = 1_024
    static let delayMillisecondsMax: Int64 = 60_000
    /// Requests that are kept, and how many bytes of queries and variables with them.
    static let requestsMax = 1_000
    static let requestsBytesMax = 16 << 20
    /// The query and the variables of one request: longer ones are not kept.
    static let operationBytesMax = 64 << 10
    /// Operations that are on their way and will be kept.
    static let operationsMax = 10_000
    /// Messages of an answer, the newest ones.
    static let messagesMax = 1_000
    /// How long an answer may wait for a message, and how many do at the same time.
    static let waitMillisecondsMax: Int64 = 60_000
    static let waitsMax = 1_000
    /// Worlds at the same time: each is a process.
    static let worldsMax = 1_000
    /// Processes that wait to become worlds, once there was one: at first, and where worlds were asked for faster than they start.
    static let spareWorldsFirst = 2
    static let spareWorldsMax = 8
    /// The size of the databases that worlds began with, all together: one that several of them share counts once.
    static let worldsBytesMax: Int64 = 1 << 30
    /// How long a world may go without a request and an open WebSocket, unless a test asks for another time.
    static let worldIdleSeconds: Int64 = 600
    static let worldIdleSecondsRange: ClosedRange<Int64> = 1...86_400
    /// The time without a use after which a world gives memory back.
    static let worldRestMilliseconds: Int64 = 1_000
    /// How long the process of a world may take to start, to take its state, and to end.
    static let worldStartMilliseconds = 30_000
    static let worldEndMilliseconds = 5_000
    /// Worlds that are started or ended at the same moment, and calls that wait for their turn.
    static let worldThreadsMax = 4
    static let worldCallsMax = 256
    /// The times that the clock can show: from 1970 to 9999.
    static let times: ClosedRange<Int64> = 0...253_402_300_799_999
}
