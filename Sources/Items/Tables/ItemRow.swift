import JSON
import Store

/// An item where it lies in the database, for the time of a step to the next one: read as a value where something is asked of it,
/// else written as it is.
package struct ItemRow: ~Copyable {
    private let row: Row
    private let form: Form

    private enum Form {
        /// `ItemBytes` in a column.
        case bytes(Int)
        case record(RecordItem)
    }

    init(_ row: borrowing Row, bytesIn column: Int) {
        self.row = row.from(column: 0)
        form = .bytes(column)
    }

    init(_ row: borrowing Row, of record: RecordItem) {
        self.row = row.from(column: 0)
        form = .record(record)
    }

    func item() throws(ItemFailure) -> Item {
        switch form {
        case .bytes(let column): try PlainTable.item(row, column)
        case .record(let record): try record.item(row)
        }
    }

    /// The item without the types of its values.
    func plain() throws(ItemFailure) -> JSONObject {
        switch form {
        case .bytes(let column): try PlainTable.item(row, column).plain()
        case .record(let record): try record.plain(row)
        }
    }

    /// Appends the item as answers hold it, and says what it weighs.
    ///
    /// Hot path: a page is mostly this.
    func write(to buffer: inout [UInt8]) throws(ItemFailure) -> Int {
        switch form {
        case .bytes(let column):
            guard let weight = row.withBlob(column, { ItemBytes.write($0, to: &buffer) }) else {
                throw PlainTable.unreadable
            }
            return weight
        case .record(let record): return try record.write(row, to: &buffer)
        }
    }
}
