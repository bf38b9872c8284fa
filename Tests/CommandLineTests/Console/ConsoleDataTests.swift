import Foundation
import JSON
import TestSupport
import Testing

@Suite("Data in the console")
struct ConsoleDataTests {
    private static let bob: JSONValue = [
        "kind": "made", "username": "bob", "groups": [], "claims": .object(JSONObject()),
    ]

    private func filled(_ count: Int = 5) throws -> ConsoleClient {
        let client = try ConsoleClient.server()
        for number in 1...count { try client.make("p-\(number)", title: "t\(number % 3)", secret: "s\(number)") }
        return client
    }

    @Test("comes in pages that hold each record once, filtered and sorted")
    func pages() throws {
        let client = try filled()
        var ids: [String] = []
        var cursor: JSONValue = .null
        repeat {
            let page = try client.post(
                "rows",
                [
                    "model": "Post", "limit": 2, "cursor": cursor, "sort": [["field": "title", "descending": true]],
                ]
            ).json
            #expect(page["total"]?.integer == 5, "\(page)")
            ids += (page["rows"]?.array ?? []).compactMap { $0["key"]?["id"]?.string }
            cursor = page["next"] ?? .null
        } while !cursor.isNull
        #expect(ids == ["p-2", "p-5", "p-1", "p-4", "p-3"])
        let filtered = try client.post(
            "rows", ["model": "Post", "filter": [["field": "title", "is": "=", "value": "t1"]]]
        ).json
        #expect(filtered["rows"]?.array?.count == 2 && filtered["total"]?.integer == 2)
    }

    @Test(
        "says what is wrong with what it is asked",
        arguments: [
            ("{\"model\": \"None\"}", "model"), ("{\"model\": \"Post\", \"limit\": 0}", "limit"),
            ("{\"model\": \"Post\", \"limit\": 501}", "limit"),
            ("{\"model\": \"Post\", \"filter\": [{\"field\": \"none\"}]}", "filter.0.field"),
            (
                "{\"model\": \"Post\", \"filter\": [{\"field\": \"likes\", \"is\": \"=\", \"value\": \"x\"}]}",
                "filter.0.value"
            ),
            (
                "{\"model\": \"Post\", \"filter\": [{\"field\": \"title\", \"is\": \"; DROP\", \"value\": \"x\"}]}",
                "filter.0.is"
            ),
            ("{\"model\": \"Post\", \"sort\": [{\"field\": \"id; DROP TABLE Post\"}]}", "sort.0.field"),
            ("{\"model\": \"Post\", \"cursor\": \"1\"}", "cursor"),
        ])
    func refused(body: String, place: String) throws {
        let client = try filled(1)
        let answer = try client.post("rows", try JSONReader.value(of: body))
        #expect(answer.status == 400 && answer.json["error"]?["place"]?.string == place, "\(answer)")
    }

    @Test("shows what is hidden from somebody as hidden")
    func hidden() throws {
        let client = try filled(1)
        let asBob = try client.post("rows", ["model": "Post", "as": Self.bob]).json
        #expect(asBob["rows"]?[0]?["hidden"] == ["secret"], "\(asBob)")
        let guest = try client.post("rows", ["model": "Post", "as": ["kind": "guest"]]).json
        #expect(guest["rows"]?[0]?["hidden"] == true, "\(guest)")
        #expect(try client.post("rows", ["model": "Post"]).json["rows"]?[0]?["hidden"] == .null)
        let row = try client.post("row", ["model": "Post", "key": ["id": "p-1"], "as": Self.bob]).json
        #expect(row["may"]?["update"] == false && row["may"]?["read"] == true, "\(row)")
        #expect(try client.post("row", ["model": "Post", "key": ["id": "none"]]).status == 404)
    }

