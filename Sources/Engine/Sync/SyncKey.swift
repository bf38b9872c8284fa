import Access
import JSON
import Store

/// The key that a sync query reads by, if its filter begins with one.
///
///     {and: [{list: {eq: "l1"}}, {at: {ge: 2}}, …]}
///            partition           what sorts, if it is one field
///
/// It changes what the query costs, its pages and their order, never which records match: all of the filter is applied
/// to what the key gives.
enum SyncKey {
    static func query(_ filter: JSONValue?, of type: RecordType) -> KeyQuery? {
        guard case .object(let object)? = filter, let (name, list) = only(object), name == "and",
            case .array(let elements) = list, let (partition, condition) = condition(elements.first),
            condition.key == "eq", let key = key(partition, of: type)
        else { return nil }
        let value = StoredValue(condition.value, as: kind(partition, type))
        guard !value.isNull else { return nil }
        return KeyQuery(key, partition: value, sort: sort(elements.dropFirst().first, key, type))
    }

    /// Returns whether the key may be read although the caller sees some records only: not where rules are about its fields,
    /// unless they ask for that very value.
    static func isOpen(_ query: KeyQuery, to access: AccessPredicate) -> Bool {
        let fields = [query.key.partition] + query.key.sort
        guard access.fields.contains(where: fields.contains) else { return true }
        guard access.anyOf.count == 1, let condition = access.anyOf.first else { return false }
        return condition.field == query.key.partition && !condition.isList
            && condition.values.contains { .text($0.string) == query.partition }
    }

    /// The primary key if it is one of the author's own, or the index of that partition.
    private static func key(_ partition: String, of type: RecordType) -> KeyLayout? {
        if type.model.key.isCustom, let key = type.table.primaryKey, key.partition == partition { return key }
        return type.model.indexes.lazy.compactMap { type.table.index(named: $0.name) }
            .first { $0.partition == partition }
    }

    private static func kind(_ field: String, _ type: RecordType) -> ColumnKind {
        type.table.column(of: field)?.kind ?? .text
    }

    private static func only(_ object: JSONObject) -> (name: String, value: JSONValue)? {
        let members = object.members.filter { !$0.value.isNull }
        return members.count == 1 ? members.first.map { ($0.key, $0.value) } : nil
    }

    /// The only field of an element, with its only operator.
    private static func condition(
        _ element: JSONValue?
    ) -> (field: String, condition: (key: String, value: JSONValue))? {
        guard case .object(let object)? = element, let (field, operators) = only(object),
            case .object(let conditions) = operators, let (name, value) = only(conditions)
        else { return nil }
        return (field, (name, value))
    }

    private static func sort(_ element: JSONValue?, _ key: KeyLayout, _ type: RecordType) -> KeyQuery.SortCondition? {
        guard key.sort.count == 1, let field = key.sort.first, let (name, condition) = condition(element),
            name == field
        else { return nil }
        let kind = kind(field, type)
        if condition.key == "between" {
            guard let ends = condition.value.array, ends.count == 2 else { return nil }
            let (low, high) = (StoredValue(ends[0], as: kind), StoredValue(ends[1], as: kind))
            return low.isNull || high.isNull ? nil : .between(low, high)
        }
        let value = StoredValue(condition.value, as: kind)
        guard !value.isNull else { return nil }
        switch (condition.key, value) {
        case ("eq", _): return .compare(.equal, value)
        case ("lt", _): return .compare(.less, value)
        case ("le", _): return .compare(.lessOrEqual, value)
        case ("gt", _): return .compare(.greater, value)
        case ("ge", _): return .compare(.greaterOrEqual, value)
        case ("beginsWith", .text(let prefix)): return .beginsWith(prefix)
        default: return nil
        }
    }
}
