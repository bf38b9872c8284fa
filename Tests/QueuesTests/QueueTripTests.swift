import JSON
import PostgresSupport
import Store
import Testing

@testable import Queues

/// How often a server is asked for a message. All of these calls come alone: the first trip of each takes the turn, and the last commits it.
@Suite(
    "Trips of messages", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct QueueTripTests {
    private let queues: TestQueues

    init() async throws {
        queues = try TestQueues(at: TestDatabase.server())
        try await queues.make("plain")
        try await queues.make("ordered.fifo", ["FifoQueue": "true"])
    }

    /// The trips of a call: those of the two questions for them are left out.
    private func trips(_ call: () async throws -> Void) async throws -> Int64 {
        func count() async throws -> Int64 {
            try await queues.store.writer.write(turn: .queues, key: nil) { session in session.tripCount }
        }
        let (first, second) = (try await count(), try await count())
        try await call()
        return try await count() - second - (second - first)
    }

    @Test("a message takes few trips to be sent, received and deleted")
    func messages() async throws {
        // The turn, the versions of the room's tables, the queue with what all queues hold, the commit.
        #expect(try await trips { try await queues.send("a", to: "plain") } == 5)
        var received: [JSONValue] = []
        #expect(try await trips { received = try await queues.receive("plain", max: 1) } == 6)
        let message = try #require(received.first)
        #expect(message["Body"] == "a")
        var refusal: String?
        #expect(try await trips { refusal = await queues.delete(message, from: "plain") } == 6)
        #expect(refusal == nil)
        #expect(try await queues.receive("plain").isEmpty)
    }

    @Test("an ordered message has its number, and comes once")
    func ordered() async throws {
        try await queues.send("a", to: "ordered.fifo", group: "g", id: "1")
        try await queues.send("a", to: "ordered.fifo", group: "g", id: "1")
        try await queues.send("b", to: "ordered.fifo", group: "g", id: "2")
        let received = try await queues.receive("ordered.fifo")
        #expect(received.map { $0["Body"] } == ["a", "b"])
        let numbers = received.compactMap { $0["Attributes"]?["SequenceNumber"]?.string }
        #expect(numbers.count == 2 && numbers == numbers.sorted() && numbers.first != numbers.last)
    }
}
