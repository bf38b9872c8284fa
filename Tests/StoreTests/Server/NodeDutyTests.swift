import JSON
import Network
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

/// A duty that nodes pass on to each other: one at a time has it.
@Suite("Duties of nodes")
struct NodeDutyTests {
    /// A clock that a test moves.
    private final class Clock: Sendable {
        let milliseconds = Mutex<Int>(1_000)

        func advance(_ count: Int) { milliseconds.withLock { $0 += count } }
        var now: MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(byMilliseconds: milliseconds.withLock { $0 }) }
    }

    private static func duty(_ clock: Clock) -> NodeDuty { NodeDuty("keeper") { clock.now } }

    @Test("a duty ends by the node's own clock before its row does, whatever the database answers")
    func ends() throws {
        let clock = Clock()
        let duty = Self.duty(clock)
        #expect(!duty.isHeld)
        let asked = try #require(duty.isDue)
        // The answer takes a while: the row is for ten seconds from the question on.
        clock.advance(1_000)
        duty.note(.taken, asked: asked)
        #expect(duty.isHeld && duty.isDue == nil)
        clock.advance(2_000)
        #expect(duty.isDue != nil)
        clock.advance(4_999)
        #expect(duty.isHeld)
        clock.advance(1)
        #expect(!duty.isHeld && duty.heldUntil == nil)
        // An answer that comes too late gives nothing.
        duty.note(.taken, asked: asked)
        #expect(!duty.isHeld)
        let again = try #require(duty.isDue)
        duty.note(.taken, asked: again)
        #expect(duty.isHeld)
    }

    @Test("a node that another one is ahead of asks when that one's time is over, and each three seconds in any case")
    func waits() throws {
        let clock = Clock()
        let duty = Self.duty(clock)
        for (left, pause) in [(400 as Int64, 400), (9_000, 3_000), (-5, 0)] {
            duty.note(.another(endsIn: left), asked: clock.now)
            #expect(!duty.isHeld)
            if pause > 0 {
                clock.advance(pause - 1)
                #expect(duty.isDue == nil)
                clock.advance(1)
            }
            #expect(duty.isDue != nil)
        }
        // One that held it loses it by the answer.
        duty.note(.taken, asked: clock.now)
        duty.note(.another(endsIn: 10_000), asked: clock.now)
        #expect(!duty.isHeld && duty.isDue == nil)
        duty.askSoon()
        #expect(duty.isDue != nil)
    }

    @Test("whoever has resigned takes no duty, also by an answer that was on its way")
    func resigns() throws {
        let clock = Clock()
        let duty = Self.duty(clock)
        let changes = Mutex(0)
        duty.listen { changes.withLock { $0 += 1 } }
        duty.note(.taken, asked: clock.now)
        #expect(changes.withLock { $0 } == 1)
        duty.resign()
        duty.note(.taken, asked: clock.now)
        #expect(!duty.isHeld && duty.isDue == nil)
        #expect(changes.withLock { $0 } == 1)
    }

    @Test("news of other nodes are read as they were announced, and unknown ones wake everything")
    func wakes() {
        let wakes: [NodeWake] = [
            .queue("a"), .queue("function:a b"), .queue(""), .outbox, .files, .tables, .rules, .executions, .duty,
            .joined,
            .everything,
        ]
        for wake in wakes {
            #expect(NodeWake(wake.payload(of: 7), for: 8) == wake)
            #expect(NodeWake(wake.payload(of: 7), for: 7) == nil)
        }
        #expect(NodeWake("", for: 8) == nil)
        for text in ["x", "7 x", "7 ", "x o", "7 qa"] { #expect(NodeWake(text, for: 8) == .everything) }
        let long = NodeWake.queue(ByteText(String(repeating: "é", count: 1_000)))
        #expect(NodeWake(long.payload(of: 7), for: 8) == .everything)
    }
}

