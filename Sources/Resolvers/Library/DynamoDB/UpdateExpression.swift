import JSON

/// What `dynamodb.update` is told to change, as an expression: first all that is set, then what is removed.
struct UpdateExpression {
    private var names = AttributeNames()
    private var values: [JSONObject.Member] = []
    private var clauses: [String] = []
    /// Segments of paths. Their names are counted when all that is set is written.
    private var removals: [[String]] = []

    private init() {}

    /// `{expression, expressionNames, expressionValues}`
    static func of(_ changes: JSONObject, _ call: inout LibraryCall) throws(ResolverError) -> JSONObject {
        var expression = UpdateExpression()
        try expression.read(changes, at: [], &call)
        var parts: [String] = []
        if !expression.clauses.isEmpty { parts.append("SET " + expression.clauses.joined(separator: ", ")) }
        if !expression.removals.isEmpty {
            let paths = expression.removals.map { expression.path($0) }
            parts.append("REMOVE " + paths.joined(separator: ", "))
        }
        return JSONObject([
            ("expression", .string(parts.joined(separator: " "))),
            ("expressionNames", .object(expression.names.object)),
            ("expressionValues", .object(JSONObject(distinct: expression.values))),
        ])
    }

    private mutating func read(
        _ changes: JSONObject, at path: [String], _ call: inout LibraryCall
    ) throws(ResolverError) {
        try call.check(depth: path.count + 1)
        try call.count(1 + changes.count)
        for member in changes {
            let path = path + [member.key]
            if let (operation, operand, _) = UpdateOperation.read(member.value) {
                try apply(operation, operand, at: path, &call)
            } else if let elements = member.value.array, Self.hasListItems(elements) {
                try set(elements, at: path, &call)
            } else if let members = member.value.object, try Self.hasOperations(members, &call, depth: path.count) {
                try read(members, at: path, &call)
            } else {
                try apply(.replace, member.value, at: path, &call)
            }
        }
    }

    private mutating func apply(
        _ operation: UpdateOperation, _ operand: JSONValue, at path: [String], _ call: inout LibraryCall
    ) throws(ResolverError) {
        if operation == .remove {
            removals.append(path)
        } else {
            let place = self.path(path)
            clauses.append(operation.clause(place, try bind(operand, &call)))
        }
    }

    /// Elements of a list, each by its number.
    private mutating func set(
        _ elements: [JSONValue], at path: [String], _ call: inout LibraryCall
    ) throws(ResolverError) {
        try call.count(elements.count)
        let place = self.path(path)
        for element in elements {
            guard let (_, operand, index) = UpdateOperation.read(element), let index, index >= 0 else {
                let name = path.joined(separator: ".")
                throw .fault("\(call.function): '\(name)' mixes items of a list with other values.")
            }
            clauses.append("\(place)[\(index)] = \(try bind(operand, &call))")
        }
    }

    private static func hasListItems(_ elements: [JSONValue]) -> Bool {
        elements.contains { UpdateOperation.read($0)?.operation == .updateListItem }
    }

    /// Whether something is done with a part of an object; otherwise all of it is set.
    private static func hasOperations(
        _ members: JSONObject, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> Bool {
        try call.check(depth: depth)
        try call.count(members.count)
        for member in members {
            if UpdateOperation.read(member.value) != nil { return true }
            if let elements = member.value.array, hasListItems(elements) { return true }
            if let inner = member.value.object, try hasOperations(inner, &call, depth: depth + 1) { return true }
        }
        return false
    }

    private mutating func path(_ segments: [String]) -> String {
        segments.map { names.alias(of: $0) }.joined(separator: ".")
    }

    private mutating func bind(_ value: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> String {
        let name = ":expValue_\(values.count + 1)"
        values.append(.init(key: name, value: try AttributeType.typed(value, &call, knowsSets: true)))
        return name
    }
}
