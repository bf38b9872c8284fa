import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import Queues
@testable import Store

@Suite("Deep queues")
struct DeepQueueTests {
    @Test("a count of what is in flight is used until too many more may be, or data change")
    func counts() {
        let flights = FlightCounts()
        #expect(flights.bound(of: 1, at: 0) == nil)
        #expect(flights.receptions(adding: 5) == 5)
        flights.note(100, of: 1, at: 5)
        #expect(flights.bound(of: 1, at: 5) == 100 && flights.bound(of: 2, at: 5) == nil)
        #expect(flights.receptions(adding: 7) == 12)
        #expect(flights.bound(of: 1, at: 12) == 107)
        // A database that has lost commits.
        #expect(flights.bound(of: 1, at: 4) == nil)
        flights.note(50, of: 1, at: 12)
        #expect(flights.bound(of: 1, at: 13) == 51)
        for queue in 2..<Int64(QueueLimits.countedQueuesMax + 3) { flights.note(1, of: queue, at: 13) }
        #expect(flights.bound(of: 1, at: 13) == nil)
        flights.note(1, of: 1, at: 13)
        flights.forget()
        #expect(flights.bound(of: 1, at: 13) == nil)
    }

    /// Puts many messages into a queue, all but some of which somebody has received.
    private static let filling = RoomStatement(
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
        INSERT INTO _homeport_queue_messages (queue, id, body, sender, sent, visible, expires, received, bytes)
        SELECT number, 'id' || n, 'body', 'me', ?3, CASE WHEN n <= ?2 THEN ?3 ELSE ?3 + 600000 END, ?3 + 9000000,
            CASE WHEN n <= ?2 THEN 0 ELSE 1 END, 4
        FROM numbers, _homeport_queues WHERE name = 'deep'
        """)

    @Test("no more messages are received than may be in flight, and again when some are deleted or visible")
    func limit() async throws {
        let queues = try TestQueues(at: .memory)
        try await queues.make("deep")
        let now = queues.queues.now
        let max = QueueLimits.inFlightMax
        _ = try await queues.store.writer.write(turn: .queues, key: nil) { session in
            try session.change(Self.filling, [.integer(max + 3), .integer(5), .integer(now)])
        }
        // Two fewer than the most are in flight, and five may be received.
        let first = try await queues.receive("deep", max: 1)
        #expect(first.count == 1)
        #expect(try await queues.receive("deep", max: 1).count == 1)
        await #expect(throws: QueueError.self) { try await queues.receive("deep", max: 1) }
        #expect(await queues.delete(try #require(first.first), from: "deep") == nil)
        #expect(try await queues.receive("deep", max: 1).count == 1)
        await #expect(throws: QueueError.self) { try await queues.receive("deep", max: 1) }
        queues.advance(seconds: 601)
        #expect(try await queues.receive("deep", max: 10).count == 10)
        #expect(try await queues.receive("deep", max: 10).count == 10)
        // What was counted holds no longer.
        queues.advance(seconds: -1_200)
        queues.queues.beginAnew()
        await #expect(throws: QueueError.self) { try await queues.receive("deep", max: 1) }
    }

    /// Messages of one moment, in tables that an earlier version has made.
    private func olderTables(_ queues: TestQueues) async throws {
        let older = QueueTables.columns.versions[0]
        try await queues.store.writer.write(turn: .queues, key: nil) { session in
            try session.bring(QueueTables.all)
            try session.bring(RoomTables(of: "columns of queues", turn: .queues, versions: [older]))
            #expect(try !session.has(QueueTables.columns))
        }
        try await queues.make("plain")
        try await queues.make("ordered.fifo", ["FifoQueue": "true"])
        for number in 0..<20 {
            try await queues.send("m\(number)", to: "plain")
            try await queues.send("m\(number)", to: "ordered.fifo", group: "g\((7 * number) % 20)", id: "\(number)")
        }
        let isThere = try await queues.store.writer.write(turn: .queues, key: nil) { try $0.has(QueueTables.columns) }
        #expect(isThere)
        let bodies = { (messages: [JSONValue]) in messages.compactMap { $0["Body"]?.string } }
        var plain: [String] = []
        var ordered: [String] = []
        for _ in 0..<4 {
            plain += bodies(try await queues.receive("plain", max: 5))
            ordered += bodies(try await queues.receive("ordered.fifo", max: 5))
        }
        #expect(plain == (0..<20).map { "m\($0)" })
        // By the names of their groups.
        let groups = (0..<20).sorted { "g\((7 * $0) % 20)" < "g\((7 * $1) % 20)" }
        #expect(ordered == groups.map { "m\($0)" })
    }

    @Test("messages that may be received since the same moment come in one order, also in tables of before")
    func ties() async throws { try await olderTables(TestQueues(at: .memory)) }

    @Test(
        "so they do over a server",
        .enabled(if: PostgresServer.isInstalled, PostgresServer.absence))
    func tiesOverServer() async throws { try await olderTables(TestQueues(at: TestDatabase.server())) }
}
