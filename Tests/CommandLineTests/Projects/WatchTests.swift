import Foundation
import Network
import Server
import Synchronization
import TestSupport
import Testing

@testable import homeport

/// A schema that is edited while it is served.
@Suite("A project that is followed")
struct WatchTests {
    private static let everybody = "@auth(rules: [{ allow: public }])"
    private static let todo = "type Todo @model \(everybody) { id: ID! name: String }"
    private static let served = "the schema has changed, and is served"
    private static let refused = "still serving the last good project"

    private let folder = TemporaryFolder()

    private func server(_ schema: String, _ options: [String] = []) throws -> HomeportProcess {
        try HomeportProcess(["--watch"] + options, schema: schema, in: folder)
    }

    /// Writes a file as editors do, and waits until the server has taken note.
    private func edit(_ file: String, _ text: String, of server: HomeportProcess, expecting line: String) throws {
        let before = server.logCount(of: line)
        try folder.write(text, to: file + ".part")
        _ = rename(folder.file(file + ".part"), folder.file(file))
        try #require(server.logs(line, times: before + 1), "\(server.log)")
    }

    @Test("what is edited is served, with its tables; what is wrong is told with its place, and changes nothing")
    func edits() throws {
        let server = try server(Self.todo)
        _ = try server.answer(to: #"mutation { createTodo(input: {id: "a", name: "n"}) { id } }"#)
        try edit(
            "schema.graphql",
            "type Todo @model \(Self.everybody) { id: ID! name: String @index done: Boolean }\n"
                + "type Note @model \(Self.everybody) { id: ID! }",
            of: server, expecting: Self.served)
        let query = #"{ todosByName(name: "n") { items { id done } } listNotes { items { id } } }"#
        let expected =
            #"{"data":{"todosByName":{"items":[{"id":"a","done":null}]},"listNotes":{"items":[]}}}"#
        #expect(try server.answer(to: query) == expected)
        try edit(
            "schema.graphql", "type Todo @model \(Self.everybody) { id: ID! name: Strin }", of: server,
            expecting: Self.refused)
        #expect(server.logs(#"error: Unknown type "Strin". Did you mean "String"?"#), "\(server.log)")
        #expect(try server.answer(to: query) == expected)
        // The records would lose a field: its name forces that, at a start.
        try edit(
            "schema.graphql", "type Todo @model \(Self.everybody) { id: ID! done: Boolean }", of: server,
            expecting: Self.refused)
        #expect(server.logs("force these changes by their names: Todo.name"))
        #expect(try server.answer(to: query) == expected)
        // The counters and the log know the new operations.
        let scrape = try RawClient(port: server.port)
        try scrape.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try scrape.readAnswer().body.contains(#"field="todosByName""#))
        #expect(server.logs("query todosByName+1"), "\(server.log)")
    }

    @Test("what may be lost is forced by its name, and a copy is written before")
    func forces() throws {
        let server = try server(Self.todo, ["--force-migration", "Todo.name"])
        _ = try server.answer(to: #"mutation { createTodo(input: {id: "a", name: "n"}) { id } }"#)
        try edit(
            "schema.graphql", "type Todo @model \(Self.everybody) { id: ID! done: Boolean }", of: server,
            expecting: Self.served)
        #expect(try server.answer(to: "{ listTodos { items { id done } } }").contains(#"{"id":"a","done":null}"#))
        #expect(server.logs("a copy of the data was written"))
    }

    /// A client of AppSync's protocol with some subscriptions, numbered from 1.
    private static func client(of server: HomeportProcess, _ fields: [String]) throws -> WebSocketClient {
        let key = #"{"x-api-key":"da2-fakeApiId123456","host":"localhost"}"#
        var client = try WebSocketClient(
            port: server.port, path: "/graphql/realtime",
            protocols: ["graphql-ws", "header-\(Data(key.utf8).base64EncodedString().replacing("=", with: ""))"])
        try client.send(#"{"type":"connection_init"}"#)
        try client.expect(beginning: #"{"type":"connection_ack""#)
        try client.expect(beginning: #"{"type":"ka"}"#)
        for (place, field) in fields.enumerated() {
            let data = #"{\"query\":\"subscription { \#(field) }\",\"variables\":{}}"#
            try client.send(
                #"{"id":"\#(place + 1)","type":"start","payload":{"data":"\#(data)","extensions":{"authorization":\#(key)}}}"#
            )
            try client.expect(beginning: #"{"id":"\#(place + 1)","type":"start_ack"}"#)
        }
        return client
    }

    @Test("subscriptions that the new schema has go on, on the same connection; the others end with an error")
    func subscriptions() throws {
        let note = "type Note @model \(Self.everybody) { id: ID! text: String }"
        let server = try server(Self.todo + "\n" + note)
        var client = try Self.client(of: server, ["onCreateTodo { id name }", "onCreateNote { text }"])
        try edit(
            "schema.graphql", "type Todo @model \(Self.everybody) { id: ID! name: String done: Boolean }",
            of: server, expecting: Self.served)
        try client.expect(
            beginning:
                #"{"id":"2","type":"error","payload":{"errors":[{"errorType":"SchemaChanged","message":"The schema"#
        )
        _ = try server.answer(to: #"mutation { createTodo(input: {id: "a", name: "n"}) { id name } }"#)
        try client.expect(
            beginning: #"{"id":"1","type":"data","payload":{"data":{"onCreateTodo":{"id":"a","name":"n"}}}}"#)
        // Rights are those of the new schema.
        try edit(
            "schema.graphql",
            "type Todo @model @auth(rules: [{ allow: owner }]) { id: ID! name: String done: Boolean }",
            of: server, expecting: Self.served)
        try client.expect(beginning: #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"SchemaChanged""#)
        #expect(try server.answer(to: "{ listTodos { items { id } } }").contains("Unauthorized"))
    }

    @Test("forty edits under load lose no acknowledged write and close no connection", .timeLimit(.minutes(10)))
    func underLoad() throws {
        let server = try server(Self.todo)
        let isOver = Atomic(false)
        let acknowledged = Mutex<[String]>([])
        let failures = Mutex<[String]>([])
        var client = try Self.client(of: server, ["onCreateTodo { id }"])
        let port = server.port
        let writers = DispatchGroup()
        for writer in 0..<2 {
            writers.enter()
            BlockingThread.detach {
                defer { writers.leave() }
                do {
                    let client = try OperationClient(port: port)
                    var number = 0
                    while !isOver.load(ordering: .relaxed) {
                        let id = "\(writer)-\(number)"
                        let answer = try client.answer(
                            to: #"mutation { createTodo(input: {id: "\#(id)", name: "n"}) { id } }"#)
                        if answer == #"{"data":{"createTodo":{"id":"\#(id)"}}}"# {
                            acknowledged.withLock { $0.append(id) }
                        } else {
                            failures.withLock { $0.append(answer) }
                        }
                        number += 1
                        pause(.milliseconds(2), because: "a pace at which whoever listens keeps up")
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        var heard: Set<String> = []
        func listen(until deadline: ContinuousClock.Instant) throws -> Bool {
            guard case .text(let text) = try client.next(until: deadline) else { return false }
            let parts = text.split(separator: "\"id\":\"")
            if parts.count > 1, let id = parts.last?.split(separator: "\"").first { heard.insert(String(id)) }
            return true
        }
        for number in 1...40 {
            // Fields come and go again: nobody has given them a value.
            let fields = (0..<(number % 7)).map { " f\($0): Int" }.joined()
            try edit(
                "schema.graphql", "type Todo @model \(Self.everybody) { id: ID! name: String\(fields) }",
                of: server,
                expecting: Self.served)
            // Who does not read is not sent to for ever.
            let end = ContinuousClock.now + .milliseconds(20)
            while ContinuousClock.now < end, try listen(until: end) {}
            if number == 40 { isOver.store(true, ordering: .relaxed) }
        }
        writers.wait()
        #expect(failures.withLock { $0 }.isEmpty)
        let expected = Set(acknowledged.withLock { $0 })
        while heard.count < expected.count, try listen(until: .now + .seconds(30)) {}
        #expect(
            heard == expected && expected.count > 100,
            "\(heard.count) of \(expected.count), without \(expected.subtracting(heard).sorted().prefix(5))")
        let kept = try ProgramRun.outcome(["export"], in: folder).output.split(separator: "\n").count
        #expect(kept == expected.count)
    }
}

extension WebSocketClient {
    /// Waits for a message that is no sign of life, and expects it to begin so.
    fileprivate mutating func expect(beginning text: String) throws {
        while true {
            let arrival = try next(until: .now + .seconds(30))
            if case .text(let sent) = arrival, sent.hasPrefix(text) { return }
            guard case .text(#"{"type":"ka"}"#) = arrival else {
                throw Failure(description: "\(arrival), expected \(text)")
            }
        }
    }
}
