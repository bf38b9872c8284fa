import JSON
import Network
import TestSupport
import Testing
import Threads

@testable import Schedules

@Suite("Schedules")
struct ScheduleTests {
    private static func seconds(_ text: String) -> Int64 { Timestamp(text)?.seconds ?? 0 }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var zone: String?
        let after: String
        var created = "2026-11-22T08:03:10Z"
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
        // Rates are counted evenly from the creation: over the hour, over midnight, over the end of the month.
        Row(
            text: "rate(1 minute)", after: "2026-11-22T08:03:10Z",
            next: ["2026-11-22T08:04:10Z", "2026-11-22T08:05:10Z"]),
        Row(text: "rate(2 hours)", after: "2026-11-22T08:03:10Z", next: ["2026-11-22T10:03:10Z"]),
        Row(
            text: "rate(7 minutes)", after: "2026-11-22T08:52:10Z",
            next: ["2026-11-22T08:59:10Z", "2026-11-22T09:06:10Z"]),
        Row(
            text: "rate(90 minutes)", after: "2026-11-22T08:03:10Z",
            next: ["2026-11-22T09:33:10Z", "2026-11-22T11:03:10Z", "2026-11-22T12:33:10Z"]),
        Row(
            text: "every 90m", after: "2026-11-22T22:00:00Z", next: ["2026-11-22T23:03:10Z", "2026-11-23T00:33:10Z"]),
        Row(
            text: "rate(36 hours)", after: "2026-11-22T08:03:10Z",
            next: ["2026-11-23T20:03:10Z", "2026-11-25T08:03:10Z"]),
        Row(text: "every 36h", after: "2026-11-25T08:03:10Z", next: ["2026-11-26T20:03:10Z"]),
        Row(
            text: "rate(5 days)", after: "2026-11-27T08:03:10Z", next: ["2026-12-02T08:03:10Z", "2026-12-07T08:03:10Z"]),
        Row(text: "rate(45 days)", after: "2026-11-22T08:03:10Z", next: ["2027-01-06T08:03:10Z"]),
        // A clock that was set back before the creation goes by the same steps.
        Row(
            text: "rate(90 minutes)", after: "2026-11-22T05:03:11Z",
            next: ["2026-11-22T06:33:10Z", "2026-11-22T08:03:10Z"]),
        Row(
            text: "rate(1 day)", zone: "Europe/Berlin", after: "2026-10-25T00:00:00Z",
            created: "2026-10-20T12:00:00Z", next: ["2026-10-25T12:00:00Z", "2026-10-26T12:00:00Z"]),
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
            let found = schedule.next(after: moment, createdAt: Self.seconds(row.created))
            #expect(found == Self.seconds(next), "\(found.map { Timestamp(seconds: $0).text } ?? "none")")
            moment = found ?? moment
        }
        if row.next.isEmpty { #expect(schedule.next(after: moment, createdAt: 0) == nil) }
    }

    @Test(
        "what is no schedule is refused",
        arguments: [
            "", "every", "every 0m", "every 1.5h", "every -1h", "every x", "* * * *", "60 * * * ?", "0 24 * * ?",
            "0 0 0 * ?", "0 0 32 * ?", "0 0 ? 13 *", "0 0 ? * 8", "0 0 ? * ?", "0 0 1 * 2", "5-1 * * * ?",
            "*/0 * * * ?",
            "1/ * * * ?", "a * * * ?", "0 0 1 1 ? 1969", "rate(5)", "rate(0 days)", "rate(+1 days)", "rate(1.5 hours)",
            "rate(1 week)", "rate(99999999999999999999 days)", "rate(36601 days)", "cron()",
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

    @Test(
        "the message names what is wrong with a rate",
        arguments: [
            ("rate(0 days)", "expected a whole number above 0 and a unit, such as rate(90 minutes)"),
            ("rate(2 weeks)", "its unit is none of minutes, hours and days"),
            ("every 0m", "its number is no whole number above 0"),
            ("every 3d", "expected a number with m or h, day, week, month or year"),
        ])
    func messages(text: String, reason: String) {
        #expect(throws: Schedule.Fault(message: "\"\(text)\" is no schedule: \(reason)")) { try Schedule(text) }
    }

    @Test(
        "an event has the form of its sender: a rule, or the scheduler",
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
    ) throws {
        func event(_ schedule: Schedule) throws -> JSONValue {
            try JSONReader.value(
                of: schedule.event(
                    named: "tick", at: Self.seconds("2026-11-22T10:05:00Z"), id: "1", region: "us-east-1",
                    accountID: "123456789012"))
        }
        var schedule = try Schedule(text, sender: sender)
        let made = try event(schedule)
        #expect(made["source"] == source && made["resources"] == [resource] && made["detail"] == detail)
        #expect(made["time"] == "2026-11-22T10:05:00Z")
        schedule.input = #"{"kind":"daily"}"#
        #expect(try event(schedule) == ["kind": "daily"])
    }
}
