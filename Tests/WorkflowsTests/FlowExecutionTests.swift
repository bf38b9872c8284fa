import JSON
import TestSupport
import Testing

@testable import Workflows

@Suite("Executions of state machines")
struct FlowExecutionTests {
    @Test(
        "states make their output of their input as the language says",
        arguments: [
            (#"{"Type": "Pass", "End": true}"#, #"{"x":1}"#),
            (#"{"Type": "Pass", "Result": 2, "ResultPath": "$.y.z", "End": true}"#, #"{"x":1,"y":{"z":2}}"#),
            (#"{"Type": "Pass", "Result": 2, "ResultPath": null, "End": true}"#, #"{"x":1}"#),
            (
                #"{"Type": "Pass", "Parameters": {"v.$": "$.x", "n.$": "$$.Execution.Name"}, "End": true}"#,
                #"{"v":1,"n":"run"}"#
            ),
            (#"{"Type": "Pass", "InputPath": "$.x", "End": true}"#, "1"),
            (#"{"Type": "Pass", "OutputPath": "$.x", "End": true}"#, "1"),
            (#"{"Type": "Pass", "InputPath": null, "End": true}"#, "{}"),
            (#"{"Type": "Succeed", "OutputPath": "$.x"}"#, "1"),
            (#"{"Type": "Wait", "Seconds": 0, "End": true}"#, #"{"x":1}"#),
            (
                #"{"Type": "Parallel", "Branches": [{"StartAt": "b", "States": {"b": {"Type": "Pass", "Result": 5, "End": true}}}, {"StartAt": "c", "States": {"c": {"Type": "Pass", "InputPath": "$.x", "End": true}}}], "ResultSelector": {"both.$": "$"}, "ResultPath": "$.r", "End": true}"#,
                #"{"x":1,"r":{"both":[5,1]}}"#
            ),
            (
                #"{"Type": "Map", "ItemsPath": "$$.Execution.Input.none", "ItemProcessor": {"StartAt": "b", "States": {"b": {"Type": "Pass", "End": true}}}, "End": true}"#,
                nil
            ),
        ])
    func data(state: String, expected: String?) throws {
        let run = try FlowRun(FlowRun.machine("\"a\": \(state)"), input: #"{"x": 1}"#)
        #expect(run.output == expected, "\(String(describing: run.execution.fault))")
        #expect(run.execution.status == (expected == nil ? .failed : .succeeded))
    }

    @Test("a task asks with its parameters, and its result goes where it says")
    func task() throws {
        var run = try FlowRun(
            FlowRun.task(
                #""Parameters": {"n.$": "$.x"}, "ResultSelector": {"v.$": "$.out"}, "ResultPath": "$.r", "End": true"#),
            input: #"{"x": 1}"#)
        #expect(run.calls.map { JSONWriter.text(of: $0.input) } == [#"{"n":1}"#])
        run.answer(0, .success(["out": 9]))
        #expect(run.output == #"{"x":1,"r":{"v":9}}"#)
        let types = run.events.map(\.type)
        #expect(
            types == [
                "ExecutionStarted", "TaskStateEntered", "LambdaFunctionScheduled", "LambdaFunctionStarted",
                "LambdaFunctionSucceeded", "TaskStateExited", "ExecutionSucceeded",
            ])
        #expect(run.events.map(\.number) == Array(1...7) && run.events.map(\.previous) == [0, 0, 2, 3, 4, 5, 6])
    }

    @Test("a task of a service says in its history where and for how long it asks")
    func scheduled() throws {
        let run = try FlowRun(
            FlowRun.machine(
                #""a": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:dynamodb:query.waitForTaskToken", "TimeoutSeconds": 9, "HeartbeatSeconds": 3, "End": true}"#
            ))
        let details = run.events.suffix(2).compactMap { $0.details?.value }
        for (name, value) in [("resourceType", "aws-sdk:dynamodb"), ("resource", "query.waitForTaskToken")] {
            #expect(details.first?[name]?.string == value && details.last?[name]?.string == value)
        }
        #expect(details.first?["timeoutInSeconds"] == 9 && details.first?["heartbeatInSeconds"] == 3)
        #expect(details.first?["region"] != nil)
    }

    @Test("a task is tried again after growing times, then its error is caught")
    func retries() throws {
        var run = try FlowRun(
            FlowRun.machine(
                #"""
                "a": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true,
                  "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 2, "BackoffRate": 3, "MaxAttempts": 3, "MaxDelaySeconds": 10}],
                  "Catch": [{"ErrorEquals": ["States.TaskFailed"], "ResultPath": "$.error", "Next": "b"}]},
                "b": {"Type": "Pass", "End": true}
                """#), input: #"{"x": 1}"#)
        for delay: Int64 in [2_000, 6_000, 10_000] {
            run.fail("E")
            #expect(run.sleep == delay && run.calls.isEmpty)
            run.pass(delay - 1)
            #expect(run.calls.isEmpty)
            run.pass(1)
            #expect(run.calls.count == 1)
        }
        run.fail("E")
        #expect(run.output == #"{"x":1,"error":{"Error":"E","Cause":"why"}}"#)
    }

    @Test("jitter takes a part of the time, and what no rule is for fails the whole")
    func jitter() throws {
        var run = try FlowRun(
            FlowRun.task(
                #""End": true, "Retry": [{"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 4, "JitterStrategy": "FULL"}], "TimeoutSeconds": 3"#
            ))
        run.pass(3_000)
        #expect(run.sleep == 2_000)
        run.pass(2_000)
        #expect(run.calls.count == 1)
        run.fail("Other")
        #expect(run.execution.status == .failed && run.execution.fault == FlowFault("Other", "why"))
    }

    @Test(
        "rules are met by the errors that they name",
        arguments: [
            ("E", ["States.ALL"], true), ("E", ["F", "E"], true), ("E", ["States.TaskFailed"], true),
            ("States.Timeout", ["States.TaskFailed"], false), ("States.HeartbeatTimeout", ["States.Timeout"], true),
            ("States.Runtime", ["States.ALL"], false), ("States.Runtime", ["States.Runtime"], false),
            ("States.DataLimitExceeded", ["States.ALL"], false),
            ("States.DataLimitExceeded", ["States.DataLimitExceeded"], true),
        ])
    func errors(error: String, names: [String], isMet: Bool) { #expect(FlowFault(error, "").isMet(by: names) == isMet) }

    @Test("a fault has no U+0000, which not every database keeps")
    func zero() {
        let fault = FlowFault("E\0", "a\0\0b")
        #expect(fault.error == "E\u{FFFD}" && fault.cause == "a\u{FFFD}\u{FFFD}b")
    }

    @Test("a wait is over at its time, after a restart too")
    func waits() throws {
        for (fields, milliseconds) in [
            (#""Seconds": 3600"#, Int64(3_600_000)), (#""SecondsPath": "$.s""#, 60_000),
            (#""Timestamp": "1970-01-01T00:20:00Z""#, 200_000), (#""TimestampPath": "$.t""#, 200_500),
        ] {
            var run = try FlowRun(
                FlowRun.machine(#""a": {"Type": "Wait", \#(fields), "End": true}"#),
                input: #"{"s": 60, "t": "1970-01-01T00:20:00.500Z"}"#)
            run.restart()
            #expect(run.sleep == milliseconds, "\(fields)")
            run.pass(milliseconds - 1)
            #expect(run.execution.isRunning)
            run.pass(1)
            #expect(run.execution.status == .succeeded)
        }
    }

    @Test("elements of a Map are as many at a time as it says, in their order, over a restart too")
    func maps() throws {
        var run = try FlowRun(
            FlowRun.machine(
                #"""
                "a": {"Type": "Map", "ItemsPath": "$.all", "MaxConcurrency": 2, "End": true,
                  "ItemSelector": {"v.$": "$$.Map.Item.Value", "i.$": "$$.Map.Item.Index", "k.$": "$.k"},
                  "ItemProcessor": {"StartAt": "b", "States": {"b": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true}}}}
                """#), input: #"{"all": ["x", "y", "z"], "k": 7}"#)
        #expect(
            run.calls.map { JSONWriter.text(of: $0.input) } == [#"{"v":"x","i":0,"k":7}"#, #"{"v":"y","i":1,"k":7}"#])
        run.answer(1, .success("Y"))
        run.restart()
        #expect(run.calls.count == 2)
        run.answer(0, .success("X"))
        run.answer(0, .success("Z"))
        #expect(run.output == #"["X","Y","Z"]"#)
    }

    @Test("an error of one branch ends the others, and is caught around them")
    func branches() throws {
        let branch =
            #"{"StartAt": "b", "States": {"b": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true}}}"#
        var run = try FlowRun(
            FlowRun.machine(
                #"""
                "a": {"Type": "Parallel", "Branches": [\#(branch), \#(branch)], "End": true,
                  "Catch": [{"ErrorEquals": ["E"], "Next": "c"}]}, "c": {"Type": "Pass", "End": true}
                """#))
        run.fail("E")
        #expect(run.output == #"{"Error":"E","Cause":"why"}"#)
        #expect(run.execution.branches.isEmpty && run.execution.results.isEmpty)
    }

    @Test("a task that waits for its token ends by it alone, and beats in time")
    func tokens() throws {
        var run = try FlowRun(
            FlowRun.machine(
                #"""
                "a": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "HeartbeatSeconds": 10,
                  "Parameters": {"MessageBody": {"token.$": "$$.Task.Token"}}, "End": true}
                """#))
        let token = try #require(run.calls.first?.input["MessageBody"]?["token"]?.string)
        let parsed = try #require(FlowToken(token))
        run.answer(0, .success(["MessageId": "1"]))
        run.pass(9_000)
        let isAlive = run.execution.report(branch: parsed.branch, secret: parsed.secret, .alive, at: run.now)
        #expect(isAlive)
        run.pass(9_000)
        run.restart()
        #expect(run.calls.isEmpty, "what has answered is not asked again")
        let isForged = run.execution.report(branch: parsed.branch, secret: "other", .succeeded(1), at: run.now)
        #expect(!isForged)
        let isKnown = run.execution.report(branch: parsed.branch, secret: parsed.secret, .succeeded(5), at: run.now)
        #expect(isKnown)
        #expect(run.output == "5")
        var late = try FlowRun(FlowRun.task(#""HeartbeatSeconds": 10, "End": true"#))
        late.pass(10_000)
        #expect(late.execution.fault?.error == "States.Timeout")
        for name in ["States.HeartbeatTimeout", "States.Timeout", "States.ALL"] {
            var caught = try FlowRun(
                FlowRun.machine(
                    #"""
                    "a": {"Type": "Task", "Resource": "\#(FlowRun.function)", "HeartbeatSeconds": 10,
                      "Catch": [{"ErrorEquals": ["\#(name)"], "Next": "b"}], "End": true}, "b": {"Type": "Pass", "End": true}
                    """#))
            caught.pass(10_000)
            #expect(caught.execution.status == .succeeded)
            #expect(caught.execution.output?["Error"] == "States.Timeout")
        }
    }

    @Test("what is asked when a process ends is asked again, and an old answer means nothing")
    func asksAgain() throws {
        var run = try FlowRun(FlowRun.task(#""End": true"#))
        let first = try #require(run.calls.first)
        run.restart()
        #expect(run.calls.map(\.attempt) == [first.attempt] && run.calls.map(\.name) == [first.name])
        run.execution.answer(branch: first.branch, attempt: first.attempt + 1, .success(1), at: run.now)
        #expect(run.execution.isRunning)
    }

    @Test("an execution ends when its time is over, when it is stopped, and when it goes round for ever")
    func ends() throws {
        var late = try FlowRun(
            #"{"StartAt": "a", "TimeoutSeconds": 5, "States": {"a": {"Type": "Wait", "Seconds": 60, "End": true}}}"#)
        #expect(late.sleep == 5_000)
        late.pass(5_000)
        #expect(late.execution.status == .timedOut)
        var stopped = try FlowRun(FlowRun.task(#""End": true"#))
        stopped.execution.stop(FlowFault("E", "c"), at: stopped.now)
        #expect(stopped.execution.status == .aborted && stopped.execution.branches.isEmpty)
        let round = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Pass", "Next": "b"}, "b": {"Type": "Pass", "Next": "a"}"#))
        #expect(round.execution.fault?.cause.contains("25000") == true)
        var express = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Wait", "Seconds": 900, "End": true}"#), isExpress: true)
        express.pass(WorkflowLimits.expressMilliseconds)
        #expect(express.execution.status == .timedOut)
    }

    @Test("what grows beyond the limits fails with an error that says so")
    func limits() throws {
        let double = try FlowRun(
            FlowRun.machine(
                #""a": {"Type": "Pass", "Parameters": {"x.$": "$", "y.$": "$"}, "Next": "b"}, "b": {"Type": "Pass", "Next": "a"}"#
            ),
            input: #"{"long": "text that is long"}"#)
        #expect(double.execution.fault?.error == "States.DataLimitExceeded")
        let deep = try FlowRun(
            FlowRun.machine(
                #""a": {"Type": "Pass", "Parameters": {"x.$": "$"}, "Next": "b"}, "b": {"Type": "Pass", "Next": "a"}"#))
        #expect(deep.execution.fault?.error == "States.DataLimitExceeded")
        let list = "[" + Array(repeating: "1", count: 60).joined(separator: ",") + "]"
        let wait = #"{"StartAt": "w", "States": {"w": {"Type": "Wait", "Seconds": 9, "End": true}}}"#
        let inner =
            #"{"StartAt": "m", "States": {"m": {"Type": "Map", "ItemsPath": "$$.Execution.Input", "ItemProcessor": \#(wait), "End": true}}}"#
        let wide = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Map", "ItemProcessor": \#(inner), "End": true}"#), input: list)
        #expect(wide.execution.isRunning && wide.execution.branches.count == 1 + 40 + 1_600)
        let all = "[" + Array(repeating: inner, count: 60).joined(separator: ",") + "]"
        let wider = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Parallel", "Branches": \#(all), "End": true}"#), input: list)
        #expect(wider.execution.fault?.cause.contains("\(WorkflowLimits.branchesMax)") == true)
    }

    @Test("a resource that nobody here has is named")
    func resources() throws {
        let run = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:glue:getJobs", "End": true}"#)
        )
        #expect(run.execution.fault?.cause.contains("arn:aws:states:::aws-sdk:glue:getJobs") == true)
    }

    @Test(
        "a definition that cannot be is refused with its place",
        arguments: [
            ("[]", "/"), ("{", "/"), (#"{"StartAt": "a", "States": {}}"#, "/"),
            (FlowRun.machine(#""b": {"Type": "Succeed"}"#), "/StartAt"),
            (FlowRun.machine(#""a": {"Type": "Pass", "Next": "x"}"#), "/States/a"),
            (FlowRun.machine(#""a": {"Type": "Pass"}"#), "/States/a"),
            (FlowRun.machine(#""a": {"Type": "None", "End": true}"#), "/States/a"),
            (
                FlowRun.machine(#""a": {"Type": "Pass", "QueryLanguage": "SQL", "End": true}"#),
                "/States/a/QueryLanguage"
            ),
            (FlowRun.machine(#""a": {"Type": "Pass", "Assign": [], "End": true}"#), "/States/a"),
            (FlowRun.machine(#""a": {"Type": "Pass", "Assign": {"1x": 1}, "End": true}"#), "/States/a/Assign"),
            (
                FlowRun.machine(#""a": {"Type": "Pass", "Parameters": {"x.$": "y"}, "End": true}"#),
                "/States/a/Parameters/x.$"
            ),
            (FlowRun.machine(#""a": {"Type": "Pass", "ResultPath": "$.a[*]", "End": true}"#), "/States/a"),
            (FlowRun.machine(#""a": {"Type": "Wait", "Seconds": 1, "Timestamp": "x", "End": true}"#), "/States/a"),
            (FlowRun.machine(#""a": {"Type": "Choice", "Choices": []}"#), "/States/a"),
            (
                FlowRun.machine(
                    #""a": {"Type": "Choice", "Choices": [{"Variable": "$.x", "NumericEquals": "1", "Next": "a"}]}"#),
                "/States/a/Choices[0]"
            ),
            (FlowRun.task(#""Retry": [{"ErrorEquals": ["States.ALL", "E"]}], "End": true"#), "/States/a/Retry[0]"),
            (FlowRun.task(#""Catch": [{"ErrorEquals": ["E"], "Next": "x"}], "End": true"#), "/States/a"),
            (#"{"QueryLanguage": "SQL", "StartAt": "a", "States": {"a": {"Type": "Succeed"}}}"#, "/QueryLanguage"),
            (
                FlowRun.machine(#""a": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:query", "End": true}"#),
                "/States/a/Resource"
            ),
            (
                FlowRun.machine(
                    #""a": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:putItem.sync", "End": true}"#),
                "/States/a/Resource"
            ),
        ])
    func refusals(text: String, place: String) {
        do throws(FlowRefusal) {
            _ = try FlowReader.definition(of: text)
            Issue.record("it is read")
        } catch {
            #expect(error.text.hasSuffix(" at \(place)"), "\(error.text)")
        }
    }

    @Test(
        "tasks of a machine of the type EXPRESS wait for answers alone",
        arguments: [
            ("sqs:sendMessage", true), ("sqs:sendMessage.waitForTaskToken", false), ("states:startExecution", true),
            ("states:startExecution.sync", false), ("states:startExecution.sync:2", false),
        ])
    func express(resource: String, isGood: Bool) {
        let text = FlowRun.machine(
            #""a": {"Type": "Task", "Resource": "arn:aws:states:::\#(resource)", "End": true}"#)
        #expect(throws: Never.self) { try FlowReader.definition(of: text) }
        do throws(FlowRefusal) {
            _ = try FlowReader.definition(of: text, isExpress: true)
            #expect(isGood)
        } catch {
            #expect(
                !isGood && error.text.hasPrefix("Express state machine does not support '.")
                    && error.place == "/States/a/Resource")
        }
    }

    @Test("definitions are bounded: their bytes, their nesting, their states")
    func definitionLimits() {
        func nested(_ depth: Int) -> String {
            depth == 0
                ? #"{"StartAt": "a", "States": {"a": {"Type": "Succeed"}}}"#
                : #"{"StartAt": "a", "States": {"a": {"Type": "Parallel", "Branches": [\#(nested(depth - 1))], "End": true}}}"#
        }
        #expect(throws: Never.self) { try FlowReader.definition(of: nested(9)) }
        #expect(throws: FlowRefusal.self) { try FlowReader.definition(of: nested(10)) }
        let many = (0...WorkflowLimits.statesMax).map { #""s\#($0)":{"Type":"Succeed"}"# }.joined(separator: ",")
        #expect(throws: FlowRefusal.self) { try FlowReader.definition(of: #"{"StartAt":"s1","States":{\#(many)}}"#) }
        let long =
            #"{"StartAt":"a","States":{"a":{"Type":"Succeed"}},"Comment":""# + String(repeating: "x", count: 1 << 20)
            + #""}"#
        #expect(throws: FlowRefusal.self) { try FlowReader.definition(of: long) }
    }
}

@Suite("Random state machines")
struct WorkflowFuzzTests {
    private static let pieces = [
        #"{"Type": "Pass", "Next": "N"}"#, #"{"Type": "Pass", "Result": {"x": 1}, "ResultPath": "$.r", "Next": "N"}"#,
        #"{"Type": "Pass", "Parameters": {"x.$": "$", "y.$": "States.Array($, 1)"}, "Next": "N"}"#,
        #"{"Type": "Wait", "Seconds": 5, "Next": "N"}"#,
        #"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "N"}], "Default": "M"}"#,
        #"{"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "Retry": [{"ErrorEquals": ["States.ALL"], "MaxAttempts": 1}], "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "M"}], "Next": "N"}"#,
        #"{"Type": "Parallel", "Branches": [I, I], "Next": "N"}"#,
        #"{"Type": "Map", "ItemsPath": "$..x", "MaxConcurrency": 2, "ItemProcessor": I, "Catch": [{"ErrorEquals": ["E"], "Next": "M"}], "End": true}"#,
        #"{"Type": "Succeed"}"#, #"{"Type": "Fail", "Error": "E"}"#,
        #"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "End": true}"#,
    ]

    private static func machine(_ depth: Int, _ random: inout SeededRandom) -> String {
        let count = Int.random(in: 1...5, using: &random)
        var states: [String] = []
        for number in 0..<count {
            var piece = pieces[Int.random(in: 0..<(depth > 2 ? 6 : pieces.count), using: &random)]
            for mark in ["\"N\"", "\"M\""] {
                piece = piece.replacing(mark, with: "\"s\(Int.random(in: 0..<count, using: &random))\"")
            }
            while piece.contains("I,") || piece.contains("I]"),
                let range = piece.firstRange(of: " I") ?? piece.firstRange(of: "[I")
            {
                let lead = piece[range].first.map { String($0) } ?? ""
                piece.replaceSubrange(range, with: lead + machine(depth + 1, &random))
            }
            states.append("\"s\(number)\": \(piece)")
        }
        return #"{"StartAt": "s0", "States": {\#(states.joined(separator: ", "))}}"#
    }

    @Test("whatever happens to it, an execution ends or waits, and holds nothing when it has ended")
    func fuzzExecutions() throws {
        var random = SeededRandom(test: "WorkflowFuzzTests/fuzzExecutions")
        for _ in 0..<Fuzz.rounds(ordinarily: 10) {
            let text = Self.machine(0, &random)
            guard var run = try? FlowRun(text, input: #"{"x": [1, {"x": 2}]}"#) else { continue }
            for _ in 0..<60 where run.execution.isRunning {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: run.pass(5_000)
                case 1: run.restart()
                case 2: run.fail("E")
                default:
                    if run.calls.isEmpty { run.pass(1_000) }
                    run.answer(Int.random(in: 0..<max(run.calls.count, 1), using: &random), .success(["x": [1]]))
                }
                let execution = run.execution
                #expect(!execution.isRunning || execution.due != nil || execution.callCount > 0, "it is stuck: \(text)")
                #expect(
                    execution.branches.values.allSatisfy { $0.parent.map { execution.branches[$0] != nil } ?? true })
            }
            if !run.execution.isRunning { #expect(run.execution.branches.isEmpty && run.execution.results.isEmpty) }
        }
    }

    @Test("a damaged definition is read or refused with a reason")
    func fuzzDefinitions() {
        var random = SeededRandom(test: "WorkflowFuzzTests/fuzzDefinitions")
        for _ in 0..<Fuzz.rounds(ordinarily: 300) {
            var bytes = Array(Self.machine(1, &random).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            do throws(FlowRefusal) {
                _ = try FlowReader.definition(of: String(decoding: bytes, as: UTF8.self))
            } catch {
                #expect(!error.message.isEmpty)
            }
            let text = String(decoding: bytes.prefix(40), as: UTF8.self)
            _ = FlowPath("$" + text)
            _ = FlowExpression("States.Format('" + text)
        }
    }

    @Test("a history keeps so much data, and the events behind are there without")
    func historyBytes() throws {
        // Each turn writes its input and its output down.
        let text = String(repeating: "x", count: 250_000)
        let turns = Int(WorkflowLimits.historyBytesMax) / (2 * text.utf8.count) + 2
        let states = (0..<turns).map {
            #""s\#($0)": {"Type": "Pass", \#($0 + 1 == turns ? #""End": true"# : #""Next": "s\#($0 + 1)""#)}"#
        }
        let run = try FlowRun(
            #"{"StartAt": "s0", "States": {\#(states.joined(separator: ","))}}"#, input: "\"\(text)\"")
        #expect(run.execution.status == .succeeded && run.output == "\"\(text)\"")
        #expect(run.execution.historyBytes <= WorkflowLimits.historyBytesMax)
        #expect(run.execution.historyBytes > WorkflowLimits.historyBytesMax - 250_002)
        #expect(run.events.count == 2 * turns + 2)
        let first = run.events.first { $0.type == "PassStateEntered" }?.details?.value
        #expect(first?["input"]?.string?.utf8.count == 250_002 && first?["inputDetails"] == ["truncated": false])
        let last = run.events.last { $0.type == "PassStateExited" }?.details?.value
        #expect(last?["output"] == nil && last?["outputDetails"] == ["truncated": true] && last?["name"] != nil)
    }
}
