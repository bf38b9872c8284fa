import Blueprint
import Items
import JSON
import Moving
import Store

/// Takes incremental exports on top of what a move has brought, also beside a server that serves it. A record that was changed here since stays
/// as it is, and is listed.
///
///     window ─▶ window ─▶ …      each begins where the one before has ended: the first at the moment of the full export, or before
///
/// Each transaction notes the lines whose changes it has made: an interrupted move goes on behind them.
final class SinceIn {
    private let map: TableMap
    private let store: Store?
    private let timestamps: [ByteText: Timestamps]
    private let isWanted: @Sendable () -> Bool
    private let report: MoveProgress
    private(set) var counts = Counts()

    struct Counts: Sendable {
        var put = 0
        var deleted = 0
        /// Records that are as the export has them already.
        var same = 0
        /// Changes that were listed instead.
        var refused = 0

        static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                put: left.put + right.put, deleted: left.deleted + right.deleted, same: left.same + right.same,
                refused: left.refused + right.refused)
        }
    }

    private static let partMax = 500

    /// The changes of one transaction.
    private struct Part: Sendable {
        var changes: [ChangeWork.Prepared] = []
        var faults: [FaultList.Fault] = []
        var bytes = 0
        var lines = 0
        var isDone = false

        var isFull: Bool { changes.count + faults.count >= SinceIn.partMax || bytes >= StoreLimits.importBatchBytes }
    }

    init(
        _ map: TableMap, _ blueprint: Blueprint, into store: Store?,
        isWanted: @escaping @Sendable () -> Bool, _ report: MoveProgress
    ) {
        self.map = map
        self.store = store
        self.isWanted = isWanted
        self.report = report
        timestamps = Dictionary(
            texts: blueprint.models.map { ($0.storedName, $0.timestamps) }, uniquingKeysWith: { first, _ in first })
    }

    /// Applies all incremental exports of some folders, in the order of their windows.
    func run(_ folders: [TableFolder]) throws(MoveFailure) {
        let exports = folders.flatMap(\.exports).filter(\.isIncremental)
            .sorted { ($0.from ?? 0, $0.moment) < ($1.from ?? 0, $1.moment) }
        guard !exports.isEmpty else { throw MoveFailure("--since: there is no incremental export in the folder") }
        for export in exports {
            for file in export.sources {
                try MoveFailure.reading { () throws(MovingFault) in try TableReading(file).verify() }
            }
        }
        for export in exports {
            guard AmplifyTable(export.tableName)?.model != AmplifyTable.deltaModel else { continue }
            guard let number = map.number(ofTable: export.tableName) else {
                report.fault(
                    FaultList.Fault(
                        place: export.folder, record: export.tableName, reason: "the schema has no model of this table")
                )
                continue
            }
            try apply(export, number)
        }
    }

    private func apply(_ export: ExportManifest, _ number: Int) throws(MoveFailure) {
        let source = "table \(export.tableName)"
        let noted = try store.map { store throws(MoveFailure) in
            try MoveFailure.storing { () throws(StoreError) in
                try MoveState.content(of: source, in: try store.readerBeside())
            }
        }
        let known = noted ?? nil
        if store != nil {
            guard let moment = known?["moment"]?.integer else {
                throw MoveFailure(
                    "\(export.folder): no full export of \(export.tableName) has come: an incremental one comes on top of it"
                )
            }
            if let id = known?["tableId"]?.string, let other = export.tableID, id != other {
                throw MoveFailure("\(export.folder): it is of another table of the name \(export.tableName)")
            }
            guard (export.from ?? 0) <= moment else {
                throw MoveFailure(
                    "\(export.folder): it begins at \(BackupCommand.text(of: export.from ?? 0)), and what has come of "
                        + "\(export.tableName) ends at \(BackupCommand.text(of: moment)): an export between them is missing"
                )
            }
            guard export.moment > moment else {
                report.line("\(export.folder): all of it has come already")
                return
            }
        }
        let form = map.items[number]
        let work = ChangeWork(
            form: form, moment: known?["moment"]?.integer ?? export.moment,
            timestamps: timestamps[form.table.model] ?? Timestamps())
        for file in export.sources { try apply(file, work) }
        guard let store else { return }
        let content = JSONObject([
            ("moment", .integer(export.moment)),
            ("tableId", (export.tableID ?? known?["tableId"]?.string).map(JSONValue.string) ?? .null),
        ])
        try store.changed { session throws(StoreError) in
            try session.bring(MoveState.tables)
            try MoveState.note(content, of: source, in: session)
        }
        report.line("\(export.folder): up to \(BackupCommand.text(of: export.moment))")
    }

    /// Applies a data file, from where an interrupted move was.
    private func apply(_ file: TableFile, _ work: ChangeWork) throws(MoveFailure) {
        let source = "window \(file.identity)"
        let noted = try store.map { store throws(MoveFailure) in
            try MoveFailure.storing { () throws(StoreError) in
                try MoveState.content(of: source, in: try store.readerBeside())
            }
        }
        let start = noted ?? nil
        let earlier = Counts(start)
        counts = counts + earlier
        guard start?["done"]?.bool != true else { return }
        var (part, made) = (Part(), earlier)
        part.lines = start?["lines"]?.integer.flatMap { Int(exactly: $0) } ?? 0
        _ = try TableReading(file).run(behind: part.lines, wrong: { MoveFailure($0) }) {
            number, bytes, line throws(MoveFailure) in
            take(line, "\(file.path):\(number)", into: &part, work)
            part.bytes += bytes
            part.lines = number
            if part.isFull { try submit(&part, source, &made, work) }
        }
        part.isDone = true
        try submit(&part, source, &made, work)
    }

    private func take(
        _ line: Result<TableLine, TableLine.Misfit>, _ place: String, into part: inout Part, _ work: ChangeWork
    ) {
        var record = work.form.typeName
        do throws(MovedItem.Misfit) {
            switch line {
            case .success(.change(let change)):
                record = work.form.name(of: change.new ?? change.keys)
                part.changes.append(try work.prepared(change, place))
            case .success(.item), .success(.row): throw MovedItem.Misfit(reason: "it is no change: it has no Keys")
            case .failure(let misfit): throw MovedItem.Misfit(reason: misfit.reason)
            }
        } catch { part.faults.append(FaultList.Fault(place: place, record: record, reason: error.reason)) }
    }

    /// - Parameter made: the counts of the file so far, which the note has.
    private func submit(
        _ part: inout Part, _ source: String, _ made: inout Counts, _ work: ChangeWork
    ) throws(MoveFailure) {
        let (taken, before) = (part, made)
        part = Part()
        part.lines = taken.lines
        report.records(taken.changes.count)
        for fault in taken.faults { report.fault(fault) }
        guard let store else {
            counts.put += taken.changes.count { $0.wanted != nil }
            counts.deleted += taken.changes.count { $0.wanted == nil }
            return
        }
        let clock = store.changeClock
        let (outcomes, more) = try store.changed { session throws(StoreError) in
            var (outcomes, more) = ([ChangeWork.Outcome](), Counts(refused: taken.faults.count))
            for change in taken.changes {
                let outcome = try work.apply(change, in: session, at: clock)
                switch outcome {
                case .put: more.put += 1
                case .deleted: more.deleted += 1
                case .same: more.same += 1
                case .refused: more.refused += 1
                }
                outcomes.append(outcome)
            }
            try session.bring(MoveState.tables)
            try MoveState.note((before + more).note(lines: taken.lines, isDone: taken.isDone), of: source, in: session)
            return (outcomes, more)
        }
        made = made + more
        counts = counts + more
        for (change, outcome) in zip(taken.changes, outcomes) {
            guard case .refused(let record, let reason) = outcome else { continue }
            report.fault(FaultList.Fault(place: change.place, record: record, reason: reason))
        }
        guard isWanted() else { throw MoveFailure.stopped }
    }
}

