import Access
import JSON
import Network
import Postgres
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Several engines over one schema of a server: each with a store of its own, as processes have.
@Suite(
    "Events of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeEventTests {
    private static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) {
            id: ID!
            title: String
            likes: Int
        }
        """

    /// Unchecked: one task at a time asks its engine.
    final class Node: @unchecked Sendable {
        struct Heard {
            var events: [String] = []
            var losses = 0
        }

        let engine: TestEngine
        private let nodes: Nodes
        private let heard = Mutex(Heard())

        init(at location: Store.Location) async throws {
            engine = try TestEngine(NodeEventTests.schema, at: location)
            nodes = try await Nodes.join(engine.engine.store, address: "", version: "1") { _ in }
            engine.engine.tellOfMutations(
                MutationListener(
                    hasListeners: { true },
                    publish: { [weak self] events in
                        self?.heard.withLock { heard in
                            heard.events += events.map { "\($0.mutationField) \($0.typeName) \($0.value.text)" }
                        }
                    }, lose: { [weak self] in self?.heard.withLock { $0.losses += 1 } }))
            engine.engine.hear(nodes)
        }

        var events: [String] { heard.withLock { $0.events } }
        var losses: Int { heard.withLock { $0.losses } }
        var areOthersThere: Bool { nodes.areOthersThere }

        func value(_ document: String) async throws -> JSONValue { try await engine.value(document) }

        func end() async { await nodes.end() }
    }

    /// A schema on a server of its own, whose sessions a test may end.
    private struct OwnServer {
        let server = try? PostgresServer()
        let location: Store.Location

        init() throws {
            let server = try #require(server)
            let app = try server.app()
            defer { app.close() }
            _ = try app.answer("CREATE SCHEMA nodes")
            var settings = server.socketSettings()
            settings.options = "-c search_path=nodes"
            location = .server(ServerPlace(settings))
        }

        func run(_ text: String) throws {
            let app = try #require(server).app()
            defer { app.close() }
            _ = try app.answer("SET search_path = nodes")
            _ = try app.answer(text)
        }

        /// Ends all sessions of nodes, runs statements, and lets nodes come back only then, as where another server takes over.
        func takeOver(_ texts: [String]) throws {
            let server = try #require(server)
            let (app, admin) = (try server.app(), try server.admin())
            defer {
                app.close()
                admin.close()
            }
            _ = try app.answer("SET search_path = nodes")
            let own = try #require(try app.answer("SELECT pg_backend_pid()")[0].integer(0))
            _ = try admin.answer("ALTER DATABASE blog CONNECTION LIMIT 0")
            _ = try admin.answer(
                "SELECT count(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity WHERE usename = 'app' AND pid <> \(own)"
            )
            for text in texts { _ = try app.answer(text) }
            _ = try admin.answer("ALTER DATABASE blog CONNECTION LIMIT -1")
        }

        func number(_ text: String) throws -> Int64 {
            let app = try #require(server).app()
            defer { app.close() }
            _ = try app.answer("SET search_path = nodes")
            return try #require(try app.answer(text)[0].integer(0))
        }
    }

    /// One to three changes of few records, of which many fail.
    private static func document(_ random: inout SeededRandom, _ number: Int, of node: Int) -> String {
        let fields = (0..<Int.random(in: 1...3, using: &random)).map { field in
            let id = "p\(Int.random(in: 0..<4, using: &random))"
            let title = "\(node) \(number) \(field)"
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return #"f\#(field): createPost(input: {id: "\#(id)", title: "\#(title)"}) { id title likes }"#
            case 1: return #"f\#(field): deletePost(input: {id: "\#(id)"}) { id title likes }"#
            case 2:
                return #"f\#(field): updatePost(input: {id: "\#(id)", title: "\#(title)"}, "#
                    + #"condition: {likes: {gt: 1}}) { id title likes }"#
            default:
                let likes = Int.random(in: 0..<4, using: &random)
                return #"f\#(field): updatePost(input: {id: "\#(id)", title: "\#(title)", likes: \#(likes)}) "#
                    + "{ id title likes }"
            }
        }
        return "mutation { \(fields.joined(separator: " ")) }"
    }

    /// The changes that a response says were made.
    private static func made(_ response: JSONValue) -> Int {
        response["data"]?.object?.count { $0.value != .null } ?? 0
    }

    private static func check(_ nodes: [Node], made: Int) async throws {
        func counts() -> [Int] { nodes.map(\.events.count) }
        try await eventually("all hear \(made) events: \(counts()), with losses \(nodes.map(\.losses))") {
            let counts = counts()
            return counts.allSatisfy { $0 == counts[0] && $0 >= made }
        }
        // Nothing comes behind: whatever one has heard by now, all have.
        let heard = nodes[0].events
        for node in nodes { #expect(node.events == heard) }
        #expect(heard.count == made)
        #expect(Set(heard).count == heard.count, "an event came twice")
        let list = try await nodes[0].value("{ listPosts { items { id title likes } } }")
        var stored: [String: String] = [:]
        for item in list[path: "data", "listPosts", "items"]?.array ?? [] {
            stored[item["id"]?.string ?? ""] = item.text
        }
        for id in (0..<4).map({ "p\($0)" }) {
            let last = heard.last { $0.contains(#"{"id":"\#(id)""#) }
            if let value = stored[id] {
                #expect(last?.hasSuffix(value) == true, "\(id): \(value), \(last ?? "no event")")
                #expect(last?.hasPrefix("deletePost") == false)
            } else {
                #expect(last?.hasPrefix("deletePost") ?? true, "\(id) is gone: \(last ?? "")")
            }
        }
    }

    @Test(
        "three nodes change few records: all hear the same events in one order, and of each record the stored one last")
    func order() async throws {
        let location = try TestDatabase.server()
        var nodes: [Node] = []
        for _ in 0..<3 { nodes.append(try await Node(at: location)) }
        let seed = SeededRandom.seed(test: "NodeEventTests.order")
        let made = try await withThrowingTaskGroup(of: Int.self) { [nodes] group in
            for (number, node) in nodes.enumerated() {
                group.addTask {
                    var random = SeededRandom(seed: seed &+ UInt64(number))
                    var made = 0
                    for change in 0..<Fuzz.rounds(ordinarily: 60) {
                        made += Self.made(try await node.value(Self.document(&random, change, of: number)))
                    }
                    return made
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(made > 30)
        try await Self.check(nodes, made: made)
        for node in nodes {
            #expect(node.losses == 0)
            await node.end()
        }
    }

    @Test("connections that end, also within a commit, lose no event and make none twice")
    func cuts() async throws {
        let own = try OwnServer()
        let nodes = [try await Node(at: own.location), try await Node(at: own.location)]
        let seed = SeededRandom.seed(test: "NodeEventTests.cuts")
        let cutting = Task {
            let admin = try #require(own.server).admin()
            defer { admin.close() }
            var random = SeededRandom(seed: seed)
            // A node has to sign on two connections within 15 seconds, which takes a dozen answers: the slower these are, the rarer is a cut.
            var answerTime = Duration.zero
            while !Task.isCancelled {
                try await pause(
                    .milliseconds(Int.random(in: 5..<60, using: &random)) + answerTime * 20,
                    because: "the moment of a cut")
                let begin = ContinuousClock.now
                _ = try admin.answer(
                    "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE usename = 'app' "
                        + "ORDER BY random() LIMIT 1) AS one")
                answerTime = .now - begin
            }
        }
        let made = try await withThrowingTaskGroup(of: Int.self) { [nodes] group in
            for (number, node) in nodes.enumerated() {
                group.addTask {
                    var random = SeededRandom(seed: seed &+ UInt64(number))
                    var made = 0
                    for change in 0..<Fuzz.rounds(ordinarily: 150) {
                        made += Self.made(try await node.value(Self.document(&random, change, of: number)))
                    }
                    return made
                }
            }
            return try await group.reduce(0, +)
        }
        cutting.cancel()
        _ = try? await cutting.value
        try await Self.check(nodes, made: made)
        for node in nodes { await node.end() }
    }

    @Test("a node alone writes no events, and shares them from the moment that another one joins")
    func joining() async throws {
        let own = try OwnServer()
        let first = try await Node(at: own.location)
        _ = try await first.value(#"mutation { createPost(input: {id: "p0"}) { id } }"#)
        #expect(first.events.count == 1)
        #expect(try own.number("SELECT count(*) FROM _homeport_events") == 0)
        #expect(!first.areOthersThere)
        let second = try await Node(at: own.location)
        _ = try await first.value(#"mutation { updatePost(input: {id: "p0", likes: 1}) { id likes } }"#)
        #expect(first.areOthersThere)
        #expect(try own.number("SELECT count(*) FROM _homeport_events") == 1)
        _ = try await second.value(#"mutation { updatePost(input: {id: "p0", likes: 2}) { id likes } }"#)
        #expect(second.events.count == 2)
        try await eventually("the first hears of both: \(first.events)") { first.events.count == 3 }
        #expect(Array(first.events.dropFirst()) == second.events)
        // Once it has left, nothing is shared any more.
        await second.end()
        try await eventually("the first is alone") { !first.areOthersThere }
        _ = try await first.value(#"mutation { updatePost(input: {id: "p0", likes: 3}) { id likes } }"#)
        #expect(first.events.count == 4)
        #expect(try own.number("SELECT count(*) FROM _homeport_events") == 2)
        #expect(first.losses == 0 && second.losses == 0)
        await first.end()
    }

    @Test("what undoes a change undoes its event, and a large event comes whole")
    func undone() async throws {
        let location = try TestDatabase.server()
        let nodes = [try await Node(at: location), try await Node(at: location)]
        let title = String(repeating: "é", count: 300_000)
        let response = try await nodes[0].engine.value(
            """
            mutation ($title: String) {
                a: createPost(input: {id: "p0", title: $title}) { id title }
                b: createPost(input: {id: "p0"}) { id }
                c: createPost(input: {id: "p1", title: $title}) { id title }
                d: deletePost(input: {id: "p9"}) { id }
            }
            """, JSONObject([("title", .string(title))]))
        #expect(Self.made(response) == 2)
        try await eventually("both hear of two") { nodes.allSatisfy { $0.events.count == 2 } }
        #expect(nodes[0].events == nodes[1].events)
        #expect(nodes[1].events[1].contains(title))
        for node in nodes { await node.end() }
    }

    @Test("a node that was taken for gone says that events are missing, and joins again")
    func gone() async throws {
        let own = try OwnServer()
        let nodes = [try await Node(at: own.location), try await Node(at: own.location)]
        try own.run("DELETE FROM _homeport_nodes")
        try await eventually("both hear of a loss") { nodes.allSatisfy { $0.losses > 0 } }
        try await eventually("both are back") { try own.number("SELECT count(*) FROM _homeport_nodes") == 2 }
        _ = try await nodes[0].value(#"mutation { createPost(input: {id: "p0"}) { id } }"#)
        try await eventually("both hear") { nodes.allSatisfy { $0.events.count == 1 } }
        for node in nodes { await node.end() }
    }

    @Test("numbers that are left out, or go back, are a loss for all")
    func losses() async throws {
        let own = try OwnServer()
        let nodes = [try await Node(at: own.location), try await Node(at: own.location)]
        _ = try await nodes[0].value(#"mutation { createPost(input: {id: "p0"}) { id } }"#)
        try await eventually("both hear") { nodes.allSatisfy { $0.events.count == 1 } }
        try own.run("UPDATE _homeport_turns SET sequence = sequence + 5 WHERE room = 'models'")
        _ = try await nodes[0].value(#"mutation { updatePost(input: {id: "p0", likes: 1}) { id likes } }"#)
        try await eventually("both hear") { nodes.allSatisfy { $0.events.count == 2 } }
        #expect(nodes.allSatisfy { $0.losses == 1 })
        // As after a failover to a server that has not got the last commits.
        try own.run(
            "WITH gone AS (DELETE FROM _homeport_events) UPDATE _homeport_turns SET sequence = 0 WHERE room = 'models'")
        _ = try await nodes[1].value(#"mutation { updatePost(input: {id: "p0", likes: 2}) { id likes } }"#)
        #expect(nodes[1].losses == 2 && nodes[1].events.count == 3)
        try await eventually("the other one hears of the loss") { nodes[0].losses >= 2 }
        _ = try await nodes[1].value(#"mutation { updatePost(input: {id: "p0", likes: 3}) { id likes } }"#)
        try await eventually("the other one hears again") { nodes[0].events.last == nodes[1].events.last }
        for node in nodes { await node.end() }
    }

    @Test("a server that takes over without the last events is found out, also when it has as many of its own, or more")
    func overtaken() async throws {
        for more in [0, 1] {
            let own = try OwnServer()
            let nodes = [try await Node(at: own.location), try await Node(at: own.location)]
            for likes in 0..<3 {
                _ = try await nodes[0].value(#"mutation { createPost(input: {id: "p\#(likes)"}) { id } }"#)
            }
            try await eventually("both hear") { nodes.allSatisfy { $0.events.count == 3 } }
            let another = "set_byte(events, 0, (get_byte(events, 0) + 1) % 256)"
            try own.takeOver([
                "UPDATE _homeport_events SET events = \(another) WHERE sequence > 1",
                "INSERT INTO _homeport_events SELECT sequence + 1, node, made, events FROM _homeport_events "
                    + "WHERE sequence = 3 AND \(more) = 1",
                "UPDATE _homeport_turns SET sequence = sequence + \(more) WHERE room = 'models'",
            ])
            try await eventually("both say that events are missing") { nodes.allSatisfy { $0.losses > 0 } }
            #expect(nodes.allSatisfy { $0.events.count == 3 }, "what came in between is no event of theirs")
            try await eventually("one changes something") {
                try await nodes[1].value(#"mutation { createPost(input: {id: "after"}) { id } }"#)["errors"] == nil
            }
            try await eventually("both hear again") {
                nodes.allSatisfy { $0.events.last?.contains("after") == true }
            }
            for node in nodes { await node.end() }
        }
    }

    @Test("a node that is alone finds out that its last commit is lost, and one whose connections end has lost none")
    func lostCommit() async throws {
        let own = try OwnServer()
        let node = try await Node(at: own.location)
        _ = try await node.value(#"mutation { createPost(input: {id: "p0"}) { id } }"#)
        try own.takeOver([])
        try await eventually("it goes on") {
            try await node.value(#"mutation { updatePost(input: {id: "p0", likes: 1}) { id } }"#)["errors"] == nil
        }
        #expect(node.losses == 0)
        try own.takeOver(["UPDATE _homeport_marks SET mark = mark + 1"])
        try await eventually("it says that events are missing") { node.losses == 1 }
        await node.end()
    }
}
