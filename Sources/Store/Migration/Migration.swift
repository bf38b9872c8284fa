/// What turns the stored tables into those that are wanted: statements in their order, and what they would lose.
struct Migration {
    private(set) var statements: [String] = []
    private(set) var losses: [MigrationLoss] = []
    /// The tables whose words are found anew behind the statements, on a server.
    private(set) var filledWords: [TableLayout] = []

    /// Plans it by counting what is stored.
    init(
        from stored: DatabaseLayout?, to wanted: DatabaseLayout, nowMilliseconds: Int64,
        in connection: borrowing Connection
    ) throws(StoreError) {
        let newModels = wanted.tables.map(\.model).filter { stored?.table(storing: $0) == nil }
        for table in stored?.tables ?? [] where wanted.table(storing: table.model) == nil {
            let count = try Self.count("SELECT count(*) FROM \(table.quotedName)", in: connection)
            if count > 0 {
                losses.append(
                    MigrationLoss(
                        model: table.model, field: nil, what: "the model is gone, its records would be deleted",
                        rowCount: count, name: table.model,
                        advice: newModels.first.map {
                            "If \($0) is \(table.model) under a new name, write type \($0) @model "
                                + "@mapsTo(name: \"\(table.model)\")."
                        }))
            }
            if let index = table.searchIndex { statements.append(index.removal) }
            if let log = ChangeLog(of: table) { statements += log.removal(isReplaced: false) }
            statements.append("DROP TABLE \(table.quotedName)")
        }
        for table in wanted.tables {
            if let old = stored?.table(storing: table.model) {
                try change(old, to: table, nowMilliseconds: nowMilliseconds, in: connection)
            } else {
                statements.append(table.creation)
                statements += table.indexes.map(\.sql)
                if let index = table.searchIndex { statements += index.creations(of: table) }
                if let log = ChangeLog(of: table) {
                    statements += log.creation(nowMilliseconds: nowMilliseconds)
                }
            }
        }
    }

    private mutating func change(
        _ old: TableLayout, to new: TableLayout, nowMilliseconds: Int64, in connection: borrowing Connection
    ) throws(StoreError) {
        guard old != new else { return }
        let gone = old.columns.filter { new.column(of: $0.field) == nil }
        let added = new.columns.filter { old.column(of: $0.field) == nil }
        let changed = new.columns.filter { column in
            old.column(of: column.field).map { $0.kind != column.kind } ?? false
        }

        beginSyncChange(from: old, to: new)
        // An index that refers to a column that goes or changes is made again, even when it reads the same.
        let isRebuilt = !gone.isEmpty || !changed.isEmpty
        let oldIndexes = old.indexes.filter { isRebuilt || !new.indexes.contains($0) }
        let oldComputed = old.computed.filter { isRebuilt || !new.computed.contains($0) }
        let table = new.quotedName
        statements += oldIndexes.map { "DROP INDEX \(SQLName.quoted($0.name))" }
        statements += oldComputed.map { "ALTER TABLE \(table) DROP COLUMN \(SQLName.quoted($0.name))" }

        for column in gone {
            let isMetadata = old.isSynced && !new.isSynced && SyncField(rawValue: column.field) != nil
            let twin = added.first { $0.kind == column.kind }?.field
            try drop(column, of: new, isOwn: isMetadata, renamed: twin, in: connection)
        }
        for column in changed {
            guard let before = old.column(of: column.field) else { continue }
            try convert(column, of: new, from: before.kind, in: connection)
        }
        for column in added {
            statements.append("ALTER TABLE \(table) ADD COLUMN \(SQLName.quoted(column.name)) \(column.kind.sqlType)")
        }
        if new.isSynced && !old.isSynced {
            // Clients cannot read a record without them.
            // An earlier form of the file has an index of this name that nobody uses.
            statements.append("DROP INDEX IF EXISTS \(SQLName.quoted("\(new.name) changes"))")
            let version = new.quotedColumn(of: SyncField.version.rawValue)
            let time = new.quotedColumn(of: SyncField.lastChangedAt.rawValue)
            statements.append(
                "UPDATE \(table) SET \(version) = 1, \(time) = \(nowMilliseconds) WHERE \(version) IS NULL")
        }
        if old.primaryKey != new.primaryKey { try changeKey(of: old, to: new, in: connection) }
        let isSearchSame = old.searchIndex == new.searchIndex && !isRebuilt && old.primaryKey == new.primaryKey
        if !isSearchSame {
            if let index = old.searchIndex { statements.append(index.removal) }
            if let index = new.searchIndex {
                statements += index.creations(of: new)
                if new.dialect == .sqlite { statements.append(index.filling) } else { filledWords.append(new) }
            }
        }

        let newComputed = new.computed.filter { isRebuilt || !old.computed.contains($0) }
        let newIndexes = new.indexes.filter { isRebuilt || !old.indexes.contains($0) }
        statements += newComputed.map { "ALTER TABLE \(table) ADD COLUMN \(new.definition(of: $0))" }
        statements += newIndexes.map(\.sql)
        endSyncChange(from: old, to: new, nowMilliseconds: nowMilliseconds)
    }

    /// What was deleted stays deleted when nobody keeps tombstones any more.
    private mutating func beginSyncChange(from old: TableLayout, to new: TableLayout) {
        guard let log = ChangeLog(of: old), !new.isSynced || old.columns != new.columns else { return }
        statements += log.removal(isReplaced: new.isSynced)
        guard !new.isSynced else { return }
        statements.append(
            "DELETE FROM \(new.quotedName) WHERE \(old.quotedColumn(of: SyncField.deleted.rawValue)) = 1")
    }

