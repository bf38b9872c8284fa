import Foundation
import Network
import TestSupport
import Testing

/// Worlds: servers of their own that begin with a copy of another one's state.
@Suite("Worlds of a server under tests")
struct WorldTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! name: String! }
        """
    private static let fields = ["x-homeport-test-key: \(TestControlClient.key)"]

    /// A client of a world, which a server has described.
    private struct Client {
        let port: UInt16
        let name: String

        init(_ description: [String: Any]) throws {
            let url = try #require(description["url"] as? String)
            port = try #require(URL(string: url)?.port.map { UInt16($0) })
            name = try #require(description["name"] as? String)
        }

        func post(_ path: String, _ body: String, _ fields: [String]) throws -> String {
            let client = try RawClient(port: port)
            let lines = ["Host: localhost", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
            try client.send("POST \(path) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
            return try client.readToEnd()
        }

        func ids(_ fields: [String] = [OperationClient.key]) throws -> String {
            let text = try post("/graphql", #"{"query": "{ listTodos { items { id } } }"}"#, fields)
            return text.matches(of: /"id":"([^"]*)"/).map { String($0.1) }.sorted().joined(separator: ",")
        }

        func create(_ id: String) throws {
            let query = "mutation { createTodo(input: {id: \\\"\(id)\\\", name: \\\"n\\\"}) { id } }"
            _ = try post("/graphql", "{\"query\": \"\(query)\"}", [OperationClient.key])
        }
    }

    @Test("see themselves alone, begin with what there was, and end with all that they had")
    func apart() throws {
        let client = TestControlClient(try TestControlClient.server(schema: Self.schema))
        try client.create("base")
        try client.call("POST", "snapshot/s")
        try client.create("later")
        try client.call("POST", "time", #"{"set": "2031-01-01T00:00:00Z"}"#)
        let present = try client.call("POST", "worlds", #"{"name": "a"}"#)
        #expect(present.status == 200, "\(present)")
        let a = try Client(present.json)
        let b = try Client(try client.call("POST", "worlds", #"{"from": {"snapshot": "s"}}"#).json)
        let c = try Client(try client.call("POST", "worlds", #"{"from": "start"}"#).json)
        try a.create("own")
        #expect(try [a.ids(), b.ids(), c.ids(), client.ids()] == ["base,later,own", "base", "", "base,later"])
        // A reset goes back to the beginning of the world, and its clock is its own from then on.
        _ = try a.post("/_homeport/reset", "", Self.fields)
        _ = try b.post("/_homeport/time", #"{"reset": true}"#, Self.fields)
        #expect(try a.ids() == "base,later")
        let now = try client.call("GET", "time").body
        #expect(now.contains("\"now\":\"2031-01-01"), "\(now)")
        _ = try a.post("/_homeport/time", #"{"reset": true}"#, Self.fields)
        // A token of one is nothing to the others, and a world has no worlds.
        let data = try #require((present.json["variables"] as? [String: Any])?["HOMEPORT_DATA"] as? String)
        let token = try ProgramRun.outcome(["token", "--username", "ann", "--data", data], in: client.server.folder)
            .output.trimmingCharacters(in: .whitespacesAndNewlines)
        let signedIn = ["authorization: \(token)"]
        #expect(try a.ids(signedIn) == "base,later")
        #expect(try b.ids(signedIn) == "" && b.post("/graphql", "{}", signedIn).contains(" 401 "))
        #expect(try a.post("/_homeport/worlds", "", Self.fields).contains(" 409 "))
        #expect(try client.call("POST", "worlds", #"{"name": "a"}"#).status == 409)
        #expect(try client.call("POST", "worlds", #"{"from": {"snapshot": "none"}}"#).status == 404)
        #expect(try client.call("GET", "worlds").list("worlds").count == 3)
        // The end of one, and of the server.
        #expect(try client.call("DELETE", "worlds/a").status == 200)
        #expect(throws: (any Error).self) { try a.ids() }
        #expect(try client.call("DELETE", "worlds/a").status == 404)
        client.server.signal(SIGTERM)
        #expect(client.server.exitStatus() == 0)
        #expect(throws: (any Error).self) { try b.ids() }
        let left = try FileManager.default.contentsOfDirectory(atPath: client.server.folder.file(".homeport"))
        #expect(!left.contains { $0.contains("worlds") }, "\(left)")
    }

    #if os(Linux)
        /// What the process of a world has for itself, in KiB: a debug build's, which has more than what is released.
        private static let ownMemoryMax = 2_304

        @Test("share the memory that they do not change")
        func memory() throws {
            let client = TestControlClient(try TestControlClient.server(schema: Self.schema))
            for _ in 0..<3 { #expect(try Client(client.call("POST", "worlds").json).ids() == "") }
            let processes = try client.call("GET", "worlds").list("worlds").compactMap { $0["process"] as? Int }
            #expect(processes.count == 3)
            for process in processes {
                let parts = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
                    .matches(of: /Private_(?:Clean|Dirty): *([0-9]+) kB/).compactMap { Int($0.1) }
                #expect(parts.reduce(0, +) <= Self.ownMemoryMax, "\(parts)")
            }
        }
    #endif

    @Test("end with their server, also where that is killed")
    func orphans() throws {
        let client = TestControlClient(try TestControlClient.server(schema: Self.schema))
        let world = try Client(try client.call("POST", "worlds").json)
        #expect(try world.ids() == "")
        client.server.signal(SIGKILL)
        try eventually("the world has ended") { (try? world.ids()) == nil }
    }
}
