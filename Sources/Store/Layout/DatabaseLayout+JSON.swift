import JSON

extension DatabaseLayout {
    /// The version of the form in which a layout is written into the file.
    static let formatVersion: Int64 = 1

    /// The layout as it is kept in the file: JSON without white space.
    ///
    /// Hot path: nearly every start compares it with the one that is kept, so no tree of values is made for it.
    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(tables.count * Self.tableBytesUsually)
        bytes.append(#"{"format":"#)
        JSONWriter.writeInteger(Self.formatVersion, to: &bytes)
        bytes.append(#","tables":"#)
        bytes.appendList(tables) { $0.append($1) }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let tableBytesUsually = 2_048

    /// Reads a layout that was kept.
    init(json: JSONValue, in dialect: StoreDialect = .sqlite) throws(StoreError) {
        guard let format = json["format"]?.integer else { throw Self.unreadable("it has no format") }
        guard format == Self.formatVersion else {
            throw StoreError(
                .unknownFormat,
                "the database was written by another version of Homeport: its format is \(format), "
                    + "this one reads \(Self.formatVersion). Use that version, or export and import")
        }
        guard let tables = json["tables"]?.array else { throw Self.unreadable("it has no tables") }
        var read: [TableLayout] = []
        for table in tables { read.append(try TableLayout(json: table, in: dialect)) }
        self.init(tables: read)
    }

    static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "the description of the tables in the database cannot be read: \(what). Restore a backup")
    }
}

extension TableLayout {
    fileprivate convenience init(json: JSONValue, in dialect: StoreDialect) throws(StoreError) {
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
            searchFields: searchFields, dialect: dialect)
    }
}

extension TableLayout.Column {
    fileprivate init(json: JSONValue) throws(StoreError) {
        guard let field = json["field"]?.string, let name = json["column"]?.string,
            let kind = json["kind"]?.string.flatMap(ColumnKind.init)
        else { throw DatabaseLayout.unreadable("a column lacks a part") }
        self.init(field: field, name: name, kind: kind)
    }
}

extension KeyLayout {
    fileprivate init(json: JSONValue) throws(StoreError) {
        guard let name = json["name"]?.string, let partition = json["partition"]?.string,
            let sort = json["sort"]?.array
        else { throw DatabaseLayout.unreadable("a key lacks a part") }
        self.init(name: name, partition: partition, sort: sort.compactMap(\.string))
    }
}

extension [UInt8] {
    /// Appends `[…]` with elements that the closure writes.
    fileprivate mutating func appendList<Part>(_ parts: [Part], _ write: (inout [UInt8], Part) -> Void) {
        append(UInt8(ascii: "["))
        for (place, part) in parts.enumerated() {
            if place > 0 { append(UInt8(ascii: ",")) }
            write(&self, part)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends what comes before a member's text, and the text.
    fileprivate mutating func append(_ before: StaticString, _ text: String) {
        append(before)
        JSONWriter.writeString(text, to: &self)
    }

    fileprivate mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate mutating func append(_ table: TableLayout) {
        append(#"{"model":"#, table.model)
        append(#","table":"#, table.name)
        append(table.isSynced ? #","changeLog":true,"columns":"# : #","changeLog":false,"columns":"#)
        appendList(table.columns) { bytes, column in
            bytes.append(#"{"field":"#, column.field)
            bytes.append(#","column":"#, column.name)
            bytes.append(#","kind":"#, column.kind.rawValue)
            bytes.append(UInt8(ascii: "}"))
        }
        append(#","keys":"#)
        appendList(table.keys) { bytes, key in
            bytes.append(#"{"name":"#, key.name)
            bytes.append(#","partition":"#, key.partition)
            bytes.append(#","sort":"#)
            bytes.appendList(key.sort) { JSONWriter.writeString($1, to: &$0) }
            bytes.append(UInt8(ascii: "}"))
        }
        append(#","search":"#)
        appendList(table.searchFields) { JSONWriter.writeString($1, to: &$0) }
        append(UInt8(ascii: "}"))
    }
}
