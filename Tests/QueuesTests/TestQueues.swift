import Blueprint
import GraphQL
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Queues

/// The service over a database of its own, with a clock that the test moves.
final class TestQueues: Sendable {
    let queues: Queues
    let store: Store
    private let service: QueueService
    private let loops: EventLoopGroup
    private let clock = Clock()

    private final class Clock: Sendable {
        let time = Mutex<Int64>(1_795_334_400_000)
    }

    init(over store: Store? = nil, at location: Store.Location? = nil) throws {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        self.store =
            try store
            ?? Store(
                location ?? TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0
            ) { Issue.record("\($0)") }
        queues = Queues(
            over: self.store, region: "us-east-1", accountID: "123456789012",
            clock: { [clock] in clock.time.withLock { $0 } })
        service = QueueService(queues)
        loops = try EventLoopGroup(count: 1)
    }

    func advance(seconds: Int64) { clock.time.withLock { $0 += 1_000 * seconds } }

    static func url(_ name: String) -> String { "http://127.0.0.1/123456789012/\(name)" }

    /// What a call of a queue is answered.
    @discardableResult
    func call(
        _ operation: String, _ queue: String? = nil, _ input: JSONValue = [:], trace: String? = nil
    ) async throws(QueueError) -> JSONObject {
        var input = input.object ?? JSONObject()
        if let queue { input.set("QueueUrl", to: .string(Self.url(queue))) }
        let loop = loops.loops[0]
        let place = QueueService.Place(endpoint: "http://127.0.0.1", loop: loop, trace: trace)
        // As a request does, it runs on the loop.
        let answer = await Task(executorPreference: loop) { [service, input] () -> Result<JSONObject, QueueError> in
            do throws(QueueError) {
                return .success(try await service.answer(operation, .object(input), at: place))
            } catch {
                return .failure(error)
            }
        }.value
        return try answer.get()
    }

    /// The longest time that a call holds its loop, in milliseconds.
    func held(_ operation: String, _ queue: String?, _ input: JSONValue) async -> Double {
        var input = input.object ?? JSONObject()
        if let queue { input.set("QueueUrl", to: .string(Self.url(queue))) }
        let place = QueueService.Place(endpoint: "http://127.0.0.1", loop: loops.loops[0])
        return await HeldLoop().longestPiece { [service, input] in
            _ = try? await service.answer(operation, .object(input), at: place)
        }
    }

    /// The processor time that the writer has had, in milliseconds.
    func writerMilliseconds() async throws -> Double {
        let time = try await store.writer.write(turn: .all, key: nil) { _ in HeldTime.threadNanoseconds }
        return Double(time) / 1_000_000 / HeldTime.factor
    }

    /// The text of a refusal; nil: there is none.
    func refusal(
        _ operation: String, _ queue: String? = nil, _ input: JSONValue = [:]
    ) async -> String? {
        do throws(QueueError) {
            try await call(operation, queue, input)
            return nil
        } catch {
            return "\(error.code): \(error.message)"
        }
    }

    func make(_ name: String, _ attributes: JSONValue = [:]) async throws {
        try await call("CreateQueue", nil, ["QueueName": .string(name), "Attributes": attributes])
    }

    func send(_ body: String, to queue: String, group: String? = nil, id: String? = nil) async throws {
        var input = JSONObject([("MessageBody", .string(body))])
        if let group { input.set("MessageGroupId", to: .string(group)) }
        if let id { input.set("MessageDeduplicationId", to: .string(id)) }
        try await call("SendMessage", queue, .object(input))
    }

    func receive(_ queue: String, max: Int64 = 10, visibility: Int64? = nil) async throws -> [JSONValue] {
        var input = JSONObject([
            ("MaxNumberOfMessages", .integer(max)), ("AttributeNames", ["All"]), ("MessageAttributeNames", ["All"]),
        ])
        if let visibility { input.set("VisibilityTimeout", to: .integer(visibility)) }
        return try await call("ReceiveMessage", queue, .object(input))["Messages"]?.array ?? []
    }

    func change(_ message: JSONValue, in queue: String, to seconds: Int64) async -> String? {
        await refusal(
            "ChangeMessageVisibility", queue,
            ["ReceiptHandle": message["ReceiptHandle"] ?? .null, "VisibilityTimeout": .integer(seconds)])
    }

    func delete(_ message: JSONValue, from queue: String) async -> String? {
        await refusal("DeleteMessage", queue, ["ReceiptHandle": message["ReceiptHandle"] ?? .null])
    }
}

extension [JSONValue] {
    /// The bodies of messages.
    var bodies: [String] { map { $0["Body"]?.string ?? "" } }
}
