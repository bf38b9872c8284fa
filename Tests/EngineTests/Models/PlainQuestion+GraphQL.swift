import JSON
import TestSupport

/// The question as a client writes it.
extension PlainQuestion {
    /// A document and its variables for one page. Filters are sent as a variable or written out.
    func document(
        selecting fields: [String], token: String?, _ schema: PlainSchema, using random: inout SeededRandom
    ) -> (query: String, variables: JSONObject) {
        var variables = JSONObject()
        var declared: [String] = []
        var arguments: [String] = []
        if let filter {
            if Bool.random(using: &random) {
                variables["f"] = filter
                declared.append("$f: ModelThingFilterInput")
                arguments.append("filter: $f")
            } else {
                arguments.append("filter: \(Self.literal(filter: filter, schema))")
            }
        }
        if let limit { arguments.append("limit: \(limit)") }
        if let token {
            variables["t"] = .string(token)
            declared.append("$t: String")
            arguments.append("nextToken: $t")
        }
        if let isDescending { arguments.append("sortDirection: \(isDescending ? "DESC" : "ASC")") }
        let items = "items { \(fields.joined(separator: " ")) }"
        let selection = Bool.random(using: &random) ? "\(items) nextToken" : "nextToken \(items)"
        var text: String
        switch source {
        case .all: text = "page: listThings"
        case .key(let key, let partition):
            let kind = schema.field(key.partition)?.kind
            arguments.append("\(key.partition): \(Self.literal(partition, isEnum: kind == .mood))")
            if let condition { arguments.append(Self.literal(condition: condition, key, schema)) }
            text = "page: \(key.query)"
        case .relation(let key, _):
            if let condition { arguments.append(Self.literal(condition: condition, key, schema)) }
            text = "page: things"
        }
        if !arguments.isEmpty { text += "(\(arguments.joined(separator: ", ")))" }
        text += " { \(selection) }"
        if case .relation(_, let home) = source {
            text = "home: getHome(id: \(Self.literal(.string(home)))) { \(text) }"
        }
        let head = declared.isEmpty ? "" : "query (\(declared.joined(separator: ", "))) "
        return ("\(head){ \(text) }", variables)
    }

    private static func literal(_ value: JSONValue, isEnum: Bool = false) -> String {
        switch value {
        case .string(let text): isEnum ? text : value.text
        case .array(let elements): "[\(elements.map { literal($0, isEnum: isEnum) }.joined(separator: ", "))]"
        case .object(let object):
            "{\(object.members.map { "\($0.key): \(literal($0.value, isEnum: isEnum))" }.joined(separator: ", "))}"
        default: value.text
        }
    }

    private static func literal(filter: JSONValue, _ schema: PlainSchema) -> String {
        if let parts = filter.array { return "[\(parts.map { literal(filter: $0, schema) }.joined(separator: ", "))]" }
        let members = filter.object?.members.map { member -> String in
            guard let field = schema.field(member.key) else {
                return "\(member.key): \(literal(filter: member.value, schema))"
            }
            let operators = member.value.object?.members.map { entry in
                let isEnum = entry.key == "attributeType" || (field.kind == .mood && entry.key != "size")
                return "\(entry.key): \(literal(entry.value, isEnum: isEnum))"
            }
            return "\(member.key): {\((operators ?? []).joined(separator: ", "))}"
        }
        return "{\((members ?? []).joined(separator: ", "))}"
    }

    private static func literal(
        condition: JSONValue, _ key: PlainSchema.Key, _ schema: PlainSchema
    ) -> String {
        func operand(_ value: JSONValue) -> String {
            guard let object = value.object else { return literal(value) }
            let members = object.members.map { member in
                "\(member.key): \(literal(member.value, isEnum: schema.field(member.key)?.kind == .mood))"
            }
            return "{\(members.joined(separator: ", "))}"
        }
        let operators = condition.object?.members.map { member in
            let text =
                member.value.array.map { "[\($0.map(operand).joined(separator: ", "))]" } ?? operand(member.value)
            return "\(member.key): \(text)"
        }
        return "\(key.sortArgument): {\((operators ?? []).joined(separator: ", "))}"
    }
}
