import Foundation
import JSON
import PostgresSupport
import Server
import TestSupport
import Testing

/// Parts that several servers over one database serve as one does: functions for files and channels, keys, the console.
@Suite(
    "Parts of several servers", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodePartTests {
    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let isKeeper = "this node is the keeper"
    private static let key = "da2-of-these-nodes"

    private static func serve(
        _ url: String, _ configuration: String, files: [String: String] = [:], _ more: [String: String] = [:]
    ) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        try folder.write(configuration, to: "homeport.json")
        for (name, text) in files { try folder.write(text, to: name) }
        return try NodeTests.serve(url, ["--config", "homeport.json"], more, in: folder)
    }

    @Test(
        "a function hears of the files of all servers from the keeper, once, and from the next one when it is killed",
        .enabled(if: hasNode))
    func files() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodefileevents")
        let folder = TemporaryFolder()
        let configuration = """
            {"functions": {"noted": {"handler": "noted.handler", "timeout": 60}},
             "auth": {"iam": {"credentials": [{"accessKeyId": "AKIDADMIN", "secretAccessKey": "s", "role": "admin"}]}},
             "files": {"sharedFolder": "\(folder.file("files"))",
                       "buckets": [{"name": "files", "bucketName": "heard", "onUpload": "noted", "onDelete": "noted"}]}}
            """
        let code =
            "export const handler = async (event) => { for (const one of event.Records) console.log(`heard ${one.eventName} of ${one.s3.object.key}.`); };"
        let keeper = try Self.serve(url, configuration, files: ["noted.mjs": code])
        try #require(keeper.logs(Self.isKeeper))
        let other = try Self.serve(url, configuration, files: ["noted.mjs": code])
        let keys = IdentityClient.Keys(identity: "", accessKeyID: "AKIDADMIN", secret: "s", sessionToken: nil)
        let there = try SignedFileCall(other, as: keys)
        for number in 0..<3 {
            #expect(try there.call("PUT", "/heard/a\(number)", body: [1]).status == 200)
            #expect(keeper.logs("heard ObjectCreated:Put of a\(number)."), "\(keeper.log)")
        }
        #expect(try there.call("DELETE", "/heard/a0").status == 204)
        #expect(keeper.logs("heard ObjectRemoved:Delete of a0."), "\(keeper.log)")
        #expect(other.logCount(of: "heard Object") == 0)
        // What the keeper has called with, and not written down yet, would be called with again.
        let database = try PostgresServer.shared.get().app()
        defer { database.close() }
        try eventually("all is written down") {
            try database.answer("SELECT count(*) FROM nodefileevents._homeport_file_events")[0].integer(0) == 0
        }
        keeper.signal(SIGKILL)
        _ = keeper.exitStatus()
        #expect(try there.call("PUT", "/heard/after", body: [1]).status == 200)
        #expect(other.logs("heard ObjectCreated:Put of after."), "\(other.log)")
        #expect(other.logCount(of: "heard Object") == 1)
        other.signal(SIGTERM)
        #expect(other.exitStatus() == ExitCode.success.rawValue)
    }

    @Test(
        "functions decide about publishes and subscriptions where these come, and all hear of the result",
        .enabled(if: hasNode))
    func channels() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodehandlers")
        let configuration = """
            {"functions": {"check": {"handler": "check.handler", "timeout": 60}},
             "auth": {"apiKeys": [{"key": "\(Self.key)"}]},
             "eventApi": {"namespaces": {"default": {
                 "onPublish": {"function": "check", "mode": "REQUEST_RESPONSE"},
                 "onSubscribe": {"function": "check", "mode": "REQUEST_RESPONSE"}}}}}
            """
        let code = """
            export const handler = async (event) => {
              console.log(`asked about ${event.info.operation} of ${event.info.channel.path}`);
              if (event.info.operation === 'SUBSCRIBE') return event.info.channel.path === '/default/closed' ? { error: 'closed' } : null;
              return { events: event.events.map(({ id, payload }) => ({ id, payload: { ...payload, checked: true } })) };
            };
            """
        let servers = try (0..<2).map { _ in try Self.serve(url, configuration, files: ["check.mjs": code]) }
        func subscriber(
            of server: HomeportProcess, to channel: String, expecting expected: String
        ) throws -> WebSocketClient {
            var client = try WebSocketClient(
                port: server.port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
                fields: [("x-api-key", Self.key)])
            try client.send(
                #"{"type":"subscribe","id":"s","channel":"\#(channel)","authorization":{"x-api-key":"\#(Self.key)"}}"#)
            while case .text(let text) = try client.next(until: .now + patience) {
                guard text.contains("subscribe_") else { continue }
                #expect(text.contains(expected), "\(text)")
                return client
            }
            throw WebSocketClient.Failure(description: "there is no answer")
        }
        for server in servers { _ = try subscriber(of: server, to: "/default/closed", expecting: "closed") }
        var first = try subscriber(of: servers[0], to: "/default/*", expecting: "subscribe_success")
        var second = try subscriber(of: servers[1], to: "/default/*", expecting: "subscribe_success")
        for (number, server) in servers.enumerated() {
            let body = try JSONSerialization.data(
                withJSONObject: ["channel": "/default/room", "events": [#"{"n":\#(number)}"#]])
            let client = try RawClient(port: server.port)
            try client.send(
                "POST /event HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(Self.key)\r\nContent-Length: \(body.count)\r\n\r\n"
                    + String(decoding: body, as: UTF8.self))
            let answer = try client.readAnswer().body
            #expect(answer.contains("successful"), "\(answer)")
            // Asked here, and nowhere else.
            #expect(server.logs("asked about PUBLISH of /default/room"))
            #expect(servers.reduce(0) { $0 + $1.logCount(of: "asked about PUBLISH") } == number + 1)
        }
        func events(_ client: inout WebSocketClient) throws -> [String] {
            var events: [String] = []
            while events.count < 2, case .text(let text) = try client.next(until: .now + patience) {
                if let event = try JSONReader.value(of: text)["event"]?.string { events.append(event) }
            }
            return events
        }
        let expected = (0..<2).map { #"{"n":\#($0),"checked":true}"# }
        #expect(try events(&first) == expected)
        #expect(try events(&second) == expected)
    }

    /// Whose keys a server takes these for, as STS says it.
    private static func caller(_ keys: IdentityClient.Keys, at server: HomeportProcess) throws -> String {
        var call = SignedCall("", "Action=GetCallerIdentity&Version=2011-06-15", to: server)
        (call.service, call.hasTarget) = ("sts", false)
        call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
        (call.accessKeyID, call.secret) = (keys.accessKeyID, keys.secret)
        call.others = [("x-amz-security-token", keys.sessionToken ?? "")]
        call.signed = ["content-type", "host", "x-amz-date", "x-amz-security-token"]
        let body = try call.answer(from: server).body
        return body.firstMatch(of: /<Arn>(.*?)<\/Arn>/).map { String($0.1) } ?? body
    }

    @Test("an identity and its access keys that one gives are the same at the other")
    func identities() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodeidentities")
        let more = IdentityClient.environment.merging([
            "HOMEPORT_AUTH_ADDITIONAL": "AMAZON_COGNITO_USER_POOLS,AWS_IAM"
        ]) { $1 }
        let servers = try (0..<2).map { _ in try NodeTests.serve(url, [], more) }
        for (giver, other) in [(servers[0], servers[1]), (servers[1], servers[0])] {
            let keys = try IdentityClient(server: giver).keys()
            let arn = try Self.caller(keys, at: giver)
            #expect(arn.hasPrefix("arn:aws:sts::") && arn.contains("assumed-role/"), "\(arn)")
            #expect(try Self.caller(keys, at: other) == arn)
            let again = try IdentityClient(server: other).call(
                "GetCredentialsForIdentity", ["IdentityId": .string(keys.identity)]
            ).members
            #expect(
                again["Credentials"]?["AccessKeyId"] != nil && again["IdentityId"]?.string == keys.identity, "\(again)")
        }
    }

    @Test(
        "what a function of one has signed is good at all that run with it, and ends with the last of them",
        .enabled(if: hasNode))
    func signatures() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodesignatures")
        let configuration = #"""
            {"functions": {"sign": {"handler": "sign.handler", "timeout": 60}}, "auth": {"apiKeys": [{"key": "\#(Self.key)"}]},
             "eventApi": {"namespaces": {"default": {"onPublish": {"function": "sign", "mode": "REQUEST_RESPONSE"}}}}}
            """#
        let code = """
            const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
            export const handler = async (event) => {
              console.log(`keys ${AWS_ACCESS_KEY_ID} ${AWS_SECRET_ACCESS_KEY} ${AWS_SESSION_TOKEN}`);
              return { events: event.events };
            };
            """
        func server() throws -> HomeportProcess { try Self.serve(url, configuration, files: ["sign.mjs": code]) }
        var servers = [try server(), try server()]
        let client = try RawClient(port: servers[0].port)
        let body = #"{"channel":"/default/a","events":["1"]}"#
        try client.send(
            "POST /event HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(Self.key)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(try client.readAnswer().body.contains("successful"))
        try #require(servers[0].logs("keys ASIA"))
        let keys = try #require(servers[0].log.firstMatch(of: /keys (ASIA\S+) (\S+) (\S+)/))
        let signer = IdentityClient.Keys(
            identity: "", accessKeyID: String(keys.1), secret: String(keys.2), sessionToken: String(keys.3))
        func identity(at server: HomeportProcess) throws -> String { try Self.caller(signer, at: server) }
        for server in servers { #expect(try identity(at: server).contains("assumed-role/sign/sign")) }
        // One that joins the others has them too.
        servers[0].signal(SIGTERM)
        _ = servers[0].exitStatus()
        servers[0] = try server()
        #expect(try identity(at: servers[0]).contains("assumed-role/sign/sign"))
        for server in servers {
            server.signal(SIGTERM)
            _ = server.exitStatus()
        }
        let answer = try identity(at: server())
        #expect(!answer.contains("assumed-role/sign/sign") && answer.contains("Error"), "\(answer)")
    }

    @Test("tasks of state machines read and write the files of all servers")
    func tasks() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodetasks")
        let folder = TemporaryFolder()
        let put =
            #"{"StartAt": "p", "States": {"p": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:putObject", "#
            + #""Parameters": {"Bucket": "heard", "Key.$": "$.key", "Body": "by a task"}, "End": true}}}"#
        let configuration = """
            {"stateMachines": {"put": {"text": \(JSONWriter.text(of: .string(put)))}},
             "files": {"sharedFolder": "\(folder.file("files"))", "buckets": [{"name": "files", "bucketName": "heard"}]}}
            """
        let servers = try (0..<2).map { _ in try Self.serve(url, configuration) }
        for (number, server) in servers.enumerated() {
            let execution = try WorkflowServeTests.start("put", "e\(number)", #"{"key": "k\#(number)"}"#, at: server)
            let end = try WorkflowServeTests.end(of: execution, at: server)
            #expect(end["status"] == "SUCCEEDED", "\(end)")
            for one in servers {
                let read = try SignedFileCall(one).call("GET", "/heard/k\(number)")
                #expect(read.status == 200 && read.bytes.contains(Array("by a task".utf8)))
            }
        }
    }

    @Test("what one encrypts with a key of KMS, the other decrypts, and all say the same of the key")
    func keys() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodekeys")
        let folder = TemporaryFolder()
        let servers = [try NodeTests.serve(url, in: folder), try NodeTests.serve(url)]
        func call(_ operation: String, _ body: JSONValue, at server: HomeportProcess) throws -> JSONValue {
            var call = SignedCall(operation, JSONWriter.text(of: body), to: server)
            (call.api, call.service) = ("TrentService", "kms")
            let answer = try call.answer(from: server)
            #expect(answer.status == 200, "\(answer)")
            return try JSONReader.value(of: answer.body)
        }
        let sealed = try call("Encrypt", ["KeyId": "alias/mine", "Plaintext": "aGVsbG8="], at: servers[0])
        let blob = try #require(sealed["CiphertextBlob"])
        #expect(try call("Decrypt", ["CiphertextBlob": blob], at: servers[1])["Plaintext"] == "aGVsbG8=")
        let described = try servers.map { try call("DescribeKey", ["KeyId": "alias/mine"], at: $0) }
        #expect(described[0] == described[1])
        // Another folder gets them from the database.
        servers[0].signal(SIGTERM)
        _ = servers[0].exitStatus()
        let third = try NodeTests.serve(url)
        #expect(try call("Decrypt", ["CiphertextBlob": blob], at: third)["Plaintext"] == "aGVsbG8=")
        #expect(try call("DescribeKey", ["KeyId": "alias/mine"], at: third) == described[0])
    }

    // MARK: The console

    private static let password = "correct horse battery"

    private static func console(_ url: String) throws -> (client: ConsoleClient, setup: String?) {
        let server = try serve(
            url, #"{"auth": {"apiKeys": [{"key": "\#(key)"}]}, "console": true}"#, ["HOMEPORT_HOST": "0.0.0.0"])
        let setup = server.banner.firstMatch(of: /#setup=([A-Za-z0-9_-]+)/).map { String($0.1) }
        return (ConsoleClient(server), setup)
    }

    @Test("the console's link, password and sign-ins are those of all servers")
    func operators() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodeconsole")
        let (here, first) = try Self.console(url)
        let (there, second) = try Self.console(url)
        let token = try #require(first)
        #expect(token == second)
        func take(_ answer: ConsoleClient.Answer) {
            let cookie = answer.field("set-cookie")?.split(separator: ";").first.map(String.init)
            for client in [here, there] { (client.cookie, client.token) = (cookie, answer.json["csrf"]?.string) }
        }
        for client in [here, there] { #expect(try client.get("session").json["signIn"] == "setup") }
        // Made at one, it holds at the other, and so does the sign-in, at once, with its token.
        let made = try there.post("setup", ["token": .string(token), "password": .string(Self.password)])
        #expect(made.status == 200, "\(made)")
        take(made)
        for client in [here, there] {
            #expect(try client.get("info").status == 200)
            #expect(
                try client.post("run", ["as": ["kind": "admin"], "query": "{ listTodos { items { id } } }"]).status
                    == 200)
        }
        #expect(try here.post("setup", ["token": .string(token), "password": "another password"]).status != 200)
        // Another password ends the other sign-ins, also where they are known.
        let strange = try here.post("sign-in", ["password": .string(Self.password)])
        #expect(strange.status == 200, "\(strange)")
        let cookie = strange.field("set-cookie")?.split(separator: ";").first.map(String.init)
        let stranger = ConsoleClient(there.server)
        stranger.cookie = cookie
        #expect(try stranger.get("info").status == 200)
        let new = "another horse battery"
        #expect(
            try here.post("password", ["password": .string(Self.password), "newPassword": .string(new)]).status == 200)
        #expect(try here.get("info").status == 200 && there.get("info").status == 200)
        try eventually("the other knows that it has ended") { try stranger.get("info").status == 401 }
        // A password is asked of the database in any case.
        #expect(try there.post("sign-in", ["password": .string(Self.password)]).status == 401)
        let again = try there.post("sign-in", ["password": .string(new)])
        #expect(again.status == 200)
        take(again)
        #expect(try here.get("info").status == 200)
        #expect(try here.post("sign-out", ["everywhere": true]).status == 200)
        #expect(try here.get("info").status == 401)
        try eventually("nobody is signed in at the other") { try there.get("info").status == 401 }
        // All is in one log.
        let last = try there.post("sign-in", ["password": .string(new)])
        take(last)
        let actions = (try here.get("audit").json["entries"]?.array ?? []).compactMap { $0["action"]?.string }
        #expect(actions.contains("operator.setup") && actions.contains("operator.password"), "\(actions)")
    }

    @Test("the console shows the requests of its own server, the events of all, and says so")
    func live() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodelive")
        let clients = try (0..<2).map { _ in try Self.developer(url) }
        for client in clients {
            let info = try client.get("info").json
            #expect(info["node"]?.string == "http://127.0.0.1:\(client.server.port)", "\(info)")
            #expect(info["rooms"]?["sql"] == false)
            #expect(try client.post("sql", ["sql": "SELECT 1"]).status != 200)
            #expect(try client.get("backup").status != 200)
            _ = try client.get("live/recent?watch=true")
        }
        let (here, there) = (clients[0], clients[1])
        #expect(
            try here.server.answer(to: #"mutation { createTodo(input: {id: "1", name: "a"}) { id } }"#).contains(
                "createTodo"))
        func recent(_ client: ConsoleClient) throws -> (stories: [JSONValue], events: [JSONValue]) {
            let json = try client.get("live/recent?watch=true").json
            return (json["stories"]?.array ?? [], json["events"]?.array ?? [])
        }
        for client in clients {
            try eventually("the event is shown") { try recent(client).events.map { $0["mutation"] } == ["createTodo"] }
        }
        #expect(try recent(there).stories.isEmpty)
        let story = try #require(try recent(here).stories.first?["id"]?.integer)
        #expect(try here.get("live/\(story)").status == 200)
        // Its number is none of the other one's.
        let missing = try there.get("live/\(story)")
        #expect(missing.status == 404 && missing.body.contains("another one"), "\(missing)")
    }

    /// A server that only this machine reaches, with settings that need nothing of one server alone.
    private static func developer(_ url: String) throws -> ConsoleClient {
        let client = ConsoleClient(
            try serve(
                url,
                """
                {"auth": {"providers": [{"kind": "google"}],
                          "pool": {"messages": {"link": {"emailSubject": "Welcome", "emailMessage": "{##Here##}"}}}},
                 "bedrock": {"region": "eu-west-1"}, "sync": {"logMinutes": 60}}
                """))
        client.token = try client.get("session").json["csrf"]?.string
        return client
    }
}
