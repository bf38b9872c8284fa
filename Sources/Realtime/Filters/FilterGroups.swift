import JSON

/// The filter that a handler of a subscription sets, read and checked: `{filterGroup: [{filters: [{fieldName, operator, value}]}]}`
/// becomes an `EventFilter`.
enum FilterGroups {
    /// Groups of which one has to be met; without any every event does.
    static func filter(_ value: JSONValue) throws(FilterArgument.Refusal) -> EventFilter {
        guard let groups = value["filterGroup"]?.array else {
            throw .invalid("expected an object with the list filterGroup, found \(value.kind)")
        }
        guard groups.count <= FilterLimits.groupsMax else { throw .tooManyGroups }
        var parts: [EventFilter] = []
        for group in groups {
            let filters = group["filters"]?.array ?? []
            guard filters.count <= FilterLimits.handlerConditionsMax else { throw .tooManyConditions }
            var conditions: [EventFilter] = []
            for filter in filters { conditions.append(.condition(try condition(filter))) }
            parts.append(conditions.count == 1 ? conditions[0] : .all(conditions))
        }
        if parts.isEmpty { return .everything }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private static func condition(_ filter: JSONValue) throws(FilterArgument.Refusal) -> FilterCondition {
        guard let field = filter["fieldName"]?.string, !field.isEmpty else {
            throw .invalid("expected a fieldName for each of the filters")
        }
        let path = field.parts(separatedBy: ".")
        guard path.count <= FilterLimits.pathStepsMax else {
            throw .invalid("expected at most \(FilterLimits.pathStepsMax) steps in \(field)")
        }
        let name = filter["operator"]?.string ?? ""
        guard let `operator` = FilterOperator(rawValue: name) else {
            throw .invalid("expected a filter operator for \(field), found \(name)")
        }
        let value = filter["value"] ?? .null
        var values = [value]
        if let limit = `operator`.listLimit {
            values = value.array ?? []
            guard limit.accepts(values.count) else {
                throw .invalid("expected \(limit.text) for \(name) of \(field), found \(values.count)")
            }
        }
        for case .string(let text) in values where text.utf16.count > FilterLimits.textMax {
            throw .invalid("expected texts of at most \(FilterLimits.textMax) characters for \(field)")
        }
        return FilterCondition(path, `operator`, values.map(FilterValue.init))
    }
}
