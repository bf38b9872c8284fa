import Network

/// The limits of the room.
package enum StoreLimits {
    /// Prepared statements that a connection keeps.
    package static let statementsMax = 512
    /// The texts of bound values that a connection has room for while its statements run. SQLite copies what does not fit.
    static let boundTextBytesMax = 4 << 10
    /// The memory that a connection keeps pages in.
    package static let pageCacheBytes = 8 << 20
    /// The pages that a connection keeps which spares memory.
    static let sparedPages = 8
    /// How much of the file is mapped into memory, shared by all connections.
    package static let memoryMapBytes = 1 << 30
    /// How long a connection waits for a lock that another process holds.
    package static let busyMilliseconds = 2_000
    /// The longest text or list of bytes in a value, and the longest SQL.
    package static let valueBytesMax = 64 << 20
    /// Pages in the write-ahead log before they are copied into the file.
    package static let logPagesMax = 1_000
    /// Pages that the last commit before that may take further: so long the log's file grows ahead of what is written.
    package static let logPagesBeyond = 128
    /// Pages of a database that others can lie over: with the usual 4 KiB, 1 GiB.
    package static let layeredPagesMax = 256 << 10
    /// Pages in the log of a database that lies over another one: it is in memory, which the log takes too.
    package static let layeredLogPagesMax = 64
    /// Nested `and`, `or` and `not` in a filter: SQLite allows 1,000 levels, each of ours takes up to three.
    package static let filterDepthMax = 64
    /// The values of one field whose records are merged in the order of creation instead of sorted.
    static let mergedValuesMax = 8
    /// Conditions in a filter.
    package static let filterConditionsMax = 2_000
    /// The values of a filter's conditions, all together.
    package static let filterValueBytesMax = 4 << 20
    /// Wildcards and regular expressions in a filter.
    package static let filterPatternsMax = 32
    /// Steps of SQLite's machine between two looks at the time: some microseconds, but a step may read a whole value.
    package static let progressSteps: Int32 = 500
    /// Steps of our own functions between two looks at the time: at most some milliseconds.
    package static let functionStepsPerLook = 100_000
    /// Long reads that run at the same time beside the loops, each with a thread and a connection.
    package static let readsAsideMax = 8
    /// Long reads that wait for one of those.
    package static let waitingReadsMax = 128
    /// After how long without a read such a thread goes.
    static let readsAsideIdleSeconds = 10
    /// How far such threads stand behind the loops and the writer: they get about a third of the time of a core that both
    /// want.
    static let readsAsideNiceness: Int32 = 5
    /// How long a statement of a server may take, where nothing else ends it earlier: a commit has no deadline of its own.
    package static let tripMilliseconds: Int64 = 30_000
    /// Statements that wait for the next trip to a server before they go out in one of their own.
    static let statementsAheadMax = 1_000
    /// The bytes of their values.
    static let bytesAheadMax = 1 << 20
    /// Changes of a group that say at the same time what they will ask: a trip has room for the answers, however large the records are.
    static let expectingChangesMax = 64
    /// The runs of a change before its turn: it asks, asks behind that, and changes its record.
    static let foretellingRunsMax = 3
    /// The bytes of one answer that is kept for the same question, and of all.
    static let answerBytesMax = 1 << 20
    static let answersBytesMax = 64 << 20
    /// The questions that a read has answers to at the same time.
    static let answersMax = 10_000
    /// The questions of a read that go to a server in one trip.
    static let gatheredQuestionsMax = 1_000
    /// So many questions of a trip that differ in their values alone go to a server as one. A few are no dearer by themselves.
    static let questionsAsOneMin = 4
    /// The parts of a trip to a server that reads share: a read of a row takes one, others as many as their answers are long.
    static let sharedTripParts = 64
    /// The bytes of an answer that count as one part.
    package static let sharedPartBytes = 2 << 10
    /// The time that such a trip may take. Behind that each read goes by itself, so that none waits for another one.
    static let sharedTripMilliseconds: Int64 = 1_000
    /// The threads that read single rows of a server at the same time. What comes meanwhile goes with the next trip, so there are many of them in one.
    static let rowGroupsMax = 2
    /// The loops that have a connection of their own to a server, for rows that they read by themselves. All others have that done beside them.
    static let loopConnectionsMax = 4
    /// The reads of rows that wait on a loop for its next trip. Those beyond are made beside it.
    static let loopReadsMax = 1_000
    /// The bytes of a row's key, and of all in one trip: a socket has room for so many without waiting.
    static let loopKeyBytes = 1 << 10
    static let loopTripKeyBytes = 8 << 10
    /// The bytes of the rows of such a trip that a loop goes through. More of them is work for a thread beside it.
    static let loopAnswerBytes = 256 << 10
    /// How long a loop waits before it asks for another connection, where it got none or has lost one.
    static let loopConnectionPauseMilliseconds: Int64 = 1_000
    /// The runs of a read with the answers that it lacked, before it asks one question a trip.
    static let gatheringRunsMax = 16
    /// How long a change waits for the turn of a room that another process holds.
    package static let turnMilliseconds: Int64 = 5_000
    /// How long the answer with the turns of a group may take, beside the wait for them.
    static let turnAnswerMilliseconds: Int64 = 5_000
    /// How long a server waits for the next statement of a transaction before it takes the transaction back.
    package static let idleTransactionMilliseconds: Int64 = 10_000
    /// The same where this process works something out within the transaction, which takes long on a busy machine: words of a migration, a key for
    /// signatures. Other nodes that start wait for that.
    static let idleThinkingMilliseconds: Int64 = 60_000
    /// How often a group of changes begins anew whose connection has ended, or that another transaction was in the way of.
    static let groupAttemptsMax = 3
    /// How long a writer asks what has become of a commit whose answer was lost.
    package static let settleMilliseconds: Int64 = 60_000
    /// The pauses between two of these questions.
    static let settlePauses = BackOff(firstMilliseconds: 50, longestMilliseconds: 1_000)
    /// The longest name of a table or a column on a server, in bytes: PostgreSQL cuts longer ones.
    package static let serverNameBytesMax = 63
    /// How often a process looks whether the server of its database answers.
    static let holdLookMilliseconds = 1_000
    /// How long the answer may take.
    static let holdAnswerMilliseconds: Int64 = 5_000
    /// How long a process waits for another one to let go of a database on a server.
    static let holdWaitMilliseconds: Int64 = 2_000
    /// How long another process may hold a database that was this one's before this one ends.
    static let holdLossMilliseconds: Int64 = 60_000
    /// The connections with which a node hears of others.
    static let nodeConnections = 2
    /// How long a node waits for others to open the database before it.
    static let openingWaitMilliseconds: Int64 = 25_000
    /// How often a node looks for events of others, also where none is announced.
    static let nodeLookMilliseconds = 200
    /// How often a node says that it lives.
    static let nodeSignMilliseconds = 3_000
    /// After how long without a sign a node is gone.
    package static let nodeGoneMilliseconds = 15_000
    /// For how long a node takes a duty, how often it renews that, and how long before the end it gives the duty up.
    package static let dutyMilliseconds = 10_000
    package static let dutyRenewalMilliseconds = 3_000
    package static let dutyMarginMilliseconds = 2_000
    /// The wakes of a transaction, behind which it wakes everything, and the bytes of each.
    static let wakesMax = 64
    static let wakeBytesMax = 1_000
    /// How long the events of all nodes are kept. A node that has not looked for so long has missed some.
    package static let eventKeptMilliseconds = 60_000
    /// How long the mark of a node's last commit is kept behind its end.
    static let markKeptMilliseconds = 3_600_000
    /// How old the latest stamp may be at which a sync of one of several nodes begins. An older one is brought to the present first.
    static let syncAgeMilliseconds: Int64 = 1_000
    /// How long a holder of a turn may hear and say nothing before whoever waits for the turn ends its session.
    static let silentHolderMilliseconds: Int64 = 4_000
    /// How often a group waits for a turn: whoever held it for the first time may have been followed by another one that is silent.
    static let turnAttemptsMax = 3
    /// How far the clock of a node may be off the database's: beyond the first its owner is warned, beyond the second it takes no requests.
    package static let nodeClockWarningMilliseconds: Int64 = 1_000
    package static let nodeClockMilliseconds: Int64 = 5_000
    /// The bytes of events behind which a row takes no other one.
    static let eventRowBytes = 256 << 10
    /// The rows of events that a look takes at once, and the bytes behind which it takes no other one.
    static let eventRowsPerTrip = 256
    static let eventBytesPerTrip = 16 << 20
    /// Reads of a database on a server that wait for a connection: all of them go beside the loops.
    package static let waitingServerReadsMax = 10_000
    /// The rows of a moved database that are committed together, and the bytes behind which no other one is.
    package static let moveBatchRows = 10_000
    static let moveBatchBytes = 2 << 20
    /// The rows of a server that a move reads at a time, and the bytes behind which it takes no other one.
    static let movePageRows = 2_000
    static let movePageBytes = 4 << 20
    /// The time of a statement of a move, at the most: it makes the indexes of a whole table.
    static let moveTripMilliseconds: Int64 = 24 * 3_600_000
    /// The connections of a process to a server: for reads, the writer's, and the one that holds the database.
    static let serverConnections = readsAsideMax + loopConnectionsMax + 2
    /// Rows of an open walk that a server hands over at a time. The largest rows are those of items.
    package static let walkPieceRows = 128
    /// Rows that a page may hold.
    package static let pageRowsMax = 100_000
    /// The longest `nextToken` that is looked at.
    package static let tokenBytesMax = 1 << 20
    /// Mutations that wait for the writer.
    package static let waitingMutationsMax = 10_000
    /// Mutations that share a commit.
    package static let groupMutationsMax = 256
    /// Shapes of creations whose statements' texts are kept.
    package static let creationTextsMax = 512
    /// Shapes of walks along a key whose statements' texts are kept.
    package static let walkTextsMax = 512
    /// Changes of a synced model after which old ones are removed, and tombstones whose time is over.
    package static let changesPerRemoval = 64
    /// How many are removed then, of each.
    package static let removedChangesMax = 256
    /// Steps of one sweep, each a mutation of its own between those of clients, which removes as many. The next sweep goes on.
    package static let sweepStepsMax = 1_000
    /// Words in one condition of a search.
    package static let searchWordsMax = 1_000
    /// Words of a phrase: each place of the first one in a record is compared with all of them.
    package static let phraseWordsMax = 64
    /// The texts whose words a search looks for, all together.
    package static let searchBytesMax = 256 << 10
    /// Fields that a search is sorted by, with those of the key.
    package static let searchSortMax = 64
    /// The longest wildcard or regular expression, as in OpenSearch.
    package static let patternBytesMax = 1_000
    /// Groups within groups of a regular expression.
    package static let patternDepthMax = 64
    /// States of the automaton that a regular expression becomes.
    package static let patternStatesMax = 10_000
    /// States that all patterns of a statement look at in all of its texts before it gives up: some seconds.
    package static let patternStepsMax = 100_000_000
    /// Buckets of a `terms` aggregate, as in OpenSearch.
    package static let bucketsMax = 10
    /// The different values that a `terms` aggregate counts, all together.
    package static let countedBytesMax = 64 << 20
    /// The longest line of an import.
    package static let importLineBytesMax = 64 << 20
    /// Records that an import puts into one transaction.
    package static let importBatchRecords = 2_000
    /// Bytes of lines after which a transaction of an import ends, however few records they are.
    package static let importBatchBytes = 4 << 20
    /// Transactions of an import that wait for the disk while the next one is read.
    package static let importBatchesMax = 2
    /// How long a transaction of an import may take beside a server whose clients sync.
    package static let importLeadMilliseconds: Int64 = 10_000
    /// Changes of one table that functions are still to be told of. Beyond, what would make another is refused.
    package static let streamChangesMax: Int64 = 100_000
    /// Pages that a copy of the database takes before it looks whether it is still wanted.
    package static let copiedPagesPerStep: Int32 = 256
    /// Bytes that an export collects before it writes them.
    package static let exportBufferBytes = 256 << 10
}
