import Access
import Foundation
import JSON
import Network
import Postgres
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// What several processes over one database know of each other, and what they do about one that is silent.
@Suite(
    "The state of nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeStateTests {
    private static let schema =
        "type Post @model @auth(rules: [{ allow: public }]) { id: ID! title: String likes: Int }"

    /// A node: an engine with a store of its own.
    ///
    /// Unchecked: one task at a time asks its engine.
    private final class Node: @unchecked Sendable {
        let engine: TestEngine
        let nodes: Nodes
        private let heard = Mutex<[String]>([])

        init(
            at location: Store.Location,
            now: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
        ) async throws {
            engine = try TestEngine(NodeStateTests.schema, at: location)
            nodes = try await Nodes.join(engine.engine.store, address: "", version: "1", now: now) { _ in }
            engine.engine.tellOfMutations(
                MutationListener(
                    hasListeners: { false }, publish: { _ in },
                    publishToChannel: { [weak self] channel, texts in
                        self?.heard.withLock { $0 += texts.map { "\(channel) \($0)" } }
                    }))
            engine.engine.hear(nodes)
        }

        /// The events of channels.
        var events: [String] { heard.withLock { $0 } }

        func create(_ id: String) async throws -> String {
            try await engine.text(#"mutation { createPost(input: {id: "\#(id)"}) { id } }"#)
        }

        func end() async { await nodes.end() }
    }

    /// A server whose sessions a test may hold up, with the settings of a schema on it.
    private struct OwnServer {
        let server: PostgresServer
        var settings: PostgresSettings

        init() throws {
            server = try PostgresServer()
            let app = try server.app()
            defer { app.close() }
            _ = try app.answer("CREATE SCHEMA nodes")
            settings = server.socketSettings()
            settings.options = "-c search_path=nodes"
        }

        var location: Store.Location { .server(ServerPlace(settings)) }

        func run(_ text: String) throws {
            let app = try server.app()
            defer { app.close() }
            _ = try app.answer("SET search_path = nodes")
            _ = try app.answer(text)
        }
    }

    @Test("a node knows how far its clock is off the database's, and whether it is one of the nodes")
    func state() async throws {
        let own = try OwnServer()
        let lead = Mutex<Int64>(0)
        let node = try await Node(at: own.location) {
            Timestamp.now.millisecondsSince1970 + lead.withLock { $0 }
        }
        #expect(node.nodes.currentState.isMember)
        #expect(node.nodes.currentState.leadMilliseconds == 0)
        for set in [8_000, -8_000, 0] as [Int64] {
            lead.withLock { $0 = set }
            try await eventually("the node knows of \(set): \(node.nodes.currentState)") {
                (set - 100...set + 100).contains(node.nodes.currentState.leadMilliseconds)
            }
        }
        // Another node takes it for gone: it hears of that with its next sign, and joins again as soon as it has the turn.
        let holder = try own.server.app()
        defer { holder.close() }
        _ = try holder.answer("SET search_path = nodes")
        _ = try holder.answer("BEGIN")
        _ = try holder.answer("SELECT 1 FROM _homeport_turns WHERE room = 'models' FOR UPDATE")
        try own.run("DELETE FROM _homeport_nodes")
        try await eventually("it is no member") { !node.nodes.currentState.isMember }
        _ = try? holder.answer("COMMIT")
        try await eventually("it is one again") { node.nodes.currentState.isMember }
        await node.end()
    }

    @Test("a publish to a channel reaches all nodes, each publisher's in its order, and all in one order")
    func channels() async throws {
        let location = try TestDatabase.server()
        let first = try await Node(at: location)
        // Whoever is alone delivers by itself.
        #expect(try await first.engine.engine.isShared(["0"], to: "/default/a") == false)
        let nodes = [first, try await Node(at: location), try await Node(at: location)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, node) in nodes.enumerated() {
                group.addTask {
                    for event in 0..<40 {
                        let isShared = try await node.engine.engine.isShared(
                            ["\(number) \(event)"], to: "/default/a")
                        #expect(isShared)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await eventually("all hear of all") { nodes.allSatisfy { $0.events.count == 120 } }
        for node in nodes { #expect(node.events == first.events) }
        for number in nodes.indices {
            let own = first.events.filter { $0.hasPrefix("/default/a \(number) ") }
            #expect(own == (0..<40).map { "/default/a \(number) \($0)" })
        }
        for node in nodes { await node.end() }
    }

    /// A client of the database that takes the turn of the models within a transaction, and then hears and says nothing.
    ///
    /// - Parameter unread: what it says, which nobody reads.
    private static func hold(_ own: OwnServer, _ more: String, _ unread: Pipe) throws -> ChildProcess {
        let programs = try #require(PostgresServer.programs)
        return try ChildProcess(
            [
                "\(programs)/psql", "-q", "-X", "-h", own.server.socketFolder, "-p", "\(own.server.port)", "-U", "app",
                "blog",
                "-c", "BEGIN", "-c", "SET search_path = nodes", "-c",
                "SELECT 'held' FROM _homeport_turns WHERE room = 'models' FOR UPDATE", "-c", more,
            ],
            environment: ["PGPASSWORD": PostgresServer.password], input: .nothing, output: .pipe(unread))
    }

    @Test(
        "whoever holds a turn and hears nothing is ended within six seconds by the one that waits, also while an answer is on its way"
    )
    func silentHolder() async throws {
        let own = try OwnServer()
        defer { own.server.stop() }
        let nodes = [try await Node(at: own.location), try await Node(at: own.location)]
        let admin = try own.server.admin()
        defer { admin.close() }
        var waits = WaitTimes(promised: .seconds(6))
        while waits.goesOn {
            let unread = Pipe()
            defer { withExtendedLifetime(unread) {} }
            // The server waits for its client to take this, and no timeout of its own ends that.
            let copy = "COPY (SELECT repeat('x', 1000000) FROM generate_series(1, 100)) TO STDOUT"
            let holder = try Self.hold(own, copy, unread)
            defer { holder.signal(SIGKILL) }
            try await eventually("the holder is silent") {
                let found = try admin.answer(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'psql' AND wait_event = 'ClientWrite'"
                )
                return try found[0].integer(0) == 1
            }
            let begin = ContinuousClock.now
            async let first = nodes[0].create(Self.anyID)
            async let second = nodes[1].create(Self.anyID)
            let answers = try await [first, second]
            waits.note(.now - begin)
            #expect(answers.allSatisfy { !$0.contains("errors") }, "\(answers)")
        }
        #expect(waits.isKept, "\(waits)")
        #expect(waits.longest < .seconds(30), "\(waits)")
        for node in nodes { await node.end() }
    }

    private static var anyID: String { "\(UInt64.random(in: 0 ... .max))" }

    @Test("whoever holds a turn and asks for nothing more is ended within six seconds by the one that waits")
    func idleHolder() async throws {
        let own = try OwnServer()
        defer { own.server.stop() }
        let node = try await Node(at: own.location)
        var waits = WaitTimes(promised: .seconds(6))
        while waits.goesOn {
            let holder = try own.server.app()
            defer { holder.close() }
            _ = try holder.answer("SET search_path = nodes")
            _ = try holder.answer("BEGIN")
            _ = try holder.answer("SELECT 1 FROM _homeport_turns WHERE room = 'models' FOR UPDATE")
            let begin = ContinuousClock.now
            let answer = try await node.create(Self.anyID)
            waits.note(.now - begin)
            #expect(!answer.contains("errors"), "\(answer)")
            #expect(throws: (any Error).self) { try holder.answer("SELECT 1") }
        }
        #expect(waits.isKept, "\(waits)")
        #expect(waits.longest < .seconds(30), "\(waits)")
        await node.end()
    }

    /// Lets no byte of the far node's pass, and returns how long the near one takes for a change then; nil where the far one does not hold it up.
    private static func wait(of near: Node, behindCutOf line: HeldLine, in own: OwnServer) async throws -> Duration? {
        line.hold()
        let begin = ContinuousClock.now
        async let answer = near.create(anyID)
        let isHeldUp = try await BlockingThread.run {
            let database = try own.server.app()
            defer { database.close() }
            // The near one comes by the Unix socket.
            return try database.holdUpOthers("client_addr IS NOT NULL")
        }
        let made = try await answer
        #expect(!made.contains("errors"), "\(made)")
        return isHeldUp ? .now - begin : nil
    }

    @Test(
        "a node that is cut off while it has the turn holds others up for six seconds, comes back by itself, and nothing of what it has acknowledged is missing"
    )
    func cutOff() async throws {
        let own = try OwnServer()
        defer { own.server.stop() }
        let line = try HeldLine(to: own.server.port)
        defer { line.close() }
        var settings = own.settings
        settings.hosts = [PostgresHost(name: "127.0.0.1", port: line.port)]
        let (far, near) = (
            try await Node(at: .server(ServerPlace(settings))), try await Node(at: own.location)
        )
        let made = Made()
        var random = SeededRandom(test: "NodeStateTests.cutOff")
        let rounds = Fuzz.rounds(ordinarily: 1)
        var waits = WaitTimes(promised: .seconds(6), rounds: rounds...(rounds + 4))
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let id = "far-\(number)"
                let answer = try await far.create(id)
                if !answer.contains("errors") { made.add(id) }
            }
        }
        var cuts = 0
        while waits.goesOn {
            cuts += 1
            try #require(cuts < 100 * rounds, "it never has the turn when it is cut off")
            let before = made.all.count
            try await eventually("the far one writes") { made.all.count > before }
            try await pause(
                .milliseconds(Int.random(in: 50..<350, using: &random)), because: "the moment of a cut within a commit"
            )
            if let wait = try await Self.wait(of: near, behindCutOf: line, in: own) { waits.note(wait) }
            line.release()
        }
        writing.cancel()
        _ = try await writing.value
        #expect(waits.isKept, "\(waits)")
        #expect(waits.longest < .seconds(30), "\(waits)")
        try await eventually("the far one is back") { try await !far.create(Self.anyID).contains("errors") }
        let stored = try await near.engine.value("{ listPosts(limit: 10000) { items { id } } }")
        let ids = (stored[path: "data", "listPosts", "items"]?.array ?? []).compactMap { $0["id"]?.string }
        #expect(Set(ids).isSuperset(of: made.all))
        await far.end()
        await near.end()
    }

    @Test("whoever holds a turn and works is waited for, and not ended")
    func busyHolder() async throws {
        let own = try OwnServer()
        defer { own.server.stop() }
        let node = try await Node(at: own.location)
        let holder = try own.server.app()
        defer { holder.close() }
        _ = try holder.answer("SET search_path = nodes")
        _ = try holder.answer("BEGIN")
        _ = try holder.answer("SELECT 1 FROM _homeport_turns WHERE room = 'models' FOR UPDATE")
        // Longer than the node waits at once.
        let work = BlockingAnswer {
            try holder.answer("SELECT count(*) FROM generate_series(1, 1750) AS one, pg_sleep(0.004)")
        }
        async let answer = node.create("p0")
        #expect(try await work.value()[0].integer(0) == 1_750)
        _ = try holder.answer("COMMIT")
        let made = try await answer
        #expect(!made.contains("errors"), "\(made)")
        await node.end()
    }
}

/// The records that somebody was told are made.
private final class Made: Sendable {
    private let ids = Mutex<Set<String>>([])

    var all: Set<String> { ids.withLock { $0 } }

    func add(_ id: String) { ids.withLock { _ = $0.insert(id) } }
}

/// An answer that a thread waits for.
///
/// Unchecked: the thread leaves it before it signals.
private final class BlockingAnswer: @unchecked Sendable {
    private var outcome: Result<PostgresAnswer, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ ask: @escaping () throws -> PostgresAnswer) {
        let box = Asking(ask: ask)
        BlockingThread.detach { [self] in
            outcome = Result { try box.ask() }
            isDone.signal()
        }
    }

    /// Unchecked: the test leaves the connection to the thread.
    private struct Asking: @unchecked Sendable {
        let ask: () throws -> PostgresAnswer
    }

    func value() async throws -> PostgresAnswer {
        try await BlockingThread.run { [self] in
            isDone.wait()
            isDone.signal()
        }
        return try #require(outcome).get()
    }
}
