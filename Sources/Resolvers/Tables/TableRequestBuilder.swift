import JSON

/// Writes the body of a call of DynamoDB's API, from what a handler has returned.
struct TableRequestBuilder {
    private let fields: RequestMembers
    private let source: TableRequest.Source
    private let cursors: TableRequest.Cursors
    private(set) var body = JSONObject()
    /// Of the tables of a batch, the attributes of keys that the projection leaves out.
    private(set) var unasked: [ByteText: [String]] = [:]

    private static let names = "ExpressionAttributeNames"
    private static let values = "ExpressionAttributeValues"
    private static let keyName = "#partOfKey"
    private static let versionName = "#version"
    private static let versionValue = ":version"
    private static let syncPageMax: Int64 = 1_000
    private static let usualSyncPage: Int64 = 100

    init(_ fields: RequestMembers, _ source: TableRequest.Source, _ cursors: TableRequest.Cursors) {
        self.fields = fields
        self.source = source
        self.cursors = cursors
    }

    // MARK: One item

    mutating func get() throws(ResolverError) {
        begin()
        body.set("Key", to: .object(try Self.key(of: fields)))
        if try fields.bool("consistentRead") == true { body.set("ConsistentRead", to: true) }
        try project(fields)
    }

    /// Gives the item that is wanted.
    mutating func put() throws(ResolverError) -> JSONObject {
        begin()
        let item = try Self.item(of: fields)
        body.set("Item", to: .object(item))
        try conditions()
        return item
    }

    mutating func update() throws(ResolverError) {
        begin()
        body.set("Key", to: .object(try Self.key(of: fields)))
        try takeUpdate()
        try conditions()
        body.set("ReturnValues", to: "ALL_NEW")
    }

    mutating func delete() throws(ResolverError) {
        begin()
        let key = try Self.key(of: fields)
        body.set("Key", to: .object(key))
        guard source.isVersioned, let name = key.members.first?.key else {
            try conditions()
            return body.set("ReturnValues", to: "ALL_OLD")
        }
        // Clients that sync have to hear of it: the item stays, and says that it is deleted.
        body.set("UpdateExpression", to: "SET #deleted = :deleted")
        add(Self.names, [("#deleted", "_deleted"), ("#key", .string(name))])
        add(Self.values, [(":deleted", ["BOOL": true])])
        try conditions(and: "attribute_exists(#key)")
        body.set("ReturnValues", to: "ALL_NEW")
    }

    private mutating func takeUpdate() throws(ResolverError) {
        let update = fields.members(try fields.required("update"), of: "update")
        body.set("UpdateExpression", to: .string(try text(of: update, "update")))
        try take(update)
    }

    private func text(of expression: RequestMembers, _ name: String) throws(ResolverError) -> String {
        guard let text = try expression.text("expression") else {
            throw .template("Expression block '$[\(fields.place(name))]' requires an expression")
        }
        return text
    }

    private mutating func begin() { body.set("TableName", to: .string(source.table)) }

    private static func key(of entry: RequestMembers) throws(ResolverError) -> JSONObject {
        try entry.typed(try entry.required("key"), of: "key")
    }

    private static func item(of entry: RequestMembers) throws(ResolverError) -> JSONObject {
        let key = try key(of: entry)
        var item = try entry.typed(try entry.object("attributeValues") ?? JSONObject(), of: "attributeValues")
        for member in key { item.set(member.key, to: member.value) }
        return item
    }

    /// The condition of a write, and that the item has the version that the handler knows.
    private mutating func conditions(and own: String? = nil) throws(ResolverError) {
        var parts = [own].compactMap(\.self)
        if let condition = try fields.expression("condition") {
            if let text = try condition.text("expression"), !text.isEmpty {
                parts.append(text)
                try take(condition)
            }
        }
        if source.isVersioned, let version = try fields.integer("_version") {
            parts.append("\(Self.versionName) = \(Self.versionValue)")
            add(Self.names, [(Self.versionName, "_version")])
            add(Self.values, [(Self.versionValue, ["N": .string("\(version)")])])
        }
        guard !parts.isEmpty else { return }
        body.set(
            "ConditionExpression",
            to: .string(parts.count == 1 ? parts[0] : parts.map { "(\($0))" }.joined(separator: " AND ")))
        body.set("ReturnValuesOnConditionCheckFailure", to: "ALL_OLD")
    }

    // MARK: Pages

    mutating func query() throws(ResolverError) {
        begin()
        guard let query = try fields.expression("query") else { throw .missing("query") }
        body.set("KeyConditionExpression", to: .string(try text(of: query, "query")))
        try take(query)
        if let forward = try fields.bool("scanIndexForward") { body.set("ScanIndexForward", to: .bool(forward)) }
        try page("query")
    }

    mutating func scan() throws(ResolverError) {
        begin()
        if let segment = try fields.integer("segment") { body.set("Segment", to: .integer(segment)) }
        if let total = try fields.integer("totalSegments") { body.set("TotalSegments", to: .integer(total)) }
        try page("scan")
    }

