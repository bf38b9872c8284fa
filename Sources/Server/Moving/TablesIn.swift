import Blueprint
import Items
import JSON
import Moving
import Store

/// Brings records in from exports and scans of DynamoDB's tables.
///
///     sources ─▶ models by the names of their tables ─▶ items ─▶ rows, in batches with a note of how far they are ─▶ logs of changes
///
/// An item that is no record of its model is listed with its key and the reason, and left out. Without a store everything is read and checked,
/// and nothing is written.
final class TablesIn {
    struct Options: Sendable {
        var keepsUnknown = false
        /// Milliseconds since 1970.
        var now: Int64
        /// How far back the logs of changes go.
        var logMilliseconds: Int64
        /// Is asked after each batch; false ends the move there, as a kill would.
        var isWanted: @Sendable () -> Bool = { true }
    }

    let map: TableMap
    let store: Store?
    private let options: Options
    private let report: MoveProgress
    /// The note about each source.
    private(set) var progress: [SourceProgress] = []
    private(set) var samples: [Sample] = []
    /// The time that incremental exports have to follow on, by the names of the tables.
    private var exports: [(source: String, content: JSONObject)] = []
    private var sampled: [Int] = []

    /// A record as it was read, to be compared with what the database has.
    struct Sample {
        let table: Int
        let place: String
        let values: [StoredValue]
    }

    private static let samplesPerTableMax = 64

    init(
        _ blueprint: Blueprint, _ layout: DatabaseLayout, into store: Store?, _ options: Options, _ report: MoveProgress
    ) {
        map = TableMap(blueprint, layout)
        self.store = store
        self.options = options
        self.report = report
        sampled = [Int](repeating: 0, count: map.items.count)
    }

    // MARK: Which tables

    /// The sources of known models. Throws where they contradict each other, before anything is written.
    func sources(of folders: [TableFolder]) throws(MoveFailure) -> [(source: TableFile, table: Int?)] {
        var tables: [Int: String] = [:]
        var exports: [Int: String] = [:]
        var found: [(TableFile, Int?)] = []
        for source in folders.flatMap(\.sources) {
            guard let name = source.tableName else {
                found.append((source, nil))
                continue
            }
            if AmplifyTable(name)?.model == AmplifyTable.deltaModel {
                report.note(
                    once: name, "\(name) is DataStore's log of changes: the log here is made of the records")
                continue
            }
            guard let number = map.number(ofTable: name) else {
                report.fault(
                    FaultList.Fault(
                        place: source.export?.folder ?? source.path, record: name,
                        reason: "the schema has no model of this table"))
                continue
            }
            let model = map.items[number].typeName
            if let other = tables[number], other != name {
                throw MoveFailure("two tables are of the model \(model): \(other) and \(name). Give one of them")
            }
            tables[number] = name
            if let folder = source.export?.folder {
                if let other = exports[number], other != folder {
                    throw MoveFailure(
                        "two full exports are of the table \(name): \(other) and \(folder). Give the later one")
                }
                exports[number] = folder
                self.exports.append(
                    (
                        "table \(name)",
                        JSONObject([
                            ("moment", .integer(source.export?.moment ?? 0)),
                            ("tableId", source.export?.tableID.map(JSONValue.string) ?? .null),
                        ])
                    ))
            }
            found.append((source, number))
        }
        return found
    }

    // MARK: Reading

