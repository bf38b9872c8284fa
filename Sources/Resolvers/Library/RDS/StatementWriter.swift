import JSON

/// Writes statements for a database: SQL with the names of variables, and beside it what those stand for.
///
/// What AppSync writes is kept sign by sign, also where the database will refuse it, as a `WHERE` that ends with `AND`. The SQL has texts
/// of the code's own, quoted names and variables, and nothing else.
struct StatementWriter {
    let dialect: SQLDialect
    let mark: String
    private var variables: [JSONObject.Member] = []
    private var hints: [JSONObject.Member] = []

    private init(_ dialect: SQLDialect, mark: String) {
        self.dialect = dialect
        self.mark = mark
    }

    /// `{statements, variableMap, variableTypeHintMap}`
    static func request(_ dialect: SQLDialect, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        guard !call.arguments.isEmpty else {
            throw .fault("An argument is expected to be passed to \(dialect.function)")
        }
        guard call.arguments.count <= LibraryLimits.statementsMax else {
            throw .fault("\(dialect.function) takes at most \(LibraryLimits.statementsMax) statements.")
        }
        var writer = Self(dialect, mark: call.mark)
        var statements: [JSONValue] = []
        for argument in call.arguments {
            let text: String
            if let given = argument.string {
                text = given
            } else if let template = SQLTemplate(argument, mark: writer.mark) {
                text = try writer.text(of: template, &call)
            } else if let statement = RelationalStatement(argument, mark: writer.mark) {
                text = try writer.text(of: statement, &call)
            } else {
                throw .fault("Unsupported type is passed as argument to \(dialect.function)")
            }
            try call.count(bytes: text.utf8.count)
            statements.append(.string(text))
        }
        return [
            "statements": .array(statements), "variableMap": .object(JSONObject(distinct: writer.variables)),
            "variableTypeHintMap": .object(JSONObject(distinct: writer.hints)),
        ]
    }

    // MARK: Values

    /// The name of a variable that stands for the value.
    mutating func bind(_ value: JSONValue) -> String {
        let name = ":P\(variables.count)"
        if let hint = RelationalModule.hint(value) {
            variables.append(.init(key: name, value: hint.value))
            hints.append(.init(key: name, value: .string(hint.type)))
        } else {
            variables.append(.init(key: name, value: value))
        }
        return name
    }

    /// The same for a value that may be none, or SQL.
    mutating func value(_ value: JSONValue, _ call: inout LibraryCall, depth: Int = 1) throws(ResolverError) -> String {
        if value.isNull { return "NULL" }
        if let template = SQLTemplate(value, mark: mark) { return try text(of: template, &call, depth: depth + 1) }
        return bind(value)
    }

    mutating func text(
        of template: SQLTemplate, _ call: inout LibraryCall, depth: Int = 1
    ) throws(ResolverError) -> String {
        try call.check(depth: depth)
        try call.count(template.parts.count)
        var text = template.parts.first ?? ""
        for (value, part) in zip(template.values, template.parts.dropFirst()) {
            text += try self.value(value, &call, depth: depth)
            text += part
        }
        return text
    }

    // MARK: Statements

    mutating func text(
        of statement: RelationalStatement, _ call: inout LibraryCall, depth: Int = 1
    ) throws(ResolverError) -> String {
        try call.check(depth: depth)
        let properties = statement.properties
        var parts: [String]
        switch statement.kind {
        case .select: parts = try select(properties, &call, depth)
        case .insert:
            let values = try values(properties, .insert)
            parts = ["INSERT INTO \(try table(properties))"]
            try call.count(values.count)
            var bound: [String] = []
            for member in values { bound.append(try value(member.value, &call)) }
            let columns = values.map { dialect.quoted($0.key) }.joined(separator: ", ")
            parts.append("(\(columns)) VALUES (\(bound.joined(separator: ", ")))")
            parts += try returning(properties, &call)
        case .update:
            let values = try values(properties, .update)
            parts = ["UPDATE \(try table(properties))", "SET"]
            try call.count(values.count)
            var changes: [String] = []
            for member in values {
                changes.append("\(dialect.quoted(member.key)) = \(try value(member.value, &call))")
            }
            parts.append(changes.joined(separator: ", "))
            parts += try condition("WHERE", properties["where"], &call)
            parts += try returning(properties, &call)
        case .remove:
            parts = ["DELETE FROM \(try table(properties))"]
            parts += try condition("WHERE", properties["where"], &call)
            parts += try returning(properties, &call)
        }
        return Self.joined(parts)
    }