/// Several nodes over one schema of a server, each with a store of its own.
@Suite(
    "Duties of nodes over one database", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct SharedDutyTests {
    private static let schema = "type Post @model { id: ID! title: String }"
    /// Short, so that the tests are.
    private static let short = NodeDuty.Times(
        leaseMilliseconds: 2_000, renewalMilliseconds: 300, marginMilliseconds: 500)
    /// So long that no test sees the end.
    private static let long = NodeDuty.Times(leaseMilliseconds: 3_600_000)

    /// The duties of all nodes: whenever one has got it, no other one must have it.
    private final class Holders: Sendable {
        private let duties = Mutex<[NodeDuty]>([])
        private let most = Mutex(0)

        var mostAtOnce: Int { most.withLock { $0 } }

        func add(_ duty: NodeDuty) {
            duties.withLock { $0.append(duty) }
            duty.listen { [self] in
                let count = duties.withLock { $0.count { $0.isHeld } }
                most.withLock { $0 = max($0, count) }
            }
        }
    }

    private final class Node: Sendable {
        let store: Store
        let nodes: Nodes
        let wakes = Mutex<Set<NodeWake>>([])

        init(
            _ schema: ServerSchema, _ times: NodeDuty.Times = SharedDutyTests.short, among holders: Holders = Holders()
        ) async throws {
            store = try schema.opened(SharedDutyTests.schema)
            let duty = NodeDuty("keeper", times)
            holders.add(duty)
            nodes = try await Nodes.join(store, address: "", version: "1", keeper: duty) { _ in }
            nodes.onWake { [self] heard in wakes.withLock { $0.formUnion(heard) } }
        }

        var isKeeper: Bool { nodes.keeper.isHeld }

        func end() async throws {
            await nodes.end()
            try store.close()
        }
    }

    @Test("one of three nodes is the keeper, and when it stops another one is, however long it would have been")
    func stop() async throws {
        let schema = try ServerSchema()
        let holders = Holders()
        var nodes: [Node] = []
        for _ in 0..<3 { nodes.append(try await Node(schema, Self.long, among: holders)) }
        for left in [3, 2, 1] {
            try await eventually("one of \(left) is the keeper") { nodes.contains { $0.isKeeper } }
            let keeper = nodes.remove(at: try #require(nodes.firstIndex { $0.isKeeper }))
            try await keeper.end()
            #expect(!keeper.isKeeper)
        }
        #expect(holders.mostAtOnce == 1)
        #expect(try schema.number("SELECT count(*) FROM _homeport_duties") == 0)
    }

    @Test("a keeper that does not renew the duty loses it by its own clock before another node has it")
    func death() async throws {
        let schema = try ServerSchema()
        let holders = Holders()
        let first = try await Node(schema, among: holders)
        try await eventually("the first is the keeper") { first.isKeeper }
        let second = try await Node(schema, among: holders)
        // As one that says nothing more: its row is nobody's from here on, so it renews nothing.
        try schema.run("UPDATE _homeport_duties SET node = 1")
        try await eventually("the first has lost it") { !first.isKeeper }
        try await eventually("one of them has it again") { first.isKeeper || second.isKeeper }
        #expect(holders.mostAtOnce == 1)
        try await first.end()
        try await second.end()
    }

    @Test("wakes come with the commit of their change to all other nodes, and with none that is undone")
    func wakes() async throws {
        let schema = try ServerSchema()
        let (first, second) = (try await Node(schema), try await Node(schema))
        try await eventually("they know of each other") {
            first.nodes.areOthersThere && second.nodes.areOthersThere
                && [first, second].allSatisfy { $0.wakes.withLock { $0.contains(.everything) } }
        }
        for node in [first, second] { node.wakes.withLock { $0 = [] } }
        struct Undone: Error {}
        await #expect(throws: Undone.self) {
            try await first.store.writer.write(turn: .queues, key: nil) { session in
                session.wake(.outbox)
                throw Undone()
            }
        }
        let living = try await first.store.writer.write(turn: .queues, key: nil) { session in
            session.wake(.queue("a"))
            session.wake(.queue("a"))
            session.wake(.queue("b"))
            return (try session.livingNodes(), session.nodeNumber)
        }
        let own = try #require(living.1)
        #expect(living.0.count == 2 && living.0.contains(own))
        try await eventually("the second hears") {
            second.wakes.withLock { $0.isSuperset(of: [.queue("a"), .queue("b")]) }
        }
        #expect(first.wakes.withLock { $0.isEmpty })
        // Too many to name them.
        _ = try await second.store.writer.write(turn: .queues, key: nil) { session in
            for number in 0..<100 { session.wake(.queue(ByteText("q\(number)"))) }
        }
        try await eventually("the first hears of everything") { first.wakes.withLock { $0 == [.everything] } }
        try await first.end()
        try await second.end()
    }

    @Test("tables that another node has brought are known")
    func rooms() async throws {
        let tables = RoomTables(
            of: "test of rooms", turn: .queues,
            versions: [
                [RoomStatement("CREATE TABLE _homeport_test_of_rooms (number INTEGER PRIMARY KEY NOT NULL) STRICT")]
            ])
        let schema = try ServerSchema()
        let (first, second) = (try await Node(schema), try await Node(schema))
        _ = try await first.store.writer.write(turn: .queues, key: nil) { session in try session.bring(tables) }
        let isThere = try await second.store.readAside(tables, until: .max, ifNone: false) { _ throws(StoreError) in
            true
        }
        #expect(isThere)
        try await first.end()
        try await second.end()
    }
}
