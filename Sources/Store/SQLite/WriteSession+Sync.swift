extension WriteSession {
    /// What conflict detection looks at.
    struct Head {
        let row: Int64
        let version: Int64
        let isDeleted: Bool
    }

    func head(of key: [StoredValue], in log: ChangeLog) throws(StoreError) -> Head? {
        guard key.count == log.table.keyFieldCount else {
            throw StoreError(
                .unexpected,
                "the key of \(log.table.model) has \(log.table.keyFieldCount) fields, \(key.count) were given")
        }
        var head: Head?
        try connection.query(log.head, key) { row throws(StoreError) in
            head = Head(row: row.integer(0), version: row.integer(1), isDeleted: row.boolean(2))
            return false
        }
        return head
    }

    /// Appends a record as it is now. What is too old goes, now and then.
    func append(_ row: Int64, to log: ChangeLog, at time: Int64, _ clock: ChangeClock) throws(StoreError) {
        let number: [StoredValue] = if let turns { [.integer(try turns.next(of: .models))] } else { [] }
        try runUnasked(log.appending, number + [.integer(time), .integer(row)])
        if clock.isRemovalDue(in: log.images.name) { try removeOld(from: log, at: time, clock.settings) }
    }

    /// Removes images that are too old, and tombstones whose time is over, as many of each as go at once. Answers whether there
    /// may be more.
    @discardableResult
    private func removeOld(
        from log: ChangeLog, at time: Int64, _ settings: SyncSettings
    ) throws(StoreError) -> Bool {
        var images = 0
        var last: (row: Int64, time: Int64)?
        let oldest = time.subtractingReportingOverflow(settings.logMilliseconds).partialValue
        try connection.query(log.removal, [.integer(oldest)]) { row throws(StoreError) in
            images += 1
            last = (max(last?.row ?? 0, row.integer(0)), max(last?.time ?? 0, row.integer(1)))
            return true
        }
        if let last {
            try connection.run(
                ChangeLog.coverageUpdate, [.integer(last.time), .integer(last.row), .text(log.images.name)])
        }
        let dead = time.subtractingReportingOverflow(settings.tombstoneMilliseconds).partialValue
        try connection.run(log.tombstoneRemoval, [.integer(dead)])
        let tombstones = connection.changeCount
        try search.run(on: connection)
        return max(images, tombstones) >= StoreLimits.removedChangesMax
    }

    /// A step of a sweep; answers whether there may be more for another one.
    func sweep(_ log: ChangeLog, at time: Int64, _ settings: SyncSettings) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in try removeOld(from: log, at: time, settings) }
    }

    /// Hands the fields of a row to the closure.
    func read<Failure: RowFailure>(
        _ fields: [String], of table: TableLayout, at number: Int64, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) {
        let columns = fields.isEmpty ? "1" : fields.map(table.quotedColumn).joined(separator: ", ")
        let sql = SQLText("SELECT \(columns) FROM \(table.quotedName) WHERE \(SQLName.quoted(SQLName.row)) = ?")
        try connection.query(sql, [.integer(number)]) { found throws(Failure) in
            try row(found)
            return false
        }
    }

    /// Puts a row in that has its versions with it, whether or not in place of another, and appends it to the log. The
    /// statement gives back the row's number.
    func insert(
        _ sql: SQLText, _ values: [StoredValue], in log: ChangeLog, at clock: ChangeClock
    ) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            var number: Int64?
            let time = clock.stamp()
            try connection.query(sql, values) { row throws(StoreError) in
                number = row.integer(0)
                return true
            }
            guard let number else { return false }
            try search.run(on: connection)
            try append(number, to: log, at: time, clock)
            return true
        }
    }
}
