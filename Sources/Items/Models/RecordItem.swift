import JSON
import Store

/// Records of a model as items, and back: a field is an attribute, with the type that AppSync would give it.
///
/// Beside its fields an item has the type's name and, for keys of several sort fields, the text that they are together. Neither is
/// kept: they follow from the others.
struct RecordItem: Sendable {
    let table: TableLayout
    let typeName: String

    static let typeAttribute = "__typename"

    // MARK: Reading

    /// The item of a row whose columns are those of a walk.
    func item(_ row: borrowing Row) throws(ItemFailure) -> Item {
        var item = Item()
        for name in row.text(0).parts(separatedBy: ",") where !name.isEmpty { item[name] = .null }
        for (place, column) in table.columns.enumerated() where !row.isNull(place + 1) {
            item[column.field] = try value(row, place + 1, column)
        }
        for (name, fields) in composites {
            let parts = fields.compactMap { item[$0]?.keyText }
            if parts.count == fields.count { item[name] = .string(parts.joined(separator: CompositeKey.separator)) }
        }
        item[Self.typeAttribute] = .string(typeName)
        return item
    }

    private func value(
        _ row: borrowing Row, _ place: Int, _ column: TableLayout.Column
    ) throws(ItemFailure) -> ItemValue {
        switch column.kind {
        case .text: return .string(row.text(place))
        case .integer: return .number(ItemNumber(Int(row.integer(place))))
        case .real: return .number((try? ItemNumber("\(row.real(place))"))?.canonical ?? .zero)
        case .boolean: return .bool(row.boolean(place))
        case .list, .json, .object:
            let bytes = row.withText(place) { Array($0) }
            guard let json = try? JSONReader.value(of: bytes) else {
                throw .store(StoreError(.corrupt, "\(table.model).\(column.field) holds no JSON: restore a backup"))
            }
            return ItemValue(plain: json)
        }
    }

    /// The attributes that stand for several fields.
    private var composites: [(name: String, fields: [String])] {
        table.keys.compactMap { key in
            guard case .composite(let fields)? = key.sortAttribute else { return nil }
            return (fields.joined(separator: CompositeKey.separator), fields)
        }
    }

    // MARK: Writing

    /// What an item says of the fields: a value, an explicit null, or nothing. What the table has no field for is refused.
    func assignments(_ item: Item) throws(ItemError) -> [(field: String, value: StoredValue)] {
        var assignments: [(field: String, value: StoredValue)] = []
        for attribute in item {
            guard let column = table.column(of: attribute.name) else {
                let isComputed =
                    attribute.name == Self.typeAttribute || composites.contains { $0.name == attribute.name }
                guard isComputed else {
                    throw .invalidValues(
                        "The table holds the records of the model \(typeName), which has no field \(attribute.name)")
                }
                continue
            }
            assignments.append((column.field, try Self.stored(attribute.value, column, of: typeName)))
        }
        return assignments
    }

    private static func stored(
        _ value: ItemValue, _ column: TableLayout.Column, of model: String
    ) throws(ItemError) -> StoredValue {
        switch (column.kind, value) {
        case (_, .null): return .null
        case (.text, .string(let text)): return .text(text)
        case (.integer, .number(let number)):
            if let integer = Int64(number.description) { return .integer(integer) }
        case (.real, .number(let number)):
            if let real = Double(number.description), real.isFinite { return .real(real) }
        case (.boolean, .bool(let bool)): return .boolean(bool)
        case (.list, .list), (.list, .strings), (.list, .numbers), (.object, .list), (.object, .map), (.json, _):
            if let json = value.plain { return .utf8(JSONWriter.bytes(of: json)) }
        default: break
        }
        throw .invalidValues(
            "The field \(column.field) of the model \(model) does not hold values of the type \(value.kind.rawValue)")
    }
}

extension ItemValue {
    /// The value that JSON means without types.
    init(plain json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .string(let text): self = .string(text)
        case .integer, .double, .largeInteger:
            self =
                (try? ItemNumber(JSONWriter.text(of: json))).map { .number($0.canonical) }
                ?? .string(JSONWriter.text(of: json))
        case .array(let elements): self = .list(elements.map { ItemValue(plain: $0) })
        case .object(let object): self = .map(Item(object.map { ($0.key, ItemValue(plain: $0.value)) }))
        }
    }

    /// The same the other way; nil: JSON has no such value.
    var plain: JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .string(let text): return .string(text)
        case .number(let number): return try? JSONReader.value(of: number.description)
        case .strings(let texts): return .array(texts.map { .string($0) })
        case .numbers(let numbers):
            return .array(numbers.compactMap { try? JSONReader.value(of: $0.description) })
        case .list(let elements):
            let values = elements.compactMap(\.plain)
            return values.count == elements.count ? .array(values) : nil
        case .map(let item):
            var object = JSONObject()
            for attribute in item {
                guard let value = attribute.value.plain else { return nil }
                object.set(attribute.name, to: value)
            }
            return .object(object)
        case .binary, .binaries: return nil
        }
    }

    /// The value within a key of several fields.
    fileprivate var keyText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.description
        case .bool(let bool): bool ? "true" : "false"
        default: nil
        }
    }
}
