/// The lookup of all that a record holds by one of its keys, whose sort fields are taken together: made once, only values differ.
package struct RecordLookup: Sendable {
    let sql: SQLText
    let valueCount: Int

    package init(_ table: TableLayout, by key: KeyLayout) {
        let columns = [table.quotedColumn(of: key.partition), table.sortColumn(of: key)].compactMap(\.self)
        valueCount = columns.count
        let conditions = columns.map { "\($0) = ?" }.joined(separator: " AND ")
        sql = SQLText("\(RecordWalk.selection(of: table)) WHERE \(conditions)")
    }
}
