import JSON

/// An operator of AppSync's enhanced filters.
package enum FilterOperator: String, Sendable, Hashable, CaseIterable {
    case eq, ne, le, lt, ge, gt
    case contains, notContains, beginsWith
    case `in`, notIn
    case between, containsAny

    /// How many values stand on its right, when that is a list.
    var listLimit: (text: String, accepts: @Sendable (Int) -> Bool)? {
        switch self {
        case .in, .notIn:
            ("at most \(FilterLimits.inValuesMax) values", { $0 <= FilterLimits.inValuesMax })
        case .between:
            ("exactly \(FilterLimits.betweenValues) values", { $0 == FilterLimits.betweenValues })
        case .containsAny:
            ("at most \(FilterLimits.containsAnyValuesMax) values", { $0 <= FilterLimits.containsAnyValuesMax })
        default: nil
        }
    }
}

/// One comparison of a filter: a field of the event, an operator, the values on its right.
package struct FilterCondition: Sendable, Hashable {
    /// The way to the field from the event's root.
    package let path: [String]
    package let `operator`: FilterOperator
    /// One value, or those of a list.
    package let values: [FilterValue]

    package init(_ path: [String], _ operator: FilterOperator, _ values: [FilterValue]) {
        self.path = path
        self.operator = `operator`
        self.values = values
    }

    /// Whether an event meets it.
    func matches(_ event: JSONObject) -> Bool {
        let found = event.value(at: path)
        guard case .array(let elements) = found else { return matches(FilterValue(found)) }
        return matches(list: elements.map(FilterValue.init), whole: found)
    }

    private func matches(_ found: FilterValue) -> Bool {
        if found == .null { return matchesNull }
        guard let first = values.first else { return `operator` == .notIn }
        switch `operator` {
        case .eq: return found == first
        case .ne: return found != first
        case .lt: return found.precedes(first) ?? false
        case .gt: return first.precedes(found) ?? false
        case .le: return first.precedes(found).map(!) ?? false
        case .ge: return found.precedes(first).map(!) ?? false
        case .contains: return found.holds(first)
        case .notContains: return !found.holds(first)
        case .beginsWith: return found.begins(with: first)
        case .in: return values.contains(found)
        case .notIn: return !values.contains(found)
        case .containsAny: return values.contains { found.holds($0) }
        case .between:
            guard let last = values.last else { return false }
            return (found.precedes(first).map(!) ?? false) && (last.precedes(found).map(!) ?? false)
        }
    }

    /// A list has members; only `eq` and `ne` look at it as a whole.
    private func matches(list: [FilterValue], whole: JSONValue) -> Bool {
        switch `operator` {
        case .eq: return values.first == FilterValue(whole)
        case .ne: return values.first != FilterValue(whole)
        case .contains: return values.first.map(list.contains) ?? false
        case .notContains: return !(values.first.map(list.contains) ?? false)
        case .containsAny: return values.contains(where: list.contains)
        case .notIn: return true
        case .le, .lt, .ge, .gt, .beginsWith, .in, .between: return false
        }
    }

    /// A field that is null or that the mutation did not select meets only what says that something is not so, and
    /// equality with null.
    private var matchesNull: Bool {
        switch `operator` {
        case .eq, .in: values.contains(.null)
        case .ne, .notIn: !values.contains(.null)
        case .notContains: true
        default: false
        }
    }
}
