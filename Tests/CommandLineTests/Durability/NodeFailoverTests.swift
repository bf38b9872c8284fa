import Foundation
import JSON
import Network
import PostgresSupport
import TestSupport
import Testing

/// Several servers over a database whose standby takes its place without the last commits.
@Suite(
    "Several servers behind a failover", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeFailoverTests {
    private static let subscription = #"{"query":"subscription { onCreateTodo { name } }"}"#
    private static let missing = "EventsMissing"

    /// Creates a record, and publishes its name to a channel.
    private static func tell(_ name: String, at server: HomeportProcess) throws {
        let answer = try server.answer(to: #"mutation { createTodo(input: {name: "\#(name)"}) { name } }"#)
        #expect(answer.contains(#""name":"\#(name)""#), "\(answer)")
        let publish = try NodeServiceTests.publish(
            [#""\#(name)""#], to: "/default/room", on: server, key: ClientScript.key)
        #expect(publish.contains("successful") && !publish.contains("errors"), "\(publish)")
    }

    /// What a subscriber of channels gets until it is told that events are missing.
    private static func textsUntilMissing(_ client: inout WebSocketClient) throws -> [String] {
        var texts: [String] = []
        while case .text(let text) = try client.next(until: .now + patience) {
            if text.contains(#""ka""#) { continue }
            texts.append(text)
            if text.contains(missing) { return texts }
        }
        throw WebSocketClient.Failure(description: "nothing says that events are missing: \(texts)")
    }

    @Test(
        "subscribers of records and of channels hear that events are missing before they hear anything of the new primary, and then anew"
    )
    func failover() throws {
        let pair = try StandbyPair()
        defer { pair.end() }
        let more = ["HOMEPORT_EVENT_API_NAMESPACES": #"{"default": {}}"#]
        let nodes = try (0..<2).map { _ in try NodeTests.serve(pair.url, [], more) }
        let streams = try nodes.map { try NodeTests.subscriber(of: $0, Self.subscription) }
        var first = try NodeServiceTests.subscriber(of: nodes[0], key: ClientScript.key)
        var second = try NodeServiceTests.subscriber(of: nodes[1], key: ClientScript.key)
        let kept = (0..<3).map { "kept\($0)" }
        for (number, name) in kept.enumerated() { try Self.tell(name, at: nodes[number % 2]) }
        try pair.catchUp()
        pair.line.hold()
        let lost = (0..<3).map { "lost\($0)" }
        for (number, name) in lost.enumerated() { try Self.tell(name, at: nodes[number % 2]) }
        for stream in streams { _ = try stream.read(through: #""name":"lost2""#) }
        let heard = (kept + lost).map { "\"\($0)\"" }
        #expect(try NodeServiceTests.events(&first, 6) == heard)
        #expect(try NodeServiceTests.events(&second, 6) == heard)

        try pair.failOver()
        try eventually("one goes on") {
            try nodes[1].answer(to: #"mutation { createTodo(input: {name: "new"}) { name } }"#).contains(
                #""name":"new""#)
        }
        // Their numbers pass those of the events that the other one has handed out.
        for number in 0..<8 { try Self.tell("new\(number)", at: nodes[1]) }
        for stream in streams {
            // Up to the last piece of the answer.
            let text = try stream.read(through: "\r\n0\r\n\r\n")
            #expect(text.contains(Self.missing) && !text.contains("new"), "\(text)")
        }
        for texts in [try Self.textsUntilMissing(&first), try Self.textsUntilMissing(&second)] {
            #expect(texts.count == 1, "\(texts)")
        }

        // What is stored is what the new primary has.
        let list = try nodes[0].answer(to: "{ listTodos { items { name } } }")
        #expect(kept.allSatisfy { list.contains($0) } && list.contains("new7") && !list.contains("lost"), "\(list)")
        let again = try nodes.map { try NodeTests.subscriber(of: $0, Self.subscription) }
        var third = try NodeServiceTests.subscriber(of: nodes[0], key: ClientScript.key)
        var fourth = try NodeServiceTests.subscriber(of: nodes[1], key: ClientScript.key)
        try Self.tell("last", at: nodes[0])
        for stream in again { #expect(try !stream.read(through: #""name":"last""#).contains("new")) }
        #expect(try NodeServiceTests.events(&third, 1) == ["\"last\""])
        #expect(try NodeServiceTests.events(&fourth, 1) == ["\"last\""])
    }
}