    /// A log has the columns of its table. One that begins anew makes clients read all records once.
    private mutating func endSyncChange(from old: TableLayout, to new: TableLayout, nowMilliseconds: Int64) {
        guard let log = ChangeLog(of: new), !old.isSynced || old.columns != new.columns else { return }
        statements += log.creation(nowMilliseconds: nowMilliseconds)
    }

    private mutating func drop(
        _ column: TableLayout.Column, of table: TableLayout, isOwn: Bool, renamed twin: String?,
        in connection: borrowing Connection
    ) throws(StoreError) {
        let name = SQLName.quoted(column.name)
        let count = try Self.count(
            "SELECT count(*) FROM \(table.quotedName) WHERE \(name) IS NOT NULL", in: connection)
        // What only Homeport itself has put there is nobody's loss.
        if count > 0, !isOwn {
            losses.append(
                MigrationLoss(
                    model: table.model, field: column.field, what: "the field is gone, its values would be deleted",
                    rowCount: count, name: "\(table.model).\(column.field)",
                    advice: twin.map {
                        "If \($0) is \(column.field) under a new name: export the records with homeport export, rename it "
                            + "there, force this change, and import them with homeport import --replace."
                    }))
        }
        statements.append("ALTER TABLE \(table.quotedName) DROP COLUMN \(name)")
        // A field of that name that comes back some day has no nulls yet. The name is one of GraphQL: no quotes in it.
        let nulls = SQLName.quoted(SQLName.nulls)
        statements.append(
            "UPDATE \(table.quotedName) SET \(nulls) = nullif(replace(\(nulls), ',\(column.field),', ','), ',') "
                + "WHERE \(table.dialect.place)(\(nulls), ',\(column.field),') > 0")
    }

    private mutating func convert(
        _ column: TableLayout.Column, of table: TableLayout, from kind: ColumnKind, in connection: borrowing Connection
    ) throws(StoreError) {
        let conversion = ColumnConversion(from: kind, to: column.kind)
        guard table.dialect == .sqlite || conversion.isLossless else {
            throw StoreError(
                .unsupported,
                "\(table.model).\(column.field) was \(kind.label) and becomes \(column.kind.label), which a database on a server "
                    + "cannot change yet. Give the field another name, or keep its type")
        }
        let name = SQLName.quoted(column.name)
        let value = conversion.expression(name)
        if !conversion.isLossless {
            let count = try Self.count(
                "SELECT count(*) FROM \(table.quotedName) WHERE \(name) IS NOT NULL", in: connection)
            let misfits = try Self.count(
                "SELECT count(*) FROM \(table.quotedName) WHERE \(name) IS NOT NULL AND (\(value)) IS NULL",
                in: connection)
            // What fits keeps its meaning in the new form, so nobody need be asked about it.
            if misfits > 0 || (count > 0 && conversion.changesMeaning) {
                let loss =
                    misfits > 0
                    ? "\(misfits) of its \(count) values do not fit and would be deleted"
                    : "its values would read otherwise"
                losses.append(
                    MigrationLoss(
                        model: table.model, field: column.field,
                        what: "the field was \(kind.label) and becomes \(column.kind.label), \(loss)",
                        rowCount: count, name: "\(table.model).\(column.field)"))
            }
        }
        let temporary = SQLName.quoted("\(column.name)~new")
        statements += [
            "ALTER TABLE \(table.quotedName) ADD COLUMN \(temporary) \(column.kind.sqlType)",
            "UPDATE \(table.quotedName) SET \(temporary) = \(value) WHERE \(name) IS NOT NULL",
            "ALTER TABLE \(table.quotedName) DROP COLUMN \(name)",
            "ALTER TABLE \(table.quotedName) RENAME COLUMN \(temporary) TO \(name)",
        ]
    }

    /// Records that the new key cannot tell apart, or that have none, would be out of reach.
    private mutating func changeKey(
        of old: TableLayout, to new: TableLayout, in connection: borrowing Connection
    ) throws(StoreError) {
        guard let key = new.primaryKey else { return }
        let fields = [key.partition] + key.sort
        let name = "\(new.model).@primaryKey"
        let count = try Self.count(
            "SELECT count(*) FROM \(old.quotedName) WHERE \(Self.misfit(fields.map(old.quotedColumn), in: old))",
            in: connection)
        if count > 0 {
            losses.append(
                MigrationLoss(
                    model: new.model, field: nil,
                    what: "the key becomes \(fields.joined(separator: ", ")), records without one or with that of "
                        + "an earlier record would be deleted",
                    rowCount: count, name: name))
        }
        statements.append("DELETE FROM \(new.quotedName) WHERE \(Self.misfit(fields.map(new.quotedColumn), in: new))")
    }

    private static func misfit(_ columns: [String], in table: TableLayout) -> String {
        let row = SQLName.quoted(SQLName.row)
        let missing = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
        // In parentheses, NULL stands for a column that is not there yet and not for a number of one.
        let groups = columns.map { "(\($0))" }.joined(separator: ", ")
        return "\(missing) OR \(row) NOT IN (SELECT min(\(row)) FROM \(table.quotedName) GROUP BY \(groups))"
    }

    private static func count(_ sql: String, in connection: borrowing Connection) throws(StoreError) -> Int {
        guard case .integer(let count)? = try connection.value(SQLText(sql)) else { return 0 }
        return Int(count)
    }
}
