import Foundation
import JSON
import TestSupport
import Testing

/// Tasks of state machines on the services of this server, through real sockets; and machines of a project that is followed.
@Suite("Workflows on other services")
struct WorkflowTaskServeTests {
    private static func text(_ definition: String) -> String { JSONWriter.text(of: .string(definition)) }

    private static func state(
        _ name: String, _ resource: String, _ parameters: String, next: String?, keeps result: String = "null"
    ) -> String {
        let end = next.map { #""Next": "\#($0)""# } ?? #""End": true"#
        return
            #""\#(name)": {"Type": "Task", "Resource": "arn:aws:states:::\#(resource)", "Parameters": \#(parameters), "ResultPath": \#(result), \#(end)}"#
    }

    private static func machine(_ states: [String], first: String) -> String {
        #"{"StartAt": "\#(first)", "States": {\#(states.joined(separator: ", "))}}"#
    }

    private static let key = #""TableName": "Things", "Key": {"id": {"S.$": "$.id"}}"#

    @Test("tasks put, change, read and delete items of a table")
    func items() throws {
        let states = [
            Self.state(
                "put", "dynamodb:putItem",
                #"{"TableName": "Things", "Item": {"id": {"S.$": "$.id"}, "n": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(id)"}"#,
                next: "change"),
            Self.state(
                "change", "dynamodb:updateItem",
                #"{\#(Self.key), "UpdateExpression": "SET n = n + :one", "ExpressionAttributeValues": {":one": {"N": "41"}}}"#,
                next: "read"),
            Self.state("read", "dynamodb:getItem", "{\(Self.key)}", next: "delete", keeps: #""$.read""#),
            Self.state("delete", "dynamodb:deleteItem", "{\(Self.key)}", next: "again"),
            Self.state("again", "dynamodb:getItem", "{\(Self.key)}", next: nil, keeps: #""$.again""#),
        ]
        let twice = Self.state(
            "put", "dynamodb:putItem",
            #"{"TableName": "Things", "Item": {"id": {"S": "there"}}, "ConditionExpression": "attribute_not_exists(id)"}"#,
            next: nil)
        let folder = TemporaryFolder()
        try folder.write(
            #"""
            {"resolvers": {"dataSources": {"Things": {"table": "Things", "partitionKey": "id"}}},
             "stateMachines": {"items": {"text": \#(Self.text(Self.machine(states, first: "put")))},
               "twice": {"text": \#(Self.text(Self.machine([twice], first: "put")))}}}
            """#, to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
        let ended = try WorkflowServeTests.end(
            of: try WorkflowServeTests.start("items", "x", #"{"id": "a"}"#, at: server), at: server)
        #expect(ended["status"] == "SUCCEEDED", "\(ended)")
        let output = try JSONReader.value(of: ended["output"]?.string ?? "null")
        #expect(output["read"]?["Item"] == ["id": ["S": "a"], "n": ["N": "42"]], "\(ended)")
        #expect(output["again"] != nil && output["again"]?["Item"] == nil, "\(ended)")
        for (name, status) in [("first", "SUCCEEDED"), ("second", "FAILED")] {
            let ended = try WorkflowServeTests.end(
                of: try WorkflowServeTests.start("twice", name, "{}", at: server), at: server)
            #expect(ended["status"]?.string == status, "\(ended)")
            guard status == "FAILED" else { continue }
            #expect(ended["error"] == "DynamoDB.ConditionalCheckFailedException", "\(ended)")
            #expect(
                ended["cause"]?.string?.contains(" (Service: AmazonDynamoDBv2; Status Code: 400; ") == true, "\(ended)")
        }
    }

    @Test("tasks send texts, events and messages, which reach who is told of them")
    func messages() throws {
        let states = [
            Self.state(
                "tell", "sns:publish", #"{"PhoneNumber": "+4915112345678", "Message.$": "$.text"}"#, next: "note",
                keeps: #""$.notice""#),
            Self.state(
                "note", "events:putEvents",
                #"{"Entries": [{"Source": "flow", "DetailType": "noted", "Detail": {"text.$": "$.text"}}]}"#,
                next: "send", keeps: #""$.events""#),
            Self.state(
                "send", "sqs:sendMessage",
                #"{"QueueUrl": "http://127.0.0.1/123456789012/jobs", "MessageBody": {"text.$": "$.text"}}"#, next: nil,
                keeps: #""$.sent""#),
        ]
        let away = Self.state(
            "send", "sqs:sendMessage", #"{"QueueUrl.$": "$.url", "MessageBody": "x"}"#, next: nil)
        let nowhere = Self.state(
            "tell", "sns:publish", #"{"TopicArn": "arn:aws:sns:us-east-1:123456789012:none", "Message": "x"}"#,
            next: nil)
        let folder = TemporaryFolder()
        try folder.write(
            #"""
            {"queues": {"jobs": {}, "noted": {}, "named": {}},
             "events": {"rules": {"r": {"pattern": "{\"source\": [\"flow\"]}", "targets": [{"queue": "noted", "inputPath": "$.detail.text"}, {"queue": "named", "inputPath": "$.resources"}]}}},
             "stateMachines": {"all": {"text": \#(Self.text(Self.machine(states, first: "tell")))},
               "nowhere": {"text": \#(Self.text(Self.machine([nowhere], first: "tell")))},
               "away": {"text": \#(Self.text(Self.machine([away], first: "send")))}}}
            """#, to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
        let ended = try WorkflowServeTests.end(
            of: try WorkflowServeTests.start("all", "x", #"{"text": "Grüße"}"#, at: server), at: server)
        #expect(ended["status"] == "SUCCEEDED", "\(ended)")
        let output = try JSONReader.value(of: ended["output"]?.string ?? "null")
        #expect(
            output["notice"]?["MessageId"]?.string != nil && output["sent"]?["MessageId"]?.string != nil, "\(ended)")
        #expect(output["events"]?["FailedEntryCount"] == 0, "\(ended)")
        #expect(try server.bodies(of: "jobs", wait: 10) == [#"{"text":"Grüße"}"#])
        #expect(try server.bodies(of: "noted", wait: 10) == [#""Grüße""#])
        let resources = try server.bodies(of: "named", wait: 10).first ?? ""
        #expect(resources.contains(":stateMachine:all\"") && resources.contains(":execution:all:x\""), "\(resources)")
        let shown = try ProgramRun.outcome(["mail", "--json", "--to", "+4915112345678"], in: folder).output
        #expect(shown.contains("Grüße"), "\(shown)")
        let failed = try WorkflowServeTests.end(
            of: try WorkflowServeTests.start("nowhere", "x", "{}", at: server), at: server)
        #expect(failed["status"] == "FAILED" && failed["error"]?.string?.hasPrefix("SNS.NotFound") == true, "\(failed)")
        for (url, error) in [
            ("none", "SQS.SdkClientException"),
            ("http://127.0.0.1/123456789012/none", "SQS.QueueDoesNotExistException"),
        ] {
            let failed = try WorkflowServeTests.end(
                of: try WorkflowServeTests.start("away", error.filter(\.isLetter), #"{"url": "\#(url)"}"#, at: server),
                at: server)
            #expect(failed["error"]?.string == error, "\(failed)")
        }
    }

    // MARK: Projects

    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({ Todo: a.model({ content: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
        export const data = defineData({
          schema, authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: {} } });
        """

    private static func backend(_ lines: String) -> String {
        """
        import { defineBackend } from '@aws-amplify/backend';
        import { data } from './data/resource';
        import * as cdk from 'aws-cdk-lib';
        import { aws_stepfunctions as sfn, aws_events as events, Duration } from 'aws-cdk-lib';
        const backend = defineBackend({ data });
        const stack = backend.createStack('flows');
        \(lines)
        """
    }

    private static func server(_ lines: String, _ arguments: [String] = [], in folder: TemporaryFolder) throws
        -> HomeportProcess
    {
        try folder.write(data, to: "amplify/data/resource.ts")
        try folder.write(backend(lines), to: "amplify/backend.ts")
        return try HomeportProcess(arguments, schema: nil, in: folder)
    }

    private static func put(_ source: String, to server: HomeportProcess) throws {
        var put = SignedCall(
            "PutEvents", #"{"Entries": [{"Source": "\#(source)", "DetailType": "t", "Detail": "{\"v\": 8}"}]}"#,
            to: server)
        (put.api, put.service) = ("AWSEvents", "events")
        #expect(try put.answer(from: server).status == 200)
    }

    private static func outputs(of machine: String, count: Int, at server: HomeportProcess) throws -> [String] {
        var executions: [JSONValue] = []
        try eventually("\(count) executions have succeeded: \(executions) \(server.log)") {
            let list = try WorkflowServeTests.call(
                "ListExecutions",
                [
                    "stateMachineArn": .string("\(WorkflowServeTests.space)stateMachine:\(machine)"),
                    "statusFilter": "SUCCEEDED",
                ], to: server)
            executions = list.body["executions"]?.array ?? []
            return executions.count >= count
        }
        return try executions.compactMap { execution in
            try WorkflowServeTests.end(of: execution["executionArn"]?.string ?? "", at: server)["output"]?.string
        }
    }

    private static let rule = """
        const pass = new sfn.Pass(stack, 'Pass', { inputPath: '$.detail.v' });
        const machine = new sfn.StateMachine(stack, 'Flow', { definition: pass });
        new events.Rule(stack, 'R', {
          eventPattern: { source: ['till'] }, targets: [new cdk.aws_events_targets.SfnStateMachine(machine)] });
        """

    @Test("a rule of a project starts its state machine with the event")
    func rules() throws {
        let server = try Self.server(Self.rule, in: TemporaryFolder())
        try Self.put("other", to: server)
        try Self.put("till", to: server)
        #expect(try Self.outputs(of: "Flow", count: 1, at: server) == ["8"], "\(server.log)")
    }

    @Test("a rule by the clock starts its state machine when its time has come, with the event of a rule")
    func clock() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.data, to: "amplify/data/resource.ts")
        try folder.write(
            Self.backend(
                """
                const machine = new sfn.StateMachine(stack, 'Flow', { definition: new sfn.Pass(stack, 'Pass') });
                const target = new cdk.aws_events_targets.SfnStateMachine(machine);
                new events.Rule(stack, 'R', { schedule: events.Schedule.cron({ minute: '0' }), targets: [target] });
                """), to: "amplify/backend.ts")
        let server = try TestControlClient.server(schema: nil, in: folder)
        let control = TestControlClient(server)
        #expect(try control.call("POST", "time", #"{"set": "2030-01-01T09:59:59Z"}"#).status == 200)
        try eventually("the hour is over") {
            let now = try control.call("GET", "time").json["now"] as? String ?? ""
            return now >= "2030-01-01T10:00:01"
        }
        // Requests are signed by the time of the machine.
        #expect(try control.call("POST", "time", #"{"reset": true}"#).status == 200)
        // What was missed on the way there may have started one, too.
        var events: [JSONValue] = []
        try eventually("it is started: \(events) \(server.log)") {
            events = try Self.outputs(of: "Flow", count: 1, at: server).map { try JSONReader.value(of: $0) }
            return events.contains { $0["time"] == "2030-01-01T10:00:00Z" }
        }
        #expect(events.count { $0["time"] == "2030-01-01T10:00:00Z" } == 1, "\(events) \(server.log)")
        for event in events {
            #expect(event["source"] == "aws.events" && event["detail-type"] == "Scheduled Event", "\(event)")
            #expect(event["resources"]?[0] == "arn:aws:events:us-east-1:123456789012:rule/Flow", "\(event)")
            #expect(event["detail"] == [:], "\(event)")
        }
    }

    @Test("rules of a project that is followed hold at once: one that comes, one that changes, one that goes")
    func watchedRules() throws {
        func rule(_ source: String, _ target: String) -> String {
            """
            new events.Rule(stack, 'R', {
              eventPattern: { source: ['\(source)'] }, targets: [new cdk.aws_events_targets.\(target)] });
            """
        }
        let machines = """
            const pass = new sfn.Pass(stack, 'Pass', { inputPath: '$.detail.v' });
            const machine = new sfn.StateMachine(stack, 'Flow', { definition: pass });
            const other = new sfn.StateMachine(stack, 'Other', { definition: new sfn.Pass(stack, 'P', { inputPath: '$.source' }) });

            """
        let folder = TemporaryFolder()
        let server = try Self.server(machines, ["--watch"], in: folder)
        var count = 0
        func edit(_ lines: String) throws {
            try folder.write(Self.backend(machines + lines), to: "amplify/backend.part")
            _ = rename(folder.file("amplify/backend.part"), folder.file("amplify/backend.ts"))
            count += 1
            let held = "what it says holds"
            #expect(server.logs(held, times: count), "\(server.log)")
        }
        try Self.put("till", to: server)
        try edit(rule("till", "SfnStateMachine(machine)"))
        try Self.put("till", to: server)
        #expect(try Self.outputs(of: "Flow", count: 1, at: server) == ["8"], "\(server.log)")
        // Another pattern and another machine: the former ones mean nothing any more.
        try edit(rule("shop", "SfnStateMachine(other)"))
        try Self.put("till", to: server)
        try Self.put("shop", to: server)
        #expect(try Self.outputs(of: "Other", count: 1, at: server) == [#""shop""#], "\(server.log)")
        try edit("")
        try Self.put("shop", to: server)
        // A queue that comes with its rule is there with it, and becomes what the project says of it.
        func queue(_ options: String) -> String {
            rule("shop", "SqsQueue(new cdk.aws_sqs.Queue(stack, 'Late', { queueName: 'late', \(options) }))")
        }
        func attribute(_ name: String) throws -> JSONValue? {
            let url = server.queueURL("late")
            let all = try server.queue(
                "GetQueueAttributes", #"{"QueueUrl": "\#(url)", "AttributeNames": ["All"]}"#)
            return all["Attributes"]?[name]
        }
        try edit(queue("visibilityTimeout: cdk.Duration.seconds(7)"))
        try Self.put("shop", to: server)
        #expect(try server.bodies(of: "late", wait: 20).first?.contains("shop") == true, "\(server.log)")
        #expect(try attribute("VisibilityTimeout") == "7")
        try edit(queue("visibilityTimeout: cdk.Duration.seconds(9)"))
        #expect(try attribute("VisibilityTimeout") == "9")
        #expect(try attribute("ApproximateNumberOfMessagesNotVisible") == "1")
        #expect(try Self.outputs(of: "Flow", count: 1, at: server).count == 1)
        #expect(try Self.outputs(of: "Other", count: 1, at: server).count == 1)
        #expect(!server.log.contains("from the next start on"), "\(server.log)")
    }

    @Test("a topic of a project is there, and its state machine publishes to it")
    func topics() throws {
        let server = try Self.server(
            """
            const news = new cdk.aws_sns.Topic(stack, 'News');
            const tell = new cdk.aws_stepfunctions_tasks.SnsPublish(stack, 'Tell', {
              topic: news, message: sfn.TaskInput.fromText('told'), outputPath: '$.MessageId' });
            new sfn.StateMachine(stack, 'Flow', { definition: tell });
            """, in: TemporaryFolder())
        let ended = try WorkflowServeTests.end(
            of: try WorkflowServeTests.start("Flow", "x", "{}", at: server), at: server)
        #expect(ended["status"] == "SUCCEEDED", "\(ended) \(server.log)")
    }

    @Test("state machines that change are there at once, and executions under way end as they have begun")
    func watch() throws {
        func lines(_ seconds: Int, _ result: String) -> String {
            """
            const wait = new sfn.Wait(stack, 'Wait', { time: sfn.WaitTime.duration(Duration.seconds(\(seconds))) });
            const pass = new sfn.Pass(stack, 'Pass', { result: sfn.Result.fromString('\(result)') });
            new sfn.StateMachine(stack, 'Flow', { definition: wait.next(pass) });
            """
        }
        let folder = TemporaryFolder()
        let server = try Self.server(lines(4, "old"), ["--watch"], in: folder)
        func edit(_ lines: String, _ count: Int) throws {
            try folder.write(Self.backend(lines), to: "amplify/backend.part")
            _ = rename(folder.file("amplify/backend.part"), folder.file("amplify/backend.ts"))
            let held = "what it says holds"
            #expect(server.logs(held, times: count), "\(server.log)")
        }
        let old = try WorkflowServeTests.start("Flow", "old", "{}", at: server)
        // With another machine, which a rule starts that was not there before, and which is called.
        try edit(
            lines(0, "new") + "\nnew sfn.StateMachine(stack, 'Other', { definition: new sfn.Succeed(stack, 'S') });", 1)
        let new = try WorkflowServeTests.start("Flow", "new", "{}", at: server)
        #expect(try WorkflowServeTests.end(of: new, at: server)["output"] == #""new""#)
        let other = try WorkflowServeTests.start("Other", "o", "{}", at: server)
        #expect(try WorkflowServeTests.end(of: other, at: server)["status"] == "SUCCEEDED")
        #expect(try WorkflowServeTests.end(of: old, at: server)["output"] == #""old""#)
        // One that is gone cannot be started, and is still told of.
        try edit(lines(0, "newer"), 2)
        let gone = try WorkflowServeTests.call(
            "StartExecution", ["stateMachineArn": .string("\(WorkflowServeTests.space)stateMachine:Other")], to: server)
        #expect(gone.body["__type"]?.string?.hasSuffix("#StateMachineDoesNotExist") == true, "\(gone)")
        #expect(try WorkflowServeTests.end(of: other, at: server)["status"] == "SUCCEEDED")
    }

    @Test("a server has so many state machines, and says which it leaves out")
    func machinesMax() throws {
        let text = Self.text(#"{"StartAt": "p", "States": {"p": {"Type": "Succeed"}}}"#)
        let machines = (1...1_001).map { #""m\#(10_000 + $0)": {"text": \#(text)}"# }
        let folder = TemporaryFolder()
        try folder.write(
            #"{"stateMachines": {\#(machines.joined(separator: ", "))}}"#, to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
        #expect(
            server.logs("the state machine m11001 is left out: there are 1000 already"),
            "\(server.log)")
        #expect(server.log.components(separatedBy: "is left out").count == 2)
        let last = try WorkflowServeTests.start("m11000", "x", "{}", at: server)
        #expect(try WorkflowServeTests.end(of: last, at: server)["status"] == "SUCCEEDED")
        let beyond = try WorkflowServeTests.call(
            "StartExecution", ["stateMachineArn": .string("\(WorkflowServeTests.space)stateMachine:m11001")], to: server
        )
        #expect(beyond.body["__type"]?.string?.hasSuffix("#StateMachineDoesNotExist") == true, "\(beyond)")
    }
}
