import JSON

/// The `filter` argument of a subscription, read and checked: `ModelSubscription…FilterInput` becomes an `EventFilter`.
struct FilterArgument {
    /// What is wrong with a filter.
    struct Refusal: Error, Equatable {
        let message: String
    }

    /// One way to meet the filter: conditions that all have to be met.
    typealias Group = [FilterCondition]

    /// The filter of an argument, or nil when it asks for nothing.
    static func filter(_ argument: JSONValue) throws(Refusal) -> EventFilter? {
        guard case .object(let object) = argument, !object.isEmpty else { return nil }
        let groups = try groups(of: object, depth: 1)
        for group in groups where group.count > FilterLimits.conditionsMax {
            throw Refusal(
                message: "expected at most \(FilterLimits.conditionsMax) filters in a group, found \(group.count)")
        }
        if groups.contains(where: \.isEmpty) { return nil }
        let parts = groups.map { group in
            group.count == 1 ? EventFilter.condition(group[0]) : .all(group.map { .condition($0) })
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// The groups of AppSync's wire form: an or of ands, to which the limits apply.
    private static func groups(of object: JSONObject, depth: Int) throws(Refusal) -> [Group] {
        guard depth <= FilterLimits.nestingMax else {
            throw Refusal(message: "expected at most \(FilterLimits.nestingMax) levels of and and or, found more")
        }
        var groups: [Group] = [[]]
        for member in object {
            switch member.key {
            case "and":
                for part in member.value.array ?? [] {
                    guard case .object(let part) = part else { continue }
                    groups = try product(groups, Self.groups(of: part, depth: depth + 1))
                }
            case "or":
                var alternatives: [Group] = []
                for part in member.value.array ?? [] {
                    guard case .object(let part) = part else { continue }
                    alternatives += try Self.groups(of: part, depth: depth + 1)
                    try check(alternatives.count)
                }
                if !alternatives.isEmpty { groups = try product(groups, alternatives) }
            default:
                guard case .object(let operators) = member.value else { continue }
                let conditions = try conditions(member.key, operators)
                groups = groups.map { $0 + conditions }
            }
        }
        return groups
    }

    private static func product(_ left: [Group], _ right: [Group]) throws(Refusal) -> [Group] {
        try check(left.count * right.count)
        return left.flatMap { left in right.map { left + $0 } }
    }

    private static func check(_ groups: Int) throws(Refusal) {
        guard groups <= FilterLimits.groupsMax else {
            throw Refusal(message: "expected at most \(FilterLimits.groupsMax) filter groups, found \(groups)")
        }
    }

    private static func conditions(_ field: String, _ operators: JSONObject) throws(Refusal) -> Group {
        var conditions: Group = []
        for member in operators {
            guard let `operator` = FilterOperator(rawValue: member.key) else {
                throw Refusal(message: "expected a filter operator for \(field), found \(member.key)")
            }
            guard let limit = `operator`.listLimit else {
                conditions.append(FilterCondition([field], `operator`, [FilterValue(member.value)]))
                continue
            }
            // A null is no list: nothing is in it.
            let values = (member.value.array ?? []).map(FilterValue.init)
            guard limit.accepts(values.count) else {
                throw Refusal(
                    message: "expected \(limit.text) for \(member.key) of \(field), found \(values.count)")
            }
            conditions.append(FilterCondition([field], `operator`, values))
        }
        return conditions
    }
}
