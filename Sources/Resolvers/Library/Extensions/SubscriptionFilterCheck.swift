import JSON

/// Whether a filter of subscriptions is one: `{filterGroup: [{filters: [{fieldName, operator, value}]}]}` within AppSync's limits.
///
/// A handler whose filter is none fails, and so does the subscription: without it, it would get more than was meant.
enum SubscriptionFilterCheck {
    /// How many values stand on the right of an operator.
    private enum Values {
        case one
        case exactly(Int)
        case atMost(Int)
    }

    private static let operators: [ByteText: Values] = [
        "eq": .one, "ne": .one, "le": .one, "lt": .one, "ge": .one, "gt": .one, "contains": .one,
        "notContains": .one, "beginsWith": .one, "in": .atMost(LibraryLimits.filterListMax),
        "notIn": .atMost(LibraryLimits.filterListMax), "between": .exactly(2),
        "containsAny": .atMost(LibraryLimits.filterContainsAnyMax),
    ]

    /// The first argument, if it is one.
    static func checked(_ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        let filter = call[0]
        guard let groups = filter["filterGroup"]?.array else {
            throw refusal(call, "a filter is an object with the list 'filterGroup', but it is \(filter.kind)")
        }
        guard groups.count <= LibraryLimits.filterGroupsMax else {
            throw refusal(call, "a filter has at most \(LibraryLimits.filterGroupsMax) groups")
        }
        var fields: Set<ByteText> = []
        for group in groups {
            guard let filters = group["filters"]?.array else {
                throw refusal(call, "a group is an object with the list 'filters'")
            }
            guard filters.count <= LibraryLimits.filterConditionsMax else {
                throw refusal(call, "a group has at most \(LibraryLimits.filterConditionsMax) filters")
            }
            try call.count(1 + filters.count)
            for condition in filters { fields.add(try field(of: condition, &call)) }
        }
        guard fields.count <= LibraryLimits.filterFieldsMax else {
            throw refusal(call, "a filter names at most \(LibraryLimits.filterFieldsMax) fields")
        }
        return filter
    }

    private static func field(
        of condition: JSONValue, _ call: inout LibraryCall
    ) throws(ResolverError) -> String {
        guard let field = condition["fieldName"]?.string, !field.isEmpty else {
            throw refusal(call, "each of the filters has a 'fieldName'")
        }
        guard field.parts(separatedBy: ".").count <= LibraryLimits.filterPathMax else {
            throw refusal(call, "'\(field.prefix(100))' has more than \(LibraryLimits.filterPathMax) levels")
        }
        let name = condition["operator"]?.string ?? ""
        guard let values = operators[name] else {
            throw refusal(call, "'\(name.prefix(100))' is no operator of filters")
        }
        let value = condition["value"] ?? .null
        let list = value.array
        switch values {
        case .one: break
        case .exactly(let count):
            guard list?.count == count else { throw refusal(call, "\(name) has a list of \(count) values") }
        case .atMost(let count):
            guard let list, list.count <= count else {
                throw refusal(call, "\(name) has a list of at most \(count) values")
            }
        }
        for case .string(let text) in list ?? [value] where text.utf16.count > LibraryLimits.filterTextMax {
            throw refusal(call, "a text has at most \(LibraryLimits.filterTextMax) characters")
        }
        return field
    }

    private static func refusal(_ call: LibraryCall, _ what: String) -> ResolverError {
        .fault("\(call.function): \(what).")
    }
}
