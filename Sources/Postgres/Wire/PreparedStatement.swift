/// A statement as one connection knows it.
final class PreparedStatement {
    let statement: PostgresStatement
    /// Its name at the server; empty for one that is not kept.
    let name: String
    /// The server has it (ParseComplete). Nothing else says so: a server skips everything after an error.
    var isParsed = false
    /// Its columns are known too.
    var isPrepared = false
    var columns = PostgresColumns.none
    /// The number of the trip that used it last.
    var lastTrip = 0

    init(_ statement: PostgresStatement, name: String) {
        self.statement = statement
        self.name = name
    }
}
