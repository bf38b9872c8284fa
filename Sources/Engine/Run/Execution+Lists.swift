import Access
import GraphQL
import JSON
import Store

/// Pages of records.
extension Execution {
    /// Completes a page of what was chosen.
    mutating func completeList(
        _ list: ListPlan, _ arguments: JSONObject, _ choice: KeyArguments.Choice, _ access: Predicate,
        scopeOfParent key: [StoredValue]
    ) throws(RunError) {
        let scope = { Self.scope(list, arguments, key) }
        let token = arguments["nextToken"]?.string
        if key.isEmpty,
            var known = memory?.page(of: list, arguments, choice, access, for: caller, isFirst: token == nil)
        {
            if let token { known.move(behind: try position(of: token, scope)) }
            return try completePage(list, known, scope: scope)
        }
        // A filter is work before the database sees it.
        try lookAtTime()
        var filter = FilterReader(list.type.table)
        let wanted = try ofField { () throws(FieldFailure) in try filter.predicate(arguments["filter"]) }
        let compared = (list.key?.rights(arguments) ?? []) + FilterRights.rights(to: filter.fields, of: list.type)
        let rights = try ofField { () throws(FieldFailure) in
            try FilterRights.predicate(compared, for: caller)
        }
        let parts = [wanted, access, rights].filter { $0 != .always }
        let predicate = parts.count == 1 ? parts[0] : .all(parts)
        if choice.key != nil, let attribute = list.key?.attributes.first(where: filter.fields.contains) {
            throw .field(
                .database(
                    "Filter Expression can only contain non-primary key attributes: Primary key attribute: \(attribute)"
                ))
        }
        let limit = try Self.limit(arguments, usually: Int64(list.limitDefault))
        var after: ListQuery.Position?
        if let token { after = try position(of: token, scope) }
        let prepared = try prepared(
            ListQuery(
                list.type.table, fields: list.connection.columns, key: choice.key,
                isDescending: choice.isDescending, filter: predicate,
                limit: min(limit, context.limits.pageMax), semantics: context.semantics, after: after))
        // What differs between parents is the partition alone.
        if key.count == 1, after == nil { preparedLists[list.number] = prepared }
        if key.isEmpty {
            memory?.remember(prepared, of: list, arguments, choice, access, (compared, rights), isFirst: after == nil)
        }
        try completePage(list, prepared, scope: scope)
    }

    /// How many records a page may look at.
    static func limit(_ arguments: JSONObject, usually: Int64) throws(RunError) -> Int {
        let limit = arguments["limit"]?.integer ?? usually
        guard limit > 0 else {
            throw .field(
                .database(
                    "1 validation error detected: Value '\(limit)' at 'limit' failed to satisfy constraint: "
                        + "Member must have value greater than or equal to 1"))
        }
        return Int(clamping: limit)
    }

    private func position(of token: String, _ scope: () -> [UInt8]) throws(RunError) -> ListQuery.Position {
        do throws(StoreError) {
            return try context.cursors.position(of: token, scope: scope())
        } catch {
            throw .field(.invalidToken)
        }
    }

    /// What a token is good for: the field, the arguments but for limit and token, and the parent. An argument that is
    /// null is one that is left out: clients send the one for the other.
    static func scope(_ list: ListPlan, _ arguments: JSONObject, _ key: [StoredValue]) -> [UInt8] {
        let arguments = JSONObject(
            arguments.lazy.filter { $0.key != "limit" && $0.key != "nextToken" && !$0.value.isNull }
                .map { ($0.key, $0.value) })
        var scope = Array(list.scope.utf8)
        scope.append(0)
        JSONWriter.write(.object(arguments), to: &scope)
        for value in key {
            scope.append(0)
            scope.append(contentsOf: CompositeKey.text(of: [value]).utf8)
        }
        return scope
    }

    /// Completes a page whose text is made. `scope` is asked for when there is a token to be made.
    mutating func completePage(
        _ list: ListPlan, _ prepared: PreparedList, scope: () -> [UInt8]
    ) throws(RunError) {
        let (reader, cursors) = (reader, context.cursors)
        try completeConnection(list.connection) { row throws(RunError) in
            try reader.listWhile(prepared, row: row)
        } token: { page in
            page.next.map { cursors.token(of: $0, scope: scope()) }
        } rest: { execution, field throws(RunError) in
            if case .aggregates = field.part {
                execution.writer.bytes.append(contentsOf: "[]".utf8)
            } else {
                JSONWriter.writeNull(to: &execution.writer.bytes)
            }
            return .written
        }
    }
}
