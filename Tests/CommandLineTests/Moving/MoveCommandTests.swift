import Foundation
import Postgres
import PostgresSupport
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport move`: between a file and a server of PostgreSQL's.
@Suite(
    "A database that is moved", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct MoveCommandTests {
    private static let schema = """
        type Todo @model @searchable @auth(rules: [{ allow: private }, { allow: public }]) { id: ID! name: String rank: Int tags: [String] }
        """
    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 3 }

    private let folder = TemporaryFolder()

    private func start(_ arguments: [String]) throws -> (process: ChildProcess, said: String) {
        let said = folder.file("said.txt")
        let process = try ChildProcess(
            [HomeportProcess.program] + arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(PostgresServer.environment) { $1 }, in: folder.path,
            output: .file(said), errors: .file(said))
        return (process, said)
    }

    private func run(_ arguments: [String]) throws -> (code: Int32, text: String) {
        let (process, _) = try start(arguments)
        let code = process.wait().status
        let text = folder.read("said.txt")
        #expect(!text.contains(PostgresServer.password))
        return (code, text)
    }

    private func moved(_ from: String, _ to: String, _ more: String...) throws -> String {
        let (code, text) = try run(["move", "--from", from, "--to", to] + more)
        #expect(code == 0, "\(text)")
        return text
    }

    private func refused(_ from: String, _ to: String, _ says: String) throws {
        let (code, text) = try run(["move", "--from", from, "--to", to])
        #expect(code != 0 && text.contains(says), "\(says): \(code), \(text)")
    }

    private static func checksum(in text: String) -> String {
        text.split(whereSeparator: { !$0.isHexDigit }).map(String.init).first { $0.count == 64 } ?? "none in \(text)"
    }

    private func serve(_ arguments: [String], in place: TemporaryFolder) throws -> HomeportProcess {
        try HomeportProcess(arguments, environment: PostgresServer.environment, schema: Self.schema, in: place)
    }

    private static func stop(_ server: HomeportProcess) {
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    /// A call of a service in JSON, which succeeds.
    @discardableResult
    private static func call(_ service: String, _ target: String, _ body: String, _ server: HomeportProcess) throws
        -> String
    {
        var call = SignedCall("", body, to: server)
        (call.service, call.target) = (service, target)
        if service == "sqs" || service == "dynamodb" { call.contentType = "application/x-amz-json-1.0" }
        let answer = try call.answer(from: server)
        #expect(answer.status == 200, "\(target): \(answer.status) \(answer.body)")
        return answer.body
    }

    /// Something of every room that can be filled from outside.
    private static func fill(_ server: HomeportProcess) throws {
        for number in 0..<5 {
            _ = try server.answer(
                to:
                    "mutation { createTodo(input: {id: \"\(number)\", name: \"quick fox \(number)\", tags: [\"é\", null]}) { id } }"
            )
        }
        try call("sqs", "AmazonSQS.CreateQueue", #"{"QueueName": "mine"}"#, server)
        for body in ["first", "second"] {
            try call(
                "sqs", "AmazonSQS.SendMessage",
                #"{"QueueUrl": "\#(server.queueURL("mine"))", "MessageBody": "\#(body)"}"#, server)
        }
        try call(
            "dynamodb", "DynamoDB_20120810.CreateTable",
            #"{"TableName": "Own", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "B"}], "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]}"#,
            server)
        try call(
            "dynamodb", "DynamoDB_20120810.PutItem",
            #"{"TableName": "Own", "Item": {"k": {"B": "AP8A"}, "v": {"N": "1e20"}}}"#,
            server)
        try call("ssm", "AmazonSSM.PutParameter", #"{"Name": "/p", "Value": "kept", "Type": "SecureString"}"#, server)
        try call("secretsmanager", "secretsmanager.CreateSecret", #"{"Name": "s", "SecretString": "silent"}"#, server)
        try call(
            "events", "AWSEvents.PutRule", #"{"Name": "r", "EventPattern": "{\"source\": [\"a\"]}"}"#, server)
    }

    private static func check(_ server: HomeportProcess, _ token: String, _ place: String) throws {
        let found = try server.answer(
            to:
                "{ searchTodos(filter: {name: {match: \"fox\"}}) { items { id } total } getTodo(id: \"3\") { name tags } }"
        )
        #expect(found.contains("\"total\":5") && found.contains("quick fox 3"), "\(place): \(found)")
        let own = try call(
            "dynamodb", "DynamoDB_20120810.GetItem", #"{"TableName": "Own", "Key": {"k": {"B": "AP8A"}}}"#, server)
        #expect(own.contains("100000000000000000000"), "\(place): \(own)")
        let parameter = try call("ssm", "AmazonSSM.GetParameter", #"{"Name": "/p", "WithDecryption": true}"#, server)
        #expect(parameter.contains("kept"), "\(place): \(parameter)")
        #expect(
            try call("secretsmanager", "secretsmanager.GetSecretValue", #"{"SecretId": "s"}"#, server).contains(
                "silent"))
        #expect(try call("events", "AWSEvents.ListRules", "{}", server).contains("\"r\""))
        let counts = try call(
            "sqs", "AmazonSQS.GetQueueAttributes",
            #"{"QueueUrl": "\#(server.queueURL("mine"))", "AttributeNames": ["All"]}"#, server)
        #expect(counts.contains(#""ApproximateNumberOfMessages":"2""#), "\(place): \(counts)")
        // The token of the first server is one of this one.
        let answer = try server.answer(to: "{ listTodos { items { id } } }", fields: ["authorization: \(token)"])
        #expect(answer.contains("\"id\":\"4\""), "\(place): \(answer)")
    }

    @Test("goes on elsewhere with all that every room has, its users and their tokens, and comes back")
    func story() throws {
        let server = try PostgresServer.shared.get()
        let url = try server.url(ofNewSchema: "moved_story")
        let first = try serve([], in: folder)
        try Self.fill(first)
        #expect(try run(["users", "add", "ada", "--email", "ada@example.com", "--password", "Secret-123"]).code == 0)
        let words = try run(["token", "--username", "ada"]).text.split(whereSeparator: \.isWhitespace)
        let token = String(try #require(words.first { $0.hasPrefix("eyJ") }))
        let file = ".homeport/data.sqlite"
        try refused(file, url, "a server or another move uses")
        Self.stop(first)
        let there = try moved(file, url)
        #expect(try moved(file, url).contains("has been whole since"))
        // Straight back: the same rows.
        let back = try moved(url, "straight/data.sqlite")
        #expect(Self.checksum(in: there) == Self.checksum(in: back), "\(there) \(back)")
        // An empty folder gets the names and keys of the database.
        let away = TemporaryFolder()
        let second = try serve(["--database", url], in: away)
        try Self.check(second, token, "there")
        #expect(away.read(".homeport/sign-in.json") == folder.read(".homeport/sign-in.json"))
        try refused(url, "late/data.sqlite", "a server or another move uses")
        try refused(file, url, "a server or another move uses")
        #expect(try second.answer(to: "mutation { createTodo(input: {id: \"more\"}) { id } }").contains("more"))
        try Self.call("sqs", "AmazonSQS.CreateQueue", #"{"QueueName": "other"}"#, second)
        Self.stop(second)
        let home = TemporaryFolder()
        _ = try moved(url, home.file(".homeport/data.sqlite"))
        let third = try serve([], in: home)
        try Self.check(third, token, "back")
        #expect(try third.answer(to: "{ getTodo(id: \"more\") { id } }").contains("more"))
        Self.stop(third)
    }

    @Test("a killed move goes on with the same command, and nothing serves what it has left")
    func kills() throws {
        var random = SeededRandom(test: "MoveCommandTests")
        let server = try PostgresServer.shared.get()
        let count = 12_000
        let lines = (0..<count).map {
            #"{"type":"Todo","record":{"id":"t\#($0)","name":"quick fox \#($0)","rank":\#($0)}}"#
        }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "all.jsonl")
        try folder.write(Self.schema, to: "schema.graphql")
        #expect(try run(["import", "all.jsonl"]).code == 0)
        let file = ".homeport/data.sqlite"
        var kills = 0
        var sums: Set<String> = []
        for round in 0..<max(1, Self.killCount / 3) {
            let url = try server.url(ofNewSchema: "moved_kills\(round)")
            for (from, to, isThere) in [(file, url, true), (url, "back\(round)/data.sqlite", false)] {
                for _ in 0..<2 {
                    let (process, _) = try start(["move", "--from", from, "--to", to])
                    pause(
                        .milliseconds(Int.random(in: 20...900, using: &random)),
                        because: "the moment of a kill is random")
                    guard process.isRunning else {
                        process.wait()
                        break
                    }
                    process.signal(SIGKILL)
                    process.wait()
                    kills += 1
                    let served = try run(["export", "--out", "none.jsonl", "--database", to])
                    if served.text.contains("has not ended") {
                        // A start is refused too, and makes no names beside it.
                        let begun = try run(["serve", "--database", to, "--data", "begun", "--port", "0"])
                        #expect(begun.code != 0 && begun.text.contains("Run homeport move again"), "\(begun)")
                        #expect(!FileManager.default.fileExists(atPath: folder.file("begun/sign-in.json")))
                    }
                    #expect(
                        served.code == 0 || served.text.contains("move") || served.text.contains("nothing was served"),
                        "\(served)")
                }
                let (code, text) = try run(["move", "--from", from, "--to", to])
                #expect(code == 0, "\(text)")
                if !text.contains("has been whole since") { sums.insert(Self.checksum(in: text)) }
                if !isThere {
                    let export = try run(["export", "--out", "out\(round).jsonl", "--database", to])
                    #expect(export.code == 0 && export.text.contains("12,000 records exported"), "\(export)")
                }
            }
        }
        #expect(sums.count <= 1)
        #expect(kills > 0)
    }

    @Test("takes an app's state out of AWS into a database on a server, and back out of it")
    func inAndOut() throws {
        let state = try MovedState(records: 300, users: 12, files: 5)
        let url = try PostgresServer.shared.get().url(ofNewSchema: "moved_in")
            .replacing("app@", with: "app:pencil%20and%2C%20'paper'@")
        let there = ["--database", url]
        let way = try state.run(MovedState.options + ["there"] + there)
        #expect(way.code == .success, "\(way.diagnostics)")
        // Once more changes nothing.
        #expect(try state.run(MovedState.options + ["there"] + there).code == .success)
        let lines = try state.lines(of: "there", there)
        #expect(lines.count == state.recordCount + state.userCount, "\(lines.prefix(2))")
        let out = try state.run(["move-out", "away", "--data", "there"] + there)
        #expect(out.code == .success && out.output.contains("300 records and 12 users"), "\(out)")
        let bucket = try #require(
            try FileManager.default.contentsOfDirectory(atPath: state.folder.file("away/files")).first {
                !$0.hasSuffix(".jsonl")
            })
        #expect(try state.files(below: "away/files/\(bucket)") == state.files(below: "files"))
        let back = try state.run([
            "move-in", "--tables", "away/tables", "--users", "away/users/users.json", "--identities",
            "away/identities.csv", "--data", "back",
        ])
        #expect(back.code == .success, "\(back.diagnostics)")
        #expect(try state.lines(of: "back") == lines)
        let none = try PostgresServer.shared.get().url(ofNewSchema: "moved_none")
            .replacing("app@", with: "app:pencil%20and%2C%20'paper'@")
        let nothing = try state.run(["move-out", "nowhere", "--database", none])
        #expect(nothing.code == .unreadableInput && nothing.diagnostics.contains("nothing was served"), "\(nothing)")
    }

    @Test("refuses what cannot be moved, and says what to do")
    func refusals() throws {
        let server = try PostgresServer.shared.get()
        let url = try server.url(ofNewSchema: "moved_refusals")
        try refused("nowhere.sqlite", url, "--from: there is no nowhere.sqlite")
        let first = try serve([], in: folder)
        Self.stop(first)
        let file = ".homeport/data.sqlite"
        try refused(file, "./.homeport/../.homeport/data.sqlite", "is the database that is to be moved")
        try refused(file, "postgres://app@127.0.0.1:1/blog", "is not available")
        try refused(url, "new/data.sqlite", "nothing was served here yet")
        #expect(!FileManager.default.fileExists(atPath: folder.file("new/data.sqlite")))
        let other = TemporaryFolder()
        Self.stop(try serve([], in: other))
        try refused(file, other.file(".homeport/next.sqlite"), "has the names of another backend")
        let app = try server.app()
        _ = try app.answer("CREATE TABLE moved_refusals.strange (id int)")
        try refused(file, url, "has a table strange")
        let (code, text) = try run(["move", "--from", file])
        #expect(code == ExitCode.usage.rawValue, "\(text)")
    }
}