    /// Reads one source to its end, from where an interrupted move was.
    func read(_ source: TableFile, _ table: Int?) throws(MoveFailure) {
        let noted = try store.map { store throws(MoveFailure) in
            try MoveFailure.storing { () throws(StoreError) in
                try MoveState.content(of: Self.name(of: source), in: try store.readerBeside())
            }
        }
        let counts = SourceProgress(noted ?? nil)
        progress.append(counts)
        let start = counts.now
        if start.isDone {
            report.done(source.path, start, isNew: false)
            return
        }
        let intake = store.map { RecordIntake(into: $0) }
        var batch = Batch()
        let reading = TableReading(source)
        let outcome: TableReading.Outcome
        let form = table.flatMap { MovedLine(map.items[$0]) }
        let moment = source.export?.moment ?? options.now
        do throws(MoveFailure) {
            outcome = try reading.run(
                behind: start.lines, rows: { form?.row(of: $0, nowMilliseconds: moment) }, wrong: { MoveFailure($0) }
            ) {
                number, bytes, line throws(MoveFailure) in
                take(line, number, of: source, table, bytes, into: &batch)
                batch.lines = number
                guard batch.isFull else { return }
                try submit(&batch, to: intake, source, counts)
            }
        } catch {
            // What was read before is kept.
            if !error.isStop { try? submit(&batch, to: intake, source, counts) }
            if let intake { try? intake.finish() }
            throw error
        }
        batch.isDone = true
        try submit(&batch, to: intake, source, counts)
        if let intake { try MoveFailure.storing { () throws(StoreError) in try intake.finish() } }
        if outcome.isCut {
            report.note("\(source.path): the last page says that more follow: scan to the end, without --max-items")
        }
        report.done(source.path, counts.now, isNew: true)
    }

    private static func name(of source: TableFile) -> String { "records \(source.identity)" }

    /// The content of one transaction.
    private struct Batch: Sendable {
        var rows: [(table: Int, values: [StoredValue], bytes: Int)] = []
        var faults: [FaultList.Fault] = []
        var extras: [(model: String, record: String, attributes: [UInt8])] = []
        var tables: [Int: TableCounts] = [:]
        var unknown: [String] = []
        /// Records without a value of a required field, by the numbers of table and column.
        var lacking: [[Int]: Int] = [:]
        var bytes = 0
        var lines = 0
        var isDone = false

        var isFull: Bool {
            rows.count + faults.count >= StoreLimits.importBatchRecords || bytes >= StoreLimits.importBatchBytes
        }

        func count(into counts: inout SourceProgress.Counts, _ items: [RecordItem]) {
            let names = items.map(\.typeName)
            for name in unknown { counts.addUnknown(name) }
            for (place, count) in lacking {
                let field = items[place[0]].table.columns[place[1]].field
                counts.lacking[ByteText("\(names[place[0]]).\(field)"), default: 0] += count
            }
            for (table, more) in tables {
                let name = ByteText(names[table])
                counts.tables[name] = (counts.tables[name] ?? TableCounts()) + more
            }
        }
    }

    private func take(
        _ line: Result<TableLine, TableLine.Misfit>, _ number: Int, of source: TableFile, _ table: Int?, _ bytes: Int,
        into batch: inout Batch
    ) {
        batch.bytes += bytes
        if let table, case .success(.row(let moved)) = line {
            batch.tables[table, default: TableCounts()].read += 1
            return add(moved, table, number, of: source, bytes, to: &batch)
        }
        var known = table
        var record: String?
        do throws(MovedItem.Misfit) {
            let item = try Self.item(of: line)
            if item.isOfDeltaTable {
                throw MovedItem.Misfit(reason: "it is a change in DataStore's log, and no record")
            }
            let table: Int
            if let known { table = known } else { table = try map.number(of: item) }
            known = table
            let form = map.items[table]
            let moved: MovedItem
            do throws(MovedItem.Misfit) {
                moved = try form.moved(item, nowMilliseconds: source.export?.moment ?? options.now)
            } catch {
                record = form.name(of: item)
                throw error
            }
            batch.tables[table, default: TableCounts()].read += 1
            for attribute in moved.unknown {
                batch.tables[table, default: TableCounts()].unknown += 1
                batch.unknown.append("\(form.typeName).\(attribute.name)")
            }
            if options.keepsUnknown, !moved.unknown.isEmpty {
                var attributes: [UInt8] = []
                Item(moved.unknown.map { ($0.name, $0.value) }).write(to: &attributes)
                batch.extras.append((form.table.model, form.name(of: item), attributes))
            }
            add(moved, table, number, of: source, bytes, to: &batch)
        } catch {
            if let known {
                batch.tables[known, default: TableCounts()].read += 1
                batch.tables[known, default: TableCounts()].misfits += 1
            }
            batch.faults.append(
                FaultList.Fault(
                    place: Self.place(number, of: source),
                    record: record ?? known.map { map.items[$0].typeName } ?? "?",
                    reason: error.reason))
        }
    }

