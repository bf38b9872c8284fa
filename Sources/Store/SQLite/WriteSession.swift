import CSQLite
import JSON
import Postgres
import Threads

/// The writer's connection, as mutations get it.
///
/// It belongs to the writer's thread and must not leave the closure that it is given to.
package final class WriteSession {
    let connection: Connection
    /// The first error after which nothing more may be written.
    private(set) var fatalError: StoreError?
    /// How many pages the write-ahead log has, told by SQLite after each commit.
    let log = WriteLog()
    /// True if the file says that it is open. The first commit says so: opening alone flushes nothing.
    private(set) var isMarkedOpen: Bool
    private(set) var search: SearchUpkeep
    /// The models whose changes are taken down.
    var streamedModels: [String] = []
    private var creations = CreationTexts()
    private var logSpace = LogSpace()
    /// True if the database is in memory and lies over another one.
    private(set) var isLayered = false
    /// The pages in the log after which it is copied into the file.
    var logPagesMax: Int { isLayered ? StoreLimits.layeredLogPagesMax : StoreLimits.logPagesMax }
    /// The rooms whose tables the change that runs may touch.
    var turn = RoomTurn.all
    /// The turns that order the changes of several processes on a server; nil for a file, whose one writer has all of them.
    let turns: ServerTurns?
    /// True where creations may go ahead whose records are known before a server has made them. One that cannot be made takes the whole
    /// transaction back, which runs again without.
    var foresees = false
    /// The creations that went ahead in this transaction, with the keys of their changes: what to look for where one has failed.
    private var foreseen: [(key: ChangeKey?, change: RecordChange)] = []
    /// True where a creation looks for a record of its key before it goes ahead.
    private var asksFirst = false
    /// True while changes say what they will ask.
    private(set) var isExpecting = false
    /// True where changes whose outcome nobody asks for go to a server with the next statement.
    var goesAhead = true
    /// The tables of rooms that the transaction has found as they are to be.
    var brought: Set<ByteText> = []
    private var kept: AnyObject?
    /// A room's notes of what the transaction over a server has found, for the changes that share it. Nothing is kept where a part of the transaction may
    /// be undone, nor over a file, which is asked for nothing.
    package var notes: AnyObject? {
        get { foresees ? kept : nil }
        set { kept = foresees ? newValue : nil }
    }
    /// True if it is kept.
    package var keepsNotes: Bool { foresees }
    /// Adds to a total of a room that grows for ever, and gives it. It has all of what commits have added, and perhaps more; nil over a file, whose
    /// one process counts by itself.
    package func total(of room: RoomTurn, adding count: Int64) throws(StoreError) -> Int64? {
        try turns?.total(of: room, adding: count)
    }
    /// Grows with each change of the transaction.
    package var changeCount: Int64 { connection.totalChangeCount }
    /// The part of a node's writer that shares events with the others; nil where this process is the only one, and for a file.
    var nodes: NodeSharing?
    /// How many mutations the transaction has that is under way.
    package internal(set) var groupSize = 0
    let rooms: KnownRooms
    private let served: ServedTimes

    init(
        _ connection: consuming Connection, layout: DatabaseLayout, rooms: KnownRooms = KnownRooms(),
        isMarkedOpen: Bool = false, served: ServedTimes = ServedTimes(), clock: ChangeClock? = nil
    ) {
        self.clock = clock
        let isOnServer = connection.handle == nil
        self.connection = connection
        self.served = served
        self.rooms = rooms
        // A server keeps its data whole by itself.
        self.isMarkedOpen = isMarkedOpen || isOnServer
        turns = isOnServer ? ServerTurns() : nil
        search = SearchUpkeep(layout)
        search.listen(to: self.connection)
        guard let handle = self.connection.handle else { return }
        isLayered = LayerMap.isThere(for: self.connection.path)
        sqlite3_wal_hook(
            handle,
            { context, _, _, pageCount in
                if let context {
                    Unmanaged<WriteLog>.fromOpaque(context).takeUnretainedValue().note(pageCount: Int(pageCount))
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(log).toOpaque())
    }

    /// Goes on with tables that have been changed.
    func adopt(_ layout: DatabaseLayout) {
        creations = CreationTexts()
        let upkeep = SearchUpkeep(layout)
        upkeep.listen(to: connection)
        search = upkeep
    }

    /// Writes into the file whether it is open.
    func mark(isOpen: Bool) throws(StoreError) {
        try noting { () throws(StoreError) in
            try SettingsTable.set(.isOpen, to: .boolean(isOpen), in: connection)
            if isOpen, !served.gaps.isEmpty { try served.keep(in: connection) }
        }
    }

    /// Writes into the file until when it was served.
    func noteServed(until moment: Int64) throws(StoreError) {
        try noting { () throws(StoreError) in
            try connection.inTransaction { connection throws(StoreError) in
                try SettingsTable.set(.servedUntil, to: .integer(moment), in: connection)
                if !served.gaps.isEmpty {
                    try SettingsTable.set(.unservedTimes, to: .text(served.text), in: connection)
                }
            }
        }
    }

    /// Says that the mark is on the disk.
    func noteMarkedOpen() { isMarkedOpen = true }

    // MARK: On a server

    /// The clock of changes, where there is one.
    private let clock: ChangeClock?
    private let pauses = Pauses()

    /// The latest time that a change was stamped with, of what this process knows.
    var lastStamp: Int64 { clock?.lastGiven ?? 0 }

    /// Takes notice of the latest stamp of changes, which another process may have made.
    func noteStamp(_ stamp: Int64) { clock?.advance(to: stamp) }

    /// Waits before the server is asked again.
    func pause(milliseconds: Int) { pauses.wait(milliseconds: milliseconds) }

    /// Has changes say what they will ask, before the first of them runs.
    func expect(_ changes: ArraySlice<Mutation>) {
        guard changes.count > 1, changes.contains(where: { $0.expecting != nil }) else { return }
        for change in changes {
            guard let key = change.key, let expecting = change.expecting else { continue }
            connection.setSubject(key)
            isExpecting = true
            expecting(self)
            isExpecting = false
        }
    }

    /// True while a change runs before its turn.
    private(set) var isForetelling = false
    /// True if it lacks an answer.
    private var lacksAnswer = false

    /// Has the changes of different records that can be run before their turn say what they ask, all with the next trip, and then what they
    /// change, all with the one behind that. When it is its turn, each takes the outcome that is there.
    ///
    ///     change 1 ── asks ─┐          ┌─ UPDATE ─┐          ┌─ its turn: has asked, has changed
    ///     change 2 ─────────┼─▶ trip ─▶┼─ DELETE ─┼─▶ trip ─▶┼─ its turn: has changed
    ///     change 3 ── asks ─┘          └─ UPDATE ─┘          └─ …
    ///
    /// Where several are of one record, the first of them alone is run so. Where one has no key, none is: it may be of any record.
    func foretell(_ changes: ArraySlice<Mutation>) {
        guard turns != nil, changes.count > 1, changes.contains(where: { $0.foretelling != nil }),
            changes.allSatisfy({ $0.key != nil && $0.turn == .models })
        else { return }
        var keys: Set<ChangeKey> = []
        var open = changes.filter { change in
            guard let key = change.key, keys.insert(key).inserted else { return false }
            return change.foretelling != nil
        }
        for _ in 0..<StoreLimits.foretellingRunsMax where open.count > 1 {
            open = open.filter { change in
                connection.setSubject(change.key)
                (isForetelling, lacksAnswer) = (true, false)
                defer { isForetelling = false }
                change.foretelling?(self)
                return lacksAnswer
            }
            // The first that asks fails with the same error.
            if !open.isEmpty { try? connection.sendAhead() }
        }
    }

    /// True if the transaction has changes that were made before their turn, and then not at their turn.
    var hasUntaken: Bool { connection.server?.hasUntaken ?? false }

    /// The record of a key for a change that is run before its turn.
    private func foretold<Failure: RowFailure>(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard knows(lookup.sql, key) else { return false }
        return try connection.get(lookup, key: key, row: row)
    }

    /// Returns whether the answer to a question about its record is at hand for a change that is run before its turn. Else it is with the next trip.
    func knows(_ sql: SQLText, _ values: [StoredValue]) -> Bool {
        guard connection.server?.knows(sql, values) != true else { return true }
        connection.expect(sql, values, holds: .untilKeyChanges)
        lacksAnswer = true
        return false
    }

    /// Makes the change of one that is run before its turn. Whatever comes of it is looked at when it is its turn.
    func foretell(_ change: RecordChange) throws(StoreError) {
        guard !lacksAnswer, change.action != .create else { return }
        let (sql, values) = try change.statement()
        connection.server?.changeBeforehand(sql, values)
    }

    /// True if creations went ahead in the last transaction.
    var hasForeseen: Bool { !foreseen.isEmpty }

    /// Begins a transaction whose creations may go ahead.
    ///
    /// - Parameter asksFirst: whether the records of those that went ahead before are asked for, all with the next trip.
    func beginForeseeing(asksFirst: Bool) {
        guard turns != nil else { return }
        kept = nil
        self.asksFirst = asksFirst
        defer { forgetForeseen() }
        guard asksFirst else { return }
        for (key, change) in foreseen {
            guard let values = change.createdKey else { continue }
            connection.setSubject(key)
            connection.expect(
                KeyLookup(change.table, fields: []).sql, values, holds: key == nil ? .untilChange : .untilKeyChanges)
        }
    }

    /// Lets go of the creations that went ahead.
    func forgetForeseen() {
        if !foreseen.isEmpty { foreseen.removeAll(keepingCapacity: true) }
    }

    /// Returns whether there is a record with the key of a creation.
    private func isThere(_ change: RecordChange) throws(StoreError) -> Bool {
        guard let values = change.createdKey else { return false }
        return try connection.value(KeyLookup(change.table, fields: []).sql, values) != nil
    }

    /// Sends a server the changes that wait for the next statement.
    func sendChangesAhead() throws(StoreError) {
        guard turns != nil else { return }
        try noting { () throws(StoreError) in try connection.sendChangesAhead() }
    }

    /// Forgets what a change is about to undo.
    func forgetChangesAhead() {
        connection.forgetChangesAhead()
        brought = []
    }

    func run(_ sql: SQLText, _ values: [StoredValue] = []) throws(StoreError) {
        try noting { () throws(StoreError) in try connection.run(sql, values) }
    }

    /// Runs a change whose outcome nobody asks for: a server gets it with the next statement, where the whole group would run again if it failed.
    func runUnasked(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) {
        if foresees { try connection.changeAhead(sql, values) } else { try connection.run(sql, values) }
    }

    /// Puts a row in, and says whether it was put in or replaced one. A log has it too.
    func insert(_ row: RecordIntake.Row, at clock: ChangeClock) throws(StoreError) -> Bool {
        if let turns { return try insert(row, turns, at: clock) }
        if let log = row.log { return try insert(row.sql, row.values, in: log, at: clock) }
        return try insert(row.sql, row.values)
    }

    private func insert(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) -> Bool {
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
        // A server keeps its own log.
        guard let handle = connection.handle else { return false }
        return try noting { () throws(StoreError) in
            let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
            // A reader may hold it up; then it goes on later.
            guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
                throw StoreError(code: code, connection: handle, path: connection.path)
            }
            return code == SQLITE_OK
        }
    }

    /// Makes room for the next commits in the log's file. Called when nobody waits for an answer.
    func makeRoomInLog() {
        guard !isLayered else { return }
        logSpace.extend(behind: log.pageCount, of: connection)
    }

    /// The error for whoever asks behind a change that has failed ahead: nothing is wrong with the question, and nobody reads it.
    private static let runsAgain = StoreError(
        .overloaded, "an earlier change of the same group has failed: all of them run again")

    /// Keeps a fatal error, also from a mutation that catches it.
    func noting<Failure: RowFailure, Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        do throws(Failure) { return try body() } catch {
            if let error = error.ofStore, error.isFatal, fatalError == nil { fatalError = error }
            guard !foresees || !connection.hasFailedAhead else { throw Failure(Self.runsAgain) }
            throw error
        }
    }
}

