/// A loop's way to the database: its own connection, on which nothing can be written.
///
///     beginTurn ── get, list, get, … ── endTurn        what one turn of the loop answers sees one state of the data
///
/// Outside of a turn each query sees the data of its own moment. A reader belongs to one thread.
package final class Reader {
    let connection: Connection
    var walks = WalkTexts()
    /// A room's own, for its next reads.
    package var keepsake: AnyObject?
    /// On a server it sees one state of the data only where it asks for that.
    private static let begin = SQLText(
        "BEGIN", server: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isOpen: false)
    private static let commit = SQLText("COMMIT")
    private static let rollback = SQLText("ROLLBACK")

    convenience init(path: String) throws(StoreError) { try self.init(of: .file(path)) }

    init(of place: DatabasePlace) throws(StoreError) {
        connection = try place.open(.reader)
    }

    /// Reads with the connection that a file was opened with. It writes no more.
    init(_ opened: consuming Connection) throws(StoreError) {
        try opened.endWriting()
        connection = opened
    }

    /// Starts a read transaction, which makes the reads in it cheaper too. A turn within a turn changes nothing.
    package func beginTurn() throws(StoreError) {
        guard connection.isInAutocommit else { return }
        try connection.run(Self.begin)
    }

    /// Ends it. The writer cannot shorten its log while a turn is open.
    package func endTurn() throws(StoreError) {
        guard !connection.isInAutocommit else { return }
        try connection.run(Self.commit)
    }

    /// Ends it with the next query, which begins another one: a server needs no trip of its own for that.
    func endTurnLater() throws(StoreError) {
        guard !connection.isInAutocommit else { return }
        try connection.runAhead(Self.commit)
    }

    /// Runs a body that leaves nothing behind but its value. On a server it may run several times: what a run lacks is asked in one trip, and
    /// has no rows until the next run. The value is that of a run that lacked nothing.
    package func gathering<Value>(_ body: (Reader) throws(StoreError) -> Value) throws(StoreError) -> Value {
        guard connection.runsAgain else { return try body(self) }
        do throws(StoreError) {
            if let value = try connection.gathering({ () throws(StoreError) in try body(self) }) { return value }
        } catch {
            // Some statement has failed, and says why when it is asked by itself.
            if !connection.isInAutocommit { try connection.run(Self.rollback) }
            try beginTurn()
        }
        return try body(self)
    }

    /// Sends a server the end of the turn before, where no query comes that takes it along.
    func endEarlierTurn() throws(StoreError) { try connection.sendAhead() }

    /// When the queries that run have to end, in milliseconds of the monotonic clock. Then they fail with `.interrupted`.
    package var deadline: Int64 {
        get { connection.deadline.milliseconds }
        set { connection.deadline.milliseconds = newValue }
    }

    /// How many prepared statements are at hand.
    package var statementCount: Int { connection.statementCount }
}

extension Reader: RecordReading {
    package var isOver: Bool { connection.deadline.isOver() }
    package var isLacking: Bool { connection.lacksAnswer }

    package func get<Failure: RowFailure>(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try connection.get(lookup, key: key, row: row)
    }

    package func listWhile<Failure: RowFailure>(
        _ list: PreparedList, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) -> ListQuery.Page {
        try connection.listWhile(list, row: row)
    }

    package func search<Failure: RowFailure>(
        _ search: TextSearch, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> TextSearch.Page {
        try connection.search(search, row: row)
    }

    package func count(of table: TableLayout, where filter: Predicate) throws(StoreError) -> Int {
        try connection.count(of: table, where: filter)
    }

    package func aggregate(
        _ aggregate: SearchAggregate, of table: TableLayout, where filter: Predicate
    ) throws(StoreError) -> SearchAggregate.Outcome {
        try connection.aggregate(aggregate, of: table, where: filter)
    }

    package func position(in log: ChangeLog, since moment: Int64) throws(StoreError) -> ListQuery.Position? {
        try connection.position(in: log, since: moment)
    }

    package func holds(_ log: ChangeLog, behind position: SyncPosition) throws(StoreError) -> Bool {
        try connection.holds(log, behind: position)
    }
}
