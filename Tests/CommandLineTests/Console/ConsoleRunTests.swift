import Foundation
import JSON
import TestSupport
import Testing

@Suite("Operations by the console")
struct ConsoleRunTests {
    private static let bob: JSONValue = [
        "kind": "made", "username": "bob", "groups": [], "claims": .object(JSONObject()),
    ]

    @Test("run for whom it says, and say why somebody is denied in the words of the schema")
    func denial() throws {
        let client = try ConsoleClient.server()
        try client.make("p-1")
        let answer = try client.run(
            "mutation { updatePost(input: {id: \"p-1\", title: \"x\"}) { id } }", as: Self.bob)
        #expect(answer["response"]?["errors"]?[0]?["errorType"]?.string == "Unauthorized", "\(answer)")
        let denial = try #require(answer["denials"]?[0])
        #expect(denial["question"]?.string == "update Post" && denial["model"]?.string == "Post")
        #expect(denial["path"]?[0]?.string == "updatePost", "\(denial)")
        let rules = denial["rules"]?.array ?? []
        #expect(
            rules.contains {
                $0["id"]?.string == "Post#1" && $0["reason"]?.string == "update is not among its operations"
            })
        #expect(rules.contains { $0["place"]?["line"]?.integer == 4 }, "\(rules)")
        #expect(rules.contains { $0["reason"]?.string?.contains("ann") ?? false })
        #expect(denial["allowed"]?.array?.contains { $0["label"]?.string == "group Moderators" } ?? false, "\(denial)")
        let happened = try #require(answer["happened"])
        #expect(happened["result"]?.string == "denied" && happened["caller"]?["label"]?.string == "bob")
        let statements = happened["statements"]?.array ?? []
        #expect(!statements.isEmpty)
    }

    @Test("say what happened: steps, statements with their plans, rows, the commit")
    func story() throws {
        let client = try ConsoleClient.server()
        let made = try client.make("p-1")
        let story = try #require(made["happened"])
        #expect(story["operation"]?.string == "mutation" && story["fields"]?[0]?.string == "createPost")
        #expect(story["models"]?[0]?.string == "Post" && story["rowsWritten"]?.integer == 1, "\(story)")
        #expect((story["commit"]?["shared"]?.integer ?? 0) >= 1)
        let read = try client.run("{ getPost(id: \"p-1\") { id title } }")
        #expect(read["response"]?["data"]?["getPost"]?["title"]?.string == "a title", "\(read)")
        let statement = read["happened"]?["statements"]?[0]
        #expect(statement?["plan"]?[0]?.string?.contains("SEARCH") ?? false, "\(read)")
        // A loop that had no core for a while has the read done beside it, from its beginning.
        #expect(statement?["rows"]?.integer == 1 && [1, 2].contains(statement?["count"]?.integer), "\(read)")
        // Each loop has plans of its own, and a connection belongs to any.
        let isKept = try (0..<50).contains { _ in
            try client.run("{ getPost(id: \"p-1\") { id title } }")["happened"]?["planCached"]?.bool == true
        }
        #expect(isKept)
    }

    @Test(
        "know each kind of caller, and say which are none",
        arguments: [
            ("{\"kind\": \"admin\"}", "administrator"), ("{\"kind\": \"apiKey\"}", "API key"),
            ("{\"kind\": \"guest\"}", "guest"),
            ("{\"kind\": \"iam\", \"role\": \"authenticated\"}", "signed-in identity"),
            ("{\"kind\": \"made\", \"username\": \"eve\", \"groups\": [\"A\"], \"claims\": {}}", "eve"),
            ("{\"kind\": \"user\", \"username\": \"nobody\"}", nil),
            ("{\"kind\": \"token\", \"token\": \"e.y.J\"}", nil),
            ("{\"kind\": \"robot\"}", nil), ("[]", nil),
        ])
    func callers(text: String, label: String?) throws {
        let client = try ConsoleClient.server()
        let answer = try client.post("callers/resolve", ["as": try JSONReader.value(of: text)])
        #expect(answer.json["label"]?.string == label, "\(answer)")
        #expect((answer.status == 200) == (label != nil))
    }

    @Test("stream a subscription's events, and end with the one who listens")
    func subscription() throws {
        let client = try ConsoleClient.server()
        let stream = try RawClient(port: client.server.port)
        let body = "{\"as\": {\"kind\": \"apiKey\"}, \"query\": \"subscription { onCreatePost { id title } }\"}"
        try stream.send(
            "POST /_homeport/v1/run HTTP/1.1\r\nHost: 127.0.0.1:\(client.server.port)\r\nOrigin: \(client.origin)\r\n"
                + "X-Homeport-Csrf: \(client.token ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let head = try stream.read(through: "\r\n\r\n")
        #expect(head.contains("text/event-stream"), "\(head)")
        _ = try stream.read(through: ":\n\n")
        // It is registered a moment after its head: made again until it is heard.
        var (heard, number) = ("", 0)
        try eventually("the event is heard: \(heard)") {
            number += 1
            try client.make("p-\(number)", title: "heard")
            heard += String(decoding: try stream.bytes(until: .now + .milliseconds(100)) ?? [], as: UTF8.self)
            return heard.contains("\"title\":\"heard\"")
        }
    }

    @Test("follow so many subscriptions at once, and say what to do beyond")
    func followed() throws {
        let client = try ConsoleClient.server()
        let body = "{\"as\": {\"kind\": \"apiKey\"}, \"query\": \"subscription { onCreatePost { id } }\"}"
        func follow() throws -> (client: RawClient, head: String) {
            let stream = try RawClient(port: client.server.port)
            try stream.send(
                "POST /_homeport/v1/run HTTP/1.1\r\nHost: 127.0.0.1:\(client.server.port)\r\nOrigin: \(client.origin)\r\n"
                    + "X-Homeport-Csrf: \(client.token ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return (stream, try stream.read(through: "\r\n\r\n"))
        }
        let streams = try (0..<50).map { _ in try follow() }
        #expect(streams.allSatisfy { $0.head.contains("text/event-stream") })
        let refused = try client.post("run", try JSONReader.value(of: body))
        #expect(refused.status == 503 && refused.code == "busy" && refused.body.contains("end one"), "\(refused)")
    }

    @Test("say of a record who owns it, by which field and claim; who that is may do it")
    func owners() throws {
        let client = try ConsoleClient.server()
        try client.make("p-1")
        let mutation = "mutation { updatePost(input: {id: \"p-1\", title: \"x\"}) { id } }"
        func owner() throws -> JSONValue? {
            let allowed = try client.run(mutation, as: Self.bob)["denials"]?[0]?["allowed"]?.array
            return allowed?.first { $0["field"]?.string == "author" }
        }
        let made = try #require(try owner())
        #expect(made["label"]?.string == "ann" && made["claim"]?.string == "sub::username", "\(made)")
        #expect(made["as"]?["kind"]?.string == "made" && made["as"]?["username"]?.string == "ann", "\(made)")
        let changed = try client.run(mutation, as: try #require(made["as"]))
        #expect(changed["response"]?["data"]?["updatePost"]?["id"]?.string == "p-1", "\(changed)")
        // Whom the pool has is nobody who is made up.
        _ = try client.post("users", ["username": "ann", "email": "ann@example.com", "password": "Passw0rd!"])
        #expect(try owner()?["as"] == ["kind": "user", "username": "ann"])
        let row = try client.post("row", ["model": "Post", "key": ["id": "p-1"], "as": Self.bob]).json
        #expect(
            row["denials"]?.array?.contains { denial in
                denial["allowed"]?.array?.contains { $0["as"]?["kind"]?.string == "user" } ?? false
            } ?? false, "\(row)")
        // Of a record that is not there nobody can be named.
        let missing = try client.run("mutation { deletePost(input: {id: \"no\"}) { id } }", as: Self.bob)
        let unknown = missing["denials"]?[0]?["allowed"]?.array?.first { $0["field"] != nil }
        #expect(unknown?["as"]?.isNull ?? false, "\(missing)")
        #expect(unknown?["label"]?.string == "the owner, whom author names")
    }

    @Test("say of a subscription that is refused why, and who may have it")
    func refusedSubscription() throws {
        let client = try ConsoleClient.server()
        let query = "subscription { onCreateComment(owner: \"ann\") { id } }"
        let answer = try client.post("run", ["as": Self.bob, "query": .string(query)])
        #expect(answer.field("content-type") == "application/json", "\(answer)")
        let json = answer.json
        #expect(json["response"]?["errors"]?[0]?["errorType"]?.string == "Unauthorized", "\(json)")
        let denial = try #require(json["denials"]?[0])
        #expect(denial["model"]?.string == "Comment" && denial["who"]?.string == "bob", "\(denial)")
        #expect(denial["rules"]?.array?.contains { $0["reason"]?.string?.contains("ann") ?? false } ?? false)
        #expect(denial["allowed"]?.array?.contains { $0["label"]?.string == "API key" } ?? false, "\(denial)")
        #expect(json["happened"]?["kind"]?.string == "subscription", "\(json)")
        #expect(json["happened"]?["result"]?.string == "denied")
        // One that is none is told so as well.
        let wrong = try client.post("run", ["as": Self.bob, "query": "subscription { onNothing { id } }"]).json
        #expect((wrong["response"]?["errors"]?.array?.count ?? 0) > 0, "\(wrong)")
    }
}
