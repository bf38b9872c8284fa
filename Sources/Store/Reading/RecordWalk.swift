/// Records in the order of a key, from one that may be gone by now: what somebody goes through piece by piece while others change
/// it, and removes on the way.
package struct RecordWalk: Sendable {
    package let table: TableLayout
    /// The order: the primary key's or an index's, and where that is the same the primary key's.
    package let key: KeyLayout
    /// Nil: all partitions, in their order.
    package let partition: StoredValue?
    /// Nil: any.
    package let sort: StoredValue?
    package let isDescending: Bool
    /// The values of the record behind which it goes on, in the order of what orders it.
    package let after: [StoredValue]?

    package init(
        _ table: TableLayout, by key: KeyLayout, partition: StoredValue? = nil, sort: StoredValue? = nil,
        isDescending: Bool = false, after: [StoredValue]? = nil
    ) {
        self.table = table
        self.key = key
        self.partition = partition
        self.sort = sort
        self.isDescending = isDescending
        self.after = after
    }

    /// What orders it: the partition where it is none alone, what a key is sorted by, the fields of the primary key.
    private var order: [String] {
        let own =
            (partition == nil ? [table.quotedColumn(of: key.partition)] : [])
            + [table.sortColumn(of: key)].compactMap(\.self)
        let primary = table.primaryKey.map { [$0.partition] + $0.sort } ?? []
        return own + primary.map(table.quotedColumn)
    }

    /// The statement. Its columns: the explicit nulls, then those of the table.
    var statement: (sql: SQLText, values: [StoredValue]) {
        let columns = [SQLName.quoted(SQLName.nulls)] + table.columns.map { SQLName.quoted($0.name) }
        var values: [StoredValue] = []
        var conditions: [String] = []
        if let partition {
            conditions.append("\(table.quotedColumn(of: key.partition)) = ?")
            values.append(partition)
        } else {
            conditions.append("\(table.quotedColumn(of: key.partition)) IS NOT NULL")
        }
        if let column = table.sortColumn(of: key) {
            conditions.append(sort == nil ? "\(column) IS NOT NULL" : "\(column) = ?")
            if let sort { values.append(sort) }
        }
        let order = order
        if let after, after.count == order.count {
            let marks = after.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(order.joined(separator: ", "))) \(isDescending ? "<" : ">") (\(marks))")
            values += after
        }
        let direction = isDescending ? " DESC" : ""
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName) "
            + "WHERE \(conditions.joined(separator: " AND ")) "
            + "ORDER BY \(order.map { "\($0)\(direction)" }.joined(separator: ", "))"
        return (SQLText(sql), values)
    }
}
