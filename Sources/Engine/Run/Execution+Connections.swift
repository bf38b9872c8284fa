import GraphQL
import JSON
import Store

/// Connections: the records of a page, what comes after it, and what is told of all of them.
extension Execution {
    /// Writes a connection. The token is known when the items are read: one that is selected before them is put in
    /// afterwards.
    ///
    /// `read` hands each record of the page to its closure. `rest` writes what not every connection has, and answers false
    /// when that is null and must not be.
    mutating func writeConnection<Page>(
        _ connection: ConnectionPlan,
        read: (_ row: (borrowing Row) throws(StoreError) -> Void) throws(StoreError) -> Page,
        token: (Page) -> String?,
        rest: (inout Execution, ConnectionPlan.Field) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let start = piece.bytes.count
        let region = plan.isWaiting ? piece.openNullable() : nil
        defer { if let region { piece.closeNullable(region) } }
        var page: Page?
        var tokenPlaces: [Int] = []
        var isWhole = true
        for field in connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            if !verdicts.allowsEverything, let check = field.plan.check, case .deny = verdicts[check] {
                if !refuse(field.plan, in: connection.typeName) { isWhole = false }
                continue
            }
            switch field.part {
            case .items(let selection):
                path.append(.name(field.plan.responseName))
                page = try writeItems(selection, read)
                path.removeLast()
            case .nextToken:
                if let page { write(token(page)) } else { tokenPlaces.append(piece.bytes.count) }
            case .other: writeConstant(field.plan)
            case .startedAt, .total, .aggregates: if try !rest(&self, field) { isWhole = false }
            }
            try look()
        }
        finishObject(from: start)
        guard isWhole else {
            piece.rewind(to: start)
            return JSONWriter.writeNull(to: &piece.bytes)
        }
        guard !tokenPlaces.isEmpty else { return }
        let known: Page
        if let page {
            known = page
        } else {
            // Nobody wants the records.
            try countRead()
            known = try read { _ throws(StoreError) in }
        }
        let bytes = JSONWriter.bytes(of: token(known).map { .string($0) } ?? .null)
        for place in tokenPlaces.reversed() { piece.insert(bytes, at: place) }
    }

    mutating func writeEmptyConnection(_ connection: ConnectionPlan) {
        let start = piece.bytes.count
        for field in connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            switch field.part {
            case .items, .aggregates: piece.bytes.append(contentsOf: "[]".utf8)
            case .other, .nextToken, .startedAt, .total: writeConstant(field.plan)
            }
        }
        finishObject(from: start)
    }

    /// Writes what is the same for every record; null where there is nothing of that kind.
    private mutating func writeConstant(_ field: FieldPlan) {
        if case .constant(let bytes) = field.source {
            piece.bytes.append(contentsOf: bytes)
        } else {
            JSONWriter.writeNull(to: &piece.bytes)
        }
    }

    private mutating func write(_ token: String?) {
        if let token { JSONWriter.writeString(token, to: &piece.bytes) } else { JSONWriter.writeNull(to: &piece.bytes) }
    }

    private mutating func writeItems<Page>(
        _ selection: SelectionPlan,
        _ read: (_ row: (borrowing Row) throws(StoreError) -> Void) throws(StoreError) -> Page
    ) throws(StoreError) -> Page {
        try countRead()
        piece.bytes.append(UInt8(ascii: "["))
        let first = piece.bytes.count
        path.append(.index(0))
        var index = 0
        let page = try read { row throws(StoreError) in
            try writeItem(selection, row, index, after: first)
            index += 1
        }
        path.removeLast()
        piece.bytes.append(UInt8(ascii: "]"))
        return page
    }

    @inline(__always)
    private mutating func writeItem(
        _ selection: SelectionPlan, _ row: borrowing Row, _ index: Int, after first: Int
    ) throws(StoreError) {
        if piece.bytes.count > first { piece.bytes.append(UInt8(ascii: ",")) }
        path[path.count - 1] = .index(index)
        try writeNullable(selection, row)
    }
}