    private static func place(_ number: Int, of source: TableFile) -> String { "\(source.path):\(number)" }

    private func add(
        _ moved: MovedItem, _ table: Int, _ number: Int, of source: TableFile, _ bytes: Int, to batch: inout Batch
    ) {
        for column in map.required[table] where moved.values[column + 1].isNull {
            batch.lacking[[table, column], default: 0] += 1
        }
        sample(moved, table, number, of: source, in: batch)
        batch.rows.append((table, moved.values, bytes))
    }

    private static func item(of line: Result<TableLine, TableLine.Misfit>) throws(MovedItem.Misfit) -> Item {
        switch line {
        case .success(.item(let item)): return item
        case .success(.row): throw MovedItem.Misfit(reason: "its table is not known")
        case .success(.change): throw MovedItem.Misfit(reason: "it is a change of an incremental export: see --since")
        case .failure(let misfit): throw MovedItem.Misfit(reason: misfit.reason)
        }
    }

    /// Keeps the records with the numbers 1, 2, 4, 8 … of each batch.
    private func sample(
        _ moved: MovedItem, _ table: Int, _ number: Int, of source: TableFile, in batch: borrowing Batch
    ) {
        let count = batch.rows.count + 1
        guard store != nil, count & (count - 1) == 0, sampled[table] < Self.samplesPerTableMax else { return }
        sampled[table] += 1
        samples.append(Sample(table: table, place: Self.place(number, of: source), values: moved.values))
    }

    private func submit(
        _ batch: inout Batch, to intake: RecordIntake?, _ source: TableFile, _ counts: SourceProgress
    ) throws(MoveFailure) {
        let taken = batch
        batch = Batch()
        batch.lines = taken.lines
        let items = map.items
        let names = items.map(\.typeName)
        for fault in taken.faults { report.fault(fault) }
        if let intake {
            for row in taken.rows { intake.add(row.values, to: row.table, bytes: row.bytes) }
            let tables = taken.rows.map(\.table)
            let name = Self.name(of: source)
            try MoveFailure.storing { () throws(StoreError) in
                try intake.submit { session, made throws(StoreError) in
                    try session.bring(MoveState.tables)
                    for extra in taken.extras {
                        try MoveState.keep(extra.attributes, of: extra.record, model: extra.model, in: session)
                    }
                    // Only here: what is noted is never ahead of what is kept.
                    let content = counts.changed { counts in
                        taken.count(into: &counts, items)
                        for (table, isMade) in zip(tables, made) {
                            if isMade {
                                counts.tables[names[table], default: TableCounts()].made += 1
                            } else {
                                counts.tables[names[table], default: TableCounts()].present += 1
                            }
                        }
                        counts.lines = max(counts.lines, taken.lines)
                        counts.isDone = taken.isDone
                    }
                    try MoveState.note(content, of: name, in: session)
                }
            }
        } else {
            counts.change { counts in
                taken.count(into: &counts, items)
                counts.lines = taken.lines
                for row in taken.rows { counts.tables[names[row.table], default: TableCounts()].made += 1 }
            }
        }
        report.records(taken.tables.values.reduce(0) { $0 + $1.read })
        guard options.isWanted() else { throw MoveFailure.stopped }
    }
}

extension TablesIn {
    // MARK: Begin and end

