import JSON

/// A record as a change of it is kept: a JSON object of what its columns hold, by their fields. What is JSON in a column, and a
/// float, is a text there: the first is not looked into by the database, and the second would lose digits.
///
///     {"":",title,","id":"1","price":"0.29999999999999999","tags":"[\"a\"]"}
///
/// The nameless member has the names of the fields that hold an explicit null.
package struct TableImage: Sendable, Equatable {
    package let values: [(name: String, value: JSONValue)]
    package let nulls: [String]

    /// The columns in one pair of parentheses: SQLite allows 1,000 levels of an expression.
    private static let columnsTogether = 50

    package static func == (left: TableImage, right: TableImage) -> Bool {
        left.nulls == right.nulls
            && left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The expression that makes one, of a row that goes by a name.
    static func expression(of table: TableLayout, row: String) -> String {
        let nulls = "\(row).\(SQLName.quoted(SQLName.nulls))"
        let dialect = table.dialect
        var parts = [
            "'{\"\":' || " + (dialect == .sqlite ? "json_quote(\(nulls))" : "coalesce(to_json(\(nulls))::text, 'null')")
        ]
        for column in table.columns {
            let value = "\(row).\(SQLName.quoted(column.name))"
            parts.append(member(column.field, value, isReal: column.kind == .real, in: dialect))
        }
        for computed in table.computed {
            let value = "\(row).\(SQLName.quoted(computed.name))"
            parts.append(member(computed.name, value, isReal: false, in: dialect))
        }
        parts.append("'}'")
        var groups: [String] = []
        var start = 0
        while start < parts.count {
            let end = min(start + columnsTogether, parts.count)
            groups.append("(\(parts[start..<end].joined(separator: " || ")))")
            start = end
        }
        return groups.joined(separator: " || ")
    }

    private static func member(
        _ name: String, _ value: String, isReal: Bool, in dialect: StoreDialect
    ) -> String {
        let key = SQLName.literal(",\(JSONWriter.text(of: .string(name))):")
        guard dialect == .sqlite else {
            let text = "to_json(\(value)\(isReal ? "::text" : ""))::text"
            return "CASE WHEN \(value) IS NULL THEN '' ELSE \(key) || \(text) END"
        }
        let told = isReal ? "printf('%!.17g', \(value))" : value
        return "iif(\(value) IS NULL, '', \(key) || json_quote(\(told)))"
    }

    /// Reads one. The columns are those of today: what is not among them is what it looks like.
    package init?(_ bytes: [UInt8], of table: TableLayout) {
        guard let object = (try? JSONReader.value(of: bytes))?.object else { return nil }
        var values: [(name: String, value: JSONValue)] = []
        var nulls: [String] = []
        for member in object {
            guard !member.key.isEmpty else {
                nulls = (member.value.string ?? "").parts(separatedBy: ",").filter { !$0.isEmpty }
                continue
            }
            values.append((member.key, Self.value(member.value, as: table.column(of: member.key)?.kind)))
        }
        self.values = values
        self.nulls = nulls
    }

    private static func value(_ value: JSONValue, as kind: ColumnKind?) -> JSONValue {
        switch (kind, value) {
        case (.boolean, .integer(let integer)): .bool(integer != 0)
        case (.real, .string(let text)): Double(text).map { .double($0) } ?? value
        case (.list, .string(let text)), (.json, .string(let text)), (.object, .string(let text)):
            (try? JSONReader.value(of: text)) ?? value
        default: value
        }
    }
}
