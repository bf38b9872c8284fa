import Synchronization

/// Takes rows into a store, a bounded number in each transaction.
///
///     add, add, … ─▶ submit ─▶ writer        the next batch is gathered while the writer has the one before
///
/// A source that keeps a note of its progress writes it in the transaction of the rows, so that the note is never ahead. After a batch
/// that was not kept none that follows is: the notes have no gaps.
package final class RecordIntake {
    private let store: Store
    private let tables: [(layout: TableLayout, insertion: SQLText)]
    private let window = BatchWindow()
    private let state = IntakeState()
    private var rows: [Row] = []
    private var byteCount = 0

    struct Row: Sendable {
        let sql: SQLText
        let values: [StoredValue]
        let table: TableLayout
        /// Where the row is noted as a change.
        let log: ChangeLog?
    }

    package init(into store: Store) {
        self.store = store
        tables = store.layout.tables.map { ($0, $0.insertion(replacing: false)) }
    }

    /// True if the batch is as large as a transaction gets.
    package var isFull: Bool {
        rows.count >= StoreLimits.importBatchRecords || byteCount >= StoreLimits.importBatchBytes
    }

    /// Adds a row to the batch: the explicit nulls, a text with each field between commas, then the values of the table's columns. A record
    /// of the same key that is there stays as it is. No log of changes has it: see `WriteSession.beginLogs`.
    package func add(_ values: [StoredValue], to table: Int, bytes: Int) {
        guard tables.indices.contains(table) else { return }
        let (layout, insertion) = tables[table]
        add(Row(sql: insertion, values: values, table: layout, log: nil), bytes: bytes)
    }

    func add(_ row: Row, bytes: Int) {
        rows.append(row)
        byteCount += bytes
    }

    /// Hands the batch to the writer. Waits where it has many.
    ///
    /// - Parameter note: is called in the same transaction with what was made of each row: false for one whose key was taken.
    package func submit(
        _ note: @escaping @Sendable (WriteSession, [Bool]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try window.enter(max: StoreLimits.importBatchesMax)
        let (rows, state, clock, window) = (rows, state, store.changeClock, window)
        self.rows = []
        byteCount = 0
        store.writer.submit(
            turn: .models, key: nil,
            { session in
                try state.inOrder { () throws(StoreError) in
                    var made: [Bool] = []
                    made.reserveCapacity(rows.count)
                    for row in rows { made.append(try session.insert(row, at: clock)) }
                    try note(session, made)
                }
            },
            answer: { outcome in
                if case .failure = outcome { state.stop() }
                window.leave(outcome)
            })
    }

    /// Waits until all batches are on the disk.
    package func finish() throws(StoreError) { try window.finish() }
}

/// True if batches are still taken.
private final class IntakeState: Sendable {
    private let isStopped = Mutex(false)

    func stop() { isStopped.withLock { $0 = true } }

    /// Keeps a batch out when one before it was not kept.
    func inOrder(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard !isStopped.withLock({ $0 }) else {
            throw StoreError(.stopped, "an earlier part of the import was not kept")
        }
        do throws(StoreError) { try body() } catch {
            stop()
            throw error
        }
    }
}

extension WriteSession {
    /// Makes the logs of changes of records that came from elsewhere with their versions, as if they had been changed here: each record has
    /// its last change in it. A client that has synced there goes on with what came since.
    ///
    /// - Parameters:
    ///   - tables: those that were filled, and were empty before.
    ///   - since: no record is in a log whose last change was before. Clients that have synced before it get all records.
    ///   - until: the moment of the copy, in milliseconds since 1970: a client that has synced after it gets all records. Nil where the
    ///     database may have been served meanwhile.
    package func beginLogs(
        of tables: [TableLayout], since horizon: Int64, servedUntil until: Int64?
    ) throws(StoreError) {
        try noting { () throws(StoreError) in
            for table in tables {
                guard let log = ChangeLog(of: table) else { continue }
                for statement in log.beginning { try connection.run(statement, [.integer(horizon)]) }
                try connection.run(
                    ChangeLog.coverageUpdate, [.integer(horizon), .integer(0), .text(log.images.name)])
            }
            guard let until else { return }
            try SettingsTable.remove(.unservedTimes, in: connection)
            try SettingsTable.set(.servedUntil, to: .integer(until), in: connection)
        }
    }
}

extension WriteSession {
    /// Puts a row of `RecordIntake`'s form in, in the place of the record with its key where there is one. It is a change like any other: logs
    /// have it, and the version is newer.
    package func put(_ values: [StoredValue], in table: TableLayout, at clock: ChangeClock) throws(StoreError) {
        let row = RecordIntake.Row(
            sql: table.insertion(replacing: true), values: values, table: table, log: ChangeLog(of: table))
        _ = try insert(row, at: clock)
    }

    /// Takes a record out, without a trace of it.
    package func remove(_ key: [StoredValue], from table: TableLayout) throws(StoreError) {
        _ = try apply(RecordChange.delete(from: table, key: key, returning: [])) { _ throws(StoreError) in }
    }
}

extension ChangeLog {
    /// Fills the log from the records: each takes the moment behind which it begins.
    fileprivate var beginning: [SQLText] {
        let changed = table.quotedColumn(of: SyncField.lastChangedAt.rawValue)
        let names = ([SQLName.nulls] + table.columns.map(\.name)).map(SQLName.quoted).joined(separator: ", ")
        let (log, row, time) = (images.quotedName, SQLName.quoted(SQLName.row), SQLName.quoted(Self.time))
        return [
            SQLText("DELETE FROM \(log) WHERE ? IS NOT NULL"),
            SQLText(
                "INSERT INTO \(log) (\(time), \(names)) SELECT \(changed), \(names) FROM \(table.quotedName) "
                    + "WHERE \(changed) >= ? ORDER BY \(changed), \(row)"),
        ]
    }
}
