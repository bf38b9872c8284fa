import JSON
import Network
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite(
    "Rows of a server that a loop reads by itself", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct LoopReadTests {
    private static let schema = "type Post @model { id: ID! title: String }"
    private static let fields = ["id", "title"]

    /// What became of reads, by their numbers, and where.
    private final class Answers: Sendable {
        private let all = Mutex<[Int: (Result<String, StoreError>, isOnLoop: Bool)]>([:])

        func note(_ number: Int, _ result: Result<String, StoreError>, isOnLoop: Bool) {
            all.withLock { all in
                precondition(all[number] == nil, "a read is answered once")
                all[number] = (result, isOnLoop)
            }
        }

        var count: Int { all.withLock { $0.count } }
        var onLoop: Int { all.withLock { $0.values.count { $0.isOnLoop } } }
        var values: [Int: String] { all.withLock { $0.compactMapValues { try? $0.0.get() } } }
        var kinds: [Int: StoreError.Kind] {
            all.withLock { all in
                all.compactMapValues { answer in
                    if case .failure(let error) = answer.0 { error.kind } else { nil }
                }
            }
        }
    }

    /// A loop that reads by itself, over a store with posts 0 to 9.
    private final class Reading: Sendable {
        let store: Store
        let loop: EventLoop
        let reads: LoopReads
        private let lookup: KeyLookup

        init(at place: ServerPlace) async throws {
            store = try Store.opened(LoopReadTests.schema, at: .server(place))
            lookup = KeyLookup(try store.table("Post"), fields: LoopReadTests.fields)
            for number in 0..<10 {
                try await store.make(
                    "Post", [.init("id", .text("\(number)")), .init("title", .text("t\(number)"))])
            }
            loop = try EventLoop(index: 0)
            try loop.start()
            reads = try #require(store.reads(on: loop))
        }

        /// Begins reads of these posts in one turn of the loop.
        func begin(
            _ ids: [String], until end: Int64 = .max, _ answers: Answers, isGivenUp: Bool = false,
            ran: (@Sendable () -> Void)? = nil
        ) async {
            await loop.run { [self] in
                for (number, id) in ids.enumerated() {
                    let giveUp = reads.begin(
                        until: end, asking: ServerQuestion(lookup, key: [.text(id)]),
                        { [lookup] reader throws(StoreError) in
                            ran?()
                            var found = "none"
                            _ = try reader.get(lookup, key: [.text(id)]) { row throws(StoreError) in
                                found = row.text(1)
                            }
                            return found
                        }, answer: { [loop] in answers.note(number, $0, isOnLoop: loop.isCurrent) })
                    if isGivenUp { giveUp() }
                }
            }
        }

        /// Reads posts, and waits for the answers.
        func read(_ ids: [String]) async throws -> Answers {
            let answers = Answers()
            await begin(ids, answers)
            try await eventually("all are answered") { answers.count == ids.count }
            return answers
        }

        /// Has the loop get its connection, which it asks for with the first read.
        func connect() async throws {
            try await eventually("the loop has a connection") {
                _ = try await read(["0"])
                return await loop.run { [reads] in reads.hasConnection }
            }
        }

        var tripCount: Int64 {
            get async { await loop.run { [reads] in reads.trips } }
        }

        func end() async throws {
            await loop.run { [reads] in reads.close() }
            loop.stop()
            loop.join()
            try store.close()
        }
    }

    /// A loop that has its connection, by a line that can be held.
    private static func held() async throws -> (HeldLine, Reading) {
        let schema = try ServerSchema()
        let line = try HeldLine(to: schema.server.port)
        let reading = try await Reading(at: schema.place(through: line.port))
        try await reading.connect()
        return (line, reading)
    }

    private static func ids(_ count: Int) -> [String] { (0..<count).map { "\($0 % 10)" } }

    @Test("those of a turn share a trip, as many as it has room for, and are answered on the loop")
    func trips() async throws {
        let reading = try await Reading(at: ServerSchema().place)
        let first = try await reading.read(["1"])
        #expect(first.values == [0: "t1"] && first.onLoop == 0)
        try await reading.connect()
        let before = await reading.tripCount
        let count = StoreLimits.sharedTripParts + 10
        let answers = try await reading.read(Self.ids(count))
        #expect(answers.onLoop == count && answers.values.count == count)
        for (number, value) in answers.values { #expect(value == "t\(number % 10)") }
        #expect(await reading.tripCount - before == 2)
        #expect(try await reading.read(["none", "3"]).values == [0: "none", 1: "t3"])
        // Those for which a loop has no room are read beside it.
        let most = StoreLimits.loopReadsMax
        let many = try await reading.read(Self.ids(most + 5))
        #expect(many.onLoop == most && many.values.count == most + 5)
        try await reading.end()
    }

    @Test(
        "a key that is long, or that no text of the server may have, goes beside the loop, and so do those with it in a trip"
    )
    func keys() async throws {
        let reading = try await Reading(at: ServerSchema().place)
        try await reading.connect()
        let long = String(repeating: "k", count: StoreLimits.loopKeyBytes + 1)
        let answers = try await reading.read(["1", long, "2"])
        #expect(answers.values == [0: "t1", 1: "none", 2: "t2"] && answers.onLoop == 2)
        // A trip takes keys up to its limit. What is left goes with the next one.
        let before = await reading.tripCount
        let many = (0..<20).map { "\($0)" + String(repeating: "k", count: StoreLimits.loopKeyBytes - 20) }
        let others = try await reading.read(many)
        #expect(others.onLoop == 20 && others.values.allSatisfy { $0.value == "none" })
        #expect(await reading.tripCount - before >= 3)
        let zero = try await reading.read(["1", "a\0b", "2"])
        #expect(zero.onLoop == 0 && zero.values[0] == "t1" && zero.values[2] == "t2" && zero.count == 3)
        // The connection is as good as before.
        #expect(try await reading.read(["1"]).onLoop == 1)
        try await reading.end()
    }

    @Test("a question that the server refuses goes beside the loop, which keeps its connection")
    func refused() async throws {
        let schema = try ServerSchema()
        let reading = try await Reading(at: schema.place)
        try await reading.connect()
        // The plan of the prepared statement holds no longer: once it is refused, then it is prepared anew.
        try schema.run("ALTER TABLE \"Post\" ALTER COLUMN title TYPE varchar")
        let answers = try await reading.read(Self.ids(10))
        #expect(answers.values.count == 10, "\(answers.kinds)")
        #expect(try await reading.read(Self.ids(10)).onLoop == 10)
        try await reading.end()
    }

    @Test("a row that is long is read beside the loop")
    func longRows() async throws {
        let reading = try await Reading(at: ServerSchema().place)
        try await reading.connect()
        let title = String(repeating: "t", count: StoreLimits.loopAnswerBytes)
        try await reading.store.make("Post", [.init("id", .text("long")), .init("title", .text(title))])
        let answers = try await reading.read(["1", "long"])
        #expect(answers.values == [0: "t1", 1: title] && answers.onLoop == 0)
        #expect(try await reading.read(["1"]).onLoop == 1)
        try await reading.end()
    }

    @Test("a read that was given up, or whose time is over, does not run")
    func givenUp() async throws {
        let reading = try await Reading(at: ServerSchema().place)
        try await reading.connect()
        let runs = Mutex(0)
        let (late, answers) = (Answers(), Answers())
        await reading.begin(["1"], until: 1, late, ran: { runs.withLock { $0 += 1 } })
        // Within one turn, so no answer comes before they are given up.
        await reading.begin(["1", "2"], answers, isGivenUp: true, ran: { runs.withLock { $0 += 1 } })
        try await eventually("all are answered") { late.count == 1 && answers.count == 2 }
        #expect(late.kinds == [0: .interrupted] && answers.kinds == [0: .interrupted, 1: .interrupted])
        #expect(runs.withLock { $0 } == 0)
        try await reading.end()
    }

    @Test("where the connection is cut, all that were on their way are answered, and the loop gets another one")
    func cut() async throws {
        let schema = try ServerSchema()
        let line = try CutLine(to: schema.server.port)
        defer { line.close() }
        let reading = try await Reading(at: schema.place(through: line.port))
        try await reading.connect()
        for messages in [1, 3, 20, 40] {
            line.arm(.cut, behind: messages)
            let answers = try await reading.read(Self.ids(10))
            #expect(answers.values.count == 10, "behind \(messages): \(answers.kinds)")
            try await reading.connect()
        }
        try await reading.end()
    }

    @Test("where a server says nothing, reads go beside the loop behind the time of a trip, and the loop goes on")
    func silence() async throws {
        let (line, reading) = try await Self.held()
        defer { line.close() }
        line.hold()
        let answers = Answers()
        let end = Timestamp.monotonicMilliseconds + 3_000
        await reading.begin(Self.ids(3), until: end, answers)
        #expect(await reading.loop.run { true })
        try await eventually("all are answered") { answers.count == 3 }
        #expect(answers.kinds.count == 3 && answers.onLoop == 0, "\(answers.kinds)")
        line.release()
        try await reading.connect()
        try await reading.end()
    }

    @Test("a connection that ends while nothing is read takes no read with it")
    func ended() async throws {
        let (line, reading) = try await Self.held()
        defer { line.close() }
        line.release()
        #expect(try await reading.read(Self.ids(10)).values.count == 10)
        try await reading.connect()
        try await reading.end()
    }

    @Test("behind the end nothing waits, and loops beyond the first have none")
    func closed() async throws {
        let (line, reading) = try await Self.held()
        defer { line.close() }
        line.hold()
        let answers = Answers()
        await reading.begin(Self.ids(StoreLimits.sharedTripParts + 5), answers)
        await reading.loop.run { [reads = reading.reads] in reads.close() }
        #expect(answers.count == StoreLimits.sharedTripParts + 5)
        #expect(answers.kinds.values.allSatisfy { $0 == .stopped })
        line.release()
        let other = try EventLoop(index: StoreLimits.loopConnectionsMax)
        #expect(reading.store.reads(on: other) == nil)
        try await reading.end()
    }
}
