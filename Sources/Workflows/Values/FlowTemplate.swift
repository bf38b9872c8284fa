import JSON

/// A value with places for others: a member whose name ends in `.$` is what its path or its function gives.
///
///     {"order.$": "$.id", "note.$": "States.Format('for {}', $.name)", "kind": "paid"}
struct FlowTemplate: Sendable {
    private indirect enum Node: Sendable {
        case fixed(JSONValue)
        case expression(FlowExpression, field: String)
        case object([(name: String, node: Node)])
        case array([Node])
    }

    private let root: Node

    private static let ending = ".$"

    init(_ value: JSONValue, at place: String) throws(FlowRefusal) { root = try Self.node(value, place) }

    private static func node(_ value: JSONValue, _ place: String) throws(FlowRefusal) -> Node {
        switch value {
        case .array(let elements):
            var nodes: [Node] = []
            for (number, element) in elements.enumerated() { nodes.append(try node(element, "\(place)[\(number)]")) }
            return nodes.allSatisfy(isFixed) ? .fixed(value) : .array(nodes)
        case .object(let object):
            var nodes: [(name: String, node: Node)] = []
            for member in object.members {
                let inner = "\(place)/\(member.key)"
                guard member.key.hasSuffix(ending) else {
                    nodes.append((member.key, try node(member.value, inner)))
                    continue
                }
                guard let text = member.value.string, let expression = FlowExpression(text) else {
                    throw FlowRefusal(
                        "The value for the field '\(member.key)' must be a valid JSONPath or a valid intrinsic function call",
                        at: inner)
                }
                nodes.append((String(member.key.dropLast(ending.count)), .expression(expression, field: member.key)))
            }
            return nodes.allSatisfy { isFixed($0.node) } ? .fixed(value) : .object(nodes)
        default: return .fixed(value)
        }
    }

    private static func isFixed(_ node: Node) -> Bool { if case .fixed = node { true } else { false } }

    func value(_ data: FlowData, _ chance: FlowChance) throws(FlowFault) -> JSONValue {
        try Self.value(root, data, chance)
    }

    private static func value(
        _ node: Node, _ data: FlowData, _ chance: FlowChance
    ) throws(FlowFault) -> JSONValue {
        switch node {
        case .fixed(let value): return value
        case .expression(let expression, let field): return try expression.value(data, chance, field: field)
        case .array(let nodes):
            var elements: [JSONValue] = []
            for node in nodes { elements.append(try value(node, data, chance)) }
            return .array(elements)
        case .object(let nodes):
            var object = JSONObject()
            for (name, node) in nodes { object.set(name, to: try value(node, data, chance)) }
            return .object(object)
        }
    }
}

/// What is by chance: names nobody has, and numbers.
package struct FlowChance: Sendable {
    let makeID: @Sendable () -> String
    /// From 0 up to, not with, 1.
    let fraction: @Sendable () -> Double

    package init(makeID: @escaping @Sendable () -> String, fraction: @escaping @Sendable () -> Double) {
        (self.makeID, self.fraction) = (makeID, fraction)
    }
}
