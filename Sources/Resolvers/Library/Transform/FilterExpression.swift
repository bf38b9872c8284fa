import JSON

/// A filter such as `{title: {contains: "x"}, or: [{a: {eq: 1}}, …]}` as an expression of DynamoDB.
///
/// `util.transform` gives it as text, the functions of the module `dynamodb` as a part of their requests. What AppSync has recorded
/// settles every sign of it, also where DynamoDB refuses what comes of it.
struct FilterExpression {
    private(set) var text = ""
    private var names: [(String, JSONValue)] = []
    private var values: [(String, JSONValue)] = []

    private static let comparisons: [ByteText: String] = [
        "eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    ]
    private static let functions: [ByteText: String] = [
        "contains": "contains", "notContains": "NOT contains", "beginsWith": "begins_with",
    ]
    private static let types: [ByteText: AttributeType] = [
        "_null": .null, "string": .string, "stringSet": .stringSet, "number": .number, "numberSet": .numberSet,
        "binary": .binary, "binarySet": .binarySet, "boolean": .boolean, "list": .list, "map": .map,
    ]

    private init() {}

    /// Nil: the filter is none that can be written.
    static func of(_ filter: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> FilterExpression? {
        guard let filter = filter.object else { return nil }
        var expression = FilterExpression()
        guard let text = try expression.text(of: filter, path: "", &call, depth: 1) else { return nil }
        expression.text = text
        return expression
    }

    /// `{expression, expressionNames, expressionValues}`
    ///
    /// - Parameter keepsEmpty: whether `expressionValues` is there without any.
    func object(keepsEmpty: Bool) -> JSONObject {
        var object = JSONObject([
            ("expression", .string(text)), ("expressionNames", .object(JSONObject(names))),
        ])
        if keepsEmpty || !values.isEmpty { object.set("expressionValues", to: .object(JSONObject(values))) }
        return object
    }

    // MARK: Groups

    /// - Parameter path: what stands before the names of values: `and_0_or_1_`.
    private mutating func text(
        of filter: JSONObject, path: String, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> String? {
        try call.check(depth: depth)
        try call.count(1 + filter.count)
        var parts: [String] = []
        for member in filter {
            let part: String?
            switch member.key {
            case "and", "or": part = try group(member, path, &call, depth)
            case "not": part = try negation(of: member.value, path, &call, depth)
            default: part = try field(member, path, &call, depth)
            }
            guard let part else { return nil }
            parts.append(part)
        }
        return parts.joined(separator: " AND ")
    }

    private mutating func group(
        _ member: JSONObject.Member, _ path: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String? {
        guard let filters = member.value.array else { return nil }
        var parts: [String] = []
        for (number, filter) in filters.enumerated() {
            guard let filter = filter.object,
                let part = try text(of: filter, path: "\(path)\(member.key)_\(number)_", &call, depth: depth + 1)
            else { return nil }
            parts.append(part)
        }
        return Self.joined(parts, member.key == "and" ? " AND " : " OR ")
    }

    private mutating func negation(
        of filter: JSONValue, _ path: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String? {
        guard let filter = filter.object,
            let text = try text(of: filter, path: path + "not_", &call, depth: depth + 1)
        else { return nil }
        return filter.count > 1 ? "(NOT (\(text)))" : "(NOT \(text))"
    }

    /// Several in parentheses; one as it is.
    private static func joined(_ parts: [String], _ separator: String) -> String {
        let text = parts.joined(separator: separator)
        return parts.count > 1 ? "(\(text))" : text
    }

    // MARK: Fields

    private mutating func field(
        _ member: JSONObject.Member, _ path: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String? {
        guard let operators = member.value.object else { return nil }
        names.append(("#" + member.key, .string(member.key)))
        return try conditions(operators, on: "#" + member.key, ":\(path)\(member.key)_", &call, depth)
    }

    /// - Parameters:
    ///   - target: `#title` or `size(#title)`.
    ///   - value: what the names of values begin with.
    private mutating func conditions(
        _ operators: JSONObject, on target: String, _ value: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String? {
        try call.check(depth: depth)
        try call.count(operators.count)
        var parts: [String] = []
        for member in operators {
            let part: String?
            if member.key == "size" {
                guard let inner = member.value.object else { return nil }
                let size = target.hasPrefix("size(") ? target : "size(\(target))"
                part = try conditions(inner, on: size, value + "size_", &call, depth + 1)
            } else {
                part = try condition(member, on: target, value + member.key, &call)
            }
            guard let part else { return nil }
            parts.append(part)
        }
        return Self.joined(parts, " AND ")
    }

    private mutating func condition(
        _ member: JSONObject.Member, on target: String, _ value: String, _ call: inout LibraryCall
    ) throws(ResolverError) -> String? {
        if let sign = Self.comparisons[member.key] {
            return "(\(target) \(sign) \(try bind(member.value, value, &call)))"
        }
        if let function = Self.functions[member.key] {
            return "(\(function)(\(target),\(try bind(member.value, value, &call))))"
        }
        switch member.key {
        case "between":
            guard let first = member.value[0], let last = member.value[1] else { return nil }
            let start = try bind(first, value + "_start", &call)
            return "(\(target) BETWEEN \(start) AND \(try bind(last, value + "_end", &call)))"
        case "in":
            guard let elements = member.value.array else { return nil }
            guard !elements.isEmpty else { return "(null)" }
            var bound: [String] = []
            for (number, element) in elements.enumerated() {
                bound.append(try bind(element, "\(value)_\(number)", &call))
            }
            return "(\(target) IN (\(bound.joined(separator: ", "))))"
        case "attributeExists":
            guard let exists = member.value.bool else { return nil }
            return "(\(exists ? "attribute_exists" : "attribute_not_exists")(\(target)))"
        case "attributeType":
            guard let name = member.value.string, let type = Self.types[name] else { return nil }
            return "(attribute_type(\(target),\(try bind(.string(type.rawValue), value, &call))))"
        default: return nil
        }
    }

    private mutating func bind(
        _ value: JSONValue, _ name: String, _ call: inout LibraryCall
    ) throws(ResolverError) -> String {
        values.append((name, try AttributeType.typed(value, &call)))
        return name
    }
}
