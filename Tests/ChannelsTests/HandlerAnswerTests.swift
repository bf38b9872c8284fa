import JSON
import Testing

@testable import Channels

@Suite("what handlers make of events")
struct HandlerAnswerTests {
    private static func publish(_ count: Int = 3) throws -> ChannelPublish {
        var number = 0
        return try ChannelPublish(
            #require(ChannelName("/default/a")), .array((0..<count).map { .string("{\"n\":\($0)}") })
        ) {
            number += 1
            return "id\(number - 1)"
        }
    }

    private static func json(_ text: String) throws -> JSONValue { try JSONReader.value(of: text) }

    /// What is delivered, the places that succeed, and those that fail.
    struct Row: Sendable {
        let answer: String
        let delivered: [String]
        let successful: [Int]
        var failed: [Int] = []
    }

    @Test(
        "a handler's list says what is delivered; events that it leaves out are accepted",
        arguments: [
            Row(answer: "null", delivered: [], successful: [0, 1, 2]),
            Row(answer: "[]", delivered: [], successful: [0, 1, 2]),
            Row(answer: #"[{"id":"id2","payload":7},null]"#, delivered: ["7"], successful: [0, 1, 2]),
            Row(
                answer: #"[{"id":"id1","error":"bad","payload":1},{"id":"id0","payload":{"a":[]}}]"#,
                delivered: [#"{"a":[]}"#], successful: [0, 2], failed: [1]),
            Row(answer: #"[{"id":"id0"}]"#, delivered: ["null"], successful: [0, 1, 2]),
        ])
    func returned(_ row: Row) throws {
        let answer = try HandlerAnswer(returned: Self.json(row.answer), for: Self.publish())
        #expect(answer.delivered == row.delivered)
        #expect(answer.report.successful.map(\.index) == row.successful)
        #expect(answer.report.failed.map(\.event.index) == row.failed)
    }

    @Test(
        "a list with an unknown or a repeated id, and something else than a list, fail the publish",
        arguments: ["{}", "1", "\"x\"", #"[{"id":"no","payload":1}]"#, "[1]", "[{}]", #"[{"id":"id0"},{"id":"id0"}]"#])
    func returnedBadly(_ text: String) throws {
        #expect(throws: ChannelFault.self) { try HandlerAnswer(returned: Self.json(text), for: Self.publish()) }
    }

    @Test(
        "a function's answer has events, each with a payload or an error, and nothing else",
        arguments: [
            "null", "{}", "[]", #"{"events":[{"id":"id0"}]}"#, #"{"events":[{"id":"id0","payload":1,"x":1}]}"#,
            #"{"events":[],"x":1}"#, #"{"events":null}"#, #"{"events":[null]}"#,
            #"{"events":[{"id":"a","payload":1}]}"#,
        ])
    func answeredBadly(_ text: String) throws {
        do throws(ChannelFault) {
            _ = try HandlerAnswer(answered: try! Self.json(text), for: try! Self.publish())
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.status == 502)
            #expect(error.type == "DependencyFailedException")
        }
    }

    @Test("the error of a function fails all events with its text")
    func answeredError() throws {
        #expect(throws: ChannelFault.custom("full")) {
            try HandlerAnswer(answered: Self.json(#"{"error":"full","events":[]}"#), for: Self.publish())
        }
    }

    @Test("an event that a handler has made too large is neither delivered nor told")
    func tooLarge() throws {
        let text = String(repeating: "a", count: ChannelLimits.eventBytesMax)
        let answer = try HandlerAnswer(
            answered: ["events": [["id": "id0", "payload": .string(text)], ["id": "id1", "payload": 1]]],
            for: Self.publish())
        #expect(answer.delivered == ["1"])
        #expect(answer.report.successful.map(\.index) == [1, 2])
        #expect(answer.report.failed.isEmpty)
    }

    @Test(
        "a publish has one to five events, each of which is the text of a JSON value within its size",
        arguments: [
            ("null", ChannelFault.noEvents), ("[]", .noEvents), ("\"1\"", .noEvents),
            ("[\"1\",\"1\",\"1\",\"1\",\"1\",\"1\"]", .tooManyEvents), ("[\"not json\"]", .notJSON), ("[1]", .notJSON),
            ("[\"\"]", .notJSON), ("[\"{\\\"a\\\":1} x\"]", .notJSON),
            ("[\"\(String(repeating: "1", count: ChannelLimits.eventBytesMax + 1))\"]", .largeEvent),
        ])
    func refusesEvents(_ row: (events: String, fault: ChannelFault)) throws {
        let channel = try #require(ChannelName("/default/a"))
        let events = try Self.json(row.events)
        #expect(throws: row.fault) { try ChannelPublish(channel, events) { "id" } }
    }

    @Test("nobody publishes to a wildcard")
    func wildcard() throws {
        let channel = try #require(ChannelName("/default/*"))
        #expect(throws: ChannelFault.wildcardPublish) { try ChannelPublish(channel, ["1"]) { "id" } }
    }
}
