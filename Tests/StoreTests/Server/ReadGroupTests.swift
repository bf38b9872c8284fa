import Dispatch
import JSON
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite(
    "Reads that share their trips to a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct ReadGroupTests {
    private static let schema = "type Post @model { id: ID! title: String }"

    private let server: ServerSchema
    private let store: Store
    private var readers: ReadersAside { store.readersAside }

    init() throws {
        server = try ServerSchema()
        store = try server.opened(Self.schema)
    }

    private static func value(_ text: String, _ number: Int64, _ reader: Reader) throws(StoreError) -> Int64 {
        var value: Int64 = -1
        try reader.connection.query(SQLText(text), [.integer(number)]) { row throws(StoreError) in
            value = row.integer(0)
            return false
        }
        return value
    }

    /// The answers to reads, in any order.
    private final class Answers: Sendable {
        private let all = Mutex<[Int: Result<Int64, StoreError>]>([:])

        func note(_ number: Int, _ result: Result<Int64, StoreError>) {
            all.withLock { all in
                precondition(all[number] == nil, "a read is answered once")
                all[number] = result
            }
        }

        var count: Int { all.withLock { $0.count } }
        var values: [Int: Int64] { all.withLock { $0.compactMapValues { try? $0.get() } } }
        var kinds: [Int: StoreError.Kind] {
            all.withLock { all in
                all.compactMapValues { result in if case .failure(let error) = result { error.kind } else { nil } }
            }
        }
    }

    /// Has as many threads as read at the same time busy with one read each, until the body is over.
    private func whileBusy(_ threads: Int, _ sharing: ReadSharing, _ body: () async throws -> Void) async throws {
        let begun = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        var tasks: [Task<Void, any Error>] = []
        for count in 1...threads {
            tasks.append(
                Task { [readers, name = server.name] in
                    try await readers.read(until: .max, sharing: sharing) { reader throws(StoreError) in
                        _ = try Self.value("SELECT ? AS busy_\(name)", 0, reader)
                        begun.signal()
                        released.wait()
                    }
                })
            // One after the other: a thread would take two that wait.
            try await BlockingThread.run { begun.wait() }
            #expect(readers.count == count)
        }
        try await body()
        for _ in tasks { released.signal() }
        for task in tasks { try await task.value }
    }

    private func begin(
        _ number: Int, until end: Int64 = .max, _ sharing: ReadSharing, _ answers: Answers,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Int64
    ) -> @Sendable () -> Void {
        readers.begin(until: end, sharing: sharing, body) { answers.note(number, $0) }
    }

    @Test("reads of rows that come while a trip is under way go with the next one, and each has its answer")
    func rows() async throws {
        let answers = Answers()
        var before: Int64 = 0
        try await whileBusy(StoreLimits.rowGroupsMax, .row) {
            for number in 0..<StoreLimits.sharedTripParts + 10 {
                _ = begin(number, .row, answers) { reader throws(StoreError) in
                    try Self.value("SELECT ? * 2", Int64(number), reader)
                }
            }
            // They wait for one of the threads that are there.
            #expect(readers.count == StoreLimits.sharedTripParts + 10 + StoreLimits.rowGroupsMax)
            #expect(readers.threadCount == StoreLimits.rowGroupsMax)
            before = readers.tripCount
        }
        let count = StoreLimits.sharedTripParts + 10
        try await eventually("all are answered") { answers.count == count }
        for (number, value) in answers.values { #expect(value == Int64(number) * 2) }
        #expect(answers.kinds.isEmpty && answers.values.count == count)
        // Those of the two that were busy, one for as many as a trip has room for, and one for the others: no transaction begins or ends.
        try await eventually("no thread reads") { readers.count == 0 }
        try await eventually("all trips are counted") { readers.tripCount - before >= 4 }
        #expect(readers.tripCount - before == 4)
        try store.close()
    }

    @Test("a read that says which row it asks for runs once, behind the trip, also where it asks for something else")
    func asked() async throws {
        let table = try store.table("Post")
        let fields = ["id", "title"]
        for id in ["1", "2"] {
            try await store.make("Post", [.init("id", .text(id)), .init("title", .text("t\(id)"))])
        }
        let lookup = KeyLookup(table, fields: fields)
        let answers = Answers()
        let runs = Mutex<[Int: Int]>([:])
        // The row that is asked for, and the one that the read wants.
        let wanted = [("1", "1"), ("2", "2"), ("1", "2"), ("9", "9")]
        try await whileBusy(StoreLimits.rowGroupsMax, .row) {
            for (number, (asked, id)) in wanted.enumerated() {
                _ = readers.begin(
                    until: .max, sharing: .row, asking: ServerQuestion(lookup, key: [.text(asked)]),
                    { reader throws(StoreError) in
                        runs.withLock { $0[number, default: 0] += 1 }
                        var found: Int64 = -1
                        _ = try reader.get(lookup, key: [.text(id)]) { row throws(StoreError) in
                            found = Int64(row.text(1).dropFirst()) ?? -2
                        }
                        return found
                    }, answer: { answers.note(number, $0) })
            }
        }
        try await eventually("all are answered") { answers.count == wanted.count }
        #expect(answers.values == [0: 1, 1: 2, 2: 2, 3: -1])
        // The third was answered by what the second had asked.
        #expect(runs.withLock { $0 } == [0: 1, 1: 1, 2: 1, 3: 1])
        try store.close()
    }

    @Test("equal questions of several reads go out once")
    func equal() async throws {
        let answers = Answers()
        try await whileBusy(StoreLimits.rowGroupsMax, .row) {
            for number in 0..<20 {
                _ = begin(number, .row, answers) { reader throws(StoreError) in
                    try Self.value("SELECT CAST(random() * 1e15 AS int8) + ?", 0, reader)
                }
            }
        }
        try await eventually("all are answered") { answers.count == 20 }
        #expect(answers.values.count == 20 && Set(answers.values.values).count == 1)
        try store.close()
    }

    @Test("reads of several levels take a trip for each level, all together, and see one state")
    func levels() async throws {
        let answers = Answers()
        var before: Int64 = 0
        try await whileBusy(StoreLimits.readsAsideMax, .parts(1)) {
            for number in 0..<StoreLimits.sharedTripParts {
                _ = begin(number, .parts(1), answers) { reader throws(StoreError) in
                    let first = try Self.value("SELECT ? + 1", Int64(number), reader)
                    guard number % 4 > 0 else { return first }
                    let second = try Self.value("SELECT ? + 10", first, reader)
                    guard number % 4 > 1 else { return second }
                    return try Self.value(
                        "SELECT ? + 100 WHERE transaction_timestamp() <> statement_timestamp()", second, reader)
                }
            }
            before = readers.tripCount
        }
        try await eventually("all are answered") { answers.count == StoreLimits.sharedTripParts }
        for (number, value) in answers.values {
            #expect(value == Int64(number) + [1, 11, 111, 111][number % 4], "\(number)")
        }
        try await eventually("no thread reads") { readers.count == 0 }
        let busy = Int64(StoreLimits.readsAsideMax)
        try await eventually("all trips are counted") { readers.tripCount - before >= busy + 3 }
        // Each thread may end its last transaction by a trip.
        #expect(readers.tripCount - before <= 2 * busy + 3)
        try store.close()
    }

    @Test(
        "a question that fails, takes long or asks for more than it said is that of its read alone",
        arguments: [true, false])
    func failures(_ isOfRows: Bool) async throws {
        let answers = Answers()
        let sharing = isOfRows ? ReadSharing.row : .parts(1)
        let threads = isOfRows ? StoreLimits.rowGroupsMax : StoreLimits.readsAsideMax
        try await whileBusy(threads, sharing) {
            for number in 0..<30 {
                _ = begin(number, sharing, answers) { reader throws(StoreError) in
                    switch number {
                    case 3: return try Self.value("SELECT 1 / ?", 0, reader)
                    case 5:
                        let first = try Self.value("SELECT ? + 1", 5, reader)
                        return try Self.value("SELECT ? + 1", first, reader)
                    default: return try Self.value("SELECT ? * 2", Int64(number), reader)
                    }
                }
            }
        }
        try await eventually("all are answered") { answers.count == 30 }
        #expect(answers.kinds.keys.sorted() == [3])
        for (number, value) in answers.values { #expect(value == (number == 5 ? 7 : Int64(number) * 2)) }
        // One that takes longer than a trip may that is shared.
        let slow = Answers()
        let end = Timestamp.monotonicMilliseconds + 60_000
        try await whileBusy(threads, sharing) {
            for number in 0..<10 {
                _ = begin(number, until: end, sharing, slow) { reader throws(StoreError) in
                    let wait =
                        number == 4 ? "pg_sleep(\(Double(StoreLimits.sharedTripMilliseconds) / 1_000 + 0.2))" : "1"
                    return try Self.value("SELECT ? * 2 FROM (SELECT \(wait)) AS waited", Int64(number), reader)
                }
            }
        }
        try await eventually("all are answered") { slow.count == 10 }
        #expect(slow.kinds.isEmpty)
        for (number, value) in slow.values { #expect(value == Int64(number) * 2) }
        try store.close()
    }

    @Test(
        "a lost connection, a deadline and whoever is not waited for end nothing but what they must",
        arguments: [true, false])
    func ends(_ isOfRows: Bool) async throws {
        let answers = Answers()
        let sharing = isOfRows ? ReadSharing.row : .parts(1)
        let threads = isOfRows ? StoreLimits.rowGroupsMax : StoreLimits.readsAsideMax
        try await whileBusy(threads, sharing) {
            for number in 0..<20 {
                // The second is over before it begins.
                let end = number == 1 ? Timestamp.monotonicMilliseconds - 1 : .max
                let giveUp = begin(number, until: end, sharing, answers) { reader throws(StoreError) in
                    try Self.value("SELECT ? * 2", Int64(number), reader)
                }
                if number == 2 { giveUp() }
            }
            #expect(answers.kinds == [2: .interrupted])
            try server.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                    + "AND query LIKE '%busy_\(server.name)%'")
        }
        try await eventually("all are answered") { answers.count == 20 }
        #expect(answers.kinds == [1: .interrupted, 2: .interrupted])
        for (number, value) in answers.values { #expect(value == Int64(number) * 2) }
        try store.close()
    }

    @Test("reads that wait end with the database, each with an answer")
    func closing() async throws {
        let answers = Answers()
        let begun = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        for number in 0..<StoreLimits.rowGroupsMax {
            _ = begin(number, .row, answers) { _ throws(StoreError) in
                begun.signal()
                released.wait()
                return 0
            }
            try await BlockingThread.run { begun.wait() }
        }
        for number in StoreLimits.rowGroupsMax..<20 {
            _ = begin(number, .row, answers) { reader throws(StoreError) in try Self.value("SELECT ?", 1, reader) }
        }
        let (readers, store) = (readers, store)
        let closed = Task { try await BlockingThread.run { try store.close() } }
        try await eventually("those that wait are answered") { answers.kinds.count == 20 - StoreLimits.rowGroupsMax }
        for _ in 0..<StoreLimits.rowGroupsMax { released.signal() }
        try await closed.value
        #expect(readers.threadCount == 0 && answers.count == 20)
        #expect(Set(answers.kinds.values) == [.stopped])
    }
}
