import JSON
import Network
import Postgres

/// A connection to PostgreSQL, as `Connection` asks it: one statement a trip, whose rows are all there before the first is looked at.
///
/// It belongs to one thread at a time. A transaction that had an error takes no other statement until it is rolled back.
final class ServerSession {
    private struct Question: Hashable {
        let sql: SQLText
        let types: [PostgresType]
    }

    private struct Prepared {
        let statement: PostgresStatement
        let isChange: Bool
        /// It changes nothing, so it may be asked a second time.
        let isRepeatable: Bool
    }

    private var connection: PostgresConnection
    private let deadline: Deadline
    /// The place where another connection is made when this one has ended.
    private let place: ServerPlace?
    private let mode: Connection.Mode
    /// True if the connection has ended within a transaction: until that is rolled back, no statement may go out on another one.
    private(set) var isLost = false
    private var statements: [Question: Prepared] = [:]
    /// What this session has set.
    private var settings: [ByteText: String] = [:]
    /// How many rows the last statement changed that changes rows, and all of them.
    private(set) var changeCount = 0
    private(set) var totalChangeCount: Int64 = 0

    init(_ connection: PostgresConnection, _ deadline: Deadline, again place: ServerPlace?, _ mode: Connection.Mode) {
        self.connection = connection
        self.deadline = deadline
        self.place = place
        self.mode = mode
    }

    func close() { connection.close() }

    var isInAutocommit: Bool { !isLost && (connection.isClosed || connection.status == .idle) }

    var isSpoilt: Bool { isLost || connection.status == .failed }

    /// Where the server is, for errors.
    var host: String { connection.host.description }

    /// Makes another connection where this one has ended.
    private func reopen() throws(StoreError) {
        guard connection.isClosed, !isLost, let place else { return }
        connection = try place.connect(mode)
        statements = [:]
        for (name, value) in settings { try apply(name.string, value) }
    }

    /// Sets something for as long as the session lasts, and for each one in its place.
    func set(_ name: String, to value: String) throws(StoreError) {
        try demandUnlost()
        try reopen()
        try apply(name, value)
        settings[ByteText(name)] = value
    }

    private func apply(_ name: String, _ value: String) throws(StoreError) {
        try failing { () throws(PostgresError) in
            try connection.ask(Self.setting, [.text(name), .text(value)])
            _ = try connection.trip(until: end)
        }
    }

    private static let setting = PostgresStatement(
        "SELECT pg_catalog.set_config($1, $2, false)", [.text, .text], isKept: false)

    /// Ends a transaction whose connection is gone. False where this is not what the statement asks for, or there is none.
    private func rollsBackLost(_ sql: SQLText) -> Bool {
        guard isLost, sql.text.utf8.elementsEqual("ROLLBACK".utf8) else { return false }
        isLost = false
        return true
    }

    private func demandUnlost() throws(StoreError) {
        guard !isLost else {
            throw StoreError(.away, "database \(host): the connection has ended within a transaction. Try again")
        }
    }

    /// Runs a statement that is not kept, and whose rows nobody wants.
    func execute(_ sql: SQLText) throws(StoreError) {
        if rollsBackLost(sql) { return }
        _ = try answer(sql, [], isKept: false)
    }

    /// Notes that a connection has ended that was within a transaction.
    private func noteEnd(wasIdle: Bool) {
        if connection.isClosed, !wasIdle { isLost = true }
    }

    /// How many walks are open, one within the rows of the other.
    private var walkDepth = 0

    /// Runs one statement and hands each row to the closure, until that says false.
    func query<Failure: RowFailure>(
        _ sql: SQLText, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        if rollsBackLost(sql) { return }
        let walk = ServerWalk(sql, values, on: self)
        // It also keeps the rows that are looked at.
        defer { walk.end() }
        while true {
            let piece: ServerRows?
            do throws(StoreError) { piece = try walk.next() } catch { throw Failure(error) }
            guard let piece else { return }
            for number in 0..<piece.count {
                piece.go(to: number)
                guard try row(Row(piece)) else { return }
            }
        }
    }

    // MARK: Walks

    /// Opens a cursor, in a transaction of its own where there is none, and answers with its name and its first rows.
    func open(
        _ sql: SQLText, _ values: [StoredValue]
    ) throws(StoreError) -> (cursor: ServerCursor, rows: PostgresAnswer) {
        try demandUnlost()
        try reopen()
        let cursor = ServerCursor(name: "walk\(walkDepth)", ownsTransaction: isInAutocommit)
        let types = values.map(\.serverType)
        let declaration = "DECLARE \(cursor.name) NO SCROLL CURSOR FOR \(sql.serverText)"
        let values = values.map(\.serverValue)
        walkDepth += 1
        do throws(PostgresError) {
            if cursor.ownsTransaction { try connection.ask(Self.begin) }
            try connection.ask(PostgresStatement(declaration, types, isKept: false), values)
            try connection.ask(Self.fetching(from: cursor))
            guard let rows = try connection.trip(until: end).last else { throw .connectionLost(.closed) }
            return (cursor, rows)
        } catch {
            // Questions from before the error would go out with the next statement.
            connection.forgetQuestions()
            noteEnd(wasIdle: cursor.ownsTransaction)
            let failure = failure(error)
            close(cursor)
            throw failure
        }
    }

