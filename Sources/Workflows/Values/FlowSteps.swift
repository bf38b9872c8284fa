import JSON

/// What the work of states on data costs, in steps of about five nanoseconds: bytes and values that paths, functions and rules look at.
///
/// A state may take so many and fails beyond; an execution that has taken its share of a round goes on in the next one.
///
/// Unchecked: it belongs to one execution, which one thread at a time lets go on.
final class FlowSteps: @unchecked Sendable {
    private var left: Int
    /// What all states have taken since the round began.
    private(set) var ofRound = 0
    private let max: Int

    init(max: Int = WorkflowLimits.stateStepsMax) {
        self.max = max
        left = max
    }

    var remaining: Int { left }

    func beginRound() { ofRound = 0 }

    func beginState() { left = max }

    func spend(_ steps: Int) throws(FlowFault) {
        let steps = Swift.max(1, steps)
        ofRound = ofRound.addingReportingOverflow(steps).partialValue
        left = left.subtractingReportingOverflow(steps).partialValue
        guard left >= 0 else { throw .runtime("The state takes more than \(max) steps to work on its data.") }
    }

    /// Counts all that a value holds, as it does where it is written, compared or copied.
    func spend(on value: JSONValue) throws(FlowFault) {
        try spend(Self.weight(of: value))
    }

    /// Values and bytes, looked at no deeper than states' data may be.
    static func weight(of value: JSONValue, nesting: Int = WorkflowLimits.dataNestingMax) -> Int {
        guard nesting > 0 else { return 1 }
        switch value {
        case .null, .bool, .integer, .double: return valueSteps
        case .largeInteger(let text), .string(let text): return valueSteps + text.utf8.count / bytesPerStep
        case .array(let elements):
            return elements.reduce(valueSteps) { $0 + weight(of: $1, nesting: nesting - 1) }
        case .object(let object):
            return object.members.reduce(valueSteps) {
                $0 + $1.key.utf8.count / bytesPerStep + weight(of: $1.value, nesting: nesting - 1)
            }
        }
    }

    static let valueSteps = 4
    static let bytesPerStep = 8
}
