import Foundation
import JSON
import PostgresSupport
import Server
import TestSupport
import Testing

/// Several servers over one database, each a process: what requests ask of any of them, and what one of them does for all.
@Suite(
    "Work of several servers", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct KeeperTests {
    private static let program = HomeportProcess.program(named: "test-runtime")
    private static let environment = PostgresServer.environment.merging(["HOMEPORT_NODES": "true"]) { $1 }
    private static let isKeeper = "this node is the keeper"

    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String }
        type Query { echo(do: String, count: Int): AWSJSON @function(name: "work") @auth(rules: [{ allow: public }]) }
        """

    private static func serve(_ url: String, _ configuration: String) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        try folder.write(configuration, to: "homeport.json")
        return try HomeportProcess(
            ["--config", "homeport.json", "--database", url], environment: environment, schema: schema, in: folder)
    }

    private static func configuration(_ more: String = "") -> String {
        """
        {"functions": {"work": {"command": ["\(program)", "serve"], "timeout": 20, "queues": [{"queue": "jobs", "batch": 1}],
                                "tables": ["Todo"]}},
         "queues": {"jobs": {"visibilityTimeout": 30}, "orders": {}}\(more)}
        """
    }

    /// The keeper, and the other one.
    private static func pair(_ schema: String, _ configuration: String) throws -> (
        keeper: HomeportProcess, other: HomeportProcess
    ) {
        let url = try PostgresServer.shared.get().url(ofNewSchema: schema)
        let keeper = try serve(url, configuration)
        try #require(keeper.logs(isKeeper))
        return (keeper, try serve(url, configuration))
    }

    private static func health(of server: HomeportProcess) throws -> JSONValue {
        let client = try RawClient(port: server.port)
        try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try JSONReader.value(of: client.readAnswer().body)
    }

    @Test(
        "functions get messages and changes from one server at a time, whichever takes them, and another one goes on when it is killed"
    )
    func functions() throws {
        let (keeper, other) = try Self.pair("keeperfunctions", Self.configuration())
        #expect(try Self.health(of: keeper)["keeper"] == true && Self.health(of: other)["keeper"] == false)
        #expect(other.logs("another node is the keeper"))
        for (number, server) in [keeper, other, keeper, other].enumerated() {
            try server.send("m\(number)", to: "jobs")
            let answer = try server.answer(to: #"mutation { createTodo(input: {id: "t\#(number)"}) { id } }"#)
            #expect(answer.contains("t\(number)"))
        }
        for number in 0..<4 {
            #expect(keeper.logs("message m\(number) of 1 function=work"), "\(keeper.log)")
            #expect(keeper.logs(#"INSERT {"id":{"S":"t\#(number)"}} function=work"#), "\(keeper.log)")
        }
        #expect(other.logCount(of: "function=work") == 0)
        // Fields call the function where the request came.
        for server in [keeper, other] { #expect(try server.answer(to: "{ echo(count: 3) }").contains("fieldName")) }
        keeper.signal(SIGKILL)
        _ = keeper.exitStatus()
        try other.send("after", to: "jobs")
        #expect(try other.answer(to: #"mutation { createTodo(input: {id: "after"}) { id } }"#).contains("after"))
        #expect(other.logs(Self.isKeeper))
        #expect(other.logs("message after of 1 function=work"), "\(other.log)")
        #expect(other.logs(#"INSERT {"id":{"S":"after"}} function=work"#), "\(other.log)")
        for number in 0..<4 { #expect(other.logCount(of: "message m\(number) of") == 0) }
        #expect(try Self.health(of: other)["keeper"] == true)
        other.signal(SIGTERM)
        #expect(other.exitStatus() == ExitCode.success.rawValue)
    }

    @Test("a keeper that is stopped gives its work to another one at once, and what it was at is done again")
    func stop() throws {
        // The function of the first never answers.
        let url = try PostgresServer.shared.get().url(ofNewSchema: "keeperstop")
        func configuration(_ word: String) -> String {
            """
            {"functions": {"work": {"command": ["\(Self.program)", "\(word)"], "timeout": 600, "queues": ["jobs"]}},
             "queues": {"jobs": {"visibilityTimeout": 3600}}}
            """
        }
        let keeper = try Self.serve(url, configuration("hang"))
        try #require(keeper.logs(Self.isKeeper))
        let other = try Self.serve(url, configuration("serve"))
        try keeper.send("one", to: "jobs")
        try eventually("the function has it") {
            try keeper.queue(
                "GetQueueAttributes",
                #"{"QueueUrl": "\#(keeper.queueURL("jobs"))", "AttributeNames": ["ApproximateNumberOfMessagesNotVisible"]}"#
            )[
                "Attributes"]?["ApproximateNumberOfMessagesNotVisible"] == "1"
        }
        keeper.signal(SIGTERM)
        #expect(keeper.exitStatus() == ExitCode.success.rawValue)
        #expect(other.logs("message one of 1 function=work"), "\(other.log)")
    }

    @Test("tables of items and their items are the same at each server")
    func items() throws {
        let (keeper, other) = try Self.pair("keeperitems", Self.configuration())
        func call(_ operation: String, _ body: String, at server: HomeportProcess) throws -> String {
            try SignedCall.item(operation, body, to: server).answer(from: server).body
        }
        let table = #""TableName": "Plain""#
        #expect(try call("GetItem", #"{\#(table), "Key": {"id": {"S": "1"}}}"#, at: other).contains("ResourceNotFound"))
        _ = try call(
            "CreateTable",
            #"{\#(table), "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "#
                + #""AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}"#, at: keeper)
        #expect(try call("PutItem", #"{\#(table), "Item": {"id": {"S": "1"}, "n": {"N": "1"}}}"#, at: other) == "{}")
        #expect(try call("GetItem", #"{\#(table), "Key": {"id": {"S": "1"}}}"#, at: keeper).contains(#""n":{"N":"1"}"#))
        // Both count in one row, and none is lost.
        let count =
            #"{\#(table), "Key": {"id": {"S": "1"}}, "UpdateExpression": "ADD n :one", "#
            + #""ExpressionAttributeValues": {":one": {"N": "1"}}}"#
        for server in [keeper, other, other, keeper] { _ = try call("UpdateItem", count, at: server) }
        #expect(try call("GetItem", #"{\#(table), "Key": {"id": {"S": "1"}}}"#, at: other).contains(#""n":{"N":"5"}"#))
        // A record of the API is an item at each of them.
        #expect(try other.answer(to: #"mutation { createTodo(input: {id: "a", name: "n"}) { id } }"#).contains(#""a""#))
        let names = try JSONReader.value(of: call("ListTables", "{}", at: keeper))["TableNames"]?.array ?? []
        let name = try #require(names.compactMap(\.string).first { $0.hasPrefix("Todo-") })
        let model = #"{"TableName": "\#(name)", "Key": {"id": {"S": "a"}}}"#
        let record = try call("GetItem", model, at: keeper)
        #expect(record.contains(#""name":{"S":"n"}"#), "\(record)")
        _ = try call("DeleteTable", "{\(table)}", at: keeper)
        #expect(
            try call("PutItem", #"{\#(table), "Item": {"id": {"S": "1"}}}"#, at: other).contains("ResourceNotFound"))
        try eventually("the other has heard that it is gone") {
            try !call("ListTables", "{}", at: other).contains("Plain")
        }
        // Made anew, it has none of the items that it had.
        _ = try call(
            "CreateTable",
            #"{\#(table), "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "#
                + #""AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}"#, at: other)
        #expect(try call("GetItem", #"{\#(table), "Key": {"id": {"S": "1"}}}"#, at: other) == "{}")
    }

    @Test("notices, events and parameters that one server takes come to all, once")
    func messages() throws {
        let (keeper, other) = try Self.pair("keepermessages", #"{"queues": {"notices": {}, "events": {}}}"#)
        func form(_ body: String, at server: HomeportProcess) throws -> String {
            var call = SignedCall("", body, to: server)
            (call.service, call.hasTarget) = ("sns", false)
            call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
            call.signed = ["content-type", "host", "x-amz-date"]
            let answer = try call.answer(from: server)
            #expect(answer.status == 200, "\(answer)")
            return answer.body
        }
        func events(_ operation: String, _ body: String, at server: HomeportProcess) throws -> JSONValue {
            var call = SignedCall(operation, body, to: server)
            (call.api, call.service) = ("AWSEvents", "events")
            let answer = try call.answer(from: server)
            #expect(answer.status == 200, "\(answer)")
            return try JSONReader.value(of: answer.body)
        }
        func arn(_ service: String, _ name: String) -> String { "arn:aws:\(service):us-east-1:123456789012:\(name)" }
        _ = try form("Action=CreateTopic&Version=2010-03-31&Name=news", at: keeper)
        _ = try form(
            "Action=Subscribe&Version=2010-03-31&Protocol=sqs&TopicArn=\(arn("sns", "news"))&Endpoint=\(arn("sqs", "notices"))",
            at: other)
        _ = try form("Action=Publish&Version=2010-03-31&TopicArn=\(arn("sns", "news"))&Message=hello", at: other)
        let notices = try other.bodies(of: "notices", wait: 20)
        #expect(notices.count == 1 && notices[0].contains("hello"), "\(notices)")
        #expect(try keeper.bodies(of: "notices").isEmpty)
        _ = try events("PutRule", #"{"Name": "all", "EventPattern": "{\"source\": [\"shop\"]}"}"#, at: keeper)
        _ = try events(
            "PutTargets", #"{"Rule": "all", "Targets": [{"Id": "q", "Arn": "\#(arn("sqs", "events"))"}]}"#, at: keeper)
        // The other one hears of the rule a moment later.
        try eventually("the rule holds at the other") {
            var call = SignedCall("ListTargetsByRule", #"{"Rule": "all"}"#, to: other)
            (call.api, call.service) = ("AWSEvents", "events")
            return try call.answer(from: other).body.contains(#""Id":"q""#)
        }
        _ = try events(
            "PutEvents", #"{"Entries": [{"Source": "shop", "DetailType": "t", "Detail": "{\"n\": 1}"}]}"#, at: other)
        #expect(try keeper.bodies(of: "events", wait: 20).count == 1)
        #expect(try other.bodies(of: "events").isEmpty)
        var put = SignedCall("PutParameter", #"{"Name": "/a", "Value": "1", "Type": "String"}"#, to: keeper)
        (put.api, put.service) = ("AmazonSSM", "ssm")
        #expect(try put.answer(from: keeper).status == 200)
        var get = SignedCall("GetParameter", #"{"Name": "/a"}"#, to: other)
        (get.api, get.service) = ("AmazonSSM", "ssm")
        #expect(try get.answer(from: other).body.contains(#""Value":"1""#))
    }

    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        "a trigger of the pool runs where the call comes, and one of the servers has the function send the messages",
        .enabled(if: hasNode))
    func triggers() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "keepertriggers")
        func serve() throws -> HomeportProcess {
            let folder = TemporaryFolder()
            try folder.write(
                """
                export const handler = async (event) => {
                  console.log(`${event.triggerSource} of ${event.userName}`);
                  if (event.triggerSource === 'PreSignUp_SignUp') event.response.autoConfirmUser = event.userName !== 'bob';
                  return event;
                };
                """, to: "confirm.mjs")
            try folder.write(
                """
                {"functions": {"confirm": {"handler": "confirm.handler", "timeout": 60}},
                 "auth": {"pool": {"triggers": {"preSignUp": "confirm", "customEmailSender": "confirm"}}}}
                """, to: "homeport.json")
            return try HomeportProcess(
                ["--config", "homeport.json", "--database", url], environment: Self.environment, schema: Self.schema,
                in: folder)
        }
        let keeper = try serve()
        try #require(keeper.logs(Self.isKeeper))
        let other = try serve()
        func signUp(_ name: String, at server: HomeportProcess) throws {
            try PoolClient(server).call(
                "SignUp",
                [
                    "Username": name, "Password": "F1rst!Password",
                    "UserAttributes": [["Name": "email", "Value": "\(name)@example.com"]],
                ])
        }
        try signUp("ann", at: other)
        #expect(other.logs("PreSignUp_SignUp of ann") && keeper.logCount(of: "of ann") == 0)
        // Confirmed by the function, which only the other one has called.
        _ = try PoolClient(keeper).signIn("ann", "F1rst!Password")
        try signUp("bob", at: other)
        #expect(keeper.logs("CustomEmailSender_SignUp of bob"), "\(keeper.log)")
        #expect(other.logCount(of: "CustomEmailSender") == 0)
    }

    @Test(
        "executions of state machines are begun, stopped and answered at any server, and go on when the keeper is killed"
    )
    func workflows() throws {
        func text(_ definition: String) -> String { JSONWriter.text(of: .string(definition)) }
        let token =
            #"{"StartAt": "t", "States": {"t": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "#
            + #""Parameters": {"QueueUrl": "http://127.0.0.1/123456789012/tokens", "MessageBody.$": "$$.Task.Token"}, "#
            + #""End": true}}}"#
        let wait = #"{"StartAt": "w", "States": {"w": {"Type": "Wait", "SecondsPath": "$.s", "End": true}}}"#
        let fast = #"{"StartAt": "p", "States": {"p": {"Type": "Pass", "End": true}}}"#
        let (keeper, other) = try Self.pair(
            "keeperflows",
            """
            {"queues": {"tokens": {}},
             "stateMachines": {"token": {"text": \(text(token))}, "wait": {"text": \(text(wait))},
                               "fast": {"text": \(text(fast)), "type": "EXPRESS"}}}
            """)
        func call(_ operation: String, _ body: JSONValue, at server: HomeportProcess) throws -> (
            status: Int, body: JSONValue
        ) { try WorkflowServeTests.call(operation, body, to: server) }
        let machine = "\(WorkflowServeTests.space)stateMachine:"
        for server in [keeper, other] {
            let answer = try call(
                "StartSyncExecution", ["stateMachineArn": .string("\(machine)fast"), "input": #"{"v": 1}"#], at: server)
            #expect(answer.body["status"] == "SUCCEEDED" && answer.body["output"] == #"{"v":1}"#, "\(answer)")
        }
        let answered = try WorkflowServeTests.start("token", "t", "{}", at: other)
        let first = try #require(try other.bodies(of: "tokens", wait: 20, deletes: true).first)
        #expect(try call("SendTaskSuccess", ["taskToken": .string(first), "output": "7"], at: other).status == 200)
        #expect(try WorkflowServeTests.end(of: answered, at: other)["output"] == "7")
        // Refusals are the keeper's, too.
        let again = try call("SendTaskSuccess", ["taskToken": .string(first), "output": "7"], at: other)
        #expect(again.status == 400 && again.body["__type"]?.string?.hasSuffix("#TaskTimedOut") == true, "\(again)")
        let stopped = try WorkflowServeTests.start("wait", "s", #"{"s": 3600}"#, at: other)
        #expect(try call("StopExecution", ["executionArn": .string(stopped)], at: other).status == 200)
        #expect(try WorkflowServeTests.end(of: stopped, at: keeper)["status"] == "ABORTED")
        // Nobody without the secret of the nodes is answered that way.
        let client = try RawClient(port: keeper.port)
        let body = #"{"operation":"StopExecution","input":{"executionArn":"\#(stopped)"}}"#
        try client.send(
            "POST /.homeport/keeper HTTP/1.1\r\nHost: localhost\r\nx-homeport-node: \(Int(Date().timeIntervalSince1970 * 1_000)) "
                + "\(String(repeating: "00", count: 32))\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 403"))
        let (waiting, asking) = (
            try WorkflowServeTests.start("wait", "w", #"{"s": 5}"#, at: other),
            try WorkflowServeTests.start("token", "u", "{}", at: other)
        )
        let second = try #require(try other.bodies(of: "tokens", wait: 20, deletes: true).first)
        keeper.signal(SIGKILL)
        _ = keeper.exitStatus()
        // For a moment nobody runs the executions.
        let refused = try call("SendTaskSuccess", ["taskToken": .string(second), "output": "8"], at: other)
        #expect(
            refused.status == 503 && refused.body["__type"]?.string?.hasSuffix("#ServiceUnavailable") == true,
            "\(refused)")
        #expect(other.logs(Self.isKeeper))
        #expect(try WorkflowServeTests.end(of: waiting, at: other)["status"] == "SUCCEEDED")
        try eventually("the token is taken") {
            try call("SendTaskSuccess", ["taskToken": .string(second), "output": "8"], at: other).status == 200
        }
        #expect(try WorkflowServeTests.end(of: asking, at: other)["output"] == "8")
    }
}
