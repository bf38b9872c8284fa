import Access
import JSON
import Store

/// What the app's own steps ask of records beside what the caller and the rules ask.
extension Execution {
    /// The filters that steps have left; nil: none.
    func filters(of type: RecordType) throws(RunError) -> Predicate? { try filters(change, of: type) }

    func filters(_ change: OperationChange?, of type: RecordType) throws(RunError) -> Predicate? {
        guard let change, !change.filters.isEmpty else { return nil }
        return try ofField { () throws(FieldFailure) -> Predicate in
            var filter = FilterReader(type.table)
            var parts: [Predicate] = []
            for one in change.filters { parts.append(try filter.predicate(one)) }
            return .all(parts)
        }
    }

    /// Returns whether the record of a key meets them, where there is one.
    mutating func meetsFilters(_ get: GetPlan, _ key: [StoredValue]) throws(RunError) -> Bool {
        guard let predicate = try filters(of: get.type), let primary = get.type.table.primaryKey else { return true }
        return try meets(predicate, get.type, key, in: primary)
    }

    mutating func meets(
        _ predicate: Predicate, _ type: RecordType, _ key: [StoredValue], in layout: KeyLayout
    ) throws(RunError) -> Bool {
        guard let query = KeyQuery(layout, startingWith: key) else { return true }
        try countRead()
        let reader = reader
        let fields = type.model.key.fields
        func isThere(_ filter: Predicate) throws(RunError) -> Bool {
            let list = ListQuery(type.table, fields: fields, key: query, filter: filter, limit: 1)
            var isFound = false
            _ = try reader.list(try prepared(list)) { row throws(RunError) in isFound = true }
            return isFound
        }
        if try isThere(predicate) { return true }
        // Nobody is told of what is not there.
        return try !isThere(.always)
    }
}
