import Dispatch
import JSON
import Network
import Postgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

/// `Reader`, `WriteSession` and `Writer` as rooms use them, over a real server.
@Suite(
    "A connection to a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerConnectionTests {
    private static let notes = RoomTables(
        of: "notes", turn: .settings,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_notes (
                        number INTEGER PRIMARY KEY, user TEXT NOT NULL UNIQUE, bytes BLOB, share REAL, time INTEGER
                    ) STRICT
                    """),
                RoomStatement("CREATE INDEX _homeport_notes_user ON _homeport_notes (user)"),
            ]
        ])
    private static let insertion = RoomStatement(
        "INSERT INTO _homeport_notes (number, user, bytes, share, time) VALUES (?, ?, ?, ?, ?)")
    private static let all = RoomStatement(
        "SELECT number, user, bytes, share, time, time IS NULL FROM _homeport_notes ORDER BY number")
    private static let named = RoomStatement(
        "SELECT number FROM _homeport_notes WHERE CAST(?1 AS TEXT) IS NULL OR user = ?1")
    private static let total = RoomStatement("SELECT coalesce(sum(time), 0), count(*) FROM _homeport_notes")

    private let server: PostgresServer
    private let schema: String

    init() throws {
        server = try PostgresServer.shared.get()
        schema = "notes\(UInt32.random(in: 0 ... .max))"
        let connection = try server.app()
        _ = try connection.answer("CREATE SCHEMA \(schema)")
        _ = try connection.answer("CREATE TABLE \(schema)._homeport_settings (name text PRIMARY KEY, value bigint)")
        _ = try connection.answer("SET search_path = \(schema)")
        _ = try connection.answer(ServerText(ServerTurns.creation).string)
        for room in RoomTurn.allNames {
            _ = try connection.answer("INSERT INTO _homeport_turns VALUES ('\(room)', 0, 0, 0, 0, 0)")
        }
        connection.close()
    }

    private func connection(_ limits: PostgresLimits = PostgresLimits()) throws -> PostgresConnection {
        let connection = try server.app(limits)
        _ = try connection.answer("SET search_path = \(schema)")
        return connection
    }

    private func session() throws -> WriteSession {
        WriteSession(Connection(try connection()), layout: DatabaseLayout(tables: []))
    }

    private func writer() throws -> Writer {
        try Writer(Connection(try connection()), isMarkedOpen: true) { error in Issue.record("\(error)") }
    }

    private static func numbers(_ reading: some RoomReading, named name: String? = nil) throws -> [Int64] {
        var numbers: [Int64] = []
        try reading.rows(named, [name.map { .text($0) } ?? .null]) { row throws(StoreError) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers.sorted()
    }

    @Test("brings the tables of a room, and reads values of all kinds back as they were")
    func values() throws {
        let session = try session()
        #expect(try !session.has(Self.notes))
        try session.bring(Self.notes)
        #expect(try session.has(Self.notes))
        let emoji = "e\u{301} 👩‍👩‍👧 '\"?"
        #expect(
            try session.change(
                Self.insertion, [.integer(.min), .text(emoji), .blob([0, 255]), .real(-0.5), .integer(.max)]) == 1)
        #expect(try session.change(Self.insertion, [.integer(2), .utf8(Array("b".utf8)), .null, .null, .null]) == 1)
        let reader = try Reader(Connection(try connection()))
        var rows: [[StoredValue]] = []
        try reader.rows(Self.all, []) { row throws(StoreError) in
            var values: [StoredValue] = []
            for column in 0..<6 { values.append(row.value(column)) }
            rows.append(values)
            return true
        }
        #expect(
            rows == [
                [.integer(.min), .text(emoji), .blob([0, 255]), .real(-0.5), .integer(.max), .integer(0)],
                [.integer(2), .text("b"), .null, .null, .null, .integer(1)],
            ])
        #expect(try Self.numbers(reader) == [.min, 2] && Self.numbers(reader, named: "b") == [2])
        var sums: [Int64] = []
        try reader.rows(Self.total, []) { row throws(StoreError) in
            sums = [row.integer(0), row.integer(1)]
            return false
        }
        #expect(sums == [.max, 2])
        // A reader reads.
        let refusal = #expect(throws: StoreError.self) {
            try reader.connection.run(Self.insertion.sql, [.integer(3), .text("c"), .null, .null, .null])
        }
        #expect(refusal?.kind == .readOnly)
    }

    @Test("commits what a group of changes did, and undoes those that fail")
    func groups() async throws {
        let writer = try writer()
        try await writer.write(turn: .settings, key: nil) { session in
            try session.bring(Self.notes)
            try session.change(Self.insertion, [.integer(1), .text("a"), .null, .null, .null])
        }
        let taken = await #expect(throws: StoreError.self) {
            try await writer.write(turn: .settings, key: nil) { session in
                try session.change(Self.insertion, [.integer(2), .text("b"), .null, .null, .null])
                try session.change(Self.insertion, [.integer(3), .text("a"), .null, .null, .null])
            }
        }
        #expect(taken?.kind == .exists && taken?.isFatal == false)
        let misfit = await #expect(throws: StoreError.self) {
            try await writer.write(turn: .settings, key: nil) { session in
                _ = try session.change(Self.insertion, [.integer(4), .text("a\0"), .null, .null, .null])
            }
        }
        #expect(misfit?.kind == .invalidValue)
        _ = try await writer.write(turn: .settings, key: nil) { session in
            try session.change(Self.insertion, [.integer(5), .text("e"), .null, .null, .null])
        }
        try writer.close()
        #expect(try Self.numbers(Reader(Connection(try connection()))) == [1, 5])
    }

    @Test("answers a change as made where it is stored, whatever becomes of the next savepoint")
    func lostSavepoints() async throws {
        let writer = try writer()
        try await writer.write(turn: .settings, key: nil) { session in try session.bring(Self.notes) }
        let (held, released, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let made = Mutex<Set<Int64>>([])
        // What is submitted while the writer is held shares a transaction.
        writer.submit(
            turn: .settings, key: nil,
            { _ in
                held.signal()
                released.wait()
            }, answer: { _ in })
        held.wait()
        for number in Int64(1)...3 {
            writer.submit(
                turn: .settings, key: nil,
                { session in
                    try session.change(Self.insertion, [.integer(number), .text("\(number)"), .null, .null, .null])
                    guard number == 1 else { return }
                    try session.connection.runAhead(SQLText("SELECT 1 / ?"), [.integer(0)])
                },
                answer: { outcome in
                    if case .success = outcome { made.withLock { _ = $0.insert(number) } }
                    done.signal()
                })
        }
        released.signal()
        for _ in 1...3 { done.wait() }
        try writer.close()
        let stored = try Set(Self.numbers(Reader(Connection(try connection()))))
        #expect(stored == made.withLock { $0 } && stored == [3])
    }

    @Test("asks for the key of a change, which a file does not")
    func keys() async throws {
        let table = try blueprintTable()
        func isAsked(_ writer: Writer) async throws -> Bool {
            let asked = Mutex(false)
            await withCheckedContinuation { continuation in
                func key() -> ChangeKey? {
                    asked.withLock { $0 = true }
                    return ChangeKey(of: table)
                }
                writer.submit(turn: .models, key: key(), { _ in }, answer: { _ in continuation.resume() })
            }
            try writer.close()
            return asked.withLock { $0 }
        }
        #expect(try await isAsked(writer()))
        let folder = TestFolder()
        #expect(try await !isAsked(Writer(Connection.open(path: folder.database, mode: .writer)) { _ in }))
    }

    private func blueprintTable() throws -> TableLayout {
        let store = try Store.opened("type Post @model { id: ID! }", at: .memory)
        defer { try? store.close() }
        return try #require(store.layout.tables.first)
    }

    @Test("ends a statement at its deadline, and goes on")
    func deadline() throws {
        let reader = try Reader(Connection(try connection()))
        reader.deadline = Timestamp.monotonicMilliseconds + 20
        let error = #expect(throws: StoreError.self) {
            try reader.connection.run(SQLText("SELECT pg_sleep(60) IS NULL"), [])
        }
        #expect(error?.kind == .interrupted && reader.connection.deadline.hasInterrupted)
        reader.deadline = .max
        #expect(try reader.connection.value(SQLText("SELECT ?"), [.integer(7)]) == .integer(7))
    }

    @Test("says that the server is not there when it has gone, and ends nothing of ours")
    func gone() throws {
        let server = try connection()
        let session = WriteSession(Connection(server), layout: DatabaseLayout(tables: []))
        _ = try self.server.admin().answer("SELECT pg_terminate_backend(\(server.serverProcess))")
        let error = #expect(throws: StoreError.self) { try session.rows(Self.all, []) { _ throws(StoreError) in true } }
        #expect(error?.kind == .away && session.fatalError == nil)
        let again = #expect(throws: StoreError.self) { try session.rows(Self.all, []) { _ throws(StoreError) in true } }
        #expect(again?.kind == .away)
    }

    @Test("takes no more rows than a trip may bring, nor what only a file can do")
    func limits() throws {
        var limits = PostgresLimits()
        limits.tripRows = 10
        let reader = try Reader(Connection(try connection(limits)))
        let many = #expect(throws: StoreError.self) {
            try reader.connection.run(SQLText("SELECT n FROM generate_series(1, 11) AS n"), [])
        }
        #expect(many?.kind == .tooLarge)
        let file = #expect(throws: StoreError.self) { _ = try reader.connection.file() }
        #expect(file?.kind == .invalidArgument)
    }

    @Test("prepares a statement anew where its table has changed, and keeps no more of them than its limit")
    func statements() throws {
        let connection = Connection(try connection())
        try connection.execute("CREATE TABLE shape (a bigint)")
        let all = SQLText("SELECT * FROM shape")
        try connection.run(all)
        try connection.execute("ALTER TABLE shape ADD COLUMN b text")
        try connection.run(all)
        for number in 0...StoreLimits.statementsMax { try connection.run(SQLText("SELECT \(number)")) }
        #expect(try connection.value(SQLText("SELECT count(*) <= 200 FROM pg_prepared_statements")) == .integer(1))
    }

    // MARK: Open walks

    private struct Enough: RowFailure {
        var ofStore: StoreError?
        init(_ error: StoreError) { ofStore = error }
        init() {}
    }

    private static let series = SQLText(
        "SELECT n FROM generate_series(CAST(? AS INTEGER), 1000) AS n ORDER BY n", isOpen: true)

    @Test("hands the rows of an open walk over piece by piece, more than a trip may bring")
    func walks() throws {
        var limits = PostgresLimits()
        limits.tripRows = 200
        let server = try connection(limits)
        let reader = try Reader(Connection(server))
        func read(from start: Int64, upTo max: Int) throws -> [Int64] {
            var found: [Int64] = []
            try reader.connection.query(Self.series, [.integer(start)]) { row throws(StoreError) in
                found.append(row.integer(0))
                return found.count < max
            }
            return found
        }
        #expect(try read(from: 1, upTo: .max) == Array(1...1_000))
        #expect(server.status == .idle)
        #expect(try read(from: 1, upTo: 3) == [1, 2, 3] && server.status == .idle)
        #expect(try read(from: 1_001, upTo: 3) == [])
        // As many as a piece has.
        #expect(try read(from: 1_001 - Int64(StoreLimits.walkPieceRows), upTo: .max).count == StoreLimits.walkPieceRows)
        try reader.beginTurn()
        #expect(try read(from: 1, upTo: 500).count == 500 && server.status == .inTransaction)
        #expect(try read(from: 2, upTo: 1) == [2])
        try reader.endTurn()
        #expect(server.status == .idle)
        #expect(try server.answer("SELECT count(*) FROM pg_cursors WHERE starts_with(name, 'walk')")[0].integer(0) == 0)
    }

    @Test("sends what begins and ends a transaction with the statements in it, and nothing for one without any")
    func ahead() throws {
        let server = try connection()
        let reader = try Reader(Connection(server))
        func isIdle() -> Bool { reader.connection.isInAutocommit }
        func isSpoilt() -> Bool { reader.connection.isSpoilt }
        func hasLostSavepoint() -> Bool { reader.connection.hasLostSavepoint }
        func run(_ text: String, _ values: [StoredValue] = []) throws {
            try reader.connection.run(SQLText(text), values)
        }
        // The moment at which the transaction began.
        func began() throws -> StoredValue? {
            try reader.connection.value(SQLText("SELECT CAST(extract(epoch FROM now()) * 1000000 AS bigint)"))
        }
        for end in ["COMMIT", "ROLLBACK"] {
            try reader.beginTurn()
            #expect(!isIdle() && server.status == .idle)
            try reader.connection.execute(end)
            #expect(isIdle() && server.status == .idle)
        }
        try reader.beginTurn()
        let first = try began()
        #expect(try began() == first && server.status == .inTransaction)
        // The next turn is another transaction, and none is open in between for whoever asks.
        try reader.endTurnLater()
        #expect(isIdle() && server.status == .inTransaction)
        try reader.beginTurn()
        #expect(!isIdle())
        let second = try began()
        #expect(second != first && server.status == .inTransaction)
        try reader.endTurnLater()
        try reader.endTurn()
        try reader.endEarlierTurn()
        #expect(isIdle() && server.status == .idle)
        _ = try server.answer("SET default_transaction_read_only = off")
        // A part that fails is undone by itself, also where nothing had gone out of it.
        try run("BEGIN IMMEDIATE")
        try reader.connection.execute("CREATE TEMP TABLE parts (a bigint)")
        try run("SAVEPOINT mutation")
        #expect(throws: StoreError.self) { try run("SELECT ?", [.text("\u{0}")]) }
        try run("ROLLBACK TO mutation")
        try run("SAVEPOINT mutation")
        #expect(throws: StoreError.self) { try run("SELECT 1 / ?", [.integer(0)]) }
        #expect(isSpoilt())
        try run("ROLLBACK TO mutation")
        try run("RELEASE mutation")
        // A trip that fails before it comes to the savepoint leaves the one before it, or none.
        #expect(!hasLostSavepoint())
        try reader.connection.runAhead(SQLText("SELECT 1 / ?"), [.integer(0)])
        try run("SAVEPOINT mutation")
        #expect(throws: StoreError.self) { try run("SELECT ?", [.integer(1)]) }
        #expect(hasLostSavepoint() && isSpoilt())
        try run("ROLLBACK")
        #expect(!hasLostSavepoint() && isIdle())
        try run("BEGIN IMMEDIATE")
        try reader.connection.execute("CREATE TEMP TABLE parts (a bigint)")
        // What goes ahead and fails takes the next statement with it.
        try reader.connection.runAhead(SQLText("INSERT INTO parts (a) VALUES (1 / ?)"), [.integer(0)])
        #expect(throws: StoreError.self) { try run("COMMIT") }
        #expect(isSpoilt() && !isIdle())
        try run("ROLLBACK")
        #expect(isIdle() && server.status == .idle)
    }

    @Test("goes from one walk within the rows of another, and leaves none open where one fails")
    func nestedWalks() throws {
        let server = try connection()
        let reader = try Reader(Connection(server))
        var pairs = 0
        try reader.connection.query(Self.series, [.integer(901)]) { outer throws(StoreError) in
            let start = outer.integer(0)
            try reader.connection.query(Self.series, [.integer(start)]) { inner throws(StoreError) in
                pairs += 1
                return inner.integer(0) < start + 4
            }
            #expect(outer.integer(0) == start)
            return true
        }
        #expect(pairs == 96 * 5 + 4 + 3 + 2 + 1 && server.status == .idle)
        #expect(throws: Enough.self) {
            try reader.connection.query(Self.series, [.integer(1)]) { _ throws(Enough) in throw Enough() }
        }
        #expect(server.status == .idle)
        let wrong = #expect(throws: StoreError.self) {
            try reader.connection.query(SQLText("SELECT 1 / ? FROM generate_series(1, 2)", isOpen: true), [.integer(0)])
            {
                _ throws(StoreError) in true
            }
        }
        #expect(wrong != nil && server.status == .idle)
        #expect(try reader.connection.value(SQLText("SELECT ?"), [.integer(7)]) == .integer(7))
    }
}
