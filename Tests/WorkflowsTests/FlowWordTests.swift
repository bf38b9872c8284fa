import JSON
import Testing

@testable import Workflows

@Suite("Executions fail in the service's words")
struct FlowWordTests {
    private static let start = "An error occurred while executing the state 'a' (entered at the event id #2). "

    @Test(
        "a cause of the machine itself says the state, its event and what was found",
        arguments: [
            (
                #""Type": "Wait", "SecondsPath": "$.none""#,
                "The SecondsPath parameter does not reference an input value: $.none"
            ),
            (
                #""Type": "Wait", "SecondsPath": "$.less""#,
                "The SecondsPath parameter references a negative value: $.less == -1"
            ),
            (
                #""Type": "Wait", "SecondsPath": "$.part""#,
                "The SecondsPath parameter cannot be parsed as a long value: $.part == 1.5"
            ),
            (#""Type": "Wait", "SecondsPath": "$.most""#, "Wait state delay is too long."),
            (
                #""Type": "Wait", "TimestampPath": "$.text""#,
                "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: $.text == x"
            ),
            (#""Type": "Pass", "InputPath": "$.none""#, "Invalid path '$.none' : No results for path: $['none']"),
            (
                #""Type": "Pass", "OutputPath": "$.no.such""#,
                "Invalid path '$.no.such' : Missing property in path $['no']"
            ),
            (
                #""Type": "Pass", "Parameters": {"b.$": "$.none"}"#,
                "The JSONPath '$.none' specified for the field 'b.$' could not be found in the input "
                    + #"'{"less":-1,"part":1.5,"most":99999999999,"text":"x","list":[1],"object":{}}'"#
            ),
            (
                Self.map(#""MaxConcurrencyPath": "$.text","#),
                #"The MaxConcurrencyPath field refers to value "x" which is not a valid integer: $.text"#
            ),
            (
                Self.run(#""ToleratedFailureCountPath": "$.object","#),
                #"The ToleratedFailureCountPath field refers to value "{}" which is not a valid integer: $.object"#
            ),
            (Self.run(#""ToleratedFailureCountPath": "$.less","#), "ToleratedFailureCount cannot be negative."),
            (
                Self.run(#""ToleratedFailurePercentagePath": "$.text","#),
                #"The ToleratedFailurePercentagePath field refers to value "x" which is not a valid float: $.text"#
            ),
            (
                Self.run(#""ToleratedFailurePercentagePath": "$.less","#),
                "ToleratedFailurePercentage must be between 0 and 100."
            ),
        ])
    func causes(state: String, cause: String) throws {
        let input = #"{"less": -1, "part": 1.5, "most": 99999999999, "text": "x", "list": [1], "object": {}}"#
        let run = try FlowRun(FlowRun.machine(#""a": {\#(state), "End": true}"#), input: input)
        #expect(run.execution.fault?.error == "States.Runtime")
        #expect(run.execution.fault?.cause == Self.start + cause)
        #expect(!run.events.contains { $0.type == "MapRunStarted" })
    }

    private static let inner = #""StartAt": "p", "States": {"p": {"Type": "Pass", "End": true}}"#

    private static func map(_ fields: String) -> String {
        #""Type": "Map", "ItemsPath": "$.list", \#(fields) "ItemProcessor": {\#(inner)}"#
    }

    private static func run(_ fields: String) -> String {
        #""Type": "Map", "ItemsPath": "$.list", \#(fields) "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED"}, \#(inner)}"#
    }

    @Test("an inner fault is the state's in which it happens, and is said once")
    func inner() throws {
        let run = try FlowRun(
            FlowRun.machine(
                #""a": {"Type": "Parallel", "Branches": [{"StartAt": "b", "States": {"b": {"Type": "Wait", "SecondsPath": "$.s", "End": true}}}], "End": true}"#
            ))
        #expect(
            run.execution.fault?.cause
                == "An error occurred while executing the state 'b' (entered at the event id #4). The SecondsPath parameter does not "
                + "reference an input value: $.s")
    }

    @Test("a result that is too long names its state or its task's resource")
    func long() throws {
        let text = String(repeating: "x", count: WorkflowLimits.dataBytesMax)
        let machine =
            #""a": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}, "End": true}"#
        var run = try FlowRun(FlowRun.machine(machine))
        run.answer(0, .success(.string(text)))
        #expect(run.events.map(\.type).suffix(2) == ["TaskFailed", "ExecutionFailed"])
        #expect(
            run.execution.fault
                == FlowFault(
                    "States.DataLimitExceeded",
                    "The state/task 'lambda' returned a result with a size exceeding the maximum number of bytes service limit."
                ))
    }

    @Test("an event of a map leads on from what has caused it")
    func previousEvents() throws {
        let run = try FlowRun(
            FlowRun.machine(#""a": {\#(Self.map(#""MaxConcurrency": 1,"#)), "End": true}"#), input: #"{"list": [1, 2]}"#
        )
        #expect(
            run.events.map { "\($0.number) \($0.previous) \($0.type)" } == [
                "1 0 ExecutionStarted", "2 0 MapStateEntered", "3 2 MapStateStarted", "4 3 MapIterationStarted",
                "5 4 PassStateEntered", "6 5 PassStateExited", "7 6 MapIterationSucceeded", "8 6 MapIterationStarted",
                "9 8 PassStateEntered", "10 9 PassStateExited", "11 10 MapIterationSucceeded",
                "12 11 MapStateSucceeded",
                "13 11 MapStateExited", "14 13 ExecutionSucceeded",
            ])
    }

    @Test("a number behind a path may be written as a text")
    func numbers() throws {
        let state = Self.map(#""MaxConcurrencyPath": "$.most","#)
        let run = try FlowRun(
            FlowRun.machine(#""a": {\#(state), "ToleratedFailureCount": 1, "End": true}"#),
            input: #"{"list": [1], "most": "1"}"#)
        #expect(run.output == "[1]")
    }

    @Test("a task that waits for an execution says once that it is begun, and can be ended by its token")
    func submission() throws {
        let state =
            #""a": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync", "Parameters": {"StateMachineArn": "m", "Input": {"t.$": "$$.Task.Token"}}, "End": true}"#
        var run = try FlowRun(FlowRun.machine(state))
        let begun: JSONValue = ["ExecutionArn": "arn:e", "StartDate": 1]
        let branch = try #require(run.calls.first)
        #expect(branch.input["Input"]?["t"]?.string == branch.token)
        run.submit(begun)
        run.restart()
        run.submit(begun)
        run.fail("E")
        #expect(
            run.events.map { "\($0.number) \($0.previous) \($0.type)" }.suffix(4) == [
                "4 3 TaskStarted", "5 4 TaskSubmitted", "6 5 TaskFailed", "7 6 ExecutionFailed",
            ])
        var other = try FlowRun(FlowRun.machine(state))
        let isKnown = other.execution.report(
            branch: branch.branch, secret: "secret", .succeeded("x"), at: other.now)
        #expect(isKnown && other.output == #""x""#)
    }

    @Test(
        "a failure that is reported without a name has none in the history, and the end of one that is stopped leads on from nothing"
    )
    func unnamed() throws {
        let state =
            #""a": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Parameters": {"t.$": "$$.Task.Token"}, "End": true}"#
        var run = try FlowRun(FlowRun.machine(state))
        let call = try #require(run.calls.first)
        _ = run.execution.report(branch: call.branch, secret: "secret", .failed(FlowFault("", "")), at: run.now)
        run.go()
        #expect(run.events.first { $0.type == "TaskFailed" }?.details?.value["error"] == nil)
        var stopped = try FlowRun(FlowRun.machine(state))
        stopped.execution.stop(nil, at: stopped.now)
        stopped.go()
        #expect(stopped.events.last.map { "\($0.previous) \($0.type)" } == "0 ExecutionAborted")
    }

    @Test(
        "the variables that states name are listed by states",
        arguments: [
            (
                #""a": {"Type": "Pass", "Parameters": {"x": "$no", "y.$": "$y.z", "c.$": "$$.State"}, "End": true}"#,
                #"{"a":["y"]}"#
            ),
            (
                #""a": {"Type": "Pass", "Parameters": {"b": {"x.$": "States.Format('$no {}', $b, $a1)"}}, "OutputPath": "$.p", "End": true}"#,
                #"{"a":["a1","b"]}"#
            ),
            (
                #""a": {\#(map(#""ItemSelector": {"q.$": "$q"}, "MaxConcurrencyPath": "$n","#)), "End": true}"#,
                #"{"a":["n","q"]}"#
            ),
            (
                #""a": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% ($l := $v; $sum($states.input) & '$no' & $w & $l) %}", "End": true}"#,
                #"{"a":["v","w"]}"#
            ),
            (#""a": {"Type": "Succeed"}"#, nil),
        ] as [(String, String?)])
    func references(states: String, listed: String?) {
        #expect(FlowReferences.found(in: FlowRun.machine(states)).map { JSONWriter.text(of: $0) } == listed)
    }

    @Test("only states that are tried again count their tries, and a failure without a name has none")
    func context() throws {
        let run = try FlowRun(
            FlowRun.machine(#""a": {"Type": "Pass", "Parameters": {"s.$": "$$.State"}, "End": true}"#))
        #expect(run.execution.output?["s"]?["Name"] == "a" && run.execution.output?["s"]?["RetryCount"] == nil)
        #expect(FlowFault("", "").output == ["Error": .null, "Cause": .null])
        #expect(FlowFault("E", "").output == ["Error": "E", "Cause": ""])
    }
}
