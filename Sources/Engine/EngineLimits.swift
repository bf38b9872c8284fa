/// The limits of the room.
package struct EngineLimits: Sendable {
    /// How deep fields may nest; nil for as deep as documents may.
    package var depthMax: Int?
    /// The records and pages that one operation may ask the database for.
    package var readsMax = 10_000
    /// How long an operation may read, and how long what it calls may take, all together.
    package var milliseconds: Int64 = 30_000
    /// How long a read may keep a loop, on which others wait: then it goes on beside it, from its beginning.
    package var turnMilliseconds: Int64 = 20
    /// The same at least, while many reads have turned out to be long.
    package var turnMillisecondsMin: Int64 = 3
    /// What a read may write meanwhile: a longer response is made, and given its memory, beside the loop.
    package var turnBytesMax = 4 << 20
    /// A query whose request has more bytes begins beside the loop: texts to look for take their time before the first row.
    package var turnRequestBytesMax = 64 << 10
    /// How long the mutations of one operation may keep the writer, all together: nobody else's are made meanwhile.
    package var mutationMilliseconds: Int64 = 5_000
    /// A document with more bytes is prepared beside the loop, and so is a shorter one that has more in it than
    /// `ValidationLimits.turn` allows.
    package var turnDocumentBytesMax = 8 << 10
    /// Long documents that wait to be prepared.
    package var longDocumentsWaitingMax = 64
    /// What handlers may take of a turn of their loop, all together: the others of that turn run beside it.
    package var handlersTurnMilliseconds: Int64 = 5
    /// Handlers that wait for a thread beside the loops. What comes behind them fails.
    package var handlersWaitingMax = 1_000
    /// The longest response.
    package var responseBytesMax = 32 << 20
    /// The records that a page may have, whatever its `limit` says.
    package var pageMax = 10_000
    /// What the records of a page may have, written out, without what is read of other records: DynamoDB's megabyte. The page
    /// ends behind the record with which it has as much.
    package var pageBytesMax = 1 << 20
    /// The rows that a page of a sync may look at, whatever its `limit` says: as many as with AppSync.
    package var syncPageMax = 1_000
    /// The aggregates that a search may ask for.
    package var aggregatesMax = 50
    /// The calls to functions and services that one operation makes at the same time.
    package var callsMax = 64
    /// How long a function or service may take to answer: AppSync gives up the whole request by then.
    package var callMilliseconds = 30_000
    /// The longest answer of a function or service: that of AWS Lambda.
    package var callBytesMax = 6 << 20

    package init() {}
}