    /// What has no text leaves no blank, and none is at the end.
    private static func joined(_ parts: [String]) -> String {
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return end.map { String(text[...$0]) } ?? ""
    }

    private func values(_ properties: JSONObject, _ kind: RelationalStatement.Kind) throws(ResolverError) -> JSONObject
    {
        guard let given = properties["values"], !given.isNull else {
            throw .fault("values are expected to be passed to \(kind)")
        }
        guard let values = given.object else { throw .fault("Expected values to an Object.") }
        return values
    }

    private mutating func returning(
        _ properties: JSONObject, _ call: inout LibraryCall
    ) throws(ResolverError) -> [String] {
        guard let given = properties["returning"], !given.isNull, given.bool != false, given.string != "" else {
            return []
        }
        let columns = try columns(given, knowsAliases: false, &call)
        guard dialect == .postgres else { throw .fault("returning is not supported in MySQL.") }
        return ["RETURNING", columns]
    }

    // MARK: Names

    private func table(_ properties: JSONObject) throws(ResolverError) -> String {
        guard let table = properties["table"], !table.isNull else {
            throw .fault("'table' or 'from' key is required.")
        }
        return try name(of: table)
    }

    /// A table, or an object with the table as the value and its other name as the key.
    func name(of table: JSONValue) throws(ResolverError) -> String {
        if let name = table.string { return dialect.quoted(name) }
        guard let alias = table.object else { throw .fault("table name is expected to be a string or alias.") }
        let member = try Self.alias(alias)
        guard let name = member.value.string else { throw .fault("Table alias value is expected to be a string.") }
        return "\(dialect.quoted(name)) as \(dialect.quoted(member.key))"
    }

    static func alias(_ object: JSONObject) throws(ResolverError) -> JSONObject.Member {
        guard object.count <= 1 else { throw .fault("table alias is allowed only one key-value pair.") }
        guard let member = object.members.first else { throw .fault("java.util.NoSuchElementException") }
        return member
    }

    func text(of aggregate: SQLAggregate) -> String {
        "\(aggregate.name.uppercased())(\(aggregate.isDistinct ? "DISTINCT " : "")\(dialect.quoted(aggregate.column)))"
    }

    mutating func columns(
        _ given: JSONValue, knowsAliases: Bool, _ call: inout LibraryCall
    ) throws(ResolverError) -> String {
        if given.string == "*" { return "*" }
        guard let list = given.array else { throw .fault("Expected column to be * or an array.") }
        try call.count(list.count)
        var columns: [String] = []
        for element in list {
            if let column = element.string {
                columns.append(dialect.quoted(column))
            } else if knowsAliases, let text = try aliased(element, &call) {
                columns.append(text)
            } else {
                throw .fault("Invalid type in column array.")
            }
        }
        return columns.joined(separator: ", ")
    }

    /// `{total: agg.count("*")}`, `{other: "name"}`, an aggregate by itself, or SQL.
    private mutating func aliased(_ element: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> String? {
        if let aggregate = SQLAggregate(element) { return text(of: aggregate) }
        if let template = SQLTemplate(element, mark: mark) { return try text(of: template, &call) }
        guard let object = element.object, object.count == 1, let member = object.members.first else { return nil }
        let text: String
        if let name = member.value.string {
            text = dialect.quoted(name)
        } else if let aggregate = SQLAggregate(member.value) {
            text = self.text(of: aggregate)
        } else if let template = SQLTemplate(member.value, mark: mark) {
            text = try self.text(of: template, &call)
        } else {
            return nil
        }
        return "\(text) as \(dialect.quoted(member.key))"
    }
}
