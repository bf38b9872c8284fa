import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Queues

/// Queues of several nodes over one schema of a server: each with a store of its own, as processes have.
@Suite("Queues of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct QueueNodeTests {
    private final class Node: Sendable {
        let calls: TestQueues
        let nodes: Nodes

        var queues: Queues { calls.queues }

        /// - Parameter hears: whether wakes of other nodes are passed on.
        init(at location: Store.Location, hears: Bool = true) async throws {
            calls = try TestQueues(at: location)
            nodes = try await Nodes.join(calls.store, address: "", version: "1") { _ in }
            if hears { nodes.onWake { [queues = calls.queues] in queues.hear($0) } }
        }

        /// What a call that waits for messages gets.
        func poll(_ queue: String, seconds: Int64 = 20) -> Task<[String], any Error> {
            Task { [calls] in
                let answer = try await calls.call("ReceiveMessage", queue, ["WaitTimeSeconds": .integer(seconds)])
                return (answer["Messages"]?.array ?? []).bodies
            }
        }

        var isWatching: Bool { !queues.watchers.queues.isEmpty }
    }

    private final class Bodies: Sendable {
        private let all = Mutex<[String]>([])

        func add(_ body: String) { all.withLock { $0.append(body) } }
        var values: [String] { all.withLock { $0 } }
    }

    private static func nodes(_ count: Int, hear: Bool = true) async throws -> [Node] {
        let location = try TestDatabase.server()
        var nodes: [Node] = []
        for _ in 0..<count { nodes.append(try await Node(at: location, hears: hear)) }
        // The writer with the models' turn asks which others live.
        for node in nodes { try await node.calls.store.writer.write(turn: .models, key: nil) { _ in } }
        let know = nodes.allSatisfy { $0.nodes.areOthersThere }
        try #require(know)
        return nodes
    }

    private static func end(_ nodes: [Node]) async { for node in nodes { await node.nodes.end() } }

    @Test(
        "each message is received once, whichever node is asked, and those of a group one after the other",
        arguments: [false, true])
    func claims(isOrdered: Bool) async throws {
        let nodes = try await Self.nodes(3)
        let name = isOrdered ? "q.fifo" : "q"
        try await nodes[0].calls.make(name, isOrdered ? ["FifoQueue": "true"] : [:])
        let count = 60
        for number in 0..<count {
            let group = isOrdered ? "g\(number % 4)" : nil
            try await nodes[number % 3].calls.send(
                "\(number)", to: name, group: group, id: isOrdered ? "\(number)" : nil)
        }
        let received = Bodies()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes {
                group.addTask { [count] in
                    while received.values.count < count {
                        for message in try await node.calls.receive(name, max: 3) {
                            // Before it is deleted, nobody gets the next one of its group.
                            received.add(message["Body"]?.string ?? "")
                            #expect(await node.calls.delete(message, from: name) == nil)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let bodies = received.values
        #expect(bodies.count == count && Set(bodies).count == count)
        if isOrdered {
            for group in 0..<4 {
                let ofGroup = bodies.compactMap { Int($0) }.filter { $0 % 4 == group }
                #expect(ofGroup == ofGroup.sorted())
            }
        }
        await Self.end(nodes)
    }

    @Test("a call that waits at one node gets what another one sends, or moves to the dead letters")
    func wakes() async throws {
        let nodes = try await Self.nodes(2)
        try await nodes[0].calls.make("dead")
        try await nodes[0].calls.make(
            "a",
            ["RedrivePolicy": #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:dead","maxReceiveCount":1}"#]
        )
        let began = MonotonicTime.now
        var poll = nodes[1].poll("a")
        try await eventually("it waits") { nodes[1].isWatching }
        try await nodes[0].calls.send("one", to: "a")
        #expect(try await poll.value == ["one"])
        // Received too often, it is a dead letter, which somebody waits for elsewhere.
        poll = nodes[1].poll("dead")
        try await eventually("it waits") { nodes[1].isWatching }
        for node in nodes { node.calls.advance(seconds: 60) }
        #expect(try await nodes[0].calls.receive("a").isEmpty)
        #expect(try await poll.value == ["one"])
        // Both came by a wake: a call that waits for twenty seconds looks by itself only at the end.
        #expect(MonotonicTime.now.nanoseconds(since: began) < 20_000_000_000)
        await Self.end(nodes)
    }

    @Test("of several calls that wait at another node, each gets one of the messages that are sent together")
    func batch() async throws {
        let nodes = try await Self.nodes(2)
        try await nodes[0].calls.make("a")
        let began = MonotonicTime.now
        let polls = (0..<3).map { _ in nodes[1].poll("a") }
        try await eventually("they wait") { nodes[1].queues.watchers.waitingCount == 3 }
        try await nodes[0].calls.call(
            "SendMessageBatch", "a",
            ["Entries": .array((0..<3).map { ["Id": .string("\($0)"), "MessageBody": .string("m\($0)")] })])
        var bodies: [String] = []
        for poll in polls { bodies += try await poll.value }
        #expect(Set(bodies) == ["m0", "m1", "m2"])
        #expect(MonotonicTime.now.nanoseconds(since: began) < 20_000_000_000)
        await Self.end(nodes)
    }

    @Test("where a wake is lost, a look finds what another node has sent")
    func look() async throws {
        let nodes = try await Self.nodes(2, hear: false)
        try await nodes[0].calls.make("a")
        let poll = nodes[1].poll("a")
        try await eventually("it waits") { nodes[1].isWatching }
        try await nodes[1].queues.lookForOthers()
        try await nodes[0].calls.send("one", to: "a")
        try await nodes[1].queues.lookForOthers()
        #expect(try await poll.value == ["one"])
        #expect(!nodes[1].isWatching)
        await Self.end(nodes)
    }

    @Test("a queue that one node makes, changes and deletes is the same at the others at once")
    func settings() async throws {
        let nodes = try await Self.nodes(2)
        #expect(try await nodes[1].calls.call("ListQueues").isEmpty)
        try await nodes[0].calls.make("a")
        #expect(try await nodes[1].calls.call("ListQueues")["QueueUrls"]?.array?.count == 1)
        try await nodes[1].calls.call("SetQueueAttributes", "a", ["Attributes": ["VisibilityTimeout": "7"]])
        let attributes = try await nodes[0].calls.call("GetQueueAttributes", "a", ["AttributeNames": ["All"]])
        #expect(attributes["Attributes"]?["VisibilityTimeout"] == "7")
        try await nodes[1].calls.call("DeleteQueue", "a")
        #expect(
            await nodes[0].calls.refusal("SendMessage", "a", ["MessageBody": "x"])?.contains("NonExistentQueue") == true
        )
        await Self.end(nodes)
    }

    @Test("messages that a node was telling a function of are received by others once it is gone, and not before")
    func held() async throws {
        let nodes = try await Self.nodes(2)
        try await nodes[0].calls.make("a", ["VisibilityTimeout": "600"])
        try await nodes[0].calls.send("one", to: "a")
        let settings = ConsumerSettings(queue: "a", function: "f", address: "", timeoutSeconds: 3)
        let taken = try await nodes[0].queues.take(settings).0
        #expect(taken.messages.count == 1)
        try await nodes[1].queues.releaseOfOthers()
        #expect(try await nodes[1].queues.take(settings).0.messages.isEmpty)
        await nodes[0].nodes.end()
        try await nodes[1].queues.releaseOfOthers()
        let again = try await nodes[1].queues.take(settings).0
        #expect(again.messages.map(\.body) == ["one"])
        // The first one ends its message too late: it is the second one's.
        try await nodes[0].queues.end(taken.messages)
        try await nodes[1].queues.giveBack(again.messages, until: 0)
        #expect(try await nodes[1].calls.receive("a").bodies == ["one"])
        await nodes[1].nodes.end()
    }

    @Test("an event of a schedule is kept once for each of its times, by however many nodes")
    func ticks() async throws {
        let nodes = try await Self.nodes(3)
        let times: [Int64] = [60, 120, 120, 60, 180]
        for time in times {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes {
                    group.addTask {
                        try await node.queues.keep(
                            Array("\(time)".utf8), for: "f", at: Queues.Tick(of: "every minute", at: time))
                    }
                }
                try await group.waitForAll()
            }
        }
        // Another schedule has times of its own.
        try await nodes[1].queues.keep(Array("other".utf8), for: "f", at: Queues.Tick(of: "other", at: 60))
        let settings = ConsumerSettings(eventsOf: "f", address: "", callsAtOnce: 1, timeoutSeconds: 3)
        var bodies: [String] = []
        while let message = try await nodes[2].queues.take(settings).0.messages.first { bodies.append(message.body) }
        #expect(bodies.sorted() == ["120", "180", "60", "other"])
        #expect(try await nodes[0].queues.lastTicks() == ["every minute": 180, "other": 60])
        // What is refused takes no time with it.
        let large = [UInt8](repeating: 0x20, count: QueueLimits.eventBytesMax + 1)
        await #expect(throws: Queues.EventRefusal.self) {
            try await nodes[0].queues.keep(large, for: "f", at: Queues.Tick(of: "other", at: 120))
        }
        #expect(try await nodes[0].queues.lastTicks()["other"] == 60)
        await Self.end(nodes)
    }

    @Test("a move of dead letters runs once, is listed by all nodes, and is ended at any of them")
    func moves() async throws {
        let nodes = try await Self.nodes(2)
        let dead = "arn:aws:sqs:us-east-1:123456789012:dead"
        let policy = #"{"deadLetterTargetArn":"\#(dead)","maxReceiveCount":1}"#
        try await nodes[0].calls.make("dead")
        try await nodes[0].calls.make("a", ["RedrivePolicy": .string(policy)])
        for number in 0..<4 { try await nodes[0].calls.send("\(number)", to: "dead") }
        let start: JSONValue = [
            "SourceArn": .string(dead), "DestinationArn": "arn:aws:sqs:us-east-1:123456789012:a",
            "MaxNumberOfMessagesPerSecond": 1,
        ]
        let handle = try await nodes[0].calls.call("StartMessageMoveTask", nil, start)["TaskHandle"] ?? .null
        #expect(
            await nodes[1].calls.refusal("StartMessageMoveTask", nil, start)?.contains("already a task running") == true
        )
        func status(at node: Node) async throws -> String? {
            try await node.calls.call("ListMessageMoveTasks", nil, ["SourceArn": .string(dead)])["Results"]?.array?
                .first?["Status"]?.string
        }
        #expect(try await status(at: nodes[1]) == "RUNNING")
        try await nodes[1].calls.call("CancelMessageMoveTask", nil, ["TaskHandle": handle])
        try await eventually("it has ended at both") {
            for node in nodes where try await status(at: node) != "CANCELLED" { return false }
            return true
        }
        // One whose node is gone has failed.
        _ = try await nodes[0].calls.call("StartMessageMoveTask", nil, start)
        await nodes[0].nodes.end()
        #expect(try await status(at: nodes[1]) == "FAILED")
        await nodes[1].nodes.end()
    }
}
