import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Several engines over two servers, of which one follows the other and takes its place.
@Suite(
    "Nodes over a server with a standby", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeStandbyTests {
    private typealias Node = NodeEventTests.Node

    /// What writers were answered.
    private struct Answers {
        var made: Set<String> = []
        var refused: Set<String> = []
        var uncertain: [String] = []
        var isOver = false
    }

    /// What all writers were answered.
    private final class Told: Sendable {
        let answers = Mutex(Answers())
        var count: Int { answers.withLock { $0.made.count } }
    }

    /// Creates a record, and returns whether that is said to be done.
    private static func create(_ id: String, at node: Node) async throws -> (isMade: Bool, text: String) {
        let answer = try await node.value(#"mutation { createPost(input: {id: "\#(id)"}) { id } }"#)
        return (answer["errors"] == nil, answer.text)
    }

    private static func ids(of events: [String]) -> [String] {
        events.compactMap { $0.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) } }
    }

    private static func stored(at node: Node) async throws -> [String] {
        let list = try await node.value("{ listPosts(limit: 10000) { items { id } } }")
        #expect(list["errors"] == nil, "\(list.text)")
        return (list[path: "data", "listPosts", "items"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    @Test("nothing that was acknowledged is lost where commits wait for the standby, and all goes on by itself")
    func synchronous() async throws {
        let pair = try await BlockingThread.run {
            let pair = try StandbyPair()
            try pair.primary.commitWithStandby()
            return pair
        }
        defer { pair.end() }
        let nodes = [try await Node(at: try pair.location), try await Node(at: try pair.location)]
        let told = Told()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, node) in nodes.enumerated() {
                group.addTask {
                    var change = 0
                    while !told.answers.withLock({ $0.isOver }) {
                        change += 1
                        let id = "\(number)-\(change)"
                        let (isMade, text) = try await Self.create(id, at: node)
                        told.answers.withLock { answers in
                            if text.contains("may have been") { answers.uncertain.append(text) }
                            if isMade { answers.made.insert(id) } else { answers.refused.insert(id) }
                        }
                        if !isMade { try await pause(.milliseconds(10), because: "no server takes changes") }
                    }
                }
            }
            group.addTask {
                defer { told.answers.withLock { $0.isOver = true } }
                try await eventually("records are made") { told.count > 40 }
                try await BlockingThread.run { try pair.failOver() }
                let before = told.count
                try await eventually("both nodes go on") { told.count > before + 40 }
            }
            try await group.waitForAll()
        }
        let stored = try await Self.stored(at: nodes[0])
        let answers = told.answers.withLock { $0 }
        #expect(answers.uncertain == [])
        #expect(answers.made.subtracting(stored) == [], "acknowledged and lost")
        #expect(answers.refused.intersection(stored) == [], "refused and made")
        try await eventually("both hear of all") { nodes.allSatisfy { $0.events.count >= stored.count } }
        #expect(nodes[0].events == nodes[1].events)
        #expect(Self.ids(of: nodes[0].events).sorted() == stored.sorted())
        #expect(nodes.allSatisfy { $0.losses == 0 })
        for node in nodes { await node.end() }
    }

    @Test(
        "subscribers hear that events are missing where the standby has not got the last ones, however many it has of its own"
    )
    func asynchronous() async throws {
        let pair = try await BlockingThread.run { try StandbyPair() }
        defer { pair.end() }
        let nodes = [try await Node(at: try pair.location), try await Node(at: try pair.location)]
        for number in 0..<3 { #expect(try await Self.create("kept\(number)", at: nodes[number % 2]).isMade) }
        try await BlockingThread.run { try pair.catchUp() }
        pair.line.hold()
        for number in 0..<3 { #expect(try await Self.create("lost\(number)", at: nodes[number % 2]).isMade) }
        try await eventually("both hear of all") { nodes.allSatisfy { $0.events.count == 6 } }
        try await BlockingThread.run { try pair.failOver() }
        try await eventually("one goes on") { try await Self.create("new0", at: nodes[1]).isMade }
        // The numbers of the events pass those that the other node has handed out.
        for number in 1..<8 { #expect(try await Self.create("new\(number)", at: nodes[1]).isMade) }
        try await eventually("both say that events are missing") { nodes.allSatisfy { $0.losses > 0 } }
        let stored = try await Self.stored(at: nodes[0])
        #expect(stored.sorted() == (0..<3).map { "kept\($0)" } + (0..<8).map { "new\($0)" })
        #expect(try await Self.create("last", at: nodes[0]).isMade)
        for node in nodes {
            try await eventually("each hears of the last") { Self.ids(of: node.events).last == "last" }
            let heard = Self.ids(of: node.events)
            #expect(Set(heard).count == heard.count, "an event came twice")
        }
        for node in nodes { await node.end() }
    }
}
