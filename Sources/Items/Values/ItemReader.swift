import Crypto
import JSON

/// Reads items and values from JSON as DynamoDB writes them: `{"id": {"S": "a"}, "n": {"N": "1"}}`.
///
/// What has the form of a request is refused as a `ValidationException`, with DynamoDB's texts; what has not, such as a list
/// where a text belongs, as a `SerializationException`. Calls from within the server may have a number or a boolean where a text
/// belongs, and a bare text for a string, as resolvers write them; requests of clients may not.
package enum ItemReader {
    /// An item of a request, whose numbers come in their one form unless they are within lists or maps.
    package static func item(of json: JSONValue, isStrict: Bool = false) throws(ItemError) -> Item {
        guard let object = json.object else { throw .serialization("An item must be an object, not \(json.kind)") }
        var attributes: [Item.Attribute] = []
        attributes.reserveCapacity(object.count)
        for member in object {
            try checkName(member.key)
            try attributes.append(Item.Attribute(name: member.key, value: value(of: member.value, isStrict: isStrict)))
        }
        return Item(unordered: attributes)
    }

    /// A value of a request.
    package static func value(of json: JSONValue, isStrict: Bool = false) throws(ItemError) -> ItemValue {
        try ValueReading(isStrict: isStrict).value(of: json, depth: 0).canonical
    }

    /// Refuses a name that no attribute can have.
    static func checkName(_ name: String) throws(ItemError) {
        guard !name.isEmpty else { throw .validation("Empty attribute name") }
        guard name.utf8.count <= ItemLimits.nameBytesMax else {
            throw .validation("Attribute name is too large, must be less than \(ItemLimits.nameBytesMax + 1) bytes")
        }
    }

    static let isEmpty = ItemError.validation(
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    static let hasSeveralTypes = ItemError.validation(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
    static let isTooDeep = ItemError.validation(
        "Nesting Levels have exceeded supported limits: "
            + "Attributes in the item have nested levels beyond supported limit")

    // MARK: - Parts

    fileprivate static func list(of json: JSONValue) throws(ItemError) -> [JSONValue] {
        guard let elements = json.array else { throw .serialization("Expected a list, found \(json.kind)") }
        return elements
    }

    /// A text of a request, which may have come as a number or a boolean.
    static func text(of json: JSONValue, isStrict: Bool = false) throws(ItemError) -> String {
        switch json {
        case .string(let text): return text
        case .integer, .largeInteger, .double:
            guard !isStrict else { throw .serialization("NUMBER_VALUE cannot be converted to String") }
            return JSONWriter.text(of: json)
        case .bool(let bool):
            guard !isStrict else {
                throw .serialization("\(bool ? "TRUE" : "FALSE")_VALUE cannot be converted to String")
            }
            return JSONWriter.text(of: json)
        case .null, .array, .object: throw .serialization("Expected a string, found \(json.kind)")
        }
    }

    fileprivate static func bool(of json: JSONValue) throws(ItemError) -> Bool {
        switch json {
        case .bool(let bool): return bool
        case .integer(let integer): return integer != 0
        case .string("true"), .string("True"), .string("TRUE"): return true
        case .string("false"), .string("False"), .string("FALSE"): return false
        default: throw .serialization("Expected a boolean, found \(json.kind)")
        }
    }

    fileprivate static func bytes(of json: JSONValue) throws(ItemError) -> [UInt8] {
        guard let text = json.string else { throw .serialization("Expected base64, found \(json.kind)") }
        // Bits that are left over may be set, but the alphabet is the standard one.
        let isStandard = text.utf8.allSatisfy { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") && $0 != 0x20 }
        guard isStandard, text.utf8.count.isMultiple(of: 4), let bytes = Base64.lenientBytes(of: text.utf8) else {
            throw .serialization("A value is not base64")
        }
        return bytes
    }
}

/// Reads one value, and those within it.
private struct ValueReading {
    let isStrict: Bool

    fileprivate func value(of json: JSONValue, depth: Int) throws(ItemError) -> ItemValue {
        if let text = json.string {
            guard !isStrict else { throw .serialization("Unexpected value type in payload") }
            return .string(text)
        }
        guard let object = json.object else { throw .serialization("A value must be an object, not \(json.kind)") }
        var found: (kind: ItemValue.Kind, content: JSONValue)?
        for member in object {
            guard let kind = ItemValue.Kind(member: member.key), !member.value.isNull else { continue }
            guard found == nil else { throw ItemReader.hasSeveralTypes }
            found = (kind, member.value)
        }
        guard let found else { throw ItemReader.isEmpty }
        if found.kind == .list || found.kind == .map, depth >= ItemLimits.nestingMax { throw ItemReader.isTooDeep }
        return try value(of: found.content, kind: found.kind, depth: depth)
    }

    private func value(
        of json: JSONValue, kind: ItemValue.Kind, depth: Int
    ) throws(ItemError) -> ItemValue {
        switch kind {
        case .string: return try .string(ItemReader.text(of: json, isStrict: isStrict))
        case .number: return try .number(ItemNumber(ItemReader.text(of: json, isStrict: isStrict)))
        case .binary: return try .binary(ItemReader.bytes(of: json))
        case .bool: return try .bool(ItemReader.bool(of: json))
        case .null:
            guard try ItemReader.bool(of: json) else {
                throw .invalidValues("Null attribute value types must have the value of true")
            }
            return .null
        case .list:
            var elements: [ItemValue] = []
            for element in try ItemReader.list(of: json) { try elements.append(value(of: element, depth: depth + 1)) }
            return .list(elements)
        case .map:
            guard let object = json.object else { throw .serialization("A map must be an object, not \(json.kind)") }
            var attributes: [Item.Attribute] = []
            attributes.reserveCapacity(object.count)
            for member in object {
                try ItemReader.checkName(member.key)
                try attributes.append(
                    Item.Attribute(name: member.key, value: value(of: member.value, depth: depth + 1)))
            }
            return .map(Item(unordered: attributes))
        case .strings: return try strings(of: ItemReader.list(of: json))
        case .numbers: return try numbers(of: ItemReader.list(of: json))
        case .binaries: return try binaries(of: ItemReader.list(of: json))
        }
    }

    // MARK: - Sets

    private func strings(of elements: [JSONValue]) throws(ItemError) -> ItemValue {
        guard !elements.isEmpty else { throw .invalidValues("An string set  may not be empty") }
        var texts: [String] = []
        for element in elements {
            let text = try ItemReader.text(of: element, isStrict: isStrict)
            guard !text.isEmpty else {
                throw .invalidValues("An string set may not have a empty string as a member")
            }
            texts.append(text)
        }
        guard let set = ItemSets.strings(texts) else {
            let shown = texts.joined(separator: ", ")
            throw .invalidValues("Input collection [\(shown)] contains duplicates")
        }
        return .strings(set)
    }

    private func numbers(of elements: [JSONValue]) throws(ItemError) -> ItemValue {
        guard !elements.isEmpty else { throw .invalidValues("An number set  may not be empty") }
        var numbers: [ItemNumber] = []
        for element in elements { try numbers.append(ItemNumber(ItemReader.text(of: element, isStrict: isStrict))) }
        guard let set = ItemSets.numbers(numbers) else {
            throw .invalidValues("Input collection contains duplicates")
        }
        return .numbers(set)
    }

    private func binaries(of elements: [JSONValue]) throws(ItemError) -> ItemValue {
        guard !elements.isEmpty else { throw .invalidValues("Binary sets should not be empty") }
        var all: [[UInt8]] = []
        for element in elements {
            let bytes = try ItemReader.bytes(of: element)
            guard !bytes.isEmpty else { throw .invalidValues("Binary sets may not contain null or empty values") }
            all.append(bytes)
        }
        guard let set = ItemSets.binaries(all) else {
            throw .invalidValues("Input collection of type BS contains duplicates.")
        }
        return .binaries(set)
    }
}

extension ItemValue.Kind {
    /// The type with that name as the member of an object, by its bytes.
    init?(member name: String) {
        guard let kind = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = kind
    }
}
