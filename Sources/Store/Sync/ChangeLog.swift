import JSON

/// The log of a synced model: an image of the record after each change, in the order of the changes.
///
///     "_homeport_changes_Post"   _homeport_row  the order, and what positions refer to; never used twice
///                                id, title, …   the record as the change left it
///                                changed at     the stamp of the change, never less than that of the one before
///     "_homeport_changes"        how far back each log is whole: what is older was removed
///
/// The writer appends in the transaction of the change and removes what is too old, a bounded number at a time.
///
/// A class: it goes with every change, and has many texts.
package final class ChangeLog: Sendable {
    package let table: TableLayout
    /// The log as a table that lists can be read from.
    package let images: TableLayout
    let appending: SQLText
    /// Appends a record that goes with this change, as a tombstone would show it.
    let lastImage: SQLText
    let removal: SQLText
    let tombstoneRemoval: SQLText
    let rowRemoval: SQLText
    let head: SQLText
    let first: SQLText

    /// The stamp's field; a space is in no name of GraphQL.
    package static let time = "changed at"
    static let prefix = "_homeport_changes_"
    static let coverage = "_homeport_changes"

    static let coverageCreation =
        "CREATE TABLE IF NOT EXISTS \(coverage) (name TEXT PRIMARY KEY NOT NULL, since INTEGER NOT NULL, "
        + "removed INTEGER NOT NULL) STRICT, WITHOUT ROWID"
    static let coverageSelection = SQLText("SELECT since, removed FROM \(coverage) WHERE name = ?")
    static let coverageUpdate = SQLText("UPDATE \(coverage) SET since = ?, removed = ? WHERE name = ?")

    /// Nil for a table that keeps no versions.
    package init?(of table: TableLayout) {
        guard table.isSynced else { return nil }
        self.table = table
        images = TableLayout(
            model: table.model, name: Self.prefix + table.name,
            columns: table.columns + [TableLayout.Column(field: Self.time, name: Self.time, kind: .integer)],
            keys: [], isSynced: false, dialect: table.dialect)
        let (log, row, time) = (images.quotedName, SQLName.quoted(SQLName.row), SQLName.quoted(Self.time))
        let names = ([SQLName.nulls] + table.columns.map(\.name)).map(SQLName.quoted).joined(separator: ", ")
        let changed = table.quotedColumn(of: SyncField.lastChangedAt.rawValue)
        let (deleted, version) = (
            table.quotedColumn(of: SyncField.deleted.rawValue), table.quotedColumn(of: SyncField.version.rawValue)
        )
        let dialect = table.dialect
        // A server's log rows are numbered by who has the turn.
        let (number, mark) = dialect == .sqlite ? ("", "") : ("\(row), ", "?, ")
        let latest = "\(dialect.ifNull)((SELECT \(time) FROM \(log) ORDER BY \(row) DESC LIMIT 1), 0)"
        let stamp = "\(mark)\(dialect.greatest)(?, \(latest))"
        let last = ([SQLName.nulls] + table.columns.map(\.name)).map(SQLName.quoted).map { name in
            switch name {
            case deleted: "1"
            case version: "\(dialect.ifNull)(\(version), 0) + 1"
            case changed: "?"
            default: name
            }
        }
        lastImage = SQLText(
            "INSERT INTO \(log) (\(number)\(time), \(names)) SELECT \(stamp), \(last.joined(separator: ", ")) "
                + "FROM \(table.quotedName) WHERE \(row) = ?")
        // An import beside the server has a clock of its own: whoever appends, the stamps of a log never go back.
        appending = SQLText(
            "INSERT INTO \(log) (\(number)\(time), \(names)) SELECT \(stamp), \(names) FROM \(table.quotedName) "
                + "WHERE \(row) = ?")
        // The last one stays: SQLite would give its number to the next.
        removal = SQLText(
            "DELETE FROM \(log) WHERE \(row) IN (SELECT \(row) FROM \(log) "
                + "WHERE \(row) < (SELECT max(\(row)) FROM \(log)) ORDER BY \(row) LIMIT \(StoreLimits.removedChangesMax)) "
                + "AND \(time) < ? RETURNING \(row), \(time)")
        tombstoneRemoval = SQLText(
            "DELETE FROM \(table.quotedName) WHERE \(row) IN (SELECT \(row) FROM \(table.quotedName) "
                + "WHERE \(deleted) = 1 AND \(changed) < ? LIMIT \(StoreLimits.removedChangesMax))")
        rowRemoval = SQLText("DELETE FROM \(table.quotedName) WHERE \(row) = ?")
        head = SQLText("SELECT \(row), \(version), \(deleted) FROM \(table.quotedName) WHERE \(table.keyCondition)")
        first = SQLText("SELECT \(row) FROM \(log) WHERE \(time) >= ? ORDER BY \(time), \(row) LIMIT 1")
    }

    // MARK: The tables

    /// The statements that make it, for a table whose records before this moment are not in it.
    func creation(nowMilliseconds: Int64) -> [String] {
        let index = SQLName.quoted(
            table.dialect == .sqlite ? "\(images.name) times" : images.serverName(of: "\(images.name) times"))
        let (greatest, ifNull) = (table.dialect.greatest, table.dialect.ifNull)
        let records = "EXISTS (SELECT 1 FROM \(table.quotedName))"
        let known = "\(ifNull)((SELECT max(since) FROM \(Self.coverage)), 0)"
        return [
            Self.coverageCreation, images.creation,
            "CREATE INDEX \(index) ON \(images.quotedName) (\(SQLName.quoted(Self.time)))",
            "INSERT INTO \(Self.coverage) (name, since, removed) SELECT \(literal), "
                + "CASE WHEN \(records) THEN \(greatest)(\(nowMilliseconds), \(known)) ELSE 0 END, 0 "
                + "WHERE true ON CONFLICT (name) "
                + "DO UPDATE SET since = \(greatest)(\(Self.coverage).since, excluded.since), removed = 0",
        ]
    }

    /// The statements that take it away. Its last stamp is kept: none that follows may be less.
    func removal(isReplaced: Bool) -> [String] {
        let stamp = "(SELECT max(\(SQLName.quoted(Self.time))) FROM \(images.quotedName))"
        let note =
            isReplaced
            ? "UPDATE \(Self.coverage) SET since = \(table.dialect.greatest)(since, \(table.dialect.ifNull)(\(stamp), 0)) WHERE name = \(literal)"
            : "DELETE FROM \(Self.coverage) WHERE name = \(literal)"
        return [note, "DROP TABLE \(images.quotedName)"]
    }

    private var literal: String {
        "'" + images.name.parts(separatedBy: "'").joined(separator: "''") + "'"
    }

    /// The latest stamp in the logs of a database.
    static func latestStamp(of layout: DatabaseLayout, in connection: borrowing Connection) throws(StoreError) -> Int64
    {
        var latest: Int64 = 0
        for table in layout.tables {
            guard let log = ChangeLog(of: table) else { continue }
            let stamps = SQLText("SELECT max(\(SQLName.quoted(time))) FROM \(log.images.quotedName)")
            if case .integer(let stamp)? = try connection.value(stamps) { latest = max(latest, stamp) }
            if case .integer(let since)? = try connection.value(coverageSelection, [.text(log.images.name)]) {
                latest = max(latest, since)
            }
        }
        return latest
    }
}
