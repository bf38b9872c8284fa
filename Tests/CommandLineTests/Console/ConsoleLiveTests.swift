import Foundation
import JSON
import TestSupport
import Testing

@Suite("What happens, in the console")
struct ConsoleLiveTests {
    private func stream(_ client: ConsoleClient) throws -> RawClient {
        let stream = try RawClient(port: client.server.port)
        try stream.send(
            "GET /_homeport/v1/live HTTP/1.1\r\nHost: 127.0.0.1:\(client.server.port)\r\nSec-Fetch-Site: same-origin\r\n\r\n"
        )
        let head = try stream.read(through: "\r\n\r\n")
        #expect(head.contains("200") && head.contains("text/event-stream"), "\(head)")
        _ = try stream.read(through: "event: hello")
        return stream
    }

    @Test("is told of requests as they come, with stories only of those that come while somebody looks")
    func requests() throws {
        let client = try ConsoleClient.server()
        _ = try client.server.answer(to: "query Before { listPosts { items { id } } }")
        let stream = try stream(client)
        _ = try client.server.answer(to: "query While { listPosts { items { id } } }")
        let told = try stream.read(through: "\"name\":\"While\"")
        #expect(!told.contains("Before"))
        let recent = try client.get("live/recent").json
        let story = try #require(recent["stories"]?.array?.first { $0["name"]?.string == "While" })
        #expect(story["caller"]?["mode"]?.string == "apiKey" && story["transport"]?.string == "http", "\(story)")
        let id = story["id"]?.integer ?? 0
        let whole = try client.get("live/\(id)").json
        #expect(whole["query"]?.string == "query While { listPosts { items { id } } }", "\(whole)")
        #expect(!(whole["statements"]?.array ?? []).isEmpty && !(whole["steps"]?.array ?? []).isEmpty)
        #expect(try client.get("live/1").status == 404)
        _ = try stream.read(through: "event: stats")
    }

