import Foundation
import Synchronization
import TestSupport
import Testing

/// Many worlds at once: each has a mark of its own in everything that it keeps, and none has the mark of another one.
@Suite("Many worlds at once")
struct WorldLeakTests {
    private static let schema = """
        type Todo @model @searchable @auth(rules: [{ allow: public }, { allow: private }]) {
          id: ID!
          name: String! @index(name: "byName", queryField: "todosByName")
        }
        """
    private static let worlds = 50
    private static let workers = 8
    private static let testKey = "x-homeport-test-key: \(TestControlClient.key)"

    /// A client of a world.
    private struct World {
        let port: UInt16
        let name: String
        let client: String

        init(_ description: [String: Any]) throws {
            let url = try #require(description["url"] as? String)
            port = try #require(URL(string: url)?.port.map { UInt16($0) })
            name = try #require(description["name"] as? String)
            let outputs = description["outputs"] as? [String: Any]
            client = try #require((outputs?["auth"] as? [String: Any])?["user_pool_client_id"] as? String)
        }

        /// The whole of an answer, and its body.
        func ask(
            _ method: String = "POST", _ path: String, _ body: String = "", _ fields: [String]
        ) throws -> (all: String, body: String) {
            let client = try RawClient(port: port)
            let lines = ["Host: localhost", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
            try client.send("\(method) \(path) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
            let text = try client.readToEnd()
            return (text, WorldLeakTests.body(of: text))
        }

        func query(_ text: String, _ fields: [String] = [OperationClient.key]) throws -> String {
            let body = String(decoding: try JSONSerialization.data(withJSONObject: ["query": text]), as: UTF8.self)
            return try ask("POST", "/graphql", body, fields).all
        }

        func users(_ operation: String, _ parameters: [String: Any]) throws -> String {
            let body = String(decoding: try JSONSerialization.data(withJSONObject: parameters), as: UTF8.self)
            return try ask(
                "POST", "/", body,
                [
                    "Content-Type: application/x-amz-json-1.1",
                    "X-Amz-Target: AWSCognitoIdentityProviderService.\(operation)",
                ]
            ).body
        }

        /// Waits for events in the background of a test.
        func subscribed() throws -> RawClient {
            let client = try RawClient(port: port)
            let body = #"{"query": "subscription { onCreateTodo { id name } }"}"#
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(OperationClient.key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            _ = try client.read(through: "\r\n\r\n")
            return client
        }
    }

    /// Runs something for each number on so many threads, and throws the first error.
    private func onThreads(_ count: Int, of workers: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let next = Atomic<Int>(0)
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                do { try body(number) } catch { failure.withLock { $0 = $0 ?? error } }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static func body(of answer: String) -> String {
        answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }

    private static func mark(_ number: Int) -> String { "mark\(number)x" }

    @Test("keep nothing of each other: records, searches, users, tokens, mails, requests, events")
    func apart() throws {
        let base = TestControlClient(try TestControlClient.server(schema: Self.schema))
        try base.create("base", name: "base")
        let made = Mutex<[Int: World]>([:])
        let tokens = Mutex<[Int: String]>([:])
        let port = base.server.port
        try onThreads(Self.worlds, of: Self.workers) { number in
            let client = try RawClient(port: port)
            try client.send(
                "POST /_homeport/worlds HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\(Self.testKey)\r\n\r\n"
            )
            let text = try client.readToEnd()
            let body = Self.body(of: text)
            let json = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            let world = try World(try #require(json, "\(text)"))
            let mark = Self.mark(number)
            let events = try world.subscribed()
            _ = try world.query("mutation { createTodo(input: {id: \"\(mark)\", name: \"\(mark)\"}) { id name } }")
            _ = try world.users(
                "SignUp",
                [
                    "ClientId": world.client, "Username": mark, "Password": "Secret-\(number)-x",
                    "UserAttributes": [["Name": "email", "Value": "\(mark)@example.com"]],
                ])
            let mails = try world.ask("GET", "/_homeport/outbox", "", [Self.testKey]).body
            let code = try #require(mails.firstMatch(of: /"code":\s*"(\d+)"/)?.1, "\(mails)")
            _ = try world.users(
                "ConfirmSignUp", ["ClientId": world.client, "Username": mark, "ConfirmationCode": String(code)])
            let signedIn = try world.users(
                "InitiateAuth",
                [
                    "ClientId": world.client, "AuthFlow": "USER_PASSWORD_AUTH",
                    "AuthParameters": ["USERNAME": mark, "PASSWORD": "Secret-\(number)-x"],
                ])
            let token = try #require(signedIn.firstMatch(of: /"IdToken":\s*"([^"]+)"/)?.1, "\(signedIn)")
            let event = try events.read(through: mark)
            #expect(!event.contains("base") || event.contains(mark))
            made.withLock { $0[number] = world }
            tokens.withLock { $0[number] = "authorization: \(token)" }
        }
        let (worlds, known) = (made.withLock { $0 }, tokens.withLock { $0 })
        #expect(worlds.count == Self.worlds)
        try onThreads(Self.worlds, of: Self.workers) { number in
            guard let world = worlds[number], let own = known[number],
                let other = known[(number + 7) % Self.worlds]
            else { return }
            let found = [
                try world.query("{ listTodos(limit: 1000) { items { id name } } }"),
                try world.query("{ searchTodos(filter: {name: {matchPhrasePrefix: \"mark\"}}) { items { id name } } }"),
                try world.query("{ listTodos { items { id name createdAt } } }", [own]),
                try world.ask("GET", "/_homeport/outbox", "", [Self.testKey]).body,
                try world.ask("GET", "/_homeport/requests", "", [Self.testKey]).body,
                try world.users("GetUser", ["AccessToken": "none"]),
            ]
            for (place, text) in found.enumerated() {
                let marks = Set(text.matches(of: /mark\d+x/).map { String($0.0) })
                #expect(marks.subtracting([Self.mark(number)]).isEmpty, "\(place) of \(number): \(marks)")
                if place < 5 { #expect(marks.contains(Self.mark(number)), "\(place) of \(number): \(text)") }
            }
            #expect(found[0].contains("base"))
            #expect(try world.query("{ listTodos { items { id } } }", [other]).contains(" 401 "))
        }
        #expect(try base.ids() == "base")
        #expect(try !base.call("GET", "outbox").body.contains("mark"))
    }

    @Test("give the files of a suite the same results side by side as one after the other")
    func order() throws {
        let base = TestControlClient(try TestControlClient.server(schema: Self.schema))
        for number in 0..<20 { try base.create("base\(number)", name: "n\(number)") }
        let port = base.server.port
        let files = 24
        @Sendable func results(_ workers: Int) throws -> [String] {
            let results = Mutex<[Int: String]>([:])
            try onThreads(files, of: workers) { number in
                func call(_ method: String, _ path: String) throws -> String {
                    let client = try RawClient(port: port)
                    try client.send(
                        "\(method) /_homeport/\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\(Self.testKey)\r\n\r\n"
                    )
                    let text = try client.readToEnd()
                    return Self.body(of: text)
                }
                let body = try call("POST", "worlds")
                let json = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
                let world = try World(try #require(json, "\(body)"))
                var seen = ""
                for step in 0..<3 {
                    // All of them use the same names.
                    _ = try world.query(
                        "mutation { createTodo(input: {id: \"same\(step)\", name: \"\(number)\"}) { id } }")
                    _ = try world.query("mutation { deleteTodo(input: {id: \"base\((number + step) % 20)\"}) { id } }")
                    seen += Self.body(of: try world.query("{ listTodos(limit: 100) { items { id name } } }"))
                }
                _ = try world.ask("POST", "/_homeport/reset", "", [Self.testKey])
                seen += Self.body(of: try world.query("{ listTodos(limit: 100) { items { id } } }"))
                _ = try call("DELETE", "worlds/\(world.name)")
                results.withLock { $0[number] = seen }
            }
            return (0..<files).map { number in results.withLock { $0[number] } ?? "" }
        }
        let (alone, together) = (try results(1), try results(Self.workers))
        #expect(alone.allSatisfy { $0.contains("same2") } && Set(alone).count == files)
        for (number, pair) in zip(alone, together).enumerated() where pair.0 != pair.1 {
            Issue.record("file \(number): \(pair.0)\n\(pair.1)")
        }
        #expect(try base.call("GET", "worlds").list("worlds").isEmpty)
    }
}
