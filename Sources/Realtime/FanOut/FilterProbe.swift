import JSON

/// A place of an event that is looked up in a hash.
struct ProbedField: Hashable {
    let path: [String]
    /// Whether the field is a list whose elements are looked up one by one.
    let isList: Bool
}

/// A necessary condition of a filter in a form that a hash can answer: these fields have these values.
///
/// A filter with probes can only be met by an event that one of them finds. So what an event costs follows the
/// subscribers that it finds, not those that there are.
struct FilterProbe: Hashable {
    private(set) var fields: [ProbedField]
    private(set) var values: [FilterValue]

    /// The field and its value where there is just one, and no list.
    var single: (ProbedField, FilterValue)? {
        guard fields.count == 1, values.count == 1, !fields[0].isList else { return nil }
        return (fields[0], values[0])
    }

    private static let nothing = FilterProbe(fields: [], values: [])

    /// The probes of a filter, or nil when it can be met by an event that no hash finds.
    ///
    /// `isList` says whether the schema has a list at a path: there, `contains` asks for an element, not for a part.
    static func probes(of filter: EventFilter, isList: ([String]) -> Bool) -> [FilterProbe]? {
        switch filter {
        case .condition(let condition):
            return probes(of: condition, isList: isList)
        case .any(let parts):
            var probes: [FilterProbe] = []
            for part in parts {
                guard let more = Self.probes(of: part, isList: isList) else { return nil }
                probes += more
                guard probes.count <= FilterLimits.probesMax else { return nil }
            }
            return probes
        case .all(let parts):
            // All parts that have just one probe make one probe together; of the others, one part can be multiplied in.
            let known = parts.compactMap { Self.probes(of: $0, isList: isList) }
            var joined = Self.nothing
            for probes in known where probes.count == 1 { joined = joined.joined(with: probes[0]) ?? joined }
            guard let several = known.filter({ $0.count != 1 }).min(by: { $0.count < $1.count }) else {
                return joined.fields.isEmpty ? nil : [joined]
            }
            return joined.fields.isEmpty ? several : several.map { joined.joined(with: $0) ?? joined }
        }
    }

    private static func probes(of condition: FilterCondition, isList: ([String]) -> Bool) -> [FilterProbe]? {
        let isList = isList(condition.path)
        switch (condition.operator, isList) {
        case (.eq, false), (.in, false): break
        case (.contains, true), (.containsAny, true): break
        default: return nil
        }
        let field = ProbedField(path: condition.path, isList: isList)
        return Set(condition.values).map { FilterProbe(fields: [field], values: [$0]) }
    }

    /// Both, fields in a fixed order; nil when they cannot be one probe: at the most one list is looked up.
    private func joined(with other: FilterProbe) -> FilterProbe? {
        if fields.isEmpty { return other }
        let places = Set(fields)
        guard !other.fields.contains(where: places.contains), !(fields + other.fields).moreThanOneList
        else { return nil }
        var pairs = Array(zip(fields, values))
        pairs.append(contentsOf: zip(other.fields, other.values))
        pairs.sort { $0.0.path.lexicographicallyPrecedes($1.0.path, by: <) }
        return FilterProbe(fields: pairs.map { $0.0 }, values: pairs.map { $0.1 })
    }

    /// The values that an event has where the fields are: one row for each element of the list, if there is one.
    static func rows(of fields: [ProbedField], in event: JSONObject) -> [[FilterValue]] {
        var rows: [[FilterValue]] = [[]]
        for field in fields {
            let found = event.value(at: field.path)
            if field.isList {
                let elements = Set((found.array ?? []).map(FilterValue.init))
                rows = elements.flatMap { element in rows.map { $0 + [element] } }
            } else {
                let value = FilterValue(found)
                for index in rows.indices { rows[index].append(value) }
            }
        }
        return rows
    }
}

extension Sequence<ProbedField> {
    fileprivate var moreThanOneList: Bool { reduce(0) { $0 + ($1.isList ? 1 : 0) } > 1 }
}
