import Access
import Blueprint
import Functions
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("Functions that are told of changes of tables")
struct TableStreamTests {
    private static let schema = """
        type Todo @model {
          id: ID! title: String done: Boolean count: Int price: Float tags: [String] more: AWSJSON
        }
        type Place @model { a: ID! @primaryKey(sortKeyFields: ["b", "c"]) b: String! c: Int! }
        type Plain @model { id: ID! }
        """

    /// A database in a file, a function that does as the test says, and a clock that the test moves.
    private final class Place: Sendable {
        let loops: EventLoopGroup
        let store: Store
        let blueprint: Blueprint
        let clock: RungClock
        let function = Function()
        let reports = Mutex<[String]>([])

        init(
            _ schema: String = TableStreamTests.schema, in folder: TemporaryFolder = TemporaryFolder(),
            aheadMilliseconds: Int64 = 0
        ) throws {
            self.folder = folder
            clock = RungClock(at: Timestamp.now.millisecondsSince1970 + aheadMilliseconds)
            loops = try EventLoopGroup(count: 1)
            blueprint = try #require(SDLReader.read(schema, settings: Settings()).blueprint)
            let location = try TestDatabase.location(file: "\(folder.path)/data.sqlite")
            store = try Store(location, for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        }
        private let folder: TemporaryFolder

        func table(_ model: String) throws -> TableLayout {
            try #require(blueprint.model(named: model).flatMap { store.layout.table(of: $0) })
        }

        func keep(_ readers: [String: [String]] = ["Todo": ["f"]]) async throws {
            let streams = try readers.map { TableStream(try table($0.key), readers: $0.value) }
            try await store.writer.write(turn: .all, key: nil) { session in try session.keep(streams) }
        }

        /// Someone who tells the function of it, begun.
        func reader(
            _ model: String = "Todo", batch: Int = 100, tellsFailures: Bool = false,
            _ change: (inout TableSource) -> Void = { _ in }
        ) throws -> TableStreamReader {
            var source = TableSource(model, batch: batch, tellsFailures: tellsFailures)
            change(&source)
            let reader = TableStreamReader(
                of: try table(model), source,
                at: TableStreamPlace(function: "f", address: "http://f", region: "eu-west-1"), over: store,
                by: function,
                on: loops.loops[0], clock: clock
            ) { line in self.reports.withLock { $0.append(line) } }
            loops.loops[0].execute { reader.start() }
            return reader
        }

        func create(_ ids: [String], _ more: [RecordChange.Assignment] = []) async throws {
            let table = try table("Todo")
            try await store.writer.write(turn: .all, key: nil) { session in
                for id in ids {
                    try Self.apply(.create(in: table, [.init("id", .text(id))] + more, returning: []), session)
                }
            }
        }

        static func apply(_ change: RecordChange, _ session: WriteSession) throws {
            _ = try session.apply(change) { _ throws(StoreError) in }
        }

        func apply(_ change: RecordChange) async throws {
            try await store.writer.write(turn: .all, key: nil) { session in try Self.apply(change, session) }
        }

        func number(_ statement: RoomStatement) async throws -> Int64 {
            try await store.readersAside.read(until: .max) { reader throws(StoreError) in
                var count: Int64 = 0
                try reader.rows(statement, []) { row throws(StoreError) in
                    count = row.integer(0)
                    return false
                }
                return count
            }
        }

        func waiting() async throws -> Int64 {
            try await number(RoomStatement("SELECT count(*) FROM _homeport_stream_changes"))
        }

        /// Waits until nothing is left to be told, while the clock goes on from alarm to alarm.
        func emptied(_ reader: TableStreamReader) async throws {
            loops.loops[0].execute { reader.wake() }
            // The wait for each alarm is bounded, not that for all of them: they may be those of a whole day.
            while try await waiting() > 0 {
                try await eventually("there is an alarm, or no change waits", pausing: .milliseconds(1)) {
                    if clock.ring() { return true }
                    return try await waiting() == 0
                }
            }
            await reader.stop()
        }

        func end() throws {
            loops.stop()
            try store.close()
        }
    }

    private final class Function: OutsideService {
        enum Way: Sendable { case takes, fails, isAway, answers(String) }
        private let state = Mutex<(ways: [Way], poison: String?, bodies: [JSONValue])>(([], nil, []))

