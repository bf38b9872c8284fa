import JSON
import Store

/// An item where it lies in the database, for the time of a step to the next one: read as a value where something is asked of it,
/// else written as it is.
package struct ItemRow: ~Copyable {
    private let row: Row
    /// Nil: it lies in a column as `ItemBytes`.
    private let record: RecordItem?
    private let column: Int

    init(_ row: borrowing Row, bytesIn column: Int) {
        self.row = row.from(column: 0)
        record = nil
        self.column = column
    }

    init(_ row: borrowing Row, of record: RecordItem) {
        self.row = row.from(column: 0)
        self.record = record
        column = 0
    }

    func item() throws(ItemFailure) -> Item { try item(within: .unbounded) }

    /// The same for who may not take long.
    func item(within budget: CallBudget) throws(ItemFailure) -> Item {
        if let record {
            try budget.spend(record.steps(of: row))
            return try record.item(row)
        }
        guard let item = try ItemBytes.item(row.blob(column), within: budget) else { throw PlainTable.unreadable }
        return item
    }

    /// The attributes of those names, of which keys are made.
    func item(only wanted: [KeyAttribute]) throws(ItemFailure) -> Item {
        if let record { return try record.item(row, only: wanted) }
        let item = try PlainTable.item(row, column)
        return Item(wanted.compactMap { attribute in item[attribute.name].map { (attribute.name, $0) } })
    }

    /// The item without the types of its values.
    func plain(within budget: CallBudget) throws(ItemFailure) -> JSONObject {
        guard let record else { return try item(within: budget).plain() }
        try budget.spend(record.steps(of: row))
        return try record.plain(row)
    }

    /// Appends the item as answers hold it, and says what it weighs. It has to be counted by whoever appends several.
    ///
    /// Hot path: a page is mostly this.
    func write(to buffer: inout [UInt8]) throws(ItemFailure) -> Int {
        if let record { return try record.write(row, to: &buffer) }
        guard let weight = row.withBlob(column, { ItemBytes.write($0, to: &buffer) }) else {
            throw PlainTable.unreadable
        }
        return weight
    }
}
