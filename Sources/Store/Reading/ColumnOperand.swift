/// A column as conditions see it: SQL for its value as a text or a number, its size and its type.
///
/// What it is not is `NULL`, so that every comparison with it fails, as between two types in DynamoDB.
struct ColumnOperand {
    let column: TableLayout.Column
    let quoted: String
    let dialect: StoreDialect

    /// With the table's name: within `json_each` a field called `value` would be that of the element.
    init(_ column: TableLayout.Column, of table: TableLayout) {
        self.column = column
        dialect = table.dialect
        quoted = "\(table.quotedName).\(SQLName.quoted(column.name))"
    }

    var isList: Bool { column.kind == .list }

    /// The value when it is a text.
    var text: String {
        if dialect == .postgres { return serverText }
        return switch column.kind {
        case .text: quoted
        case .json: "iif(json_type(\(quoted)) = 'text', json_extract(\(quoted), '$'), NULL)"
        case .integer, .real, .boolean, .list, .object: "NULL"
        }
    }

    private var number: String {
        if dialect == .postgres { return serverNumber }
        return switch column.kind {
        case .integer, .real, .boolean: quoted
        case .json: "iif(json_type(\(quoted)) IN ('integer', 'real'), json_extract(\(quoted), '$'), NULL)"
        case .text, .list, .object: "NULL"
        }
    }

    /// What can be compared with a value: SQLite itself would take `'1'` and `1` for the same.
    func comparable(with value: StoredValue) -> String {
        switch value {
        case .text, .utf8: text
        case .integer, .real: number
        case .null, .blob: "NULL"
        }
    }

    /// The bytes of a text, the elements of a list, the members of an object.
    var size: String {
        if dialect == .postgres { return serverSize }
        return switch column.kind {
        case .text: "length(CAST(\(quoted) AS BLOB))"
        case .list: "json_array_length(\(quoted))"
        case .json, .object:
            "CASE json_type(\(quoted)) WHEN 'text' THEN length(CAST(json_extract(\(quoted), '$') AS BLOB)) "
                + "WHEN 'array' THEN json_array_length(\(quoted)) "
                + "WHEN 'object' THEN (SELECT count(*) FROM json_each(\(quoted))) END"
        case .integer, .real, .boolean: "NULL"
        }
    }

    func isOfType(_ type: Predicate.AttributeType) -> String {
        if dialect == .postgres { return isOfTypeOnServer(type) }
        let isPresent = "\(quoted) IS NOT NULL"
        return switch (column.kind, type) {
        case (.text, .string), (.integer, .number), (.real, .number), (.boolean, .bool), (.list, .list): isPresent
        case (.json, .string), (.object, .string): "json_type(\(quoted)) = 'text'"
        case (.json, .number), (.object, .number): "json_type(\(quoted)) IN ('integer', 'real')"
        case (.json, .bool), (.object, .bool): "json_type(\(quoted)) IN ('true', 'false')"
        case (.json, .list), (.object, .list): "json_type(\(quoted)) = 'array'"
        case (.json, .map), (.object, .map): "json_type(\(quoted)) = 'object'"
        default: "0"
        }
    }
}
