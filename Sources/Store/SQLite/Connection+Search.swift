extension Connection {
    /// Hands each record of a page of a search to the closure, in its order.
    func search<Failure: RowFailure>(
        _ search: TextSearch, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> TextSearch.Page {
        let (sql, values) = try failing(as: Failure.self) { () throws(StoreError) in try search.statement() }
        let count = search.keys.count
        var matchCount = 0
        var last: [StoredValue]?
        try query(sql, values) { found throws(Failure) in
            matchCount += 1
            // Which record is the last one is known only when there is no further one.
            var position: [StoredValue] = []
            position.reserveCapacity(count)
            for column in 0..<count { position.append(found.value(column)) }
            last = position
            try row(found.from(column: count))
            return true
        }
        return TextSearch.Page(next: last.map { TextSearch.Position($0) }, matchCount: matchCount)
    }

    /// How many records a filter describes.
    func count(of table: TableLayout, where filter: Predicate) throws(StoreError) -> Int {
        var writer = PredicateWriter(table)
        try writer.write(filter)
        let sql = SQLText("SELECT count(*) FROM \(table.quotedName) WHERE \(writer.sql)")
        guard case .integer(let count)? = try value(sql, writer.values) else { return 0 }
        return Int(count)
    }

    /// What an aggregate comes to.
    func aggregate(
        _ aggregate: SearchAggregate, of table: TableLayout, where filter: Predicate
    ) throws(StoreError) -> SearchAggregate.Outcome {
        guard let (sql, values) = try aggregate.statement(of: table, where: filter) else { return .nothing }
        var outcome = SearchAggregate.Outcome.nothing
        var terms = TermCounts()
        try query(sql, values) { row throws(StoreError) in
            if aggregate.kind == .terms {
                try terms.add(row.value(0))
            } else if !row.isNull(0) {
                outcome = .number(row.real(0))
            }
            return true
        }
        let buckets = terms.buckets
        return buckets.isEmpty ? outcome : .buckets(buckets)
    }
}
