import Blueprint
import Cloud
import EventPatterns
import GraphQL
import JSON
import PostgresSupport
import Queues
import Store
import Synchronization
import TestSupport
import Testing

@testable import Events

/// Calls of events: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("No call of events holds")
struct EventDoors {
    private static let account = "123456789012"
    private static let queues = 5

    /// As many rules as calls may make, each with as many targets as one may have.
    private static func filled() async throws -> (store: Store, queues: ServiceTable, table: ServiceTable) {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        let store = try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
        let queues = Queues(over: store, region: "us-east-1", accountID: account)
        let service = QueueService(queues).table
        for number in 0..<Self.queues {
            _ = try await service.answer("CreateQueue", ["QueueName": .string("q\(number)")])
        }
        let targets = (0..<EventLimits.targetsMax).map {
            EventTarget(.queue("q\($0 % Self.queues)", group: nil))
        }
        let pattern = try EventPattern(["source": ["shop"]])
        let rules = (0..<EventLimits.madeRulesMax).map {
            EventRule("r\($0)", on: "default", pattern: pattern, targets: targets)
        }
        let events = Events(
            over: queues, buses: (0..<50).map { "bus\($0)" }, rules: rules, region: "us-east-1", accountID: account)
        return (store, service, EventCalls(events).table)
    }

    private static func entries(_ count: Int, bytes: Int, source: String = "shop") -> JSONValue {
        let detail = JSONWriter.text(of: ["x": .string(String(repeating: "x", count: bytes))])
        let entry: JSONValue = ["Source": .string(source), "DetailType": "d", "Detail": .string(detail)]
        return ["Entries": .array(Array(repeating: entry, count: count))]
    }

    private static let long = String(repeating: "a", count: 60_000)
    private static let wide: JSONValue = .object(JSONObject((0..<5_000).map { ("k\($0)", "x") }))

    /// The worst bodies of an operation. One that is new needs its own here.
    private static func bodies(of operation: String) -> [JSONValue] {
        let named: [JSONValue] = [["Name": .string(long)], wide]
        switch operation {
        case "PutEvents": return [entries(2, bytes: 10), entries(1, bytes: 50_000), wide]
        case "TestEventPattern":
            let stars = String(repeating: "*a", count: 1_000)
            return [
                [
                    "EventPattern": .string(JSONWriter.text(of: ["source": [["wildcard": .string(stars)]]])),
                    "Event": .string(
                        JSONWriter.text(
                            of: [
                                "id": "1", "account": "1", "time": "t", "region": "r", "detail-type": "d",
                                "source": .string(String(repeating: "a", count: 30_000)),
                            ])),
                ], wide,
            ]
        case "PutRule":
            return [["Name": "new", "EventPattern": .string(long)], ["Name": "new", "Tags": [wide]], wide]
        case "PutTargets", "RemoveTargets":
            return [["Rule": "r1", "Targets": .array(Array(repeating: ["Id": "1"], count: 4_000))], wide]
        case "ListEventBuses", "ListRules": return [[:], ["NextToken": .string(long)], wide]
        case "ListTargetsByRule": return [["Rule": "r1"], ["Rule": .string(long)], wide]
        case "DescribeEventBus", "DescribeRule", "CreateEventBus", "UpdateEventBus", "DeleteEventBus", "DeleteRule",
            "EnableRule", "DisableRule":
            return named
        case "ListRuleNamesByTarget": return [["TargetArn": .string(long)], wide]
        case "TagResource", "UntagResource", "ListTagsForResource":
            return [["ResourceARN": .string(long), "Tags": [wide]], wide]
        case "PutPermission":
            let policy = JSONWriter.text(of: ["Statement": .array(Array(repeating: ["Effect": "Allow"], count: 4_000))])
            return [["Policy": .string(policy)], ["StatementId": .string(long)], wide]
        case "RemovePermission": return [["StatementId": .string(long)], ["RemoveAllPermissions": true], wide]
        default: return []
        }
    }

    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("a loop for long, whatever it asks")
    func loops() async throws {
        let (store, _, table) = try await Self.filled()
        defer { withExtendedLifetime(store) {} }
        let loop = HeldLoop()
        #expect(!table.rows.isEmpty)
        for operation in table.rows {
            let bodies = Self.bodies(of: operation.name)
            #expect(!bodies.isEmpty, "\(operation.name) has no worst request here")
            for (row, body) in bodies.enumerated() {
                var held = Double.infinity
                // Others disturb: what takes too long is looked at again.
                for _ in 0..<10 where held >= Self.heldMilliseconds {
                    held = await loop.longestPiece { _ = try? await table.answer(operation.name, body) }
                }
                #expect(held < Self.heldMilliseconds, "\(operation.name) \(row) holds a loop for \(held) ms")
            }
        }
    }

    @Test("the writer for long, however many targets get how much", arguments: [(10, 10), (1, 50_000), (3, 5_000)])
    func writer(count: Int, bytes: Int) async throws {
        let body = Self.entries(count, bytes: bytes)
        var held = Double.infinity
        // Where the machine is busy, the watching task may come back to the writer behind several pieces: then it is looked at once more.
        for _ in 0..<10 where held >= 10 * Self.heldMilliseconds {
            let (store, queues, table) = try await Self.filled()
            let longest = LongestWrite()
            // Others wait at the writer behind each piece of the call: how long is what the piece has taken.
            let call = Task { _ = try await table.answer("PutEvents", body) }
            let watch = Task {
                while !Task.isCancelled {
                    let now = try await store.writer.write(turn: .all, key: nil) { _ in HeldTime.threadNanoseconds }
                    longest.take(now)
                }
            }
            try await call.value
            watch.cancel()
            _ = try? await watch.value
            held = longest.milliseconds / HeldTime.factor
            let url = JSONValue.string("http://127.0.0.1/\(Self.account)/q0")
            let name = "ApproximateNumberOfMessages"
            let answer = try await queues.answer(
                "GetQueueAttributes", ["QueueUrl": url, "AttributeNames": [.string(name)]])
            let kept = count * EventLimits.madeRulesMax * EventLimits.targetsMax / Self.queues
            #expect(answer["Attributes"]?[name]?.string == "\(kept)")
        }
        #expect(held < 10 * Self.heldMilliseconds, "PutEvents holds the writer for \(held) ms")
    }
}

/// The longest time between two changes that the writer has made, of its thread's own.
private final class LongestWrite: Sendable {
    private let times = Mutex((last: Int64?.none, longest: Int64(0)))

    var milliseconds: Double { times.withLock { Double($0.longest) / 1_000_000 } }

    func take(_ now: Int64) {
        times.withLock { times in
            if let last = times.last { times.longest = max(times.longest, now - last) }
            times.last = now
        }
    }
}
