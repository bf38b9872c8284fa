import JSON
import Testing

@testable import Workflows

/// States in JSONata, and variables in both languages.
@Suite struct FlowQueryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let states: String
        var input = "{}"
        var language = "JSONata"
        let output: String?
        var error: String?
        var cause: String?

        var testDescription: String { name }
    }

    private static func run(_ one: Case) throws -> FlowRun {
        try FlowRun(
            #"{"QueryLanguage": "\#(one.language)", "StartAt": "a", "States": {\#(one.states)}}"#, input: one.input)
    }

    private static func failed(_ what: String) -> String {
        "An error occurred while executing the state 'a' (entered at the event id #2). \(what)"
    }

    static let cases: [Case] = [
        Case(
            name: "an output is a template of expressions",
            states:
                ##""a": {"Type": "Pass", "End": true, "Output": {"sum": "{% $sum($states.input.n) %}", "list": ["{% 1 %}", 2, "x"]}}"##,
            input: #"{"n": [1, 2, 3.5]}"#, output: #"{"sum":6.5,"list":[1,2,"x"]}"#),
        Case(
            name: "a whole output may be one expression",
            states: ##""a": {"Type": "Succeed", "Output": "{%$states.input.a.b%}"}"##,
            input: #"{"a": {"b": [1]}}"#, output: "[1]"),
        Case(
            name: "without an output the input goes on", states: ##""a": {"Type": "Pass", "End": true}"##,
            input: #"{"x": 1}"#, output: #"{"x":1}"#),
        Case(
            name: "variables are seen by later states, and each assignment sees the former ones",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Assign": {"x": 1, "y": "{% $states.input.n %}"}}, "b": {"Type": "Pass", "Next": "c", "Assign": {"x": "{% $y %}", "y": "{% $x %}"}}, "c": {"Type": "Pass", "End": true, "Output": "{% [$x, $y] %}"}"##,
            input: #"{"n": 5}"#, output: "[5,1]"),
        Case(
            name: "a choice goes by a condition, and a rule has an output and variables of its own",
            states:
                ##""a": {"Type": "Choice", "Choices": [{"Condition": "{% $states.input.n > 5 %}", "Next": "b", "Assign": {"v": "rule"}, "Output": "large"}], "Default": "b", "Assign": {"v": "default"}, "Output": "small"}, "b": {"Type": "Pass", "End": true, "Output": "{% $states.input & ' ' & $v %}"}"##,
            input: #"{"n": 6}"#, output: #""large rule""#),
        Case(
            name: "the default of a choice has the state's output and variables",
            states:
                ##""a": {"Type": "Choice", "Choices": [{"Condition": "{% $states.input.n > 5 %}", "Next": "b"}], "Default": "b", "Assign": {"v": "default"}, "Output": "small"}, "b": {"Type": "Pass", "End": true, "Output": "{% $states.input & ' ' & $v %}"}"##,
            input: #"{"n": 5}"#, output: #""small default""#),
        Case(
            name: "a condition is a boolean",
            states:
                ##""a": {"Type": "Choice", "Choices": [{"Condition": "{% 1 %}", "Next": "b"}]}, "b": {"Type": "Succeed"}"##,
            output: nil, error: "States.QueryEvaluationError",
            cause: failed(
                "The JSONata expression '1' specified for the field 'Condition' returned an unexpected result type. Expected 'boolean', but was 'number' for value: 1"
            )),
        Case(
            name: "elements of a map come from an expression, and each has the context",
            states:
                ##""a": {"Type": "Map", "End": true, "Items": "{% $states.input.list %}", "ItemSelector": {"v": "{% $states.context.Map.Item.Value %}", "n": "{% $states.context.Map.Item.Index %}", "all": "{% $count($states.input.list) %}"}, "ItemProcessor": {"StartAt": "i", "States": {"i": {"Type": "Pass", "End": true, "Output": "{% $states.input.v * 10 + $states.input.n %}"}}}, "Output": "{% $states.result[1] + $states.result[0] %}"}"##,
            input: #"{"list": [1, 2]}"#, output: "31"),
        Case(
            name: "elements of a map are an array",
            states:
                ##""a": {"Type": "Map", "End": true, "Items": "{% true %}", "ItemProcessor": {"StartAt": "i", "States": {"i": {"Type": "Pass", "End": true}}}}"##,
            output: nil, error: "States.QueryEvaluationError",
            cause: failed(
                "The JSONata expression 'true' specified for the field 'Items' returned an unexpected result type. Expected 'array', but was 'boolean' for value: true"
            )),
        Case(
            name: "branches are given arguments, and see outer variables but do not set them",
            states:
                ##""a": {"Type": "Pass", "Next": "p", "Assign": {"x": 1}}, "p": {"Type": "Parallel", "Next": "z", "Arguments": {"k": "{% $x %}"}, "Branches": [{"StartAt": "i", "States": {"i": {"Type": "Pass", "End": true, "Assign": {"x": 9}, "Output": "{% $states.input.k + $x %}"}}}]}, "z": {"Type": "Pass", "End": true, "Output": "{% [$states.input, $x] %}"}"##,
            output: "[2,1]"),
        Case(
            name: "nothing is an error that names the field",
            states: ##""a": {"Type": "Pass", "End": true, "Output": {"r": "{% $none %}"}}"##, output: nil,
            error: "States.QueryEvaluationError",
            cause: failed(
                "The JSONata expression '$none' specified for the field 'Output/r' returned nothing (undefined).")),
        Case(
            name: "a function is no result",
            states: ##""a": {"Type": "Pass", "End": true, "Output": "{% function($x){$x} %}"}"##, output: nil,
            error: "States.QueryEvaluationError",
            cause: failed(
                "The JSONata expression 'function($x){$x}' specified for the field 'Output' returned an unsupported result type."
            )),
        Case(
            name: "an error in an expression has its code",
            states: ##""a": {"Type": "Pass", "End": true, "Output": "{% $eval('1') %}"}"##, output: nil,
            error: "States.QueryEvaluationError",
            cause: failed(
                "The JSONata expression '$eval('1')' specified for the field 'Output' threw an error during evaluation. T1006: Attempted to invoke a non-function"
            )),
        Case(
            name: "a fail state may compute its error",
            states:
                ##""a": {"Type": "Fail", "Error": "{% 'E' & $states.input.n %}", "Cause": "{% $uppercase('why') %}"}"##,
            input: #"{"n": 1}"#, output: nil, error: "E1", cause: "WHY"),
        Case(
            name: "an endless expression ends",
            states: ##""a": {"Type": "Pass", "End": true, "Output": "{% ($f := function(){$f()}; $f()) %}"}"##,
            output: nil, error: "States.QueryEvaluationError"),
        Case(
            name: "recursion that is too deep ends",
            states: ##""a": {"Type": "Pass", "End": true, "Output": "{% ($f := function(){1 + $f()}; $f()) %}"}"##,
            output: nil, error: "States.QueryEvaluationError"),
        Case(
            name: "one state of a machine in JSONPath may be in JSONata",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Assign": {"x.$": "$.n"}}, "b": {"QueryLanguage": "JSONata", "Type": "Pass", "End": true, "Output": "{% $x + 1 %}"}"##,
            input: #"{"n": 5}"#, language: "JSONPath", output: "6"),
        Case(
            name: "paths begin at variables",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Assign": {"x": {"y": [1, 2]}, "t.$": "States.Format('{}!', $.n)"}}, "b": {"Type": "Pass", "End": true, "InputPath": "$x", "Parameters": {"l.$": "$x.y[1]", "t.$": "$t", "i.$": "$.y"}}"##,
            input: #"{"n": 5}"#, language: "JSONPath", output: #"{"l":2,"t":"5!","i":[1,2]}"#),
        Case(
            name: "an output path may give the former value of a variable",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Assign": {"answer": 42}}, "b": {"Type": "Pass", "InputPath": "$answer", "ResultPath": "$.theAnswer", "OutputPath": "$answer", "Assign": {"answer": "gone"}, "End": true}"##,
            language: "JSONPath", output: "42"),
        Case(
            name: "rules compare variables",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Assign": {"n": 42}}, "b": {"Type": "Choice", "Choices": [{"Variable": "$n", "NumericEquals": 42, "Next": "c", "Assign": {"v": "met"}}], "Default": "c"}, "c": {"Type": "Pass", "End": true, "Parameters": {"v.$": "$v"}}"##,
            language: "JSONPath", output: #"{"v":"met"}"#),
        Case(
            name: "what a path in an assignment sees is the result",
            states:
                ##""a": {"Type": "Pass", "Next": "b", "Parameters": {"input": "PENDING"}, "Assign": {"r.$": "$.input"}, "ResultPath": null}, "b": {"Type": "Pass", "End": true, "Parameters": {"v.$": "$r"}}"##,
            language: "JSONPath", output: #"{"v":"PENDING"}"#),
    ]

    @Test("states in JSONata, and variables", arguments: cases)
    func states(_ one: Case) throws {
        let run = try Self.run(one)
        #expect(run.output == one.output)
        #expect(run.execution.fault?.error == one.error)
        if let cause = one.cause { #expect(run.execution.fault?.cause == cause) }
    }

    @Test("a task has arguments, a time out, a result, and variables after a restart")
    func task() throws {
        var run = try FlowRun(
            #"{"QueryLanguage": "JSONata", "StartAt": "v", "States": {"v": {"Type": "Pass", "Next": "a", "Assign": {"k": "kept"}}, "a": {"Type": "Task", "Resource": "\#(FlowRun.function)", "Arguments": {"id": "{% $states.input.id %}"}, "TimeoutSeconds": "{% $states.input.t %}", "End": true, "Assign": {"r": "{% $states.result.ok %}"}, "Output": {"a": "{% $states.result.ok %}", "i": "{% $states.input.id %}", "k": "{% $k %}"}}}}"#,
            input: #"{"id": 7, "t": 5}"#)
        #expect(run.calls.first.map { JSONWriter.text(of: $0.input) } == #"{"id":7}"#)
        #expect(run.sleep == 5_000)
        run.restart()
        run.answer(0, .success(["ok": true]))
        #expect(run.output == #"{"a":true,"i":7,"k":"kept"}"#)
        let exit = run.events.last { $0.type == "TaskStateExited" }
        #expect(exit?.details?.value["assignedVariables"] == ["r": "true"])
    }

    @Test("an error that is caught is seen by expressions")
    func caught() throws {
        var run = try FlowRun(
            #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "b", "Assign": {"e": "{% $states.errorOutput.Error %}"}, "Output": {"c": "{% $states.errorOutput.Cause %}"}}]}, "b": {"Type": "Pass", "End": true, "Output": {"e": "{% $e %}", "c": "{% $states.input.c %}"}}}}"#
        )
        run.fail("Bad")
        #expect(run.output == #"{"e":"Bad","c":"why"}"#)
    }

    @Test("an expression that fails is an error that rules catch, and an event of the history")
    func caughtEvaluation() throws {
        let run = try FlowRun(
            #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true, "Arguments": "{% $none %}", "Catch": [{"ErrorEquals": ["States.QueryEvaluationError"], "Next": "b"}]}, "b": {"Type": "Pass", "End": true, "Output": "{% $states.input.Error %}"}}}"#
        )
        #expect(run.output == #""States.QueryEvaluationError""#)
        let event = run.events.first { $0.type == "EvaluationFailed" }
        #expect(event?.details?.value["location"] == "Arguments")
        #expect(event?.details?.value["state"] == "a")
    }

    @Test("elements of a map are worked out once, whatever comes between")
    func itemsOnce() throws {
        var run = try FlowRun(
            #"{"QueryLanguage": "JSONata", "StartAt": "v", "States": {"v": {"Type": "Pass", "Next": "a"}, "a": {"Type": "Map", "MaxConcurrency": 1, "Items": "{% [$millis(), $millis() + 1] %}", "End": true, "ItemProcessor": {"StartAt": "t", "States": {"t": {"Type": "Task", "Resource": "\#(FlowRun.function)", "End": true}}}}}}"#
        )
        let first = run.calls.first?.input.integer ?? 0
        run.pass(5_000)
        run.restart()
        run.answer(0, .success("one"))
        #expect(run.calls.first?.input.integer == first + 1)
        run.answer(0, .success("two"))
        #expect(run.output == #"["one","two"]"#)
    }

    @Test("a wait computes its seconds")
    func wait() throws {
        let run = try FlowRun(
            #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Wait", "Seconds": "{% $states.input.n * 2 %}", "End": true}}}"#,
            input: #"{"n": 3}"#)
        #expect(run.sleep == 6_000)
    }

    @Test(
        "what a definition may not say is refused",
        arguments: [
            (
                #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Pass", "InputPath": "$", "End": true}}}"#,
                "The field 'InputPath' is not supported by the QueryLanguage 'JSONata' at /States/a/InputPath"
            ),
            (
                #"{"StartAt": "a", "States": {"a": {"Type": "Pass", "Output": 1, "End": true}}}"#,
                "The field 'Output' is not supported by the QueryLanguage 'JSONPath' at /States/a/Output"
            ),
            (
                #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"QueryLanguage": "JSONPath", "Type": "Pass", "End": true}}}"#,
                "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine at /States/a/QueryLanguage"
            ),
            (
                #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Pass", "Output": {"x": "{% 1 + %}"}, "End": true}}}"#,
                "The JSONata expression '1 +' cannot be read: S0207: Unexpected end of expression at /States/a/Output/x"
            ),
            (
                #"{"QueryLanguage": "JSONata", "StartAt": "a", "States": {"a": {"Type": "Pass", "Assign": {"states": 1}, "End": true}}}"#,
                "The name of the variable 'states' is reserved at /States/a/Assign"
            ),
        ])
    func refused(_ definition: String, _ message: String) {
        #expect {
            _ = try FlowReader.definition(of: definition)
        } throws: { ($0 as? FlowRefusal)?.text == message }
    }
}
