import JSON

/// The module `@aws-appsync/utils/dynamodb`: requests to tables, made of plain values.
enum DynamoDBModule {
    /// How a member of what a function is given becomes one of the request.
    private enum Part: Sendable {
        /// As it is.
        case plain
        /// An object of which each member gets its type.
        case values(as: String)
        /// A filter: `{expression, …}`.
        case filter
        /// Names of attributes.
        case projection
        /// What an update sets and removes.
        case update
    }

    private static let writing: [(String, Part)] = [
        ("condition", .filter), ("customPartitionKey", .plain), ("populateIndexFields", .plain), ("_version", .plain),
    ]
    private static let key: [(String, Part)] = [("key", .values(as: "key"))]
    private static let item: [(String, Part)] = [("item", .values(as: "attributeValues"))]
    private static let change: [(String, Part)] = [("update", .update)]
    private static let listing: [(String, Part)] = [
        ("index", .plain), ("limit", .plain), ("nextToken", .plain), ("consistentRead", .plain),
        ("scanIndexForward", .plain), ("select", .plain), ("filter", .filter), ("projection", .projection),
        ("totalSegments", .plain), ("segment", .plain),
    ]
    private static let table: [(String, Part)] = [("table", .plain)]

    /// Functions that make a request of one item, or of a list of them.
    private static let requests: [(name: String, operation: String, parts: [(String, Part)])] = [
        ("get", "GetItem", key + [("consistentRead", .plain), ("projection", .projection)]),
        ("put", "PutItem", key + item + writing),
        ("remove", "DeleteItem", key + writing),
        ("update", "UpdateItem", key + change + writing),
        ("query", "Query", [("query", .filter)] + listing),
        ("scan", "Scan", listing),
        (
            "sync", "Sync",
            [
                ("basePartitionKey", .plain), ("deltaIndexName", .plain), ("limit", .plain), ("nextToken", .plain),
                ("lastSync", .plain), ("filter", .filter),
            ]
        ),
    ]

    /// What a transaction writes: the member of an entry, the operation, and what belongs to it.
    private static let writes: [(name: String, operation: String, parts: [(String, Part)])] = [
        ("putItem", "PutItem", table + key + item + [("condition", .filter)]),
        ("updateItem", "UpdateItem", table + key + change + [("condition", .filter)]),
        ("deleteItem", "DeleteItem", table + key + [("condition", .filter)]),
        ("conditionCheck", "ConditionCheck", table + key + [("condition", .filter)]),
    ]

    static let all: [LibraryFunction] =
        requests.map { request in
            LibraryFunction("dynamodb." + request.name, in: .javaScript) { call throws(ResolverError) in
                var object = JSONObject([("operation", .string(request.operation))])
                try add(request.parts, of: try call.object(0), to: &object, &call)
                return .object(object)
            }
        } + [
            LibraryFunction("dynamodb.batchGet", in: .javaScript) { call throws(ResolverError) in
                try batch("BatchGetItem", &call) { value, call throws(ResolverError) in try gets(value, &call) }
            },
            LibraryFunction("dynamodb.batchPut", in: .javaScript) { call throws(ResolverError) in
                try batch("BatchPutItem", &call) { value, call throws(ResolverError) in try items(value, &call) }
            },
            LibraryFunction("dynamodb.batchDelete", in: .javaScript) { call throws(ResolverError) in
                try batch("BatchDeleteItem", &call) { value, call throws(ResolverError) in try items(value, &call) }
            },
            LibraryFunction("dynamodb.transactGet", in: .javaScript) { call throws(ResolverError) in
                try transaction("TransactGetItems", &call) { entry, call throws(ResolverError) in
                    var object = JSONObject()
                    try add(table + key + [("projection", .projection)], of: entry, to: &object, &call)
                    return object
                }
            },
            LibraryFunction("dynamodb.transactWrite", in: .javaScript) { call throws(ResolverError) in
                try transaction("TransactWriteItems", &call) { entry, call throws(ResolverError) in
                    try write(entry, &call)
                }
            },
        ]
        + [("toStringSet", AttributeType.stringSet), ("toNumberSet", .numberSet), ("toBinarySet", .binarySet)].map {
            name, type in
            LibraryFunction("dynamodb." + name, in: .javaScript) { call throws(ResolverError) in
                try type.value(call[0], &call)
            }
        } + UpdateOperation.functions

    // MARK: Parts