    /// All that there is, or what has changed since then.
    mutating func sync() throws(ResolverError) {
        guard source.isVersioned else {
            throw .template("The operation Sync is for data sources with conflict detection only.")
        }
        begin()
        let limit = min(max(1, try fields.integer("limit") ?? Self.usualSyncPage), Self.syncPageMax)
        body.set("Limit", to: .integer(limit))
        var filters: [String] = []
        if let filter = try fields.expression("filter"), let text = try filter.text("expression"), !text.isEmpty {
            filters.append("(\(text))")
            try take(filter)
        }
        if let since = try fields.integer("lastSync"), since > 0 {
            filters.append("#changed > :since")
            add(Self.names, [("#changed", "_lastChangedAt")])
            add(Self.values, [(":since", ["N": .string("\(since)")])])
        } else {
            // Who syncs for the first time has nothing that could be deleted.
            filters.append("(attribute_not_exists(#deleted) OR #deleted = :kept)")
            add(Self.names, [("#deleted", "_deleted")])
            add(Self.values, [(":kept", ["BOOL": false])])
        }
        body.set("FilterExpression", to: .string(filters.joined(separator: " AND ")))
        try start("sync")
    }

    private mutating func page(_ operation: String) throws(ResolverError) {
        if let index = try fields.text("index") { body.set("IndexName", to: .string(index)) }
        if let limit = try fields.integer("limit") { body.set("Limit", to: .integer(limit)) }
        if try fields.bool("consistentRead") == true { body.set("ConsistentRead", to: true) }
        if let select = try fields.text("select") { body.set("Select", to: .string(select)) }
        if let filter = try fields.expression("filter"), let text = try filter.text("expression"), !text.isEmpty {
            body.set("FilterExpression", to: .string(text))
            try take(filter)
        }
        try project(fields)
        try start(operation)
    }

    private mutating func start(_ operation: String) throws(ResolverError) {
        guard let token = try fields.text("nextToken") else { return }
        guard let position = cursors.position(token, source.scope(of: operation, index: body["IndexName"]?.string)),
            let key = try? JSONReader.value(of: position), key.object != nil
        else {
            throw ResolverError("Invalid pagination token given.", type: "DynamoDB:DynamoDbException")
        }
        body.set("ExclusiveStartKey", to: key)
    }

    private mutating func project(_ fields: RequestMembers) throws(ResolverError) {
        guard let projection = try fields.expression("projection"), let text = try projection.text("expression"),
            !text.isEmpty
        else { return }
        body.set("ProjectionExpression", to: .string(text))
        try take(projection)
    }

