import Postgres

/// A cursor of a session.
struct ServerCursor {
    let name: String
    /// It has begun the transaction that it lives in, and ends it.
    let ownsTransaction: Bool
}

/// The rows of one statement as they come from a server: together, or piece by piece where their reader ends the walk. All pieces are of
/// the moment at which the walk began.
final class ServerWalk {
    private let session: ServerSession
    private let sql: SQLText
    private let values: [StoredValue]
    private var cursor: ServerCursor?
    private var hasEnded = false
    /// The piece that is looked at.
    private var piece: ServerRows?

    init(_ sql: SQLText, _ values: [StoredValue], on session: ServerSession) {
        self.session = session
        self.sql = sql
        self.values = values
    }

    /// The next rows; nil behind the last.
    func next() throws(StoreError) -> ServerRows? {
        guard !hasEnded else { return nil }
        let answer: PostgresAnswer
        if !sql.isOpen {
            answer = try session.answer(sql, values)
            hasEnded = true
        } else {
            if let cursor {
                answer = try session.rows(of: cursor)
            } else {
                let (opened, rows) = try session.open(sql, values)
                cursor = opened
                answer = rows
            }
            hasEnded = answer.rowCount < StoreLimits.walkPieceRows
        }
        let rows = try session.rows(of: answer)
        piece = rows
        return rows
    }

    /// Lets go of what the server keeps for it.
    func end() {
        if let cursor { session.close(cursor) }
        cursor = nil
        piece = nil
    }
}
