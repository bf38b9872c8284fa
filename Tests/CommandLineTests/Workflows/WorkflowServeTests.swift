import Foundation
import JSON
import TestSupport
import Testing

/// State machines through real sockets, signed, with real functions.
@Suite("Workflows over HTTP")
struct WorkflowServeTests {
    private static let program = HomeportProcess.program(named: "test-runtime")
    static let space = "arn:aws:states:us-east-1:123456789012:"

    static func call(
        _ operation: String, _ body: JSONValue, to server: HomeportProcess
    ) throws -> (status: Int, body: JSONValue) {
        var call = SignedCall(operation, JSONWriter.text(of: body), to: server)
        (call.api, call.service) = ("AWSStepFunctions", "states")
        let answer = try call.answer(from: server)
        return (answer.status, try JSONReader.value(of: answer.body))
    }

    private static let function = "arn:aws:lambda:us-east-1:123456789012:function:say"
    private static let chain = #"""
        {"StartAt": "one", "States": {
          "one": {"Type": "Task", "Resource": "\#(function)", "Parameters": {"do": "echo", "n.$": "$.n"}, "ResultPath": "$.one", "Next": "two"},
          "two": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": "${FUNCTION}", "Payload": {"do": "echo", "more.$": "$.one"}}, "OutputPath": "$.Payload", "Next": "send"},
          "send": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage",
            "Parameters": {"QueueUrl": "http://127.0.0.1/123456789012/jobs", "MessageBody.$": "$"}, "ResultPath": null, "End": true}}}
        """#
    private static let wait = #"{"StartAt": "w", "States": {"w": {"Type": "Wait", "SecondsPath": "$.s", "End": true}}}"#
    private static let quick =
        #"{"StartAt": "p", "States": {"p": {"Type": "Pass", "Parameters": {"v.$": "States.MathAdd($.v, 1)"}, "End": true}}}"#
    private static let parent =
        #"{"StartAt": "s", "States": {"s": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2", "Parameters": {"StateMachineArn": "\#(space)stateMachine:quick", "Input": {"v": 4}}, "OutputPath": "$.Output", "End": true}}}"#
    private static let token =
        #"{"StartAt": "t", "States": {"t": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Parameters": {"QueueUrl": "http://127.0.0.1/123456789012/tokens", "MessageBody.$": "$$.Task.Token"}, "End": true}}}"#

    private static func server(_ command: String = "serve", in folder: TemporaryFolder = TemporaryFolder()) throws
        -> HomeportProcess
    {
        try folder.write(chain, to: "chain.asl.json")
        func text(_ definition: String) -> String { JSONWriter.text(of: .string(definition)) }
        try folder.write(
            #"""
            {"functions": {"say": {"command": ["\#(program)", "\#(command)"], "timeout": 20}},
             "queues": {"jobs": {}, "tokens": {}},
             "events": {"rules": {"go": {"pattern": "{\"source\": [\"till\"]}", "targets": [{"stateMachine": "quick", "inputPath": "$.detail"}]}}},
             "stateMachines": {
               "chain": {"definition": "chain.asl.json", "substitutions": {"FUNCTION": "say"}},
               "wait": {"text": \#(text(wait))}, "quick": {"text": \#(text(quick))}, "parent": {"text": \#(text(parent))},
               "token": {"text": \#(text(token))}, "fast": {"text": \#(text(quick)), "type": "EXPRESS"}, "bad": {"text": "{}"}}}
            """#, to: "homeport.json")
        return try HomeportProcess(["--config", "homeport.json"], in: folder)
    }

    static func start(_ machine: String, _ name: String, _ input: String, at server: HomeportProcess) throws
        -> String
    {
        let answer = try call(
            "StartExecution",
            [
                "stateMachineArn": .string("\(space)stateMachine:\(machine)"), "name": .string(name),
                "input": .string(input),
            ], to: server)
        return try #require(answer.body["executionArn"]?.string, "\(answer)")
    }

    /// Waits until an execution is no longer under way.
    static func end(of arn: String, at server: HomeportProcess) throws -> JSONValue {
        var answer = JSONValue.null
        try eventually("the execution \(arn) has ended: \(answer)") {
            answer = try call("DescribeExecution", ["executionArn": .string(arn)], to: server).body
            return answer["status"] != "RUNNING"
        }
        return answer
    }

    /// Waits until the history of an execution has an event of a type.
    private static func entered(_ type: String, _ arn: String, at server: HomeportProcess) throws {
        try eventually("\(arn) has \(type)") {
            let history = try call("GetExecutionHistory", ["executionArn": .string(arn)], to: server).body
            return history["events"]?.array?.contains { $0["type"]?.string == type } ?? false
        }
    }

    @Test("functions in a chain end in a message, and the history tells of each")
    func chains() throws {
        let server = try Self.server()
        let arn = try Self.start("chain", "first", #"{"n": 3}"#, at: server)
        let ended = try Self.end(of: arn, at: server)
        #expect(ended["status"] == "SUCCEEDED", "\(ended)")
        let output = try JSONReader.value(of: ended["output"]?.string ?? "null")
        #expect(output["event"]?["more"]?["event"]?["n"] == 3, "\(ended)")
        #expect(try server.bodies(of: "jobs", wait: 5).count == 1)
        let history = try Self.call("GetExecutionHistory", ["executionArn": .string(arn)], to: server).body
        let types = history["events"]?.array?.compactMap { $0["type"]?.string } ?? []
        #expect(
            types.first == "ExecutionStarted" && types.last == "ExecutionSucceeded"
                && types.contains("LambdaFunctionSucceeded"))
        let page = try Self.call(
            "GetExecutionHistory", ["executionArn": .string(arn), "maxResults": 2, "reverseOrder": true], to: server
        ).body
        #expect(page["events"]?.array?.count == 2 && page["nextToken"] != nil)
    }

    @Test("what waits and what is asked goes on after a kill")
    func survives() throws {
        let folder = TemporaryFolder()
        var server = try Self.server("hang", in: folder)
        let waiting = try Self.start("wait", "w", #"{"s": 3}"#, at: server)
        let asking = try Self.start("chain", "c", #"{"n": 1}"#, at: server)
        try Self.entered("WaitStateEntered", waiting, at: server)
        try Self.entered("LambdaFunctionScheduled", asking, at: server)
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try Self.server("serve", in: folder)
        #expect(try Self.end(of: asking, at: server)["status"] == "SUCCEEDED")
        #expect(try Self.end(of: waiting, at: server)["status"] == "SUCCEEDED")
    }

    @Test("executions start others, wait for tokens and are started by events; those of EXPRESS answer at once")
    func integrations() throws {
        let server = try Self.server()
        #expect(try Self.end(of: try Self.start("parent", "p", "{}", at: server), at: server)["output"] == #"{"v":5}"#)
        let waiting = try Self.start("token", "t", "{}", at: server)
        let token = try #require(try server.bodies(of: "tokens", wait: 5).first)
        #expect(try Self.call("SendTaskHeartbeat", ["taskToken": .string(token)], to: server).status == 200)
        #expect(
            try Self.call("SendTaskSuccess", ["taskToken": .string(token), "output": "7"], to: server).status == 200)
        #expect(try Self.end(of: waiting, at: server)["output"] == "7")
        #expect(
            try Self.call("SendTaskFailure", ["taskToken": .string(token)], to: server).body["__type"]?.string?
                .hasSuffix("#TaskTimedOut") == true)
        let fast = try Self.call(
            "StartSyncExecution",
            ["stateMachineArn": .string("\(Self.space)stateMachine:fast"), "input": #"{"v": 1}"#], to: server)
        #expect(fast.body["status"] == "SUCCEEDED" && fast.body["output"] == #"{"v":2}"#, "\(fast)")
        var put = SignedCall(
            "PutEvents", #"{"Entries": [{"Source": "till", "DetailType": "t", "Detail": "{\"v\": 8}"}]}"#, to: server)
        (put.api, put.service) = ("AWSEvents", "events")
        #expect(try put.answer(from: server).status == 200)
        var outputs: [JSONValue] = []
        try eventually("two executions have succeeded: \(outputs)") {
            let list = try Self.call(
                "ListExecutions",
                ["stateMachineArn": .string("\(Self.space)stateMachine:quick"), "statusFilter": "SUCCEEDED"], to: server
            )
            outputs = list.body["executions"]?.array ?? []
            return outputs.count >= 2
        }
        #expect(outputs.count == 2)
    }

    @Test("a machine of the CDK's constructs calls the project's functions, which know its ARN")
    func projects() throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({ Todo: a.model({ content: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
            export const data = defineData({
              schema, authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: {} } });
            """, to: "amplify/data/resource.ts")
        try folder.write(
            """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { data } from './data/resource';
            import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
            import { DynamoPutItem, DynamoAttributeValue, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
            const backend = defineBackend({ data, say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('flows');
            const read = new LambdaInvoke(stack, 'Read', {
              lambdaFunction: backend.say.resources.lambda, outputPath: '$.Payload.MACHINE',
              payload: sfn.TaskInput.fromObject({ do: 'variables' }) });
            const item = (id) => ({ id: DynamoAttributeValue.fromString(id), __typename: DynamoAttributeValue.fromString('Todo'),
              createdAt: DynamoAttributeValue.fromString('2027-01-01T00:00:00.000Z'),
              updatedAt: DynamoAttributeValue.fromString('2027-01-01T00:00:00.000Z'),
              content: DynamoAttributeValue.fromString(sfn.JsonPath.stringAt('$')) });
            const put = new DynamoPutItem(stack, 'Put', {
              table: backend.data.resources.tables.Todo, item: item('t1'), resultPath: sfn.JsonPath.DISCARD });
            const machine = new sfn.StateMachine(stack, 'Order', { definitionBody: sfn.DefinitionBody.fromChainable(read.next(put)) });
            machine.grantStartExecution(backend.say.resources.lambda);
            backend.say.addEnvironment('MACHINE', machine.stateMachineArn);
            """, to: "amplify/backend.ts")
        try folder.write(
            #"{"functions": {"say": {"command": ["\#(Self.program)", "serve"], "timeout": 20}}}"#, to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
        let ended = try Self.end(of: try Self.start("Order", "o", "{}", at: server), at: server)
        #expect(ended["status"] == "SUCCEEDED", "\(ended) \(server.log)")
        #expect(ended["output"]?.string == "\"\(Self.space)stateMachine:Order\"", "\(ended)")
    }

    @Test("the same again is the same; what is wrong is told in the words of the service")
    func refusals() throws {
        let server = try Self.server()
        #expect(server.logs("the state machine bad is left out"))
        let arn = try Self.start("wait", "w", #"{"s": 600}"#, at: server)
        #expect(try Self.start("wait", "w", #"{"s": 600}"#, at: server) == arn)
        let machine = JSONValue.string("\(Self.space)stateMachine:wait")
        let large = String(repeating: "x", count: 262_144)
        let rows: [(String, JSONValue, String)] = [
            ("StartExecution", ["stateMachineArn": machine, "name": "w", "input": "{}"], "ExecutionAlreadyExists"),
            ("StartExecution", ["stateMachineArn": machine, "input": "{"], "InvalidExecutionInput"),
            ("StartExecution", ["stateMachineArn": machine, "input": .string("\"\(large)\"")], "ValidationException"),
            ("StartExecution", ["stateMachineArn": machine, "name": "a b"], "InvalidName"),
            ("StartExecution", ["stateMachineArn": "no"], "StateMachineDoesNotExist"),
            ("StartExecution", [:], "ValidationException"),
            (
                "StartExecution", ["stateMachineArn": .string("\(Self.space)stateMachine:none")],
                "StateMachineDoesNotExist"
            ),
            ("StartExecution", ["stateMachineArn": .string("\(Self.space)activity:x")], "InvalidArn"),
            ("StartSyncExecution", ["stateMachineArn": machine], "StateMachineTypeNotSupported"),
            (
                "ListExecutions", ["stateMachineArn": .string("\(Self.space)stateMachine:fast")],
                "StateMachineTypeNotSupported"
            ),
            (
                "DescribeExecution", ["executionArn": .string("\(Self.space)execution:wait:none")],
                "ExecutionDoesNotExist"
            ),
            ("DescribeExecution", ["executionArn": "arn:x"], "InvalidArn"),
            ("CreateStateMachine", [:], "UnknownOperationException"),
            ("SendTaskSuccess", ["taskToken": "x", "output": "1"], "InvalidToken"),
        ]
        for (operation, body, type) in rows {
            let answer = try Self.call(operation, body, to: server)
            #expect(
                answer.status == 400 && answer.body["__type"]?.string?.hasSuffix("#\(type)") == true,
                "\(operation) \(type): \(answer)")
        }
        #expect(try Self.call("StopExecution", ["executionArn": .string(arn), "error": "E"], to: server).status == 200)
        let stopped = try Self.end(of: arn, at: server)
        #expect(stopped["status"] == "ABORTED" && stopped["error"] == "E")
        let machines = try Self.call("ListStateMachines", [:], to: server).body["stateMachines"]?.array ?? []
        #expect(machines.map { $0["name"] } == ["chain", "fast", "parent", "quick", "token", "wait"])
        let described = try Self.call("DescribeStateMachine", ["stateMachineArn": machine], to: server).body
        #expect(described["definition"]?.string == Self.wait && described["type"] == "STANDARD")
        var foreign = SignedCall("ListStateMachines", "{}", to: server)
        (foreign.api, foreign.service, foreign.secret) = ("AWSStepFunctions", "states", "x")
        #expect(try foreign.answer(from: server).body.contains("InvalidSignatureException"))
    }
}
