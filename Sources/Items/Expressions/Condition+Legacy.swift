import JSON

// The forms of conditions that requests had before expressions. They mean the same trees.

extension Condition {
    /// The meaning of `Expected`, with its `ConditionalOperator`.
    package init(expected json: JSONValue, operator: JSONValue?, isStrict: Bool = false) throws(ItemError) {
        var conditions: [Condition] = []
        for member in try Self.members(json) {
            try conditions.append(LegacyCondition(expected: member.value, of: member.key, isStrict: isStrict).condition)
        }
        try self.init(conditions, `operator`)
    }

    /// The meaning of `QueryFilter` or `ScanFilter`, with its `ConditionalOperator`.
    package init(filter json: JSONValue, operator: JSONValue?, isStrict: Bool = false) throws(ItemError) {
        var conditions: [Condition] = []
        for member in try Self.members(json) {
            try conditions.append(LegacyCondition(filter: member.value, of: member.key, isStrict: isStrict).condition)
        }
        try self.init(conditions, `operator`)
    }

    private init(_ conditions: [Condition], _ operator: JSONValue?) throws(ItemError) {
        let isAny: Bool
        switch `operator` {
        case nil, .null:
            self = .all(conditions)
            return
        case .string("AND"): isAny = false
        case .string("OR"): isAny = true
        default: throw .validation("Member must satisfy enum value set: [OR, AND]")
        }
        guard conditions.count > 1 else {
            throw .validation(
                "ConditionalOperator can only be used when Filter or Expected has two or more elements")
        }
        self = isAny ? .any(conditions) : .all(conditions)
    }

    fileprivate static func members(_ json: JSONValue) throws(ItemError) -> JSONObject {
        guard let object = json.object else { throw .serialization("Expected an object, found \(json.kind)") }
        return object
    }
}

extension KeyCondition {
    /// The meaning of `KeyConditions`.
    package init(legacy json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        let members = try Condition.members(json)
        var tests: [(key: String, test: Test)] = []
        for member in members {
            let condition = try LegacyCondition(filter: member.value, of: member.key, isStrict: isStrict)
            try tests.append((member.key, condition.keyTest))
        }
        self.init(tests, isLegacy: true)
    }
}

extension Projection {
    /// The meaning of `AttributesToGet`.
    package init(legacy json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        guard let elements = json.array else { throw .serialization("Expected a list, found \(json.kind)") }
        guard !elements.isEmpty else { throw .validation("AttributesToGet cannot be empty") }
        var names: [String] = []
        for element in elements {
            try names.append(ItemReader.text(of: element, isStrict: isStrict))
        }
        for name in names { try ItemReader.checkName(name) }
        guard names.eachOnce().count == names.count else {
            throw .invalidValues("Duplicate value in attribute name")
        }
        self.init(attributes: names)
    }
}
