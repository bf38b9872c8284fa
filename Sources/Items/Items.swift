import Cloud
import JSON
import Store
import Synchronization

/// Items: tables that answer as DynamoDB does, for functions and their SDKs. This is the room's front page.
///
///     request ─▶ operation ─┬─ read on the loop's reader, or beside the loop where it takes long
///                           └─ change: decided and made within a transaction of the one writer ─▶ stream
///
/// - `Values/` is what items are made of, and their form in JSON.
/// - `Expressions/` is what requests say about items: conditions, filters, keys, projections and updates, read once into a
///   small tree, and the forms that they had before expressions.
/// - `Statements/` is PartiQL: statements that become the same conditions, updates and plans.
/// - `Tables/` is what a table is, and how items, indexes and what is to be done with them lie in the database.
/// - `Models/` is the records of the API as items.
/// - `Streams/` is what is told of changes.
/// - `Operations/` is what clients call: each is an extension of `ItemRun`.
///
/// What must stay true: a condition is decided in the transaction of its change; an index has what its items have, since both
/// change together; a table's rows are those of its number, and no number comes twice.
package final class ItemService: Sendable {
    package let settings: ItemSettings
    let store: Store
    let report: @Sendable (String) -> Void
    private let clock: @Sendable () -> Int64
    /// How long a call may take that is decided beside the writer.
    let decisionMilliseconds: Int64
    private let models = Mutex(ModelTables.made([:]))
    private let steadyStreams = Mutex<Set<ByteText>>([])
    private let known = KeptReading<[ByteText: PlainTable]>()
    private let counts = Mutex<[Int64: TableCount]>([:])
    let chores: TableChores
    /// Whether records of models whose time is up are being taken out.
    private let isSweeping = Atomic<Bool>(false)
    private let hasExpiries = Atomic<Bool>(false)
    /// How many writes their callers have been told of, or will be at once.
    let acknowledged = Atomic<Int>(0)

    /// The models' tables. Whoever calls nothing here need not wait for them at the start.
    private enum ModelTables {
        case promised(@Sendable () -> [any ItemTable])
        case made([ByteText: any ItemTable])

        /// By their names; the first one asked for makes them.
        var all: [ByteText: any ItemTable] {
            mutating get {
                switch self {
                case .made(let tables): return tables
                case .promised(let make):
                    let tables = Dictionary(texts: make().map { ($0.shape.name, $0) }) { first, _ in first }
                    self = .made(tables)
                    return tables
                }
            }
        }
    }

    struct TableCount: Sendable {
        var items: Int64 = 0
        var bytes: Int64 = 0
        var entries: [Int64: Int64] = [:]
    }

    /// - Parameters:
    ///   - report: is told what a person should know.
    ///   - decisionMilliseconds: how long the conditions and updates of one call may take.
    ///   - clock: milliseconds since 1970.
    package init(
        _ settings: ItemSettings, over store: Store, report: @escaping @Sendable (String) -> Void,
        decisionMilliseconds: Int64 = TableLimits.decisionMilliseconds,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.settings = settings
        self.store = store
        self.report = report
        self.clock = clock
        self.decisionMilliseconds = decisionMilliseconds
        chores = TableChores(store, report: report, clock: clock)
        chores.tellOfShapes { [weak self] in self?.forgetTables() }
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    /// The nodes that this process is one of; nil where it is the only one.
    package var nodes: Nodes? { store.nodes }

    // MARK: Tables

    /// The table of that name; nil: there is none.
    ///
    /// - Parameter readings: how many readings of the tables had begun before the call.
    func table(_ name: String, on shard: ItemShard, since readings: Int) throws(ItemFailure) -> (any ItemTable)? {
        if let table = try tables(on: shard)[name] { return table }
        if let model = models.withLock({ $0.all[name] }) { return model }
        // It may have been made by somebody else over the same database.
        guard store.isLocal else {
            guard let tables = known.value(since: readings) else { throw .outdated }
            return tables[name]
        }
        return try readTables(try storing { () throws(StoreError) in try shard.reader(of: store) })[name]
    }

    /// Has these tables beside those that were made by calls, in the place of those that were there: the models'.
    ///
    /// - Parameter hasExpiries: whether records of some of them have a time at which they are to go.
    package func serve(hasExpiries: Bool = false, _ tables: @escaping @Sendable () -> [any ItemTable]) {
        models.withLock { $0 = .promised(tables) }
        self.hasExpiries.store(hasExpiries, ordering: .releasing)
    }

    /// What a stream of a table is called whose name is known before it is there, as those of models are.
    package static let steadyLabel = "2015-01-01T00:00:00.000"

    /// Gives the streams that these tables will have names that are known before.
    package func keepStreamNames(of tables: [String]) { steadyStreams.withLock { $0 = Set(texts: tables) } }

    func steadyLabel(ofStreamOf table: String) -> String? {
        steadyStreams.withLock { $0.contains(ByteText(table)) } ? Self.steadyLabel : nil
    }

    /// Whether a table of that name is a model's.
    func isOfModel(_ name: String) -> Bool { models.withLock { $0.all[name] != nil } }

    /// The names of all tables, in the order of their bytes.
    func tableNames(on shard: ItemShard) throws(ItemFailure) -> [String] {
        let names = try tables(on: shard).keys.map(\.string) + models.withLock { $0.all.keys.map(\.string) }
        return names.eachOnce().sorted { $0 < $1 }
    }

    /// Those that were made by a call, by their names. Read once; whoever changes one has them read again.
    func tables(on shard: ItemShard) throws(ItemFailure) -> [ByteText: PlainTable] {
        if let tables = known.value { return tables }
        guard store.isLocal else { throw .outdated }
        return try readTables(try storing { () throws(StoreError) in try shard.reader(of: store) })
    }

    /// How many readings of the tables have begun.
    var tableReadings: Int { known.begun }

    /// Has a server's tables read beside the loops where they are not known. A file's are read on the loop when they are needed.
    ///
    /// - Parameter readings: tables that were read by one of so many first readings are others by now.
    func findTables(since readings: Int? = nil) async throws(ItemFailure) {
        guard !store.isLocal else {
            if readings != nil { forgetTables() }
            return
        }
        guard known.value(since: readings ?? 0) == nil else { return }
        _ = try await readAside { [self] reader, _ throws(ItemFailure) in try readTables(reader) }
    }

    /// Reads which tables there are.
    @discardableResult
    func readTables(_ reader: Reader) throws(ItemFailure) -> [ByteText: PlainTable] {
        try known.read { () throws(ItemFailure) in
            var tables: [ByteText: PlainTable] = [:]
            guard try storing({ () throws(StoreError) in try reader.has(TableRows.all) }) else { return tables }
            try reader.rows(TableRows.tables, []) { row throws(ItemFailure) in
                let table = try PlainTable(row)
                tables[ByteText(table.shape.name)] = table
                return true
            }
            return tables
        }
    }

    /// Forgets the tables that are known, since one of them is another one by now.
    func forgetTables() { known.forget() }

    /// Has the tables read again that other nodes have changed. From any thread.
    package func hear(_ wakes: Set<NodeWake>) {
        guard wakes.contains(.tables) || wakes.contains(.everything) else { return }
        forgetTables()
    }

    /// Goes on with a database that has gone back to a copy.
    package func beginAnew() {
        forgetTables()
        counts.withLock { $0 = [:] }
        chores.begin()
    }

    // MARK: Reading and changing

    /// Reads on the loop; what takes longer than it has time for is read beside it from the beginning. What a server has is read beside
    /// it in any case.
    ///
    /// - Parameters:
    ///   - ofTurn: whether what was there when this turn of the loop began will do, which costs less.
    ///   - end: when whoever asks gives up, in milliseconds of the monotonic clock.
    func read<Value: Sendable>(
        on shard: ItemShard, ofTurn: Bool = false, until end: Int64 = .max,
        _ body: @escaping @Sendable (Reader, CallBudget) throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        guard store.isLocal else { return try await readAside(until: end, body) }
        do throws(ItemFailure) {
            let writes = acknowledged.load(ordering: .acquiring)
            let reader = try storing { () throws(StoreError) in
                ofTurn ? try shard.readerOfTurn(of: store, behind: writes) : try shard.reader(of: store)
            }
            return try readNow(reader, on: shard, body)
        } catch .store(let error) where error.kind == .interrupted {
            return try await readAside(until: end, body)
        }
    }

    /// Reads on the loop, as long as it has time.
    func readNow<Value>(
        _ reader: Reader, on shard: ItemShard, _ body: (Reader, CallBudget) throws(ItemFailure) -> Value
    ) throws(ItemFailure) -> Value {
        reader.deadline = Timestamp.monotonicMilliseconds + TableLimits.loopMilliseconds
        defer { reader.deadline = .max }
        return try body(reader, shard.budget)
    }

    /// - Parameter end: when whoever asks gives up, in milliseconds of the monotonic clock.
    func readAside<Value: Sendable>(
        until end: Int64 = .max, _ body: @escaping @Sendable (Reader, CallBudget) throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        let outcome: Result<Value, ItemFailure>
        do throws(StoreError) {
            let end = min(end, Timestamp.monotonicMilliseconds + TableLimits.readMilliseconds)
            outcome = try await store.readersAside.read(until: end) { reader throws(StoreError) in
                Result { () throws(ItemFailure) in try body(reader, .untilDeadline(of: reader)) }
            }
        } catch {
            throw .store(error)
        }
        return try outcome.get()
    }

    /// Makes a change and waits until it is on the disk. It may be made more than once before it is.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession, Int64) throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            begin(change) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Begins a change, and tells what has become of it when it is on the disk: on the writer's thread.
    ///
    /// - Parameter write: the one write that it makes; nil: it does more.
    func begin<Value: Sendable>(
        making write: ItemWrite? = nil,
        _ change: @escaping @Sendable (WriteSession, Int64) throws(ItemFailure) -> Value,
        answer: @escaping @Sendable (Result<Value, ItemFailure>) -> Void
    ) {
        let now = now
        let outcome = ChangeOutcome<Value>()
        var expecting: (@Sendable (WriteSession) -> Void)?
        if let write { expecting = { session in write.expect(in: session) } }
        // A table may be a model's.
        store.writer.submit(
            turn: [.models, .items], key: write?.changeKey, isRepeatable: true,
            expecting: expecting,
            { session in outcome.value = try change(session, now) },
            answer: { [self] result in
                acknowledged.wrappingAdd(1, ordering: .releasing)
                switch (result, outcome.value) {
                case (.success, let value?): answer(.success(value))
                case (.failure(let failure as ItemFailure), _): answer(.failure(failure))
                case (.failure(let error as StoreError), _): answer(.failure(.store(error)))
                default:
                    answer(
                        .failure(
                            .store(StoreError(.unexpected, "a change of items ended without an outcome"))))
                }
            })
    }

    // MARK: Counts

    /// How many items there are. Counting is given up where it takes long; then what was known last is told.
    func count(of table: PlainTable) async -> TableCount {
        do throws(StoreError) {
            let end = Timestamp.monotonicMilliseconds + TableLimits.countMilliseconds
            let outcome = try await store.readersAside.read(until: end) { reader throws(StoreError) in
                Result { () throws(ItemFailure) in
                    var count = TableCount()
                    (count.items, count.bytes) = try table.count(in: reader)
                    for index in table.shape.indexes {
                        count.entries[index.number] = try table.count(of: index, in: reader)
                    }
                    return count
                }
            }
            if case .success(let count) = outcome {
                counts.withLock { $0[table.number] = count }
                return count
            }
        } catch {}
        return counts.withLock { $0[table.number] } ?? TableCount()
    }

    func count(of table: ModelTable) async -> TableCount {
        let end = Timestamp.monotonicMilliseconds + TableLimits.countMilliseconds
        let items = try? await store.readersAside.read(until: end) { reader throws(StoreError) in
            try table.count(in: reader)
        }
        return TableCount(items: Int64(items ?? 0))
    }

    func forgetCount(of table: Int64) { counts.withLock { $0[table] = nil } }

    // MARK: Beginning and end

    /// Looks for what the last run has left to do, beside everything else.
    package func begin() async {
        guard store.knows(TableRows.all) else { return }
        do throws(ItemFailure) {
            let hasTables = try await readAside { [self] reader, _ throws(ItemFailure) in
                try readTables(reader)
                return try storing { () throws(StoreError) in try reader.has(TableRows.all) }
            }
            // Also where no table is left: one that is gone may have left rows behind.
            if hasTables { chores.begin() }
        } catch {
            report("what the last run has left of items could not be looked for: \(error)")
        }
    }

    /// Takes out what has expired by now, where there is anything.
    package func sweep() {
        // Other nodes may have made some.
        if store.nodes != nil || known.value?.isEmpty == false { chores.begin() }
        guard hasExpiries.load(ordering: .acquiring) else { return }
        let tables = models.withLock { models in
            models.all.values.compactMap { $0 as? ModelTable }.filter { $0.shape.expiry != nil }
        }
        guard !tables.isEmpty, !isSweeping.exchange(true, ordering: .acquiring) else { return }
        Task {
            defer { isSweeping.store(false, ordering: .releasing) }
            do throws(ItemFailure) {
                for table in tables { try await sweep(table) }
            } catch {
                guard case .store(let error) = error, error.kind == .stopped else {
                    return report("records whose time is up could not be taken out: \(error)")
                }
            }
        }
    }

    /// Takes out the records of a model whose time is up: looked for beside everything else, and taken out where it still is.
    private func sweep(_ table: ModelTable) async throws(ItemFailure) {
        while true {
            let seconds = now / 1_000
            let span = (seconds - TableLimits.expirySecondsMax)...seconds
            let expired = try await readAside { reader, _ throws(ItemFailure) in
                try table.expired(in: span, max: Int(TableLimits.choreRows), reader)
            }
            guard !expired.isEmpty else { return }
            try await write { session, now throws(ItemFailure) in
                for (place, item) in expired {
                    var present: Item?
                    try table.find(at: place, named: item, in: session) { row throws(ItemFailure) in
                        present = try row.item()
                    }
                    guard let present, let time = table.shape.expiry(of: present), span.contains(time) else { continue }
                    try table.replace(present, by: nil, at: place, in: session, now: now, byExpiry: true)
                }
            }
            guard expired.count == Int(TableLimits.choreRows) else { return }
        }
    }

    package func close() { chores.close() }
}

/// Where a change leaves what came of it until it is answered.
///
/// Unchecked: only the writer's thread writes it, and it is read behind the answer.
private final class ChangeOutcome<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}