extension SinceIn.Counts {
    fileprivate init(_ note: JSONObject?) {
        func number(_ place: Int) -> Int { note?["counts"]?[place]?.integer.flatMap { Int(exactly: $0) } ?? 0 }
        self.init(put: number(0), deleted: number(1), same: number(2), refused: number(3))
    }

    fileprivate func note(lines: Int, isDone: Bool) -> JSONObject {
        JSONObject([
            ("lines", .integer(Int64(lines))), ("done", .bool(isDone)),
            ("counts", .array([put, deleted, same, refused].map { .integer(Int64($0)) })),
        ])
    }
}

/// The changes of an incremental export to the records of one model.
private struct ChangeWork: Sendable {
    enum Outcome: Sendable {
        case put
        case deleted
        case same
        case refused(record: String, reason: String)
    }

    /// A change as rows.
    struct Prepared: Sendable {
        let place: String
        let record: String
        let lookup: [StoredValue]
        /// Nil: the record goes.
        let wanted: [StoredValue]?
        let old: [StoredValue]?
    }

    let form: RecordItem
    /// Up to when the records here are those of AWS, in milliseconds since 1970.
    let moment: Int64
    /// The fields that say when a record was made and changed.
    let timestamps: Timestamps

    func prepared(_ change: TableLine.Change, _ place: String) throws(MovedItem.Misfit) -> Prepared {
        Prepared(
            place: place, record: form.name(of: change.new ?? change.old ?? change.keys),
            lookup: try form.lookupValues(of: change.keys), wanted: try row(change.new), old: try row(change.old))
    }

