import JSON

/// A literal of a document, coerced to its type as far as that goes without the values of variables: work done once for
/// a document, not for each request. Specification: section 6.4.1.
package indirect enum ValueTemplate: Sendable {
    /// A value that is the same for every request.
    case constant(JSONValue)
    case variable(String)
    case list([ValueTemplate])
    /// The fields in the order of their type. A field whose variable has no value is left out, or takes its default.
    case object([(name: String, template: ValueTemplate, defaultValue: JSONValue?)])

    /// Coerces a literal that was found valid for the type.
    package init(_ literal: Value, _ type: TypeUse, _ schema: Schema) {
        switch literal {
        case .variable(let name):
            self = .variable(name.text)
            return
        case .null:
            self = .constant(.null)
            return
        default: break
        }
        let type = type.nullable
        if type.isList {
            guard case .list(let list) = literal else {
                self = Self.list(of: [ValueTemplate(literal, type.item, schema)])
                return
            }
            self = Self.list(of: list.values.map { ValueTemplate($0, type.item, schema) })
            return
        }
        switch schema[type.named] {
        case .scalar(let scalar): self = .constant(Self.value(of: literal, scalar))
        case .inputObject(let input): self = Self.object(of: literal, input, schema)
        case .enum, .object, .interface, .union: self = .constant(literal.constant ?? .null)
        }
    }

    private static func value(of literal: Value, _ scalar: ScalarType) -> JSONValue {
        do {
            return try scalar.coercion.parseLiteral(literal)
        } catch {
            // Validation has refused such a literal.
            return .null
        }
    }

    private static func list(of templates: [ValueTemplate]) -> ValueTemplate {
        var values: [JSONValue] = []
        for template in templates {
            guard case .constant(let value) = template else { return .list(templates) }
            values.append(value)
        }
        return .constant(.array(values))
    }

    private static func object(of literal: Value, _ type: InputObjectType, _ schema: Schema) -> ValueTemplate {
        guard case .object(let object) = literal else { return .constant(.null) }
        var fields: [(name: String, template: ValueTemplate, defaultValue: JSONValue?)] = []
        var isConstant = true
        for definition in type.fields.values {
            let written = object.fields.last { $0.name.text == definition.name }
            let defaultValue = definition.defaultValue.flatMap {
                ValueTemplate($0, definition.type, schema).value(.none)
            }
            if let written {
                let template = ValueTemplate(written.value, definition.type, schema)
                if case .constant = template {} else { isConstant = false }
                fields.append((definition.name, template, defaultValue))
            } else if let defaultValue {
                fields.append((definition.name, .constant(defaultValue), nil))
            }
        }
        let template = ValueTemplate.object(fields)
        return isConstant ? .constant(template.value(.none) ?? .null) : template
    }

    /// The value with those variables, or nil when it is a variable that has none.
    package func value(_ variables: VariableValues) -> JSONValue? {
        switch self {
        case .constant(let value): return value
        case .variable(let name): return variables[name]
        case .list(let templates): return .array(templates.map { $0.value(variables) ?? .null })
        case .object(let fields):
            var values = JSONObject()
            for field in fields {
                if let value = field.template.value(variables) ?? field.defaultValue {
                    values.set(field.name, to: value)
                }
            }
            return .object(values)
        }
    }

    /// True if it is the same for every request.
    package var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}