        /// What the next calls meet; then it takes all but what has the key that it never takes.
        func will(_ ways: [Way], never poison: String? = nil) {
            state.withLock {
                $0.ways = ways
                $0.poison = poison
            }
        }
        var bodies: [JSONValue] { state.withLock { $0.bodies } }
        /// The keys of each call.
        var keys: [[String]] { bodies.map(Self.keys) }
        var records: [JSONValue] { bodies.flatMap { $0["Records"]?.array ?? [] } }

        private static func keys(_ body: JSONValue) -> [String] {
            (body["Records"]?.array ?? []).compactMap { $0["dynamodb"]?["Keys"]?["id"]?["S"]?.string }
        }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            let body = (try? JSONReader.value(of: request.body)) ?? .null
            let way = state.withLock { state -> Way in
                state.bodies.append(body)
                guard state.ways.isEmpty else { return state.ways.removeFirst() }
                return state.poison.map { Self.keys(body).contains($0) } ?? false ? .fails : .takes
            }
            switch way {
            case .takes: return OutsideResponse(status: 200, body: Array("null".utf8))
            case .fails: return OutsideResponse(status: 200, fields: [("X-Amz-Function-Error", "Unhandled")], body: [])
            case .answers(let text): return OutsideResponse(status: 200, body: Array(text.utf8))
            case .isAway: throw .unreachable("nobody")
            }
        }
    }

    @Test("they get DynamoDB's event: what was made, changed and removed, with its images")
    func form() async throws {
        let place = try Place()
        try await place.keep()
        let table = try place.table("Todo")
        try await place.create(
            ["1"],
            [
                .init("title", .text("a \"b\"")), .init("done", .boolean(true)), .init("count", .integer(7)),
                .init("price", .real(0.1 + 0.2)), .init("tags", .text(#"["x",null]"#)),
                .init("more", .text(#"{"n":1.5,"d":{}}"#)),
            ])
        try await place.apply(
            .update(
                in: table, key: [.text("1")], [.init("title", .null), .init("count", .integer(8))], returning: ["id"]))
        // Nothing has changed by this one.
        try await place.apply(
            .update(in: table, key: [.text("1")], [.init("count", .integer(8))], returning: ["id"]))
        try await place.apply(.delete(from: table, key: [.text("1")], returning: ["id"]))
        try await place.emptied(try place.reader())
        let records = place.function.records
        #expect(place.function.bodies.count == 1 && records.map { $0["eventName"] } == ["INSERT", "MODIFY", "REMOVE"])
        let first: JSONValue = [
            "id": ["S": "1"], "title": ["S": "a \"b\""], "done": ["BOOL": true], "count": ["N": "7"],
            "price": ["N": "0.30000000000000004"], "tags": ["L": [["S": "x"], ["NULL": true]]],
            "more": ["M": ["n": ["N": "1.5"], "d": ["M": [:]]]], "__typename": ["S": "Todo"],
        ]
        #expect(Self.members(records[0]["dynamodb"]?["NewImage"]) == Self.members(first))
        #expect(records[0]["dynamodb"]?["OldImage"] == nil)
        #expect(Self.members(records[1]["dynamodb"]?["OldImage"]) == Self.members(first))
        let second = records[1]["dynamodb"]?["NewImage"]
        #expect(second?["count"] == ["N": "8"] && second?["title"] == nil && second?["price"] == first["price"])
        #expect(records[2]["dynamodb"]?["OldImage"] == second && records[2]["dynamodb"]?["NewImage"] == nil)
        for (number, record) in records.enumerated() {
            #expect(record["dynamodb"]?["Keys"] == ["id": ["S": "1"]])
            #expect(record["dynamodb"]?["SequenceNumber"] == .string("10000000000000000000\(number + 1)"))
            #expect(record["dynamodb"]?["StreamViewType"] == "NEW_AND_OLD_IMAGES")
            #expect((record["dynamodb"]?["SizeBytes"]?.integer ?? 0) > 10)
            #expect(
                abs((record["dynamodb"]?["ApproximateCreationDateTime"]?.integer ?? 0) - Timestamp.now.seconds) < 600)
            #expect(record["eventVersion"] == "1.1" && record["eventSource"] == "aws:dynamodb")
            #expect(record["awsRegion"] == "eu-west-1" && record["userIdentity"] == nil)
            #expect(
                record["eventSourceARN"]?.string?.hasPrefix(
                    "arn:aws:dynamodb:eu-west-1:123456789012:table/Todo-local-NONE/stream/") == true)
        }
        #expect(Set(records.compactMap { $0["eventID"]?.string }).count == 3)
        try place.end()
    }

    private static func members(_ value: JSONValue?) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: (value?.object ?? JSONObject()).map { ($0.key, JSONWriter.text(of: $0.value)) })
    }

