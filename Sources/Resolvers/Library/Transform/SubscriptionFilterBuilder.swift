import JSON

/// A filter such as `{a: {eq: 1}, or: [{b: {eq: 2}}, …]}` as groups of which one has to fulfil all of its conditions.
///
/// Every operator of a field, every member of an `or` and every rule is an alternative; fields and members of an `and` go together,
/// so the alternatives of each multiply. `not` is a field like any other to AppSync.
struct SubscriptionFilterBuilder {
    /// Conditions that hold together.
    private typealias Group = [JSONValue]

    private let ignored: Set<ByteText>

    /// Null: it is no filter.
    ///
    /// - Parameters:
    ///   - ignored: names of fields that are left out.
    ///   - rules: fields with their operators, of which at least one has to hold as well.
    static func filter(
        _ filter: JSONValue, ignoring ignored: JSONValue, rules: JSONValue, _ call: inout LibraryCall
    ) throws(ResolverError) -> JSONValue {
        let builder = Self(ignored: Set(texts: (ignored.array ?? []).compactMap(\.string)))
        guard let filter = filter.object, var groups = try builder.groups(of: filter, &call, depth: 1) else {
            return .null
        }
        if let rules = rules.object {
            var alternatives: [Group] = []
            for rule in rules {
                guard let groups = try builder.groups(of: JSONObject(distinct: [rule]), &call, depth: 1) else {
                    return .null
                }
                alternatives += groups
            }
            groups = try builder.product(groups, alternatives, &call)
        }
        return ["filterGroup": .array(groups.map { ["filters": .array($0)] })]
    }

    private func groups(
        of filter: JSONObject, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> [Group]? {
        try call.check(depth: depth)
        try call.count(1 + filter.count)
        var groups: [Group] = []
        for member in filter {
            guard let alternatives = try alternatives(of: member, &call, depth) else { return nil }
            groups = try product(groups, alternatives, &call)
        }
        return groups
    }

    private func alternatives(
        of member: JSONObject.Member, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> [Group]? {
        switch member.key {
        case "and", "or":
            guard let filters = member.value.array else { return nil }
            var all: [Group] = []
            for filter in filters {
                guard let filter = filter.object, let groups = try groups(of: filter, &call, depth: depth + 1) else {
                    return nil
                }
                all = member.key == "and" ? try product(all, groups, &call) : all + groups
            }
            return all
        default:
            guard let operators = member.value.object else { return nil }
            guard !ignored.contains(member.key) else { return [] }
            try call.count(operators.count)
            return operators.map { condition in
                [["fieldName": .string(member.key), "operator": .string(condition.key), "value": condition.value]]
            }
        }
    }

    /// Each of these with each of those. Where there is nothing on one side, the other stays as it is.
    private func product(
        _ one: [Group], _ other: [Group], _ call: inout LibraryCall
    ) throws(ResolverError) -> [Group] {
        guard !one.isEmpty, !other.isEmpty else { return one + other }
        // Beyond, a filter has more groups than any subscription may have.
        guard one.count <= LibraryLimits.alternativesMax / other.count else {
            throw .fault("\(call.function) makes more than \(LibraryLimits.alternativesMax) groups of the filter.")
        }
        var all: [Group] = []
        all.reserveCapacity(one.count * other.count)
        for left in one {
            for right in other {
                try call.count(left.count + right.count)
                all.append(left + right)
            }
        }
        return all
    }
}
