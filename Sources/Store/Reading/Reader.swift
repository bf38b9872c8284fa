/// A loop's way to the database: its own connection, on which nothing can be written.
///
///     beginTurn ── get, list, get, … ── endTurn        what one turn of the loop answers sees one state of the data
///
/// Outside of a turn each query sees the data of its own moment. A reader belongs to one thread.
package final class Reader {
    let connection: Connection
    private static let begin = SQLText("BEGIN")
    private static let commit = SQLText("COMMIT")

    init(path: String) throws(StoreError) {
        connection = try Connection.open(path: path, mode: .reader)
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

    /// Hands the record of a key to the closure, and says whether there is one. A key with a null has none.
    package func get(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        try connection.get(lookup, key: key, row: row)
    }

    /// Hands each record of a page to the closure, in its order.
    package func list(
        _ query: ListQuery, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> ListQuery.Page {
        try connection.list(query.prepared(), row: row)
    }

    /// The same for a page whose text is made.
    package func list(
        _ list: PreparedList, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> ListQuery.Page {
        try connection.list(list, row: row)
    }

    /// When the queries that run have to end, in milliseconds of the monotonic clock. Then they fail with `.interrupted`.
    package var deadline: Int64 {
        get { connection.deadline.milliseconds }
        set { connection.deadline.milliseconds = newValue }
    }

    /// Whether that time has come. For what an operation does beside asking the database.
    package var isOver: Bool { connection.deadline.isOver() }

    /// How many prepared statements are at hand.
    package var statementCount: Int { connection.statementCount }
}