    /// The state of the whole move, however often it was interrupted.
    struct Start: Sendable {
        /// The models that this and earlier moves have filled, by the names of their data.
        let known: [String]
        /// The tables that this move fills.
        let tables: [Int]
        /// The moment of the copy: the earliest of those of the exports; nil where none is known.
        let moment: Int64?
        /// True if nobody can have been served from the database.
        let isUnserved: Bool
        /// True if an earlier move came to its end.
        let wasDone: Bool
    }

    private static let whole = "move"

    /// Refuses tables with records that this move has not brought, and notes what is going to be filled.
    func begin(_ sources: [(source: TableFile, table: Int?)], isNew: Bool) throws(MoveFailure) -> Start {
        var noted: JSONObject?
        var fresh: [(source: TableFile, table: Int?)] = []
        var filled: Set<Int> = []
        if let store {
            try MoveFailure.storing { () throws(StoreError) in
                let reader = try store.readerBeside()
                noted = try MoveState.content(of: Self.whole, in: reader)
                for source in sources {
                    let content = try MoveState.content(of: Self.name(of: source.source), in: reader)
                    if content?["done"]?.bool != true { fresh.append(source) }
                }
                for number in map.items.indices {
                    if try reader.count(of: map.items[number].table, where: .always) > 0 { filled.insert(number) }
                }
            }
        } else {
            fresh = sources
        }
        // A file of which the table is not known may be of any.
        let tables = (fresh.contains { $0.table == nil } ? Set(map.items.indices) : Set(fresh.compactMap(\.table)))
            .sorted()
        let wasDone = noted?["done"]?.bool == true
        let known = (noted?["tables"]?.array ?? []).compactMap(\.string)
        for number in tables where filled.contains(number) {
            let form = map.items[number]
            guard wasDone || !known.contains(form.table.model) else { continue }
            throw MoveFailure(
                "there are records of \(form.typeName) already"
                    + (wasDone && known.contains(form.table.model)
                        ? ", of a move that is done: an incremental export comes on top with --since"
                        : ": move into an empty data folder (--data)"))
        }
        let moments = sources.compactMap { $0.source.export?.moment }
        let all = (known + tables.map { map.items[$0].table.model }).eachOnce()
        // A move that was interrupted has begun the logs of none of its tables, also where all of their files have come.
        let names = Set(texts: all)
        let unfinished = wasDone ? tables : map.items.indices.filter { names.contains(map.items[$0].table.model) }
        let start = Start(
            known: all, tables: unfinished,
            moment: moments.count == sources.count ? moments.min() : nil,
            isUnserved: noted.map { $0["unserved"]?.bool == true } ?? isNew, wasDone: wasDone)
        if !fresh.isEmpty { try note(start, isDone: false) }
        return start
    }

    /// Makes the logs of changes of what was filled, once.
    func end(_ start: Start) throws(MoveFailure) {
        guard !start.tables.isEmpty, isComplete else { return }
        try note(start, isDone: true)
    }

    private func note(_ start: Start, isDone: Bool) throws(MoveFailure) {
        guard let store else { return }
        let content = JSONObject([
            ("tables", .array(start.known.map { .string($0) })), ("unserved", .bool(start.isUnserved && !isDone)),
            ("done", .bool(isDone)),
        ])
        let tables = start.tables.map { map.items[$0].table }
        // As long as it is not done, clients that sync get all records.
        let horizon = isDone && start.isUnserved ? options.now - options.logMilliseconds : options.now
        let exports = isDone ? self.exports : []
        try store.changed { session throws(StoreError) in
            try session.bring(MoveState.tables)
            try session.beginLogs(
                of: tables, since: horizon, servedUntil: isDone && start.isUnserved ? start.moment ?? 0 : nil)
            try MoveState.note(content, of: Self.whole, in: session)
            for export in exports { try MoveState.note(export.content, of: export.source, in: session) }
        }
    }
}
