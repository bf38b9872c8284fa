import JSON

/// What the console asks of a database beside the API: each is bounded by the reader's deadline.
extension Reader {
    /// How many records a table has; beyond the bound, about how many.
    package func count(of table: TableLayout, countingTo max: Int64) throws(StoreError) -> (
        count: Int64, isEstimate: Bool
    ) {
        let bounded = SQLText("SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) LIMIT ?) AS found")
        guard case .integer(let count)? = try connection.value(bounded, [.integer(max + 1)]) else { return (0, false) }
        guard count > max else { return (count, false) }
        // Rows are numbered as they come: what was deleted counts too.
        let last = SQLText("SELECT max(\(SQLName.quoted(SQLName.row))) FROM \(table.quotedName)")
        guard case .integer(let estimate)? = try connection.value(last) else { return (count, true) }
        return (Swift.max(estimate, count), true)
    }

    /// How many records have these values in these fields, up to a bound. A null is no value of any.
    package func count(
        of table: TableLayout, where fields: [(field: String, value: StoredValue)], upTo max: Int64
    ) throws(StoreError) -> Int64 {
        guard !fields.isEmpty, fields.allSatisfy({ table.column(of: $0.field) != nil && !$0.value.isNull }) else {
            return 0
        }
        let conditions = fields.map { "\(table.quotedColumn(of: $0.field)) = ?" }.joined(separator: " AND ")
        let sql = SQLText(
            "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) WHERE \(conditions) LIMIT ?) AS found")
        guard case .integer(let count)? = try connection.value(sql, fields.map(\.value) + [.integer(max)]) else {
            return 0
        }
        return count
    }

    /// How SQLite finds the rows of one of our own statements.
    package func plan(of statement: StatementObserver.Observed) -> [String] {
        guard connection.dialect == .sqlite else { return [] }
        var lines: [String] = []
        // Begins with what only reads and writes of ours begin with; anything else has no plan.
        let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
        guard verbs.contains(where: statement.sql.hasPrefix) else { return [] }
        try? connection.query(SQLText("EXPLAIN QUERY PLAN \(statement.sql)")) { row throws(StoreError) in
            lines.append(row.text(3))
            return lines.count < 50
        }
        return lines
    }
}

extension Store {
    /// Writes a copy of the database as it is at this moment into a file of its own, while others go on. Takes its time: not on a loop.
    package func copy(to path: String) throws(StoreError) {
        let connection = try Connection.open(path: self.path, mode: .reader, statementsMax: 1)
        // What is written is another file.
        try connection.execute("PRAGMA query_only = 0")
        Connection.makePrivate(path)
        try connection.run(SQLText("VACUUM INTO ?"), [.text(path)])
    }
}
