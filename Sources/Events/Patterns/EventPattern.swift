import JSON

/// What a rule looks for in events: an object in the form of the event, whose lists say what a value there may be.
///
///     {"source": ["shop"], "detail": {"total": [{"numeric": [">", 100]}], "$or": [{"a": [1]}, {"b": [2]}]}}
///
/// A point in a name leads into an object, in patterns as in events: `{"detail": {"state.status": [...]}}` looks for what
/// `{"detail": {"state": {"status": [...]}}}` looks for.
package struct EventPattern: Sendable {
    private indirect enum Node: Sendable {
        /// All members and one of each of the alternatives.
        case object([(name: String, node: Node)], alternatives: [[Node]])
        /// One of them.
        case values([ValueTest])
    }

    private let root: Node
    package let source: JSONValue

    package init(_ value: JSONValue) throws(EventError) {
        guard let object = value.object, !object.isEmpty else {
            throw .pattern("Event pattern must be a non-empty object")
        }
        var leaves = 0
        root = try Self.node(object, depth: 0, &leaves)
        source = value
    }

    private static func node(_ object: JSONObject, depth: Int, _ leaves: inout Int) throws(EventError) -> Node {
        guard depth < EventLimits.patternNestingMax else { throw .pattern("Event pattern is nested too deeply") }
        var members: [(name: String, node: Node)] = []
        var alternatives: [[Node]] = []
        for member in object.members {
            if member.key == "$or", let list = member.value.array, list.count > 1,
                list.allSatisfy({ $0.object != nil })
            {
                var nodes: [Node] = []
                for value in list { nodes.append(try node(value.object ?? JSONObject(), depth: depth + 1, &leaves)) }
                alternatives.append(nodes)
                continue
            }
            let names = member.key.parts(separatedBy: ".")
            let level = depth + names.count - 1
            guard level < EventLimits.patternNestingMax else { throw .pattern("Event pattern is nested too deeply") }
            switch member.value {
            case .object(let inner):
                guard !inner.isEmpty else { throw .pattern("Empty objects are not allowed: \(member.key)") }
                members.append(Self.member(names, try node(inner, depth: level + 1, &leaves)))
            case .array(let list):
                guard !list.isEmpty else { throw .pattern("Empty arrays are not allowed: \(member.key)") }
                leaves += list.count
                guard leaves <= EventLimits.patternLeavesMax else {
                    throw .pattern("Event pattern has too many values")
                }
                var tests: [ValueTest] = []
                for value in list { tests.append(try ValueTest(value)) }
                members.append(Self.member(names, .values(tests)))
            default: throw .pattern("\"\(member.key)\" must be an object or an array")
            }
        }
        return .object(members, alternatives: alternatives)
    }

    /// A member by the parts of its name, of which each leads into the next.
    private static func member(_ names: [String], _ node: Node) -> (name: String, node: Node) {
        let inner = names.dropFirst().reversed().reduce(node) { .object([($1, $0)], alternatives: []) }
        return (names.first ?? "", inner)
    }

    package func matches(_ event: JSONValue) -> Bool { matches(EventSubject(event)) }

    package func matches(_ subject: EventSubject) -> Bool { Self.matches(root, subject.value) }

    private static func matches(_ node: Node, _ value: JSONValue?) -> Bool {
        switch node {
        case .object(let members, let alternatives):
            // Of a list one element has to be so.
            if let list = value?.array, !list.isEmpty { return list.contains { matches(node, $0) } }
            return members.allSatisfy { matches($0.node, value?[$0.name]) }
                && alternatives.allSatisfy { $0.contains { matches($0, value) } }
        case .values(let tests):
            guard let value else { return tests.contains(where: \.matchesNothing) }
            // What has members is no value.
            if value.object != nil { return tests.contains(where: \.matchesNothing) }
            if let list = value.array {
                return list.contains { element in tests.contains { $0.matches(element) } }
                    || list.isEmpty && tests.contains(where: \.matchesNothing)
            }
            return tests.contains { $0.matches(value) }
        }
    }
}
