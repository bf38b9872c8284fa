import Foundation
import JSON
import TestSupport
import Testing

@Suite("Users, messages, files and the server in the console")
struct ConsoleRoomTests {
    @Test("users are made, changed, listed and removed by the pool's own calls")
    func users() throws {
        let client = try ConsoleClient.server()
        _ = try client.post("groups", ["name": "Moderators"])
        let made = try client.post(
            "users",
            ["username": "ann", "email": "ann@example.com", "password": "Passw0rd!", "groups": ["Moderators"]])
        #expect(made.status == 200 && made.json["state"]?.string == "CONFIRMED", "\(made)")
        #expect(made.json["groups"] == ["Moderators"] && made.json["emailVerified"] == true)
        let weak = try client.post("users", ["username": "bob", "password": "x"])
        #expect(weak.status == 400 && weak.code == "InvalidPasswordException", "\(weak)")
        let page = try client.get("users?search=an").json
        #expect(page["users"]?.array?.count == 1 && page["total"]?.integer == 1, "\(page)")
        #expect(try client.post("users/ann/disable", .object(JSONObject())).json["enabled"] == false)
        #expect(try client.post("users/ann/groups", ["groups": []]).json["groups"] == [])
        let attributes = try client.post("users/ann/attributes", ["attributes": ["nickname": "a"]]).json
        #expect(attributes["attributes"]?.array?.contains { $0["value"]?.string == "a" } ?? false, "\(attributes)")
        let resolved = try client.post("callers/resolve", ["as": ["kind": "user", "username": "ann"]]).json
        #expect(resolved["detail"]?.string == "user pool · no group", "\(resolved)")
        #expect(try client.call("DELETE", "users/ann").status == 200)
        #expect(try client.get("users/ann").status == 404)
    }

    @Test("messages are shown with their codes")
    func messages() throws {
        let client = try ConsoleClient.server()
        _ = try client.post("users", ["username": "ann", "email": "ann@example.com", "password": "Passw0rd!"])
        #expect(try client.post("users/ann/reset", .object(JSONObject())).status == 200)
        let message = try client.get("messages").json["messages"]?[0]
        #expect(message?["to"]?.string == "ann@example.com" && message?["code"]?.string != nil, "\(message ?? .null)")
        #expect(try client.get("info").json["counts"]?["messages"]?.integer == 1)
        #expect(try client.call("DELETE", "messages").json["removed"]?.integer == 1)
        #expect(try client.get("info").json["counts"]?["messages"]?.integer == 0)
    }

    @Test("files are put, listed by folders, shown without running, and removed")
    func files() throws {
        let client = try ConsoleClient.server()
        #expect(try client.get("info").json["counts"]?["files"]?.integer == 0)
        let put = try client.call(
            "PUT", "files/content?key=public/a/x.html", "<script>alert(1)</script>", fields: ["Content-Type: text/html"]
        )
        #expect(put.status == 200 && put.json["bytes"]?.integer == 25, "\(put)")
        #expect(try client.get("files?prefix=public/").json["folders"] == ["public/a/"])
        let shown = try client.get("files/content?key=public/a/x.html")
        #expect(shown.field("content-type") == "text/plain; charset=utf-8" && shown.body == "<script>alert(1)</script>")
        #expect(try client.post("files/delete", ["keys": ["public/a/x.html"]]).json["deleted"]?.integer == 1)
    }

    @Test("a file is given in parts, as players ask for them")
    func ranges() throws {
        let client = try ConsoleClient.server()
        let put = try client.call(
            "PUT", "files/content?key=public/a.mp3", "0123456789", fields: ["Content-Type: audio/mpeg"])
        #expect(put.status == 200, "\(put)")
        // A file of an operator is counted at once where none was before.
        let info = try client.get("info").json
        #expect(info["counts"]?["files"]?.integer == 1 && info["disk"]?["filesBytes"]?.integer == 10, "\(info)")
        func content(_ fields: String...) throws -> ConsoleClient.Answer {
            try client.call("GET", "files/content?key=public/a.mp3", fields: fields)
        }
        let whole = try content()
        #expect(whole.status == 200 && whole.body == "0123456789" && whole.field("accept-ranges") == "bytes")
        let tag = try #require(whole.field("etag"))
        let rows: [(range: String, body: String, content: String)] = [
            ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=4-", "456789", "bytes 4-9/10"),
            ("bytes=-2", "89", "bytes 8-9/10"), ("bytes=8-100", "89", "bytes 8-9/10"),
        ]
        for row in rows {
            let part = try content("Range: \(row.range)", "If-Range: \(tag)")
            #expect(part.status == 206 && part.body == row.body, "\(row): \(part)")
            #expect(part.field("content-range") == row.content && part.field("content-type") == "audio/mpeg")
        }
        let beyond = try content("Range: bytes=10-")
        #expect(beyond.status == 416 && beyond.code == "InvalidRange", "\(beyond)")
        #expect(try content("Range: bytes=0-3", "If-Range: \"another\"").body == "0123456789")
        #expect(try content("Range: lines=1-2").status == 200)
    }

    @Test("the log is shown from when somebody looks, without what steers a terminal")
    func log() throws {
        let client = try ConsoleClient.server(["--log-level", "info"])
        let first = try client.get("server/log").json
        #expect(first["lines"] == [], "\(first)")
        _ = try client.server.answer(to: "query Logged { listPosts { items { id } } }")
        let deadline = ContinuousClock.now + .seconds(30)
        var lines: [JSONValue] = []
        while lines.isEmpty {
            try #require(ContinuousClock.now < deadline)
            lines = try client.get("server/log").json["lines"]?.array ?? []
        }
        let line = try #require(lines.first { $0["text"]?.string?.contains("listPosts") ?? false }, "\(lines)")
        #expect(line["level"]?.string == "info" && line["text"]?.string?.contains("\u{1B}") == false, "\(line)")
        let id = line["id"]?.integer ?? 0
        #expect(try client.get("server/log?after=\(id)").json["lines"] == [])
    }

    @Test("the server tells what it is, how it is set, and how it does")
    func server() throws {
        let client = try ConsoleClient.server()
        try client.make("p-1")
        let info = try client.get("info").json
        #expect(
            info["environment"]?.string == "development" && info["modes"]?["default"]?.string == "apiKey", "\(info)")
        #expect(info["models"]?.array?.first { $0["name"]?.string == "Post" }?["count"]?.integer == 1, "\(info)")
        let schema = try client.get("schema").json
        #expect(schema["models"]?[0]?["name"]?.string == "Post" && schema["version"] == info["schemaVersion"])
        let title = schema["models"]?[0]?["fields"]?.array?.first { $0["name"]?.string == "title" }
        #expect(title?["type"]?.string == "String!" && title?["isWritable"] == true, "\(title ?? .null)")
        let comments = schema["models"]?[0]?["fields"]?.array?.first { $0["name"]?.string == "comments" }
        #expect(comments?["relation"]?["targetFields"] == ["postID"], "\(comments ?? .null)")
        #expect(schema["api"]?.string?.contains("type Query") ?? false)
        let server = try client.get("server").json
        #expect(
            server["configuration"]?.array?.contains { $0["key"]?.string == "port" && $0["origin"]?.string == "--port" }
                ?? false)
        #expect(try client.get("server/history").json["stepSeconds"]?.integer == 5)
        let backup = try client.get("backup")
        #expect(backup.status == 200 && backup.body.hasPrefix("homeport.json"), "\(backup.head)")
    }
}
