import Access
import Blueprint
import Engine
import JSON
import Store

/// A page of records with what goes with them: what is hidden from somebody, and how many records relations lead to.
struct RowPage: Sendable {
    let query: RowQuery
    let view: SchemaView
    let policy: AccessPolicy
    let caller: ResolvedCaller
    let countsRelated: Bool

    func json(_ reader: Reader) throws(StoreError) -> JSONValue {
        let began = Timestamp.monotonicMilliseconds
        var rows: [RecordRow] = []
        // One more than is wanted tells whether there is another page.
        let page = try reader.search(query.search(limit: query.limit + 1)) { row throws(StoreError) in
            if rows.count < query.limit { rows.append(RecordRow(row, query.table, query.model)) }
        }
        let hasMore = page.matchCount > query.limit
        let sight = sight()
        var json: [JSONValue] = []
        for row in rows {
            json.append(
                .members([
                    "key": .object(row.key), "values": .object(row.values), "hidden": sight?.hidden(row) ?? .null,
                    "related": countsRelated ? try related(row, reader) : nil,
                ]))
        }
        let total = try total(reader)
        return [
            "rows": .array(json), "next": hasMore ? .text(rows.last.map(cursor)) : .null,
            "total": .integer(total.count), "isEstimate": .bool(total.isEstimate),
            "milliseconds": .integer(Timestamp.monotonicMilliseconds - began),
        ]
    }

    /// What the caller may see; nil: everything.
    func sight(trace: DecisionTrace? = nil) -> RecordSight? {
        guard !caller.isAdministrator else { return nil }
        return RecordSight(policy, caller.identity, query.model, query.table.columns.map(\.field), trace: trace)
    }

    /// Behind the last record that is shown.
    private func cursor(_ row: RecordRow) -> String {
        RowCursor.text(
            TextSearch.Position(
                query.sort.map { key in
                    guard let column = query.table.column(of: key.field) else { return .null }
                    switch row.values[key.field] ?? .null {
                    case .string(let text): return .text(text)
                    case .integer(let integer): return column.kind == .real ? .real(Double(integer)) : .integer(integer)
                    case .double(let double): return .real(double)
                    case .bool(let bool): return .boolean(bool)
                    default: return .null
                    }
                }))
    }

    private func total(_ reader: Reader) throws(StoreError) -> (count: Int64, isEstimate: Bool) {
        guard query.filter != .all([]) else {
            return try reader.count(of: query.table, countingTo: ConsoleLimits.countMax)
        }
        return (Int64(try reader.count(of: query.table, where: query.filter)), false)
    }

    /// How many records each relation to many leads to.
    func related(_ row: RecordRow, _ reader: Reader) throws(StoreError) -> JSONValue {
        var counts = JSONObject()
        for relation in query.model.relations where relation.kind.isMany {
            guard let count = try Self.count(relation, of: row, view, reader) else { continue }
            counts.set(relation.field, to: .integer(count))
        }
        return .object(counts)
    }

    static func count(
        _ relation: Relation, of row: RecordRow, _ view: SchemaView, _ reader: Reader
    ) throws(StoreError) -> Int64? {
        guard let target = view.blueprint.target(of: relation), let table = view.layout.table(of: target) else {
            return nil
        }
        let pairs = zip(relation.sourceFields, relation.targetFields).map { source, field in
            (field: field, value: (row.compared[source]?.string).map { StoredValue.text($0) } ?? value(row, source))
        }
        return try reader.count(of: table, where: pairs, upTo: ConsoleLimits.relatedMax)
    }

    private static func value(_ row: RecordRow, _ field: String) -> StoredValue {
        switch row.compared[field] {
        case .integer(let integer)?: .integer(integer)
        case .double(let double)?: .real(double)
        case .bool(let bool)?: .boolean(bool)
        default: .null
        }
    }
}
