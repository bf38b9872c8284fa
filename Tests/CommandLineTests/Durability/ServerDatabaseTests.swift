import Foundation
import Postgres
import PostgresSupport
import Server
import TestSupport
import Testing

/// The program over a database on a server of PostgreSQL's.
@Suite(
    "A database on a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerDatabaseTests {
    private static let schema =
        "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! state: State tags: [String] }\n"
        + "enum State { open done }"
    private static let creation = "mutation { createTodo(input: {id: \"1\", name: \"a\", state: open}) { id } }"
    private static let query = "{ listTodos { items { id name state } } }"

    /// A start that is refused, or a command: its code, and what it says in its one line.
    private static func refused(
        _ arguments: [String], _ environment: [String: String] = PostgresServer.environment,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> (code: Int32, line: String) {
        try folder.write(schema, to: "schema.graphql")
        let output = folder.file("said.txt")
        let process = try ChildProcess(
            [HomeportProcess.program] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOMEPORT_PORT": "0"].merging(environment) { $1 }, in: folder.path,
            output: .file(output), errors: .file(output))
        let ending = process.wait()
        let text = folder.read("said.txt")
        #expect(text.filter { $0 == "\n" }.count == 1, "\(arguments): \(text)")
        #expect(!text.contains(PostgresServer.password) && !text.contains("geheim"))
        return (ending.status, text)
    }

    private static func serve(
        _ url: String, _ arguments: [String] = [], machines: String = "{}",
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> HomeportProcess {
        try HomeportProcess(
            ["--database", url] + arguments,
            environment: PostgresServer.environment.merging(["HOMEPORT_STATE_MACHINES": machines]) { $1 },
            schema: schema, in: folder)
    }

    @Test("a start says in one line what is wrong with the server, the role or the database")
    func refusals() throws {
        let server = try PostgresServer.shared.get()
        let own = try server.url(ofNewSchema: "refusals")
        let app = try server.app()
        _ = try app.answer("CREATE SCHEMA stranger")
        _ = try app.answer("CREATE TABLE stranger.rows (id int)")
        let password = PostgresServer.password.replacing("'", with: "''")
        _ = try server.admin().answer("CREATE ROLE poor LOGIN PASSWORD '\(password)'")
        for schema in ["closed", "readable"] { _ = try app.answer("CREATE SCHEMA \(schema)") }
        _ = try app.answer("GRANT USAGE ON SCHEMA readable TO poor")
        let rows: [(url: String, environment: [String: String], says: String)] = [
            ("postgres://app@127.0.0.1:1/blog", PostgresServer.environment, "is not available"),
            (own, ["PGPASSWORD": "geheim"], "password authentication failed"),
            (own.replacing("app@", with: "app:geheim@"), [:], "password authentication failed"),
            (own, [:], "it asks for a password, and none is set"),
            (server.url(database: "nowhere"), PostgresServer.environment, "does not exist"),
            (server.url(database: "latin"), PostgresServer.environment, "its encoding is LATIN1"),
            (server.url(user: "clear", "require_auth=password"), PostgresServer.environment, "read-only transaction"),
            (server.url("options=-c%20search_path%3Dstranger"), PostgresServer.environment, "has a table rows"),
            (server.url("options=-c%20search_path%3Dnowhere"), PostgresServer.environment, "names no schema"),
            (
                server.url(user: "poor", "options=-c%20search_path%3Dreadable"), PostgresServer.environment,
                "permission denied for schema readable"
            ),
            (
                server.url(user: "poor", "options=-c%20search_path%3Dclosed"), PostgresServer.environment,
                "names no schema"
            ),
            ("postgres://app:geheim@127.0.0.1:x/blog", [:], "the value of port must be"),
            (own, ["HOMEPORT_DATABASE_PASSWORD_FILE": "missing"], "missing cannot be read"),
        ]
        for row in rows {
            let (code, line) = try Self.refused(["serve", "--database", row.url], row.environment)
            #expect(code == ExitCode.configuration.rawValue && line.contains(row.says), "\(row.says): \(code), \(line)")
        }
    }

    @Test(
        "what a database on a server cannot do is refused by its name",
        arguments: [
            (["serve", "--test-control"], [:], "testControl:"),
            (["serve"], ["HOMEPORT_BACKUP_EVERY": "1h"], "backup.every:"),
            (["serve", "--force-migration", "Todo"], [:], "forcedMigrations:"),
            (["exec", "--", "true"], [:], "exec:"), (["backup", "x.tar"], [:], "pg_dump"),
            (["restore", "x.tar"], [:], "pg_dump"),
            (["files", "list"], [:], "is none"), (["check", "--files"], [:], "is none"),
        ] as [([String], [String: String], String)])
    func refusedSettings(arguments: [String], environment: [String: String], says: String) throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "settings")
        let words = [arguments[0], "--database", url] + arguments.dropFirst()
        let (code, line) = try Self.refused(words, environment.merging(PostgresServer.environment) { $1 })
        #expect(code == ExitCode.configuration.rawValue && line.contains(says), "\(code), \(line)")
    }

    @Test("a start is refused for names that a server would cut")
    func refusedSchemas() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "schemas")
        let folder = TemporaryFolder()
        let long = String(repeating: "n", count: 64)
        try folder.write(
            "type Post @model @auth(rules: [{ allow: public }]) { id: ID! \(long): String }", to: "long.graphql")
        let names = try Self.refused(["serve", "--database", url, "--schema", "long.graphql"], in: folder)
        #expect(names.code == ExitCode.configuration.rawValue && names.line.contains(long), "\(names)")
    }

    /// The end of a command, and what it says.
    private static func run(
        _ arguments: [String], in folder: TemporaryFolder
    ) throws -> (code: Int32, text: String) {
        let output = folder.file("ran.txt")
        let process = try ChildProcess(
            [HomeportProcess.program] + arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(PostgresServer.environment) { $1 }, in: folder.path,
            output: .file(output), errors: .file(output))
        let ending = process.wait()
        return (ending.status, folder.read("ran.txt"))
    }

    @Test("a function gets each change of a table once, also those from before the server was killed")
    func functions() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "functions")
        let folder = TemporaryFolder()
        func serve(_ command: String) throws -> HomeportProcess {
            let function = #"{"command": \#(command), "timeout": 60, "tables": ["Todo"]}"#
            return try HomeportProcess(
                ["--database", url],
                environment: PostgresServer.environment.merging(["HOMEPORT_FUNCTIONS": #"{"listen": \#(function)}"#]) {
                    $1
                }, schema: Self.schema, in: folder)
        }
        var server = try serve(#""exec sleep 10000""#)
        #expect(try server.answer(to: Self.creation).contains(#""id":"1""#))
        server.signal(SIGKILL)
        _ = server.exitStatus()
        let program = HomeportProcess.program(named: "test-runtime")
        server = try serve(#"["\#(program)", "serve"]"#)
        #expect(server.logs(#"INSERT {"id":{"S":"1"}} function=listen"#, milliseconds: 60_000))
        #expect(try server.answer(to: #"mutation { deleteTodo(input: {id: "1"}) { id } }"#).contains(#""id":"1""#))
        #expect(server.logs(#"REMOVE {"id":{"S":"1"}} function=listen"#, milliseconds: 60_000))
        #expect(server.log.components(separatedBy: "INSERT {").count == 2)
        // Nobody gets an import, and the records are there.
        try folder.write(#"{"type":"Todo","record":{"id":"2","name":"b"}}"#, to: "more.jsonl")
        #expect(try Self.run(["import", "more.jsonl", "--database", url], in: folder).code == 0)
        #expect(try server.answer(to: Self.query).contains(#""id":"2""#))
        #expect(try server.answer(to: #"mutation { deleteTodo(input: {id: "2"}) { id } }"#).contains(#""id":"2""#))
        #expect(server.logs(#"REMOVE {"id":{"S":"2"}} function=listen"#, milliseconds: 60_000))
        #expect(server.log.components(separatedBy: "INSERT {").count == 2)
    }

    @Test("records come from a seed and an import, and go out, beside the server and without it")
    func transfer() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "transfer")
        let folder = TemporaryFolder()
        let lines = [
            #"{"type":"Todo","record":{"id":"1","name":"a \"b\" é","tags":["x",null],"state":"open","#
                + #""createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z"}}"#,
            #"{"type":"Todo","record":{"id":"2","name":"b","tags":null,"#
                + #""createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z"}}"#,
        ]
        try folder.write(lines[0] + "\n", to: "seed.jsonl")
        try folder.write(lines.joined(separator: "\n") + "\n", to: "all.jsonl")
        let process = try Self.serve(url, ["--seed", "seed.jsonl"], in: folder)
        #expect(try process.answer(to: Self.query).contains(#""id":"1""#))
        let beside = try Self.run(["import", "all.jsonl", "--database", url], in: folder)
        #expect(beside.code == 0 && beside.text.contains("1 record imported, 1 there already"), "\(beside)")
        #expect(try process.answer(to: Self.query).contains(#"{"id":"2","name":"b","state":null}"#))
        let export = try Self.run(["export", "--out", "out.jsonl", "--database", url], in: folder)
        #expect(export.code == 0 && export.text.contains("2 records exported"), "\(export)")
        func members(_ text: String) throws -> [NSDictionary] {
            try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
            }
        }
        #expect(try members(folder.read("out.jsonl")) == members(lines.joined(separator: "\n")))
        // Another schema is for the next start: no command changes the tables under a server.
        let wider = Self.schema.replacing("tags: [String]", with: "tags: [String] more: Int")
        try folder.write(wider, to: "wider.graphql")
        let other = try Self.run(
            ["import", "all.jsonl", "--database", url, "--schema", "wider.graphql"], in: folder)
        #expect(
            other.code == ExitCode.systemRefused.rawValue && other.text.contains("Start the server anew"), "\(other)")
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
        let without = try Self.run(
            ["import", "all.jsonl", "--replace", "--database", url, "--schema", "wider.graphql"], in: folder)
        #expect(without.code == 0 && without.text.contains("2 records imported"), "\(without)")
        try folder.write(#"{"type":"Todo","record":{"id":"3","name":"a\u0000"}}"#, to: "zero.jsonl")
        let zero = try Self.run(
            ["import", "zero.jsonl", "--database", url, "--schema", "wider.graphql"], in: folder)
        #expect(zero.code != 0 && zero.text.contains("U+0000"), "\(zero)")
    }

    @Test("users, messages and files are seen and changed by commands beside the server")
    func commands() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "commands")
        let folder = TemporaryFolder()
        func said(_ words: [String]) throws -> String {
            let (code, text) = try Self.run(words + ["--database", url], in: folder)
            #expect(code == 0, "\(words): \(code), \(text)")
            return text
        }
        let nothing = try Self.run(["mail", "--database", url], in: folder)
        #expect(nothing.code != 0 && nothing.text.contains("nothing was served here yet"), "\(nothing)")
        let process = try Self.serve(url, in: folder)
        _ = try said(["users", "add", "ada", "--email", "ada@example.com", "--password", "Secret-123"])
        #expect(try said(["users", "list"]).contains("ada@example.com"))
        _ = try said(["users", "password", "ada", "--password", "Secret-456"])
        #expect(try said(["users", "export"]).contains("ada"))
        _ = try said(["mail"])
        try folder.write("text of a file", to: "a.txt")
        _ = try said(["files", "put", "public/a.txt", "--file", "a.txt"])
        #expect(try said(["files", "list"]).contains("public/a.txt"))
        #expect(try said(["files", "get", "public/a.txt"]) == "text of a file")
        #expect(try said(["check", "--files"]).contains("1 file"))
        _ = try said(["files", "remove", "public/a.txt"])
        #expect(try !said(["files", "list"]).contains("public/a.txt"))
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
        // Without the server as well.
        #expect(try said(["users", "list"]).contains("ada@example.com"))
    }

    @Test("data of a later version is refused, with the version for it")
    func laterVersion() throws {
        let server = try PostgresServer.shared.get()
        let url = try server.url(ofNewSchema: "later")
        let process = try Self.serve(url)
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
        let app = try server.app()
        _ = try app.answer(
            "UPDATE later._homeport_settings SET words = '{\"format\": 999}' WHERE name = 'layout'")
        _ = try app.answer(
            "UPDATE later._homeport_settings SET bytes = '9.9.9'::bytea WHERE name = 'kept.version'")
        let (code, line) = try Self.refused(["serve", "--database", url])
        #expect(code == ExitCode.configuration.rawValue, "\(line)")
        #expect(line.contains("its format is 999") && line.contains("Homeport 9.9.9"), "\(line)")
    }

    @Test("what was written is there after a restart and after a kill, and no other process serves it meanwhile")
    func restarts() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "restarts")
        let folder = TemporaryFolder()
        let first = try Self.serve(url, in: folder)
        #expect(try first.answer(to: Self.creation).contains(#""id":"1""#))
        #expect(first.banner.contains("API") && !first.banner.contains(PostgresServer.password))
        let second = try Self.refused(["serve", "--database", url])
        #expect(second.code == ExitCode.systemRefused.rawValue && second.line.contains("another server serves"))
        first.signal(SIGKILL)
        _ = first.exitStatus()
        let third = try Self.serve(url, in: folder)
        #expect(try third.answer(to: Self.query).contains(#"{"id":"1","name":"a","state":"open"}"#))
        third.signal(SIGTERM)
        #expect(third.exitStatus() == 0)
        #expect(!third.log.contains(PostgresServer.password))
    }

    @Test("names and keys come with the database into an empty folder")
    func names() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "names")
        var said: [String] = []
        for _ in 0..<2 {
            let folder = TemporaryFolder()
            let process = try Self.serve(url, in: folder)
            process.signal(SIGTERM)
            #expect(process.exitStatus() == 0)
            said.append(folder.read(".homeport/sign-in.json"))
        }
        #expect(!said[0].isEmpty && said[0] == said[1])
    }

    @Test("the status, the configuration and the metrics show where the data is, and no password")
    func shown() throws {
        let server = try PostgresServer.shared.get()
        let url = try server.url(ofNewSchema: "shown")
        let folder = TemporaryFolder()
        let process = try Self.serve(url, ["--watch"], in: folder)
        for words in [
            ["status"], ["serve", "--print-config", "--database", url.replacing("app@", with: "app:geheim@")],
        ] {
            let output = folder.file("shown.txt")
            let run = try ChildProcess(
                [HomeportProcess.program] + words, environment: ["PATH": "/usr/bin:/bin"], in: folder.path,
                output: .file(output), errors: .file(output))
            #expect(run.wait() == .code(0))
            let text = folder.read("shown.txt")
            #expect(text.contains("127.0.0.1:\(server.port)/blog") && !text.contains("geheim"), "\(text)")
        }
        let client = try RawClient(port: process.port)
        try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let metrics = try client.readAnswer().body
        #expect(metrics.contains("homeport_ready 1") && !metrics.contains("homeport_database_size_bytes"))
        // Another schema is for the next start: the tables of a server are not changed while it is served.
        try folder.write(
            Self.schema + "\ntype Other @model @auth(rules: [{ allow: public }]) { id: ID! }", to: "schema.graphql")
        #expect(process.logs("Start the server anew"))
        #expect(try process.answer(to: Self.query).contains("listTodos"))
    }

    @Test("a database that is away is said to whoever asks, and all comes back with it")
    func outage() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let process = try Self.serve(try server.url(ofNewSchema: "outage"), machines: Self.machines)
        #expect(try process.answer(to: Self.creation).contains(#""id":"1""#))
        #expect(try Self.status(of: "/health/ready", at: process) == 200)
        // From here on there are tables of all rooms to be read.
        for answer in try Self.answers(of: process, round: 1) {
            #expect(answer.status == 200, "\(answer)")
        }

        server.stop()
        #expect(process.logs("the database does not answer"))
        #expect(try Self.status(of: "/health/ready", at: process) == 503)
        #expect(try Self.status(of: "/health/live", at: process) == 200)
        let mutation = "mutation { createTodo(input: {id: \"2\", name: \"b\"}) { id } }"
        try Self.expectOutage(of: process, from: server, round: 2)

        try server.start()
        #expect(process.logs("the database answers again"))
        #expect(try Self.status(of: "/health/ready", at: process) == 200)
        #expect(try process.answer(to: Self.query).contains(#"{"id":"1","name":"a","state":"open"}"#))
        #expect(try process.answer(to: mutation).contains(#""id":"2""#))
        for answer in try Self.answers(of: process, round: 3) {
            #expect(answer.status == 200, "\(answer)")
        }
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
    }

    /// Expects all services to say that they are not available, and nothing of the database.
    static func expectOutage(of process: HomeportProcess, from server: PostgresServer, round: Int) throws {
        for query in ["{ listTodos { items { id name } } }", "mutation { createTodo(input: {name: \"b\"}) { id } }"] {
            let answer = try process.answer(to: query)
            #expect(answer.contains(#""errorType":"ServiceUnavailable""#) && !answer.contains("\(server.port)"))
        }
        for answer in try answers(of: process, round: round) {
            #expect(answer.status == 503 && answer.body.contains("ServiceUnavailable"), "\(answer)")
            #expect(!answer.body.contains("\(server.port)") && !answer.body.contains("PostgreSQL"), "\(answer)")
        }
    }

    private static func pool(of process: HomeportProcess) throws -> String {
        let names = try JSONSerialization.jsonObject(
            with: FileManager.default.contents(atPath: process.folder.file(".homeport/sign-in.json")) ?? Data())
        return try #require((names as? [String: String])?["userPoolId"])
    }

    /// Calls with U+0000 in a text, and what each service says of it. All else that has one is kept: as JSON, whose form has letters in its place.
    private static let zeros: [(name: String, service: String, body: String, says: String)] = [
        (
            "DynamoDB_20120810.PutItem", "dynamodb",
            #"{"TableName":"Todo-local-NONE","Item":{"id":{"S":"9"},"name":{"S":"a\u0000"}}}"#, "ValidationException"
        ),
        (
            "DynamoDB_20120810.GetItem", "dynamodb", #"{"TableName":"Todo-local-NONE","Key":{"id":{"S":"\u0000"}}}"#,
            "ValidationException"
        ),
        ("AmazonSQS.SendMessage", "sqs", #"{"QueueUrl":"QUEUE","MessageBody":"\u0000"}"#, "InvalidMessageContents"),
        ("AmazonSQS.ReceiveMessage", "sqs", #"{"QueueUrl":"QUEUE","ReceiveRequestAttemptId":"\u0000"}"#, "{}"),
        ("AmazonSSM.PutParameter", "ssm", #"{"Name":"/x","Value":"\u0000","Type":"String"}"#, "Version"),
        ("AmazonSSM.GetParameter", "ssm", #"{"Name":"/\u0000"}"#, "ValidationException"),
        ("secretsmanager.GetSecretValue", "secretsmanager", #"{"SecretId":"\u0000"}"#, "ValidationException"),
        ("AWSEvents.CreateEventBus", "events", #"{"Name":"b","Description":"\u0000"}"#, "EventBusArn"),
        (
            "AWSEvents.PutEvents", "events", #"{"Entries":[{"Source":"x","DetailType":"\u0000","Detail":"{}"}]}"#,
            #""FailedEntryCount":0"#
        ),
        (
            "AWSCognitoIdentityProviderService.CreateGroup", "cognito-idp",
            #"{"UserPoolId":"POOL","GroupName":"g","Description":"\u0000"}"#, "InvalidParameterException"
        ),
        (
            "AWSCognitoIdentityProviderService.AdminGetUser", "cognito-idp",
            #"{"UserPoolId":"POOL","Username":"\u0000"}"#, "InvalidParameterException"
        ),
        (
            ".Publish", "sns", "Action=Publish&PhoneNumber=%2B491701234567&Message=%00&Version=2010-03-31",
            "InvalidParameterValue"
        ),
        (
            ".SendEmail", "ses",
            "Action=SendEmail&Source=a%40b.test&Destination.ToAddresses.member.1=c%40d.test&Message.Subject.Data=%00"
                + "&Message.Body.Text.Data=t&Version=2010-12-01", "InvalidParameterValue"
        ),
        (
            "AWSStepFunctions.DescribeExecution", "states", #"{"executionArn":"EXECUTION:\u0000"}"#,
            "ValidationException"
        ),
        (
            "AWSStepFunctions.StopExecution", "states",
            #"{"executionArn":"EXECUTION:e1","error":"\u0000","cause":"a\u0000b"}"#, "stopDate"
        ),
        (
            "AWSStepFunctions.DescribeExecution", "states", #"{"executionArn":"EXECUTION:e1"}"#,
            "\"cause\":\"a\u{FFFD}b\""
        ),
    ]

    @Test("a text with U+0000 is refused in the words of its service, or kept, and nobody learns of the database")
    func zeroCharacters() throws {
        let server = try PostgresServer.shared.get()
        let process = try Self.serve(server.url(ofNewSchema: "zeros"), machines: Self.machines)
        let pool = try Self.pool(of: process)
        for call in Self.calls where ["AmazonSQS.CreateQueue", "AWSStepFunctions.StartExecution"].contains(call.name) {
            #expect(try Self.answer(to: call, of: process, pool: pool).status == 200)
        }
        for call in Self.zeros {
            let answer = try Self.answer(to: (call.name, call.service, call.body), of: process, pool: pool)
            #expect(answer.body.contains(call.says), "\(call.name): \(answer)")
            #expect(answer.status < 500 && !answer.body.contains("\(server.port)"), "\(call.name): \(answer)")
        }
        let files = try SignedFileCall(process)
        let put = try files.call("PUT", "/amplify/public/%00", body: Array("a".utf8))
        #expect((400..<500).contains(put.status), "\(put)")
        // Behind all of them.
        #expect(try process.answer(to: Self.creation).contains(#""id":"1""#))
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
    }

    /// A read and a change of each protocol: the operation, its service and its body. A dot before the operation ends what its API is called.
    private static let calls: [(name: String, service: String, body: String)] = [
        ("DynamoDB_20120810.Scan", "dynamodb", #"{"TableName":"Todo-local-NONE"}"#),
        (
            "DynamoDB_20120810.PutItem", "dynamodb",
            #"{"TableName":"Todo-local-NONE","Item":{"id":{"S":"9"},"name":{"S":"x"}}}"#
        ),
        ("AmazonSQS.ListQueues", "sqs", "{}"), ("AmazonSQS.CreateQueue", "sqs", #"{"QueueName":"qROUND"}"#),
        ("AmazonSSM.GetParametersByPath", "ssm", #"{"Path":"/"}"#),
        ("AmazonSSM.PutParameter", "ssm", #"{"Name":"/x","Value":"1","Type":"String","Overwrite":true}"#),
        ("secretsmanager.ListSecrets", "secretsmanager", "{}"),
        (
            "secretsmanager.CreateSecret", "secretsmanager",
            #"{"Name":"sROUND","SecretString":"1","ClientRequestToken":"00000000-0000-4000-8000-000000000001"}"#
        ),
        ("AWSEvents.CreateEventBus", "events", #"{"Name":"bROUND"}"#),
        ("AWSCognitoIdentityProviderService.ListUsers", "cognito-idp", #"{"UserPoolId":"POOL"}"#),
        (
            "AWSCognitoIdentityProviderService.CreateGroup", "cognito-idp",
            #"{"UserPoolId":"POOL","GroupName":"gROUND"}"#
        ),
        (".ListTopics", "sns", "Action=ListTopics&Version=2010-03-31"),
        (".CreateTopic", "sns", "Action=CreateTopic&Name=tROUND&Version=2010-03-31"),
        ("AmazonSQS.SendMessage", "sqs", #"{"QueueUrl":"QUEUE","MessageBody":"m"}"#),
        ("AmazonSQS.ReceiveMessage", "sqs", #"{"QueueUrl":"QUEUE"}"#),
        (".Publish", "sns", "Action=Publish&PhoneNumber=%2B491701234567&Message=m&Version=2010-03-31"),
        (
            ".SendEmail", "ses",
            "Action=SendEmail&Source=a%40b.test&Destination.ToAddresses.member.1=c%40d.test&Message.Subject.Data=s"
                + "&Message.Body.Text.Data=t&Version=2010-12-01"
        ),
        ("AWSStepFunctions.StartExecution", "states", #"{"stateMachineArn":"MACHINE","name":"eROUND"}"#),
        ("AWSStepFunctions.ListExecutions", "states", #"{"stateMachineArn":"MACHINE"}"#),
        ("AWSStepFunctions.StopExecution", "states", #"{"executionArn":"EXECUTION:e1"}"#),
    ]

    private static let machine = "arn:aws:states:us-east-1:123456789012:stateMachine:waits"
    static let machines =
        #"{"waits":{"text":"{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Wait\",\"Seconds\":600,\"End\":true}}}"}}"#

    /// A signed call: the operation, its service and its body. A dot before the operation ends what its API is called; what has none is a form.
    private static func answer(
        to call: (name: String, service: String, body: String), of process: HomeportProcess, pool: String,
        round: Int = 1
    ) throws -> (status: Int, body: String) {
        let parts = call.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let queue = "https://sqs.us-east-1.amazonaws.com/123456789012/q1"
        let body = call.body.replacing("POOL", with: pool).replacing("ROUND", with: "\(round)")
            .replacing("QUEUE", with: queue).replacing("MACHINE", with: machine)
            .replacing("EXECUTION", with: machine.replacing("stateMachine", with: "execution"))
        var signed = SignedCall(parts[1], body, to: process)
        (signed.api, signed.service, signed.hasTarget) = (parts[0], call.service, !parts[0].isEmpty)
        if parts[0].isEmpty {
            signed.contentType = "application/x-www-form-urlencoded"
            signed.signed = ["content-type", "host", "x-amz-date"]
        }
        let answer = try signed.answer(from: process)
        return (answer.status, answer.body)
    }

    /// The answers of all protocols, by what was asked. Each round makes things of its own.
    static func answers(of process: HomeportProcess, round: Int) throws -> [(name: String, status: Int, body: String)] {
        let pool = try pool(of: process)
        var answers: [(name: String, status: Int, body: String)] = []
        for call in calls {
            let answer = try answer(to: call, of: process, pool: pool, round: round)
            answers.append((call.name, answer.status, answer.body))
        }
        let running = process.folder.read(".homeport/running.json")
        let bucket = try #require(running.firstMatch(of: /amplify-files-[a-z0-9-]+/)?.0)
        let files = try SignedFileCall(process)
        let listing = try files.call("GET", "/\(bucket)")
        answers.append(("files: list", listing.status, String(decoding: listing.bytes, as: UTF8.self)))
        let put = try files.call("PUT", "/\(bucket)/public/a.txt", body: Array("a".utf8))
        answers.append(("files: put", put.status, String(decoding: put.bytes, as: UTF8.self)))
        return answers
    }

    static func status(of path: String, at process: HomeportProcess) throws -> Int {
        let client = try RawClient(port: process.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try AnswerHead(client.readAnswer().head).status
    }
}
