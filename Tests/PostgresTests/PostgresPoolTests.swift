import Network
import Postgres
import Synchronization
import PostgresSupport
import TestSupport
import Testing

@Suite(
    "The pool of connections", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct PostgresPoolTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer.shared.get() }

    private func pool(
        _ count: Int, user: String = "app", _ limits: PostgresLimits = PostgresLimits()
    ) -> PostgresPool {
        PostgresPool(
            PostgresConnector(server.socketSettings(user: user), limits: limits), connectionsMax: count)
    }

    private func process(of pool: PostgresPool) throws -> UInt32 {
        let lease = try pool.take(until: .inTime)
        return lease.connection.serverProcess
    }

    /// Why the pool has no connection. On a busy machine a short deadline may come before the first attempt is over: then a longer
    /// one is tried.
    private func reason(of pool: PostgresPool, _ isIt: (String) -> Bool) throws -> String {
        var text = ""
        for milliseconds in [50, 500, 5_000, 50_000] where !isIt(text) {
            let error = try #require(throws: PostgresError.self) {
                _ = try pool.take(until: .now.advanced(byMilliseconds: milliseconds))
            }
            text = "\(error)"
        }
        return text
    }

    @Test("lends connections again, and no more than its bound")
    func bound() throws {
        let pool = pool(2)
        #expect(try process(of: pool) == process(of: pool))
        let first = try pool.take(until: .inTime)
        let second = try pool.take(until: .inTime)
        #expect(first.connection.serverProcess != second.connection.serverProcess && pool.openCount == 2)
        let error = try #require(throws: PostgresError.self) {
            _ = try pool.take(until: .now.advanced(byMilliseconds: 5))
        }
        #expect("\(error)".contains("all 2 connections"))
        #expect(pool.waitingCount == 0)
    }

    @Test("gives what comes back to a thread that waits, and bounds how many wait")
    func waiting() async throws {
        var limits = PostgresLimits()
        limits.poolWaiting = 1
        let pool = pool(1, limits)
        let waiter: Task<UInt32, any Error>
        let lent: UInt32
        do {
            let lease = try pool.take(until: .inTime)
            lent = lease.connection.serverProcess
            waiter = Task { try await BlockingThread.run { try pool.take(until: .inTime).connection.serverProcess } }
            try await eventually("a thread waits") { pool.waitingCount == 1 }
            let error = try #require(throws: PostgresError.self) { _ = try pool.take(until: .inTime) }
            #expect("\(error)".contains("1 requests wait"))
        }
        #expect(try await waiter.value == lent)
    }

    @Test("lets a connection go that is closed, in a transaction, or that the server has ended")
    func broken() throws {
        let pool = pool(1)
        let first = try process(of: pool)
        do {
            let lease = try pool.take(until: .inTime)
            _ = try lease.connection.answer("BEGIN")
        }
        let second = try process(of: pool)
        #expect(second != first && pool.openCount == 1)
        do {
            let lease = try pool.take(until: .inTime)
            // Nobody sends this question.
            try lease.connection.ask(PostgresStatement("SELECT 1"))
        }
        #expect(try process(of: pool) == second)
        let admin = try server.admin()
        #expect(
            try admin.answer("SELECT pg_terminate_backend($1, 10000)", [.int4], [.int4(Int32(second))])[0].bool(0)
                == true)
        let third = try process(of: pool)
        #expect(third != second)
        do {
            let lease = try pool.take(until: .inTime)
            lease.connection.close()
        }
        #expect(try process(of: pool) != third)
    }

    @Test("tells a connection that ends during a trip, with the server's reason")
    func lost() throws {
        let connection = try server.app()
        let error = try #require(throws: PostgresError.self) {
            _ = try connection.answer("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect("\(error)".contains("57P01") && connection.isClosed, "\(error)")
    }

    @Test("has an error of its own where the server has too few connections")
    func serverFull() throws {
        let pool = pool(3, user: "limited")
        let largerThanServer = try #require(throws: PostgresError.self) { try pool.checkServerHasRoom(until: .inTime) }
        #expect("\(largerThanServer)".contains("3 connections to PostgreSQL are configured and it has 2"))
        try self.pool(PostgresServer.connectionsMax - 3).checkServerHasRoom(until: .inTime)
        #expect(throws: PostgresError.self) {
            try self.pool(PostgresServer.connectionsMax - 2).checkServerHasRoom(until: .inTime)
        }
        let first = try pool.take(until: .inTime)
        let second = try pool.take(until: .inTime)
        let full = try reason(of: pool) { $0.contains("53300") }
        #expect(full.contains("no connection left") && full.contains("53300"), "\(full)")
        withExtendedLifetime((first.connection, second.connection)) {}
    }

    @Test("waits for a server that is not there until the deadline, and answers a refusal at once")
    func unavailable() throws {
        var settings = server.socketSettings()
        settings.hosts = [PostgresHost(name: server.socketFolder, port: 1)]
        let away = PostgresPool(PostgresConnector(settings), connectionsMax: 1)
        let error = try reason(of: away) { $0.contains("connect") }
        #expect(error.contains("is not available") && away.openCount == 0)
        let refused = PostgresPool(
            PostgresConnector(server.socketSettings(database: "nowhere")), connectionsMax: 1)
        for _ in 0..<2 {
            let error = try #require(throws: PostgresError.self) { _ = try refused.take(until: .inTime) }
            #expect("\(error)".contains("3D000"))
        }
    }

    @Test("lends nothing after its end, and closes idle connections in time")
    func end() throws {
        var limits = PostgresLimits()
        limits.idleMilliseconds = 0
        let short = pool(1, limits)
        #expect(try process(of: short) != process(of: short))
        let pool = pool(1)
        _ = try process(of: pool)
        pool.close()
        #expect(pool.openCount == 0)
        #expect(throws: PostgresError.self) { _ = try pool.take(until: .inTime) }
    }

    @Test("serves more threads than it has connections")
    func many() async throws {
        let pool = pool(3)
        let question = PostgresStatement("SELECT $1", [.int8])
        let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await BlockingThread.run {
                        var sum: Int64 = 0
                        for round in 0..<10 {
                            let lease = try pool.take(until: .inTime)
                            try lease.connection.ask(question, [.int8(Int64(thread * 10 + round))])
                            sum += try lease.connection.trip(until: .inTime)[0][0].integer(0) ?? 0
                        }
                        return sum
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == (0..<80).reduce(0, +))
        #expect(pool.openCount <= 3)
    }
}
