import JSON

extension DatabaseLayout {
    /// The version of the form in which a layout is written into the file.
    static let formatVersion: Int64 = 1

    /// The layout as it is kept in the file.
    var json: JSONValue {
        .object(
            JSONObject([
                ("format", .integer(Self.formatVersion)),
                ("tables", .array(tables.map(\.json))),
            ]))
    }

    /// Reads a layout that was kept.
    init(json: JSONValue) throws(StoreError) {
        guard let format = json["format"]?.integer else { throw Self.unreadable("it has no format") }
        guard format == Self.formatVersion else {
            throw StoreError(
                .unknownFormat,
                "the database was written by another version of Homeport: its format is \(format), "
                    + "this one reads \(Self.formatVersion). Use that version, or export and import")
        }
        guard let tables = json["tables"]?.array else { throw Self.unreadable("it has no tables") }
        var read: [TableLayout] = []
        for table in tables { read.append(try TableLayout(json: table)) }
        self.init(tables: read)
    }

    static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "the description of the tables in the database cannot be read: \(what). Restore a backup")
    }
}

extension TableLayout {
    fileprivate var json: JSONValue {
        .object(
            JSONObject([
                ("model", .string(model)), ("table", .string(name)), ("changeLog", .bool(isSynced)),
                ("columns", .array(columns.map(\.json))), ("keys", .array(keys.map(\.json))),
                ("search", .array(searchFields.map { .string($0) })),
            ]))
    }

    fileprivate convenience init(json: JSONValue) throws(StoreError) {
        guard let model = json["model"]?.string, let name = json["table"]?.string,
            let columns = json["columns"]?.array, let keys = json["keys"]?.array
        else { throw DatabaseLayout.unreadable("a table lacks a part") }
        var readColumns: [Column] = []
        for column in columns { readColumns.append(try Column(json: column)) }
        var readKeys: [KeyLayout] = []
        for key in keys { readKeys.append(try KeyLayout(json: key)) }
        let isSynced = json["changeLog"]?.bool ?? false
        let searchFields = (json["search"]?.array ?? []).compactMap(\.string)
        self.init(
            model: model, name: name, columns: readColumns, keys: readKeys, isSynced: isSynced,
            searchFields: searchFields)
    }
}

extension TableLayout.Column {
    fileprivate var json: JSONValue {
        .object(
            JSONObject([("field", .string(field)), ("column", .string(name)), ("kind", .string(kind.rawValue))]))
    }

    fileprivate init(json: JSONValue) throws(StoreError) {
        guard let field = json["field"]?.string, let name = json["column"]?.string,
            let kind = json["kind"]?.string.flatMap(ColumnKind.init)
        else { throw DatabaseLayout.unreadable("a column lacks a part") }
        self.init(field: field, name: name, kind: kind)
    }
}

extension KeyLayout {
    fileprivate var json: JSONValue {
        .object(
            JSONObject([
                ("name", .string(name)), ("partition", .string(partition)), ("sort", .array(sort.map { .string($0) })),
            ]))
    }

    fileprivate init(json: JSONValue) throws(StoreError) {
        guard let name = json["name"]?.string, let partition = json["partition"]?.string,
            let sort = json["sort"]?.array
        else { throw DatabaseLayout.unreadable("a key lacks a part") }
        self.init(name: name, partition: partition, sort: sort.compactMap(\.string))
    }
}
