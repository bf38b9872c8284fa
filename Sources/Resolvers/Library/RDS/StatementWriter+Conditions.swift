import JSON

extension StatementWriter {
    private static let comparisons: [ByteText: String] = [
        "eq": "=", "ne": "!=", "gt": ">", "lt": "<", "ge": ">=", "le": "<=",
    ]
    /// What compares with a pattern, and what stands around its text.
    private static let patterns: [ByteText: (word: String, before: String, after: String)] = [
        "contains": ("LIKE", "%", "%"), "beginsWith": ("LIKE", "", "%"), "notContains": ("NOT LIKE", "", ""),
    ]

    /// A clause such as `WHERE …`. Nothing where the condition says nothing.
    mutating func condition(
        _ word: String, _ given: JSONValue?, _ call: inout LibraryCall
    ) throws(ResolverError) -> [String] {
        guard let given, !given.isNull else { return [] }
        let text: String
        if let template = SQLTemplate(given, mark: mark) {
            text = try self.text(of: template, &call)
        } else if let object = given.object {
            text = try clause(object, isGrouped: false, &call, depth: 1)
        } else {
            throw .fault("\(word) values are expected to be SQL templates or a condition object.")
        }
        return text.isEmpty ? [] : [word, text]
    }

    /// - Parameter isGrouped: whether each condition gets its parentheses, as within `and` and `or`.
    private mutating func clause(
        _ conditions: JSONObject, isGrouped: Bool, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> String {
        try call.check(depth: depth)
        try call.count(1 + conditions.count)
        var parts: [String] = []
        for member in conditions {
            let text: String
            switch member.key {
            case "and", "or", "not":
                text = try group(member, &call, depth)
                guard !text.isEmpty else { continue }
            default: text = try column(member, &call, depth)
            }
            parts.append(Self.grouped(text, isGrouped))
        }
        return parts.joined(separator: " AND ")
    }

    private static func grouped(_ text: String, _ isGrouped: Bool) -> String {
        isGrouped && !text.isEmpty ? "(\(text))" : text
    }

    private mutating func group(
        _ member: JSONObject.Member, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String {
        guard let list = member.value.array ?? (member.key == "not" ? member.value.object.map { [.object($0)] } : nil)
        else { throw .fault("\(member.key) expects conditions to be an array") }
        var parts: [String] = []
        for element in list {
            guard let conditions = element.object, SQLTemplate(element, mark: mark) == nil else {
                throw .fault("Expected \(member.key) to be an Object.")
            }
            parts.append(try clause(conditions, isGrouped: true, &call, depth: depth + 1))
        }
        let text = parts.joined(separator: member.key == "or" ? " OR " : " AND ")
        return member.key == "not" && !text.isEmpty ? "NOT (\(text))" : text
    }

    private mutating func column(
        _ member: JSONObject.Member, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String {
        guard let operators = member.value.object else { throw .fault("Expected condition to be an Object.") }
        try call.count(operators.count)
        var parts: [String] = []
        for condition in operators {
            let path = "\(member.key).\(condition.key)"
            if let aggregate = SQLAggregate(condition: condition.key, of: member.key) {
                parts.append(try length(of: text(of: aggregate), condition.value, path))
            } else {
                parts.append(try self.condition(condition, on: dialect.quoted(member.key), path))
            }
        }
        return parts.joined(separator: " AND ")
    }

    private mutating func condition(
        _ condition: JSONObject.Member, on column: String, _ path: String
    ) throws(ResolverError) -> String {
        let value = condition.value
        if let sign = Self.comparisons[condition.key] {
            return "\(column) \(sign) \(bind(try Self.present(value, path)))"
        }
        if let pattern = Self.patterns[condition.key] {
            guard let text = try Self.present(value, path).string else {
                throw .fault("\(path) expects a string value to be passed.")
            }
            return "\(column) \(pattern.word) \(bind(.string(pattern.before + text + pattern.after)))"
        }
        switch condition.key {
        case "between": return try range(of: column, value, path)
        case "size": return try length(of: "LENGTH (\(column))", value, path)
        case "attributeExists":
            guard let exists = try Self.present(value, path).bool else {
                throw .fault("\(path) expects a boolean value to be passed.")
            }
            return "\(column) IS \(exists ? "NOT " : "")NULL"
        default: throw .fault("Unsupported condition \(path).")
        }
    }

    private static func present(_ value: JSONValue, _ path: String) throws(ResolverError) -> JSONValue {
        guard !value.isNull else { throw .fault("Value for \(path) can't be null.") }
        return value
    }

    private mutating func range(
        of target: String, _ value: JSONValue, _ path: String
    ) throws(ResolverError) -> String {
        guard let bounds = value.array else {
            throw .fault("\(path) condition expects an array with length of 2.")
        }
        guard bounds.count == 2 else {
            throw .fault(
                "\(path) condition expects an array with 2 values but received an array with length \(bounds.count).")
        }
        let names = bounds.map { $0.isNull ? "NULL" : bind($0) }
        return "\(target) BETWEEN \(names.joined(separator: " AND "))"
    }

    /// Comparisons of a length, or of an aggregate.
    private mutating func length(
        of target: String, _ value: JSONValue, _ path: String
    ) throws(ResolverError) -> String {
        guard let operators = value.object else { throw .fault("Expected \(path) to be an Object.") }
        var parts: [String] = []
        for member in operators {
            if member.key == "between" {
                parts.append(try range(of: target, member.value, path))
            } else if let sign = Self.comparisons[member.key] {
                parts.append("\(target) \(sign) \(member.value.isNull ? "NULL" : bind(member.value))")
            } else {
                throw .fault("\(path) has invalid size operator.")
            }
        }
        return parts.joined(separator: " AND ")
    }
}
