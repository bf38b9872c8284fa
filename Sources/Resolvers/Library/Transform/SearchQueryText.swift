import JSON

/// A filter such as `{title: {eq: "x"}, or: [{a: {gt: 1}}, …]}` in the query language of OpenSearch.
enum SearchQueryText {
    /// Operators that are queries of their own, and what those are called.
    private static let queries: [ByteText: String] = [
        "eq": "term", "match": "match", "matchPhrase": "match_phrase", "matchPhrasePrefix": "match_phrase_prefix",
        "wildcard": "wildcard", "regexp": "regexp", "prefix": "prefix", "fuzzy": "fuzzy",
    ]
    private static let ranges: Set<ByteText> = ["gt", "gte", "lt", "lte"]
    /// The groups, and the lists that they are.
    private static let groups: [ByteText: String] = ["and": "must", "or": "should", "not": "must_not"]

    /// Nil: the filter has something that no query says.
    static func of(_ filter: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue? {
        guard let filter = filter.object, let parts = try queries(of: filter, &call, depth: 1) else { return nil }
        return bool("must", parts)
    }

    private static func bool(_ list: String, _ parts: [JSONValue]) -> JSONValue {
        ["bool": .object(JSONObject([(list, .array(parts))]))]
    }

    private static func queries(
        of filter: JSONObject, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> [JSONValue]? {
        try call.check(depth: depth)
        try call.count(1 + filter.count)
        var parts: [JSONValue] = []
        for member in filter {
            if let list = groups[member.key] {
                guard let part = try group(member.value, list, &call, depth) else { return nil }
                parts.append(part)
            } else {
                guard let operators = member.value.object else { return nil }
                try call.count(operators.count)
                var conditions: [JSONValue] = []
                for condition in operators {
                    guard let query = query(condition, on: member.key) else { return nil }
                    conditions.append(query)
                }
                parts.append(bool("must", conditions))
            }
        }
        return parts
    }

    private static func group(
        _ filters: JSONValue, _ list: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> JSONValue? {
        // `not` has one filter or several.
        guard let filters = filters.array ?? filters.object.map({ [.object($0)] }) else { return nil }
        var parts: [JSONValue] = []
        for filter in filters {
            guard let filter = filter.object, let queries = try queries(of: filter, &call, depth: depth + 1),
                let first = queries.first
            else { return nil }
            parts.append(queries.count == 1 ? first : bool("must", queries))
        }
        return bool(list, parts)
    }

    private static func query(_ condition: JSONObject.Member, on field: String) -> JSONValue? {
        func query(_ name: String, _ value: JSONValue) -> JSONValue {
            .object(JSONObject([(name, .object(JSONObject([(field, value)])))]))
        }
        if let name = queries[condition.key] { return query(name, condition.value) }
        if ranges.contains(condition.key) {
            return query("range", .object(JSONObject([(condition.key, condition.value)])))
        }
        switch condition.key {
        case "ne": return ["bool": ["must_not": query("term", condition.value)]]
        case "range":
            guard let first = condition.value[0], let last = condition.value[1] else { return nil }
            return query("range", ["gte": first, "lte": last])
        case "exists":
            let exists: JSONValue = ["exists": ["field": .string(field)]]
            return condition.value.bool == false ? ["bool": ["must_not": exists]] : exists
        case "multiMatch": return ["multi_match": ["query": condition.value, "fields": [.string(field)]]]
        default: return nil
        }
    }
}
