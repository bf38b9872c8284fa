import JSON
import Store

/// Records of a model as items, and back: a field is an attribute, with the type that AppSync would give it.
///
/// Beside its fields an item has the type's name and, for keys of several sort fields, the text that they are together. Neither is
/// kept: they follow from the others.
package final class RecordItem: Sendable {
    package let table: TableLayout
    package let typeName: String
    private let typeNameBytes: Int
    /// The attributes that stand for several fields.
    let composites: [(name: String, columns: [Int])]
    /// All attributes, in the order in which items have them.
    private let parts: [Part]
    /// Their names, in the same order.
    private let names: [String]
    /// The places of the table's columns, by their fields.
    let numbers: [ByteText: Int]
    /// What stands before the values of all of them in an answer, made once.
    private let texts: [UInt8]

    static let typeAttribute = "__typename"

    /// An attribute of every item. It refers to nothing, so that a row is written without a count of references being touched.
    private struct Part: Sendable {
        enum Source: Sendable {
            case column(Int, ColumnKind)
            /// The place among the composites.
            case composite(Int)
            case typeName
        }

        let source: Source
        let nameBytes: Int
        /// Where `,"title":{"S":` lies in the texts, and what it is where it is null.
        let prefix: Range<Int>
        let null: Range<Int>

        init(_ name: String, _ source: Source, _ type: String, in texts: inout [UInt8]) {
            self.source = source
            nameBytes = name.utf8.count
            var key = [UInt8(ascii: ",")]
            JSONWriter.writeKey(name, to: &key)
            let start = texts.count
            texts += key + Array(type.utf8)
            prefix = start..<texts.count
            texts += key + Array(#"{"NULL":true}"#.utf8)
            null = prefix.upperBound..<texts.count
        }
    }

    package init(table: TableLayout, typeName: String) {
        self.table = table
        self.typeName = typeName
        numbers = Dictionary(
            texts: zip(table.columns.map(\.field), table.columns.indices), uniquingKeysWith: { first, _ in first })
        typeNameBytes = typeName.utf8.count
        composites = table.keys.compactMap { key in
            guard case .composite(let fields)? = key.sortAttribute else { return nil }
            let columns = fields.compactMap { field in table.columns.firstIndex { $0.field == field } }
            return columns.count == fields.count ? (fields.joined(separator: CompositeKey.separator), columns) : nil
        }
        var attributes = table.columns.enumerated().map { place, column in
            (name: column.field, source: Part.Source.column(place, column.kind), type: Self.start(of: column.kind))
        }
        var taken = Set(texts: attributes.map(\.name))
        for (place, composite) in composites.enumerated() where taken.add(composite.name) {
            attributes.append((composite.name, .composite(place), #"{"S":"#))
        }
        attributes.removeAll { $0.name == Self.typeAttribute }
        // The same in all items: its value stands there already.
        attributes.append((Self.typeAttribute, .typeName, #"{"S":\#(JSONWriter.text(of: .string(typeName)))}"#))
        attributes.sort { $0.name.compareBytes(to: $1.name) < 0 }
        var texts: [UInt8] = []
        parts = attributes.map { Part($0.name, $0.source, $0.type, in: &texts) }
        names = attributes.map(\.name)
        self.texts = texts
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

    /// What it costs to read all of a row.
    func steps(of row: borrowing Row) -> Int {
        var steps = table.columns.count * CallBudget.valueSteps
        for (place, column) in table.columns.enumerated() {
            switch column.kind {
            case .text: steps += row.withText(place + Self.firstPlace) { $0.count } / CallBudget.bytesPerStep
            // Each byte may begin a value.
            case .list, .json, .object: steps += 4 * row.withText(place + Self.firstPlace) { $0.count }
            case .integer, .real, .boolean: continue
            }
        }
        return steps
    }

    package func item(_ row: borrowing Row) throws(ItemFailure) -> Item {
        let nulls = Self.nulls(row)
        var attributes: [Item.Attribute] = []
        attributes.reserveCapacity(parts.count)
        for (part, name) in zip(parts, names) {
            guard let value = try value(of: part, name, row, nulls) else { continue }
            attributes.append(Item.Attribute(name: name, value: value))
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
        for (part, name) in zip(parts, names) {
            switch part.source {
            case .typeName: members.append(JSONObject.Member(key: name, value: .string(typeName)))
            case .composite(let places):
                guard let text = try composite(places, row) else { continue }
                members.append(JSONObject.Member(key: name, value: .string(text)))
            case .column(let place, let kind):
                let column = place + Self.firstPlace
                guard !row.isNull(column) else {
                    if nulls.contains(name) { members.append(JSONObject.Member(key: name, value: .null)) }
                    continue
                }
                let value: JSONValue =
                    switch kind {
                    case .text: .string(row.text(column))
                    case .integer: .integer(row.integer(column))
                    case .boolean: .bool(row.boolean(column))
                    case .real, .list, .json, .object: try self.value(row, place).plain(depth: 0)
                    }
                members.append(JSONObject.Member(key: name, value: value))
            }
        }
        return JSONObject(distinct: members)
    }

    /// The attributes of those names, of which keys are made.
    func item(_ row: borrowing Row, only wanted: [KeyAttribute]) throws(ItemFailure) -> Item {
        let nulls = Self.nulls(row)
        var attributes: [Item.Attribute] = []
        for (part, name) in zip(parts, names) {
            guard wanted.contains(where: { $0.name.compareBytes(to: name) == 0 }),
                let value = try value(of: part, name, row, nulls)
            else { continue }
            attributes.append(Item.Attribute(name: name, value: value))
        }
        return Item(unordered: attributes)
    }

    /// The value of an attribute; nil where a record has none.
    private func value(
        of part: Part, _ name: String, _ row: borrowing Row, _ nulls: Set<ByteText>
    ) throws(ItemFailure) -> ItemValue? {
        switch part.source {
        case .typeName: return .string(typeName)
        case .composite(let place): return try composite(place, row).map { .string($0) }
        case .column(let place, _):
            if !row.isNull(place + Self.firstPlace) { return try value(row, place) }
            return nulls.contains(name) ? .null : nil
        }
    }

    /// Appends the item of a row as answers hold it, and says what it weighs.
    ///
    /// Hot path: no value is made of what a column has.
    package func write(_ row: borrowing Row, to buffer: inout [UInt8]) throws(ItemFailure) -> Int {
        let nulls = Self.nulls(row)
        var weight = 0
        buffer.append(UInt8(ascii: "{"))
        // Only the first attribute has no comma before it.
        var commaBytes = 1
        for place in parts.indices {
            let part = parts[place]
            guard let value = try write(part, place, row, nulls, skipping: commaBytes, to: &buffer) else { continue }
            weight += part.nameBytes + value
            commaBytes = 0
        }
        buffer.append(UInt8(ascii: "}"))
        return weight
    }

    /// Appends an attribute, and says what its value weighs; nil where a record has none.
    private func write(
        _ part: Part, _ place: Int, _ row: borrowing Row, _ nulls: Set<ByteText>, skipping skipped: Int,
        to buffer: inout [UInt8]
    ) throws(ItemFailure) -> Int? {
        switch part.source {
        case .typeName:
            append(part.prefix.dropFirst(skipped), to: &buffer)
            return typeNameBytes
        case .composite(let composite):
            guard let text = try self.composite(composite, row) else { return nil }
            return write(text, part, skipping: skipped, to: &buffer)
        case .column(let column, .text):
            var weight = 0
            let isThere = row.withTextIfAny(column + Self.firstPlace) { text in
                write(text, part, skipping: skipped, to: &buffer)
                weight = text.count
                return true
            }
            return isThere ? weight : null(part, place, nulls, skipping: skipped, to: &buffer)
        case .column(let column, let kind):
            guard !row.isNull(column + Self.firstPlace) else {
                return null(part, place, nulls, skipping: skipped, to: &buffer)
            }
            switch kind {
            case .integer:
                let integer = row.integer(column + Self.firstPlace)
                append(part.prefix.dropFirst(skipped), to: &buffer)
                JSONWriter.writeInteger(integer, to: &buffer)
                buffer.append(UInt8(ascii: "\""))
                buffer.append(UInt8(ascii: "}"))
                return ItemNumber(Int(integer)).size
            case .boolean:
                append(part.prefix.dropFirst(skipped), to: &buffer)
                JSONWriter.writeBool(row.boolean(column + Self.firstPlace), to: &buffer)
                buffer.append(UInt8(ascii: "}"))
                return 1
            case .text, .real, .list, .json, .object:
                let value = try value(row, column)
                append(part.prefix.dropFirst(skipped), to: &buffer)
                value.write(to: &buffer)
                return value.size
            }
        }
    }

    /// Appends an attribute that is null, and says what that weighs; nil where there is none.
    private func null(
        _ part: Part, _ place: Int, _ nulls: Set<ByteText>, skipping skipped: Int, to buffer: inout [UInt8]
    ) -> Int? {
        guard !nulls.isEmpty, nulls.contains(names[place]) else { return nil }
        append(part.null.dropFirst(skipped), to: &buffer)
        return ItemValue.null.size
    }

    private func append(_ range: Range<Int>, to buffer: inout [UInt8]) {
        texts.withUnsafeBytes { buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func write(
        _ text: UnsafeRawBufferPointer, _ part: Part, skipping skipped: Int, to buffer: inout [UInt8]
    ) {
        texts.withUnsafeBytes { texts in
            JSONWriter.writeString(
                text, behind: UnsafeRawBufferPointer(rebasing: texts[part.prefix.dropFirst(skipped)]),
                before: UInt8(ascii: "}"), to: &buffer)
        }
    }

    private func write(_ text: String, _ part: Part, skipping skipped: Int, to buffer: inout [UInt8]) -> Int {
        var text = text
        return text.withUTF8 { text in
            write(UnsafeRawBufferPointer(text), part, skipping: skipped, to: &buffer)
            return text.count
        }
    }

    /// What several fields are together; nil where one of them is absent.
    private func composite(_ composite: Int, _ row: borrowing Row) throws(ItemFailure) -> String? {
        var parts: [String] = []
        for place in composites[composite].columns {
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
                guard isComputed(attribute.name) else {
                    throw .invalidValues(
                        "The table holds the records of the model \(typeName), which has no field \(attribute.name)")
                }
                continue
            }
            assignments.append((column.field, try Self.stored(attribute.value, column, of: typeName)))
        }
        return assignments
    }

    /// Returns whether an attribute follows from others, and is not kept.
    func isComputed(_ name: String) -> Bool {
        name == Self.typeAttribute || composites.contains { $0.name == name }
    }

    static func stored(
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
