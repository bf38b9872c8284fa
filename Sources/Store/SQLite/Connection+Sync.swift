extension Connection {
    /// Behind which position of a log the changes since a moment stand; nil when some of them were removed.
    func position(in log: ChangeLog, since moment: Int64) throws(StoreError) -> ListQuery.Position? {
        guard moment > (try coverage(of: log).since) else { return nil }
        guard case .integer(let first)? = try value(log.first, [.integer(moment)]) else {
            return ListQuery.Position(sort: .null, row: .max)
        }
        return ListQuery.Position(sort: .null, row: first - 1)
    }

    /// Returns whether everything behind a position of a log is still there. A log that began anew has nothing of before.
    func holds(_ log: ChangeLog, behind position: SyncPosition) throws(StoreError) -> Bool {
        let coverage = try coverage(of: log)
        return position.position.row >= coverage.removed && position.startedAt > coverage.since
    }

    /// The stamp and the row of the last change that was removed.
    private func coverage(of log: ChangeLog) throws(StoreError) -> (since: Int64, removed: Int64) {
        var found: (since: Int64, removed: Int64)?
        try query(ChangeLog.coverageSelection, [.text(log.images.name)]) { row throws(StoreError) in
            found = (row.integer(0), row.integer(1))
            return false
        }
        // Without a note nothing is known, and everything is read.
        return found ?? (.max, .max)
    }
}
