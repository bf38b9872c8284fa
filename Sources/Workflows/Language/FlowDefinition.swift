import JSON

/// A state machine, or what a `Parallel` or a `Map` has inside: states by their names, of which one is the first.
package struct FlowDefinition: Sendable {
    let startAt: String
    let states: [ByteText: FlowState]
    /// How long an execution may take; of the whole alone.
    let timeoutSeconds: Int64?
    package let comment: String?

    func state(_ name: String) -> FlowState? { states[name] }
}

/// A state of a machine.
struct FlowState: Sendable {
    let name: String
    let kind: Kind
    /// What of the input it looks at, and what of its result it gives on; nil: nothing, `{}` stands for it.
    let inputPath: FlowPath?
    let outputPath: FlowPath?
    let parameters: FlowTemplate?
    let selector: FlowTemplate?
    /// Where in its input its result is put; nil: nowhere.
    let resultPath: FlowPath?
    /// Nil: it is the last.
    let next: String?
    let retriers: [FlowRetrier]
    let catchers: [FlowCatcher]
    /// Nil: the state is in JSONPath.
    let query: FlowQuery?
    /// Variables that it assigns, and its output in JSONata.
    let outcome: FlowOutcome?

    enum Kind: Sendable {
        case task(FlowTask)
        case pass(JSONValue?)
        case choice([FlowRule], otherwise: String?)
        case wait(FlowWait)
        case parallel([FlowDefinition])
        case map(FlowMap)
        case succeed
        case fail(error: FlowText?, cause: FlowText?)
    }

    /// Whether it has a result of its own: `$states.result`.
    var hasResult: Bool {
        switch kind {
        case .task, .parallel, .map: true
        default: false
        }
    }

    var typeName: String {
        switch kind {
        case .task: "Task"
        case .pass: "Pass"
        case .choice: "Choice"
        case .wait: "Wait"
        case .parallel: "Parallel"
        case .map: "Map"
        case .succeed: "Succeed"
        case .fail: "Fail"
        }
    }
}

/// A rule of a state that chooses.
struct FlowRule: Sendable {
    let test: FlowTest
    let next: String
    let outcome: FlowOutcome?
}

/// Whom a task asks, and for how long.
struct FlowTask: Sendable {
    let resource: FlowResource
    let timeout: FlowNumber?
    let heartbeat: FlowNumber?
}

/// A number that the definition says, or that its input has somewhere.
enum FlowNumber: Sendable {
    case fixed(Int64)
    case path(FlowPath)
    case query(FlowQueryText)

    func value(_ data: FlowData, field: String, _ range: ClosedRange<Int64>) throws(FlowFault) -> Int64 {
        switch self {
        case .fixed(let number): return number
        case .query(let text):
            guard let query = data.query else { return range.lowerBound }
            let value = try text.value(query)
            guard let number = value.integer ?? value.number.flatMap({ Int64(exactly: $0) }) else {
                throw text.unexpected(value, wanted: "number")
            }
            guard range.contains(number) else {
                throw text.fault(
                    " returned \(number), which is not from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        case .path(let path):
            let isOfWait = field == "SecondsPath"
            guard let value = try isOfWait ? path.value(in: data) : path.demanded(in: data, by: field) else {
                throw .runtime("The \(field) parameter does not reference an input value: \(path.text)")
            }
            guard let number = value.wholeNumber else {
                throw isOfWait
                    ? .runtime(
                        "The \(field) parameter cannot be parsed as a long value: \(path.text) == \(value.shownText)")
                    : .noNumber(field, value, "integer", path.text)
            }
            guard !isOfWait || number >= 0 else {
                throw .runtime("The \(field) parameter references a negative value: \(path.text) == \(number)")
            }
            guard !isOfWait || number <= range.upperBound else { throw .runtime("Wait state delay is too long.") }
            guard range.contains(number) else { throw .noNumber(field, value, "integer", path.text) }
            return number
        }
    }
}

/// A text that the definition says, or that an expression gives.
enum FlowText: Sendable {
    case fixed(String)
    case expression(FlowExpression)
    case query(FlowQueryText)

    func value(_ data: FlowData, _ chance: FlowChance, field: String) throws(FlowFault) -> String {
        switch self {
        case .fixed(let text): return text
        case .query(let text):
            guard let query = data.query else { return "" }
            let value = try text.value(query)
            guard let written = value.string else { throw text.unexpected(value, wanted: "string") }
            return written
        case .expression(let expression):
            let value = try expression.value(data, chance, field: field)
            guard let text = value.string else { throw .runtime("The \(field) is no text, but \(value.kind)") }
            return text
        }
    }
}

/// Until when a state waits.
enum FlowWait: Sendable {
    case seconds(FlowNumber)
    case time(FlowText)
}

/// What a `Map` does with each element.
struct FlowMap: Sendable {
    let inner: FlowDefinition
    let itemsPath: FlowPath?
    /// What each element's branch is told; nil: the element.
    let selector: FlowTemplate?
    let concurrency: FlowNumber
    /// Nil: its elements are branches of the execution.
    var distribution: FlowDistribution?
}

/// When and how often a state is tried again.
struct FlowRetrier: Sendable {
    let errors: [String]
    let intervalSeconds: Int64
    let attemptsMax: Int64
    let rate: Double
    let delaySecondsMax: Int64?
    let isJittered: Bool

    /// How long to wait before a try.
    ///
    /// - Parameter number: which try it is, from 1 on.
    func delayMilliseconds(before number: Int64, _ chance: FlowChance) -> Int64 {
        var seconds = Double(intervalSeconds)
        var step: Int64 = 1
        let most = Double(delaySecondsMax ?? WorkflowLimits.secondsMax)
        // The rate is 1 at least, so it only grows.
        while step < number, seconds < most, rate > 1 {
            seconds *= rate
            step += 1
        }
        let bounded = min(seconds, most) * 1_000
        return Int64(isJittered ? bounded * chance.fraction() : bounded)
    }
}

/// Where a state's errors lead.
struct FlowCatcher: Sendable {
    let errors: [String]
    let resultPath: FlowPath?
    let next: String
    let outcome: FlowOutcome?
}
