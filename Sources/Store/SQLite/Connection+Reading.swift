extension Connection {
    func get<Failure: RowFailure>(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard key.count == lookup.table.keyFieldCount else {
            throw Failure(
                StoreError(
                    .unexpected,
                    "the key of \(lookup.table.model) has \(lookup.table.keyFieldCount) fields, \(key.count) were given"
                ))
        }
        var isFound = false
        try query(lookup.sql, key) { found throws(Failure) in
            isFound = true
            try row(found)
            return false
        }
        return isFound
    }

    func listWhile<Failure: RowFailure>(
        _ list: PreparedList, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) -> ListQuery.Page {
        guard let choice = list.choice else { return try listWhile(list, list.values, row: row) }
        var used: [StoredValue] = []
        try query(choice.probe, choice.texts) { found throws(Failure) in
            for (column, text) in choice.texts.enumerated() where found.boolean(column) { used.append(text) }
            return false
        }
        guard let text = used.first else { return ListQuery.Page(next: nil, matchCount: 0) }
        guard used.count == 1 else {
            let merged = try failing(as: Failure.self) { () throws(StoreError) in try choice.merged(used) }
            return try listWhile(merged, row: row)
        }
        return try listWhile(list, list.values(choosing: text), row: row)
    }

    private func listWhile<Failure: RowFailure>(
        _ list: PreparedList, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) -> ListQuery.Page {
        var readCount = 0
        var matchCount = 0
        var last: ListQuery.Position?
        var isFull = false
        var hasMore = false
        try query(list.sql, values) { found throws(Failure) in
            if isFull {
                hasMore = true
                return false
            }
            readCount += 1
            var goesOn = true
            if found.boolean(2) {
                matchCount += 1
                goesOn = try row(found.from(column: ListQuery.ownColumnCount))
            }
            if !goesOn || readCount == list.limit {
                isFull = true
                last = ListQuery.Position(sort: found.value(1), row: found.integer(0))
            }
            return true
        }
        // AppSync's reading stops at the limit without a look at what follows.
        let isAtLimit = list.semantics == .appsync && readCount == list.limit
        return ListQuery.Page(next: isAtLimit || hasMore ? last : nil, matchCount: matchCount)
    }
}

extension ListQuery {
    /// The columns before those of the fields.
    static let ownColumnCount = 3
}
