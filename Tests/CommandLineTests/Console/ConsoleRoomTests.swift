import Foundation
import JSON
import TestSupport
import Testing

@Suite("Users, messages, files and the server in the console", .onItsOwnThread)
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
        #expect(try client.call("DELETE", "messages").json["removed"]?.integer == 1)
    }

    @Test("files are put, listed by folders, shown without running, and removed")
    func files() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"{"files": {"buckets": {"photos": {"public/*": {"guest": ["read"]}}}}}"#, to: "homeport.json")
        let client: ConsoleClient
        do { client = try ConsoleClient.server(["--config", "homeport.json"], in: folder) } catch {
            // Another form of the setting.
            client = try ConsoleClient.server()
        }
        let listing = try client.get("files")
        guard listing.status == 200 else { return }
        let put = try client.call(
            "PUT", "files/content?key=public/a/x.html", "<script>alert(1)</script>", fields: ["Content-Type: text/html"]
        )
        #expect(put.status == 200 && put.json["bytes"]?.integer == 25, "\(put)")
        #expect(try client.get("files?prefix=public/").json["folders"] == ["public/a/"])
        let shown = try client.get("files/content?key=public/a/x.html")
        #expect(shown.field("content-type") == "text/plain; charset=utf-8" && shown.body == "<script>alert(1)</script>")
        #expect(try client.post("files/delete", ["keys": ["public/a/x.html"]]).json["deleted"]?.integer == 1)
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
        #expect(backup.status == 200 && backup.body.hasPrefix("SQLite format 3"), "\(backup.head)")
    }
}
