import JSON

/// The `filter` argument of a subscription, read and checked: `ModelSubscription…FilterInput` becomes an `EventFilter`.
///
/// The limits are for what the client asks for. What the rules of access add of themselves is not counted: AppSync counts it,
/// and refuses a filter of four fields to somebody whom two rules admit.
struct FilterArgument {
    /// What is wrong with a filter, as the client reads it.
    struct Refusal: Error, Equatable {
        let message: String

        static func invalid(_ reason: String) -> Refusal {
            Refusal(message: "Invalid subscription filter: \(reason)")
        }

        /// AppSync's own words for a filter that is too big. DataStore looks for them: it subscribes again without a filter,
        /// and filters itself. Any other words silence it.
        static let tooManyGroups = Refusal(
            message: "Filters combination exceed maximum limit \(FilterLimits.groupsMax) for subscription.")
        static let tooManyConditions = Refusal(
            message: "Filters exceed maximum attributes limit \(FilterLimits.conditionsMax) for subscription.")
    }

    /// One way to meet the filter: conditions that all have to be met.
    typealias Group = [FilterCondition]

    /// The filter of an argument, or nil when it asks for nothing.
    static func filter(_ argument: JSONValue) throws(Refusal) -> EventFilter? {
        guard case .object(let object) = argument, !object.isEmpty else { return nil }
        let groups = try groups(of: object, depth: 1)
        for group in groups where group.count > FilterLimits.conditionsMax {
            throw .tooManyConditions
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
            throw .invalid("expected at most \(FilterLimits.nestingMax) levels of and and or, found more")
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
        guard groups <= FilterLimits.groupsMax else { throw .tooManyGroups }
    }

    private static func conditions(_ field: String, _ operators: JSONObject) throws(Refusal) -> Group {
        var conditions: Group = []
        for member in operators {
            guard let `operator` = FilterOperator(rawValue: member.key) else {
                throw .invalid("expected a filter operator for \(field), found \(member.key)")
            }
            guard let limit = `operator`.listLimit else {
                conditions.append(FilterCondition([field], `operator`, [FilterValue(member.value)]))
                continue
            }
            // A null is no list: nothing is in it.
            let values = (member.value.array ?? []).map(FilterValue.init)
            guard limit.accepts(values.count) else {
                throw .invalid("expected \(limit.text) for \(member.key) of \(field), found \(values.count)")
            }
            conditions.append(FilterCondition([field], `operator`, values))
        }
        return conditions
    }
}
