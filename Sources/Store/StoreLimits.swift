/// The limits of the room.
package enum StoreLimits {
    /// Prepared statements that a connection keeps.
    package static let statementsMax = 512
    /// The memory that a connection keeps pages in.
    package static let pageCacheBytes = 8 << 20
    /// How much of the file is mapped into memory, shared by all connections.
    package static let memoryMapBytes = 1 << 30
    /// How long a connection waits for a lock that another process holds.
    package static let busyMilliseconds = 2_000
    /// The longest text or list of bytes in a value, and the longest SQL.
    package static let valueBytesMax = 64 << 20
    /// Pages in the write-ahead log before they are copied into the file.
    package static let logPagesMax = 1_000
    /// Nested `and`, `or` and `not` in a filter: SQLite allows 1,000 levels, each of ours takes up to three.
    package static let filterDepthMax = 64
    /// Conditions in a filter.
    package static let filterConditionsMax = 2_000
    /// Steps of SQLite's machine between two looks at the time: some tens of microseconds.
    package static let progressSteps: Int32 = 4_000
    /// Rows that a page may hold.
    package static let pageRowsMax = 100_000
    /// The longest `nextToken` that is looked at.
    package static let tokenBytesMax = 1 << 20
    /// Mutations that wait for the writer.
    package static let waitingMutationsMax = 10_000
    /// Mutations that share a commit.
    package static let groupMutationsMax = 256
}
