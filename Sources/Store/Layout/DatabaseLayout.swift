import Blueprint
import JSON

/// All tables that a blueprint needs.
package struct DatabaseLayout: Sendable, Equatable {
    /// In the order of the models.
    package let tables: [TableLayout]
    private let numbers: [ByteText: Int]

    init(tables: [TableLayout]) {
        self.tables = tables
        numbers = Dictionary(texts: zip(tables.map(\.model), tables.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The table of a model.
    package func table(of model: Model) -> TableLayout? { table(storing: model.storedName) }

    /// The table of the model that has that name in the file.
    package func table(storing name: String) -> TableLayout? { numbers[name].map { tables[$0] } }

    /// The layout of a blueprint. What is stored already keeps its names.
    package init(of blueprint: Blueprint, keeping stored: DatabaseLayout? = nil, in dialect: StoreDialect = .sqlite) {
        var names = NameBook(kept: (stored?.tables ?? []).map { ($0.model, $0.name) }, reserved: [])
        let tables = blueprint.models.map { model in
            let kept = stored?.table(storing: model.storedName)
            let name = names.name(of: model.storedName)
            return Self.table(of: model, named: name, keeping: kept, in: blueprint, dialect)
        }
        self.init(tables: tables)
    }

    private static func table(
        of model: Model, named name: String, keeping stored: TableLayout?, in blueprint: Blueprint,
        _ dialect: StoreDialect
    ) -> TableLayout {
        var names = NameBook(
            kept: (stored?.columns ?? []).map { ($0.field, $0.name) }, reserved: [SQLName.row, SQLName.nulls])
        var seen: Set<ByteText> = []
        let columns = fields(of: model, in: blueprint).compactMap { field, kind -> TableLayout.Column? in
            guard seen.add(field) else { return nil }
            return TableLayout.Column(field: field, name: names.name(of: field), kind: kind)
        }
        let primary = KeyLayout(name: "", partition: model.key.partition.field, sort: model.key.sort.map(\.field))
        let indexes = (model.indexes + model.relationIndexes).map {
            KeyLayout(name: $0.name, partition: $0.partition.field, sort: $0.sort.map(\.field))
        }
        return TableLayout(
            model: model.storedName, name: name, columns: columns, keys: [primary] + indexes,
            isSynced: model.isSynced,
            searchFields: model.search == nil
                ? [] : columns.map(\.field).filter { hasWords($0, of: model, in: blueprint) },
            dialect: dialect
        )
    }

    /// Returns whether the words of a field can be searched: not those of times, which are compared as a whole.
    private static func hasWords(_ name: String, of model: Model, in blueprint: Blueprint) -> Bool {
        guard let field = model.field(named: name) else {
            return !model.timestamps.names.contains(name) && name != model.versioning?.field
                && SyncField(rawValue: name) == nil
        }
        switch ScalarKind(scalar: field.typeName) {
        case .id: return true
        case .string: return !["AWSDate", "AWSTime", "AWSDateTime", "AWSJSON"].contains(field.typeName)
        case .int, .float, .boolean: return false
        case nil: return blueprint.isEnum(field.typeName)
        }
    }

    /// The stored fields of a model in the order of its type, the same one twice if it is declared and needed.
    private static func fields(of model: Model, in blueprint: Blueprint) -> [(String, ColumnKind)] {
        var fields: [(String, ColumnKind)] = []
        for field in model.fields where blueprint.model(named: field.typeName) == nil {
            fields.append((field.name, ColumnKind(of: field, in: blueprint)))
        }
        if model.hasID { fields.append(("id", .text)) }
        fields += model.timestamps.names.map { ($0, .text) }
        if let versioning = model.versioning { fields.append((versioning.field, .integer)) }
        if model.isSynced {
            fields += SyncField.allCases.map { ($0.rawValue, $0.kind) }
        }
        fields += model.keyFields.map {
            ($0.name, ColumnKind(typeName: $0.typeName, isList: false, in: blueprint))
        }
        // A rule that names an owner field which nobody declares adds it to the type.
        let owners = model.matrix?.roles.filter { $0.strategy == .owner }.compactMap(\.entity) ?? []
        fields += owners.map { ($0, .text) }
        // A key part is always there, whoever declares it.
        let parts = model.key.parts + (model.indexes + model.relationIndexes).flatMap(\.parts)
        fields += parts.map { ($0.field, ColumnKind(typeName: $0.typeName, isList: false, in: blueprint)) }
        return fields
    }
}

/// Gives each name of GraphQL one of SQL, the same as before where there was one.
private struct NameBook {
    private let kept: [ByteText: String]
    private var taken: Set<ByteText>

    init(kept: [(String, String)], reserved: [String]) {
        self.kept = Dictionary(texts: kept, uniquingKeysWith: { first, _ in first })
        taken = Set(texts: reserved.map { $0.lowercased() } + kept.map { $0.1.lowercased() })
    }

    mutating func name(of name: String) -> String {
        kept[name] ?? SQLName.free(name, taken: &taken)
    }
}
