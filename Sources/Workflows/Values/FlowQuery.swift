import JSON
import JSONata

/// The fields of a state for its data in JSONata. States in JSONPath have none.
final class FlowQuery: Sendable {
    /// What a task or branches are given; nil: the state's input.
    let arguments: FlowQueryTemplate?
    /// The elements of a `Map`; nil: the state's input.
    let items: FlowQueryTemplate?
    let selector: FlowQueryTemplate?

    init(arguments: FlowQueryTemplate?, items: FlowQueryTemplate?, selector: FlowQueryTemplate?) {
        (self.arguments, self.items, self.selector) = (arguments, items, selector)
    }
}

/// What comes of a state, of a rule of a choice, or of an error that is caught: its output, and variables.
final class FlowOutcome: Sendable {
    /// Of JSONata alone; nil: the usual.
    let output: FlowQueryTemplate?
    let assign: Assignment?

    enum Assignment: Sendable {
        case path(FlowTemplate)
        case query(FlowQueryTemplate)
    }

    /// Of a rule that says nothing: what the state says is for its `Default`.
    static let nothing = FlowOutcome(output: nil, assign: nil)

    init(output: FlowQueryTemplate?, assign: Assignment?) { (self.output, self.assign) = (output, assign) }
}

/// An expression in JSONata, and the field that has it.
struct FlowQueryText: Sendable {
    let expression: JSONataExpression
    let field: String

    /// What is between `{%` and `%}`; nil: the text is none of an expression.
    static func source(of text: String) -> String? {
        let marks = 4
        guard text.hasPrefix("{%"), text.hasSuffix("%}"), text.utf8.count >= marks else { return nil }
        var source = Substring(text.utf8.dropFirst(2).dropLast(2))
        while let first = source.utf8.first, isBlank(first) { source = Substring(source.utf8.dropFirst()) }
        while let last = source.utf8.last, isBlank(last) { source = Substring(source.utf8.dropLast()) }
        return String(source)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    init(_ source: String, field: String, at place: String) throws(FlowRefusal) {
        do throws(JSONataError) {
            expression = try JSONataExpression(source)
        } catch {
            throw FlowRefusal(
                "The JSONata expression '\(source)' cannot be read: \(error.code): \(error.message)", at: place)
        }
        self.field = field
    }

    /// The value; nothing, and a function, are faults.
    func value(_ data: FlowQueryData) throws(FlowFault) -> JSONValue {
        var budget = data.budget
        let before = budget.steps
        let outcome: Result<JSONValue?, JSONataError>
        do throws(JSONataError) {
            outcome = .success(
                try expression.value(of: nil, data.variables, in: data.surroundings, &budget))
        } catch {
            outcome = .failure(error)
        }
        try data.steps.spend((before - budget.steps) * FlowQueryData.stepCost)
        switch outcome {
        case .success(let value?):
            guard FlowSize.bytes(of: value) != nil else { throw .tooLarge("The value of the field '\(field)'") }
            return value
        case .success(nil): throw fault(" returned nothing (undefined).")
        case .failure(let error):
            guard !error.isOfResult else { throw fault(" returned an unsupported result type.") }
            throw fault(" threw an error during evaluation. \(error.code): \(error.message)")
        }
    }

    func fault(_ what: String) -> FlowFault {
        FlowFault.query(
            "The JSONata expression '\(expression.text)' specified for the field '\(field)'\(what)", location: field)
    }

    /// Of a value that is not of the kind that the field has.
    func unexpected(_ value: JSONValue, wanted: String) -> FlowFault {
        fault(Self.unexpected(value, wanted: wanted))
    }

    static func unexpected(_ value: JSONValue, wanted: String) -> String {
        " returned an unexpected result type. Expected '\(wanted)', but was '\(kind(of: value))' for value: "
            + JSONWriter.text(of: value)
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .double, .largeInteger: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// A value in which each text `{% ... %}` stands for what its expression gives.
///
///     {"order": "{% $states.input.id %}", "kind": "paid"}
struct FlowQueryTemplate: Sendable {
    private indirect enum Node: Sendable {
        case fixed(JSONValue)
        case expression(FlowQueryText)
        case object([(name: String, node: Node)])
        case array([Node])
    }

    private let root: Node
    let field: String

    init(_ value: JSONValue, field: String, at place: String) throws(FlowRefusal) {
        self.field = field
        root = try Self.node(value, field, place)
    }

    private static func node(_ value: JSONValue, _ field: String, _ place: String) throws(FlowRefusal) -> Node {
        switch value {
        case .string(let text):
            guard let source = FlowQueryText.source(of: text) else { return .fixed(value) }
            return .expression(try FlowQueryText(source, field: field, at: place))
        case .array(let elements):
            var nodes: [Node] = []
            for (number, element) in elements.enumerated() {
                nodes.append(try node(element, "\(field)[\(number)]", "\(place)[\(number)]"))
            }
            return nodes.allSatisfy(isFixed) ? .fixed(value) : .array(nodes)
        case .object(let object):
            var nodes: [(name: String, node: Node)] = []
            for member in object.members {
                nodes.append((member.key, try node(member.value, "\(field)/\(member.key)", "\(place)/\(member.key)")))
            }
            return nodes.allSatisfy { isFixed($0.node) } ? .fixed(value) : .object(nodes)
        default: return .fixed(value)
        }
    }

    private static func isFixed(_ node: Node) -> Bool { if case .fixed = node { true } else { false } }

    /// The expression, where the whole is one.
    var expression: FlowQueryText? { if case .expression(let text) = root { text } else { nil } }

    func value(_ data: FlowQueryData) throws(FlowFault) -> JSONValue {
        var bytesLeft = WorkflowLimits.dataBytesMax
        return try value(root, data, &bytesLeft)
    }

    private func value(
        _ node: Node, _ data: FlowQueryData, _ bytesLeft: inout Int
    ) throws(FlowFault) -> JSONValue {
        switch node {
        case .fixed(let value): return value
        case .expression(let text):
            let value = try text.value(data)
            bytesLeft -= FlowSize.bytes(of: value) ?? WorkflowLimits.dataBytesMax
            guard bytesLeft >= 0 else { throw .tooLarge("The value of the field '\(field)'") }
            return value
        case .array(let nodes):
            var elements: [JSONValue] = []
            for node in nodes { elements.append(try value(node, data, &bytesLeft)) }
            return .array(elements)
        case .object(let nodes):
            var object = JSONObject()
            for (name, node) in nodes { object.set(name, to: try value(node, data, &bytesLeft)) }
            return .object(object)
        }
    }
}

/// The variables of a state's expressions: `$states`, and those assigned before.
struct FlowQueryData: Sendable {
    let variables: JSONataVariables
    let surroundings: JSONataSurroundings
    let steps: FlowSteps

    /// What a step of an expression costs, in steps of states.
    static let stepCost = 40

    var budget: JSONataBudget {
        JSONataBudget(steps: min(JSONataLimits.stepsMax, max(0, steps.remaining / Self.stepCost)))
    }
}

extension FlowFault {
    static let queryName = "States.QueryEvaluationError"

    static func query(_ cause: String, location: String) -> FlowFault {
        var fault = FlowFault(queryName, cause)
        fault.location = location
        return fault
    }

    /// The same with the state whose field it is of.
    func at(_ state: String, enteredAt event: Int) -> FlowFault {
        var fault = FlowFault(
            error,
            "An error occurred while executing the state '\(state)' (entered at the event id #\(event)). \(cause)")
        fault.location = location
        return fault
    }
}
