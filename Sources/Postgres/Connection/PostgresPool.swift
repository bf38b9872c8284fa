import Network
import Threads

/// A bounded number of connections that threads take in turn. A thread that finds none waits, until its deadline at the latest.
///
/// A connection that is closed, or in the middle of a transaction, leaves the pool when it is given back. After a failed attempt
/// to connect there is a pause, which doubles up to a limit; a refusal, such as a wrong password, is answered without a new attempt
/// until the pause is over.
///
/// Unchecked: everything that changes is read and written with the lock held.
package final class PostgresPool: @unchecked Sendable {
    private struct Idle {
        let connection: PostgresConnection
        let end: MonotonicTime
    }

    package let connectionsMax: Int
    private let connector: PostgresConnector
    private let limits: PostgresLimits
    private let lock = ThreadLock()
    private let hasChanged: ThreadCondition

    private var idle: [Idle] = []
    /// Those that are in use, idle or being made.
    private var open = 0
    private var waiting = 0
    private var isClosed = false
    private var failure: PostgresError?
    private var nextAttempt = MonotonicTime(nanoseconds: 0)
    private var pauseMilliseconds = 0

    package init(_ connector: PostgresConnector, connectionsMax: Int) {
        self.connector = connector
        self.connectionsMax = max(1, connectionsMax)
        limits = connector.limits
        hasChanged = ThreadCondition(of: lock)
    }

    deinit { for entry in idle { entry.connection.close() } }

    /// How many connections there are, idle ones among them.
    package var openCount: Int { lock.withLock { open } }

    /// How many threads wait for one.
    package var waitingCount: Int { lock.withLock { waiting } }

    /// A connection, for as long as the lease lives.
    package func take(until deadline: MonotonicTime) throws(PostgresError) -> PostgresLease {
        lock.lock()
        defer { lock.unlock() }
        var isWaiting = false
        defer { if isWaiting { waiting -= 1 } }
        while true {
            guard !isClosed else { throw .pool(.closed) }
            if let connection = takeIdle() { return PostgresLease(connection, of: self) }
            let now = MonotonicTime.now
            let isPaused = now < nextAttempt
            if isPaused, let failure, case .refused = failure { throw failure }
            if open < connectionsMax, !isPaused, now < deadline {
                open += 1
                if let connection = try make(until: deadline) { return PostgresLease(connection, of: self) }
                continue
            }
            guard now < deadline else { throw reasonOfWait() }
            if !isWaiting {
                guard waiting < limits.poolWaiting else { throw .pool(.tooManyWaiting(limit: limits.poolWaiting)) }
                waiting += 1
                isWaiting = true
            }
            wait(until: isPaused && open < connectionsMax ? min(deadline, nextAttempt) : deadline)
        }
    }

    /// Called by a lease that ends.
    fileprivate func give(_ connection: PostgresConnection) {
        connection.forgetQuestions()
        let isUsable = !connection.isClosed && connection.status == .idle
        lock.lock()
        let isKept = isUsable && !isClosed
        if isKept {
            let end = MonotonicTime.now.advanced(byMilliseconds: limits.idleMilliseconds)
            idle.append(Idle(connection: connection, end: end))
        } else {
            open -= 1
        }
        hasChanged.signal()
        lock.unlock()
        if !isKept { connection.close() }
    }

    /// Closes the idle connections; those in use are closed when they are given back. Nobody gets one any more.
    package func close() {
        lock.lock()
        isClosed = true
        let idle = idle
        self.idle = []
        open -= idle.count
        hasChanged.broadcast()
        lock.unlock()
        for entry in idle { entry.connection.close() }
    }

    /// Throws where the server, the database or the role has fewer connections than the pool.
    package func checkServerHasRoom(until deadline: MonotonicTime) throws(PostgresError) {
        let lease = try take(until: deadline)
        try lease.connection.ask(Self.roomQuestion)
        let answers = try lease.connection.trip(until: deadline)
        guard let answer = answers.first, answer.rowCount == 1, let room = try? answer[0].integer(0) else { return }
        guard Int64(connectionsMax) <= room else {
            throw .pool(.largerThanServer(connections: connectionsMax, available: Int(clamping: room)))
        }
    }

    private static let roomQuestion = PostgresStatement(
        """
        SELECT LEAST(
            pg_catalog.current_setting('max_connections')::int8
                - pg_catalog.current_setting('superuser_reserved_connections')::int8,
            (SELECT NULLIF(rolconnlimit, -1)::int8 FROM pg_catalog.pg_roles WHERE rolname = current_user),
            (SELECT NULLIF(datconnlimit, -1)::int8 FROM pg_catalog.pg_database
                WHERE datname = pg_catalog.current_database()))
        """, isKept: false)

    // MARK: With the lock held

    /// The idle connection that was used last, if it is of use.
    private func takeIdle() -> PostgresConnection? {
        let now = MonotonicTime.now
        while let first = idle.first, first.end < now {
            idle.removeFirst()
            drop(first.connection)
        }
        while let entry = idle.popLast() {
            // A server says nothing to an idle connection but that it ends.
            if !entry.connection.isClosed, !entry.connection.hasInput { return entry.connection }
            drop(entry.connection)
        }
        return nil
    }

    private func drop(_ connection: PostgresConnection) {
        open -= 1
        // It sends a goodbye and waits for nothing.
        connection.close()
    }

    /// Makes a connection, without the lock meanwhile; nil when another attempt may succeed. Its place has been taken.
    private func make(until deadline: MonotonicTime) throws(PostgresError) -> PostgresConnection? {
        lock.unlock()
        let outcome: Result<PostgresConnection, PostgresError>
        do throws(PostgresError) {
            outcome = .success(try connector.connect(until: deadline))
        } catch {
            outcome = .failure(error)
        }
        lock.lock()
        switch outcome {
        case .success(let connection):
            failure = nil
            pauseMilliseconds = 0
            nextAttempt = MonotonicTime(nanoseconds: 0)
            return connection
        case .failure(let error):
            open -= 1
            failure = error
            pauseMilliseconds =
                pauseMilliseconds == 0
                ? limits.backOffMilliseconds : min(pauseMilliseconds * 2, limits.backOffMillisecondsMax)
            nextAttempt = MonotonicTime.now.advanced(byMilliseconds: pauseMilliseconds)
            // Others that wait may wait for this place.
            hasChanged.broadcast()
            if case .refused = error { throw error }
            return nil
        }
    }

    private func reasonOfWait() -> PostgresError {
        guard let failure else { return .pool(.busy(connections: connectionsMax)) }
        if case .unavailable(_, .server(let error)) = failure, error.has(code: "53300") {
            return .pool(.serverFull(error))
        }
        return failure
    }

    private func wait(until end: MonotonicTime) {
        let left = end.nanoseconds(since: .now)
        _ = hasChanged.wait(until: ThreadDeadline(inMilliseconds: Int(min(left / 1_000_000, 60_000)) + 1))
    }
}

/// A connection of a pool, which gets it back with the end of the lease.
package struct PostgresLease: ~Copyable {
    package let connection: PostgresConnection
    private let pool: PostgresPool

    fileprivate init(_ connection: PostgresConnection, of pool: PostgresPool) {
        self.connection = connection
        self.pool = pool
    }

    deinit { pool.give(connection) }
}
