extension ListQuery {
    /// The statement of a page.
    ///
    /// Its columns: the row, what orders it, whether it matches, then the fields. With AppSync's semantics records
    /// that do not match are stepped over, not skipped in SQL: the page must end at a record that was read.
    package func prepared() throws(StoreError) -> PreparedList {
        let row = SQLName.quoted(SQLName.row)
        let order = key.flatMap { table.sortColumn(of: $0.key) }
        if semantics == .filled, key == nil, let choice = indexedChoice { return try prepared(choice) }
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

    // MARK: Records of one of several owners

    /// A field that must have one of a few texts, and whose index has the records of each in the order of creation.
    private struct IndexedChoice {
        let column: String
        let values: [StoredValue]
        /// What else records must meet.
        let rest: Predicate
    }

    private var indexedChoice: IndexedChoice? {
        var parts = filter.onlyParts
        for (number, part) in parts.enumerated() {
            guard case .field(let field, .isOneOf(let values)) = part,
                (2...StoreLimits.mergedValuesMax).contains(values.count), table.column(of: field)?.kind == .text,
                table.keys.contains(where: { $0.partition == field && $0.sort.isEmpty && !$0.name.isEmpty })
            else { continue }
            parts.remove(at: number)
            return IndexedChoice(
                column: table.quotedColumn(of: field), values: values, rest: parts.isEmpty ? .always : .all(parts))
        }
        return nil
    }

    /// As many of each owner's records as the page may have, of which the page takes the first: SQLite itself would
    /// look at all of them for each page, and sort them.
    private func prepared(_ choice: IndexedChoice) throws(StoreError) -> PreparedList {
        let row = SQLName.quoted(SQLName.row)
        let direction = isDescending ? " DESC" : ""
        var values: [StoredValue] = []
        var places = PreparedList.Places()
        var branches: [String] = []
        var rest = PredicateWriter(table)
        try rest.write(choice.rest)
        for value in choice.values {
            var conditions = ["\(choice.column) = ?"]
            values.append(value)
            if let after {
                conditions += Self.conditions(after: after, order: nil, row: row, isDescending, values: &values)
                places.rows.append(values.count - 1)
            }
            if choice.rest != .always { conditions.append(rest.sql) }
            values += rest.values
            values.append(.integer(Int64(limit + 1)))
            branches.append(
                "SELECT * FROM (SELECT \(row) FROM \(table.quotedName) WHERE \(conditions.joined(separator: " AND "))"
                    + " ORDER BY \(row)\(direction) LIMIT ?)")
        }
        var sql = "SELECT \(row), NULL, 1"
        for field in fields { sql += ", \(table.quotedColumn(of: field))" }
        sql += " FROM \(table.quotedName) WHERE \(row) IN (\(branches.joined(separator: " UNION ALL ")))"
        sql += " ORDER BY \(row)\(direction) LIMIT ?"
        values.append(.integer(Int64(limit + 1)))
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
            conditions.append("\(order) >= ? AND \(order) < ?")
            values += [.text(prefix), PredicateWriter.end(ofPrefix: prefix)]
        }
        return conditions
    }

    /// A page goes on behind a record, whether or not it is still there.
    private static func conditions(
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

/// A page whose text is made: the same relation of many parents differs in nothing but the partition, and pages that go
/// on differ in nothing but the record behind which they do.
package struct PreparedList: Sendable {
    let sql: SQLText
    private(set) var values: [StoredValue]
    private let places: Places
    let limit: Int
    let semantics: ListQuery.Semantics

    /// Where among the values those stand that can be exchanged.
    struct Places {
        var partition: Int?
        /// Where the number of the row stands behind which the page goes on: once, or in each branch. What it is sorted
        /// by stands before it.
        var rows: [Int] = []
        var isSorted = false
    }

    init(sql: SQLText, values: [StoredValue], places: Places, limit: Int, semantics: ListQuery.Semantics) {
        self.sql = sql
        self.values = values
        self.places = places
        self.limit = limit
        self.semantics = semantics
    }

    /// The same page of another partition. Without a key there is none, and nothing changes.
    package mutating func move(to partition: StoredValue) {
        if let place = places.partition { values[place] = partition }
    }

    /// The same page behind another record. A page that begins at the start is not changed.
    package mutating func move(behind position: ListQuery.Position) {
        for place in places.rows {
            values[place] = .integer(position.row)
            if places.isSorted { values[place - 1] = position.sort }
        }
    }
}

extension Predicate {
    /// The conditions that all of it comes down to, where each must hold.
    fileprivate var onlyParts: [Predicate] {
        switch self {
        case .any(let parts) where parts.count == 1: parts[0].onlyParts
        case .all(let parts): parts.flatMap(\.onlyParts)
        default: [self]
        }
    }
}