extension WriteSession: RecordWriting {
    package var deadline: Int64 {
        get { connection.deadline.milliseconds }
        set { connection.deadline.milliseconds = newValue }
    }

    package func apply<Failure: RowFailure>(
        _ change: RecordChange, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if isForetelling {
            try failing(as: Failure.self) { () throws(StoreError) in try foretell(change) }
            return false
        }
        return try noting { () throws(Failure) in
            if let turns {
                let new = try failing(as: Failure.self) { () throws(StoreError) in
                    try change.action == .create ? turns.next(of: .models) : nil
                }
                return try make(change, numbered: new, row: row)
            }
            if change.action == .create, change.condition == .always { return try create(change, row: row) }
            let (sql, values) = try failing(as: Failure.self) { () throws(StoreError) in try change.statement() }
            var isMade = false
            try connection.query(sql, values) { found throws(Failure) in
                isMade = true
                try row(found)
                return true
            }
            try keepSearch(as: Failure.self)
            return isMade
        }
    }

    /// Makes a change on a server, with the number of the row that is known of it: that of a new one is.
    func make<Failure: RowFailure>(
        _ change: RecordChange, numbered number: Int64?, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if change.action == .create, change.condition == .always, let number {
            return try create(change, numbered: number, row: row)
        }
        let new = change.action == .create ? number : nil
        let (sql, values) = try failing(as: Failure.self) { () throws(StoreError) in
            try change.statement(numbered: new)
        }
        var isMade = false
        try connection.query(sql, values) { found throws(Failure) in
            isMade = true
            try row(found)
            return true
        }
        if isMade { try keepWords(of: change, row: number, as: Failure.self) }
        return isMade
    }

