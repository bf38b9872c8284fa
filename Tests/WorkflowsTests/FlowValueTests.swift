import JSON
import Testing

@testable import Workflows

/// What states do with data: paths, templates, functions, comparisons.
@Suite("Values of state machines")
struct FlowValueTests {
    static let chance = FlowChance(makeID: { "id" }, fraction: { 0.5 })
    private static let input = #"""
        {"a": {"b": [10, 20, 30]}, "items": [{"n": "x", "p": 5, "s": true}, {"n": "y", "p": 15}], "t": "text", "e": "é", "z": null,
         "time": "2027-01-01T00:00:00Z", "a b": 1}
        """#

    private static func data() throws -> FlowData {
        FlowData(input: try JSONReader.value(of: input), context: ["Execution": ["Name": "run"]])
    }

    @Test(
        "paths lead to values, and to lists of them",
        arguments: [
            ("$.t", #""text""#), ("$['a b']", "1"), ("$.a.b[1]", "20"), ("$.a.b[-1]", "30"),
            ("$$.Execution.Name", #""run""#),
            ("$.a.b[0:2]", "[10,20]"), ("$.a.b[0,2]", "[10,30]"), ("$.items[*].n", #"["x","y"]"#), ("$..p", "[5,15]"),
            ("$.items[?(@.p > 10)].n", #"["y"]"#), ("$.items[?(@.s)].p", "[5]"),
            ("$.items[?(@.p==5 || @.n=='y')].p", "[5,15]"),
            ("$.items[?(!(@.s))].p", "[15]"), ("$.none", nil), ("$.a.b[7]", nil), ("$.none[*]", "[]"),
            ("$..none", "[]"),
            ("$.none[1:]", "[]"), ("$.none.more[:1].n", "[]"), ("$.none[*].n", "[]"), ("$.none[?(@.n)]", "[]"),
            ("$.a.b[9:]", "[]"), ("$[1:5]", nil), ("$.t[1:]", nil), ("$.a[0,1]", nil), ("$.items[*].n[1:]", "[]"),
        ])
    func paths(text: String, expected: String?) throws {
        let value = try #require(FlowPath(text)).value(in: try Self.data())
        #expect(value.map { JSONWriter.text(of: $0) } == expected)
    }

    @Test(
        "what is no path is none",
        arguments: ["", "a", "$.", "$.a[", "$.a['b]", "$a b", "$.a[?(@.b)", "$.a[x]", "$.a b", "$$$"])
    func noPaths(text: String) { #expect(FlowPath(text) == nil) }

    @Test(
        "names between quotes have their own characters, a backslash before others than the quote too",
        arguments: [
            (#"$['a\"b']"#, #"a\"b"#), (#"$['a\'b']"#, "a'b"), (#"$["a\"b"]"#, #"a"b"#), (#"$['a\\b']"#, #"a\b"#),
            (#"$['Test\""Name"']"#, #"Test\""Name""#),
        ])
    func names(text: String, name: String) throws {
        let data = FlowData(input: .object(JSONObject([(name, 1)])), context: .null)
        #expect(try #require(FlowPath(text)).value(in: data) == 1)
    }

    @Test("a path looks at a bounded number of values")
    func budget() throws {
        let wide = JSONValue.array(Array(repeating: .array(Array(repeating: 1, count: 500)), count: 500))
        let path = try #require(FlowPath("$..*"))
        #expect(throws: FlowFault.self) { try path.value(in: FlowData(input: wide, context: .null)) }
    }

    @Test(
        "functions give what the service's do",
        arguments: [
            (#"States.Format('{} is \\{{}\\}', $.t, 1)"#, #""text is {1}""#), ("States.StringToJson('[1]')", "[1]"),
            ("States.StringToJson('')", "null"), ("States.StringToJson(' ')", "null"),
            (
                "States.Format('{} {} {}', $.a, $.items, $.z)",
                #""{b=[10, 20, 30]} [{n=x, p=5, s=true}, {n=y, p=15}] null""#
            ),
            ("States.JsonToString($.a)", #""{\"b\":[10,20,30]}""#),
            ("States.Array($.t, 1, 'x', true, null)", #"["text",1,"x",true,null]"#),
            ("States.ArrayPartition($.a.b, 2)", "[[10,20],[30]]"), ("States.ArrayContains($.a.b, 20)", "true"),
            ("States.ArrayRange(1, 9, 4)", "[1,5,9]"), ("States.ArrayRange(3, 1, -1)", "[3,2,1]"),
            ("States.ArrayGetItem($.a.b, 2)", "30"), ("States.ArrayLength($.items)", "2"),
            ("States.ArrayUnique(States.Array(1, 1, 2, 'a', 'a'))", #"[1,2,"a"]"#),
            ("States.Base64Encode('hi')", #""aGk=""#), ("States.Base64Decode('aGk=')", #""hi""#),
            ("States.Hash('a', 'MD5')", #""0cc175b9c0f1b6a831c399e269772661""#),
            ("States.Hash('a', 'SHA-1')", #""86f7e437faa5a7fce15d1ddcb9eaeaea377667b8""#),
            ("States.JsonMerge($.items[0], $.items[1], false)", #"{"n":"y","p":15,"s":true}"#),
            ("States.MathRandom(10, 20)", "15"), ("States.MathAdd(1, -3)", "-2"),
            ("States.MathAdd(-1.5, 0)", "-1"), ("States.MathAdd(-0.5, 0)", "0"), ("States.MathAdd(-0.5, 0.5)", "1"),
            ("States.MathAdd(-1.49, -1.5)", "-2"), ("States.MathAdd(-1.51, 0)", "-2"),
            ("States.MathAdd(2.5, 1.49)", "4"),
            ("States.StringSplit('a,b;;c', ',;')", #"["a","b","c"]"#), ("States.UUID()", #""id""#),
        ])
    func functions(text: String, expected: String) throws {
        let value = try #require(FlowExpression(text)).value(try Self.data(), Self.chance, field: "x")
        #expect(JSONWriter.text(of: value) == expected)
    }

    @Test(
        "what functions cannot take fails, and says why",
        arguments: [
            "States.Format('{}')", "States.Format('x', 1)", "States.StringToJson('no')",
            "States.ArrayRange(1, 5000, 1)",
            "States.ArrayRange(1, 2, 0)", "States.ArrayGetItem($.a.b, 9)", "States.ArrayLength($.t)",
            "States.Base64Decode('?')",
            "States.Hash('a', 'X')", "States.JsonMerge($.a, $.a, true)", "States.MathRandom(2, 1)",
            "States.ArrayPartition($.a.b, 0)",
            "States.MathAdd(9223372036854775807, 1)",
        ])
    func failures(text: String) throws {
        let expression = try #require(FlowExpression(text))
        do {
            _ = try expression.value(try Self.data(), Self.chance, field: "x")
            Issue.record("\(text) gives a value")
        } catch let fault as FlowFault {
            #expect(fault.error == "States.IntrinsicFailure" && fault.cause.contains("States."), "\(fault)")
        }
    }

    @Test(
        "what is no call is none",
        arguments: ["States.None()", "States.UUID(1)", "States.Array(", "Array(1)", "States.Format()"])
    func noCalls(text: String) { #expect(FlowExpression(text) == nil) }

    @Test("functions take a bounded nesting of calls")
    func nesting() {
        func call(_ depth: Int) -> String { depth == 0 ? "1" : "States.Array(\(call(depth - 1)))" }
        #expect(FlowExpression(call(10)) != nil)
        #expect(FlowExpression(call(11)) == nil)
    }

    @Test("members with .$ in a template become values, at any depth")
    func templates() throws {
        let template = try FlowTemplate(
            try JSONReader.value(of: #"{"x.$": "$.t", "y": [{"z.$": "States.MathAdd(1, 1)"}], "k": "$.t"}"#), at: "")
        let value = try template.value(try Self.data(), Self.chance)
        #expect(JSONWriter.text(of: value) == #"{"x":"text","y":[{"z":2}],"k":"$.t"}"#)
        #expect(throws: FlowRefusal.self) { try FlowTemplate(["x.$": "no path"], at: "") }
    }

    @Test(
        "rules compare values of one kind",
        arguments: [
            (#""Variable": "$.t", "StringEquals": "text""#, true), (#""Variable": "$.t", "StringLessThan": "u""#, true),
            (#""Variable": "$.t", "StringGreaterThanEquals": "u""#, false),
            (#""Variable": "$.t", "StringMatches": "t*x*""#, true),
            (#""Variable": "$.t", "StringMatches": "t*\\*""#, false),
            (#""Variable": "$.t", "NumericEquals": 1"#, false),
            (#""Variable": "$.a.b[0]", "NumericGreaterThan": 9.5"#, true),
            (#""Variable": "$.a.b[0]", "NumericLessThanEquals": 10"#, true),
            (#""Variable": "$.a.b[0]", "NumericLessThanPath": "$.a.b[1]""#, true),
            (#""Variable": "$.items[0].s", "BooleanEquals": true"#, true),
            (#""Variable": "$.time", "TimestampLessThan": "2027-01-01T01:00:00+00:30""#, true),
            (#""Variable": "$.time", "TimestampEquals": "2027-01-01T01:00:00+01:00""#, true),
            (#""Variable": "$.none", "IsPresent": false"#, true), (#""Variable": "$.z", "IsNull": true"#, true),
            (#""Variable": "$.t", "IsNumeric": false"#, true), (#""Variable": "$.t", "IsString": true"#, true),
            (#""Variable": "$.time", "IsTimestamp": true"#, true), (#""Variable": "$.t", "IsBoolean": true"#, false),
            (#""Not": {"Variable": "$.t", "IsString": true}"#, false),
            (#""And": [{"Variable": "$.t", "IsString": true}, {"Variable": "$.z", "IsNull": true}]"#, true),
            (#""Or": [{"Variable": "$.t", "IsNull": true}, {"Variable": "$.z", "IsNull": true}]"#, true),
            (#""Variable": "$.e", "StringEquals": "e\u0301""#, false),
        ])
    func choices(rule: String, expected: Bool) throws {
        let text =
            #"{"StartAt": "c", "States": {"c": {"Type": "Choice", "Choices": [{\#(rule), "Next": "y"}], "Default": "n"}, "y": {"Type": "Pass", "Result": true, "End": true}, "n": {"Type": "Pass", "Result": false, "End": true}}}"#
        let run = try FlowRun(text, input: Self.input)
        #expect(run.execution.output == .bool(expected), "\(String(describing: run.execution.fault))")
    }

    @Test("a star matches in time that grows with the product of the lengths")
    func stars() throws {
        let text = Array(String(repeating: "a", count: 20_000).utf8)
        let pattern = Array((String(repeating: "a*", count: 200) + "b").utf8)
        #expect(try !FlowComparison.matches(text, pattern, FlowSteps()))
    }

    @Test("values that are too large or nested too deep are no data of states")
    func sizes() {
        #expect(FlowSize.bytes(of: .string(String(repeating: "a", count: WorkflowLimits.dataBytesMax - 2))) != nil)
        #expect(FlowSize.bytes(of: .string(String(repeating: "a", count: WorkflowLimits.dataBytesMax - 1))) == nil)
        var deep = JSONValue.null
        for _ in 0..<WorkflowLimits.dataNestingMax { deep = .array([deep]) }
        #expect(FlowSize.bytes(of: deep) == nil)
    }

    @Test("filters in each other are so many, and one more is told of where the definition is read")
    func filterNesting() throws {
        func path(_ nesting: Int, _ open: String, _ close: String) -> String {
            let inner = String(repeating: open, count: nesting) + "@.x" + String(repeating: close, count: nesting)
            return "$.items[?(\(inner))]"
        }
        func definition(_ path: String) -> String {
            FlowRun.machine(#""a": {"Type": "Pass", "InputPath": "\#(path)", "End": true}"#)
        }
        // The filter itself is one of them.
        let most = WorkflowLimits.filterNestingMax - 1
        for (open, close) in [("(", ")"), ("!", "")] {
            let run = try FlowRun(definition(path(most, open, close)), input: #"{"items": [{"x": 1}]}"#)
            #expect(run.execution.status == .succeeded, "\(open)")
            do throws(FlowRefusal) {
                _ = try FlowReader.definition(of: definition(path(most + 1, open, close)))
                Issue.record("\(open) is taken")
            } catch {
                #expect(
                    error.text == "'InputPath' has more than 16 filters in each other at /States/a", "\(error.text)")
            }
        }
    }
}
