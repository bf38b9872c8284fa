extension SearchAggregate {
    /// The statement for a server, whose columns have one type: numbers and texts are two expressions there.
    func serverText(of column: TableLayout.Column, in table: TableLayout, where condition: String) -> String {
        let row = SQLName.quoted(SQLName.row)
        let operand = ColumnOperand(column, of: table)
        let matched = "FROM \(table.quotedName) WHERE \(condition)"
        let source: String
        switch column.kind {
        case .list, .json:
            // The members of an object, the elements of a list, or the one value itself.
            source =
                "SELECT DISTINCT \"~row\", \(ServerElement.number) AS \"~number\", \(ServerElement.any) AS \"~one\" FROM "
                + "(SELECT \(table.quotedName).\(row) AS \"~row\", \(operand.document) AS \"~value\" \(matched)) AS matched, "
                + "jsonb_path_query(CASE jsonb_typeof(\"~value\") WHEN 'object' THEN "
                + "(SELECT jsonb_agg(member.value) FROM jsonb_each(\"~value\") AS member) ELSE \"~value\" END, 'lax $[*]') "
                + "AS element(part) WHERE jsonb_typeof(element.part) IN ('string', 'number', 'boolean')"
        case .integer, .real, .boolean:
            source =
                "SELECT \(operand.quoted) AS \"~one\", CAST(\(operand.quoted) AS REAL) AS \"~number\" "
                + "\(matched) AND \(operand.quoted) IS NOT NULL"
        case .text, .object:
            source =
                "SELECT \(operand.quoted) AS \"~one\", CAST(NULL AS REAL) AS \"~number\" "
                + "\(matched) AND \(operand.quoted) IS NOT NULL"
        }
        let values = "FROM (\(source)) AS values_of"
        return switch kind {
        case .terms: "SELECT \"~one\" \(values)"
        case .cardinality: "SELECT count(DISTINCT \"~one\") \(values)"
        case .sum: "SELECT coalesce(SUM(\"~number\"), 0) \(values)"
        case .avg, .min, .max: "SELECT \(kind.rawValue)(\"~number\") \(values)"
        }
    }
}

extension TextSearch {
    /// The expressions that a field sorts by on a server. Where its values may be numbers and texts, numbers come first, as in a file.
    func serverExpressions(of key: SortKey) -> [String] {
        let none = "CAST(NULL AS TEXT)"
        guard let column = table.column(of: key.field) else { return [none] }
        let operand = ColumnOperand(column, of: table)
        let expressions: [String]
        switch column.kind {
        case .text, .integer, .real, .boolean: return [operand.quoted]
        case .object: return [none]
        case .list:
            let function = key.isDescending ? "max" : "min"
            expressions = [ServerElement.number, ServerElement.text].map { one in
                "(SELECT \(function)(\(one)) FROM jsonb_array_elements(\(operand.document)) AS element(part))"
            }
        case .json:
            expressions = [ServerElement.number, ServerElement.text].map { one in
                "(SELECT \(one) FROM (SELECT \(operand.document) AS part) AS element)"
            }
        }
        return key.isDescending ? expressions.reversed() : expressions
    }
}