    private func keepWords<Failure: RowFailure>(
        of change: RecordChange, row: Int64?, as _: Failure.Type
    ) throws(Failure) {
        do throws(StoreError) { try keepWords(of: change, row: row) } catch { throw Failure(error) }
    }

    /// Hot path: most mutations create. `RETURNING` would cost a table of its own for each; reading the row costs less.
    private func create<Failure: RowFailure>(
        _ change: RecordChange, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let texts = try creationTexts(for: change, as: Failure.self)
        try connection.query(texts.insertion, change.explicitNullNames, before: change.assignments) {
            _ throws(Failure) in true
        }
        guard connection.changeCount > 0 else { return false }
        let number = connection.lastRow
        try keepSearch(as: Failure.self)
        try connection.query(texts.selection, [.integer(number)]) { found throws(Failure) in
            try row(found)
            return true
        }
        return true
    }

    private func creationTexts<Failure: RowFailure>(
        for change: RecordChange, as _: Failure.Type
    ) throws(Failure) -> CreationTexts.Texts {
        do throws(StoreError) { return try creations.texts(for: change) } catch { throw Failure(error) }
    }

    /// A server gives the record back with the statement that makes it: a trip less. Where it is foreseen, nobody waits for that.
    private func create<Failure: RowFailure>(
        _ change: RecordChange, numbered number: Int64, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let texts = try creationTexts(for: change, as: Failure.self)
        let values = try failing(as: Failure.self) { () throws(StoreError) in
            [.integer(number)] + (try change.storableValues())
        }
        if foresees, let creation = texts.foreseen, let answer = creation.answer(to: change) {
            if asksFirst {
                guard try failing(as: Failure.self, { () throws(StoreError) in try !isThere(change) }) else {
                    return false
                }
            } else {
                foreseen.append((connection.subject, change))
            }
            let rows = try failing(as: Failure.self) { () throws(StoreError) in
                try connection.changeAhead(creation.insertion, values)
                try keepWords(of: change, row: number)
                guard let server = connection.server else { return try ServerRows(answer, connection.path) }
                return try server.rows(of: answer)
            }
            rows.go(to: 0)
            defer { withExtendedLifetime(rows) {} }
            try row(Row(rows))
            return true
        }
        var isMade = false
        try connection.query(texts.insertion, values) { found throws(Failure) in
            isMade = true
            try row(found)
            return true
        }
        if isMade { try keepWords(of: change, row: number, as: Failure.self) }
        return isMade
    }

