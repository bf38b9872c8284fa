/// A page whose text is made: the same relation of many parents differs in nothing but the partition, and pages that go
/// on differ in nothing but the record behind which they do.
package struct PreparedList: Sendable {
    let sql: SQLText
    private(set) var values: [StoredValue]
    private let places: Places
    let limit: Int
    let semantics: ListQuery.Semantics
    /// Of which texts this is the page of the first.
    private(set) var choice: IndexedChoice?

    /// Where among the values those stand that can be exchanged.
    struct Places {
        var partition: Int?
        /// Where the number of the row stands behind which the page goes on: once, or in each branch. What it is sorted
        /// by stands before it.
        var rows: [Int] = []
        var isSorted = false
        /// Where the text stands that was chosen.
        var chosen: Int?
    }

    init(
        sql: SQLText, values: [StoredValue], places: Places, limit: Int, semantics: ListQuery.Semantics,
        choice: IndexedChoice? = nil
    ) {
        self.sql = sql
        self.values = values
        self.places = places
        self.limit = limit
        self.semantics = semantics
        self.choice = choice
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
        if !places.rows.isEmpty { choice?.after = position }
    }

    /// The same page of one of the texts that are chosen from.
    func values(choosing text: StoredValue) -> [StoredValue] {
        var values = values
        if let place = places.chosen { values[place] = text }
        return values
    }
}
