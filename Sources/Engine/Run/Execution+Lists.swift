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
        if key.isEmpty, var known = memory?.page(of: list, arguments, choice, access, isFirst: token == nil) {
            if let token { known.move(behind: try position(of: token, scope)) }
            return try reading { execution throws(StoreError) in
                try execution.writeConnection(list, known, scope: scope)
            }
        }
        var filter = FilterReader(list.type.table)
        let wanted = try filter.predicate(arguments["filter"])
        let rights = try FilterRights.predicate(comparing: filter.fields, of: list.type, for: caller.access)
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
        // A field with rules may be compared for one caller and not for the next.
        let isForEverybody = filter.fields.allSatisfy { list.type.access.field($0) == nil }
        try reading { execution throws(StoreError) in
            let prepared = try query.prepared()
            // What differs between parents is the partition alone.
            if key.count == 1, after == nil { execution.preparedLists[list.number] = prepared }
            if key.isEmpty, isForEverybody {
                execution.memory?.remember(prepared, of: list, arguments, choice, access, isFirst: after == nil)
            }
            try execution.writeConnection(list, prepared, scope: scope)
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

    mutating func writeEmptyConnection(_ list: ListPlan) {
        let start = piece.bytes.count
        for field in list.connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            switch (field.part, field.plan.source) {
            case (.items, _), (.aggregates, _): piece.bytes.append(contentsOf: "[]".utf8)
            case (_, .constant(let bytes)): piece.bytes.append(contentsOf: bytes)
            default: JSONWriter.writeNull(to: &piece.bytes)
            }
        }
        finishObject(from: start)
    }

    /// Writes a connection. The token is known when the items are read: one that is selected before them is put in
    /// afterwards.
    mutating func writeConnection(
        _ list: ListPlan, _ prepared: PreparedList, scope: () -> [UInt8]
    ) throws(StoreError) {
        let start = piece.bytes.count
        let region = plan.isWaiting ? piece.openNullable() : nil
        defer { if let region { piece.closeNullable(region) } }
        var page: ListQuery.Page?
        var tokenPlaces: [Int] = []
        var isWhole = true
        for field in list.connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            if !verdicts.allowsEverything, let check = field.plan.check, case .deny = verdicts[check] {
                if !refuse(field.plan, in: list.connection.typeName) { isWhole = false }
                continue
            }
            switch field.part {
            case .items(let selection):
                path.append(.name(field.plan.responseName))
                page = try writeItems(selection, prepared)
                path.removeLast()
            case .nextToken:
                if let page { write(token(of: page, scope)) } else { tokenPlaces.append(piece.bytes.count) }
            case .startedAt, .total: JSONWriter.writeNull(to: &piece.bytes)
            case .aggregates: piece.bytes.append(contentsOf: "[]".utf8)
            case .other:
                if case .constant(let bytes) = field.plan.source { piece.bytes.append(contentsOf: bytes) }
            }
        }
        finishObject(from: start)
        guard isWhole else {
            piece.rewind(to: start)
            return JSONWriter.writeNull(to: &piece.bytes)
        }
        guard !tokenPlaces.isEmpty else { return }
        try countRead()
        let known: ListQuery.Page
        if let page { known = page } else { known = try readPage(prepared) }
        var bytes: [UInt8] = []
        JSONWriter.write(token(of: known, scope).map { .string($0) } ?? .null, to: &bytes)
        for place in tokenPlaces.reversed() { piece.insert(bytes, at: place) }
    }

    /// Reads a page of which nobody wants the records.
    private func readPage(_ prepared: PreparedList) throws(StoreError) -> ListQuery.Page {
        try reader.list(prepared) { _ throws(StoreError) in }
    }

    private func token(of page: ListQuery.Page, _ scope: () -> [UInt8]) -> String? {
        page.next.map { context.cursors.token(of: $0, scope: scope()) }
    }

    private mutating func write(_ token: String?) {
        if let token { JSONWriter.writeString(token, to: &piece.bytes) } else { JSONWriter.writeNull(to: &piece.bytes) }
    }

    private mutating func writeItems(
        _ selection: SelectionPlan, _ prepared: PreparedList
    ) throws(StoreError) -> ListQuery.Page {
        try countRead()
        let first = beginItems()
        var index = 0
        let reader = reader
        let page = try reader.list(prepared) { row throws(StoreError) in
            try writeItem(selection, row, index, after: first)
            index += 1
        }
        endItems()
        return page
    }

    /// Begins the items of a page, and says where the first of them will stand.
    mutating func beginItems() -> Int {
        piece.bytes.append(UInt8(ascii: "["))
        path.append(.index(0))
        return piece.bytes.count
    }

    @inline(__always)
    mutating func writeItem(
        _ selection: SelectionPlan, _ row: borrowing Row, _ index: Int, after first: Int
    ) throws(StoreError) {
        if piece.bytes.count > first { piece.bytes.append(UInt8(ascii: ",")) }
        path[path.count - 1] = .index(index)
        try writeNullable(selection, row)
        guard piece.bytes.count <= context.limits.responseBytesMax else {
            throw context.stop(.responseTooLarge(context.limits.responseBytesMax))
        }
    }

    mutating func endItems() {
        path.removeLast()
        piece.bytes.append(UInt8(ascii: "]"))
    }
}
