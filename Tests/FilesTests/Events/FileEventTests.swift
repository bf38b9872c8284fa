import Access
import Blueprint
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Files

@Suite("Events of files")
struct FileEventTests {
    private static let start: Int64 = 1_795_334_400_123

    /// A place for events in a file, a function that does as the test says, and a clock that the test moves.
    private final class Place: Sendable {
        let folder = TemporaryFolder()
        let loops: EventLoopGroup
        let store: Store
        let clock = RungClock(at: FileEventTests.start)
        let function: Function
        let reports = Mutex<[String]>([])
        let functions: FileFunctions

        init(
            _ listeners: [FileListener] = [
                FileListener("up", url: "http://f/up", events: ["ObjectCreated:*"]),
                FileListener("down", url: "http://f/down", events: ["ObjectRemoved:*"]),
            ]
        ) async throws {
            function = Function(clock)
            loops = try EventLoopGroup(count: 1)
            let blueprint = try #require(SDLReader.read("type A @model { id: ID! }", settings: Settings()).blueprint)
            store = try Store(
                TestDatabase.location(file: "\(folder.path)/data.sqlite"), for: blueprint, nowMilliseconds: 0
            ) {
                Issue.record("\($0)")
            }
            var functions = FileFunctions()
            for listener in listeners { functions.add(listener, to: "b") }
            self.functions = functions
            try await store.writer.write(turn: .all, key: nil) { session in try session.bring(FileTables.all) }
        }

        func sender() -> FileEventSender {
            FileEventSender(
                over: store, { [functions] in functions }, region: "eu-west-1", by: function, on: loops.loops[0],
                clock: clock
            ) { line in self.reports.withLock { $0.append(line) } }
        }

        func note(_ name: FileEvent.Name, _ key: String, bucket: String = "b", size: Int64? = 5) async throws {
            let (functions, now) = (functions, clock.milliseconds)
            try await store.writer.write(turn: .all, key: nil) { session in
                try FileWriting(session: session, now: now, functions: functions)
                    .note(name, bucket, key, size: size, tag: size == nil ? nil : "t")
            }
        }

        func waiting() async throws -> Int64 {
            try await store.readersAside.read(until: .max) { reader throws(StoreError) in
                var count: Int64 = 0
                try reader.rows(RoomStatement("SELECT count(*) FROM _homeport_file_events"), []) {
                    row throws(StoreError) in
                    count = row.integer(0)
                    return false
                }
                return count
            }
        }

        func end() throws {
            loops.stop()
            try store.close()
        }
    }

    /// The functions outside.
    private final class Function: OutsideService {
        enum Way: Sendable { case takes, fails, refuses, isAway }
        private let state = Mutex<(ways: [Way], bodies: [JSONValue], urls: [String], times: [Int64])>(
            ([], [], [], []))
        private let refused = Mutex<[String: Int]>([:])
        private let clock: RungClock

        init(_ clock: RungClock) { self.clock = clock }

        /// One of them does not take the next ones.
        func willRefuse(_ url: String, times: Int) { refused.withLock { $0[url] = times } }

