import Crypto
import JSON

extension TableLayout {
    /// An index that the table needs: its name and what creates it.
    struct Index: Equatable {
        let name: String
        let sql: String
    }

    /// A computed column: its name and the expression.
    struct Computed: Equatable {
        let name: String
        let expression: String
    }

    var quotedName: String { SQLName.quoted(name) }

    /// The quoted column of a field; NULL for a field without one.
    func quotedColumn(of field: String) -> String {
        column(of: field).map { SQLName.quoted($0.name) } ?? "NULL"
    }

    /// The statement that creates it, without its indexes.
    var creation: String {
        let row = SQLName.quoted(SQLName.row)
        // A server would call the key's index like a table that a model may have.
        var parts = [
            dialect == .sqlite
                ? "\(row) INTEGER PRIMARY KEY"
                : "\(row) INTEGER CONSTRAINT \(SQLName.quoted(serverName(of: "\(name) row"))) PRIMARY KEY"
        ]
        parts += columns.map { "\(SQLName.quoted($0.name)) \($0.kind.sqlType)" }
        parts.append("\(SQLName.quoted(SQLName.nulls)) TEXT")
        parts += computed.map(definition)
        return "CREATE TABLE \(quotedName) (\n  \(parts.joined(separator: ",\n  "))\n) STRICT"
    }

    func definition(of computed: Computed) -> String {
        "\(SQLName.quoted(computed.name)) TEXT GENERATED ALWAYS AS (\(computed.expression)) "
            + (dialect == .sqlite ? "VIRTUAL" : "STORED")
    }

    /// The columns for keys with several sort fields.
    var computed: [Computed] {
        var names: Set<ByteText> = []
        return keys.compactMap { key in
            guard case .composite(let fields)? = key.sortAttribute else { return nil }
            let name = composite(of: fields)
            guard names.add(name.lowercased()) else { return nil }
            return Computed(name: name, expression: fields.map(text).joined(separator: " || '#' || "))
        }
    }

    /// A field as it stands in a composite: one that is null makes the whole null.
    private func text(of field: String) -> String {
        let quoted = quotedColumn(of: field)
        let kind = column(of: field)?.kind
        if dialect == .postgres {
            return switch kind {
            case .boolean: "CASE WHEN \(quoted) <> 0 THEN 'true' ELSE 'false' END"
            // What a server makes of a number by itself may depend on its settings, and such a column must not.
            case .integer: "CAST(\(quoted) AS TEXT)"
            default: quoted
            }
        }
        return kind == .boolean ? "iif(\(quoted), 'true', 'false')" : quoted
    }

    private func composite(of fields: [String]) -> String {
        fields.map { column(of: $0)?.name ?? $0 }.joined(separator: "#")
    }

    /// The quoted column that orders a key; nil for a key of one field.
    func sortColumn(of key: KeyLayout) -> String? {
        switch key.sortAttribute {
        case .field(let field)?: quotedColumn(of: field)
        case .composite(let fields)?: SQLName.quoted(composite(of: fields))
        case nil: nil
        }
    }

    /// Every index of the table.
    ///
    /// SQLite ends each with the row's number, so rows of equal keys come in the order of creation. A record that
    /// lacks a part of a key is not in that index, as in DynamoDB.
    var indexes: [Index] {
        var indexes: [Index] = []
        var shapes: Set<ByteText> = []
        var taken: Set<ByteText> = []
        if let key = primaryKey {
            let columns = ([key.partition] + key.sort).map(quotedColumn).joined(separator: ", ")
            indexes.append(index("primary key", isUnique: true, on: columns, taken: &taken))
            if key.sort.count < 2 { shapes.add(columns) }
        }
        for key in keys {
            let columns = [quotedColumn(of: key.partition), sortColumn(of: key)].compactMap { $0 }
            let list = columns.joined(separator: ", ")
            // Relations often ask for what another key gives.
            guard shapes.add(list) else { continue }
            let condition = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            let name = key.name.isEmpty ? "primary order" : "by \(key.name)"
            indexes.append(index(name, on: list, where: " WHERE \(condition)", taken: &taken))
        }
        if isSynced {
            // The only records that are looked for by their time.
            indexes.append(
                index(
                    "tombstones", on: quotedColumn(of: SyncField.lastChangedAt.rawValue),
                    where: " WHERE \(quotedColumn(of: SyncField.deleted.rawValue)) = 1", taken: &taken))
        }
        return indexes
    }

    // A space is in no name of GraphQL, so that no index is called like a table.
    private func index(
        _ name: String, isUnique: Bool = false, on columns: String, where condition: String = "",
        taken: inout Set<ByteText>
    ) -> Index {
        var full = SQLName.free("\(self.name) \(name)", taken: &taken)
        var columns = columns
        if dialect == .postgres {
            full = serverName(of: full)
            // SQLite has the row at the end of each index.
            if !isUnique { columns += ", \(SQLName.quoted(SQLName.row))" }
        }
        let unique = isUnique ? "UNIQUE " : ""
        return Index(
            name: full, sql: "CREATE \(unique)INDEX \(SQLName.quoted(full)) ON \(quotedName) (\(columns))\(condition)")
    }

    /// A name of our own that a server takes whole: a long one ends with its hash. No name that a model gives is changed.
    func serverName(of name: String) -> String {
        guard name.utf8.count > StoreLimits.serverNameBytesMax else { return name }
        let hash = "~" + Hexadecimal.text(of: Array(HMACSHA256.code(of: Array(name.utf8), key: []).prefix(8)))
        return String(decoding: name.utf8.prefix(StoreLimits.serverNameBytesMax - hash.utf8.count), as: UTF8.self)
            + hash
    }
}
