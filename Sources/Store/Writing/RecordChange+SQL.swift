import JSON

extension RecordChange {
    /// The statement, which gives one row when the change was made, with its values in their order.
    func statement() throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        if action != .create, key.count != table.keyFieldCount {
            throw StoreError(
                .unexpected, "the key of \(table.model) has \(table.keyFieldCount) fields, \(key.count) were given"
            )
        }
        var columns: [(name: String, value: StoredValue)] = []
        for assignment in assignments {
            columns.append((try quotedColumn(of: assignment), assignment.value))
        }
        return switch action {
        case .create: try creation(columns)
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
        _ columns: [(name: String, value: StoredValue)]
    ) throws(StoreError) -> (sql: SQLText, values: [StoredValue]) {
        // There is no record yet: all that a condition can ask for is absent.
        var condition = PredicateWriter(
            TableLayout(model: table.model, name: "", columns: [], keys: [], isSynced: false))
        try condition.write(self.condition)
        let names = [SQLName.quoted(SQLName.nulls)] + columns.map(\.name)
        let sql =
            "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) "
            + "SELECT \(names.map { _ in "?" }.joined(separator: ", ")) WHERE \(condition.sql) "
            + "ON CONFLICT DO NOTHING \(returning)"
        return (SQLText(sql), creationValues + condition.values)
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
            "(SELECT ',' || group_concat(value, ',') || ',' FROM "
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

    private var returning: String {
        "RETURNING " + (fields.isEmpty ? "1" : fields.map(table.quotedColumn).joined(separator: ", "))
    }
}