    @Test("is changed by the API's own mutations, with its words, and the change is noted")
    func changes() throws {
        let client = try filled(1)
        let refused = try client.post(
            "change", ["model": "Post", "operation": "update", "as": Self.bob, "input": ["id": "p-1", "title": "x"]]
        ).json
        #expect(refused["row"]?.isNull ?? false)
        #expect(
            refused["response"]?["errors"]?[0]?["message"]?.string
                == "Not Authorized to access updatePost on type Mutation")
        let changed = try client.post(
            "change", ["model": "Post", "operation": "update", "input": ["id": "p-1", "title": "new"]]
        ).json
        #expect(changed["row"]?["title"]?.string == "new", "\(changed)")
        let deleted = try client.post(
            "change", ["model": "Post", "operation": "delete", "inputs": [["id": "p-1"], ["id": "none"]]]
        ).json
        #expect(deleted["results"]?.array?.count == 2 && deleted["results"]?[0]?["row"]?["id"]?.string == "p-1")
        let entries = try client.get("audit").json["entries"]?.array ?? []
        #expect(
            entries.contains { $0["action"]?.string == "row.delete" && $0["target"]?.string == "Post p-1" },
            "\(entries)")
    }

    @Test("says what a deletion would leave behind")
    func children() throws {
        let client = try filled(1)
        for number in 1...3 {
            _ = try client.post(
                "change",
                [
                    "model": "Comment", "operation": "create",
                    "input": ["id": .string("c-\(number)"), "postID": "p-1", "content": "c"],
                ])
        }
        let answer = try client.post("children", ["model": "Post", "keys": [["id": "p-1"]]]).json
        #expect(answer["children"]?[0]?["count"]?.integer == 3 && answer["children"]?[0]?["model"]?.string == "Comment")
        let page = try client.post("rows", ["model": "Post", "related": true]).json
        #expect(page["rows"]?[0]?["related"]?["comments"]?.integer == 3, "\(page)")
    }

    @Test("goes out as JSON and as lines with commas, and comes in again", arguments: ["json", "csv"])
    func transfer(format: String) throws {
        let client = try ConsoleClient.server()
        try client.make("p-1", title: "a, \"b\"\nc", author: "=cmd()")
        let file = try client.post("export", ["model": "Post", "format": .string(format)])
        #expect(file.status == 200 && file.field("content-disposition")?.contains("Post.\(format)") ?? false, "\(file)")
        if format == "csv" { #expect(file.body.contains("'=cmd()")) }
        let other = try ConsoleClient.server()
        let answer = try other.call("POST", "import?model=Post&format=\(format)", file.body).json
        #expect(answer["created"]?.integer == 1 && answer["failedCount"]?.integer == 0, "\(answer)")
        let row = try other.post("row", ["model": "Post", "key": ["id": "p-1"]]).json
        #expect(row["values"]?["title"]?.string == "a, \"b\"\nc", "\(row)")
        let again = try other.call("POST", "import?model=Post&format=\(format)", file.body).json
        #expect(again["created"]?.integer == 0 && again["failedCount"]?.integer == 1)
    }

    @Test("is found by the beginning of its id, and the schema by its names")
    func finding() throws {
        let client = try filled(2)
        let found = try client.get("find?q=p-").json["results"]?.array ?? []
        #expect(found.contains { $0["kind"]?.string == "record" && $0["key"]?["id"]?.string == "p-2" }, "\(found)")
        let names = try client.get("find?q=createp").json["results"]?.array ?? []
        #expect(names.contains { $0["kind"]?.string == "operation" && $0["label"]?.string == "createPost" })
    }

    @Test("finds models, operations, fields, types, users, settings, files and records by one line")
    func finder() throws {
        let client = try ConsoleClient.server()
        try client.make("p-find")
        _ = try client.post("users", ["username": "annabel", "email": "annabel@example.com", "password": "Passw0rd!"])
        _ = try client.call("PUT", "files/content?key=public/photo.txt", "x", fields: ["Content-Type: text/plain"])
        func found(_ words: String) throws -> [String] {
            let results = try client.get("find?q=\(words)").json["results"]?.array ?? []
            return results.map { "\($0["kind"]?.string ?? "") \($0["label"]?.string ?? "")" }
        }
        let rows = [
            ("post", "model Post"), ("createpo", "operation createPost"), ("titl", "field Post.title"),
            ("annab", "user annabel"), ("apikeys", "setting auth.apiKeys"), ("public/ph", "file public/photo.txt"),
            ("publ", "file public/"), ("p-fi", "record Post p-find"),
        ]
        for (words, expected) in rows {
            let results = try found(words)
            #expect(results.contains(expected), "\(words): \(results)")
        }
        #expect(try found("nothing%20is%20called%20so").isEmpty)
    }
}
