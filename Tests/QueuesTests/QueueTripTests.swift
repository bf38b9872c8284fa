import Dispatch
import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
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
        #expect(try await trips { refusal = await queues.delete(message, from: "plain") } == 5)
        #expect(refusal == nil)
        #expect(try await queues.receive("plain").isEmpty)
    }

    /// Runs calls in one transaction, and gives the trips between that of its turn and the end of its commit.
    private func group(_ calls: [@Sendable (QueueTransaction) throws -> Void]) async throws -> Int64 {
        let writer = queues.store.writer
        let (entered, released, answered) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let before = Mutex<Int64>(0)
        writer.submit(
            turn: .queues, key: nil,
            { session in
                before.withLock { $0 = session.tripCount }
                entered.signal()
                released.wait()
            }, answer: { _ in })
        try await BlockingThread.run { entered.wait() }
        for call in calls {
            writer.submit(
                turn: .queues, key: nil, isRepeatable: true,
                { [queues = queues.queues] session in
                    try session.bring(QueueTables.all)
                    try session.bring(QueueTables.columns)
                    try call(QueueTransaction(session, of: queues, now: queues.now))
                },
                answer: { result in
                    if case .failure(let error) = result { Issue.record("\(error)") }
                    answered.signal()
                })
        }
        released.signal()
        let count = calls.count
        try await BlockingThread.run { for _ in 0..<count { answered.wait() } }
        let after = try await writer.write(turn: .queues, key: nil) { session in session.tripCount }
        // The commit of the first, the turn, and that of whoever counts.
        return after - before.withLock { $0 } - 3
    }

    @Test("messages of one transaction share what they ask, and so do calls that receive some")
    func groups() async throws {
        let sending = (0..<50).map { number in
            { @Sendable (transaction: QueueTransaction) in
                transaction.expectSending()
                let message = NewMessage("\(number)", sender: "me")
                _ = try transaction.send(message, to: try transaction.demanded("plain"))
            }
        }
        // The versions of the room's tables, the queue with what all queues hold, and all messages with the commit.
        #expect(try await group(sending) <= 4)
        let bodies = Mutex<[String]>([])
        @Sendable func receives(_ transaction: QueueTransaction) throws {
            let queue = try transaction.demanded("plain")
            let received = try transaction.receive(from: queue, max: 2, visibility: 60_000)
            #expect(received.messages.count == 2)
            bodies.withLock { $0 += received.messages.map(\.body) }
        }
        // The messages are looked for once for about as many as there are calls.
        #expect(try await group(Array(repeating: receives, count: 20)) <= 6)
        #expect(bodies.withLock { Set($0).count } == 40)
        // What is sent is found behind them, what is deleted is not, and nothing comes twice.
        let mixed: [@Sendable (QueueTransaction) throws -> Void] = [
            receives, sending[0],
            { transaction in
                let queue = try transaction.demanded("plain")
                #expect(queue.messages == 51)
                #expect(try transaction.receive(from: queue, max: 1, visibility: 0).messages.count == 1)
                let again = try transaction.receive(from: queue, max: 1, visibility: 60_000)
                let message = try #require(again.messages.first)
                _ = try transaction.delete(message.handle, from: queue)
                #expect(try transaction.demanded("plain").messages == 50)
            }, receives, receives, receives,
        ]
        _ = try await group(mixed)
        #expect(bodies.withLock { $0.count } == 48 && bodies.withLock { Set($0).count } >= 47)
        #expect(try await queues.receive("plain").count == 2)
        #expect(try await queues.receive("plain").isEmpty)
        // None gets fewer than it asks for while there are more.
        for number in 0..<12 { try await queues.send("c\(number)", to: "plain") }
        let three: @Sendable (QueueTransaction) throws -> Void = { transaction in
            let queue = try transaction.demanded("plain")
            #expect(try transaction.receive(from: queue, max: 3, visibility: 60_000).messages.count == 3)
        }
        _ = try await group(Array(repeating: three, count: 4))
    }

    @Test("messages of one transaction that are deleted share what they ask, also with calls that receive")
    func deletions() async throws {
        for number in 0..<60 { try await queues.send("\(number)", to: "plain") }
        let received = Mutex<[QueuedMessage]>([])
        let receives: @Sendable (QueueTransaction) throws -> Void = { transaction in
            let queue = try transaction.demanded("plain", isCounted: false)
            let found = try transaction.receive(from: queue, max: 1, visibility: 60_000).messages
            received.withLock { $0 += found }
        }
        let deletes: @Sendable (QueueTransaction) throws -> Void = { transaction in
            let message = try #require(received.withLock { $0.popLast() })
            try transaction.delete(message.handle, from: try transaction.demanded("plain", isCounted: false))
        }
        // The versions of the room's tables, the queue, what may be received.
        #expect(try await group(Array(repeating: receives, count: 40)) <= 6)
        #expect(received.withLock { $0.count } == 40)
        #expect(try await group(Array(repeating: deletes, count: 30)) <= 4)
        #expect(try await group((0..<20).map { $0 % 2 == 0 ? receives : deletes }) <= 6)
        #expect(try await group(Array(repeating: deletes, count: 10)) <= 4)
        #expect(try await queues.receive("plain", max: 10).count == 10)
        let count = try await queues.store.writer.write(turn: .queues, key: nil) { [queues = queues.queues] session in
            try QueueTransaction(session, of: queues, now: queues.now).demanded("plain").messages
        }
        #expect(count == 10)
    }

    @Test("receptions are counted with the turn, at least those that come about")
    func receptions() async throws {
        for number in 0..<5 { try await queues.send("\(number)", to: "plain") }
        func count() async throws -> Int64? {
            try await queues.store.writer.write(turn: .queues, key: nil) { try $0.total(of: .queues, adding: 0) }
        }
        let before = try #require(try await count())
        #expect(try await queues.receive("plain", max: 3).count == 3)
        #expect(try await count() == before + 3)
        await #expect(throws: QueueError.self) {
            _ = try await queues.store.writer.write(turn: .queues, key: nil) { [queues = queues.queues] session in
                let transaction = QueueTransaction(session, of: queues, now: queues.now)
                let queue = try transaction.demanded("plain")
                #expect(try transaction.receive(from: queue, max: 1, visibility: 60_000).messages.count == 1)
                throw QueueError.full
            }
        }
        let undone = try #require(try await count())
        #expect((before + 3...before + 4).contains(undone))
        #expect(try await queues.receive("plain", max: 3).count == 2)
        #expect(try await count() == undone + 2)
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
