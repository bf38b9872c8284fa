import Foundation
import Network
import TestSupport
import Testing

/// What goes wrong because a test wants it to, and what was received and sent meanwhile.
@Suite("Faults of a server under tests")
struct TestFaultTests {
    private static let create = #"mutation Add { createTodo(input: {name: "n"}) { id } }"#

    @Test("happen to the requests that fit, each in its turn, and are counted")
    func turns() throws {
        let client = TestControlClient(try TestControlClient.server())
        let rules = """
            [{"match": {"field": "createTodo"}, "on": 1, "throttle": true},
             {"match": {"field": "create*"}, "on": {"from": 2, "to": 3}, "status": 503, "body": {"message": "later"}},
             {"match": {"operation": "Add", "method": "POST"}, "on": 4, "close": true},
             {"match": {"path": "/ping"}, "status": 404, "body": "gone"}]
            """
        let added = try client.call("POST", "faults", rules)
        #expect(added.status == 200 && added.list("rules").count == 4, "\(added)")
        #expect(try client.operation("{ listTodos { items { id } } }").status == 200)
        let throttled = try client.operation(Self.create)
        #expect(throttled.status == 429 && throttled.head.contains("x-amzn-errortype: ThrottlingException"))
        #expect(throttled.body.contains(#""errors":[{"errorType":"ThrottlingException","message":"Rate exceeded"}]"#))
        for _ in 0..<2 {
            let later = try client.operation(Self.create)
            #expect(later.status == 503 && later.body == #"{"message":"later"}"#)
            #expect(later.head.contains("content-type: application/json"))
            #expect(later.head.contains("access-control-allow-origin: *"))
        }
        let closed = try client.operation(Self.create)
        #expect(closed.status == 0 && closed.head.isEmpty)
        #expect(try client.ids() == "")
        // In a fragment, under another name, among several.
        let hidden = try client.operation(
            "mutation Other { ...f } mutation Add { ...f } fragment f on Mutation { x: createTodo(input: {name: \"n\"}) { id } }",
            named: "Other")
        #expect(hidden.status == 200 && hidden.body.contains(#""x":{"id":"#), "\(hidden)")
        let counts = try client.call("GET", "faults").list("rules").map {
            [$0["met"] as? Int ?? -1, $0["applied"] as? Int ?? -1]
        }
        #expect(counts == [[5, 1], [5, 2], [4, 1], [0, 0]], "\(counts)")
        let raw = try RawClient(port: client.server.port)
        try raw.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let (head, body) = try raw.readAnswer()
        #expect(head.hasPrefix("HTTP/1.1 404 ") && body == "gone")
        #expect(try client.call("DELETE", "faults").json["removed"] as? Int == 4)
        try raw.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try raw.readAnswer().body == "healthy")
        #expect(try client.call("GET", "faults").list("rules").isEmpty)
    }

    @Test("delay a request, and do to sign-in and files what their services do")
    func services() throws {
        let client = TestControlClient(try TestControlClient.server())
        try client.call(
            "POST", "faults",
            """
            [{"match": {"target": "*.SignUp"}, "throttle": true},
             {"match": {"path": "/photos/*", "method": "GET"}, "throttle": true},
             {"match": {"path": "/graphql"}, "delayMilliseconds": 400, "on": 1}]
            """)
        do {
            try PoolClient(client.server).call("SignUp", ["Username": "a", "Password": "Passw0rd!"])
            Issue.record("it was not refused")
        } catch let refusal as PoolClient.Refusal {
            #expect(refusal.type == "TooManyRequestsException" && refusal.message == "Rate exceeded")
        }
        let calls = try SignedFileCall(client.server)
        #expect(try calls.call("PUT", "/photos").status == 200)
        #expect(try calls.call("PUT", "/photos/a", body: [1]).status == 200)
        #expect(try calls.call("GET", "/photos/a").status == 503)
        let begin = ContinuousClock.now
        #expect(try client.operation(Self.create).body.contains("createTodo"))
        #expect(ContinuousClock.now - begin >= .milliseconds(400))
        #expect(try client.ids() != "")
    }

    /// Refused rules. They change nothing, so one server gets all of them.
    private static let refused: [(rule: String, message: String)] = [
        ("[]", "a list of 1 to 100 rules"), ("[1]", "A rule is an object"), ("{", "no JSON"),
        ("{}", "says what happens"), (#"{"match": {"fields": "a"}, "close": true}"#, "no member \\\"fields\\\""),
        (#"{"match": "a", "close": true}"#, "match is an object"),
        (#"{"math": {}, "close": true}"#, "no member \\\"math\\\""),
        (#"{"match": {"path": ""}, "close": true}"#, "1 to 1024 bytes"),
        (#"{"on": 0, "close": true}"#, "from 1 on"),
        (#"{"on": {"from": 3, "to": 2}, "close": true}"#, "from 1 on"), (#"{"status": 99}"#, "200 to 599"),
        (#"{"status": 500, "close": true}"#, "has one of"), (#"{"body": "x", "close": true}"#, "needs a status"),
        (#"{"contentType": "text/html", "close": true}"#, "A contentType needs a status"),
        (#"{"status": 500, "contentType": 1}"#, "contentType is a text"),
        (#"{"on": {"from": "2"}, "close": true}"#, "from 1 on"),
        (#"{"on": {"from": 2, "until": 3}, "close": true}"#, "from 1 on"),
        (#"{"delayMilliseconds": 60001}"#, "0 to 60000"), (#"{"delayMilliseconds": -1}"#, "0 to 60000"),
        (#"{"lose": true}"#, "What is lost is a frame"),
        (#"{"match": {"frame": "data"}, "close": true}"#, "for frames"),
        (#"{"match": {"frame": "data", "path": "/"}, "lose": true}"#, "stands alone"),
        (#"{"close": 1}"#, "close is true or false"),
    ]

    @Test("are refused where a rule is none, all of them or none")
    func refusals() throws {
        let client = TestControlClient(try TestControlClient.server())
        for (rule, message) in Self.refused {
            let body = rule.hasPrefix("[") || rule == "{" ? rule : "[{\"close\": true}, \(rule)]"
            let answer = try client.call("POST", "faults", body)
            #expect(answer.status == 400 && answer.body.contains(message), "\(rule): \(answer)")
            #expect(try client.call("GET", "faults").list("rules").isEmpty, "\(rule)")
        }
    }

    @Test("have a number of rules")
    func ruleLimit() throws {
        let client = TestControlClient(try TestControlClient.server())
        let rule = #"{"match": {"path": "/nothing"}, "close": true}"#
        let many = "[" + Array(repeating: rule, count: 100).joined(separator: ",") + "]"
        #expect(try client.call("POST", "faults", many).status == 200)
        let beyond = try client.call("POST", "faults", rule)
        #expect(beyond.status == 400 && beyond.body.contains("There may be 100 rules: remove some"))
    }

    /// The next text of a socket.
    private static func text(of socket: inout WebSocketClient) throws -> String {
        guard case .text(let text) = try socket.next(until: .now + .seconds(90)) else {
            throw CocoaError(.featureUnsupported)
        }
        return text
    }

    @Test("lose frames of a WebSocket by their type, and nothing else")
    func frames() throws {
        let client = TestControlClient(try TestControlClient.server())
        try client.call(
            "POST", "faults",
            #"[{"match": {"frame": "next"}, "on": 2, "lose": true}, {"match": {"frame": "pong"}, "lose": true}]"#)
        var socket = try WebSocketClient(
            port: client.server.port, path: "/graphql", protocols: ["graphql-transport-ws"])
        let key = "da2-fakeApiId123456"
        try socket.send(#"{"type":"connection_init","payload":{"x-api-key":"\#(key)"}}"#)
        #expect(try Self.text(of: &socket).contains("connection_ack"))
        try socket.send(
            #"{"type":"subscribe","id":"1","payload":{"query":"subscription { onCreateTodo { id } }"}}"#)
        try socket.send(#"{"type":"ping"}"#)
        // What began is in the list of requests.
        var carried: [[String: Any]] = []
        try eventually("the subscription has begun") {
            carried = try client.call("GET", "requests").list("requests").filter {
                ($0["fields"] as? [String]) == ["onCreateTodo"]
            }
            return !carried.isEmpty
        }
        #expect(
            carried.first?["method"] as? String == "graphql-transport-ws"
                && carried.first?["caller"] as? String == "apiKey")
        for id in ["a", "b", "c"] { try client.create(id) }
        #expect(try Self.text(of: &socket).contains(#""id":"a""#))
        #expect(try Self.text(of: &socket).contains(#""id":"c""#))
        let counts = try client.call("GET", "faults").list("rules").map { $0["applied"] as? Int }
        #expect(counts == [1, 1])
    }

    @Test("delay frames of a WebSocket, and with them those behind; a connection that ends takes what is held with it")
    func delayedFrames() throws {
        let client = TestControlClient(try TestControlClient.server())
        try client.call(
            "POST", "faults",
            #"[{"match": {"frame": "connection_ack"}, "on": 1, "delayMilliseconds": 700}, {"match": {"frame": "next"}, "on": 2, "delayMilliseconds": 60000}]"#
        )
        var socket = try WebSocketClient(
            port: client.server.port, path: "/graphql", protocols: ["graphql-transport-ws"])
        let began = ContinuousClock.now
        try socket.send(#"{"type":"connection_init","payload":{"x-api-key":"da2-fakeApiId123456"}}"#)
        // Who somebody is may take longer to find out than what a ping asks.
        try eventually("the first rule has had its frame") {
            try client.call("GET", "faults").list("rules").first?["applied"] as? Int == 1
        }
        try socket.send(#"{"type":"ping"}"#)
        #expect(try Self.text(of: &socket).contains("connection_ack"))
        #expect(ContinuousClock.now - began >= .milliseconds(700))
        #expect(try Self.text(of: &socket).contains("pong"))
        try socket.send(
            #"{"type":"subscribe","id":"1","payload":{"query":"subscription { onCreateTodo { id } }"}}"#)
        try eventually("the subscription has begun") {
            let list = try client.call("GET", "requests").list("requests")
            return list.contains { ($0["fields"] as? [String]) == ["onCreateTodo"] }
        }
        try client.create("a")
        #expect(try Self.text(of: &socket).contains(#""id":"a""#))
        try client.create("b")
        try socket.send(#"{"type":"ping"}"#)
        // Both wait a minute; the server serves others, and stops in time.
        #expect(try client.operation("{ listTodos { items { id } } }").status == 200)
        #expect(try client.call("GET", "faults").list("rules").map { $0["applied"] as? Int } == [1, 1])
    }

    // MARK: What came and went

    @Test("the list of requests has what was asked and by whom, and no secret")
    func requests() throws {
        let client = TestControlClient(try TestControlClient.server())
        _ = try client.operation(
            "query Find($id: ID!) { getTodo(id: $id) { id } }", ["id": "some-id"], named: "Find")
        let raw = try RawClient(port: client.server.port)
        try raw.send(
            "GET /graphql?query=%7Bnone%7D&secret=hidden HTTP/1.1\r\nHost: localhost\r\nauthorization: hidden-token\r\n\r\n"
        )
        _ = try raw.readAnswer()
        _ = try? PoolClient(client.server).signIn("nobody", "hidden-password")
        let answer = try client.call("GET", "requests")
        let list = answer.list("requests")
        #expect(list.count == 3, "\(answer)")
        #expect(list[0]["method"] as? String == "POST" && list[0]["path"] as? String == "/graphql")
        #expect(list[0]["operationName"] as? String == "Find" && list[0]["fields"] as? [String] == ["getTodo"])
        #expect((list[0]["variables"] as? [String: String]) == ["id": "some-id"])
        #expect((list[0]["query"] as? String)?.hasPrefix("query Find") == true)
        #expect(list[0]["caller"] as? String == "apiKey" && list[0]["status"] as? Int == 200)
        #expect(list[0]["milliseconds"] is Double)
        #expect(list[1]["status"] as? Int == 401 && list[1]["query"] as? String == "{none}")
        #expect(list[2]["target"] as? String == "AWSCognitoIdentityProviderService.InitiateAuth")
        for secret in ["hidden", "fakeApiId", TestControlClient.key] {
            #expect(!answer.body.contains(secret), "\(secret)")
        }
        #expect(try client.call("DELETE", "requests").json["removed"] as? Int == 3)
        #expect(try client.call("GET", "requests").list("requests").isEmpty)
    }

    @Test("the list of requests has room for so many, and keeps no long ones")
    func requestLimit() throws {
        let client = TestControlClient(try TestControlClient.server())
        let raw = try RawClient(port: client.server.port)
        for _ in 0..<1_005 {
            try raw.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try raw.readAnswer()
        }
        let answer = try client.call("GET", "requests")
        #expect(answer.list("requests").count == 1_000 && answer.json["dropped"] as? Int == 5)
        _ = try client.operation("{ listTodos { items { id } } }", ["x": String(repeating: "y", count: 70_000)])
        let last = try #require(try client.call("GET", "requests").list("requests").last)
        #expect(last["isTooLong"] as? Bool == true && last["variables"] == nil && last["status"] as? Int == 200)
    }

    @Test("the outbox waits for a message to somebody, no longer than it is asked to")
    func outbox() throws {
        let client = TestControlClient(try TestControlClient.server())
        let other = TestControlClient(client.server)
        let pool = try PoolClient(client.server)
        func signUp(_ name: String) throws {
            let attributes = [["Name": "email", "Value": "\(name)@example.com"]]
            try pool.call("SignUp", ["Username": name, "Password": "Passw0rd!", "UserAttributes": attributes])
        }
        #expect(try client.call("GET", "outbox").list("messages").isEmpty)
        #expect(try client.call("DELETE", "outbox").json["removed"] as? Int == 0)
        let begin = ContinuousClock.now
        #expect(try client.call("GET", "outbox?waitMilliseconds=200").list("messages").isEmpty)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
        try signUp("ann")
        let found = Result { try client.call("GET", "outbox?to=ann&waitMilliseconds=60000").list("messages") }
        #expect(try found.get().count == 1)
        // Somebody waits while the message comes.
        let waiting = Thread.detachedResult {
            try other.call("GET", "outbox?to=bob%40example.com&waitMilliseconds=60000")
        }
        pause(.milliseconds(100), because: "nothing tells that a request waits; one that comes later is answered too")
        try signUp("bob")
        let messages = try waiting().list("messages")
        #expect(messages.count == 1 && messages.first?["to"] as? String == "bob@example.com")
        #expect(try client.call("GET", "outbox").list("messages").map { $0["user"] as? String } == ["ann", "bob"])
        #expect(try client.call("DELETE", "outbox").json["removed"] as? Int == 2)
        #expect(try client.call("GET", "outbox").list("messages").isEmpty)
        for wait in ["60001", "-1", "x", ""] {
            #expect(try client.call("GET", "outbox?waitMilliseconds=\(wait)").status == 400, "\(wait)")
        }
    }

    // MARK: The end of a process

    @Test("a server that is killed while it goes back has one state or the other")
    func kills() throws {
        var random = SeededRandom(test: "TestFaultTests")
        let folder = TemporaryFolder()
        for _ in 0..<6 {
            let server = try TestControlClient.server(in: folder)
            let client = TestControlClient(server)
            try client.call("POST", "reset")
            #expect(try client.call("GET", "requests").status == 200)
            let lines = (0..<400).map { #"{"type": "Todo", "record": {"id": "a\#($0)", "name": "n"}}"# }
            try client.call("POST", "seed", lines.joined(separator: "\n"))
            try client.call("POST", "snapshot/many")
            try client.call("POST", "reset")
            try client.call("POST", "snapshot/none")
            let raw = try RawClient(port: server.port)
            let key = "x-homeport-test-key: \(TestControlClient.key)"
            let post = { (name: String) in
                "POST /_homeport/restore/\(name) HTTP/1.1\r\nHost: localhost\r\n\(key)\r\nContent-Length: 0\r\n\r\n"
            }
            try raw.send((0..<20).map { post($0 % 2 == 0 ? "many" : "none") }.joined())
            pause(
                .microseconds(Int.random(in: 0...20_000, using: &random)), because: "the moment of a kill is random")
            server.signal(SIGKILL)
            _ = server.exitStatus()
            let again = TestControlClient(try TestControlClient.server(in: folder))
            let count = try again.ids().split(separator: ",").count
            #expect(count == 0 || count == 400, "\(count)")
            try again.create("after")
            #expect(try again.ids().contains("after"))
            again.server.signal(SIGTERM)
            #expect(again.server.exitStatus() == 0)
        }
    }
}

extension Thread {
    /// Does something on another thread; the answer waits for what comes of it.
    fileprivate static func detachedResult<Value>(_ work: @escaping () throws -> Value) -> () throws -> Value {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Value, any Error>?
        nonisolated(unsafe) let work = work
        Thread.detachNewThread {
            result = Result { try work() }
            done.signal()
        }
        return {
            done.wait()
            guard let result else { throw CocoaError(.featureUnsupported) }
            return try result.get()
        }
    }
}