    /// Null is as good as missing, but for what an update sets.
    private static func add(
        _ parts: [(String, Part)], of given: JSONObject, to object: inout JSONObject, _ call: inout LibraryCall
    ) throws(ResolverError) {
        for (name, part) in parts {
            guard let value = given[name], !value.isNull else { continue }
            switch part {
            case .plain: object.set(name, to: value)
            case .values(let renamed):
                guard let members = value.object else { throw expected("an object", name, value, call) }
                object.set(renamed, to: .object(try AttributeType.typed(members, &call, knowsSets: true)))
            case .filter: object.set(name, to: .object(try filter(value, name, &call)))
            case .projection: object.set(name, to: .object(try projection(value, name, &call)))
            case .update:
                guard let members = value.object else { throw expected("an object", name, value, call) }
                object.set(name, to: .object(try UpdateExpression.of(members, &call)))
            }
        }
    }

    /// An expression that is written already stays as it is.
    private static func filter(
        _ value: JSONValue, _ name: String, _ call: inout LibraryCall
    ) throws(ResolverError) -> JSONObject {
        if let object = value.object, object["expression"]?.string != nil { return object }
        guard let expression = try FilterExpression.of(value, &call) else {
            throw .fault("\(call.function): '\(name)' is no filter that DynamoDB has an expression for.")
        }
        // An operand that was undefined is missing: nothing may come of a condition without one.
        guard !expression.text.isEmpty || value.object?.isEmpty == true else {
            throw .fault("\(call.function): '\(name)' names attributes and says nothing of them.")
        }
        return expression.object(keepsEmpty: false)
    }

    private static func projection(
        _ value: JSONValue, _ name: String, _ call: inout LibraryCall
    ) throws(ResolverError) -> JSONObject {
        if let object = value.object, object["expression"]?.string != nil { return object }
        guard let attributes = value.array else { throw expected("an array", name, value, call) }
        try call.count(attributes.count)
        var names = AttributeNames()
        var paths: [String] = []
        for attribute in attributes {
            guard let path = attribute.string else { throw expected("an array of strings", name, value, call) }
            paths.append(path.parts(separatedBy: ".").map { names.alias(of: $0) }.joined(separator: "."))
        }
        return JSONObject([
            ("expression", .string(paths.joined(separator: ", "))), ("expressionNames", .object(names.object)),
        ])
    }

    private static func expected(
        _ wanted: String, _ name: String, _ value: JSONValue, _ call: LibraryCall
    ) -> ResolverError {
        .fault("\(call.function) expects \(wanted) for '\(name)', but it is \(value.kind).")
    }

    // MARK: Several items

    private static func batch(
        _ operation: String, _ call: inout LibraryCall,
        _ table: (JSONValue, inout LibraryCall) throws(ResolverError) -> JSONValue
    ) throws(ResolverError) -> JSONValue {
        guard let given = try call.object(0)["tables"]?.object else {
            throw .fault("\(call.function) expects an object for 'tables'.")
        }
        var tables: [JSONObject.Member] = []
        for member in given { tables.append(.init(key: member.key, value: try table(member.value, &call))) }
        return ["operation": .string(operation), "tables": .object(JSONObject(distinct: tables))]
    }

    private static func items(_ value: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        guard let list = value.array else { throw expected("lists of items", "tables", value, call) }
        try call.count(list.count)
        var items: [JSONValue] = []
        items.reserveCapacity(list.count)
        for element in list {
            guard let item = element.object else { throw expected("lists of items", "tables", element, call) }
            items.append(.object(try AttributeType.typed(item, &call, knowsSets: true)))
        }
        return .array(items)
    }

    private static func gets(_ value: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        if value.array != nil { return try items(value, &call) }
        guard let given = value.object else { throw expected("an object for each table", "tables", value, call) }
        var object = JSONObject([("keys", try items(given["keys"] ?? .null, &call))])
        try add([("consistentRead", .plain), ("projection", .projection)], of: given, to: &object, &call)
        return .object(object)
    }

    private static func transaction(
        _ operation: String, _ call: inout LibraryCall,
        _ entry: (JSONObject, inout LibraryCall) throws(ResolverError) -> JSONObject
    ) throws(ResolverError) -> JSONValue {
        guard let given = try call.object(0)["items"]?.array else {
            throw .fault("\(call.function) expects an array for 'items'.")
        }
        try call.count(given.count)
        var items: [JSONValue] = []
        for element in given {
            guard let object = element.object else { throw expected("objects", "items", element, call) }
            items.append(.object(try entry(object, &call)))
        }
        return ["operation": .string(operation), "transactItems": .array(items)]
    }

    private static func write(_ entry: JSONObject, _ call: inout LibraryCall) throws(ResolverError) -> JSONObject {
        for write in writes {
            guard let given = entry[write.name]?.object else { continue }
            var object = JSONObject([
                ("table", given["table"] ?? .null), ("operation", .string(write.operation)),
            ])
            try add(write.parts, of: given, to: &object, &call)
            return object
        }
        throw .fault("\(call.function) knows only putItem, updateItem, deleteItem and conditionCheck.")
    }
}
