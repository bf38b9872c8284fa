import JSON

extension RecordChange {
    /// The statement, which gives one row when the change was made, with its values in their order.
    ///
    /// - Parameter number: that of a new row on a server; a file numbers its rows by itself.
    func statement(numbered number: Int64? = nil) throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        if action != .create, key.count != table.keyFieldCount {
            throw StoreError(
                .unexpected, "the key of \(table.model) has \(table.keyFieldCount) fields, \(key.count) were given"
            )
        }
        var columns: [(name: String, value: StoredValue)] = []
        if table.dialect == .postgres { try checkStorable() }
        for assignment in assignments {
            columns.append((try quotedColumn(of: assignment), assignment.value))
        }
        return switch action {
        case .create: try creation(columns, numbered: number)
        case .update: try update(columns)
        case .delete: try deletion()
        }
    }

    /// The column that an assignment is for.
    func quotedColumn(of assignment: Assignment) throws(StoreError) -> String {
        guard let column = table.column(of: assignment.field) else {
            throw StoreError(.unexpected, "\(table.model) has no field \(assignment.field) that is stored")
        }
        return SQLName.quoted(column.name)
    }

    private func creation(
        _ columns: [(name: String, value: StoredValue)], numbered number: Int64?
    ) throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        // There is no record yet: all that a condition can ask for is absent.
        var condition = PredicateWriter(
            TableLayout(model: table.model, name: "", columns: [], keys: [], isSynced: false, dialect: table.dialect))
        try condition.write(self.condition)
        let row = number == nil ? [] : [SQLName.quoted(SQLName.row)]
        let names = row + [SQLName.quoted(SQLName.nulls)] + columns.map(\.name)
        let sql =
            "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) "
            + "SELECT \(names.map { _ in "?" }.joined(separator: ", ")) WHERE \(condition.sql) "
            + "ON CONFLICT DO NOTHING \(returning)"
        let values = (number.map { [StoredValue.integer($0)] } ?? []) + creationValues
        return (SQLText(sql), values + condition.values)
    }

    private func update(
        _ columns: [(name: String, value: StoredValue)]
    ) throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        var condition = PredicateWriter(table)
        try condition.write(self.condition)
        if let explicitNulls {
            let settings = (columns.map(\.name) + [SQLName.quoted(SQLName.nulls)]).map { "\($0) = ?" }
            let sql =
                "UPDATE \(table.quotedName) SET \(settings.joined(separator: ", ")) "
                + "WHERE \(table.keyCondition) AND \(condition.sql) \(returning)"
            return (SQLText(sql), columns.map(\.value) + [Self.nulls(explicitNulls)] + key + condition.values)
        }
        let fields = JSONWriter.bytes(of: .array(assignments.map { .string($0.field) }))
        let nulls = SQLName.quoted(SQLName.nulls)
        // A field that is assigned holds no explicit null any more.
        let remaining =
            table.dialect == .postgres
            ? "(SELECT ',' || string_agg(value, ',' ORDER BY place) || ',' FROM "
                + "unnest(string_to_array(trim(BOTH ',' FROM \(nulls)), ',')) WITH ORDINALITY AS kept(value, place) "
                + "WHERE value NOT IN (SELECT jsonb_array_elements_text(CAST(? AS jsonb))))"
            : "(SELECT ',' || group_concat(value, ',') || ',' FROM "
                + "json_each('[\"' || replace(trim(\(nulls), ','), ',', '\",\"') || '\"]') "
                + "WHERE value NOT IN (SELECT value FROM json_each(?)))"
        let settings =
            columns.map { "\($0.name) = ?" } + ["\(nulls) = CASE WHEN \(nulls) IS NOT NULL THEN \(remaining) END"]
        let sql =
            "UPDATE \(table.quotedName) SET \(settings.joined(separator: ", ")) "
            + "WHERE \(table.keyCondition) AND \(condition.sql) \(returning)"
        return (SQLText(sql), columns.map(\.value) + [.utf8(fields)] + key + condition.values)
    }

    /// The fields that hold an explicit null, as the table has them.
    private static func nulls(_ fields: [String]) -> StoredValue {
        fields.isEmpty ? .null : .text(",\(fields.joined(separator: ",")),")
    }

    private func deletion() throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        var condition = PredicateWriter(table)
        try condition.write(self.condition)
        let sql = "DELETE FROM \(table.quotedName) WHERE \(table.keyCondition) AND \(condition.sql) \(returning)"
        return (SQLText(sql), key + condition.values)
    }

    var returning: String {
        "RETURNING " + (fields.isEmpty ? "1" : fields.map(table.quotedColumn).joined(separator: ", "))
    }
}
