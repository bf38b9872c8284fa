import JSON

extension ListQuery {
    /// The statement of a page.
    ///
    /// Its columns: the row, what orders it, whether it matches, then the fields. With AppSync's semantics records
    /// that do not match are stepped over, not skipped in SQL: the page must end at a record that was read.
    package func prepared() throws(StoreError) -> PreparedList {
        let row = SQLName.quoted(SQLName.row)
        let order = key.flatMap { table.sortColumn(of: $0.key) }
        if let choice = IndexedChoice(self) { return try choice.prepared() }
        var filter = PredicateWriter(table)
        try filter.write(self.filter)
        let isFlag = semantics == .appsync
        var values = isFlag ? filter.values : []
        var sql = "SELECT \(row), \(order ?? "NULL"), \(isFlag ? filter.sql : "1")"
        for field in fields { sql += ", \(table.quotedColumn(of: field))" }
        sql += " FROM \(table.quotedName)"

        var conditions: [String] = []
        var places = PreparedList.Places()
        if let key {
            places.partition = values.count
            conditions += keyConditions(key, order: order, values: &values)
        }
        if let after {
            conditions += Self.conditions(after: after, order: order, row: row, isDescending, values: &values)
            places.rows = [values.count - 1]
            places.isSorted = order != nil
        }
        if !isFlag {
            conditions.append(filter.sql)
            values += filter.values
        }
        if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }

        let direction = isDescending ? " DESC" : ""
        sql += " ORDER BY \(order.map { "\($0)\(direction), " } ?? "")\(row)\(direction) LIMIT ?"
        // A page that is filled needs one more to know whether it is the last.
        values.append(.integer(Int64(isFlag ? limit : limit + 1)))
        return PreparedList(sql: SQLText(sql), values: values, places: places, limit: limit, semantics: semantics)
    }

    private func keyConditions(_ key: KeyQuery, order: String?, values: inout [StoredValue]) -> [String] {
        var conditions = ["\(table.quotedColumn(of: key.key.partition)) = ?"]
        values.append(key.partition)
        guard let order else { return conditions }
        switch key.sort {
        // Without a sort attribute a record is not in the index.
        case nil: conditions.append("\(order) IS NOT NULL")
        case .compare(let comparison, let value)?:
            conditions.append("\(order) \(comparison.rawValue) ?")
            values.append(value)
        case .between(let low, let high)?:
            conditions.append("\(order) BETWEEN ? AND ?")
            values += [low, high]
        case .beginsWith(let prefix)?:
            conditions.append("\(order) >= ?")
            values.append(.text(prefix))
            guard let end = prefix.endOfPrefix else { break }
            conditions.append("\(order) < ?")
            values.append(.text(end))
        }
        return conditions
    }

    /// A page goes on behind a record, whether or not it is still there.
    static func conditions(
        after position: Position, order: String?, row: String, _ isDescending: Bool, values: inout [StoredValue]
    ) -> [String] {
        let word = isDescending ? "<" : ">"
        guard let order else {
            values.append(.integer(position.row))
            return ["\(row) \(word) ?"]
        }
        values += [position.sort, .integer(position.row)]
        return ["(\(order), \(row)) \(word) (?, ?)"]
    }
}
