import CSQLite
import JSON

/// A statement of a person over the models' tables: it reads them, and can do nothing else.
///
/// This is the one place where a text from outside becomes SQL. So it runs on a connection of its own that cannot write, behind
/// an authorizer that SQLite asks about everything a statement does while it is prepared: it lets through the reading of columns of
/// those tables, and functions of a list. What else the file has is no table to it.
package final class SQLView {
    /// What a statement gave.
    package struct Outcome: Sendable {
        package var columns: [String] = []
        package var rows: [[StoredValue]] = []
        /// True if there are more rows than were taken.
        package var isTruncated = false
        /// How SQLite finds the rows.
        package var plan: [String] = []
    }

    /// Why there is nothing, in SQLite's words.
    package struct Failure: Error, Sendable {
        package let message: String
        /// Where in the text, in bytes; nil where it is not at one place.
        package let offset: Int?
        package let isTimeOver: Bool
    }

    /// The bounds of a run.
    package struct Bounds: Sendable {
        package let rowsMax: Int
        package let bytesMax: Int
        package let milliseconds: Int64

        package init(rowsMax: Int, bytesMax: Int, milliseconds: Int64) {
            (self.rowsMax, self.bytesMax, self.milliseconds) = (rowsMax, bytesMax, milliseconds)
        }
    }

    private let connection: Connection
    private let gate: SQLGate

    package init(path: String, _ layout: DatabaseLayout) throws(StoreError) {
        let connection = try Connection.open(path: path, mode: .reader, statementsMax: 1)
        var all: [String] = []
        try connection.query(SQLText("SELECT name FROM sqlite_schema")) { row throws(StoreError) in
            all.append(row.text(0))
            return true
        }
        gate = SQLGate(tables: layout.tables.map(\.name), others: all)
        self.connection = connection
        // A sort that does not fit in memory goes into a file: nobody can end it, but it takes no memory.
        try self.connection.execute("PRAGMA temp_store = 1")
        // What is read like a table is made once for a connection, which no statement of a person may do.
        try self.connection.query(SQLText("SELECT 1 FROM json_each('[]'), json_tree('[]')")) { _ throws(StoreError) in
            true
        }
        try ViewFunctions.register(on: self.connection)
        for (limit, value) in Self.limits { sqlite3_limit(self.connection.handle, limit, value) }
        // Last: what stands before is no person's.
        sqlite3_set_authorizer(
            self.connection.handle,
            { context, action, first, second, database, _ in
                guard let context else { return SQLITE_DENY }
                let gate = Unmanaged<SQLGate>.fromOpaque(context).takeUnretainedValue()
                return gate.allows(action, first, second, database) ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(gate).toOpaque())
    }

    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 4 << 20), (SQLITE_LIMIT_SQL_LENGTH, 200_000), (SQLITE_LIMIT_COLUMN, 500),
        (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VDBE_OP, 250_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 50), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Runs one statement.
    package func run(_ sql: String, _ parameters: [StoredValue], _ bounds: Bounds) throws(Failure) -> Outcome {
        connection.deadline.milliseconds = Timestamp.monotonicMilliseconds + bounds.milliseconds
        defer { connection.deadline.milliseconds = .max }
        let outer = connection.deadline.beginStatement()
        defer { connection.deadline.endStatement(outer) }
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        var outcome = Outcome()
        try bind(parameters, to: statement)
        let columns = sqlite3_column_count(statement)
        outcome.columns = (0..<columns).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
        var bytes = 0
        let row = Row(statement)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_DONE: break
            case SQLITE_ROW:
                guard outcome.rows.count < bounds.rowsMax, bytes < bounds.bytesMax else {
                    outcome.isTruncated = true
                    break
                }
                let values = (0..<Int(columns)).map { row.value($0) }
                bytes += values.reduce(16) { $0 + $1.byteCount }
                outcome.rows.append(values)
                continue
            default: throw failure()
            }
            break
        }
        if sqlite3_stmt_isexplain(statement) == 0 { outcome.plan = (try? plan(of: sql)) ?? [] }
        return outcome
    }

    /// How SQLite would find the rows of a statement.
    private func plan(of sql: String) throws(Failure) -> [String] {
        let statement = try prepare("EXPLAIN QUERY PLAN \(sql)")
        defer { sqlite3_finalize(statement) }
        var lines: [String] = []
        while lines.count < 100, sqlite3_step(statement) == SQLITE_ROW { lines.append(Row(statement).text(3)) }
        return lines
    }

    private func prepare(_ sql: String) throws(Failure) -> OpaquePointer {
        var statement: OpaquePointer?
        var text = sql
        let (code, rest) = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes -> (Int32, Bool) in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection.handle, bytes.baseAddress, Int32(clamping: bytes.count), 0, &statement, &tail)
                guard let tail, let start = bytes.baseAddress else { return (code, false) }
                let rest = bytes[(tail - start)...]
                // Blanks and semicolons may follow.
                return (code, rest.contains { !" \t\r\n;".utf8.contains(UInt8(bitPattern: $0)) })
            }
        }
        guard code == SQLITE_OK else { throw failure() }
        guard let statement else { throw Failure(message: "There is no statement.", offset: nil, isTimeOver: false) }
        guard !rest else {
            sqlite3_finalize(statement)
            throw Failure(message: "One statement at a time.", offset: nil, isTimeOver: false)
        }
        guard sqlite3_stmt_readonly(statement) != 0 else {
            sqlite3_finalize(statement)
            throw Failure(message: "The view only reads.", offset: nil, isTimeOver: false)
        }
        return statement
    }

    private func bind(_ parameters: [StoredValue], to statement: OpaquePointer) throws(Failure) {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count == parameters.count else {
            throw Failure(
                message: "The statement has \(count) parameters, \(parameters.count) were given.", offset: nil,
                isTimeOver: false)
        }
        for (index, value) in parameters.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, place)
                case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
                case .real(let real): sqlite3_bind_double(statement, place, real)
                case .text(let text):
                    homeport_sqlite_bind_text(statement, place, text, UInt64(text.utf8.count))
                case .utf8, .blob: SQLITE_MISMATCH
                }
            guard code == SQLITE_OK else { throw failure() }
        }
    }

    private func failure() -> Failure {
        let offset = sqlite3_error_offset(connection.handle)
        if connection.deadline.hasInterrupted {
            return Failure(message: "It took too long, and was ended.", offset: nil, isTimeOver: true)
        }
        let message = sqlite3_errmsg(connection.handle).map { String(cString: $0) } ?? "SQLite refuses it"
        return Failure(message: message, offset: offset < 0 ? nil : Int(offset), isTimeOver: false)
    }
}