    @Test("keys of several fields are the attributes that DynamoDB has of them, and models of many fields have images")
    func keys() async throws {
        let fields = (0..<300).map { "f\($0): Float" }.joined(separator: " ")
        let place = try Place(Self.schema + "type Wide @model { id: ID! \(fields) }")
        try await place.keep(["Place": ["f"], "Wide": ["f"]])
        let table = try place.table("Place")
        try await place.apply(
            .create(
                in: table, [.init("a", .text("x")), .init("b", .text("y")), .init("c", .integer(3))], returning: []))
        try await place.apply(
            .create(
                in: try place.table("Wide"), [.init("id", .text("1")), .init("f299", .real(2))], returning: []))
        let reader = try place.reader("Place")
        let other = try place.reader("Wide")
        try await place.emptied(reader)
        await other.stop()
        let images = place.function.records.compactMap { $0["dynamodb"] }
        #expect(images.contains { $0["Keys"] == ["a": ["S": "x"], "b#c": ["S": "y#3"]] })
        #expect(images.contains { $0["NewImage"]?["f299"] == ["N": JSONValue.string(JSONWriter.text(of: .double(2)))] })
        try place.end()
    }

    @Test("a function is told only of the changes that fit one of its patterns, and others wait for nothing")
    func filters() async throws {
        let place = try Place()
        try await place.keep()
        for number in 0..<30 {
            let title = number % 10 == 0 ? "done \(number)" : "open"
            try await place.create(["\(number)"], [.init("title", .text(title))])
        }
        let pattern = #"{"eventName":["INSERT"],"dynamodb":{"NewImage":{"title":{"S":[{"prefix":"done"}]}}}}"#
        let filter = try ChangeFilter.read(pattern)
        place.function.will([.fails])
        try await place.emptied(try place.reader(batch: 5) { $0.filters = [filter] })
        #expect(place.function.keys == [["0"], ["0"], ["10"], ["20"]])
        try place.end()
    }

    @Test("a part that is not to be halved is told again whole, as often as it is wanted, and given up whole")
    func wholeParts() async throws {
        let place = try Place()
        try await place.keep()
        try await place.create(["1", "2", "3", "4", "5"])
        place.function.will([], never: "2")
        try await place.emptied(
            try place.reader(batch: 3) {
                $0.halves = false
                $0.retries = 2
            })
        let first = ["1", "2", "3"]
        #expect(place.function.keys == [first, first, first, ["4", "5"]])
        let report = "3 changes of Todo are given up: the function f has failed"
        #expect(place.reports.withLock { $0 } == [report])
        try place.end()
    }

    @Test("what is halved is told of alone as often as it is wanted", arguments: [0, 1, 7])
    func retries(count: Int) async throws {
        let place = try Place()
        try await place.keep()
        try await place.create(["1", "2"])
        place.function.will([], never: "2")
        try await place.emptied(try place.reader { $0.retries = count })
        #expect(place.function.keys == [["1", "2"], ["1"]] + Array(repeating: ["2"], count: count + 1))
        try place.end()
    }

    @Test("what is wanted for ever is told again until it is a day old")
    func forEver() async throws {
        let place = try Place()
        try await place.keep()
        try await place.create(["1"])
        place.function.will([], never: "1")
        try await place.emptied(try place.reader { $0.retries = -1 })
        #expect(place.function.keys.count > 1_000)
        try place.end()
    }