/// What names of tables and streams are made of.
package struct ItemSettings: Sendable {
    package let region: String
    package let accountID: String

    package init(region: String, accountID: String) {
        self.region = region
        self.accountID = accountID
    }

    private static let service = "dynamodb"
    private static let kind = "table/"

    func arn(of table: String) -> String {
        ARN(Self.service, region: region, account: accountID, Self.kind + table).description
    }

    /// The name of a table that a request names, by itself or by its ARN; an ARN of no table of ours stays what it is.
    func tableName(_ text: String) -> String { text.hasPrefix("arn:") ? table(ofARN: text) ?? text : text }

    /// The table that an ARN names; nil: it names none of ours.
    func table(ofARN text: String) -> String? {
        guard let arn = ARN(text, of: Self.service), arn.region == region, arn.account == accountID else { return nil }
        return arn.name(behind: Self.kind)
    }
}

extension PlainTable {
    /// Of the columns number, version and shape.
    convenience init(_ row: borrowing Row) throws(ItemFailure) {
        guard let shape = TableShape(stored: row.withText(2) { Array($0) }) else {
            throw .store(StoreError(.corrupt, "a table of items in the database cannot be read: restore a backup"))
        }
        self.init(number: row.integer(0), version: row.integer(1), shape: shape)
    }
}
