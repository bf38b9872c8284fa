import JSON

extension StatementWriter {
    /// Each way to join, its words, and whether only Postgres has it.
    private static let joins: [(name: String, words: String, isPostgres: Bool)] = [
        ("join", "JOIN", false), ("innerJoin", "INNER JOIN", false),
        ("leftJoin", "LEFT JOIN", false), ("leftOuterJoin", "LEFT OUTER JOIN", false),
        ("rightJoin", "RIGHT JOIN", false), ("rightOuterJoin", "RIGHT OUTER JOIN", false),
        ("fullOuterJoin", "FULL OUTER JOIN", true), ("crossJoin", "CROSS JOIN", false),
        ("joinNatural", "NATURAL JOIN", false), ("innerJoinNatural", "NATURAL INNER JOIN", false),
        ("leftJoinNatural", "NATURAL LEFT JOIN", false), ("leftOuterJoinNatural", "NATURAL LEFT OUTER JOIN", false),
        ("rightJoinNatural", "NATURAL RIGHT JOIN", false),
        ("rightOuterJoinNatural", "NATURAL RIGHT OUTER JOIN", false),
        ("fullOuterJoinNatural", "NATURAL FULL OUTER JOIN", true),
    ]

    mutating func select(
        _ properties: JSONObject, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> [String] {
        let columns = properties["columns"] ?? .null
        var parts = ["SELECT", columns.isNull ? "*" : try self.columns(columns, knowsAliases: true, &call)]
        parts.append("FROM \(try source(properties, &call, depth))")
        for join in Self.joins {
            guard let given = properties[join.name], !given.isNull else { continue }
            guard !join.isPostgres || dialect == .postgres else {
                throw .fault("\(join.name) is not supported in MySQL.")
            }
            guard let list = given.array else { throw .fault("\(join.name) expects an array.") }
            for element in list { parts.append(try self.join(element, join.words, &call, depth)) }
        }
        parts += try condition("WHERE", properties["where"], &call)
        parts += try groups(properties["groupBy"], &call)
        parts += try condition("HAVING", properties["having"], &call)
        parts += try order(properties["orderBy"], &call)
        for (name, word) in [("limit", "LIMIT"), ("offset", "OFFSET")] {
            guard let given = properties[name], !given.isNull else { continue }
            parts.append("\(word) \(bind(try Self.number(given, name)))")
        }
        return parts
    }

    // MARK: What is read from

    private mutating func source(
        _ properties: JSONObject, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String {
        let table = properties["table"] ?? .null
        let from = properties["from"] ?? .null
        guard table.isNull || from.isNull else { throw .fault("'from' and 'table' keys cannot be used together") }
        if !table.isNull { return try name(of: table) }
        guard !from.isNull else { throw .fault("'table' or 'from' key is required.") }
        guard from.string != nil || from.object != nil else {
            throw .fault("'from' value is expected to be string or object.")
        }
        if let inner = try selection(from, &call, depth) { return inner }
        if let object = from.object, let member = object.members.first, object.count == 1,
            let inner = try selection(member.value, &call, depth)
        {
            return "\(inner) as \(dialect.quoted(member.key))"
        }
        return try name(of: from)
    }

    /// A select in a select, or SQL.
    private mutating func selection(
        _ value: JSONValue, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String? {
        if let statement = RelationalStatement(value, mark: mark) {
            guard statement.kind == .select else { throw .fault("'from' takes a select and no other statement.") }
            return "(\(try text(of: statement, &call, depth: depth + 1)))"
        }
        guard let template = SQLTemplate(value, mark: mark) else { return nil }
        return "(\(try text(of: template, &call)))"
    }

    private mutating func join(
        _ element: JSONValue, _ words: String, _ call: inout LibraryCall, _ depth: Int
    ) throws(ResolverError) -> String {
        try call.count(1)
        guard let properties = element.object else {
            guard let name = element.string else { throw .fault("A join is expected to be an object.") }
            return "\(words) \(dialect.quoted(name))"
        }
        var text = "\(words) \(try source(properties, &call, depth))"
        if let using = properties["using"], !using.isNull {
            text += " USING (\(try columns(using, knowsAliases: false, &call)))"
        } else {
            for part in try condition("ON", properties["on"], &call) { text += " " + part }
        }
        return text
    }

    // MARK: Order

    /// Columns by their names, or by their numbers among those that are selected.
    private mutating func groups(_ given: JSONValue?, _ call: inout LibraryCall) throws(ResolverError) -> [String] {
        guard let given, !given.isNull else { return [] }
        guard let list = given.array else { throw .fault("groupBy expects an array.") }
        try call.count(list.count)
        var columns: [String] = []
        for element in list {
            if let number = element.integer, number > 0 {
                columns.append(String(number))
            } else if let name = element.string {
                columns.append(dialect.quoted(name))
            } else {
                throw .fault("Invalid type in groupBy array.")
            }
        }
        return columns.isEmpty ? [] : ["GROUP BY", columns.joined(separator: ", ")]
    }

    private func order(_ given: JSONValue?, _ call: inout LibraryCall) throws(ResolverError) -> [String] {
        guard let given, !given.isNull else { return [] }
        guard let list = given.array else { throw .fault("orderBy expects an array.") }
        try call.count(list.count)
        var items: [String] = []
        for element in list {
            guard let item = element.object else { throw .fault("orderBy item expected to be an object.") }
            guard let column = item["column"]?.string else {
                throw .fault("orderBy item expected to have property column.")
            }
            // What is no text counts for nothing.
            let given = item["dir"]?.string
            let direction = given?.uppercased() ?? "ASC"
            guard direction == "ASC" || direction == "DESC" else {
                throw .fault("orderBy dir can have either ASC or DESC found \(given ?? "").")
            }
            items.append("\(dialect.quoted(column)) \(direction)")
        }
        return items.isEmpty ? [] : ["ORDER BY", items.joined(separator: ", ")]
    }

    /// A number, also as a text.
    private static func number(_ given: JSONValue, _ name: String) throws(ResolverError) -> JSONValue {
        if given.number != nil { return given }
        if let text = given.string {
            if let integer = Int64(text) { return .integer(integer) }
            if let double = Double(text), double.isFinite { return .double(double) }
        }
        throw .fault("\(name) expects a number.")
    }
}