    private func row(_ item: Item?) throws(MovedItem.Misfit) -> [StoredValue]? {
        guard let item else { return nil }
        return try form.moved(item, nowMilliseconds: moment).values
    }

    /// Decides and changes in one transaction: nobody changes the record between.
    func apply(
        _ change: Prepared, in session: WriteSession, at clock: ChangeClock
    ) throws(StoreError) -> Outcome {
        guard let present = try present(change, in: session) else {
            guard let wanted = change.wanted else { return .same }
            guard change.old == nil, !isOlder(wanted, timestamps.createdAt) else {
                return .refused(
                    record: change.record, reason: "it was deleted here since, or has not come before: it is left out")
            }
            try session.put(wanted, in: form.table, at: clock)
            return .put
        }
        if let wanted = change.wanted, TablesIn.areSame(wanted, present) { return .same }
        let isUnchanged =
            change.old.map { TablesIn.areSame($0, present) } == true
            || isOlder(present, form.table.isSynced ? SyncField.lastChangedAt.rawValue : timestamps.updatedAt)
        guard isUnchanged else {
            return .refused(record: change.record, reason: "it was changed here since: it stays as it is here")
        }
        guard let wanted = change.wanted else {
            try session.remove(form.key(of: present), from: form.table)
            return .deleted
        }
        try session.put(wanted, in: form.table, at: clock)
        return .put
    }

    /// The row of the record as it is: the explicit nulls, then the columns.
    private func present(_ change: Prepared, in session: WriteSession) throws(StoreError) -> [StoredValue]? {
        guard let key = form.table.primaryKey else { return nil }
        var found: [StoredValue]?
        try session.record(RecordLookup(form.table, by: key), change.lookup) { row throws(StoreError) in
            found = (0...form.table.columns.count).map { row.value($0 + 1) }
        }
        return found
    }

    /// Returns whether a time in a row is none behind the moment.
    private func isOlder(_ row: [StoredValue], _ field: String?) -> Bool {
        guard let field, let place = form.table.columns.firstIndex(where: { $0.field == field }),
            row.indices.contains(place + 1)
        else { return false }
        switch row[place + 1] {
        case .integer(let time): return time <= moment
        case .text(let text): return Timestamp(text).map { $0.millisecondsSince1970 <= moment } ?? false
        default: return false
        }
    }
}

extension Store {
    /// Makes a change and waits until it is on the disk: for commands, which are not on a loop.
    func changed<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession) throws(StoreError) -> Value
    ) throws(MoveFailure) -> Value {
        let outcome = WaitedFor.value { [self] () async -> Result<Value, any Error> in
            do {
                return .success(try await writer.write(turn: .models, key: nil) { session in try change(session) })
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let error): throw MoveFailure(StoreError(of: error))
        }
    }
}
