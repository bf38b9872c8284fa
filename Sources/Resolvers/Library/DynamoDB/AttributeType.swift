import JSON

/// The types of attributes, as DynamoDB calls them.
enum AttributeType: String {
    case string = "S"
    case number = "N"
    case binary = "B"
    case boolean = "BOOL"
    case null = "NULL"
    case stringSet = "SS"
    case numberSet = "NS"
    case binarySet = "BS"
    case list = "L"
    case map = "M"

    /// A value of this type. Null is none of any type.
    func value(_ value: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        guard !value.isNull || self == .null else { return .null }
        switch self {
        case .null: return Self.object(.null, .null)
        case .list:
            guard let elements = value.array else { throw call.mismatch(0, "an array") }
            return Self.object(.list, .array(try Self.typed(elements, &call)))
        case .map:
            guard let members = value.object else { throw call.mismatch(0, "an object") }
            return Self.object(.map, .object(try Self.typed(members, &call)))
        case .stringSet, .numberSet, .binarySet:
            guard value.array != nil else { throw call.mismatch(0, "an array") }
            return Self.object(self, value)
        case .string, .number, .binary, .boolean: return Self.object(self, value)
        }
    }

    /// A value of the type that it has in JSON. Numbers stay numbers, null stays null.
    ///
    /// Hot: the keys and items of requests come through here. Nothing is copied but what the answer is made of.
    ///
    /// - Parameter knowsSets: whether what `toStringSet` and the like give stays as it is.
    static func typed(
        _ value: JSONValue, _ call: inout LibraryCall, depth: Int = 1, knowsSets: Bool = false
    ) throws(ResolverError) -> JSONValue {
        switch value {
        case .string: return object(.string, value)
        case .integer, .double, .largeInteger: return object(.number, value)
        case .bool: return object(.boolean, value)
        case .null: return object(.null, .null)
        case .array(let elements):
            return object(.list, .array(try typed(elements, &call, depth: depth, knowsSets: knowsSets)))
        case .object(let members):
            if knowsSets, isSet(members) { return value }
            return object(.map, .object(try typed(members, &call, depth: depth, knowsSets: knowsSets)))
        }
    }

    static func typed(
        _ members: JSONObject, _ call: inout LibraryCall, depth: Int = 1, knowsSets: Bool = false
    ) throws(ResolverError) -> JSONObject {
        try call.check(depth: depth)
        try call.count(members.count)
        var typed: [JSONObject.Member] = []
        typed.reserveCapacity(members.count)
        for member in members {
            let value = try Self.typed(member.value, &call, depth: depth + 1, knowsSets: knowsSets)
            typed.append(.init(key: member.key, value: value))
        }
        return JSONObject(distinct: typed)
    }

    private static func typed(
        _ elements: [JSONValue], _ call: inout LibraryCall, depth: Int = 1, knowsSets: Bool = false
    ) throws(ResolverError) -> [JSONValue] {
        try call.check(depth: depth)
        try call.count(elements.count)
        var typed: [JSONValue] = []
        typed.reserveCapacity(elements.count)
        for element in elements {
            typed.append(try Self.typed(element, &call, depth: depth + 1, knowsSets: knowsSets))
        }
        return typed
    }

    private static func isSet(_ members: JSONObject) -> Bool {
        guard members.count == 1, let member = members.members.first, member.value.array != nil else { return false }
        return [stringSet, numberSet, binarySet].contains { $0.rawValue == member.key }
    }

    private static func object(_ type: AttributeType, _ value: JSONValue) -> JSONValue {
        .object(JSONObject(distinct: [.init(key: type.rawValue, value: value)]))
    }
}
