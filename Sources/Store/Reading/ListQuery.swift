/// A page of records: of a whole table in the order of creation, or of a key in its own order.
package struct ListQuery: Sendable {
    /// What `limit` counts.
    package enum Semantics: String, Sendable, CaseIterable {
        /// Records read, before the filter: a page can be short, even empty, and not the last, as with DynamoDB.
        case appsync
        /// Records that match.
        case filled
    }

    /// Where a page ended: the record read last, by the value that orders and its row.
    package struct Position: Sendable, Equatable {
        /// Null where only the order of creation counts.
        package let sort: StoredValue
        package let row: Int64

        package init(sort: StoredValue, row: Int64) {
            self.sort = sort
            self.row = row
        }
    }

    /// What came of it.
    package struct Page: Sendable, Equatable {
        /// Where the next page starts; nil when there is none.
        package let next: Position?
        /// How many records were handed out.
        package let matchCount: Int
    }

    package let table: TableLayout
    /// The fields whose values are wanted, in the order of the row's columns. A field without a column is null.
    package let fields: [String]
    /// Nil for the whole table.
    package let key: KeyQuery?
    package let isDescending: Bool
    package let filter: Predicate
    package let limit: Int
    package let semantics: Semantics
    package let after: Position?

    package init(
        _ table: TableLayout, fields: [String], key: KeyQuery? = nil, isDescending: Bool = false,
        filter: Predicate = .always, limit: Int, semantics: Semantics = .appsync, after: Position? = nil
    ) {
        self.table = table
        self.fields = fields
        self.key = key
        self.isDescending = isDescending
        self.filter = filter
        self.limit = min(max(limit, 1), StoreLimits.pageRowsMax)
        self.semantics = semantics
        self.after = after
    }
}