    /// Items are put in the order of their keys, so these are read in any case. Gives the attributes that the handler has not asked for.
    private mutating func projectKeys(of keys: [JSONValue]) -> [String] {
        guard let projection = body["ProjectionExpression"]?.string, let key = keys.first?.object else { return [] }
        let names = body[Self.names]
        let asked = Set(
            texts: projection.parts(separatedBy: ",").map { path in
                let bytes = path.utf8.filter { $0 > UInt8(ascii: " ") }
                let name = String(
                    decoding: bytes.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }, as: UTF8.self)
                return names?[name]?.string ?? name
            })
        let added = key.members.map(\.key).filter { !asked.contains($0) }
        guard !added.isEmpty else { return [] }
        let aliases = added.indices.map { "\(Self.keyName)\($0)" }
        add(Self.names, zip(aliases, added).map { ($0, .string($1)) })
        body.set("ProjectionExpression", to: .string(([projection] + aliases).joined(separator: ", ")))
        return added
    }

    // MARK: Several items

    mutating func batchGet() throws(ResolverError) {
        var requests = JSONObject()
        for member in try fields.required("tables") {
            let place = fields.place("tables][\(member.key)")
            let entry: RequestMembers
            if let keys = member.value.array {
                entry = RequestMembers(JSONObject([("keys", .array(keys))]), at: place)
            } else if let object = member.value.object {
                entry = RequestMembers(object, at: place)
            } else {
                throw .missing("\(place)][keys")
            }
            var request = TableRequestBuilder(entry, source, cursors)
            let keys = try Self.items(try entry.list("keys"), entry.place("keys"))
            request.body.set("Keys", to: .array(keys))
            if try entry.bool("consistentRead") == true { request.body.set("ConsistentRead", to: true) }
            try request.project(entry)
            let added = request.projectKeys(of: keys)
            if !added.isEmpty { unasked[ByteText(member.key)] = added }
            requests.set(member.key, to: .object(request.body))
        }
        body.set("RequestItems", to: .object(requests))
    }

    mutating func batchWrite(isPut: Bool) throws(ResolverError) {
        var requests = JSONObject()
        for member in try fields.required("tables") {
            let place = fields.place("tables][\(member.key)")
            guard let list = member.value.array else { throw .missing(place) }
            let items = try Self.items(list, place)
            requests.set(
                member.key,
                to: .array(
                    items.map { item in
                        isPut ? ["PutRequest": ["Item": item]] : ["DeleteRequest": ["Key": item]]
                    }))
        }
        body.set("RequestItems", to: .object(requests))
    }

    private static func items(_ list: [JSONValue], _ path: String) throws(ResolverError) -> [JSONValue] {
        var items: [JSONValue] = []
        for (number, element) in list.enumerated() {
            guard let object = element.object else {
                throw .template("Expected objects in the list '$[\(path)]', but found \(element.kind).")
            }
            do throws(TypedValues.Fault) {
                items.append(.object(try TypedValues.typed(object)))
            } catch {
                throw error.error(at: "\(path)][\(number)")
            }
        }
        return items
    }

    mutating func transactGet() throws(ResolverError) {
        var items: [JSONValue] = []
        for (number, element) in try fields.list("transactItems").enumerated() {
            let entry = try Self.entry(element, number)
            var request = try entry.inTable(source, cursors)
            request.body.set("Key", to: .object(try Self.key(of: entry)))
            try request.project(entry)
            items.append(["Get": .object(request.body)])
        }
        body.set("TransactItems", to: .array(items))
    }

    mutating func transactWrite() throws(ResolverError) {
        var items: [JSONValue] = []
        for (number, element) in try fields.list("transactItems").enumerated() {
            let entry = try Self.entry(element, number)
            var request = try entry.inTable(source, cursors)
            let operation = try entry.text("operation", isRequired: true) ?? ""
            let key = try Self.key(of: entry)
            let name: String
            switch operation {
            case "PutItem":
                name = "Put"
                request.body.set("Item", to: .object(try Self.item(of: entry)))
            case "UpdateItem", "DeleteItem", "ConditionCheck":
                name = operation == "UpdateItem" ? "Update" : operation == "DeleteItem" ? "Delete" : operation
                request.body.set("Key", to: .object(key))
            default:
                throw .template("Unsupported operation '\(operation)'. See $[transactItems][\(number)][operation].")
            }
            if operation == "UpdateItem" {
                try request.takeUpdate()
            }
            if let condition = try entry.expression("condition"), let text = try condition.text("expression"),
                !text.isEmpty
            {
                request.body.set("ConditionExpression", to: .string(text))
                try request.take(condition)
                if try condition.bool("returnValuesOnConditionCheckFailure") ?? true {
                    request.body.set("ReturnValuesOnConditionCheckFailure", to: "ALL_OLD")
                }
            }
            items.append([name: .object(request.body)])
        }
        body.set("TransactItems", to: .array(items))
    }

    private static func entry(_ element: JSONValue, _ number: Int) throws(ResolverError) -> RequestMembers {
        guard let object = element.object else {
            throw .template("Expected an object for '$[transactItems][\(number)]', but it is \(element.kind).")
        }
        return RequestMembers(object, at: "transactItems][\(number)")
    }

    // MARK: Expressions

    /// The names and values of an expression, beside those of the others. Empty ones are left out.
    private mutating func take(_ expression: RequestMembers) throws(ResolverError) {
        if let names = try expression.object("expressionNames") {
            for member in names {
                guard let known = body[Self.names]?[member.key], known != member.value else { continue }
                throw .template("The name '\(member.key)' stands for two attributes in the expressions of the request.")
            }
            add(Self.names, names.map { ($0.key, $0.value) })
        }
        if let values = try expression.object("expressionValues") {
            let typed = try expression.typed(values, of: "expressionValues")
            for member in typed {
                guard let known = body[Self.values]?[member.key], known != member.value else { continue }
                throw .template("The value '\(member.key)' has two meanings in the expressions of the request.")
            }
            add(Self.values, typed.map { ($0.key, $0.value) })
        }
    }

    private mutating func add(_ name: String, _ members: [(String, JSONValue)]) {
        guard !members.isEmpty else { return }
        var all = body[name]?.object ?? JSONObject()
        for (key, value) in members { all.set(key, to: value) }
        body.set(name, to: .object(all))
    }

    fileprivate mutating func setTable(_ name: String) { body.set("TableName", to: .string(name)) }
}

extension RequestMembers {
    /// A request to the table that an entry names.
    fileprivate func inTable(
        _ source: TableRequest.Source, _ cursors: TableRequest.Cursors
    ) throws(ResolverError) -> TableRequestBuilder {
        var request = TableRequestBuilder(self, source, cursors)
        request.setTable(try text("table", isRequired: true) ?? "")
        return request
    }
}

extension TableRequest.Source {
    /// What a token is good for: the same operation on the same table, by the same field.
    func scope(of operation: String, index: String?) -> [UInt8] {
        Array("resolver:\(scope):\(operation):\(table):\(index ?? "")".utf8)
    }
}
