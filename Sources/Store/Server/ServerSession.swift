import JSON
import Network
import Postgres

/// A connection to PostgreSQL, as `Connection` asks it: one statement a trip, whose rows are all there before the first is looked at.
///
///     BEGIN ─┐                SAVEPOINT ─┐              RELEASE, UPDATE ─┐
///            └─▶ SELECT … ──▶ trip       └─▶ INSERT ──▶ trip             └─▶ COMMIT ──▶ trip
///
/// A statement that begins a transaction, or begins or ends a part of one, has no answer that anybody needs at once. It goes out ahead of the next
/// statement, in the same trip. A transaction of which nothing has gone out is none, whatever its end.
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

    /// A statement that waits for the next trip.
    private struct Waiting {
        let statement: PostgresStatement
        let values: [PostgresValue]
        let control: Control?
    }

    /// A statement that changes where a transaction stands.
    private enum Control {
        case begin, savepoint, release, commit, rollback

        init?(_ sql: SQLText) {
            let text = sql.text.utf8
            func has(_ word: String) -> Bool { text.starts(with: word.utf8) }
            if has("BEGIN") {
                self = .begin
            } else if has("SAVEPOINT") {
                self = .savepoint
            } else if has("RELEASE") {
                self = .release
            } else if has("COMMIT") {
                self = .commit
            } else if text.elementsEqual("ROLLBACK".utf8) {
                self = .rollback
            } else {
                return nil
            }
        }
    }

    private var connection: PostgresConnection
    private let deadline: Deadline
    /// The place where another connection is made when this one has ended.
    private let place: ServerPlace?
    private let mode: Connection.Mode
    /// True if the connection has ended within a transaction: until that is rolled back, no statement may go out on another one.
    private(set) var isLost = false
    private var statements: [Question: Prepared] = [:]
    /// The statements that go out with the next trip, and whether no transaction is open behind them: nil where none of them begins or ends one.
    private var ahead: [Waiting] = []
    private var isIdleBehindAhead: Bool?
    /// True if a trip failed that had a savepoint or the end of one in it, and perhaps before it came to that: whoever goes back to the
    /// savepoint would go back to the one before.
    private(set) var hasLostSavepoint = false
    /// The settings of this session, by their names.
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

    var isInAutocommit: Bool {
        !isLost && (isIdleBehindAhead ?? (connection.isClosed || connection.status == .idle))
    }

    var isSpoilt: Bool { isLost || connection.status == .failed }

    /// Where the server is, for errors.
    var host: String { connection.host.description }

    /// Makes another connection where this one has ended.
    private func reopen() throws(StoreError) {
        guard connection.isClosed, !isLost, let place else { return }
        connection = try place.connect(mode)
        statements = [:]
        // A transaction of the connection before has ended with it.
        ahead.removeAll { $0.control == .commit }
        for (name, value) in settings { try apply(name.string, value) }
    }

    /// Sets something for as long as the session lasts, and for each one in its place.
    func set(_ name: String, to value: String) throws(StoreError) {
        _ = try answer(Self.setting, [.text(name), .text(value)], isKept: false)
        settings[ByteText(name)] = value
    }

    private func apply(_ name: String, _ value: String) throws(StoreError) {
        try failing { () throws(PostgresError) in
            try connection.ask(
                PostgresStatement(Self.setting.serverText, [.text, .text], isKept: false), [.text(name), .text(value)])
            _ = try connection.trip(until: end)
        }
    }

    private static let setting = SQLText("SELECT pg_catalog.set_config(?, ?, false)")

    /// Ends a transaction whose connection is gone. False where this is not what the statement asks for, or there is none.
    private func rollsBackLost(_ sql: SQLText) -> Bool {
        guard isLost, sql.text.utf8.elementsEqual("ROLLBACK".utf8) else { return false }
        isLost = false
        hasLostSavepoint = false
        forgetAhead()
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
        if try waits(sql) { return }
        _ = try answer(sql, [], isKept: false)
    }

    // MARK: What goes ahead

    /// Has a statement go out with the next trip. What it fails with, that one fails with.
    func runAhead(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) {
        try demandUnlost()
        wait(sql, values, control: Control(sql))
    }

    private func wait(_ sql: SQLText, _ values: [StoredValue], control: Control?) {
        let prepared = prepared(Question(sql: sql, types: values.map(\.serverType)), isKept: true)
        ahead.append(Waiting(statement: prepared.statement, values: values.map(\.serverValue), control: control))
        switch control {
        case .begin:
            isIdleBehindAhead = false
            hasLostSavepoint = false
        case .commit, .rollback: isIdleBehindAhead = true
        case .savepoint, .release, nil: break
        }
    }

    /// Has what begins or ends a part of a transaction wait for the next statement, and forgets a transaction of which nothing has gone out.
    /// False for a statement that goes out now.
    private func waits(_ sql: SQLText) throws(StoreError) -> Bool {
        guard let control = Control(sql) else { return false }
        try demandUnlost()
        switch control {
        case .begin, .savepoint, .release:
            wait(sql, [], control: control)
            return true
        case .commit, .rollback:
            if control == .rollback { hasLostSavepoint = false }
            guard let begin = ahead.lastIndex(where: { $0.control == .begin }),
                control == .rollback || ahead[begin...].allSatisfy({ $0.control != nil })
            else { return false }
            ahead.removeSubrange(begin...)
            isIdleBehindAhead = ahead.isEmpty ? nil : true
            return true
        }
    }

    /// Sends what waits by itself.
    func sendAhead() throws(StoreError) {
        guard !ahead.isEmpty, !connection.isClosed else { return forgetAhead() }
        try failing { () throws(PostgresError) in
            try askAhead()
            _ = try tripWithAhead()
        }
    }

    /// Sends what has been asked, with what goes ahead of it. Whatever comes of the trip, that has been asked then.
    private func tripWithAhead() throws(PostgresError) -> PostgresAnswer? {
        let place = ahead.lastIndex { $0.control == .savepoint || $0.control == .release }
        forgetAhead()
        do throws(PostgresError) { return try trip() } catch {
            guard let place else { throw error }
            if case .server(_, let question?) = error, question > place { throw error }
            hasLostSavepoint = true
            throw error
        }
    }

    /// Sends what has been asked, and gives the last answer.
    private func trip() throws(PostgresError) -> PostgresAnswer? {
        let answer = try connection.trip(until: end).last
        // The server had done all of it when it was asked to stop. The connection is closed for that, and a transaction has ended with it.
        guard !connection.isClosed else { throw .deadline(isClosed: true) }
        return answer
    }

    private func forgetAhead() {
        ahead = []
        isIdleBehindAhead = nil
    }

    /// Notes the questions that go ahead.
    private func askAhead() throws(PostgresError) {
        for waiting in ahead { try connection.ask(waiting.statement, waiting.values) }
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
        if values.isEmpty {
            do throws(StoreError) { if try waits(sql) { return } } catch { throw Failure(error) }
        }
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
        walkDepth += 1
        let (sent, isIdleBehind) = (ahead, isIdleBehindAhead)
        do throws(PostgresError) {
            return (cursor, try declare(cursor, sql, values))
        } catch {
            // Questions from before the error would go out with the next statement.
            connection.forgetQuestions()
            do throws(StoreError) {
                guard mayRepeat(after: error, sent, wasIdle: cursor.ownsTransaction) else {
                    noteEnd(wasIdle: cursor.ownsTransaction)
                    throw failure(error)
                }
                (ahead, isIdleBehindAhead, hasLostSavepoint) = (sent, isIdleBehind, false)
                try reopen()
                return (cursor, try failing { () throws(PostgresError) in try declare(cursor, sql, values) })
            } catch {
                close(cursor)
                throw error
            }
        }
    }

    private func declare(
        _ cursor: ServerCursor, _ sql: SQLText, _ values: [StoredValue]
    ) throws(PostgresError) -> PostgresAnswer {
        let declaration = PostgresStatement(
            "DECLARE \(cursor.name) NO SCROLL CURSOR FOR \(sql.serverText)", values.map(\.serverType), isKept: false)
        let end = end
        // What goes ahead is still to come then.
        guard end > .now else { throw .deadline(isClosed: false) }
        try askAhead()
        if cursor.ownsTransaction { try connection.ask(Self.begin) }
        try connection.ask(declaration, values.map(\.serverValue))
        try connection.ask(Self.fetching(from: cursor))
        guard let rows = try tripWithAhead() else { throw .connectionLost(.closed) }
        return rows
    }

    /// Returns whether questions may go out again on another connection: nothing was changed by them, nor by what went ahead of them in the
    /// same transaction. Servers close connections that were idle for long.
    private func mayRepeat(after error: PostgresError, _ sent: [Waiting], wasIdle: Bool) -> Bool {
        guard case .connectionLost = error, connection.isClosed, place != nil else { return false }
        return (wasIdle || sent.contains { $0.control == .begin }) && sent.allSatisfy { $0.control != nil }
    }

    /// The next rows of a cursor.
    func rows(of cursor: ServerCursor) throws(StoreError) -> PostgresAnswer {
        try failing { () throws(PostgresError) in
            try connection.ask(Self.fetching(from: cursor))
            guard let rows = try trip() else { throw .connectionLost(.closed) }
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
        let (sent, isIdleBehind) = (ahead, isIdleBehindAhead)
        do throws(PostgresError) {
            return try answer(prepared, values)
        } catch {
            if prepared.isRepeatable, mayRepeat(after: error, sent, wasIdle: wasIdle) {
                (ahead, isIdleBehindAhead, hasLostSavepoint) = (sent, isIdleBehind, false)
                try reopen()
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            noteEnd(wasIdle: wasIdle)
            // A table has changed under a statement: the connection has forgotten that one.
            if case .server(let refusal, _) = error, refusal.isStaleStatement, isInAutocommit {
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            throw failure(error)
        }
    }

    private func answer(_ prepared: Prepared, _ values: [PostgresValue]) throws(PostgresError) -> PostgresAnswer {
        let end = end
        // What goes ahead is still to come then.
        guard end > .now else { throw .deadline(isClosed: false) }
        do throws(PostgresError) {
            try askAhead()
            try connection.ask(prepared.statement, values)
        } catch {
            connection.forgetQuestions()
            throw error
        }
        guard let answer = try tripWithAhead() else { throw .connectionLost(.closed) }
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
