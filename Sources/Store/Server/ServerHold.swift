import Network
import Postgres
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The hold of one process on a database on a server: subscribers of a second process would not hear of what the first one changes.
///
/// It is an advisory lock in a session of its own, which ends with the process, however that ends. A thread asks that session every
/// second, so it is also known whether the database answers. A session that has ended is made anew, and takes the lock again.
///
/// Unchecked: everything but the session is read and written with the lock held; the session belongs to the thread.
package final class ServerHold: @unchecked Sendable {
    /// Called when the database stops to answer, and when it answers again. From the thread.
    package typealias Report = @Sendable (_ obstacle: String?) -> Void

    private let place: ServerPlace
    /// True if other nodes may hold the database too.
    private let isShared: Bool
    private let lock = ThreadLock()
    private let hasChanged: ThreadCondition
    private var session: PostgresConnection
    private var trouble: String?
    private var isEnding = false
    private var isWatching = false
    /// Since when another process has the lock that was ours.
    private var takenSince: MonotonicTime?

    private init(_ place: ServerPlace, _ session: PostgresConnection, isShared: Bool = false) {
        self.place = place
        self.isShared = isShared
        self.session = session
        hasChanged = ThreadCondition(of: lock)
    }

    deinit { session.close() }

    /// Takes hold of a database. Throws `.locked` where another process has it.
    ///
    /// - Parameter isShared: whether this is one of several nodes: it keeps away only a process that wants the database for itself. One node at
    ///   a time opens the database, from here until `endOpening`; the others wait here.
    package static func take(_ place: ServerPlace, isShared: Bool = false) throws(StoreError) -> ServerHold {
        let session = try lockedSession(
            of: place, isShared: isShared, isOpening: isShared, milliseconds: StoreLimits.tripMilliseconds)
        let count = StoreLimits.serverConnections + (isShared ? StoreLimits.nodeConnections : 0)
        do throws(StoreError) { try demandConnections(count, session, place) } catch {
            session.close()
            throw error
        }
        return ServerHold(place, session, isShared: isShared)
    }

    /// Returns whether no other node serves the database. Asked by a node that opens it, before `watch`.
    package func isAlone() throws(StoreError) -> Bool {
        do throws(PostgresError) {
            try session.ask(Self.trying)
            let answer = try session.trip(until: Self.end(in: StoreLimits.tripMilliseconds))
            guard (try? answer.first?[0].integer(0)) == 1 else { return false }
            // Others may come as soon as the opening has ended.
            try session.ask(Self.unlocking)
            _ = try session.trip(until: Self.end(in: StoreLimits.tripMilliseconds))
            return true
        } catch {
            throw StoreError(error, at: place.description)
        }
    }

    /// Lets the next node open the database.
    package func endOpening() throws(StoreError) {
        do throws(PostgresError) {
            try session.ask(Self.openingUnlock)
            _ = try session.trip(until: Self.end(in: StoreLimits.tripMilliseconds))
        } catch {
            throw StoreError(error, at: place.description)
        }
    }

    /// Refuses a server that would run out of connections under load.
    private static func demandConnections(
        _ needed: Int, _ session: PostgresConnection, _ place: ServerPlace
    ) throws(StoreError) {
        let answer: PostgresAnswer?
        do throws(PostgresError) {
            try session.ask(connectionCount)
            answer = try session.trip(until: end(in: StoreLimits.tripMilliseconds)).first
        } catch { throw StoreError(error, at: place.description) }
        guard let count = try? answer?[0].integer(0), count < needed else { return }
        throw StoreError(
            .cannotOpen,
            "database \(place): the server allows \(count) connections to this role, and Homeport opens up to "
                + "\(needed). Raise max_connections, or the limit of the role or of the database"
        )
    }

    /// Takes hold of a database for a command; nil where another process has it, which is not waited for.
    package static func takeIfFree(_ place: ServerPlace) throws(StoreError) -> ServerHold? {
        let session = try place.connect(ServerPlace.keepAlive, milliseconds: StoreLimits.tripMilliseconds)
        do throws(PostgresError) {
            try session.ask(trying)
            let answer = try session.trip(until: end(in: StoreLimits.tripMilliseconds))
            guard (try? answer.first?[0].integer(0)) == 1 else {
                session.close()
                return nil
            }
            return ServerHold(place, session)
        } catch {
            session.close()
            throw StoreError(error, at: place.description)
        }
    }

    /// Why requests cannot be served; nil: the database answers, and this process holds it.
    package var obstacle: String? { lock.withLock { trouble } }

    /// Begins to watch the database.
    ///
    /// - Parameter onLoss: is called once, from the thread, when another process has held the database for long.
    package func watch(_ report: @escaping Report, onLoss: @escaping @Sendable (StoreError) -> Void) throws(StoreError)
    {
        let watch = Watch(hold: self, report: report, onLoss: onLoss)
        lock.withLock { isWatching = true }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(watch)
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Watch>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            lock.withLock { isWatching = false }
            throw StoreError(.unexpected, "the thread that watches the database cannot start")
        }
        pthread_detach(thread)
    }

    /// Lets go of the database, and waits for that.
    package func end() {
        lock.withLock {
            isEnding = true
            hasChanged.broadcast()
            while isWatching { hasChanged.wait() }
        }
        session.close()
    }

    // MARK: On the thread

    private final class Watch: Sendable {
        private let hold: ServerHold
        private let report: Report
        private let onLoss: @Sendable (StoreError) -> Void

        init(hold: ServerHold, report: @escaping Report, onLoss: @escaping @Sendable (StoreError) -> Void) {
            (self.hold, self.report, self.onLoss) = (hold, report, onLoss)
        }

        func run() {
            var isLost = false
            while hold.waits() {
                let failure = hold.look()
                if hold.note(failure) { report(failure?.message) }
                if let failure, !isLost, hold.isLost(after: failure) {
                    isLost = true
                    onLoss(failure)
                }
            }
            hold.endWatch()
        }
    }

    /// Waits for the next look; false when there is none.
    private func waits() -> Bool {
        let end = ThreadDeadline(inMilliseconds: StoreLimits.holdLookMilliseconds)
        return lock.withLock {
            while !isEnding, hasChanged.wait(until: end) {}
            return !isEnding
        }
    }

    private func endWatch() {
        lock.withLock {
            isWatching = false
            hasChanged.broadcast()
        }
    }

    /// Asks the database; nil: it answers, and the lock is held.
    private func look() -> StoreError? {
        do throws(StoreError) {
            guard !session.isClosed else {
                session = try Self.lockedSession(
                    of: place, isShared: isShared, milliseconds: StoreLimits.holdAnswerMilliseconds)
                return nil
            }
            do throws(PostgresError) {
                try session.ask(Self.question)
                _ = try session.trip(until: Self.end(in: StoreLimits.holdAnswerMilliseconds))
                return nil
            } catch {
                // A session that is in doubt keeps no lock of which this process could be sure.
                session.close()
                return StoreError(error, at: place.description)
            }
        } catch {
            return error
        }
    }

    /// Keeps the outcome of a look; true if it is another one than before.
    private func note(_ failure: StoreError?) -> Bool {
        lock.withLock {
            let before = trouble
            trouble = failure?.message
            switch (before, failure) {
            case (.none, .some), (.some, .none): return true
            default: return false
            }
        }
    }

    private func isLost(after failure: StoreError) -> Bool {
        guard failure.kind == .locked else {
            takenSince = nil
            return false
        }
        let since = takenSince ?? .now
        takenSince = since
        return MonotonicTime.now.nanoseconds(since: since) >= UInt64(StoreLimits.holdLossMilliseconds) * 1_000_000
    }

    // MARK: The session

    private static let question = PostgresStatement("SELECT 1")
    private static let connectionCount = PostgresStatement(
        """
        SELECT least(
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
            (SELECT nullif(rolconnlimit, -1) FROM pg_catalog.pg_roles WHERE rolname = current_user),
            (SELECT nullif(datconnlimit, -1) FROM pg_catalog.pg_database WHERE datname = current_database()))
        """, isKept: false)
    /// One lock a schema. The first number is Homeport's, for ever.
    private static let key = "1214267504, pg_catalog.hashtext(coalesce(current_schema()::text, ''))"
    private static let locking = PostgresStatement("SELECT pg_catalog.pg_advisory_lock(\(key))", isKept: false)
    private static let trying = PostgresStatement(
        "SELECT CAST(pg_catalog.pg_try_advisory_lock(\(key)) AS int)", isKept: false)
    private static let unlocking = PostgresStatement("SELECT pg_catalog.pg_advisory_unlock(\(key))", isKept: false)
    private static let sharedLocking = PostgresStatement(
        "SELECT pg_catalog.pg_advisory_lock_shared(\(key))", isKept: false)
    /// The lock of whoever opens the database, as one of several nodes.
    private static let openingKey = "1214267505, pg_catalog.hashtext(coalesce(current_schema()::text, ''))"
    private static let openingLock = PostgresStatement(
        "SELECT pg_catalog.set_config('lock_timeout', '\(StoreLimits.openingWaitMilliseconds)', false), "
            + "pg_catalog.pg_advisory_lock(\(openingKey))", isKept: false)
    private static let usualWait = PostgresStatement(
        "SELECT pg_catalog.set_config('lock_timeout', '\(StoreLimits.holdWaitMilliseconds)', false)", isKept: false)
    private static let openingUnlock = PostgresStatement(
        "SELECT pg_catalog.pg_advisory_unlock(\(openingKey))", isKept: false)

    private static func end(in milliseconds: Int64) -> MonotonicTime {
        .now.advanced(byMilliseconds: Int(milliseconds))
    }

    private static func lockedSession(
        of place: ServerPlace, isShared: Bool, isOpening: Bool = false, milliseconds: Int64
    ) throws(StoreError) -> PostgresConnection {
        let parameters = [
            // The process before may have been killed: the server lets go of its lock a moment later.
            ("lock_timeout", "\(StoreLimits.holdWaitMilliseconds)")
        ]
        let session = try place.connect(parameters + ServerPlace.keepAlive, milliseconds: milliseconds)
        if isOpening { try lockOpening(of: place, in: session) }
        do throws(PostgresError) {
            try session.ask(isShared ? sharedLocking : locking)
            _ = try session.trip(until: end(in: StoreLimits.holdWaitMilliseconds + milliseconds))
            return session
        } catch {
            session.close()
            guard !error.isServer(code: "55P03") else {
                throw StoreError(
                    .locked,
                    isShared
                        ? "another server serves the database \(place) by itself. Stop that one, and start it with `nodes` too"
                        : "another server serves the database \(place): one process at a time serves a database on a server. Stop "
                            + "that one, or name another database or schema with --database")
            }
            throw StoreError(error, at: place.description)
        }
    }

    /// Before the lock that is shared: whoever has that one serves the database, or is the one that opens it.
    private static func lockOpening(of place: ServerPlace, in session: PostgresConnection) throws(StoreError) {
        do throws(PostgresError) {
            for statement in [openingLock, usualWait] {
                try session.ask(statement)
                _ = try session.trip(until: end(in: StoreLimits.tripMilliseconds))
            }
        } catch {
            session.close()
            guard !error.isServer(code: "55P03") else {
                throw StoreError(
                    .locked,
                    "another node opens the database \(place) for longer than \(StoreLimits.openingWaitMilliseconds / 1_000) seconds. "
                        + "Start this one when that has ended")
            }
            throw StoreError(error, at: place.description)
        }
    }
}
