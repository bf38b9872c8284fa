import Crypto
import JSON

// Items in JSON, as answers hold them and as they are kept.

extension Item {
    package init(json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        self = try ItemReader.item(of: json, isStrict: isStrict)
    }

    /// `{"id":{"S":"a"}}`
    package var json: JSONValue {
        .object(JSONObject(distinct: attributes.map { .init(key: $0.name, value: $0.value.json) }))
    }

    /// Appends the same as text: what an answer holds is written without a tree of values.
    package func write(to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        for (index, attribute) in attributes.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            JSONWriter.writeKey(attribute.name, to: &buffer)
            attribute.value.write(to: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

extension Item {
    /// The same without the types of values, as resolvers see items: `{"id":"a"}`. Sets are lists there, and binary values base64.
    package func plain(depth: Int = 0) -> JSONObject {
        JSONObject(distinct: attributes.map { .init(key: $0.name, value: $0.value.plain(depth: depth)) })
    }
}

extension ItemValue {
    /// What is deeper than that is null.
    private static let plainNestingMax = 64

    func plain(depth: Int) -> JSONValue {
        guard depth <= Self.plainNestingMax else { return .null }
        return switch self {
        case .string(let text): .string(text)
        case .number(let number): Self.plain(number)
        case .binary(let bytes): .string(Base64.text(of: bytes, .standard))
        case .bool(let bool): .bool(bool)
        case .null: .null
        case .list(let elements): .array(elements.map { $0.plain(depth: depth + 1) })
        case .map(let item): .object(item.plain(depth: depth + 1))
        case .strings(let texts): .array(texts.map { .string($0) })
        case .numbers(let numbers): .array(numbers.map(Self.plain))
        case .binaries(let all): .array(all.map { .string(Base64.text(of: $0, .standard)) })
        }
    }

    private static func plain(_ number: ItemNumber) -> JSONValue {
        let text = number.text
        return (try? JSONReader.value(of: Array(text.utf8))) ?? .string(text)
    }
}

extension ItemValue {
    package init(json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        self = try ItemReader.value(of: json, isStrict: isStrict)
    }

    /// `{"S":"a"}`
    package var json: JSONValue {
        let content: JSONValue =
            switch self {
            case .string(let text): .string(text)
            case .number(let number): .string(number.text)
            case .binary(let bytes): .string(Base64.text(of: bytes, .standard))
            case .bool(let bool): .bool(bool)
            case .null: .bool(true)
            case .list(let elements): .array(elements.map(\.json))
            case .map(let item): item.json
            case .strings(let texts): .array(texts.map { .string($0) })
            case .numbers(let numbers): .array(numbers.map { .string($0.text) })
            case .binaries(let all): .array(all.map { .string(Base64.text(of: $0, .standard)) })
            }
        return .object(JSONObject(distinct: [.init(key: kind.rawValue, value: content)]))
    }

    /// Appends the same as text.
    package func write(to buffer: inout [UInt8]) {
        kind.opening.withUTF8Buffer { buffer.append(contentsOf: $0) }
        switch self {
        case .string(let text): JSONWriter.writeString(text, to: &buffer)
        case .number(let number): number.writeQuoted(to: &buffer)
        case .binary(let bytes): JSONWriter.writeString(Base64.text(of: bytes, .standard), to: &buffer)
        case .bool(let bool): JSONWriter.writeBool(bool, to: &buffer)
        case .null: JSONWriter.writeBool(true, to: &buffer)
        case .map(let item): item.write(to: &buffer)
        case .list(let elements): Self.writeList(elements, to: &buffer) { $0.write(to: &$1) }
        case .strings(let texts): Self.writeList(texts, to: &buffer) { JSONWriter.writeString($0, to: &$1) }
        case .numbers(let numbers):
            Self.writeList(numbers, to: &buffer) { $0.writeQuoted(to: &$1) }
        case .binaries(let all):
            Self.writeList(all, to: &buffer) { JSONWriter.writeString(Base64.text(of: $0, .standard), to: &$1) }
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private static func writeList<Element>(
        _ elements: [Element], to buffer: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
    ) {
        buffer.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            write(element, &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }
}

extension ItemValue.Kind {
    /// What stands before a value of this type.
    fileprivate var opening: StaticString {
        switch self {
        case .string: #"{"S":"#
        case .number: #"{"N":"#
        case .binary: #"{"B":"#
        case .bool: #"{"BOOL":"#
        case .null: #"{"NULL":"#
        case .list: #"{"L":"#
        case .map: #"{"M":"#
        case .strings: #"{"SS":"#
        case .numbers: #"{"NS":"#
        case .binaries: #"{"BS":"#
        }
    }
}