    @Test("who is new begins with what is still kept, where it says so, and else with what comes then")
    func positions() async throws {
        let place = try Place()
        try await place.keep(["Todo": ["slow"]])
        try await place.create(["1", "2"])
        let table = try place.table("Todo")
        try await place.store.writer.write(turn: .all, key: nil) { session in
            try session.keep([TableStream(table, readers: ["slow", "f"], oldest: ["f"])])
        }
        try await place.create(["3"])
        let reader = try place.reader()
        try await eventually("three have come") { place.function.keys.flatMap(\.self).count >= 3 }
        await reader.stop()
        #expect(place.function.keys.flatMap(\.self) == ["1", "2", "3"])
        try place.end()
    }

    @Test("changes are told of in their order, so many at once, and what fails together is told in parts")
    func order() async throws {
        let place = try Place()
        try await place.keep()
        let ids = (0..<20).map { "\($0)" }
        try await place.create(ids)
        place.function.will([.fails, .isAway])
        try await place.emptied(try place.reader(batch: 8))
        #expect(place.function.keys.map(\.count) == [8, 4, 4, 8, 8])
        #expect(place.function.keys.dropFirst(2).flatMap(\.self) == ids)
        try place.end()
    }

    @Test("a change that the function never takes is tried a few times, told to the log and left behind, it alone")
    func poison() async throws {
        let place = try Place()
        try await place.keep()
        let ids = (0..<11).map { "\($0)" }
        try await place.create(ids)
        place.function.will([], never: "6")
        try await place.emptied(try place.reader())
        let calls = place.function.keys
        #expect(calls.filter { $0 == ["6"] }.count == RuntimeLimits.streamTriesMax)
        #expect(calls.filter { !$0.contains("6") }.flatMap(\.self) == ids.filter { $0 != "6" })
        let reports = place.reports.withLock { $0 }
        #expect(reports.count == 2 && reports.first?.hasPrefix("11 changes of Todo are delivered again") == true)
        #expect(reports.last?.hasPrefix("INSERT 100000000000000000007 of Todo is given up") == true, "\(reports)")
        try place.end()
    }

    @Test("what is told of at once takes no more room than it may, unless it is one change")
    func bytes() async throws {
        let place = try Place()
        try await place.keep()
        let half = String(repeating: "x", count: RuntimeLimits.streamBytesMax / 2 - 1_000)
        try await place.create(["1", "2", "3"], [.init("title", .text(half))])
        try await place.create(["4", "5"], [.init("title", .text(half + half + half))])
        try await place.emptied(try place.reader())
        #expect(place.function.keys == [["1", "2"], ["3"], ["4"], ["5"]])
        try place.end()
    }

    @Test("where nobody answers nothing is left behind for a day")
    func away() async throws {
        // Most of the day is over when they are told of first.
        let ahead = RuntimeLimits.streamKeptMilliseconds - 600_000
        let place = try Place(aheadMilliseconds: ahead)
        try await place.keep()
        try await place.create(["1", "2"])
        place.function.will(Array(repeating: .isAway, count: 1_000))
        let began = place.clock.milliseconds - ahead
        try await place.emptied(try place.reader())
        let passed = place.clock.milliseconds - began
        #expect(passed >= RuntimeLimits.streamKeptMilliseconds - 60_000)
        // The clock may be rung once more than somebody waits for it.
        #expect(passed <= RuntimeLimits.streamKeptMilliseconds + 50 * RuntimeLimits.streamLongestDelayMilliseconds)
        #expect(place.reports.withLock { $0 }.count == 2)
        #expect(place.function.keys.allSatisfy { $0 == ["1", "2"] })
        try place.end()
    }

