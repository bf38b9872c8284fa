/// The lookup of one record by its primary key, as a plan keeps it: the text is made once, only values differ.
package struct KeyLookup: Sendable {
    package let table: TableLayout
    package let fields: [String]
    let sql: SQLText

    /// `fields` are those whose values are wanted, in the order of the row's columns.
    package init(_ table: TableLayout, fields: [String]) {
        self.table = table
        self.fields = fields
        let columns = fields.map(table.quotedColumn).joined(separator: ", ")
        sql = SQLText(
            "SELECT \(columns.isEmpty ? "1" : columns) FROM \(table.quotedName) WHERE \(table.keyCondition)")
    }
}

extension TableLayout {
    /// The condition that finds one record, with a parameter for each field of the key.
    var keyCondition: String {
        guard let key = primaryKey else { return dialect.fails }
        return ([key.partition] + key.sort).map { "\(quotedColumn(of: $0)) = ?" }.joined(separator: " AND ")
    }

    /// How many fields the primary key has.
    package var keyFieldCount: Int { primaryKey.map { 1 + $0.sort.count } ?? 0 }
}
