import JSON

/// A page of a search: the records that a filter describes, in the order of several fields.
///
/// The order is total: it ends with the fields of the primary key, descending, as far as they are not in it. A record
/// without a value comes last in either direction.
package struct TextSearch: Sendable {
    package struct SortKey: Sendable, Equatable {
        package let field: String
        package let isDescending: Bool

        /// AppSync sorts in descending order where no direction is given.
        package init(_ field: String, isDescending: Bool = true) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    /// The values of the last record of a page by which it was sorted.
    package struct Position: Sendable, Equatable {
        package let values: [StoredValue]

        package init(_ values: [StoredValue]) { self.values = values }
    }

    package struct Page: Sendable, Equatable {
        /// Where the next page starts. As in AppSync, only a page without records has none.
        package let next: Position?
        package let matchCount: Int
    }

    package let table: TableLayout
    /// The fields whose values are wanted, in the order of the row's columns. A field without a column is null.
    package let fields: [String]
    /// What the caller asks for and what the caller may see, together.
    package let filter: Predicate
    package let sort: [SortKey]
    /// Records that are left out at the start. It has no meaning after a position.
    package let from: Int
    package let limit: Int
    package let after: Position?

    package static let limitOrdinarily = 100

    package init(
        _ table: TableLayout, fields: [String], filter: Predicate = .always, sort: [SortKey] = [], from: Int = 0,
        limit: Int = Self.limitOrdinarily, after: Position? = nil
    ) {
        self.table = table
        self.fields = fields
        self.filter = filter
        var sort = sort
        for field in table.primaryKey.map({ [$0.partition] + $0.sort }) ?? []
        where !sort.contains(where: { $0.field == field }) {
            sort.append(SortKey(field))
        }
        self.sort = sort
        self.from = max(0, from)
        self.limit = min(max(0, limit), StoreLimits.pageRowsMax)
        self.after = after
    }
}

extension TextSearch {
    /// The statement of the page: the values that sort, then the fields.
    func statement() throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        guard sort.count <= StoreLimits.searchSortMax else {
            throw StoreError(.tooLarge, "a search is sorted by more than \(StoreLimits.searchSortMax) fields")
        }
        let keys = keys
        var filter = PredicateWriter(table)
        try filter.write(self.filter)
        var sql = "SELECT \((keys.map(\.expression) + fields.map(table.quotedColumn)).joined(separator: ", "))"
        sql += " FROM \(table.quotedName) WHERE \(filter.sql)"
        var values = filter.values
        if let after {
            guard after.values.count == keys.count else { throw CursorSeal.invalid }
            sql += " AND (\(condition(after: after.values, keys, &values)))"
        }
        let order = keys.map { "\($0.expression) \($0.isDescending ? "DESC" : "ASC") NULLS LAST" }
        if !order.isEmpty { sql += " ORDER BY \(order.joined(separator: ", "))" }
        sql += " LIMIT ? OFFSET ?"
        values += [.integer(Int64(limit)), .integer(after == nil ? Int64(from) : 0)]
        return (SQLText(sql), values)
    }

    /// The expressions that sort the page, in their order. The first values of each row are these.
    var keys: [(expression: String, isDescending: Bool)] {
        sort.flatMap { key in
            let expressions = table.dialect == .sqlite ? [expression(of: key)] : serverExpressions(of: key)
            return expressions.map { (expression: $0, isDescending: key.isDescending) }
        }
    }

    /// What a field sorts by: a list by its least or greatest element.
    private func expression(of key: SortKey) -> String {
        guard let column = table.column(of: key.field) else { return "NULL" }
        let operand = ColumnOperand(column, of: table)
        switch column.kind {
        case .text, .integer, .real, .boolean: return operand.quoted
        case .list:
            let function = key.isDescending ? "max" : "min"
            return "(SELECT \(function)(element.value) FROM json_each(\(operand.quoted)) AS element)"
        case .json:
            return "iif(json_type(\(operand.quoted)) IN ('text', 'integer', 'real', 'true', 'false'), "
                + "json_extract(\(operand.quoted), '$'), NULL)"
        case .object: return "NULL"
        }
    }

    /// Behind the first key's value, or at it and behind the second one's, and so on. Nothing is behind NULL.
    private func condition(
        after position: [StoredValue], _ keys: [(expression: String, isDescending: Bool)], _ values: inout [StoredValue]
    ) -> String {
        var alternatives: [String] = []
        for (index, key) in keys.enumerated() where !position[index].isNull {
            var parts: [String] = []
            for before in 0..<index {
                let isSame = table.dialect == .sqlite ? "IS" : "IS NOT DISTINCT FROM"
                parts.append("\(keys[before].expression) \(isSame) ?")
                values.append(position[before])
            }
            let word = key.isDescending ? "<" : ">"
            parts.append("(\(key.expression) \(word) ? OR \(key.expression) IS NULL)")
            values.append(position[index])
            alternatives.append(parts.joined(separator: " AND "))
        }
        return alternatives.isEmpty ? table.dialect.fails : alternatives.joined(separator: " OR ")
    }
}
