import JSON
import Network
import TestSupport
import Testing
import Threads

@testable import Functions

@Suite("Schedules")
struct ScheduleTests {
    private static func seconds(_ text: String) -> Int64 { Timestamp(text)?.seconds ?? 0 }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var zone: String?
        let after: String
        let next: [String]
        var testDescription: String { "\(text) \(zone ?? "")" }
    }

    static let rows: [Row] = [
        Row(
            text: "every 5m", after: "2026-11-22T08:03:10Z",
            next: ["2026-11-22T08:05:00Z", "2026-11-22T08:10:00Z", "2026-11-22T08:15:00Z"]),
        Row(text: "every 45m", after: "2026-11-22T08:00:00Z", next: ["2026-11-22T08:45:00Z", "2026-11-22T09:00:00Z"]),
        Row(text: "every 7h", after: "2026-11-22T20:00:00Z", next: ["2026-11-22T21:00:00Z", "2026-11-23T00:00:00Z"]),
        Row(text: "every day", after: "2026-12-31T00:00:00Z", next: ["2027-01-01T00:00:00Z"]),
        Row(text: "every week", after: "2026-11-22T00:00:00Z", next: ["2026-11-29T00:00:00Z"]),
        Row(
            text: "every month", after: "2026-11-22T00:00:00Z", next: ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"]),
        Row(text: "every year", after: "2026-11-22T00:00:00Z", next: ["2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"]),
        Row(
            text: "0 9 ? * 2-6", after: "2026-11-20T09:00:00Z",
            next: ["2026-11-23T09:00:00Z", "2026-11-24T09:00:00Z"]),
        Row(
            text: "0 0 29 2 ? *", after: "2026-01-01T00:00:00Z", next: ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]),
        Row(
            text: "1,31 */12 1 * ?", after: "2026-11-01T00:01:00Z",
            next: ["2026-11-01T00:31:00Z", "2026-11-01T12:01:00Z"]),
        Row(
            text: "cron(0 9 ? * MON-FRI *)", after: "2026-11-20T09:00:00Z",
            next: ["2026-11-23T09:00:00Z", "2026-11-24T09:00:00Z"]),
        Row(
            text: "0 9 * jan,Jul sun", after: "2026-11-20T09:00:00Z",
            next: ["2027-01-03T09:00:00Z", "2027-01-10T09:00:00Z"]),
        Row(
            text: "0 0 L * ?", after: "2027-12-31T00:00:00Z", next: ["2028-01-31T00:00:00Z", "2028-02-29T00:00:00Z"]),
        Row(
            text: "0 0 ? * 6L *", after: "2026-11-22T00:00:00Z", next: ["2026-11-27T00:00:00Z", "2026-12-25T00:00:00Z"]),
        Row(
            text: "0 0 ? * TUE#2,WED#5 *", after: "2026-11-22T00:00:00Z",
            next: ["2026-12-08T00:00:00Z", "2026-12-30T00:00:00Z", "2027-01-12T00:00:00Z"]),
        Row(text: "0 0 1 1 ? 2020", after: "2026-01-01T00:00:00Z", next: []),
        Row(text: "rate(1 minute)", after: "2026-11-22T08:03:10Z", next: ["2026-11-22T08:04:00Z"]),
        Row(text: "rate(2 hours)", after: "2026-11-22T08:03:10Z", next: ["2026-11-22T10:00:00Z"]),
        Row(text: "cron(0 12 * * ? *)", after: "2026-11-22T12:00:00Z", next: ["2026-11-23T12:00:00Z"]),
        Row(
            text: "30 2 * * ?", zone: "Europe/Berlin", after: "2026-03-27T12:00:00Z",
            // At half past two on the 29th no clock was there.
            next: ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"]),
        Row(
            text: "30 2 * * ?", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            next: ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        Row(text: "0 9 * * ?", zone: "America/New_York", after: "2026-07-01T00:00:00Z", next: ["2026-07-01T13:00:00Z"]),
        Row(text: "0 9 * * ?", zone: "America/New_York", after: "2045-01-01T00:00:00Z", next: ["2045-01-01T14:00:00Z"]),
        Row(text: "0 0 * * ?", zone: "Asia/Kolkata", after: "2026-11-22T00:00:00Z", next: ["2026-11-22T18:30:00Z"]),
        Row(text: "0 9 * * ?", zone: "Australia/Sydney", after: "2030-01-15T00:00:00Z", next: ["2030-01-15T22:00:00Z"]),
    ]

    @Test("a schedule has its times, in its zone", arguments: rows)
    func times(row: Row) throws {
        // A machine without the files of zones has UTC alone.
        if let zone = row.zone, TimeZoneRules(named: zone) == nil, TimeZoneRules(named: "Europe/London") == nil {
            return
        }
        let schedule = try Schedule(row.text, zone: row.zone)
        var moment = Self.seconds(row.after)
        for next in row.next {
            let found = schedule.next(after: moment)
            #expect(found == Self.seconds(next), "\(found.map { Timestamp(seconds: $0).text } ?? "none")")
            moment = found ?? moment
        }
        if row.next.isEmpty { #expect(schedule.next(after: moment) == nil) }
    }

    @Test(
        "what is no schedule is refused",
        arguments: [
            "", "every", "every 0m", "every 61m", "every -1h", "every x", "* * * *", "60 * * * ?", "0 24 * * ?",
            "0 0 0 * ?", "0 0 32 * ?", "0 0 ? 13 *", "0 0 ? * 8", "0 0 ? * ?", "0 0 1 * 2", "5-1 * * * ?",
            "*/0 * * * ?",
            "1/ * * * ?", "a * * * ?", "0 0 1 1 ? 1969", "rate(5)", "rate(0 days)", "cron()",
            "*/99999999999999999999 * * * ?", "0 0 ? * MONDAY", "0 0 ? * FRI-MON", "0 0 ? MON *", "0 0 MON * ?",
            "0 0 ? * 8#1", "0 0 ? * 2#6", "0 0 ? * 2#", "0 0 ? * L#1", "0 0 ? * LL", "0 L ? * 2",
        ])
    func faults(text: String) {
        #expect(throws: Schedule.Fault.self) { try Schedule(text) }
    }

    @Test(
        "a zone that is not there is refused", arguments: ["Europe/Nowhere", "../../etc/passwd", "/etc/localtime", ""])
    func zones(name: String) {
        #expect(throws: Schedule.Fault.self) { try Schedule("every day", zone: name) }
    }

    @Test("the functions of a schedule are called when it is time, with the scheduler's event")
    func calls() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        var function = FunctionSettings(name: "tick", .line("true"))
        function.schedules = [try Schedule("every 5m"), try Schedule("every day")]
        let settings = function
        let time = TestTime(Self.seconds("2026-11-22T23:58:00Z") * 1_000)
        let said = await loop.run {
            let surroundings = FunctionSurroundings(folder: "") { _ in
                FunctionCredentials(accessKeyID: "", secret: "", sessionToken: "")
            }
            var said: [String] = []
            let clock = ScheduleClock([settings], surroundings, on: loop, now: { time.value }) { request in
                let event = (try? JSONReader.value(of: request.payload)) ?? .null
                said.append(
                    "\(request.name) \(event["time"]?.string ?? "") \(event["resources"]?.array?.first?.string ?? "")")
            }
            clock.start()
            clock.look()
            for minutes in [1, 1, 4, 1] {
                time.value += Int64(minutes) * 60_000
                clock.look()
            }
            clock.stop()
            return said
        }
        let start = "arn:aws:scheduler:us-east-1:123456789012:schedule/default/tick"
        #expect(
            said == [
                "tick 2026-11-23T00:00:00Z \(start)", "tick 2026-11-23T00:00:00Z \(start)-1",
                "tick 2026-11-23T00:05:00Z \(start)",
            ])
        BlockingThread.detach { group.stop() }
    }

    @Test(
        "what a function is told has the form of who calls it: a rule, or the scheduler",
        arguments: [
            ("rate(5 minutes)", nil, "aws.events", "arn:aws:events:us-east-1:123456789012:rule/tick", [:]),
            ("cron(0/5 * * * ? *)", nil, "aws.events", "arn:aws:events:us-east-1:123456789012:rule/tick", [:]),
            ("every 5m", nil, "aws.scheduler", "arn:aws:scheduler:us-east-1:123456789012:schedule/default/tick", "{}"),
            (
                "rate(5 minutes)", .scheduler, "aws.scheduler",
                "arn:aws:scheduler:us-east-1:123456789012:schedule/default/tick", "{}"
            ), ("every 5m", .rule, "aws.events", "arn:aws:events:us-east-1:123456789012:rule/tick", [:]),
        ] as [(String, Schedule.Sender?, JSONValue, JSONValue, JSONValue)])
    func forms(
        text: String, sender: Schedule.Sender?, source: JSONValue, resource: JSONValue, detail: JSONValue
    ) async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        var function = FunctionSettings(name: "tick", .line("true"))
        var telling = try Schedule(text, sender: sender)
        telling.input = #"{"kind":"daily"}"#
        function.schedules = [try Schedule(text, sender: sender), telling]
        let settings = function
        let time = TestTime(Self.seconds("2026-11-22T10:01:00Z") * 1_000)
        let said = await loop.run {
            let surroundings = FunctionSurroundings(folder: "") { _ in
                FunctionCredentials(accessKeyID: "", secret: "", sessionToken: "")
            }
            var said: [JSONValue] = []
            let clock = ScheduleClock([settings], surroundings, on: loop, now: { time.value }) { request in
                said.append((try? JSONReader.value(of: request.payload)) ?? .null)
            }
            clock.start()
            time.value += 5 * 60_000
            clock.look()
            clock.stop()
            return said
        }
        let event = try #require(said.first)
        #expect(event["source"] == source && event["resources"] == [resource] && event["detail"] == detail)
        // What it is told in the place of that.
        #expect(said.dropFirst() == [["kind": "daily"]])
        BlockingThread.detach { group.stop() }
    }

    @Test(
        "schedules that come later are called when it is time, those that stay keep theirs, and those that go are not called"
    )
    func adopts() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        func function(_ name: String, _ schedules: [String]) throws -> FunctionSettings {
            var function = FunctionSettings(name: name, .line("true"))
            function.schedules = try schedules.map { try Schedule($0) }
            return function
        }
        let (first, second) = (try function("first", ["every 10m"]), try function("second", ["every 5m"]))
        let time = TestTime(Self.seconds("2026-11-22T10:01:00Z") * 1_000)
        let said = await loop.run {
            let surroundings = FunctionSurroundings(folder: "") { _ in
                FunctionCredentials(accessKeyID: "", secret: "", sessionToken: "")
            }
            var said: [String] = []
            let clock = ScheduleClock([], surroundings, on: loop, now: { time.value }) { request in
                said.append("\(request.name) \((time.value / 60_000) % 60)")
            }
            clock.start()
            func pass(_ minutes: Int) {
                for _ in 0..<minutes {
                    time.value += 60_000
                    clock.look()
                }
            }
            clock.adopt([first])
            pass(8)
            clock.adopt([first, second])
            pass(2)
            clock.adopt([second])
            pass(10)
            clock.stop()
            clock.adopt([first])
            pass(20)
            return said
        }
        #expect(said == ["first 10", "second 10", "second 15", "second 20"])
        BlockingThread.detach { group.stop() }
    }

    /// A clock that a test sets.
    private final class TestTime: @unchecked Sendable {
        // Safe to share: read and written on the test's loop alone.
        var value: Int64
        init(_ value: Int64) { self.value = value }
    }
}
