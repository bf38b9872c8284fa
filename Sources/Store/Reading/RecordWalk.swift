/// Records in the order of a key, piece by piece: each goes on behind the place where the one before has ended.
///
/// The order is that of the index itself, so that a piece costs what is in it: records of the same key come in the order of
/// creation, by the numbers of their rows. A number stays with its record, whatever becomes of its fields.
package struct RecordWalk: Sendable {
    package let table: TableLayout
    /// The order: the primary key's or an index's, and where that is the same the primary key's.
    package let key: KeyLayout
    /// Nil: all partitions, in their order.
    package let partition: StoredValue?
    /// What is asked of the sort key.
    package let bounds: [Bound]
    package let isDescending: Bool
    /// The place behind which it goes on.
    package let after: Place?
    /// What else is asked of a field: each record of the order is looked at.
    package let within: Span?

    /// A field that holds a number of a range.
    package struct Span: Sendable {
        package let field: String
        package let range: ClosedRange<Int64>

        package init(field: String, range: ClosedRange<Int64>) {
            self.field = field
            self.range = range
        }
    }

    /// Where a record stands in the order.
    package struct Place: Sendable {
        /// Nil in a walk of one partition.
        package let partition: StoredValue?
        /// Nil for a key of one field.
        package let sort: StoredValue?
        /// The number of its row; of one that is not known any more the lowest or the highest, as the walk begins with the others
        /// of the same key. A key that is in one record only needs none.
        package let row: Int64

        package init(partition: StoredValue?, sort: StoredValue?, row: Int64) {
            self.partition = partition
            self.sort = sort
            self.row = row
        }
    }

    /// One end of a stretch of sort keys, or their one value.
    package struct Bound: Sendable {
        package enum Side: String, Sendable {
            case equal = "="
            case above = ">"
            case from = ">="
            case below = "<"
            case upTo = "<="
        }

        package let side: Side
        package let value: StoredValue

        package init(_ side: Side, _ value: StoredValue) {
            self.side = side
            self.value = value
        }
    }

    package init(
        _ table: TableLayout, by key: KeyLayout, partition: StoredValue? = nil, bounds: [Bound] = [],
        isDescending: Bool = false, after: Place? = nil, within: Span? = nil
    ) {
        self.table = table
        self.key = key
        self.partition = partition
        self.bounds = bounds
        self.isDescending = isDescending
        self.after = after
        self.within = within
    }

    /// Whether no two records have the same place in the order, but for the numbers of their rows.
    private var isUnique: Bool { key.name.isEmpty && key.sort.count < 2 }

    /// The columns of every row: its number, the explicit nulls, then those of the table.
    static func selection(of table: TableLayout) -> String {
        let columns = [SQLName.row, SQLName.nulls].map(SQLName.quoted) + table.columns.map { SQLName.quoted($0.name) }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName)"
    }

    /// The statement, whose columns are those of a selection.
    var statement: (sql: SQLText, values: [StoredValue]) {
        var values: [StoredValue] = []
        var conditions: [String] = []
        var order: [(column: String, after: StoredValue?)] = []
        let partitionColumn = table.quotedColumn(of: key.partition)
        if let partition {
            conditions.append("\(partitionColumn) = ?")
            values.append(partition)
        } else {
            conditions.append("\(partitionColumn) IS NOT NULL")
            order.append((partitionColumn, after?.partition))
        }
        if let column = table.sortColumn(of: key) {
            if bounds.isEmpty { conditions.append("\(column) IS NOT NULL") }
            for bound in bounds {
                conditions.append("\(column) \(bound.side.rawValue) ?")
                values.append(bound.value)
            }
            order.append((column, after?.sort))
        }
        if let within {
            conditions.append("\(table.quotedColumn(of: within.field)) BETWEEN ? AND ?")
            values += [.integer(within.range.lowerBound), .integer(within.range.upperBound)]
        }
        if !isUnique { order.append((SQLName.quoted(SQLName.row), after.map { .integer($0.row) })) }
        let places = order.compactMap(\.after)
        if after != nil, !order.isEmpty, places.count == order.count {
            let columns = order.map(\.column).joined(separator: ", ")
            let marks = places.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(columns)) \(isDescending ? "<" : ">") (\(marks))")
            values += places
        }
        var sql = "\(Self.selection(of: table)) WHERE \(conditions.joined(separator: " AND "))"
        if !order.isEmpty {
            let direction = isDescending ? " DESC" : ""
            sql += " ORDER BY " + order.map { "\($0.column)\(direction)" }.joined(separator: ", ")
        }
        return (SQLText(sql), values)
    }
}