    @Test("shows failures as failures: errors in a 200, a wrong key, a text that is no query, sign-in and files")
    func failures() throws {
        let client = try ConsoleClient.server()
        func send(_ path: String, _ body: String, _ fields: [String]) throws {
            _ = try client.request("POST", path, body, fields: fields)
        }
        let key = OperationClient.key
        let calls: () throws -> Void = {
            try send("/graphql", #"{"query": "{ nope }"}"#, [key])
            try send("/graphql", #"{"query": "{ listPosts { items { id } } }"}"#, ["x-api-key: da2-wrong"])
            try send("/graphql", #"{"query": "{ listPosts {"}"#, [key])
            try send(
                "/", #"{"AuthFlow": "USER_PASSWORD_AUTH"}"#,
                [
                    "x-amz-target: AWSCognitoIdentityProviderService.InitiateAuth",
                    "content-type: application/x-amz-json-1.1",
                ])
        }
        func rows() throws -> [JSONValue] { try client.get("live/recent?watch=true").json["stories"]?.array ?? [] }
        func results(_ rows: [JSONValue]) -> [String] {
            rows.map { "\($0["status"]?.integer ?? 0) \($0["result"]?.string ?? "") \($0["service"]?.string ?? "API")" }
        }
        // Before anybody looks there are outlines, and then stories.
        for isWatched in [false, true] {
            try calls()
            let found = Array(try rows().prefix(4).reversed())
            let wanted = ["200 error API", "401 denied API", "400 refused API", "400 refused sign-in"]
            #expect(results(found) as [String] == wanted, "watched: \(isWatched): \(found)")
            #expect(found.allSatisfy { !($0["errors"]?.array ?? []).isEmpty }, "\(found)")
            #expect(found.last?["fields"]?[0]?.string == "InitiateAuth", "\(found)")
        }
        let story = try #require(try rows().first { $0["status"]?.integer == 401 })
        let whole = try client.get("live/\(story["id"]?.integer ?? 0)").json
        #expect(whole["query"]?.string == "{ listPosts { items { id } } }", "\(whole)")
        #expect(story["caller"]?["label"]?.string == "nobody")
        #expect(story["errors"]?[0]?["reason"]?.string?.isEmpty == false, "\(story)")
        try eventually("the log has lines from before") {
            try client.get("server/log").json["lines"]?.array?.isEmpty == false
        }
    }

    @Test("says why a request was denied, though the server does not explain that to clients")
    func denials() throws {
        let client = try ConsoleClient.server()
        let stream = try stream(client)
        let answer = try client.server.answer(to: "mutation No { deletePost(input: {id: \"x\"}) { id } }")
        #expect(!answer.contains("authorization"))
        _ = try stream.read(through: "\"name\":\"No\"")
        let story = try #require(
            try client.get("live/recent").json["stories"]?.array?.first { $0["name"]?.string == "No" })
        #expect(story["result"]?.string == "denied", "\(story)")
        let whole = try client.get("live/\(story["id"]?.integer ?? 0)").json
        #expect(whole["denials"]?[0]?["question"]?.string == "ask for Mutation.deletePost", "\(whole)")
    }

    @Test("says of an event who got it, and who did not and why")
    func events() throws {
        let client = try ConsoleClient.server()
        let live = try stream(client)
        let body =
            "{\"query\": \"subscription { onCreateComment(filter: {postID: {eq: \\\"p-2\\\"}}) { id postID } }\"}"
        let subscriber = try RawClient(port: client.server.port)
        try subscriber.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\n\(OperationClient.key)\r\nAccept: text/event-stream\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        _ = try subscriber.read(through: ":\n\n")
        _ = try live.read(through: "onCreateComment")
        _ = try client.server.answer(
            to:
                "mutation Made { createComment(input: {id: \"c-1\", postID: \"p-1\", content: \"x\"}) { id postID content } }"
        )
        _ = try live.read(through: "event: event")
        let told = try live.read(through: "\n\n")
        #expect(told.contains("\"notSent\":1"), "\(told)")
        let story = try #require(
            try client.get("live/recent").json["stories"]?.array?.first { $0["name"]?.string == "Made" })
        let whole = try client.get("live/\(story["id"]?.integer ?? 0)").json
        let delivery = whole["events"]?[0]?["deliveries"]?[0]
        #expect(delivery?["sent"] == false && delivery?["subscription"]?.string == "onCreateComment", "\(whole)")
        #expect(delivery?["why"]?.string?.contains("postID = \"p-2\"") ?? false, "\(whole)")
        // An event leads to its request, and who subscribes is told.
        let event = try #require(try client.get("live/recent").json["events"]?[0]?["id"]?.integer)
        #expect(try client.get("live/e\(event)").json["id"] == story["id"])
        #expect(try client.get("live/e1").status == 404)
        let subscribers = try client.get("subscribers").json
        #expect(subscribers["subscribers"]?[0]?["operation"]?.string == "onCreateComment" && subscribers["more"] == 0)
    }

    @Test("tells the story of a subscription on a WebSocket: its steps, each event that came or was withheld, and why")
    func subscriptionStory() throws {
        let client = try ConsoleClient.server()
        let live = try stream(client)
        var socket = try WebSocketClient(
            port: client.server.port, path: "/graphql", protocols: ["graphql-transport-ws"])
        try socket.send(#"{"type":"connection_init","payload":{"x-api-key":"da2-fakeApiId123456"}}"#)
        _ = try socket.next(until: .now + .seconds(30))
        try socket.send(
            #"{"id":"1","type":"subscribe","payload":{"query":"subscription Mine { onCreateComment(filter: {postID: {eq: \"p-1\"}}) { id postID } }"}}"#
        )
        _ = try live.read(through: "\"name\":\"Mine\"")
        for post in ["p-1", "p-2"] {
            _ = try client.server.answer(
                to: "mutation { createComment(input: {postID: \"\(post)\", content: \"x\"}) { id postID } }")
            _ = try live.read(through: "event: event")
        }
        let id = try story("Mine", client)?["id"]?.integer ?? 0
        let whole = try client.get("live/\(id)").json
        #expect(whole["kind"]?.string == "subscription" && whole["transport"]?.string == "graphql-transport-ws")
        let steps = (whole["steps"]?.array ?? []).compactMap { $0["what"]?.string }
        #expect(steps.count == 3 && steps[0].contains("graphql-transport-ws"), "\(whole)")
        #expect(steps.last?.hasPrefix("registered") ?? false)
        let events = whole["events"]?.array ?? []
        #expect(events.map { $0["deliveries"]?[0]?["sent"]?.bool } == [true, false], "\(whole)")
        #expect(events.allSatisfy { $0["deliveries"]?[0]?["why"]?.string?.contains("p-1") ?? false }, "\(whole)")
    }

    @Test("tells of an event stream once, however long it lasts")
    func eventStream() throws {
        let client = try ConsoleClient.server()
        let live = try stream(client)
        let body = #"{"query":"subscription Once { onCreateComment { id } }"}"#
        var subscriber: RawClient? = try RawClient(port: client.server.port)
        try subscriber?.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\n\(OperationClient.key)\r\n"
                + "Accept: application/json, text/event-stream\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        _ = try live.read(through: "\"name\":\"Once\"")
        subscriber = nil
        // The connection is found to be gone when something is written to it.
        for _ in 0..<2 {
            _ = try client.server.answer(
                to: "mutation { createComment(input: {postID: \"p\", content: \"x\"}) { id } }")
            _ = try live.read(through: "event: stats")
        }
        let stories = try client.get("live/recent").json["stories"]?.array ?? []
        let told = stories.filter { $0["name"]?.string == "Once" }
        #expect(told.map { $0["transport"]?.string } == ["event-stream"], "\(told)")
    }

    @Test("tells why a subscription on a WebSocket was refused")
    func refusedSubscription() throws {
        let client = try ConsoleClient.server(schema: "type Note @model @auth(rules: [{ allow: owner }]) { id: ID! }")
        let live = try stream(client)
        var socket = try WebSocketClient(
            port: client.server.port, path: "/graphql", protocols: ["graphql-transport-ws"])
        try socket.send(#"{"type":"connection_init","payload":{"x-api-key":"da2-fakeApiId123456"}}"#)
        _ = try socket.next(until: .now + .seconds(30))
        try socket.send(#"{"id":"1","type":"subscribe","payload":{"query":"subscription No { onCreateNote { id } }"}}"#)
        _ = try live.read(through: "\"name\":\"No\"")
        let whole = try client.get("live/\(try story("No", client)?["id"]?.integer ?? 0)").json
        #expect(whole["result"]?.string == "denied", "\(whole)")
        #expect(whole["denials"]?[0]?["rules"]?.array?.isEmpty == false, "\(whole)")
    }

    private func story(_ name: String, _ client: ConsoleClient) throws -> JSONValue? {
        try client.get("live/recent").json["stories"]?.array?.first { $0["name"]?.string == name }
    }

    @Test("is to be had without a stream: who asks now and then misses nothing")
    func glances() throws {
        let client = try ConsoleClient.server()
        let first = try client.get("live/recent?watch=true").json
        #expect(first["stories"] == [] && first["epoch"]?.string?.isEmpty == false, "\(first)")
        _ = try client.server.answer(to: "query One { listPosts { items { id } } }")
        let second = try client.get("live/recent?watch=true").json
        let one = try #require(second["stories"]?.array?.first { $0["name"]?.string == "One" })
        _ = try client.server.answer(to: "query Two { listPosts { items { id } } }")
        let third = try client.get("live/recent?watch=true&after=\(one["id"]?.integer ?? 0)").json
        let names = (third["stories"]?.array ?? []).compactMap { $0["name"]?.string }
        #expect(names == ["Two"] && third["epoch"] == first["epoch"], "\(third)")
    }

    @Test("lets so many look at once, and says what to do beyond")
    func listeners() throws {
        let client = try ConsoleClient.server()
        // Whoever is only told the head has no place.
        for _ in 0..<25 { #expect(try client.call("HEAD", "live").status == 200) }
        let listeners = try (0..<20).map { _ in try stream(client) }
        let refused = try client.get("live")
        #expect(refused.status == 503 && refused.code == "busy" && refused.body.contains("close one"), "\(refused)")
        #expect(refused.field("retry-after") != nil)
        _ = listeners
    }

    @Test("knows the models of another schema as soon as that is served, whether somebody has asked for it or not")
    func schemaChange() throws {
        let folder = TemporaryFolder()
        let auth = "@auth(rules: [{ allow: public }])"
        let client = try ConsoleClient.server(
            ["--watch"], schema: "type Todo @model \(auth) { id: ID! }", in: folder)
        let live = try stream(client)
        _ = try client.server.answer(to: "query Before { listTodos { items { id } } }")
        _ = try live.read(through: "\"name\":\"Before\"")
        #expect(try story("Before", client)?["models"] == ["Todo"])
        try folder.write(
            "type Todo @model \(auth) { id: ID! } type Note @model \(auth) { id: ID! }", to: "schema.graphql.part")
        _ = rename(folder.file("schema.graphql.part"), folder.file("schema.graphql"))
        try #require(client.server.logs("the schema has changed, and is served"), "\(client.server.log)")
        _ = try client.server.answer(to: "query After { listNotes { items { id } } }")
        _ = try live.read(through: "\"name\":\"After\"")
        #expect(try story("After", client)?["models"] == ["Note"])
    }
}
