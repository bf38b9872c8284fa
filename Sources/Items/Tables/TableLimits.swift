/// The limits of tables and of what is asked of them: the one table of what DynamoDB refuses, and of what is bounded here.
package enum TableLimits {
    /// The body of a request.
    package static let bodyBytesMax = 16 << 20
    /// Tables of one server.
    package static let tablesMax = 2_500
    package static let nameBytes = 3...255
    package static let localIndexesMax = 5
    package static let globalIndexesMax = 20
    /// Attributes of the partition key of a global index, and of its sort key.
    package static let keyAttributesMax = 4
    /// Attributes that all indexes of a table name together.
    package static let projectedAttributesMax = 100
    package static let tagsMax = 50
    /// What a page of a query or a scan may weigh before it ends.
    package static let pageBytesMax = 1 << 20
    /// Keys of a BatchGetItem, and what its answer may weigh.
    package static let batchKeysMax = 100
    package static let batchBytesMax = 16 << 20
    /// Requests of a BatchWriteItem.
    package static let batchWritesMax = 25
    /// Parts of a transaction, and what they may weigh together.
    package static let transactionItemsMax = 100
    package static let transactionBytesMax = 4 << 20
    package static let tokenBytesMax = 36
    /// How long the outcome of a transaction is kept for whoever asks again with its token.
    package static let tokenMilliseconds: Int64 = 10 * 60_000
    package static let segmentsMax: Int64 = 1_000_000
    package static let listTablesMax: Int64 = 100
    /// How long the records of a stream are kept, and how many of one stream.
    package static let streamMilliseconds: Int64 = 24 * 3_600_000
    package static let streamRecordsMax: Int64 = 1_000_000
    package static let recordsMax: Int64 = 1_000
    package static let recordsBytesMax = 1 << 20
    package static let streamsMax: Int64 = 100
    /// How long an iterator of a shard is good.
    package static let iteratorMilliseconds: Int64 = 15 * 60_000
    /// How many rows one step of a chore changes: others write between two steps.
    package static let choreRows: Int64 = 500
    /// How often expired items are looked for.
    package static let sweepMilliseconds: Int64 = 10_000
    /// Items that expired longer ago than this stay, as with DynamoDB: their times are no times.
    package static let expirySecondsMax: Int64 = 5 * 365 * 86_400
    /// What all calls of one turn of a loop may do there, and all conditions of one transaction in the writer: some two milliseconds. What
    /// needs more is done beside them. See `CallBudget`.
    package static let turnSteps = 400_000
    /// Steps between two looks at the time of what is done beside them.
    package static let stepsPerLook = 200_000
    /// A body that has more bytes is read beside the loop.
    package static let bodyBytesAtOnce = 128 << 10
    /// The same for a transaction, whose entries have expressions of their own: those take twenty times as long to read as the rest.
    static let transactionBytesAtOnce = 16 << 10
    /// How long all conditions and updates of one call may take where they are decided beside the writer, unless the server says
    /// otherwise (`limits.mutationSeconds`).
    package static let decisionMilliseconds: Int64 = 5_000
    /// What one transaction of a BatchWriteItem puts, unless it is one item: others write between two.
    static let writtenAtOnceBytesMax = 1 << 20
    /// How long SQLite may hold up a loop for a read before it goes on beside it, and how long it may take there.
    package static let loopMilliseconds: Int64 = 20
    package static let readMilliseconds: Int64 = 30_000
    /// How many ends of pages of a model's table are kept in mind, for clients that take out what they have read.
    package static let walkEndsMax = 4_096
    /// How long counting the items of a table may take before the description says what was known last.
    package static let countMilliseconds: Int64 = 200
    /// How often an operation is begun anew because its table has been changed meanwhile.
    static let triesMax = 4
}
