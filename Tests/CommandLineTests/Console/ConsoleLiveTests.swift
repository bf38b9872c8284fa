import Foundation
import JSON
import TestSupport
import Testing

@Suite("What happens, in the console", .onItsOwnThread)
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

    @Test("is told of requests as they come, and nothing is kept before somebody looks")
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
    }
}
