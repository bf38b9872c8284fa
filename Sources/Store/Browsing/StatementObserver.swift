import CSQLite
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a connection has done for somebody who wants to know: each statement with how often it ran, its rows and its time.
///
/// SQLite tells it, for as long as a connection is asked to (`observed`). A connection that nobody observes knows nothing of it.
package final class StatementObserver: Sendable {
    /// A statement, with all its runs together.
    package struct Observed: Sendable {
        package let sql: String
        package var count = 0
        package var rows = 0
        package var nanoseconds: UInt64 = 0
    }

    private struct State {
        var statements: [Observed] = []
        /// Rows that a statement has given and that are not yet counted: its run goes on.
        var open: [UInt: Int] = [:]
        var rowsWritten = 0
        var groupSize = 0
    }

    /// More than so many different statements are counted with the last of them.
    package static let statementsMax = 100
    private static let textBytesMax = 8 << 10

    private let state = Mutex(State())

    package init() {}

    package var statements: [Observed] { state.withLock { $0.statements } }
    package var rowsWritten: Int { state.withLock { $0.rowsWritten } }
    /// How many mutations were in the transaction.
    package var groupSize: Int { state.withLock { $0.groupSize } }

    /// Forgets what ran: it was given up, and runs again from its beginning.
    package func forget() { state.withLock { $0 = State() } }

    fileprivate func gaveRow(_ statement: OpaquePointer) {
        state.withLock { $0.open[UInt(bitPattern: statement), default: 0] += 1 }
    }

    fileprivate func ended(_ statement: OpaquePointer, nanoseconds: Int64) {
        guard let text = sqlite3_sql(statement) else { return }
        let bytes = UnsafeBufferPointer(start: text, count: strnlen(text, Self.textBytesMax))
        let sql = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        state.withLock { state in
            let rows = state.open.removeValue(forKey: UInt(bitPattern: statement)) ?? 0
            var place = state.statements.firstIndex { $0.sql.utf8.elementsEqual(sql.utf8) }
            if place == nil {
                if state.statements.count < Self.statementsMax { state.statements.append(Observed(sql: sql)) }
                place = state.statements.indices.last
            }
            guard let place else { return }
            state.statements[place].count += 1
            state.statements[place].rows += rows
            state.statements[place].nanoseconds += UInt64(max(0, nanoseconds))
        }
    }

    fileprivate func wrote(_ rows: Int64, groupSize: Int) {
        state.withLock { state in
            state.rowsWritten += Int(clamping: rows)
            state.groupSize = max(state.groupSize, groupSize)
        }
    }
}

extension Connection {
    /// Has an observer told of the statements of a body.
    func observed<Answer, Failure: Error>(
        by observer: StatementObserver, _ body: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        guard let handle else { return try body() }
        let mask = UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        sqlite3_trace_v2(
            handle, mask,
            { kind, context, statement, detail in
                guard let context, let statement else { return 0 }
                let observer = Unmanaged<StatementObserver>.fromOpaque(context).takeUnretainedValue()
                let place = OpaquePointer(statement)
                if kind == UInt32(SQLITE_TRACE_ROW) {
                    observer.gaveRow(place)
                } else if let nanoseconds = detail?.assumingMemoryBound(to: Int64.self).pointee {
                    observer.ended(place, nanoseconds: nanoseconds)
                }
                return 0
            }, Unmanaged.passUnretained(observer).toOpaque())
        defer { sqlite3_trace_v2(handle, 0, nil, nil) }
        return try body()
    }
}

extension Reader {
    /// Has an observer told of the statements of a body; nil: nobody is.
    package func observed<Answer, Failure: Error>(
        by observer: StatementObserver?, _ body: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        guard let observer else { return try body() }
        return try connection.observed(by: observer, body)
    }
}

extension WriteSession {
    /// Has an observer told of the statements of a body, and of the rows that they change; nil: nobody is.
    package func observed<Answer, Failure: Error>(
        by observer: StatementObserver?, _ body: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        guard let observer else { return try body() }
        let before = connection.totalChangeCount
        defer { observer.wrote(connection.totalChangeCount - before, groupSize: groupSize) }
        return try connection.observed(by: observer, body)
    }
}