    /// The next rows of a cursor.
    func rows(of cursor: ServerCursor) throws(StoreError) -> PostgresAnswer {
        try failing { () throws(PostgresError) in
            try connection.ask(Self.fetching(from: cursor))
            guard let rows = try connection.trip(until: end).last else { throw .connectionLost(.closed) }
            return rows
        }
    }

    /// Closes a cursor. An error here comes again with the next statement, which reports it.
    func close(_ cursor: ServerCursor) {
        walkDepth -= 1
        // A transaction that has failed has no cursors any more.
        guard cursor.ownsTransaction ? connection.status != .idle : connection.status == .inTransaction else { return }
        let text = cursor.ownsTransaction ? "ROLLBACK" : "CLOSE \(cursor.name)"
        _ = try? connection.ask(PostgresStatement(text, isKept: false))
        _ = try? connection.trip(until: MonotonicTime.now.advanced(byMilliseconds: Int(StoreLimits.tripMilliseconds)))
        noteEnd(wasIdle: cursor.ownsTransaction)
    }

    private static let begin = PostgresStatement("BEGIN")

    private static func fetching(from cursor: ServerCursor) -> PostgresStatement {
        PostgresStatement("FETCH FORWARD \(StoreLimits.walkPieceRows) FROM \(cursor.name)", isKept: false)
    }

    /// The answer to one statement.
    ///
    /// - Parameter isKept: whether the server keeps it prepared.
    func answer(_ sql: SQLText, _ values: [StoredValue], isKept: Bool = true) throws(StoreError) -> PostgresAnswer {
        try demandUnlost()
        try reopen()
        let prepared = prepared(Question(sql: sql, types: values.map(\.serverType)), isKept: isKept)
        let values = values.map(\.serverValue)
        let wasIdle = isInAutocommit
        do throws(PostgresError) {
            return try answer(prepared, values)
        } catch {
            noteEnd(wasIdle: wasIdle)
            // Nothing was changed by it, so it may go out again: servers close connections that were idle for long.
            if wasIdle, connection.isClosed, place != nil, case .connectionLost = error, prepared.isRepeatable {
                try reopen()
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            // A table has changed under a statement: the connection has forgotten that one.
            if case .server(let refusal, _) = error, refusal.isStaleStatement, isInAutocommit {
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            throw failure(error)
        }
    }

    private func answer(_ prepared: Prepared, _ values: [PostgresValue]) throws(PostgresError) -> PostgresAnswer {
        try connection.ask(prepared.statement, values)
        let answers = try connection.trip(until: end)
        guard let answer = answers.first else { throw .connectionLost(.closed) }
        if prepared.isChange {
            changeCount = answer.count
            totalChangeCount += Int64(clamping: answer.count)
        }
        return answer
    }

    private func prepared(_ question: Question, isKept: Bool) -> Prepared {
        if let known = statements[question] { return known }
        let text = question.sql.serverText
        let made = Prepared(
            statement: PostgresStatement(text, question.types, isKept: isKept),
            isChange: ["INSERT", "UPDATE", "DELETE"].contains { text.utf8.starts(with: $0.utf8) },
            isRepeatable: ["SELECT", "BEGIN"].contains { text.utf8.starts(with: $0.utf8) })
        guard isKept else { return made }
        if statements.count >= StoreLimits.statementsMax { statements = [:] }
        statements[question] = made
        return made
    }

    /// When a trip has to be over: no statement waits for ever, and no commit does.
    private var end: MonotonicTime {
        var milliseconds = StoreLimits.tripMilliseconds
        if deadline.milliseconds != .max {
            let left = max(0, deadline.milliseconds) - Timestamp.monotonicMilliseconds
            milliseconds = min(milliseconds, max(0, left))
        }
        return MonotonicTime.now.advanced(byMilliseconds: Int(clamping: milliseconds))
    }

    private func failing<Answer>(_ body: () throws(PostgresError) -> Answer) throws(StoreError) -> Answer {
        let wasIdle = isInAutocommit
        do throws(PostgresError) { return try body() } catch {
            noteEnd(wasIdle: wasIdle)
            throw failure(error)
        }
    }

    private func failure(_ error: PostgresError) -> StoreError {
        // The deadline notes that it has ended something.
        if case .deadline = error { deadline.noteInterruption() } else { _ = deadline.isOver() }
        // Behind a statement that was ended, a transaction takes no other one.
        if deadline.hasInterrupted, error.isServer(code: "25P02") {
            return StoreError(.interrupted, "database \(host): a statement of the same change took too long")
        }
        return StoreError(error, at: host)
    }
}

extension StoredValue {
    /// The type that a parameter with this value has. The server finds out that of a NULL.
    fileprivate var serverType: PostgresType {
        switch self {
        case .null: .inferred
        case .integer: .int8
        case .real: .float8
        case .text, .utf8: .text
        case .blob: .bytea
        }
    }

    fileprivate var serverValue: PostgresValue {
        switch self {
        case .null: .null
        case .integer(let integer): .int8(integer)
        case .real(let real): .float8(real)
        case .text(let text): .text(text)
        case .utf8(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .bytea(bytes)
        }
    }
}
