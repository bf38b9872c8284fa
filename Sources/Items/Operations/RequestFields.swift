import JSON

/// The members of a request, or of an object within one. One that is null is as good as none.
///
/// In calls from within the server a number or a boolean does for a text, as resolvers write them; a client's request is read as the
/// service reads it. Digits do for a number; what has another form altogether is refused.
struct RequestFields {
    let object: JSONObject
    /// Whether a text must be a text, as in requests of clients.
    let isStrict: Bool
    /// Whether it is a write of one item. The service refuses its parameters in other words than those of other requests.
    var isOfSingleWrite = false

    init(_ object: JSONObject, isStrict: Bool = false) {
        self.object = object
        self.isStrict = isStrict
    }

    init(_ json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        guard let object = json.object else { throw Self.unexpected(json) }
        self.init(object, isStrict: isStrict)
    }

    subscript(name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    func text(_ name: String) throws(ItemError) -> String? {
        try self[name].map { value throws(ItemError) in try text(value) }
    }

    func integer(_ name: String) throws(ItemError) -> Int64? {
        guard let value = self[name] else { return nil }
        switch value {
        case .integer(let integer): return integer
        case .double(let double):
            guard let integer = Int64(exactly: double.rounded(.towardZero)) else { throw Self.unexpected(value) }
            return integer
        case .string(let text):
            guard let integer = Int64(text) else {
                throw .serialization("STRING_VALUE cannot be converted to Integer")
            }
            return integer
        default: throw Self.unexpected(value)
        }
    }

    func bool(_ name: String) throws(ItemError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let bool)?: return bool
        case .string("true")?: return true
        case .string("false")?: return false
        case .integer(let integer)?: return integer != 0
        case let value?: throw Self.unexpected(value)
        }
    }

    func fields(_ name: String) throws(ItemError) -> RequestFields? {
        try self[name].map { value throws(ItemError) in try RequestFields(value, isStrict: isStrict) }
    }

    func list(_ name: String) throws(ItemError) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        guard let list = value.array else { throw Self.unexpected(value) }
        return list
    }

    func texts(_ name: String) throws(ItemError) -> [String]? {
        guard let list = try list(name) else { return nil }
        var texts: [String] = []
        for value in list { try texts.append(text(value)) }
        return texts
    }

    func objects(_ name: String) throws(ItemError) -> [RequestFields]? {
        guard let list = try list(name) else { return nil }
        var objects: [RequestFields] = []
        for value in list { try objects.append(RequestFields(value, isStrict: isStrict)) }
        return objects
    }

    func item(_ name: String) throws(ItemError) -> Item? {
        try self[name].map { value throws(ItemError) in
            guard value.object != nil else { throw Self.unexpected(value) }
            return try item(of: value)
        }
    }

    /// The item of a member, read as strictly as these fields.
    func item(of value: JSONValue) throws(ItemError) -> Item { try ItemReader.item(of: value, isStrict: isStrict) }

    private func text(_ value: JSONValue) throws(ItemError) -> String {
        switch value {
        case .string(let text): return text
        case .integer, .largeInteger, .double, .bool: return try ItemReader.text(of: value, isStrict: isStrict)
        default: throw Self.unexpected(value)
        }
    }

    static func unexpected(_ value: JSONValue) -> ItemError {
        switch value {
        case .array: .serialization("Start of list found where not expected")
        case .object: .serialization("Start of structure or map found where not expected")
        case .string: .serialization("STRING_VALUE found where not expected")
        case .bool(let bool): .serialization("\(bool ? "TRUE" : "FALSE")_VALUE found where not expected")
        case .null: .serialization("NULL_VALUE found where not expected")
        default: .serialization("NUMBER_VALUE found where not expected")
        }
    }
}
