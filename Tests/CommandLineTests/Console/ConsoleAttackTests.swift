import Foundation
import JSON
import TestSupport
import Testing

@Suite("Attacks on the console")
struct ConsoleAttackTests {
    @Test(
        "a page of another origin gets nothing, whatever it sends",
        arguments: [
            ["Origin: http://evil.example"], ["Origin: null"], ["Origin: http://127.0.0.1:1"],
            ["Origin: http://localhost"],
            ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Origin: file://"],
            ["Sec-Fetch-Site: none"], ["Origin: http://127.0.0.1:PORT", "Origin: http://evil.example"],
            ["Origin: http://127.0.0.1:PORT.evil.example"],
            ["Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-site"],
        ])
    func origins(fields: [String]) throws {
        let client = try ConsoleClient.server()
        let lines = fields.map { $0.replacingOccurrences(of: "PORT", with: "\(client.server.port)") }
        let token = "X-Homeport-Csrf: \(client.token ?? "")"
        for (method, path) in [("POST", "rows"), ("POST", "run"), ("POST", "sign-in"), ("DELETE", "messages")] {
            let answer = try client.request(
                method, "/_homeport/v1/\(path)", #"{"model": "Post"}"#, fields: lines + [token])
            #expect(answer.status == 403 && answer.code == "foreignOrigin", "\(path) \(answer)")
            #expect(answer.field("access-control-allow-origin") == nil)
        }
        guard !fields.contains("Sec-Fetch-Site: none") else { return }
        for path in ["session", "info", "schema", "live", "backup"] {
            #expect(try client.request("GET", "/_homeport/v1/\(path)", fields: lines).status == 403, "\(path)")
        }
    }

    @Test("a page of another origin is not allowed to ask before, either")
    func preflight() throws {
        let client = try ConsoleClient.server()
        let answer = try client.request(
            "OPTIONS", "/_homeport/v1/run",
            fields: [
                "Origin: http://localhost:3000", "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: x-homeport-csrf,content-type",
            ])
        #expect(answer.field("access-control-allow-origin") == nil, "\(answer)")
    }

    @Test(
        "a name that is not the server's gets nothing",
        arguments: ["evil.example", "127.0.0.1.evil.example", "10.1.2.3"])
    func hosts(host: String) throws {
        let client = try ConsoleClient.server()
        for path in ["/", "/_homeport/v1/session", "/_homeport/v1/info"] {
            let answer = try client.request("GET", path, host: host)
            #expect(answer.status == 403 && !answer.body.contains("csrf"), "\(answer)")
        }
    }

    @Test("a name that a proxy tells and that is not the server's gets nothing, though a page has that origin")
    func toldHosts() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"{"proxies": ["127.0.0.1"], "allowedHosts": ["app.example"], "auth": {"apiKeys": [{"key": "da2-own-key"}]}, "console": true}"#,
            to: "own.json")
        let server = try HomeportProcess(["--config", "own.json"], schema: ConsoleClient.schema, in: folder)
        let client = ConsoleClient(server)
        for (name, status) in [("evil.example", 403), ("app.example", 200), ("127.0.0.1:\(server.port)", 200)] {
            let answer = try client.request(
                "GET", "/_homeport/v1/session", fields: ["X-Forwarded-Host: \(name)", "Origin: http://\(name)"])
            #expect(answer.status == status, "\(name) \(answer)")
        }
    }

    @Test("markup comes back as text, of a type that no browser takes for a page")
    func markup() throws {
        let client = try ConsoleClient.server()
        let text = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
        try client.make("p-1", title: text, author: text)
        let answers = [
            try client.post("rows", ["model": "Post"]),
            try client.post("row", ["model": "Post", "key": ["id": "p-1"]]),
            try client.post("rows", ["model": .string(text)]), try client.get("find?q=p-1"),
            try client.post("run", ["query": .string(text)]), try client.post("sql", ["sql": .string(text)]),
            try client.post(
                "callers/resolve", ["as": ["kind": "made", "username": .string(text), "groups": [.string(text)]]]),
            try client.post("export", ["model": "Post", "format": "csv"]),
            try client.request("GET", "/_homeport/v1/%3Cscript%3E"),
            try client.post("users", ["username": .string(text)]), try client.get("audit"),
            try client.call("GET", "messages?to=%3Cscript%3E"), try client.get("server"),
        ]
        for answer in answers {
            let type = answer.field("content-type") ?? ""
            #expect(type.hasPrefix("application/json") || type.hasPrefix("text/csv"), "\(answer)")
            #expect(answer.field("x-content-type-options") == "nosniff", "\(answer)")
            #expect(answer.field("content-security-policy") != nil)
        }
    }

    @Test("what is too long is refused before it is read to its end")
    func bodies() throws {
        let client = try ConsoleClient.server()
        for path in ["rows", "sql", "sign-in", "session"] {
            let raw = try RawClient(port: client.server.port)
            try raw.send(
                "POST /_homeport/v1/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(client.server.port)\r\nOrigin: \(client.origin)\r\n"
                    + "X-Homeport-Csrf: \(client.token ?? "")\r\nContent-Length: 900000000\r\n\r\n")
            let head = try raw.read(through: "\r\n\r\n")
            #expect(head.contains(" 413 ") || head.contains(" 405 "), "\(path) \(head)")
        }
    }

    @Test("nonsense is answered, and the server goes on")
    func nonsense() throws {
        let client = try ConsoleClient.server()
        let bodies = [
            "", "null", "[]", "{", "{\"model\": 1}", "{\"as\": 1}", "{\"as\": {\"kind\": []}}",
            "{\"model\": \"Post\", \"keys\": [1]}",
            "{\"query\": 1}", "{\"sql\": null}", "{\"model\": \"Post\", \"operation\": \"drop\"}",
            "{\"model\": \"Post\", \"filter\": [[]]}", "{\"model\": \"Post\", \"sort\": \"id\"}", "\u{0}",
        ]
        for path in [
            "rows", "row", "run", "change", "children", "export", "sql", "access/record", "access/as",
            "callers/resolve",
        ] {
            for body in bodies {
                let answer = try client.call("POST", path, body)
                #expect((200..<500).contains(answer.status), "\(path) \(body) \(answer)")
            }
        }
        #expect(try client.get("info").status == 200)
    }
}