    func keepSearch<Failure: RowFailure>(as _: Failure.Type) throws(Failure) {
        do throws(StoreError) { try search.run(on: connection) } catch { throw Failure(error) }
    }

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
}

extension WriteSession: RecordReading {
    package var isLacking: Bool { false }

    package var isOver: Bool { connection.deadline.isOver() }

    package func get<Failure: RowFailure>(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if isForetelling { return try foretold(lookup, key: key, row: row) }
        return try noting { () throws(Failure) in try connection.get(lookup, key: key, row: row) }
    }

    package func listWhile<Failure: RowFailure>(
        _ list: PreparedList, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) -> ListQuery.Page {
        try noting { () throws(Failure) in try connection.listWhile(list, row: row) }
    }

    package func search<Failure: RowFailure>(
        _ search: TextSearch, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> TextSearch.Page {
        try noting { () throws(Failure) in try connection.search(search, row: row) }
    }

    package func count(of table: TableLayout, where filter: Predicate) throws(StoreError) -> Int {
        try noting { () throws(StoreError) in try connection.count(of: table, where: filter) }
    }

    package func aggregate(
        _ aggregate: SearchAggregate, of table: TableLayout, where filter: Predicate
    ) throws(StoreError) -> SearchAggregate.Outcome {
        try noting { () throws(StoreError) in try connection.aggregate(aggregate, of: table, where: filter) }
    }

    package func position(in log: ChangeLog, since moment: Int64) throws(StoreError) -> ListQuery.Position? {
        try noting { () throws(StoreError) in try connection.position(in: log, since: moment) }
    }

    package func holds(_ log: ChangeLog, behind position: SyncPosition) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in try connection.holds(log, behind: position) }
    }
}

/// The pauses of a writer between two questions to a server that does not answer.
private final class Pauses {
    private let lock = ThreadLock()
    private let condition: ThreadCondition

    init() { condition = ThreadCondition(of: lock) }

    func wait(milliseconds: Int) {
        let end = ThreadDeadline(inMilliseconds: milliseconds)
        // Nobody signals: the server tells nothing before it is asked.
        lock.withLock { while condition.wait(until: end) {} }
    }
}

/// The length of the write-ahead log, and how many commits have gone into it.
final class WriteLog {
    private(set) var pageCount = 0
    private(set) var commitCount = 0

    func note(pageCount: Int) {
        self.pageCount = pageCount
        commitCount &+= 1
    }
}
