import Access
import GraphQL
import JSON
import Store

/// Pages of records.
extension Execution {
    /// Writes a page of what was chosen.
    mutating func writeList(
        _ list: ListPlan, _ arguments: JSONObject, _ choice: KeyArguments.Choice, _ access: Predicate,
        scopeOfParent key: [StoredValue]
    ) throws(FieldFailure) {
        let scope = { Self.scope(list, arguments, key) }
        let token = arguments["nextToken"]?.string
        if key.isEmpty,
            var known = memory?.page(of: list, arguments, choice, access, for: caller.access, isFirst: token == nil)
        {
            if let token { known.move(behind: try position(of: token, scope)) }
            return try reading { execution throws(StoreError) in
                try execution.writePage(list, known, scope: scope)
            }
        }
        // A filter is work before the database sees it.
        try reading { execution throws(StoreError) in try execution.lookAtTime() }
        var filter = FilterReader(list.type.table)
        let wanted = try filter.predicate(arguments["filter"])
        let compared = (list.key?.rights(arguments) ?? []) + FilterRights.rights(to: filter.fields, of: list.type)
        let rights = try FilterRights.predicate(compared, for: caller.access)
        let parts = [wanted, access, rights].filter { $0 != .always }
        let predicate = parts.count == 1 ? parts[0] : .all(parts)
        if choice.key != nil, let attribute = list.key?.attributes.first(where: filter.fields.contains) {
            throw .database(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: \(attribute)")
        }
        let limit = arguments["limit"]?.integer ?? Int64(list.limitDefault)
        guard limit > 0 else {
            throw .database(
                "1 validation error detected: Value '\(limit)' at 'limit' failed to satisfy constraint: "
                    + "Member must have value greater than or equal to 1")
        }
        var after: ListQuery.Position?
        if let token { after = try position(of: token, scope) }
        let query = ListQuery(
            list.type.table, fields: list.connection.columns, key: choice.key,
            isDescending: choice.isDescending, filter: predicate,
            limit: min(Int(clamping: limit), context.limits.pageMax), semantics: context.semantics, after: after)
        try reading { execution throws(StoreError) in
            let prepared = try query.prepared()
            // What differs between parents is the partition alone.
            if key.count == 1, after == nil { execution.preparedLists[list.number] = prepared }
            if key.isEmpty {
                execution.memory?.remember(
                    prepared, of: list, arguments, choice, access, (compared, rights), isFirst: after == nil)
            }
            try execution.writePage(list, prepared, scope: scope)
        }
    }

    private func position(of token: String, _ scope: () -> [UInt8]) throws(FieldFailure) -> ListQuery.Position {
        do throws(StoreError) {
            return try context.cursors.position(of: token, scope: scope())
        } catch {
            throw .invalidToken
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

    /// Writes a page whose text is made. `scope` is asked for when there is a token to be made.
    mutating func writePage(
        _ list: ListPlan, _ prepared: PreparedList, scope: () -> [UInt8]
    ) throws(StoreError) {
        let (reader, cursors) = (reader, context.cursors)
        try writeConnection(list.connection) { row throws(StoreError) in
            try reader.list(prepared, row: row)
        } token: { page in
            page.next.map { cursors.token(of: $0, scope: scope()) }
        } rest: { execution, field throws(StoreError) in
            if case .aggregates = field.part {
                execution.piece.bytes.append(contentsOf: "[]".utf8)
            } else {
                JSONWriter.writeNull(to: &execution.piece.bytes)
            }
            return true
        }
    }
}
