import JSON

/// What a path asks of elements: `?(@.price > 10 && @.name)`.
indirect enum FlowFilter: Sendable {
    /// In the order in which they are looked for: a longer one before its beginning.
    enum Comparison: String, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
    }

    enum Operand: Sendable {
        case value(JSONValue)
        case path(FlowPath, isOfRoot: Bool)
    }

    case any([FlowFilter])
    case all([FlowFilter])
    case not(FlowFilter)
    case has(FlowPath, isOfRoot: Bool)
    case compare(Operand, Comparison, Operand)

    func holds(for value: JSONValue, root: JSONValue, _ look: inout FlowLook) throws(FlowFault) -> Bool {
        switch self {
        case .any(let tests):
            for test in tests where try test.holds(for: value, root: root, &look) { return true }
            return false
        case .all(let tests):
            for test in tests where try !test.holds(for: value, root: root, &look) { return false }
            return true
        case .not(let test): return try !test.holds(for: value, root: root, &look)
        case .has(let path, let isOfRoot):
            return try path.values(in: isOfRoot ? root : value, root: root, &look)?.isEmpty == false
        case .compare(let left, let comparison, let right):
            guard let left = try Self.value(left, value, root, &look),
                let right = try Self.value(right, value, root, &look)
            else { return false }
            try look.steps.spend(min(FlowSteps.weight(of: left), FlowSteps.weight(of: right)))
            return Self.holds(left, comparison, right)
        }
    }

    private static func value(
        _ operand: Operand, _ value: JSONValue, _ root: JSONValue, _ look: inout FlowLook
    ) throws(FlowFault) -> JSONValue? {
        switch operand {
        case .value(let value): return value
        case .path(let path, let isOfRoot):
            let values = try path.values(in: isOfRoot ? root : value, root: root, &look)
            return path.isDefinite ? values?.first : values.map { .array($0) }
        }
    }

    private static func holds(_ left: JSONValue, _ comparison: Comparison, _ right: JSONValue) -> Bool {
        switch comparison {
        case .equal: return isSame(left, right)
        case .unequal: return !isSame(left, right)
        default: break
        }
        if let one = left.number, let other = right.number {
            return switch comparison {
            case .less: one < other
            case .greater: one > other
            case .atMost: one <= other
            default: one >= other
            }
        }
        guard let one = left.text, let other = right.text else { return false }
        return switch comparison {
        case .less: one < other
        case .greater: one > other
        case .atMost: one <= other
        default: one >= other
        }
    }

    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let one = left.number, let other = right.number { return one == other }
        return left == right
    }
}
