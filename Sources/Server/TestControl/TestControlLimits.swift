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
    /// The times that the clock can show: from 1970 to 9999.
    static let times: ClosedRange<Int64> = 0...253_402_300_799_999
}
