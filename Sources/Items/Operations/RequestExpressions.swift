import JSON

/// What is asked for of an item.
struct RequestedParts: Sendable {
    let projection: Projection
    /// Whether `AttributesToGet` says so.
    let isLegacy: Bool

    var names: [String] { projection.attributes }

    func project(_ item: Item) -> Item { projection.project(item) }
}

/// The expressions of a request, or the forms that it had before there were any: one kind of them and not both.
enum RequestExpressions {
    struct Pages {
        let condition: KeyCondition
        let filter: Condition?
        let projection: RequestedParts?
        let isLegacyFilter: Bool
    }

    struct ScanParts {
        let filter: Condition?
        let projection: RequestedParts?
    }

    // MARK: Reads

    static func projection(of fields: RequestFields) throws(ItemError) -> RequestedParts? {
        try check(fields, expressions: ["ProjectionExpression"], older: ["AttributesToGet"], valued: [])
        var substitutions = try Self.substitutions(fields)
        let parts = try parts(fields, &substitutions)
        try substitutions.checkUsed()
        return parts
    }

    static func query(of fields: RequestFields) throws(ItemError) -> Pages {
        // The older form of the key goes with newer ones of the rest.
        let key = fields.has("KeyConditionExpression") ? ["KeyConditions"] : []
        try check(
            fields, expressions: ["ProjectionExpression", "FilterExpression", "KeyConditionExpression"],
            older: ["AttributesToGet", "QueryFilter", "ConditionalOperator"] + key,
            valued: ["FilterExpression", "KeyConditionExpression"])
        try checkOperator(fields, of: "QueryFilter")
        var substitutions = try Self.substitutions(fields)
        let filter: Condition? =
            if let text = try fields.text("FilterExpression") {
                try substitutions.condition(text, .filter)
            } else {
                try fields["QueryFilter"].flatMap { json throws(ItemError) in
                    try older(json) { () throws(ItemError) in
                        try Condition(filter: json, operator: fields["ConditionalOperator"], isStrict: fields.isStrict)
                    }
                }
            }
        let projection = try parts(fields, &substitutions)
        let condition: KeyCondition
        if let text = try fields.text("KeyConditionExpression") {
            condition = try substitutions.keyCondition(text)
        } else if let json = fields["KeyConditions"] {
            condition = try KeyCondition(legacy: json, isStrict: fields.isStrict)
        } else {
            throw .validation(
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
        }
        try substitutions.checkUsed()
        return Pages(
            condition: condition, filter: filter, projection: projection, isLegacyFilter: fields.has("QueryFilter"))
    }

    static func scan(of fields: RequestFields) throws(ItemError) -> ScanParts {
        try check(
            fields, expressions: ["ProjectionExpression", "FilterExpression"],
            older: ["AttributesToGet", "ScanFilter", "ConditionalOperator"], valued: ["FilterExpression"])
        try checkOperator(fields, of: "ScanFilter")
        var substitutions = try Self.substitutions(fields)
        let filter: Condition? =
            if let text = try fields.text("FilterExpression") {
                try substitutions.condition(text, .filter)
            } else {
                try fields["ScanFilter"].flatMap { json throws(ItemError) in
                    try older(json) { () throws(ItemError) in
                        try Condition(filter: json, operator: fields["ConditionalOperator"], isStrict: fields.isStrict)
                    }
                }
            }
        let projection = try parts(fields, &substitutions)
        try substitutions.checkUsed()
        return ScanParts(filter: filter, projection: projection)
    }

    private static func parts(
        _ fields: RequestFields, _ substitutions: inout Substitutions
    ) throws(ItemError) -> RequestedParts? {
        if let text = try fields.text("ProjectionExpression") {
            return RequestedParts(projection: try substitutions.projection(text), isLegacy: false)
        }
        return try fields["AttributesToGet"].map { json throws(ItemError) in
            RequestedParts(projection: try Projection(legacy: json, isStrict: fields.isStrict), isLegacy: true)
        }
    }

    /// An older form; one that holds no condition is none.
    private static func older(
        _ json: JSONValue, _ condition: () throws(ItemError) -> Condition
    ) throws(ItemError) -> Condition? {
        if let object = json.object, object.isEmpty { return nil }
        return try condition()
    }

    // MARK: Writes

    static func condition(of fields: RequestFields) throws(ItemError) -> Condition? {
        try check(
            fields, expressions: ["ConditionExpression"], older: ["Expected", "ConditionalOperator"],
            valued: ["ConditionExpression"])
        try checkOperator(fields, of: "Expected")
        var substitutions = try Self.substitutions(fields)
        let condition = try condition(fields, &substitutions)
        try substitutions.checkUsed()
        return condition
    }

    static func update(of fields: RequestFields) throws(ItemError) -> (Update, Condition?) {
        try check(
            fields, expressions: ["UpdateExpression", "ConditionExpression"],
            older: ["AttributeUpdates", "Expected", "ConditionalOperator"],
            valued: ["UpdateExpression", "ConditionExpression"])
        try checkOperator(fields, of: "Expected")
        var substitutions = try Self.substitutions(fields)
        let update: Update =
            if let text = try fields.text("UpdateExpression") {
                try substitutions.update(text)
            } else if let json = fields["AttributeUpdates"] {
                try Update(legacy: json, isStrict: fields.isStrict)
            } else {
                .nothing
            }
        let condition = try condition(fields, &substitutions)
        try substitutions.checkUsed()
        return (update, condition)
    }

    private static func condition(
        _ fields: RequestFields, _ substitutions: inout Substitutions
    ) throws(ItemError) -> Condition? {
        if let text = try fields.text("ConditionExpression") { return try substitutions.condition(text) }
        return try fields["Expected"].flatMap { json throws(ItemError) in
            try older(json) { () throws(ItemError) in
                try Condition(expected: json, operator: fields["ConditionalOperator"], isStrict: fields.isStrict)
            }
        }
    }

    // MARK: Keys

    /// Refuses an update of a key.
    static func check(_ update: Update, keys: KeySchema) throws(ItemError) {
        for name in update.attributes where keys.has(name) {
            throw .invalidValues("Cannot update attribute \(name). This attribute is part of the key")
        }
    }

    /// Refuses a filter on what the query goes by.
    static func check(_ pages: Pages, keys: KeySchema) throws(ItemError) {
        guard let name = pages.filter?.attributes.first(where: { keys.has($0) }) else { return }
        throw .validation(
            "\(pages.isLegacyFilter ? "QueryFilter" : "Filter Expression") can only contain non-primary key attributes: "
                + "Primary key attribute: \(name)")
    }

    /// The partition that a condition names, and the bounds of its sort key.
    static func range(
        _ condition: KeyCondition, of key: KeySchema
    ) throws(ItemError) -> KeyRange {
        func keys(_ attributes: [KeyAttribute]) -> [KeyCondition.Key] {
            attributes.map { KeyCondition.Key(name: $0.name, kind: $0.kind) }
        }
        let range = try condition.range(partitions: keys(key.partitions), sorts: keys(key.sorts))
        let bounds: SortBounds
        if key.furtherSorts.isEmpty {
            bounds = try range.sort.map { test throws(ItemError) in try Self.bounds(test) } ?? .all
        } else {
            bounds = JoinedKey.bounds(
                behind: range.leading.flatMap { JoinedKey.bytes(of: $0.keyBytes ?? []) }, range.sort)
        }
        return KeyRange(range.partitions, range.sort, bounds)
    }

    private static func bounds(_ test: KeyCondition.Test) throws(ItemError) -> SortBounds {
        switch test {
        case .comparison(let comparator, let value):
            let bytes = value.keyBytes ?? []
            switch comparator {
            case .equal: return .exactly(bytes)
            case .less: return .below(bytes)
            case .lessOrEqual: return .upTo(bytes)
            case .greater: return .above(bytes)
            case .greaterOrEqual: return .from(bytes)
            case .notEqual: throw .validation("Query key condition not supported")
            }
        case .between(let low, let high): return .between(low.keyBytes ?? [], high.keyBytes ?? [])
        case .beginsWith(let start): return .beginning(with: start.keyBytes ?? [])
        }
    }

    // MARK: One kind

    /// Refuses an operator that joins no conditions.
    private static func checkOperator(_ fields: RequestFields, of conditions: String) throws(ItemError) {
        guard fields.has("ConditionalOperator"), fields[conditions]?.object?.isEmpty ?? true else { return }
        throw .validation("ConditionalOperator cannot be used without Filter or Expected")
    }

    private static func substitutions(_ fields: RequestFields) throws(ItemError) -> Substitutions {
        try Substitutions(
            names: fields["ExpressionAttributeNames"], values: fields["ExpressionAttributeValues"],
            isStrict: fields.isStrict, namesFaulty: !fields.isOfSingleWrite)
    }

    /// Refuses a request that says things in both ways, or that gives names and values to no expression.
    ///
    /// - Parameter valued: the expressions that have values.
    private static func check(
        _ fields: RequestFields, expressions: [String], older: [String], valued: [String]
    ) throws(ItemError) {
        let hasNew = expressions.contains { fields.has($0) }
        guard !hasNew || !older.contains(where: { fields.has($0) }) else {
            let (new, old) = (expressions.filter { fields.has($0) }, older.filter { fields.has($0) })
            throw .validation(
                "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {"
                    + "\(old.joined(separator: ", "))} Expression parameters: {\(new.joined(separator: ", "))}")
        }
        if !hasNew, fields.has("ExpressionAttributeNames") {
            throw .validation("ExpressionAttributeNames can only be specified when using expressions")
        }
        if !valued.isEmpty, fields.has("ExpressionAttributeValues"), !valued.contains(where: { fields.has($0) }) {
            throw .validation(
                "ExpressionAttributeValues can only be specified when using expressions: "
                    + "\(valued.joined(separator: " and ")) \(valued.count == 1 ? "is" : "are") null")
        }
    }
}
