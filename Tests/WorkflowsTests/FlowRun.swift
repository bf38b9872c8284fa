import JSON

@testable import Workflows

/// An execution of a definition with a clock that is set: its tasks answer what the test says.
struct FlowRun {
    var execution: FlowExecution
    private(set) var now: Int64 = 1_000_000
    private(set) var calls: [FlowCall] = []
    private(set) var events: [FlowEvent] = []

    init(_ text: String, input: String = "{}", isExpress: Bool = false) throws {
        execution = FlowExecution(
            FlowIdentity(
                number: 7, arn: "arn:x", name: "run", machineARN: "arn:m", machineName: "m", roleARN: "arn:r",
                input: try JSONReader.value(of: input), startedMilliseconds: now, isExpress: isExpress),
            try FlowReader.definition(of: text), FlowChance(makeID: { "secret" }, fraction: { 0.5 }))
        execution.begin(at: now)
        go()
    }

    /// Goes on until nothing can be done, through what would be written and read again.
    mutating func go() {
        repeat {
            execution.advance(states: 10, at: now)
            for gone in execution.changes.cancelled {
                calls.removeAll { $0.branch == gone.branch && $0.attempt == gone.attempt }
            }
            calls += execution.changes.calls
            events += execution.changes.events
            execution.changes = FlowChanges()
        } while execution.isReady
    }

    /// What another process would go on with.
    mutating func restart() {
        var next = FlowExecution(execution.identity, execution.definition, execution.chance)
        for (number, branch) in execution.branches {
            let text = JSONWriter.text(of: branch.stored)
            next.branches[number] = (try? JSONReader.value(of: text)).flatMap { FlowBranch(number, stored: $0) }
        }
        next.results = execution.results
        (next.nextBranch, next.eventCount) = (execution.nextBranch, execution.eventCount)
        execution = next
        calls = []
        execution.resume(at: now)
        go()
    }

    mutating func answer(_ place: Int = 0, _ outcome: Result<JSONValue, FlowFault>) {
        guard calls.indices.contains(place) else { return }
        let call = calls.remove(at: place)
        execution.answer(branch: call.branch, attempt: call.attempt, outcome, at: now)
        go()
    }

    /// The execution for whose end the first task waits is begun.
    mutating func submit(_ value: JSONValue) {
        guard let call = calls.first else { return }
        execution.submit(branch: call.branch, attempt: call.attempt, value, at: now)
        go()
    }

    mutating func fail(_ error: String) { answer(0, .failure(FlowFault(error, "why"))) }

    mutating func pass(_ milliseconds: Int64) {
        now += milliseconds
        execution.pass(to: now)
        go()
    }

    /// How long it sleeps.
    var sleep: Int64? { execution.due.map { $0 - now } }

    var output: String? { execution.output.map { JSONWriter.text(of: $0) } }

    static let function = "arn:aws:lambda:us-east-1:123456789012:function:f"

    /// A machine of states, of which the first is `a`.
    static func machine(_ states: String) -> String { #"{"StartAt": "a", "States": {\#(states)}}"# }

    static func task(_ fields: String) -> String {
        machine(#""a": {"Type": "Task", "Resource": "\#(function)", \#(fields)}"#)
    }
}
