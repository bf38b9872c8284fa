import JSON

/// A table of a database as both engines have it: the columns that are stored, and the key by which its rows are walked.
struct MovedTable: Sendable {
    struct Column: Sendable {
        let name: String
        let kind: Kind
    }

    enum Kind: Sendable {
        case integer, real, text, blob

        /// By the type that SQLite has for a column.
        init?(sqlite type: String) {
            switch type {
            case "INTEGER": self = .integer
            case "REAL": self = .real
            case "TEXT": self = .text
            case "BLOB": self = .blob
            default: return nil
            }
        }

        /// By the number of the type in PostgreSQL's catalogue.
        init?(postgres type: Int64) {
            switch type {
            case 20: self = .integer
            case 701: self = .real
            case 25: self = .text
            case 17: self = .blob
            default: return nil
            }
        }
    }

    let name: String
    fileprivate(set) var columns: [Column] = []
    /// The places of the key's columns.
    fileprivate(set) var key: [Int] = []
    /// True if the database numbers its rows and gives no number twice.
    fileprivate(set) var isNumbered = false

    fileprivate init(_ name: String) { self.name = name }

    var quotedName: String { SQLName.quoted(name) }
    var quotedColumns: String { columns.map { SQLName.quoted($0.name) }.joined(separator: ", ") }
    var quotedKey: String { key.map { SQLName.quoted(columns[$0].name) }.joined(separator: ", ") }

    func key(of values: [StoredValue]) -> [StoredValue] { key.map { values[$0] } }

    /// The same with the columns in the order of their names.
    fileprivate var sorted: MovedTable {
        let names = columns.map { ByteText($0.name.lowercased()) }
        return arranged(columns.indices.sorted { names[$0] < names[$1] })
    }

    private func arranged(_ places: [Int]) -> MovedTable {
        var table = self
        table.columns = places.map { columns[$0] }
        table.key = key.compactMap { places.firstIndex(of: $0) }
        return table
    }

    /// The same columns in the order of another one's. Case does not matter: a server writes names of rooms' columns in small letters.
    func ordered(as other: MovedTable) -> MovedTable? {
        let places = other.columns.compactMap { column in
            columns.firstIndex { ByteText($0.name.lowercased()) == ByteText(column.name.lowercased()) }
        }
        guard places.count == columns.count, Set(places).count == columns.count else { return nil }
        return arranged(places)
    }
}

extension MovedTable {
    /// The tables that no move takes as they are: settings have a form in each engine, words are made anew, and the others are those of
    /// running processes.
    private static let left: Set<ByteText> = Set(
        texts: [
            SettingsTable.name, ServerTurns.name, NodeRows.nodes, NodeRows.events, NodeRows.marks, NodeRows.duties,
        ])

    private static func isLeft(_ name: String) -> Bool {
        left.contains(ByteText(name)) || name.utf8.starts(with: SearchIndex.prefix.utf8)
            || name.utf8.starts(with: "sqlite_".utf8)
    }

    private static let sqliteColumns = SQLText(
        """
        SELECT tables.name, columns.name, columns.type, columns.pk, columns.hidden <> 0, tables.sql
        FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
        WHERE tables.type = 'table' ORDER BY tables.name, columns.cid
        """)
    private static let postgresColumns = SQLText(
        """
        SELECT tables.relname, columns.attname, columns.atttypid, coalesce(array_position(keys.indkey::int2[], columns.attnum), -1),
            columns.attgenerated <> '', columns.attidentity <> ''
        FROM pg_catalog.pg_class AS tables
        JOIN pg_catalog.pg_attribute AS columns ON columns.attrelid = tables.oid
        LEFT JOIN pg_catalog.pg_index AS keys ON keys.indrelid = tables.oid AND keys.indisprimary
        WHERE tables.relnamespace = to_regnamespace(quote_ident(current_schema())) AND tables.relkind IN ('r', 'p')
            AND columns.attnum > 0 AND NOT columns.attisdropped
        ORDER BY tables.relname, columns.attnum
        """)

