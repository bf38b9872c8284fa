import JSON

/// A condition on one attribute in the form that requests had before expressions, as in `Expected`, `QueryFilter`, `ScanFilter`
/// and `KeyConditions`: `{"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}`.
struct LegacyCondition {
    let attribute: String
    let test: Operator
    let values: [ItemValue]

    enum Operator: String, CaseIterable {
        case equal = "EQ"
        case notEqual = "NE"
        case lessOrEqual = "LE"
        case less = "LT"
        case greaterOrEqual = "GE"
        case greater = "GT"
        case contains = "CONTAINS"
        case notContains = "NOT_CONTAINS"
        case beginsWith = "BEGINS_WITH"
        case isIn = "IN"
        case between = "BETWEEN"
        case isAbsent = "NULL"
        case exists = "NOT_NULL"

        /// How many values it takes; nil for one or more.
        var valueCount: Int? {
            switch self {
            case .isAbsent, .exists: 0
            case .between: 2
            case .isIn: nil
            default: 1
            }
        }

        /// Whether it takes values of a type.
        func takes(_ kind: ItemValue.Kind) -> Bool {
            switch self {
            case .equal, .notEqual: true
            case .isIn: kind.isOrdered
            case .contains, .notContains: kind.isOrdered || kind == .bool || kind == .null
            case .beginsWith: kind == .string || kind == .binary
            default: kind.isOrdered
            }
        }
    }

    /// Reads a condition of a filter or of keys.
    init(filter json: JSONValue, of attribute: String, isStrict: Bool = false) throws(ItemError) {
        guard let test = try Self.comparison(json) else {
            throw .validation("The attribute of type ComparisonOperator must be specified")
        }
        try self.init(attribute, test, Self.list(json, isStrict) ?? [])
    }

    /// Reads a condition of a write, which has shorter forms: `{"Value": …}` and `{"Exists": false}`.
    init(expected json: JSONValue, of attribute: String, isStrict: Bool = false) throws(ItemError) {
        guard json.object != nil else { throw .serialization("Expected an object, found \(json.kind)") }
        let value = try json["Value"].flatMap { json throws(ItemError) in
            json.isNull ? nil : try ItemValue(json: json, isStrict: isStrict)
        }
        let list = try Self.list(json, isStrict)
        let exists = json["Exists"]?.bool
        guard value == nil || list == nil else {
            throw .invalidValues(
                "Value and AttributeValueList cannot be used together for Attribute: \(attribute)")
        }
        if let test = try Self.comparison(json) {
            guard exists == nil else {
                throw .invalidValues(
                    "Exists and ComparisonOperator cannot be used together for Attribute: \(attribute)")
            }
            if test.valueCount != 0, value == nil, list == nil {
                throw .invalidValues(
                    "Value or AttributeValueList must be used with ComparisonOperator: \(test.rawValue) "
                        + "for Attribute: \(attribute)")
            }
            try self.init(attribute, test, list ?? value.map { [$0] } ?? [])
            return
        }
        guard list == nil else {
            throw .invalidValues(
                "AttributeValueList can only be used with a ComparisonOperator for Attribute: \(attribute)")
        }
        guard exists ?? true else {
            guard value == nil else {
                throw .invalidValues("Value cannot be used when Exists is false for Attribute: \(attribute)")
            }
            try self.init(attribute, .isAbsent, [])
            return
        }
        guard let value else {
            let shown = exists.map { "\($0)" } ?? "null"
            throw .invalidValues("Value must be provided when Exists is \(shown) for Attribute: \(attribute)")
        }
        try self.init(attribute, .equal, [value])
    }

    private init(_ attribute: String, _ test: Operator, _ values: [ItemValue]) throws(ItemError) {
        let isRight = test.valueCount.map { $0 == values.count } ?? !values.isEmpty
        guard isRight else {
            throw .invalidValues("Invalid number of argument(s) for the \(test.rawValue) ComparisonOperator")
        }
        for value in values where !test.takes(value.kind) {
            throw .invalidValues(
                "ComparisonOperator \(test.rawValue) is not valid for \(value.kind.rawValue) AttributeValue type")
        }
        if let first = values.first {
            guard values.allSatisfy({ $0.kind == first.kind }) else {
                throw .invalidValues("AttributeValues inside AttributeValueList must be of same type")
            }
            if test == .between, first.order(to: values[1]) == .after {
                throw .validation(
                    "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
            }
        }
        self.attribute = attribute
        self.test = test
        self.values = values
    }

    private static func comparison(_ json: JSONValue) throws(ItemError) -> Operator? {
        guard json.object != nil else { throw .serialization("Expected an object, found \(json.kind)") }
        guard let name = json["ComparisonOperator"], !name.isNull else { return nil }
        guard let text = name.string else { throw .serialization("Expected a string, found \(name.kind)") }
        guard let test = Operator.allCases.first(where: { $0.rawValue == text }) else {
            throw Self.noComparison(text)
        }
        return test
    }

    private static func noComparison(_ text: String) -> ItemError {
        .validation(
            "1 validation error detected: Value '\(text)' at 'comparisonOperator' failed to satisfy constraint: Member must "
                + "satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"
        )
    }

    private static func list(_ json: JSONValue, _ isStrict: Bool) throws(ItemError) -> [ItemValue]? {
        guard let list = json["AttributeValueList"], !list.isNull else { return nil }
        guard let elements = list.array else { throw .serialization("Expected a list, found \(list.kind)") }
        var values: [ItemValue] = []
        for element in elements { try values.append(ItemValue(json: element, isStrict: isStrict)) }
        return values
    }
}

extension LegacyCondition {
    /// The same as expressions say it.
    var condition: Condition {
        let path = DocumentPath(attribute)
        let operands = values.map { Condition.Operand.value($0) }
        guard let first = operands.first else { return test == .isAbsent ? .isAbsent(path) : .exists(path) }
        switch test {
        case .equal: return .comparison(.equal, .path(path), first)
        case .notEqual: return .comparison(.notEqual, .path(path), first)
        case .less: return .comparison(.less, .path(path), first)
        case .lessOrEqual: return .comparison(.lessOrEqual, .path(path), first)
        case .greater: return .comparison(.greater, .path(path), first)
        case .greaterOrEqual: return .comparison(.greaterOrEqual, .path(path), first)
        case .contains: return .contains(.path(path), first)
        // Unlike its denial, this asks for an attribute.
        case .notContains: return .all([.exists(path), .not(.contains(.path(path), first))])
        case .beginsWith: return .beginsWith(.path(path), first)
        case .isIn: return .isIn(.path(path), operands)
        case .between: return .between(.path(path), first, operands[operands.count - 1])
        case .isAbsent: return .isAbsent(path)
        case .exists: return .exists(path)
        }
    }

    /// The same as a test of a key.
    var keyTest: KeyCondition.Test {
        get throws(ItemError) {
            let unsupported = ItemError.validation("Query key condition not supported")
            guard let first = values.first, let last = values.last else {
                throw .validation("Only scalar types can be used as Hash Key values")
            }
            switch test {
            case .equal: return .comparison(.equal, first)
            case .less: return .comparison(.less, first)
            case .lessOrEqual: return .comparison(.lessOrEqual, first)
            case .greater: return .comparison(.greater, first)
            case .greaterOrEqual: return .comparison(.greaterOrEqual, first)
            case .between: return .between(first, last)
            case .beginsWith: return .beginsWith(first)
            case .notEqual, .isIn, .contains, .notContains, .isAbsent, .exists: throw unsupported
            }
        }
    }
}
