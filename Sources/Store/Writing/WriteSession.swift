import CSQLite

/// What a mutation works with: reads that see its own changes and those before it, and changes of records.
///
/// It belongs to the writer's thread and must not leave the closure that it is given to.
package final class WriteSession {
    let connection: Connection
    /// The first error after which nothing more may be written.
    private(set) var fatalError: StoreError?
    /// How many pages the write-ahead log has, told by SQLite after each commit.
    let log = WriteLog()
    /// Whether the file says that it is open. The first commit says so: opening alone flushes nothing.
    private(set) var isMarkedOpen: Bool
    let search: SearchUpkeep
    private var creations = CreationTexts()
    private var logSpace = LogSpace()

    init(_ connection: consuming Connection, layout: DatabaseLayout, isMarkedOpen: Bool = false) {
        self.connection = connection
        self.isMarkedOpen = isMarkedOpen
        search = SearchUpkeep(layout)
        search.listen(to: self.connection)
        sqlite3_wal_hook(
            self.connection.handle,
            { context, _, _, pageCount in
                if let context {
                    Unmanaged<WriteLog>.fromOpaque(context).takeUnretainedValue().pageCount = Int(pageCount)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(log).toOpaque())
    }

    /// When what a mutation does has to end, in milliseconds of the monotonic clock. Then it fails with `.interrupted`, and
    /// whatever it had changed is undone. Whoever sets it lifts it before the mutation ends: the commit has no deadline.
    package var deadline: Int64 {
        get { connection.deadline.milliseconds }
        set { connection.deadline.milliseconds = newValue }
    }

    /// Whether that time has come. For what a mutation does beside asking the database.
    package var isOver: Bool { connection.deadline.isOver() }

    /// Makes a change, hands the record to the closure, and says whether it was made: it is not when the record
    /// exists, or does not, or does not meet the condition.
    package func apply(
        _ change: RecordChange, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            if change.action == .create, change.condition == .always { return try create(change, row: row) }
            let (sql, values) = try change.statement()
            var isMade = false
            try connection.query(sql, values) { found throws(StoreError) in
                isMade = true
                try row(found)
                return true
            }
            try search.run(on: connection)
            return isMade
        }
    }

    /// Hot path: most mutations create. `RETURNING` would cost a table of its own for each; reading the row costs less.
    private func create(
        _ change: RecordChange, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let texts = try creations.texts(for: change)
        try connection.run(texts.insertion, change.creationValues)
        guard connection.changeCount > 0 else { return false }
        let number = connection.lastRow
        try search.run(on: connection)
        try connection.query(texts.selection, [.integer(number)]) { found throws(StoreError) in
            try row(found)
            return true
        }
        return true
    }

    package func get(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in try connection.get(lookup, key: key, row: row) }
    }

    /// One more than the largest number that a field has in any record; 1 where there is none, and nil where there is no
    /// larger one.
    package func nextInteger(of field: String, in table: TableLayout) throws(StoreError) -> Int64? {
        try noting { () throws(StoreError) in
            let sql = SQLText("SELECT max(\(table.quotedColumn(of: field))) FROM \(table.quotedName)")
            var next: Int64? = 1
            try connection.query(sql, []) { row throws(StoreError) in
                if case .integer(let largest) = row.value(0) { next = largest < .max ? largest + 1 : nil }
                return true
            }
            return next
        }
    }

    package func list(
        _ query: ListQuery, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> ListQuery.Page {
        try list(query.prepared(), row: row)
    }

    /// The same for a page whose text is made.
    package func list(
        _ list: PreparedList, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> ListQuery.Page {
        try noting { () throws(StoreError) in try connection.list(list, row: row) }
    }

    /// Writes into the file whether it is open.
    func mark(isOpen: Bool) throws(StoreError) {
        try noting { () throws(StoreError) in
            try SettingsTable.set(.isOpen, to: .boolean(isOpen), in: connection)
        }
    }

    /// Says that the mark is on the disk.
    func noteMarkedOpen() { isMarkedOpen = true }

    func run(_ sql: SQLText) throws(StoreError) {
        try noting { () throws(StoreError) in try connection.run(sql) }
    }

    /// Puts a row in, and says whether it was put in or replaced one.
    func insert(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            try connection.run(sql, values)
            let isMade = connection.changeCount > 0
            try search.run(on: connection)
            return isMade
        }
    }

    /// Copies the log into the file, and says whether all of it is there. What fails here may have been lost without a
    /// trace, so it is fatal.
    @discardableResult
    func checkpoint(_ mode: Int32) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
            // A reader may hold it up; then it goes on later.
            guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
                throw StoreError(code: code, connection: connection.handle, path: connection.path)
            }
            return code == SQLITE_OK
        }
    }

    /// Makes room for the next commits in the log's file. Called when nobody waits for an answer.
    func makeRoomInLog() {
        logSpace.extend(behind: log.pageCount, of: connection)
    }

    /// Keeps a fatal error, also from a mutation that catches it.
    func noting<Answer>(_ body: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        do throws(StoreError) { return try body() } catch {
            if error.isFatal, fatalError == nil { fatalError = error }
            throw error
        }
    }
}

/// The length of the write-ahead log.
final class WriteLog {
    var pageCount = 0
}
