import JSON

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

    /// True if no two records have the same place in the order, but for the numbers of their rows.
    private var isUnique: Bool { key.name.isEmpty && key.sort.count < 2 }

    /// The columns of every row: its number, the explicit nulls, then those of the table.
    static func selection(of table: TableLayout) -> String {
        let columns = [SQLName.row, SQLName.nulls].map(SQLName.quoted) + table.columns.map { SQLName.quoted($0.name) }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName)"
    }

    /// What its text depends on: of two walks with the same shape only the values differ.
    struct Shape: Hashable {
        fileprivate let table: ByteText
        fileprivate let key: ByteText
        fileprivate let isOfPartition: Bool
        fileprivate let sides: [Bound.Side]
        fileprivate let isDescending: Bool
        fileprivate let placeCount: Int
        fileprivate let span: ByteText?
    }

    var shape: Shape {
        Shape(
            table: ByteText(table.name), key: ByteText(key.name), isOfPartition: partition != nil,
            sides: bounds.map(\.side), isDescending: isDescending, placeCount: places.count,
            span: within.map { ByteText($0.field) })
    }

    /// How many values name a place in the order.
    private var orderCount: Int {
        (partition == nil ? 1 : 0) + (key.sort.isEmpty ? 0 : 1) + (isUnique ? 0 : 1)
    }

    /// The values of the place behind which it goes on; none where it does not name all that the order is of.
    private var places: [StoredValue] {
        guard let after else { return [] }
        var places: [StoredValue] = []
        if partition == nil, let partition = after.partition { places.append(partition) }
        if !key.sort.isEmpty, let sort = after.sort { places.append(sort) }
        if !isUnique { places.append(.integer(after.row)) }
        return places.count == orderCount ? places : []
    }

    /// The values of the statement.
    var values: [StoredValue] {
        var values: [StoredValue] = []
        values.reserveCapacity(bounds.count + 4)
        if let partition { values.append(partition) }
        if !key.sort.isEmpty { for bound in bounds { values.append(bound.value) } }
        if let within { values += [.integer(within.range.lowerBound), .integer(within.range.upperBound)] }
        return values + places
    }

    /// The text of the statement, whose columns are those of a selection.
    var text: String {
        var conditions: [String] = []
        var order: [String] = []
        let partitionColumn = table.quotedColumn(of: key.partition)
        if partition != nil {
            conditions.append("\(partitionColumn) = ?")
        } else {
            conditions.append("\(partitionColumn) IS NOT NULL")
            order.append(partitionColumn)
        }
        if let column = table.sortColumn(of: key) {
            if bounds.isEmpty { conditions.append("\(column) IS NOT NULL") }
            for bound in bounds { conditions.append("\(column) \(bound.side.rawValue) ?") }
            order.append(column)
        }
        if let within { conditions.append("\(table.quotedColumn(of: within.field)) BETWEEN ? AND ?") }
        if !isUnique { order.append(SQLName.quoted(SQLName.row)) }
        let places = places
        if !places.isEmpty {
            let marks = places.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(order.joined(separator: ", "))) \(isDescending ? "<" : ">") (\(marks))")
        }
        var sql = "\(Self.selection(of: table)) WHERE \(conditions.joined(separator: " AND "))"
        if !order.isEmpty {
            let direction = isDescending ? " DESC" : ""
            sql += " ORDER BY " + order.map { "\($0)\(direction)" }.joined(separator: ", ")
        }
        return sql
    }
}

/// The texts of the walks of a connection: what clients ask for has the same few shapes again and again.
struct WalkTexts {
    private var texts: [RecordWalk.Shape: SQLText] = [:]

    var count: Int { texts.count }

    mutating func text(of walk: RecordWalk) -> SQLText {
        let shape = walk.shape
        if let known = texts[shape] { return known }
        if texts.count >= StoreLimits.walkTextsMax { texts.removeAll(keepingCapacity: true) }
        let made = SQLText(walk.text, isOpen: true)
        texts[shape] = made
        return made
    }
}
