import Foundation
import JSON
import Network
import Server
import TestSupport
import Testing

/// What tests may do with a server, through real sockets.
@Suite("A server under tests")
struct TestControlTests {
    // MARK: Who may

    @Test("answers no test where nobody has asked for that, and starts with none where others reach it")
    func offByDefault() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_TEST_KEY": TestControlClient.key])
        let client = TestControlClient(server)
        for path in ["reset", "snapshot/a", "seed"] {
            let answer = try client.call("POST", path)
            #expect((400..<500).contains(answer.status) && !answer.body.contains("test-key"), "\(answer)")
        }
        #expect(try client.call("GET", "requests").status == 404)
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        try folder.write(#"{"auth": {"apiKeys": [{"key": "da2-own-key"}]}}"#, to: "own.json")
        let rows = [
            (["--host", "0.0.0.0"], "0.0.0.0:0"), (["--host", "::"], "[::]:0"),
        ]
        for (arguments, place) in rows {
            let outcome = try ProgramRun.outcome(
                ["serve", "--config", "own.json", "--test-control", "--port", "0"] + arguments, in: folder)
            #expect(outcome.code == .configuration)
            #expect(
                outcome.diagnostics.contains("testControl lets a test take all data away, and \(place) can be reached"),
                "\(outcome.diagnostics)")
        }
    }

    @Test(
        "asks for a key of enough letters, and never shows it",
        arguments: ["short", "with a blank in it", "with-an-umlaut-ü-in-it"])
    func keyForms(key: String) throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        try folder.write("{\"testKey\": \"\(key)\"}", to: "c.json")
        let outcome = try ProgramRun.outcome(["serve", "--config", "c.json"], in: folder)
        #expect(outcome.code == .configuration && outcome.diagnostics.contains("at least 16 visible characters"))
        #expect(!outcome.diagnostics.contains(key))
    }

    @Test("prints a key that nobody can guess, another one at each start")
    func madeKeys() throws {
        var keys: Set<String> = []
        for _ in 0..<2 {
            let folder = TemporaryFolder()
            try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
            let (process, output, _) = try ProgramRun.start(["serve", "--test-control", "--port", "0"], in: folder)
            let key = try eventualValue("the key is printed") {
                let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                return text.firstMatch(of: /Test key +([0-9a-f]+), for \/_homeport/).map { String($0.1) }
            }
            process.signal(SIGTERM)
            _ = process.wait()
            #expect(key.count >= 32)
            keys.insert(key)
        }
        #expect(keys.count == 2)
    }

    @Test("answers nobody without the key, from elsewhere, or through a proxy")
    func strangers() throws {
        let server = try TestControlClient.server()
        let client = TestControlClient(server)
        try client.create("a")
        let key = "x-homeport-test-key: \(TestControlClient.key)"
        let rows: [(fields: [String], host: String, status: Int, text: String)] = [
            ([], "localhost", 401, "Send the key as x-homeport-test-key"),
            (["x-homeport-test-key: "], "localhost", 403, "is not the key"),
            (["\(key)x"], "localhost", 403, "is not the key"),
            (["x-homeport-test-key: \(TestControlClient.key.dropLast())"], "127.0.0.1", 403, "is not the key"),
            ([key], "example.com", 403, "answers this machine alone"),
            ([key], "host.docker.internal", 403, "answers this machine alone"),
            ([key, "x-forwarded-for: 10.0.0.1"], "localhost", 403, "answers this machine alone"),
            ([key, "via: 1.1 proxy"], "localhost", 403, "answers this machine alone"),
        ]
        for row in rows {
            let answer = try client.call("POST", "reset", fields: row.fields, host: row.host)
            #expect(answer.status == row.status && answer.body.contains(row.text), "\(row): \(answer)")
            #expect(!answer.body.contains(TestControlClient.key))
        }
        // A page could not send the field: nobody tells it that it may.
        let page = ["Origin: https://evil.example", "Access-Control-Request-Method: POST"]
        let preflight = try client.call("OPTIONS", "reset", fields: page)
        #expect(preflight.status == 401 && !preflight.head.lowercased().contains("access-control"))
        #expect(try client.ids() == "a")
        for host in ["127.0.0.1", "[::1]", "app.localhost"] {
            #expect(try client.call("GET", "time", host: host).status == 200)
        }
    }

    @Test("says what there is and how it is asked")
    func paths() throws {
        let client = TestControlClient(try TestControlClient.server())
        let rows: [(String, String, Int, String)] = [
            ("GET", "", 404, "/_homeport/reset"), ("GET", "resets", 404, "There is nothing at /_homeport/resets"),
            ("POST", "snapshot", 404, "/_homeport/snapshot/NAME"), ("POST", "restore/a/b", 404, "There is nothing"),
            ("GET", "reset", 405, "takes POST, not GET"), ("POST", "requests", 405, "takes GET and DELETE"),
            ("PUT", "faults", 405, "takes GET and POST and DELETE"), ("DELETE", "time", 405, "takes GET and POST"),
        ]
        for (method, path, status, text) in rows {
            let answer = try client.call(method, path)
            #expect(answer.status == status && answer.body.contains(text), "\(method) \(path): \(answer)")
            if status == 405 { #expect(answer.head.contains("allow: ")) }
        }
        #expect(try client.call("POST", "faults", String(repeating: " ", count: (1 << 20) + 1)).status == 413)
    }

    // MARK: Exec

    @Test("a command beside the server has the key, and a reset goes back to what the seed's command has left")
    func exec() throws {
        let folder = TemporaryFolder()
        try folder.write(
            "type Todo @model @auth(rules: [{allow: public}]) { id: ID! name: String }", to: "schema.graphql")
        func query(_ text: String) -> String {
            #"curl -s "$HOMEPORT_URL/graphql" -H "x-api-key: $HOMEPORT_API_KEY" -d '{"query": "\#(text)"}'"#
        }
        let add = { (id: String) in query("mutation { createTodo(input: {id: \\\"\(id)\\\"}) { id } }") }
        let reset =
            #"curl -s -o reset.txt -w "%{http_code} " -X POST -H "x-homeport-test-key: $HOMEPORT_TEST_KEY" "$HOMEPORT_URL/_homeport/reset""#
        let list = query("{ listTodos { items { id } } }")
        let script = "test ${#HOMEPORT_TEST_KEY} -ge 32 || exit 3; \(add("b")) > /dev/null; \(reset); \(list)"
        let (process, output, errors) = try ProgramRun.start(
            ["exec", "--seed-command", "\(add("a")) > /dev/null", "--", "sh", "-c", script], in: folder)
        let ending = process.wait()
        let said = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(ending.status == 0 && said.isEmpty, "\(said)")
        #expect(
            try String(contentsOfFile: output, encoding: .utf8) == #"200 {"data":{"listTodos":{"items":[{"id":"a"}]}}}"#
        )
        // Where others reach the server, nothing steers it.
        try folder.write(#"{"auth": {"apiKeys": [{"key": "da2-own-key"}]}}"#, to: "own.json")
        let (open, text, _) = try ProgramRun.start(
            ["exec", "--config", "own.json", "--host", "0.0.0.0", "--", "sh", "-c", "echo \"<$HOMEPORT_TEST_KEY>\""],
            in: folder)
        #expect(open.wait().status == 0)
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "<>\n")
    }

    // MARK: Data

    @Test("a reset takes everything away, or brings the seed again, and a snapshot brings back what was")
    func data() throws {
        let folder = TemporaryFolder()
        try folder.write(#"{"type": "Todo", "record": {"id": "seed", "name": "s"}}"#, to: "seed.jsonl")
        let client = TestControlClient(try TestControlClient.server(["--seed", "seed.jsonl"], in: folder))
        #expect(try client.ids() == "seed")
        try client.create("a")
        #expect(try client.call("POST", "snapshot/with-a").status == 200)
        try client.create("b")
        #expect(try client.ids() == "a,b,seed")
        let reset = try client.call("POST", "reset")
        #expect(reset.status == 200 && reset.json["milliseconds"] is Double)
        #expect(try client.ids() == "seed")
        try client.create("c")
        #expect(try client.call("POST", "restore/with-a").status == 200)
        #expect(try client.ids() == "a,seed")
        // It is still there, and can be taken anew.
        try client.create("d")
        try client.call("POST", "snapshot/with-a")
        try client.call("POST", "reset")
        #expect(try client.ids() == "seed")
        try client.call("POST", "restore/with-a")
        #expect(try client.ids() == "a,d,seed")
        let list = try client.call("GET", "snapshots").list("snapshots")
        #expect(list.count == 1 && list[0]["name"] as? String == "with-a")
        #expect(try client.call("DELETE", "snapshot/with-a").status == 200)
        let gone = try client.call("POST", "restore/with-a")
        #expect(gone.status == 404 && gone.body.contains("Take it with POST /_homeport/snapshot/with-a"))
        #expect(try client.ids() == "a,d,seed")
        client.server.signal(SIGTERM)
        #expect(client.server.exitStatus() == ExitCode.success.rawValue)
        // What is there stays, and nothing of the snapshots.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.homeport").sorted()
        #expect(!names.contains { $0.contains("snapshot") }, "\(names)")
        let again = TestControlClient(try TestControlClient.server(in: folder))
        #expect(try again.ids() == "a,d,seed")
    }

    @Test(
        "a parameter that is no such one, or says what nobody understands, is refused, and nothing is done",
        arguments: [
            ("POST", "seed?replace=maybe", #"replace is true or false, not "maybe""#),
            ("POST", "seed?replace=", #"replace is true or false, not """#),
            ("POST", "seed?replace=true&replace=false", "The parameter replace is given twice"),
            ("POST", "seed?replce=true", #"no parameter "replce" here: it takes replace"#),
            ("POST", "reset?hard=true", #"no parameter "hard" here: it takes none"#),
            ("GET", "outbox?too=a@example.com", "it takes to and waitMilliseconds"),
            ("GET", "outbox?waitMilliseconds=soon", "waitMilliseconds is a number"),
            ("DELETE", "outbox?to=a@example.com", "it takes none"),
        ])
    func refusesParameters(method: String, path: String, message: String) throws {
        let client = TestControlClient(try TestControlClient.server())
        try client.create("a")
        let body = path.hasPrefix("seed") ? #"{"type": "Todo", "record": {"id": "b", "name": "s"}}"# : ""
        let answer = try client.call(method, path, body)
        #expect(answer.status == 400 && (answer.json["message"] as? String ?? "").contains(message), "\(answer)")
        #expect(try client.ids() == "a")
    }

    @Test("tables of the project's own are there after a reset, empty, and after a restore as they were")
    func ownTables() throws {
        let project = try ResolverProject(
            TableHandlerTests.schema, ["any.js": TableHandlerTests.any], backend: TableHandlerTests.backend)
        let client = TestControlClient(
            try TestControlClient.server(schema: nil, in: project.folder))
        func table(_ operation: String, _ body: String) throws -> (status: Int, body: JSONValue) {
            let answer = try SignedCall.item(operation, body, to: client.server).answer(from: client.server)
            return (answer.status, try JSONReader.value(of: answer.body))
        }
        func count() throws -> JSONValue? {
            try table("Scan", #"{"TableName": "Things", "Select": "COUNT"}"#).body["Count"]
        }
        let put = #"{"TableName": "Things", "Item": {"id": {"S": "a"}, "at": {"N": "1"}}}"#
        try eventually("the table is there") { try table("PutItem", put).status == 200 }
        #expect(try count() == 1)
        #expect(try client.call("POST", "snapshot/one").status == 200)
        #expect(try client.call("POST", "reset").status == 200)
        #expect(try count() == 0)
        #expect(try table("PutItem", put.replacing(#""a""#, with: #""b""#)).status == 200)
        #expect(try client.call("POST", "restore/one").status == 200)
        #expect(try count() == 1)
        #expect(
            try table("GetItem", #"{"TableName": "Things", "Key": {"id": {"S": "a"}, "at": {"N": "1"}}}"#)
                .body["Item"]?["id"] == ["S": "a"])
        #expect(try client.call("POST", "reset").status == 200)
        #expect(try count() == 0)
    }

    @Test("snapshots have names and a number, and what is beyond is refused")
    func snapshotLimits() throws {
        let client = TestControlClient(try TestControlClient.server())
        for name in ["a.b", "..", "a%2Fb", "a%20b", "%C3%BC", String(repeating: "a", count: 65)] {
            for method in ["POST", "DELETE"] {
                let answer = try client.call(method, "snapshot/\(name)")
                #expect(answer.status == 400 || answer.status == 404, "\(name): \(answer)")
                #expect(answer.body.contains("64 letters and digits") || answer.status == 404)
            }
        }
        for number in 0..<64 {
            #expect(try client.call("POST", "snapshot/s\(number)_\(String(repeating: "x", count: 50))").status == 200)
        }
        let beyond = try client.call("POST", "snapshot/more")
        #expect(beyond.status == 400 && beyond.body.contains("There are 64 snapshots: remove some"))
        #expect(try client.call("POST", "snapshot/s0_\(String(repeating: "x", count: 50))").status == 200)
        try client.call("DELETE", "snapshot/s0_\(String(repeating: "x", count: 50))")
        #expect(try client.call("POST", "snapshot/more").status == 200)
    }

    @Test("records come as lines, or from the seed where there are none")
    func seeds() throws {
        let folder = TemporaryFolder()
        try folder.write(#"{"type": "Todo", "record": {"id": "seed", "name": "s"}}"#, to: "seed.jsonl")
        let client = TestControlClient(try TestControlClient.server(["--seed", "seed.jsonl"], in: folder))
        let lines = (1...3).map { #"{"type": "Todo", "record": {"id": "\#($0)", "name": "n"}}"# }.joined(
            separator: "\n")
        let answer = try client.call("POST", "seed", lines)
        #expect(answer.json["imported"] as? Int == 3 && answer.json["present"] as? Int == 0, "\(answer)")
        #expect(try client.call("POST", "seed", lines).json["present"] as? Int == 3)
        #expect(try client.call("POST", "seed?replace=true", lines).json["imported"] as? Int == 3)
        #expect(try client.ids() == "1,2,3,seed")
        let full = try client.call("POST", "seed")
        #expect(full.status == 409 && full.body.contains("There are records of Todo already"))
        let wrong = try client.call("POST", "seed", lines + "\n{\"type\": \"None\", \"record\": {}}")
        #expect(wrong.status == 400 && wrong.body.contains("the body:4"), "\(wrong)")
        _ = try client.operation(#"mutation { deleteTodo(input: {id: "seed"}) { id } }"#)
        for id in 1...3 { _ = try client.operation("mutation { deleteTodo(input: {id: \"\(id)\"}) { id } }") }
        #expect(try client.call("POST", "seed").json["imported"] as? Int == 1)
        #expect(try client.ids() == "seed")
    }

    @Test("subscribers and their connections outlive a reset, and get what comes after it")
    func subscribers() throws {
        let client = TestControlClient(try TestControlClient.server())
        let stream = try RawClient(port: client.server.port)
        let body = #"{"query":"subscription { onCreateTodo { id } }"}"#
        try stream.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(OperationClient.key)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        _ = try stream.read(through: "\r\n\r\n")
        // The stream has begun when an event of somebody comes.
        try eventually("the stream has begun") {
            try client.create(UUID().uuidString)
            let bytes = try stream.bytes(until: .now + .milliseconds(20))
            return String(decoding: bytes ?? [], as: UTF8.self).contains("onCreateTodo")
        }
        try client.call("POST", "reset")
        #expect(try client.ids() == "")
        try client.create("after")
        #expect(try stream.read(through: #""id":"after""#).contains("onCreateTodo"))
    }

    @Test("parameters and secrets go back too: to none with a reset, to those of a snapshot with it")
    func parameters() throws {
        let folder = TemporaryFolder()
        let client = TestControlClient(try TestControlClient.server(in: folder))
        func ssm(_ operation: String, _ body: String) throws -> String {
            var call = SignedCall(operation, body, to: client.server)
            (call.target, call.service) = ("AmazonSSM.\(operation)", "ssm")
            return try call.answer(from: client.server).body
        }
        func put(_ value: String) throws {
            let answer = try ssm(
                "PutParameter", #"{"Name":"/app/p","Value":"\#(value)","Type":"String","Overwrite":true}"#)
            #expect(answer.contains("Version"), "\(answer)")
        }
        func value() throws -> String { try ssm("GetParameter", #"{"Name":"/app/p"}"#) }
        try put("first")
        #expect(try client.call("POST", "snapshot/one").status < 300)
        try put("second")
        #expect(try client.call("POST", "restore/one").status < 300)
        #expect(try value().contains(#""Value":"first""#))
        #expect(try client.call("POST", "reset").status < 300)
        #expect(try value().contains("ParameterNotFound"))
        #expect(try client.call("POST", "restore/one").status < 300)
        #expect(try value().contains(#""Value":"first""#))
    }

    @Test("tables of items and mails of functions go with a reset, and come back with a snapshot")
    func itemsAndMails() throws {
        let server = try TestControlClient.server()
        let client = TestControlClient(server)
        func items(_ operation: String, _ body: String) throws -> String {
            try SignedCall.item(operation, body, to: server).answer(from: server).body
        }
        func put(_ id: String) throws {
            let body = #"{"TableName": "Things", "Item": {"id": {"S": "\#(id)"}}}"#
            #expect(try items("PutItem", body) == "{}")
        }
        let scan = #"{"TableName": "Things", "Select": "COUNT"}"#
        _ = try items("CreateTable", SignedCall.table)
        try put("a")
        var mail = SignedCall(
            "", "Action=Publish&PhoneNumber=%2B15550001111&Message=hello", to: server)
        (mail.service, mail.hasTarget, mail.contentType) = ("sns", false, "application/x-www-form-urlencoded")
        mail.signed = ["content-type", "host", "x-amz-date"]
        #expect(try mail.answer(from: server).status == 200)
        #expect(try client.call("GET", "outbox").list("messages").first?["text"] as? String == "hello")
        try client.call("POST", "snapshot/one")
        try put("b")
        #expect(try items("Scan", scan) == #"{"Count":2,"ScannedCount":2}"#)
        try client.call("POST", "restore/one")
        #expect(try items("Scan", scan) == #"{"Count":1,"ScannedCount":1}"#)
        try client.call("POST", "reset")
        #expect(try items("Scan", scan).contains("ResourceNotFoundException"))
        #expect(try client.call("GET", "outbox").list("messages").isEmpty)
        // A table of that name may be made again, and is another one.
        _ = try items("CreateTable", SignedCall.table)
        #expect(try items("Scan", scan) == #"{"Count":0,"ScannedCount":0}"#)
        try client.call("POST", "restore/one")
        #expect(try items("Scan", scan) == #"{"Count":1,"ScannedCount":1}"#)
    }

    @Test("users, their groups and messages go with a reset, and come back with a snapshot")
    func users() throws {
        let client = TestControlClient(try TestControlClient.server())
        // Before anybody has signed up there are no tables.
        try client.call("POST", "snapshot/none")
        let pool = try PoolClient(client.server)
        func signUp(_ name: String) throws {
            try pool.call(
                "SignUp",
                [
                    "Username": name, "Password": "Passw0rd!",
                    "UserAttributes": [["Name": "email", "Value": "\(name)@example.com"]],
                ])
        }
        try signUp("ann")
        let mails = try client.call("GET", "outbox").list("messages")
        let code = try #require(mails.first?["code"] as? String)
        #expect(mails.count == 1 && mails[0]["to"] as? String == "ann@example.com")
        #expect((mails[0]["text"] as? String)?.contains(code) == true)
        try pool.call("ConfirmSignUp", ["Username": "ann", "ConfirmationCode": code])
        #expect(try pool.signIn("ann", "Passw0rd!")["AccessToken"] is String)
        try client.call("POST", "snapshot/ann")
        try client.call("POST", "reset")
        #expect(throws: PoolClient.Refusal.self) { try pool.signIn("ann", "Passw0rd!") }
        #expect(try client.call("GET", "outbox").list("messages").isEmpty)
        try signUp("ann")
        let second = try client.call("GET", "outbox?to=ann%40example.com").list("messages")
        // Numbers never come again.
        #expect((second.first?["id"] as? Int ?? 0) > (mails[0]["id"] as? Int ?? 0))
        try client.call("POST", "restore/ann")
        #expect(try pool.signIn("ann", "Passw0rd!")["AccessToken"] is String)
        #expect(try client.call("GET", "outbox").list("messages").count == 1)
        try client.call("POST", "restore/none")
        #expect(throws: PoolClient.Refusal.self) { try pool.signIn("ann", "Passw0rd!") }
        try signUp("ann")
        // The log tells of it as well: it follows the numbers.
        #expect(client.server.code(for: "ann") != nil)
    }

    @Test("files go with a reset, and come back with a snapshot, also those that were removed or replaced")
    func files() throws {
        let client = TestControlClient(try TestControlClient.server())
        try client.call("POST", "snapshot/none")
        let calls = try SignedFileCall(client.server)
        #expect(try calls.call("PUT", "/photos").status == 200)
        #expect(try calls.call("PUT", "/photos/a.txt", body: Array("first".utf8)).status == 200)
        #expect(try calls.call("PUT", "/photos/b.txt", body: Array("kept".utf8)).status == 200)
        try client.call("POST", "snapshot/first")
        #expect(try calls.call("PUT", "/photos/a.txt", body: Array("second".utf8)).status == 200)
        #expect(try calls.call("DELETE", "/photos/b.txt").status == 204)
        #expect(try calls.call("PUT", "/photos/c.txt", body: Array("new".utf8)).status == 200)
        try client.call("POST", "restore/first")
        func text(_ key: String) throws -> String {
            String(decoding: try calls.call("GET", "/photos/\(key)").bytes, as: UTF8.self)
        }
        #expect(try text("a.txt") == "first")
        #expect(try text("b.txt") == "kept")
        #expect(try calls.call("GET", "/photos/c.txt").code == "NoSuchKey")
        #expect(try calls.call("GET", "/photos?list-type=2").elements("Key") == ["a.txt", "b.txt"])
        try client.call("POST", "reset")
        #expect(try calls.call("GET", "/photos/a.txt").code == "NoSuchBucket")
        #expect(try calls.call("PUT", "/photos").status == 200)
        #expect(try calls.call("PUT", "/photos/d.txt", body: Array("later".utf8)).status == 200)
        try client.call("POST", "restore/none")
        #expect(try calls.call("GET", "/photos/d.txt").code == "NoSuchBucket")
        try client.call("POST", "restore/first")
        #expect(try text("a.txt") == "first")
        client.server.signal(SIGTERM)
        #expect(client.server.exitStatus() == ExitCode.success.rawValue)
        // What lies on the disk is what the records speak of.
        let check = try ProgramRun.outcome(["check", "--files"], in: client.server.folder)
        #expect(check.code == .success, "\(check)")
    }

    // MARK: Time

    @Test("the clock is set and moved for what is stamped and for tokens, and goes back")
    func time() throws {
        let client = TestControlClient(try TestControlClient.server())
        let answer = try client.call("POST", "time", #"{"set": "2031-05-06T07:08:09Z"}"#)
        #expect(answer.status == 200 && answer.json["movedMilliseconds"] as? Int != 0)
        #expect(try client.create("a").contains(#""createdAt":"2031-05-06T07:08:"#))
        // Clients correct their clocks by this.
        #expect(try client.call("GET", "time").head.contains("2031 07:08:"))
        try client.call("POST", "time", #"{"moveMilliseconds": 3600000}"#)
        #expect(try client.create("b").contains(#""createdAt":"2031-05-06T08:08:"#))
        try client.call("POST", "time", #"{"set": 1893456000000}"#)
        #expect(try client.create("c").contains(#""createdAt":"2030-01-01T00:00:"#))
        // Signatures of now are of another time.
        #expect(try SignedFileCall(client.server).call("GET", "/").code == "RequestTimeTooSkewed")
        try client.call("POST", "time", #"{"reset": true}"#)
        #expect(try client.call("GET", "time").json["movedMilliseconds"] as? Int == 0)
        #expect(try SignedFileCall(client.server).call("GET", "/").status == 200)
        let rows = [
            "", "[]", "{}", #"{"set": "tomorrow"}"#, #"{"set": true}"#, #"{"set": -1}"#, #"{"moveMilliseconds": "1"}"#,
            #"{"moveMilliseconds": 9223372036854775807}"#, #"{"moveMilliseconds": -99999999999999}"#,
            #"{"reset": false}"#,
            #"{"set": 1, "reset": true}"#, #"{"set": 999999999999999}"#,
        ]
        for row in rows {
            #expect(try client.call("POST", "time", row).status == 400, "\(row)")
            #expect(try client.call("GET", "time").json["movedMilliseconds"] as? Int == 0, "\(row)")
        }
    }

    @Test("codes and tokens end when the clock has moved past them")
    func timeOfCodes() throws {
        let client = TestControlClient(
            try TestControlClient.server(
                schema: "type Todo @model @auth(rules: [{ allow: private }]) { id: ID! name: String }"))
        let pool = try PoolClient(client.server)
        func code(for name: String) throws -> String {
            let attributes = [["Name": "email", "Value": "\(name)@example.com"]]
            try pool.call("SignUp", ["Username": name, "Password": "Passw0rd!", "UserAttributes": attributes])
            return try #require(try client.call("GET", "outbox?to=\(name)").list("messages").first?["code"] as? String)
        }
        try pool.call("ConfirmSignUp", ["Username": "ann", "ConfirmationCode": try code(for: "ann")])
        let late = try code(for: "bob")
        try client.call("POST", "time", #"{"moveMilliseconds": \#(25 * 3_600_000)}"#)
        do {
            try pool.call("ConfirmSignUp", ["Username": "bob", "ConfirmationCode": late])
            Issue.record("the code is still good")
        } catch let refusal as PoolClient.Refusal {
            #expect(refusal.type == "ExpiredCodeException")
        }
        try client.call("POST", "time", #"{"reset": true}"#)
        let token = try #require(try pool.signIn("ann", "Passw0rd!")["AccessToken"] as? String)
        let query = "{ listTodos { items { id } } }"
        let fields = ["authorization: \(token)"]
        #expect(try client.server.answer(to: query, fields: fields).contains(#""items":[]"#))
        try client.call("POST", "time", #"{"moveMilliseconds": 7200000}"#)
        #expect(try client.server.answer(to: query, fields: fields).contains("UnauthorizedException"))
    }
}
