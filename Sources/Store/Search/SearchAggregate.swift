import JSON

/// A number, or the counts of values, over all records that a filter describes.
package struct SearchAggregate: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case terms, avg, min, max, sum, cardinality
    }

    package enum Outcome: Sendable, Equatable {
        case number(Double)
        /// The commonest values with the number of records that have them.
        case buckets([Bucket])
        /// There is nothing to say: no value, or no numbers to reckon with.
        case nothing
    }

    package struct Bucket: Sendable, Equatable {
        package let key: String
        package let count: Int

        package init(key: String, count: Int) {
            self.key = key
            self.count = count
        }
    }

    package let kind: Kind
    package let field: String

    package init(_ kind: Kind, of field: String) {
        self.kind = kind
        self.field = field
    }
}

extension SearchAggregate {
    /// The statement over the values of the field, one for each element of a list: `terms` gets them one by one.
    func statement(
        of table: TableLayout, where filter: Predicate
    ) throws(StoreError) -> (sql: SQLText, values: [StoredValue])? {
        guard let column = table.column(of: field), column.kind != .object else { return nil }
        var writer = PredicateWriter(table)
        try writer.write(filter)
        if table.dialect == .postgres {
            return (SQLText(serverText(of: column, in: table, where: writer.sql)), writer.values)
        }
        let row = SQLName.quoted(SQLName.row)
        let quoted = "\(table.quotedName).\(SQLName.quoted(column.name))"
        // Under names that no field has: those of the table and those of `json_each` do not meet.
        var matched = "SELECT \(table.quotedName).\(row) AS \"~row\", \(quoted) AS \"~value\" "
        matched += "FROM \(table.quotedName) WHERE \(writer.sql)"
        let source: String
        switch column.kind {
        case .list, .json:
            source =
                "SELECT DISTINCT \"~row\", element.atom AS \"~one\" FROM (\(matched)) AS matched, "
                + "json_each(matched.\"~value\") AS element WHERE element.atom IS NOT NULL"
        case .text, .integer, .real, .boolean, .object:
            source = "SELECT \"~row\", \"~value\" AS \"~one\" FROM (\(matched)) AS matched WHERE \"~value\" IS NOT NULL"
        }
        let isNumber = "typeof(\"~one\") IN ('integer', 'real')"
        let sql: String
        switch kind {
        case .terms: sql = "SELECT \"~one\" FROM (\(source))"
        case .cardinality: sql = "SELECT count(DISTINCT \"~one\") FROM (\(source))"
        // As floats from the start: integers would overflow.
        case .sum: sql = "SELECT total(\"~one\") FROM (\(source)) WHERE \(isNumber)"
        case .avg, .min, .max: sql = "SELECT \(kind.rawValue)(\"~one\") FROM (\(source)) WHERE \(isNumber)"
        }
        return (SQLText(sql), writer.values)
    }

    /// How a value stands in a bucket.
    static func key(of value: StoredValue) -> String {
        switch value {
        case .null, .blob: ""
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): text
        case .utf8(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}
