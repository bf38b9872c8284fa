/// A table whose changes functions are told of, and who they are.
package struct TableStream: Sendable {
    package let table: TableLayout
    /// The functions, by their names.
    package let readers: [String]
    /// Those of them that begin with what is still kept for others, when they are new.
    package let oldest: [String]

    package init(_ table: TableLayout, readers: [String], oldest: [String] = []) {
        self.table = table
        self.readers = readers
        self.oldest = oldest
    }
}

/// A change of a record as it was taken down, in the transaction of the change.
package struct TableChange: Sendable, Equatable {
    /// Its place among the changes of its table: from 1 on, without gaps.
    package let number: Int64
    /// Milliseconds since 1970.
    package let time: Int64
    /// The record before and behind it, as `TableImage` writes them; nil: there was none, there is none any more.
    package let old: [UInt8]?
    package let new: [UInt8]?

    package init(number: Int64, time: Int64, old: [UInt8]?, new: [UInt8]?) {
        self.number = number
        self.time = time
        self.old = old
        self.new = new
    }

    package var byteCount: Int { (old?.count ?? 0) + (new?.count ?? 0) }
}