    /// The tables of a database by their names, in the order of these.
    static func all(in connection: borrowing Connection) throws(StoreError) -> [MovedTable] {
        let isFile = connection.dialect == .sqlite
        let path = connection.path
        var tables: [MovedTable] = []
        var places: [(place: Int64, column: Int)] = []
        func endTable() throws(StoreError) {
            guard let last = tables.indices.last else { return }
            tables[last].key = places.sorted { $0.place < $1.place }.map(\.column)
            places = []
            guard tables[last].key.isEmpty else { return }
            throw StoreError(
                .unsupported, "database \(path): its table \(tables[last].name) has no key, and no move takes it")
        }
        try connection.query(isFile ? sqliteColumns : postgresColumns) { row throws(StoreError) in
            let name = row.text(0)
            guard !isLeft(name) else { return true }
            if tables.last.map({ ByteText($0.name) != ByteText(name) }) ?? true {
                try endTable()
                tables.append(MovedTable(name))
            }
            guard !row.boolean(4), let last = tables.indices.last else { return true }
            let column = row.text(1)
            guard let kind = isFile ? Kind(sqlite: row.text(2)) : Kind(postgres: row.integer(2)) else {
                throw StoreError(
                    .unsupported,
                    "database \(path): the column \(column) of its table \(name) has a type that no table of Homeport has"
                )
            }
            // SQLite counts from 1, and has 0 for a column that is in no key.
            let place = isFile ? row.integer(3) - 1 : row.integer(3)
            if place >= 0 { places.append((place, tables[last].columns.count)) }
            tables[last].columns.append(Column(name: column, kind: kind))
            if isFile ? row.text(5).contains(bytesOf: "AUTOINCREMENT") : row.boolean(5) {
                tables[last].isNumbered = true
            }
            return true
        }
        try endTable()
        // In one order on all sides: a table that was changed has its columns in another one than a new table.
        return tables.map(\.sorted).sorted { ByteText($0.name) < ByteText($1.name) }
    }

    // MARK: Numbers

    /// The last number that the database has given a row; nil: none.
    func lastNumber(in connection: borrowing Connection) throws(StoreError) -> Int64? {
        guard isNumbered, let column = key.first.map({ columns[$0].name }) else { return nil }
        var last: Int64?
        func note(_ value: StoredValue?) {
            if case .integer(let number)? = value { last = max(last ?? number, number) }
        }
        note(try connection.value(SQLText("SELECT max(\(SQLName.quoted(column))) FROM \(quotedName)")))
        if connection.dialect == .sqlite {
            note(try connection.value(SQLText("SELECT seq FROM sqlite_sequence WHERE name = ?"), [.text(name)]))
        } else {
            note(try connection.value(Self.sequenceNumber, [.text(quotedName), .text(column)]))
        }
        return last
    }

    private static let sequenceNumber = SQLText(
        "SELECT pg_sequence_last_value(pg_get_serial_sequence(?, ?)::regclass)")
    private static let sequenceSetting = SQLText("SELECT setval(pg_get_serial_sequence(?, ?)::regclass, ?)")

    /// Has the database give numbers behind this one.
    func setLastNumber(_ number: Int64, in connection: borrowing Connection) throws(StoreError) {
        guard isNumbered, number > 0, let column = key.first.map({ columns[$0].name }) else { return }
        if connection.dialect == .sqlite {
            // SQLite has a row for a table that has had one, and asks it for nothing but the number.
            try connection.run(SQLText("DELETE FROM sqlite_sequence WHERE name = ?"), [.text(name)])
            try connection.run(
                SQLText("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"), [.text(name), .integer(number)])
        } else {
            try connection.run(Self.sequenceSetting, [.text(quotedName), .text(column), .integer(number)])
        }
    }
}
