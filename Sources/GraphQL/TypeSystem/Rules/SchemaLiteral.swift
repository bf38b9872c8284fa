/// Checks a value that a schema writes against the type of its place.
enum SchemaLiteral {
    static func check(
        _ value: Value, _ type: TypeReference, _ document: SchemaDocument, _ report: inout SchemaReport
    ) {
        if type.wrapping.isNonNull {
            if case .null = value {
                return report.add("Expected value of type \"\(type)\", found null.", at: value.position)
            }
            return check(value, TypeReference(type.name, wrapping: type.wrapping.nullable), document, &report)
        }
        if case .null = value { return }
        if type.wrapping.isList {
            let item = TypeReference(type.name, wrapping: type.wrapping.item)
            guard case .list(let list) = value else { return check(value, item, document, &report) }
            for value in list.values { check(value, item, document, &report) }
            return
        }
        switch document.type(named: type.name.text) {
        case .enum(let type): check(value, type, &report)
        case .inputObject(let type): check(value, type, document, &report)
        case .scalar(let type):
            if let message = refusal(of: value, type.name.text) { report.add(message, at: value.position) }
        default: break
        }
    }

    private static func check(_ value: Value, _ type: EnumTypeDefinition, _ report: inout SchemaReport) {
        let names = type.values.map(\.name.text)
        guard case .enum(let name) = value else {
            let text = value.printed
            report.add("Enum \"\(type.name)\" cannot represent non-enum value: \(text).", at: value.position)
            return
        }
        guard !names.contains(name.text) else { return }
        report.add(
            "Value \"\(name)\" does not exist in \"\(type.name)\" enum."
                + report.suggestion(for: name.text, of: names, kind: "the enum value"), at: value.position)
    }

    private static func check(
        _ value: Value, _ type: InputObjectTypeDefinition, _ document: SchemaDocument, _ report: inout SchemaReport
    ) {
        guard case .object(let object) = value else {
            return report.add(
                "Expected value of type \"\(type.name)\", found \(value.printed).", at: value.position)
        }
        var seen: [String: Position] = [:]
        for field in object.fields {
            if let first = seen[field.name.text] {
                report.add("There can be only one input field named \"\(field.name)\".", at: first, field.position)
            } else {
                seen[field.name.text] = field.position
            }
            guard let definition = type.fields.first(where: { $0.name.text == field.name.text }) else {
                report.add(
                    "Field \"\(field.name)\" is not defined by type \"\(type.name)\"."
                        + report.suggestion(for: field.name.text, of: type.fields.map(\.name.text)), at: field.position)
                continue
            }
            check(field.value, definition.type, document, &report)
        }
        for field in type.fields
        where field.type.wrapping.isNonNull && field.defaultValue == nil && seen[field.name.text] == nil {
            report.add(
                "Field \"\(type.name).\(field.name)\" of required type \"\(field.type)\" was not provided.",
                at: value.position)
        }
    }

    /// Why a literal is none of a built-in scalar; other scalars take any.
    private static func refusal(of value: Value, _ scalar: String) -> String? {
        switch (scalar, value) {
        case ("String", .string), ("Boolean", .boolean), ("Float", .int), ("Float", .float), ("ID", .string),
            ("ID", .int):
            return nil
        case ("String", _): return "String cannot represent a non string value: \(value.printed)"
        case ("Boolean", _): return "Boolean cannot represent a non boolean value: \(value.printed)"
        case ("Float", _): return "Float cannot represent non numeric value: \(value.printed)"
        case ("ID", _): return "ID cannot represent a non-string and non-integer value: \(value.printed)"
        case ("Int", .int(let number)):
            return Int32(number.text) != nil
                ? nil : "Int cannot represent non 32-bit signed integer value: \(number.text)"
        case ("Int", _): return "Int cannot represent non-integer value: \(value.printed)"
        default: return nil
        }
    }
}
