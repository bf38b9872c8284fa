import JSON
import Store

/// Records of a model as items, and back: a field is an attribute, with the type that AppSync would give it.
///
/// Beside its fields an item has the type's name and, for keys of several sort fields, the text that they are together. Neither is
/// kept: they follow from the others.
final class RecordItem: Sendable {
    let table: TableLayout
    let typeName: String
    /// The attributes that stand for several fields.
    private let composites: [(name: String, columns: [Int])]
    /// All attributes, in the order in which items have them.
    private let parts: [Part]

    static let typeAttribute = "__typename"

    /// An attribute of every item: what stands before its value in an answer is made once.
    private final class Part: Sendable {
        enum Source: Sendable {
            case column(Int, ColumnKind)
            case composite([Int])
            case typeName
        }

        let name: String
        let source: Source
        /// `"title":{"S":`, and how it begins where it is null.
        let prefix: [UInt8]
        let null: [UInt8]

        init(_ name: String, _ source: Source, _ type: String) {
            self.name = name
            self.source = source
            var key: [UInt8] = []
            JSONWriter.writeKey(name, to: &key)
            prefix = key + Array(type.utf8)
            null = key + Array(#"{"NULL":true}"#.utf8)
        }
    }

    init(table: TableLayout, typeName: String) {
        self.table = table
        self.typeName = typeName
        composites = table.keys.compactMap { key in
            guard case .composite(let fields)? = key.sortAttribute else { return nil }
            let columns = fields.compactMap { field in table.columns.firstIndex { $0.field == field } }
            return columns.count == fields.count ? (fields.joined(separator: CompositeKey.separator), columns) : nil
        }
        var parts = table.columns.enumerated().map { place, column in
            Part(column.field, .column(place, column.kind), Self.start(of: column.kind))
        }
        var names = Set(texts: parts.map(\.name))
        for (name, columns) in composites where names.add(name) {
            parts.append(Part(name, .composite(columns), #"{"S":"#))
        }
        parts.removeAll { $0.name == Self.typeAttribute }
        parts.append(Part(Self.typeAttribute, .typeName, #"{"S":"#))
        self.parts = parts.sorted { $0.name.compareBytes(to: $1.name) < 0 }
    }

    private static func start(of kind: ColumnKind) -> String {
        switch kind {
        case .text: #"{"S":"#
        case .integer: #"{"N":""#
        case .boolean: #"{"BOOL":"#
        // What is in there says which type it has.
        case .real, .list, .json, .object: ""
        }
    }

    // MARK: Reading

    // The columns of a row are those of a walk: its number, the explicit nulls, then those of the table.
    private static let nullsPlace = 1
    private static let firstPlace = 2

    static func number(of row: borrowing Row) -> Int64 { row.integer(0) }

    /// The fields that hold an explicit null.
    private static func nulls(_ row: borrowing Row) -> Set<ByteText> {
        guard !row.isNull(nullsPlace) else { return [] }
        return Set(texts: row.text(nullsPlace).parts(separatedBy: ",").filter { !$0.isEmpty })
    }

    func item(_ row: borrowing Row) throws(ItemFailure) -> Item {
        let nulls = Self.nulls(row)
        var attributes: [Item.Attribute] = []
        attributes.reserveCapacity(parts.count)
        for part in parts {
            switch part.source {
            case .typeName: attributes.append(Item.Attribute(name: part.name, value: .string(typeName)))
            case .composite(let places):
                guard let text = try composite(places, row) else { continue }
                attributes.append(Item.Attribute(name: part.name, value: .string(text)))
            case .column(let place, _):
                if !row.isNull(place + Self.firstPlace) {
                    attributes.append(Item.Attribute(name: part.name, value: try value(row, place)))
                } else if nulls.contains(part.name) {
                    attributes.append(Item.Attribute(name: part.name, value: .null))
                }
            }
        }
        return Item(unordered: attributes)
    }

    /// The item of a row without the types of its values.
    ///
    /// Hot path: what handlers read is mostly this.
    func plain(_ row: borrowing Row) throws(ItemFailure) -> JSONObject {
        let nulls = Self.nulls(row)
        var members: [JSONObject.Member] = []
        members.reserveCapacity(parts.count)
        for part in parts {
            switch part.source {
            case .typeName: members.append(JSONObject.Member(key: part.name, value: .string(typeName)))
            case .composite(let places):
                guard let text = try composite(places, row) else { continue }
                members.append(JSONObject.Member(key: part.name, value: .string(text)))
            case .column(let place, let kind):
                let column = place + Self.firstPlace
                guard !row.isNull(column) else {
                    if nulls.contains(part.name) { members.append(JSONObject.Member(key: part.name, value: .null)) }
                    continue
                }
                let value: JSONValue =
                    switch kind {
                    case .text: .string(row.text(column))
                    case .integer: .integer(row.integer(column))
                    case .boolean: .bool(row.boolean(column))
                    case .real, .list, .json, .object: try self.value(row, place).plain(depth: 0)
                    }
                members.append(JSONObject.Member(key: part.name, value: value))
            }
        }
        return JSONObject(distinct: members)
    }

    /// Appends the item of a row as answers hold it, and says what it weighs.
    ///
    /// Hot path: no value is made of what a column has.
    func write(_ row: borrowing Row, to buffer: inout [UInt8]) throws(ItemFailure) -> Int {
        let nulls = Self.nulls(row)
        var weight = 0
        buffer.append(UInt8(ascii: "{"))
        let start = buffer.count
        for part in parts {
            let begin = buffer.count
            if begin > start { buffer.append(UInt8(ascii: ",")) }
            if let value = try write(part, row, nulls, to: &buffer) {
                weight += part.name.utf8.count + value
            } else {
                buffer.removeLast(buffer.count - begin)
            }
        }
        buffer.append(UInt8(ascii: "}"))
        return weight
    }

    /// Appends an attribute, and says what its value weighs; nil where a record has none.
    private func write(
        _ part: Part, _ row: borrowing Row, _ nulls: Set<ByteText>, to buffer: inout [UInt8]
    ) throws(ItemFailure) -> Int? {
        switch part.source {
        case .typeName: return Self.write(typeName, part, to: &buffer)
        case .composite(let places):
            guard let text = try composite(places, row) else { return nil }
            return Self.write(text, part, to: &buffer)
        case .column(let place, let kind):
            let column = place + Self.firstPlace
            guard !row.isNull(column) else {
                guard !nulls.isEmpty, nulls.contains(part.name) else { return nil }
                buffer += part.null
                return ItemValue.null.size
            }
            switch kind {
            case .text:
                let weight = row.withText(column) { text in
                    part.prefix.withUnsafeBytes { JSONWriter.writeString(text, behind: $0, to: &buffer) }
                    return text.count
                }
                buffer.append(UInt8(ascii: "}"))
                return weight
            case .integer:
                let integer = row.integer(column)
                buffer += part.prefix
                JSONWriter.writeInteger(integer, to: &buffer)
                buffer.append(UInt8(ascii: "\""))
                buffer.append(UInt8(ascii: "}"))
                return ItemNumber(Int(integer)).size
            case .boolean:
                buffer += part.prefix
                JSONWriter.writeBool(row.boolean(column), to: &buffer)
                buffer.append(UInt8(ascii: "}"))
                return 1
            case .real, .list, .json, .object:
                let value = try value(row, place)
                buffer += part.prefix
                value.write(to: &buffer)
                return value.size
            }
        }
    }

    private static func write(_ text: String, _ part: Part, to buffer: inout [UInt8]) -> Int {
        buffer += part.prefix
        JSONWriter.writeString(text, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
        return text.utf8.count
    }

    /// What several fields are together; nil where one of them is absent.
    private func composite(_ places: [Int], _ row: borrowing Row) throws(ItemFailure) -> String? {
        var parts: [String] = []
        for place in places {
            guard !row.isNull(place + Self.firstPlace), let part = try value(row, place).keyText else { return nil }
            parts.append(part)
        }
        return parts.joined(separator: CompositeKey.separator)
    }

    private func value(_ row: borrowing Row, _ column: Int) throws(ItemFailure) -> ItemValue {
        let place = column + Self.firstPlace
        let column = table.columns[column]
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
