import GraphQL
import JSON
import Store

/// Connections: the records of a page, what comes after it, and what is told of all of them.
extension Execution {
    /// Completes a connection. The token is known when the items are read: one that is selected before them is put in
    /// afterwards.
    ///
    /// `read` hands each record of the page to its closure, which answers whether the page has room for another. `rest`
    /// completes what not every connection has.
    mutating func completeConnection<Page>(
        _ connection: ConnectionPlan,
        read: (_ row: (borrowing Row) throws(RunError) -> Bool) throws(RunError) -> Page,
        token: (Page) -> String?,
        rest: (inout Execution, ConnectionPlan.Field) throws(RunError) -> Completion
    ) throws(RunError) {
        let start = writer.bytes.count
        let region = plan.isWaiting ? writer.openNullable() : nil
        defer { if let region { writer.closeNullable(region) } }
        var page: Page?
        // Items that are asked for twice end at the same record, or the token would be wrong for one of them.
        var cut: Int?
        var tokenPlaces: [Int] = []
        var completion = Completion.written
        for field in connection.fields where field.plan.isMet(variables) {
            writer.bytes.append(contentsOf: field.plan.key)
            if !verdicts.allowsEverything, let check = field.plan.check, case .deny = verdicts[check] {
                if refuse(field.plan, in: connection.typeName).isBroken { completion = .broken }
                continue
            }
            switch field.part {
            case .items(let selection):
                writer.enter(field.plan.responseName)
                page = try completeItems(selection, cut: &cut, read)
                writer.leave()
            case .nextToken:
                if let page { write(token(page)) } else { tokenPlaces.append(writer.bytes.count) }
            case .other: writeConstant(field.plan)
            case .startedAt, .total, .aggregates: if try rest(&self, field).isBroken { completion = .broken }
            }
            try look()
        }
        writer.endObject(from: start)
        guard !completion.isBroken else {
            writer.rewind(to: start)
            return JSONWriter.writeNull(to: &writer.bytes)
        }
        guard !tokenPlaces.isEmpty else { return }
        let known: Page
        if let page {
            known = page
        } else {
            // Nobody wants the records.
            try countRead()
            known = try read { _ throws(RunError) in true }
        }
        let bytes = JSONWriter.bytes(of: token(known).map { .string($0) } ?? .null)
        for place in tokenPlaces.reversed() { writer.insert(bytes, at: place) }
    }

    mutating func completeEmptyConnection(_ connection: ConnectionPlan) {
        let start = writer.bytes.count
        for field in connection.fields where field.plan.isMet(variables) {
            writer.bytes.append(contentsOf: field.plan.key)
            switch field.part {
            case .items, .aggregates: writer.bytes.append(contentsOf: "[]".utf8)
            case .other, .nextToken, .startedAt, .total: writeConstant(field.plan)
            }
        }
        writer.endObject(from: start)
    }

    /// Writes what is the same for every record; null where there is nothing of that kind.
    private mutating func writeConstant(_ field: FieldPlan) {
        if case .constant(let bytes) = field.source {
            writer.bytes.append(contentsOf: bytes)
        } else {
            JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func write(_ token: String?) {
        if let token {
            JSONWriter.writeString(token, to: &writer.bytes)
        } else {
            JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func completeItems<Page>(
        _ selection: SelectionPlan, cut: inout Int?,
        _ read: (_ row: (borrowing Row) throws(RunError) -> Bool) throws(RunError) -> Page
    ) throws(RunError) -> Page {
        try countRead()
        writer.bytes.append(UInt8(ascii: "["))
        let first = writer.bytes.count
        writer.enterList()
        var index = 0
        // Only of the messages of a conversation: those that were read first are the newest.
        var ends: [Int] = []
        let isNewestLast = isNewestLast
        // Connections within the items are as they are.
        self.isNewestLast = false
        let (bytesMax, rowsMax) = (context.limits.pageBytesMax, cut)
        let relatedBefore = relatedBytes
        let page = try read { row throws(RunError) in
            try completeItem(selection, row, index, after: first)
            index += 1
            if isNewestLast { ends.append(writer.bytes.count) }
            if let rowsMax { return index < rowsMax }
            guard piece.writer.bytes.count - first - (relatedBytes - relatedBefore) >= bytesMax else { return true }
            cut = index
            return false
        }
        if ends.count > 1 { turnAround(ends, from: first) }
        writer.leave()
        writer.bytes.append(UInt8(ascii: "]"))
        return page
    }

    /// Writes items the other way round. `ends` are the ends of the items as they stand, each but the first behind a comma.
    private mutating func turnAround(_ ends: [Int], from first: Int) {
        var turned: [UInt8] = []
        turned.reserveCapacity(writer.bytes.count - first)
        for place in ends.indices.reversed() {
            let start = place == 0 ? first : ends[place - 1] + 1
            if !turned.isEmpty { turned.append(UInt8(ascii: ",")) }
            turned.append(contentsOf: writer.bytes[start..<ends[place]])
        }
        piece.writer.bytes.replaceSubrange(first..., with: turned)
    }

    @inline(__always)
    private mutating func completeItem(
        _ selection: SelectionPlan, _ row: borrowing Row, _ index: Int, after first: Int
    ) throws(RunError) {
        if piece.writer.bytes.count > first { piece.writer.bytes.append(UInt8(ascii: ",")) }
        piece.writer.move(to: index)
        let related = relatedBytes
        // What was written of a record that broke is gone, and with it what that had of others.
        if case .null = try completeRecord(selection, row) { relatedBytes = related }
    }
}
