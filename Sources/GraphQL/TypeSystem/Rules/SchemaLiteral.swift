/// Checks a value that a schema writes against the type of its place.
enum SchemaLiteral {
    static func check(
        _ value: Value, _ type: TypeReference, _ document: SchemaDocument, _ report: inout SchemaReport
    ) {
        switch value {
        case .null:
            if type.wrapping.isNonNull {
                report.add("Expected value of type \"\(type)\", found null.", at: value.position)
            }
        case .list(let list) where type.wrapping.isList:
            let item = TypeReference(type.name, wrapping: type.wrapping.item)
            for value in list.values { check(value, item, document, &report) }
        default:
            switch document.type(named: type.name.text) {
            case .enum(let type): check(value, type, &report)
            case .inputObject(let input): check(value, input, at: type, document, &report)
            case .scalar(let type):
                if let message = refusal(of: value, type.name.text) { report.add(message, at: value.position) }
            default: break
            }
        }
    }

    private static func check(_ value: Value, _ type: EnumTypeDefinition, _ report: inout SchemaReport) {
        let names = type.values.map(\.name.text)
        let text: String
        let problem: String
        if case .enum(let name) = value {
            guard !names.contains(name.text) else { return }
            text = name.text
            problem = "Value \"\(name)\" does not exist in \"\(type.name)\" enum."
        } else {
            text = value.printed
            problem = "Enum \"\(type.name)\" cannot represent non-enum value: \(text)."
        }
        let suggestion = report.suggestion(for: text, of: names, kind: "the enum value")
        report.add(problem + suggestion, at: value.position)
    }

    private static func check(
        _ value: Value, _ input: InputObjectTypeDefinition, at type: TypeReference, _ document: SchemaDocument,
        _ report: inout SchemaReport
    ) {
        guard case .object(let object) = value else {
            return report.add("Expected value of type \"\(type)\", found \(value.printed).", at: value.position)
        }
        for field in input.fields
        where field.type.wrapping.isNonNull && field.defaultValue == nil
            && !object.fields.contains(where: { $0.name.text == field.name.text })
        {
            report.add(
                "Field \"\(input.name).\(field.name)\" of required type \"\(field.type)\" was not provided.",
                at: value.position)
        }
        for field in object.fields {
            guard let definition = input.fields.first(where: { $0.name.text == field.name.text }) else {
                let suggestion = report.suggestion(for: field.name.text, of: input.fields.map(\.name.text))
                report.add(
                    "Field \"\(field.name)\" is not defined by type \"\(input.name)\".\(suggestion)",
                    at: field.position)
                continue
            }
            check(field.value, definition.type, document, &report)
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
