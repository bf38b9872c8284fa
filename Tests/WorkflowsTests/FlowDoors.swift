import JSON
import TestSupport
import Testing

@testable import Workflows

/// What a state does with data is counted, and done beside the loop: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("The work of states on data is counted")
struct FlowDoors {
    /// As much data as a state may be told, in the forms that functions take.
    private static let data: JSONValue = [
        "list": .array((0..<20_000).map { .string("text \($0)") }),
        "text": .string(String(repeating: "a", count: 250_000)),
        "short": .string(String(repeating: "a", count: 9_000)),
        "separators": .string(String(repeating: "b", count: 100_000)),
        "object": .object(JSONObject((0..<12_000).map { ("key \($0)", .integer(Int64($0))) })),
        "json": .string("[" + String(repeating: "1,", count: 100_000) + "1]"),
        "code": .string(String(repeating: "YWFh", count: 2_400)),
    ]

    /// The worst call of a function.
    private static func call(_ function: FlowFunction) -> String {
        let arguments =
            switch function {
            case .format: "'{}{}', $.object, $.list"
            case .stringToJSON: "$.json"
            case .jsonToString: "$.object"
            case .array: "$.list, $.list, $.text"
            case .arrayPartition: "$.list, 1"
            case .arrayContains: "$.list, 'nowhere'"
            case .arrayRange: "1, 1000, 1"
            case .arrayGetItem: "$.list, 19999"
            case .arrayLength, .arrayUnique: "$.list"
            case .encode: "$.short"
            case .decode: "$.code"
            case .hash: "$.short, 'SHA-512'"
            case .merge: "$.object, $.object, false"
            case .random: "1, 1000, 7"
            case .add: "1, 2"
            case .split: "$.text, $.separators"
            case .identifier: ""
            }
        return "States.\(function.rawValue)(\(arguments))"
    }

    /// A step is about five nanoseconds. A build that checks everything takes five times as long for what is Swift's code alone as for the
    /// mixture that `HeldTime` goes by.
    private static let stepNanoseconds: Double = HeldTime.factor > 1 ? 25 : 5

    /// What is counted is no less than a third of what is done.
    private static func expectCounted(_ name: String, _ work: (FlowSteps) throws -> Void) rethrows {
        var (taken, told) = (Double.infinity, 0.0)
        // Others disturb, by their use of the processor's caches for as long as they run: what takes too long is looked at again.
        for _ in 0..<triesMax where taken >= 3 * told + 0.5 {
            var counted = 0
            taken = try HeldTime.milliseconds {
                let steps = FlowSteps(max: .max)
                try work(steps)
                counted = steps.ofRound
            }
            told = Double(counted) * stepNanoseconds / 1_000_000
        }
        #expect(taken < 3 * told + 0.5, "\(name) takes \(taken) ms, and \(told) ms are counted")
    }

    private static let triesMax = 5

    @Test("of every function", arguments: FlowFunction.allCases)
    func functions(_ function: FlowFunction) throws {
        let expression = try #require(FlowExpression(Self.call(function)), "\(Self.call(function))")
        try Self.expectCounted(function.rawValue) { steps in
            do throws(FlowFault) {
                _ = try expression.value(
                    FlowData(input: Self.data, context: .null, steps: steps), FlowValueTests.chance, field: "x")
            } catch {
                // It has done all of its work when it finds that it is too much to keep.
                guard error.error == FlowFault.dataName else { throw error }
            }
        }
    }

    @Test("of every comparison", arguments: FlowComparison.byName.keys.map(\.string).sorted { $0 < $1 })
    func comparisons(_ name: String) throws {
        let comparison = try #require(FlowComparison.byName[ByteText(name)])
        let pattern = "*" + String(repeating: "a", count: 500) + "b"
        let value: JSONValue =
            switch comparison.kind {
            // A pattern costs its own length for each byte of the text.
            case .text: Self.data[comparison.order == .matching ? "short" : "text"] ?? .null
            case .number: 5
            case .flag: true
            case .time: "2027-01-01T00:00:00.000000Z"
            }
        try Self.expectCounted(name) { steps in
            _ = try comparison.holds(
                value, comparison.order == .matching ? .string(pattern) : value, steps)
        }
    }

    @Test(
        "of paths and their filters",
        arguments: [
            "$..*", "$.list[*]", "$.list[0:20000]", "$.list[?(@ == 'nowhere')]", "$.list[?($.text == $.text)]",
            "$.list[?(@ > $.text)]", "$.none[*]",
        ])
    func paths(_ text: String) throws {
        let path = try #require(FlowPath(text))
        try Self.expectCounted(text) { steps in
            _ = try path.value(in: FlowData(input: Self.data, context: .null, steps: steps))
        }
    }

    @Test("and ends a state that does too much")
    func bound() throws {
        let expression = try #require(FlowExpression("States.ArrayContains($.list, 'nowhere')"))
        let data = FlowData(input: Self.data, context: .null, steps: FlowSteps(max: 100_000))
        #expect(throws: FlowFault.runtime("The state takes more than 100000 steps to work on its data.")) {
            for _ in 0..<100 { _ = try expression.value(data, FlowValueTests.chance, field: "x") }
        }
    }

    @Test("and an execution that does much lets others have their turn")
    func turns() throws {
        let calls = (0..<100).map { #""c\#($0).$": "States.ArrayContains($.list, 'nowhere')""# }.joined(separator: ",")
        let text =
            #"{"StartAt": "a", "States": {"a": {"Type": "Pass", "Parameters": {\#(calls)}, "ResultPath": null, "Next": "b"}, "b": {"Type": "Pass", "End": true}}}"#
        var execution = FlowExecution(
            FlowIdentity(
                number: 7, arn: "arn:x", name: "run", machineARN: "arn:m", machineName: "m", roleARN: "arn:r",
                input: ["list": .array((0..<15_000).map { .string("text \($0)") })], startedMilliseconds: 0,
                isExpress: false),
            try FlowReader.definition(of: text), FlowValueTests.chance)
        execution.begin(at: 0)
        execution.advance(states: 200, at: 0)
        #expect(execution.isReady)
        execution.advance(states: 200, at: 0)
        #expect(!execution.isRunning)
    }
}
