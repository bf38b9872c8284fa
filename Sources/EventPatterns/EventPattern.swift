import JSON

/// A pattern of events: an object in the form of the event, whose lists say what a value there may be.
///
///     {"source": ["shop"], "detail": {"total": [{"numeric": [">", 100]}], "$or": [{"a": [1]}, {"b": [2]}]}}
///
/// A point in a name leads into an object, in patterns as in events: `{"detail": {"state.status": [...]}}` looks for what
/// `{"detail": {"state": {"status": [...]}}}` looks for.
package struct EventPattern: Sendable, Equatable {
    private indirect enum Node: Sendable {
        /// All members and one of each of the alternatives.
        case object([(name: String, node: Node)], alternatives: [[Node]])
        /// One of them.
        case values([ValueTest])
    }

    private let root: Node
    package let source: JSONValue

    /// - Parameter rules: the tests that the service accepts, whose pattern it is.
    package init(_ value: JSONValue, _ rules: PatternRules = .eventBridge) throws(EventPatternError) {
        guard let object = value.object, !object.isEmpty else {
            throw EventPatternError("Event pattern must be a non-empty object")
        }
        var leaves = 0
        root = try Self.node(object, rules, depth: 0, &leaves)
        source = value
    }

    package static func == (left: EventPattern, right: EventPattern) -> Bool { left.source == right.source }

    private static func node(
        _ object: JSONObject, _ rules: PatternRules, depth: Int, _ leaves: inout Int
    ) throws(EventPatternError) -> Node {
        guard depth < EventPatternLimits.nestingMax else {
            throw EventPatternError("Event pattern is nested too deeply")
        }
        var members: [(name: String, node: Node)] = []
        var alternatives: [[Node]] = []
        for member in object.members {
            if member.key == "$or", let list = member.value.array, list.count > 1,
                list.allSatisfy({ $0.object != nil })
            {
                var nodes: [Node] = []
                for value in list {
                    nodes.append(try node(value.object ?? JSONObject(), rules, depth: depth + 1, &leaves))
                }
                alternatives.append(nodes)
                continue
            }
            let names = member.key.parts(separatedBy: ".")
            let level = depth + names.count - 1
            guard level < EventPatternLimits.nestingMax else {
                throw EventPatternError("Event pattern is nested too deeply")
            }
            switch member.value {
            case .object(let inner):
                guard !inner.isEmpty else { throw EventPatternError("Empty objects are not allowed") }
                members.append(Self.member(names, try node(inner, rules, depth: level + 1, &leaves)))
            case .array(let list):
                guard !list.isEmpty else { throw EventPatternError("Empty arrays are not allowed") }
                leaves += list.count
                guard leaves <= EventPatternLimits.leavesMax else {
                    throw EventPatternError("Event pattern has too many values")
                }
                var tests: [ValueTest] = []
                for value in list { tests.append(try ValueTest(value, rules)) }
                members.append(Self.member(names, .values(tests)))
            default: throw EventPatternError("\"\(member.key)\" must be an object or an array")
            }
        }
        return .object(members, alternatives: alternatives)
    }

    /// A member by the parts of its name, of which each leads into the next.
    private static func member(_ names: [String], _ node: Node) -> (name: String, node: Node) {
        let inner = names.dropFirst().reversed().reduce(node) { .object([($1, $0)], alternatives: []) }
        return (names.first ?? "", inner)
    }

    /// Throws where it takes too long.
    package func matches(_ event: JSONValue, _ steps: MatchingSteps) throws(EventPatternError) -> Bool {
        try matches(try EventSubject(event, steps), steps)
    }

    package func matches(_ subject: EventSubject, _ steps: MatchingSteps) throws(EventPatternError) -> Bool {
        try Self.matches(root, subject.value, steps)
    }

    private static func matches(
        _ node: Node, _ value: JSONValue?, _ steps: MatchingSteps
    ) throws(EventPatternError) -> Bool {
        try steps.spend(4)
        switch node {
        case .object(let members, let alternatives):
            // Of a list one element has to be so.
            if let list = value?.array, !list.isEmpty {
                for element in list where try matches(node, element, steps) { return true }
                return false
            }
            for (name, node) in members where try !matches(node, value?[name], steps) { return false }
            for nodes in alternatives where try !hasMatch(nodes, value, steps) { return false }
            return true
        case .values(let tests):
            guard let value else { return tests.contains(where: \.matchesNothing) }
            // What has members is no value.
            if value.object != nil { return tests.contains(where: \.matchesNothing) }
            guard let list = value.array else { return try hasMatch(tests, value, steps) }
            for element in list where try hasMatch(tests, element, steps) { return true }
            return list.isEmpty && tests.contains(where: \.matchesNothing)
        }
    }

    private static func hasMatch(
        _ nodes: [Node], _ value: JSONValue?, _ steps: MatchingSteps
    ) throws(EventPatternError) -> Bool {
        for node in nodes where try matches(node, value, steps) { return true }
        return false
    }

    private static func hasMatch(
        _ tests: [ValueTest], _ value: JSONValue, _ steps: MatchingSteps
    ) throws(EventPatternError) -> Bool {
        for test in tests where try test.matches(value, steps) { return true }
        return false
    }
}
