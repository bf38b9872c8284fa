import Foundation
import JSON
import TestSupport
import Testing

@Suite("Who may do what, in the console")
struct ConsoleAccessTests {
    /// The verdicts of a row of the matrix, by the ids of the callers.
    private func verdicts(_ matrix: JSONValue, _ model: String, _ operation: String) -> [String: String] {
        let callers = (matrix["callers"]?.array ?? []).compactMap { $0["id"]?.string }
        let found = matrix["models"]?.array?.first { $0["name"]?.string == model }
        let row = found?["rows"]?.array?.first { $0["operation"]?.string == operation }
        let cells = (row?["cells"]?.array ?? []).compactMap { $0["verdict"]?.string }
        return Dictionary(uniqueKeysWithValues: zip(callers, cells))
    }

    @Test("is a matrix that says what requests meet")
    func matrix() throws {
        let client = try ConsoleClient.server()
        let matrix = try client.get("access").json
        let read = verdicts(matrix, "Post", "read")
        #expect(read["apiKey"] == "some" && read["guest"] == "none", "\(read)")
        #expect(read["signedIn"] == "some" && read["group:Moderators"] == "all", "\(read)")
        let create = verdicts(matrix, "Post", "create")
        #expect(create["apiKey"] == "none" && create["group:Moderators"] == "all", "\(create)")
        let update = verdicts(matrix, "Post", "update")
        #expect(update["signedIn"] == "none" && update["owner"] == "own", "\(update)")
        #expect(update["group:Moderators"] == "all" && update["apiKey"] == "none", "\(update)")
        // The same by requests.
        try client.make("p-1", author: "someone")
        for (caller, name) in [("group:Moderators", "mod"), ("signedIn", "x")] {
            let column = matrix["callers"]?.array?.first { $0["id"]?.string == caller }
            let answer = try client.run(
                "mutation { updatePost(input: {id: \"p-1\", title: \"\(name)\"}) { id } }", as: column?["as"] ?? .null)
            #expect(answer["response"]?["errors"] == nil || update[caller] == "none", "\(caller) \(answer)")
        }
    }

    @Test("says why, with the rule and its place, and which fields differ")
    func cells() throws {
        let client = try ConsoleClient.server()
        let matrix = try client.get("access").json
        let post = matrix["models"]?.array?.first { $0["name"]?.string == "Post" }
        let read = post?["rows"]?.array?.first { $0["operation"]?.string == "read" }
        let cell = read?["cells"]?[0]
        #expect(cell?["rules"]?[0]?.string == "Post#0", "\(cell ?? .null)")
        #expect(cell?["fields"]?[0]?["name"]?.string == "secret", "\(cell ?? .null)")
        #expect(cell?["explanation"]?[0]?["place"]?["line"]?.integer != nil)
        let warnings = post?["warnings"]?.array ?? []
        #expect(
            warnings.contains { $0["message"]?.string?.hasPrefix("The owner may hand a record") ?? false },
            "\(warnings)")
    }

    @Test("says of one record who can see it")
    func record() throws {
        let client = try ConsoleClient.server()
        _ = try client.post("users", ["username": "ann", "password": "Passw0rd!"])
        try client.make("p-1", author: "ann")
        let answer = try client.post("access/record", ["model": "Post", "key": ["id": "p-1"]]).json
        let callers = answer["callers"]?.array ?? []
        let ann = callers.first { $0["label"]?.string == "ann" }
        #expect(ann?["verdict"]?.string == "some" && ann?["hidden"] == ["secret"], "\(answer)")
        let guest = callers.first { $0["label"]?.string == "Guest" }
        #expect(guest?["verdict"]?.string == "none")
    }

    @Test("has for one caller a cell in each row of the matrix, with what their requests meet")
    func caller() throws {
        let client = try ConsoleClient.server()
        for name in ["ann", "mia"] {
            _ = try client.post("users", ["username": .string(name), "password": "Passw0rd!"])
        }
        _ = try client.post("groups", ["name": "Moderators"])
        _ = try client.post("users/mia/groups", ["groups": ["Moderators"]])
        func verdicts(_ name: String) throws -> [String: String] {
            let as_: JSONValue = ["kind": "user", "username": .string(name)]
            let answer = try client.post("access/as", ["as": as_]).json
            let post = answer["models"]?.array?.first { $0["name"]?.string == "Post" }
            let rows = (post?["rows"]?.array ?? []).map { row in
                (row["operation"]?.string ?? "", row["verdict"]?.string ?? "")
            }
            return Dictionary(rows, uniquingKeysWith: { $1 })
        }
        let ann = try verdicts("ann")
        #expect(ann["read"] == "some" && ann["update"] == "own" && ann["create"] == "some", "\(ann)")
        let mia = try verdicts("mia")
        #expect(mia["read"] == "all" && mia["update"] == "all", "\(mia)")
        let users = try client.get("callers").json["users"]?.array ?? []
        #expect(users.first { $0["username"]?.string == "mia" }?["groups"] == ["Moderators"], "\(users)")
        #expect(users.first { $0["username"]?.string == "ann" }?["groups"] == [], "\(users)")
    }
}
