import Access
import JSON
import Store

/// What the app's own steps ask of records beside what the caller and the rules ask.
extension Execution {
    /// The filters that steps have left; nil: none.
    func filters(of type: RecordType) throws(RunError) -> Predicate? {
        guard let change, !change.filters.isEmpty else { return nil }
        return try ofField { () throws(FieldFailure) -> Predicate in
            var filter = FilterReader(type.table)
            var parts: [Predicate] = []
            for one in change.filters { parts.append(try filter.predicate(one)) }
            return .all(parts)
        }
    }

    /// Whether the record of a key meets them, where there is one.
    mutating func meetsFilters(_ get: GetPlan, _ key: [StoredValue]) throws(RunError) -> Bool {
        guard let predicate = try filters(of: get.type), let primary = get.type.table.primaryKey,
            let query = KeyQuery(primary, startingWith: key)
        else { return true }
        try countRead()
        let (reader, fields) = (reader, get.keyFields.map(\.name))
        func isThere(_ filter: Predicate) throws(RunError) -> Bool {
            let list = ListQuery(get.type.table, fields: fields, key: query, filter: filter, limit: 1)
            var isFound = false
            _ = try reader.list(try prepared(list)) { row throws(RunError) in isFound = true }
            return isFound
        }
        if try isThere(predicate) { return true }
        // Nobody is told of what is not there.
        return try !isThere(.always)
    }
}
