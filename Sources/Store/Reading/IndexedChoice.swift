import JSON

/// The records in which a field has one of a few texts, over an index that has those of each text in the order of
/// creation: so a caller's own records are found, whose owner is written in several forms.
///
/// SQLite itself would look at all of them for each page, and sort them. Mostly a single form is in use; so the database
/// is asked first which of them are. The page of one text is read as it stands in the index, pages of several are merged.
struct IndexedChoice: Sendable {
    private let query: ListQuery
    private let field: String
    let texts: [StoredValue]
    /// What else records must meet.
    private let rest: [Predicate]
    /// Which of the texts are in use, a column for each.
    let probe: SQLText
    /// Where the page goes on.
    var after: ListQuery.Position?

    /// Nil where a list is not one of such records.
    init?(_ query: ListQuery) {
        guard query.semantics == .filled, query.key == nil else { return nil }
        let table = query.table
        var parts = query.filter.onlyParts
        for (number, part) in parts.enumerated() {
            guard case .field(let field, .isOneOf(let texts)) = part,
                (2...StoreLimits.mergedValuesMax).contains(texts.count), table.column(of: field)?.kind == .text,
                table.keys.contains(where: { $0.partition == field && $0.sort.isEmpty && !$0.name.isEmpty })
            else { continue }
            parts.remove(at: number)
            self.query = query
            self.field = field
            self.texts = texts
            rest = parts
            let question = "EXISTS (SELECT 1 FROM \(table.quotedName) WHERE \(table.quotedColumn(of: field)) = ?)"
            probe = SQLText("SELECT \(texts.map { _ in question }.joined(separator: ", "))")
            after = query.after
            return
        }
        return nil
    }

    /// The page of the first text, from which those of the others can be made.
    func prepared() throws(StoreError) -> PreparedList {
        let statement = try statement(of: texts[0], fields: query.fields)
        return PreparedList(
            sql: SQLText(statement.sql), values: statement.values, places: statement.places, limit: query.limit,
            semantics: .filled, choice: self)
    }

    /// The page of several texts: as many of each one's records as the page may have, of which it takes the first.
    func merged(_ texts: [StoredValue]) throws(StoreError) -> PreparedList {
        var branches: [String] = []
        var values: [StoredValue] = []
        for text in texts {
            let branch = try statement(of: text, fields: nil)
            branches.append("SELECT * FROM (\(branch.sql)) AS part")
            values += branch.values
        }
        let row = SQLName.quoted(SQLName.row)
        values.append(rowsMax)
        let sql =
            "SELECT \(columns(query.fields)) FROM \(query.table.quotedName) "
            + "WHERE \(row) IN (\(branches.joined(separator: " UNION ALL "))) \(order)"
        return PreparedList(
            sql: SQLText(sql), values: values, places: PreparedList.Places(), limit: query.limit, semantics: .filled)
    }

    /// The records of one text, or only their rows.
    private func statement(
        of text: StoredValue, fields: [String]?
    ) throws(StoreError) -> (sql: String, values: [StoredValue], places: PreparedList.Places) {
        let row = SQLName.quoted(SQLName.row)
        var places = PreparedList.Places(chosen: 0)
        var values = [text]
        var conditions = ["\(query.table.quotedColumn(of: field)) = ?"]
        if let after {
            conditions += ListQuery.conditions(
                after: after, order: nil, row: row, query.isDescending, values: &values)
            places.rows = [values.count - 1]
        }
        if !rest.isEmpty {
            var filter = PredicateWriter(query.table)
            try filter.write(.all(rest))
            conditions.append(filter.sql)
            values += filter.values
        }
        values.append(rowsMax)
        let sql =
            "SELECT \(fields.map(columns) ?? row) FROM \(query.table.quotedName) "
            + "WHERE \(conditions.joined(separator: " AND ")) \(order)"
        return (sql, values, places)
    }

    private func columns(_ fields: [String]) -> String {
        fields.reduce("\(SQLName.quoted(SQLName.row)), NULL, 1") { "\($0), \(query.table.quotedColumn(of: $1))" }
    }

    private var order: String { "ORDER BY \(SQLName.quoted(SQLName.row))\(query.isDescending ? " DESC" : "") LIMIT ?" }

    /// One more than the page has, to know whether it is the last.
    private var rowsMax: StoredValue { .integer(Int64(query.limit + 1)) }
}

extension Predicate {
    /// The conditions that all of it comes down to, where each must hold.
    fileprivate var onlyParts: [Predicate] {
        switch self {
        case .any(let parts) where parts.count == 1: parts[0].onlyParts
        case .all(let parts): parts.flatMap(\.onlyParts)
        default: [self]
        }
    }
}
