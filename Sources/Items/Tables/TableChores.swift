import JSON
import Store
import Synchronization

/// What is done with tables beside requests: rows of tables and indexes that are gone, items for an index that is new, items that
/// have expired, records of streams that are too old.
///
///     chore ── step ── step ── …      each a change of a bounded number of rows, so that others write between two of them
///
/// A chore is a row until it is done: a server that was killed goes on with it.
package final class TableChores: Sendable {
    enum Kind: String {
        case dropTable, dropIndex, fillIndex, fillExpiry
    }

    private struct State {
        var isRunning = false
        var isClosed = false
    }

    private let store: Store
    private let report: @Sendable (String) -> Void
    private let clock: @Sendable () -> Int64
    private let state = Mutex(State())
    private let whenChanged = Mutex<Listener?>(nil)

    private struct Listener: Sendable {
        let call: @Sendable () -> Void
    }

    init(_ store: Store, report: @escaping @Sendable (String) -> Void, clock: @escaping @Sendable () -> Int64) {
        self.store = store
        self.report = report
        self.clock = clock
    }

    /// Has somebody called when a chore has changed the shape of a table. On the writer's thread: it must not block.
    func tellOfShapes(_ body: @escaping @Sendable () -> Void) { whenChanged.withLock { $0 = Listener(call: body) } }

    /// Notes a chore, within the change that makes it necessary.
    static func note(
        _ kind: Kind, table: Int64, index: Int64 = 0, in session: WriteSession
    ) throws(ItemFailure) {
        try session.changing(
            TableRows.choreInsertion, [.text(kind.rawValue), .integer(table), .integer(index)])
    }

    /// Does what is to be done, unless it is being done. Does not wait.
    func begin() {
        let begins = state.withLock { state in
            guard !state.isClosed, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if begins { step() }
    }

    func close() { state.withLock { $0.isClosed = true } }

    private func step() {
        let outcome = StepOutcome()
        store.writer.submit(turn: .items, key: nil, isRepeatable: true) { [clock] session in
            outcome.value = try Self.step(in: session, now: clock())
        } answer: { [self] result in
            if outcome.value.hasChangedShape { whenChanged.withLock { $0 }?.call() }
            switch result {
            case .success where outcome.value.hasMore && !state.withLock({ $0.isClosed }): step()
            case .success: state.withLock { $0.isRunning = false }
            case .failure(let error):
                state.withLock { $0.isRunning = false }
                if (error as? StoreError)?.kind != .stopped { report("items could not be tidied up: \(error)") }
            }
        }
    }

    private struct Step {
        var hasMore = false
        var hasChangedShape = false
    }

    /// Unchecked: only the writer's thread reads and writes it.
    private final class StepOutcome: @unchecked Sendable {
        var value = Step()
    }

    // MARK: One step

    private struct Chore {
        let number: Int64
        let kind: Kind?
        let table: Int64
        let index: Int64
        let spread: Int64
        let part: [UInt8]
        let sort: [UInt8]
    }

    private static func step(in session: WriteSession, now: Int64) throws(ItemFailure) -> Step {
        guard try storing({ () throws(StoreError) in try session.has(TableRows.all) }) else { return Step() }
        var chore: Chore?
        try session.rows(TableRows.chores, []) { row throws(ItemFailure) in
            chore = Chore(
                number: row.integer(0), kind: Kind(rawValue: row.text(1)), table: row.integer(2), index: row.integer(3),
                spread: row.integer(4), part: row.blob(5), sort: row.blob(6))
            return false
        }
        guard let chore else { return Step(hasMore: try tidy(in: session, now: now)) }
        let isDone: Bool
        var step = Step(hasMore: true)
        switch chore.kind {
        case .dropTable: isDone = try dropTable(chore, in: session)
        case .dropIndex:
            isDone =
                try session.changing(
                    TableRows.entriesOfIndex,
                    [.integer(chore.table), .integer(chore.index), .integer(TableLimits.choreRows)]) == 0
        case .fillIndex:
            isDone = try fillIndex(chore, in: session)
            step.hasChangedShape = isDone
        case .fillExpiry: isDone = try fillExpiry(chore, in: session)
        case nil: isDone = true
        }
        if isDone { try session.changing(TableRows.choreDeletion, [.integer(chore.number)]) }
        return step
    }

    private static func dropTable(_ chore: Chore, in session: WriteSession) throws(ItemFailure) -> Bool {
        let values: [StoredValue] = [.integer(chore.table), .integer(TableLimits.choreRows)]
        let entries = try session.changing(TableRows.entriesOfTable, values)
        guard entries == 0 else { return false }
        return try session.changing(TableRows.itemsOfTable, values) == 0
    }

    private static func table(_ chore: Chore, in session: WriteSession) throws(ItemFailure) -> PlainTable? {
        var table: PlainTable?
        try session.rows(TableRows.tableByNumber, [.integer(chore.table)]) { row throws(ItemFailure) in
            table = try PlainTable(row)
            return false
        }
        return table
    }

    /// The next items of a table, from where the chore has come to.
    private static func walk(
        _ chore: Chore, _ table: PlainTable, in session: WriteSession,
        _ each: (Item, Int64) throws(ItemFailure) -> Void
    ) throws(ItemFailure) -> Bool {
        var items: [(item: Item, number: Int64)] = []
        var last: (spread: Int64, part: [UInt8], sort: [UInt8])?
        try session.rows(
            TableRows.scan,
            [.integer(chore.table), .integer(chore.spread), .blob(chore.part), .blob(chore.sort)]
        ) { row throws(ItemFailure) in
            items.append((try PlainTable.item(row, 0), row.integer(2)))
            last = (row.integer(1), row.blob(3), row.blob(4))
            return items.count < Int(TableLimits.choreRows)
        }
        for (item, number) in items { try each(item, number) }
        guard let last, items.count == Int(TableLimits.choreRows) else { return true }
        try session.changing(
            TableRows.choreUpdate,
            [.integer(last.spread), .blob(last.part), .blob(last.sort.following), .integer(chore.number)])
        return false
    }

    private static func fillIndex(_ chore: Chore, in session: WriteSession) throws(ItemFailure) -> Bool {
        guard let table = try table(chore, in: session),
            let place = table.shape.globals.firstIndex(where: { $0.number == chore.index })
        else { return true }
        let index = table.shape.globals[place]
        let isDone = try walk(chore, table, in: session) { item, number throws(ItemFailure) in
            try table.enter(item, number, into: index, in: session)
        }
        guard isDone else { return false }
        var shape = table.shape
        shape.globals[place].isFilled = true
        try session.changing(TableRows.tableUpdate, [.utf8(shape.stored), .integer(table.number)])
        session.wake(.tables)
        return true
    }

    private static func fillExpiry(_ chore: Chore, in session: WriteSession) throws(ItemFailure) -> Bool {
        guard let table = try table(chore, in: session) else { return true }
        return try walk(chore, table, in: session) { item, number throws(ItemFailure) in
            try session.changing(
                TableRows.expiryUpdate,
                [table.shape.expiry(of: item).map { .integer($0) } ?? .null, .integer(number)])
        }
    }

    /// Takes out what is too old: items, records of streams, what is known of transactions. True: there is more of it.
    private static func tidy(in session: WriteSession, now: Int64) throws(ItemFailure) -> Bool {
        var expired: [(table: Int64, item: Item)] = []
        let seconds = now / 1_000
        try session.rows(
            TableRows.expired,
            [
                .integer(seconds - TableLimits.expirySecondsMax), .integer(seconds), .integer(TableLimits.choreRows),
            ]
        ) { row throws(ItemFailure) in
            expired.append((row.integer(0), try PlainTable.item(row, 1)))
            return true
        }
        var tables: [Int64: PlainTable] = [:]
        if !expired.isEmpty {
            try session.rows(TableRows.tables, []) { row throws(ItemFailure) in
                let table = try PlainTable(row)
                tables[table.number] = table
                return true
            }
        }
        for (number, item) in expired {
            // The rows of a table that is gone are another chore's.
            guard let table = tables[number], let place = table.shape.key.placeIfAny(of: item) else { continue }
            try table.replace(item, by: nil, at: place, in: session, now: now, byExpiry: true)
        }
        let old = now - TableLimits.streamMilliseconds
        let records = try session.changing(StreamRows.removal, [.integer(old), .integer(TableLimits.choreRows)])
        if records == 0 { try session.changing(StreamRows.streamRemoval, [.integer(old)]) }
        try session.changing(TableRows.transactionRemoval, [.integer(now - TableLimits.tokenMilliseconds)])
        return records == TableLimits.choreRows || expired.count == Int(TableLimits.choreRows)
    }
}