        /// What the next calls meet; then it takes all.
        func will(_ ways: [Way]) { state.withLock { $0.ways = ways } }
        var bodies: [JSONValue] { state.withLock { $0.bodies } }
        var urls: [String] { state.withLock { $0.urls } }
        /// When it was called.
        var times: [Int64] { state.withLock { $0.times } }
        var names: [String] {
            bodies.map { body in
                let record = body["Records"]?.array?.first
                return
                    "\(record?["eventName"]?.string ?? "-") \(record?["s3"]?["object"]?["key"]?.string ?? "-")"
            }
        }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            let body = (try? JSONReader.value(of: request.body)) ?? .null
            let way = state.withLock { state -> Way in
                state.bodies.append(body)
                state.urls.append(request.url)
                state.times.append(clock.milliseconds)
                return state.ways.isEmpty ? .takes : state.ways.removeFirst()
            }
            let isRefused = refused.withLock { refused in
                guard let left = refused[request.url], left > 0 else { return false }
                refused[request.url] = left - 1
                return true
            }
            guard !isRefused else { return OutsideResponse(status: 503, body: []) }
            switch way {
            case .takes: return OutsideResponse(status: 202, body: [])
            case .fails: return OutsideResponse(status: 200, fields: [("X-Amz-Function-Error", "Unhandled")], body: [])
            case .refuses: return OutsideResponse(status: 503, body: [])
            case .isAway: throw .unreachable("nobody")
            }
        }
    }

    /// Waits until so much has been told, while the clock goes on from alarm to alarm.
    private func told(_ count: Int, _ place: Place) async throws {
        // The wait for each alarm is bounded, not that for all of them: they may be those of hours.
        while place.function.bodies.count < count {
            try await eventually(
                "there is an alarm, or \(count) calls: \(place.function.names)", pausing: .milliseconds(1)
            ) {
                place.clock.ring() || place.function.bodies.count >= count
            }
        }
    }

    private func emptied(_ place: Place) async throws {
        while try await place.waiting() > 0 {
            try await eventually(
                "there is an alarm, or no event waits: \(place.function.names)", pausing: .milliseconds(1)
            ) {
                if place.clock.ring() { return true }
                return try await place.waiting() == 0
            }
        }
    }

    @Test("are told in the form in which S3 does")
    func haveTheForm() async throws {
        let place = try await Place()
        let sender = place.sender()
        sender.start()
        try await place.note(.put, "public/my photoé+.jpg", size: 1_024)
        sender.wake()
        try await emptied(place)
        try await place.note(.deleted, "public/x", size: nil)
        sender.wake()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.urls == ["http://f/up", "http://f/down"])
        let record = try #require(place.function.bodies.first?["Records"]?.array?.first)
        #expect(record["eventVersion"] == "2.1")
        #expect(record["eventSource"] == "aws:s3")
        #expect(record["awsRegion"] == "eu-west-1")
        #expect(record["eventTime"] == "2026-11-22T08:00:00.123Z")
        #expect(record["eventName"] == "ObjectCreated:Put")
        #expect(record["s3"]?["s3SchemaVersion"] == "1.0")
        #expect(record["s3"]?["bucket"]?["name"] == "b")
        #expect(record["s3"]?["bucket"]?["arn"] == "arn:aws:s3:::b")
        #expect(record["s3"]?["object"]?["key"] == "public/my+photo%C3%A9%2B.jpg")
        #expect(record["s3"]?["object"]?["size"] == 1_024)
        #expect(record["s3"]?["object"]?["eTag"] == "t")
        #expect(record["s3"]?["object"]?["sequencer"] == "0000000000000001")
        let removal = try #require(place.function.bodies.last?["Records"]?.array?.first)
        #expect(removal["eventName"] == "ObjectRemoved:Delete")
        #expect(removal["s3"]?["object"]?["size"] == nil)
        #expect(removal["s3"]?["object"]?["eTag"] == nil)
        try place.end()
    }

    @Test("of one key are told in order, whatever becomes of the first")
    func keepOrder() async throws {
        let place = try await Place()
        place.function.will([.isAway, .fails])
        for name in [FileEvent.Name.put, .deleted, .copy, .completed] { try await place.note(name, "k") }
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        #expect(
            place.function.names
                == Array(repeating: "ObjectCreated:Put k", count: 3) + [
                    "ObjectRemoved:Delete k", "ObjectCreated:Copy k", "ObjectCreated:CompleteMultipartUpload k",
                ])
        #expect(place.reports.withLock { $0 }.isEmpty)
        try place.end()
    }

    @Test("of other keys do not wait for one that is not taken")
    func goOnWithOthers() async throws {
        let place = try await Place()
        place.function.will([.isAway])
        for key in ["a", "b", "c"] { try await place.note(.put, key) }
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.names.sorted() == ["a", "a", "b", "c"].map { "ObjectCreated:Put \($0)" })
        try place.end()
    }

    @Test("are told by the next sender when the first one ended before")
    func outliveSenders() async throws {
        let place = try await Place()
        place.function.will(Array(repeating: .isAway, count: 3))
        try await place.note(.put, "k")
        let first = place.sender()
        first.start()
        try await told(3, place)
        await first.stop()
        let second = place.sender()
        second.start()
        try await emptied(place)
        await second.stop()
        #expect(place.function.names.last == "ObjectCreated:Put k")
        try place.end()
    }

    @Test("are given up after three failures of the function, and told of in the log")
    func giveUp() async throws {
        let place = try await Place()
        place.function.will(Array(repeating: .fails, count: 3))
        try await place.note(.put, "k")
        try await place.note(.deleted, "k")
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.names.count == 4)
        #expect(place.function.names.last == "ObjectRemoved:Delete k")
        #expect(place.reports.withLock { $0 }.count == 1)
        #expect(place.reports.withLock { $0.first }?.contains("ObjectCreated:Put of b/k is given up") == true)
        try place.end()
    }

    @Test("are given up when nobody answers for hours")
    func giveUpInTime() async throws {
        let place = try await Place()
        place.function.will(Array(repeating: .isAway, count: 1_000))
        try await place.note(.put, "k")
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        let age = place.clock.milliseconds - Self.start
        // The clock may run ahead of the sender: what is begun late is the last.
        let late = place.function.times.filter { $0 - Self.start > FileLimits.eventMilliseconds }
        #expect(late.count <= 1, "\(late)")
        #expect(age > FileLimits.eventMilliseconds / 2)
        #expect(place.function.names.count < 100)
        #expect(place.reports.withLock { $0 }.count == 1)
        try place.end()
    }

    @Test("are told to each function that hears of such a change of such a key")
    func areHeard() async throws {
        let place = try await Place([
            FileListener("all", url: "http://f/all", events: ["ObjectCreated:*", "ObjectRemoved:*"]),
            FileListener("pdf", url: "http://f/pdf", events: ["ObjectCreated:*"], prefix: "in/", suffix: ".pdf"),
            FileListener("put", url: "http://f/put", events: ["ObjectCreated:Put"], prefix: "in/"),
            // A function that is named twice is told once.
            FileListener("put", url: "http://f/put", events: ["ObjectCreated:*"], suffix: "a.pdf"),
        ])
        for key in ["in/a.pdf", "in/a.PDF", "out/b.pdf", "in/.pdf", "in.pdf"] { try await place.note(.put, key) }
        try await place.note(.completed, "in/c.pdf")
        try await place.note(.deleted, "in/a.pdf", size: nil)
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        func heard(_ function: String) -> [String] {
            zip(place.function.urls, place.function.names).filter { $0.0 == "http://f/\(function)" }.map(\.1).sorted()
        }
        #expect(heard("all").count == 7)
        #expect(
            heard("pdf") == [
                "ObjectCreated:CompleteMultipartUpload in/c.pdf", "ObjectCreated:Put in/.pdf",
                "ObjectCreated:Put in/a.pdf",
            ])
        #expect(
            heard("put") == ["ObjectCreated:Put in/.pdf", "ObjectCreated:Put in/a.PDF", "ObjectCreated:Put in/a.pdf"])
        try place.end()
    }

    @Test("are told once, also those whose telling ends while others are looked for")
    func areToldOnce() async throws {
        let place = try await Place()
        let keys = (0..<20 * FileLimits.eventsAtOnce).map { "k\($0)" }
        for key in keys { try await place.note(.put, key) }
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.names.sorted() == keys.map { "ObjectCreated:Put \($0)" }.sorted())
        try place.end()
    }

    @Test("of one key are told in order, whichever functions they are for")
    func keepOrderOfFunctions() async throws {
        let place = try await Place(
            ["one", "two"].map { FileListener($0, url: "http://f/\($0)", events: ["ObjectCreated:*"]) })
        place.function.willRefuse("http://f/one", times: 2)
        for name in [FileEvent.Name.put, .copy] { try await place.note(name, "k") }
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        await sender.stop()
        let told = zip(place.function.urls, place.function.names).map { "\($0.suffix(3)) \($1)" }
        #expect(
            told == [
                "one ObjectCreated:Put k", "one ObjectCreated:Put k", "one ObjectCreated:Put k",
                "two ObjectCreated:Put k", "one ObjectCreated:Copy k", "two ObjectCreated:Copy k",
            ])
        try place.end()
    }

    @Test("that a version with one function has noted are told by this one")
    func areBroughtOver() async throws {
        let place = try await Place()
        try await place.store.writer.write(turn: .all, key: nil) { session in
            _ = try session.change(
                RoomStatement(
                    """
                    INSERT INTO _homeport_file_events (bucket, key, name, time, due)
                    VALUES ('b', 'k', 'ObjectRemoved:Delete', 1, 1), ('b', 'k', 'ObjectCreated:Put', 2, ?)
                    """), [.integer(FileEventRows.never)])
        }
        let sender = place.sender()
        sender.start()
        try await emptied(place)
        try await place.note(.put, "l")
        sender.wake()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.names == ["ObjectRemoved:Delete k", "ObjectCreated:Put k", "ObjectCreated:Put l"])
        #expect(place.function.urls == ["http://f/down", "http://f/up", "http://f/up"])
        try place.end()
    }

    @Test("that no function is told of are not noted, and those that are not told of any more go")
    func areNotNoted() async throws {
        let place = try await Place([FileListener("up", url: "http://f/up", events: ["ObjectCreated:*"])])
        try await place.note(.deleted, "k")
        try await place.note(.put, "k", bucket: "other")
        #expect(try await place.waiting() == 0)
        try await place.note(.put, "k")
        let sender = FileEventSender(
            over: place.store, { FileFunctions() }, region: "r", by: place.function, on: place.loops.loops[0],
            clock: place.clock, report: { Issue.record("\($0)") })
        sender.start()
        try await emptied(place)
        await sender.stop()
        #expect(place.function.names.isEmpty)
        try place.end()
    }

    @Test("that are too many refuse what would make another")
    func haveALimit() async throws {
        let place = try await Place()
        try await place.note(.put, "k")
        try await place.store.writer.write(turn: .all, key: nil) { session in
            _ = try session.change(
                RoomStatement("UPDATE _homeport_file_events SET number = ?"), [.integer(-FileLimits.eventsMax + 2)])
        }
        try await place.note(.put, "l")
        do {
            try await place.note(.put, "m")
            Issue.record("there was place for another event")
        } catch let error as FileError {
            #expect(error.code == "SlowDown")
        }
        try place.end()
    }
}