    @Test("a function may say which changes it did not take: all from the first of those on are told again")
    func failures() async throws {
        let place = try Place()
        try await place.keep()
        try await place.create(["1", "2", "3", "4"])
        func answer(_ number: Int) -> Function.Way {
            .answers(#"{"batchItemFailures":[{"itemIdentifier":"10000000000000000000\#(number)"}]}"#)
        }
        place.function.will([answer(3), .answers(#"{"batchItemFailures":[]}"#), answer(9), .answers("text")])
        try await place.emptied(try place.reader(tellsFailures: true))
        // Behind a failure of some the rest comes in halves; a name that nobody knows is a failure.
        #expect(place.function.keys == [["1", "2", "3", "4"], ["3"], ["4"], ["4"]])
        // Who is not asked to says nothing by it.
        try await place.create(["5"])
        place.function.will([answer(5)])
        try await place.emptied(try place.reader())
        #expect(place.function.keys.count == 5)
        try place.end()
    }

    @Test(
        "what was not told is told by the next start, each function is told of all, and who is new of what comes then")
    func restart() async throws {
        let folder = TemporaryFolder()
        var place = try Place(in: folder)
        try await place.keep()
        try await place.create(["1", "2"])
        place.function.will([.isAway])
        let reader = try place.reader()
        try await eventually("the function is called") { !place.function.bodies.isEmpty }
        await reader.stop()
        try place.end()
        place = try Place(in: folder)
        try await place.keep(["Todo": ["f", "g"]])
        try await place.create(["3"])
        try await place.store.writer.write(turn: .all, key: nil) { session in
            // As if the other function had been told of all.
            _ = try session.change(
                RoomStatement("UPDATE _homeport_stream_readers SET position = 3 WHERE function = 'g' AND position = 2"))
        }
        try await place.emptied(try place.reader())
        #expect(place.function.keys == [["1", "2", "3"]])
        // Without functions there is nothing to be kept.
        try await place.create(["4"])
        #expect(try await place.waiting() == 1)
        try await place.keep([:])
        try await place.create(["5"])
        #expect(try await place.waiting() == 0)
        try place.end()
    }

    @Test(
        "a table that is changed meanwhile is told of as it then is, also where that is refused",
        .disabled(if: TestDatabase.isOnServer, TestDatabase.needsFile))
    func changed() async throws {
        let place = try Place("type Todo @model { id: ID! title: String }")
        try await place.keep()
        try await place.create(["1"], [.init("title", .text("a"))])
        let reader = try place.reader()
        let other = try #require(
            SDLReader.read("type Todo @model { id: ID! done: Boolean }", settings: Settings()).blueprint)
        await #expect(throws: StoreError.self) {
            _ = try await place.store.changed(to: other, nowMilliseconds: 0)
        }
        try await place.create(["2"])
        let store = try await place.store.changed(to: other, forcing: Set(texts: ["Todo.title"]), nowMilliseconds: 0)
        place.loops.loops[0].execute { reader.adopt(store.layout) }
        let table = try #require(store.layout.table(storing: "Todo"))
        try await place.apply(
            .create(in: table, [.init("id", .text("3")), .init("done", .boolean(true))], returning: []))
        try await place.emptied(reader)
        #expect(place.function.keys.flatMap(\.self) == ["1", "2", "3"])
        let last = place.function.records.last?["dynamodb"]?["NewImage"]
        #expect(last?["done"] == ["BOOL": true] && last?["title"] == nil)
        try place.end()
    }

    @Test("changes of other models, and those that are taken back, are not kept")
    func others() async throws {
        let place = try Place()
        try await place.keep()
        try await place.apply(
            .create(in: try place.table("Plain"), [.init("id", .text("1"))], returning: []))
        struct Refused: Error {}
        let table = try place.table("Todo")
        await #expect(throws: Refused.self) {
            try await place.store.writer.write(turn: .all, key: nil) { session in
                try Place.apply(.create(in: table, [.init("id", .text("1"))], returning: []), session)
                throw Refused()
            }
        }
        #expect(try await place.waiting() == 0)
        #expect(try await place.number(RoomStatement("SELECT last FROM _homeport_streams")) == 0)
        try place.end()
    }

    @Test("where too many wait, what would make another is refused, and other models go on")
    func limit() async throws {
        let place = try Place()
        try await place.keep(["Todo": ["f"], "Plain": ["f"]])
        try await place.create(["1"])
        try await place.store.writer.write(turn: .all, key: nil) { session in
            _ = try session.change(
                RoomStatement("UPDATE _homeport_streams SET last = ? WHERE model = 'Todo'"),
                [.integer(StoreLimits.streamChangesMax - 1)])
        }
        try await place.create(["2"])
        do {
            try await place.create(["3"])
            Issue.record("there was room for another change")
        } catch let error as StoreError {
            #expect(error.kind == .tooManyChanges)
        }
        try await place.apply(
            .create(in: try place.table("Plain"), [.init("id", .text("1"))], returning: []))
        // What failed has left nothing.
        #expect(try await place.number(RoomStatement("SELECT count(*) FROM \"Todo\"")) == 2)
        try place.end()
    }
}
