import JSON

/// Makes the values that a client sent into values of the types that an operation declares, with AppSync's leniency.
/// Specification: section 6.1.2, CoerceVariableValues().
///
/// It stops at the first value that does not fit; the error points at the definition of the variable.
package enum CoerceVariableValues {
    /// What the operation will see. Values without a definition are left out.
    package static func values(
        of operation: OperationDefinition, from sent: JSONObject, in document: ExecutableDocument
    ) throws(GraphQLError) -> VariableValues {
        var values = JSONObject()
        for definition in operation.variableDefinitions {
            let coercion = VariableCoercion(variable: definition.variable, document: document)
            if let value = try coercion.value(sent[definition.variable.text], of: definition) {
                values.set(definition.variable.text, to: value)
            }
        }
        return VariableValues(values)
    }
}

/// The coercion of one variable.
private struct VariableCoercion {
    let variable: Name
    let document: ExecutableDocument
    private var schema: Schema { document.schema }

    private var locations: [SourceLocation] { [document.lines.location(of: variable.position)].compactMap(\.self) }

    /// The value of the variable, or nil when it has none.
    func value(_ sent: JSONValue?, of definition: VariableDefinition) throws(GraphQLError) -> JSONValue? {
        guard let type = schema.typeUse(definition.type) else { return nil }
        if let defaultValue = definition.defaultValue, sent?.isNull ?? true {
            // A null counts as nothing where there is a default: a fact of AppSync's engine.
            return ValueTemplate(defaultValue, type, schema).value(.none)
        }
        guard let sent else {
            if type.isNonNull { throw missing(type) }
            return nil
        }
        return try coerce(sent, type, name: variable.text)
    }

    /// `name` is the nearest name: of the variable, or of the input field that holds the value.
    private func coerce(_ value: JSONValue, _ type: TypeUse, name: String) throws(GraphQLError) -> JSONValue {
        if value.isNull {
            if type.isNonNull { throw missing(type) }
            return .null
        }
        let type = type.nullable
        if type.isList {
            guard case .array(let elements) = value else { return .array([try coerce(value, type.item, name: name)]) }
            var items: [JSONValue] = []
            items.reserveCapacity(elements.count)
            for element in elements { items.append(try coerce(element, type.item, name: name)) }
            return .array(items)
        }
        switch schema[type.named] {
        case .scalar(let scalar):
            do {
                return try scalar.coercion.parseValue(value)
            } catch {
                throw invalid(name, error.message)
            }
        case .enum(let type):
            let text = JavaText.text(of: value)
            guard type.contains(text) else {
                throw invalid(name, "Invalid input for Enum '\(type.name)'. No value found for name '\(text)'")
            }
            return .string(text)
        case .inputObject(let input):
            guard case .object(let object) = value else {
                throw invalid(
                    name,
                    "Expected type 'Map' but was '\(JavaText.className(of: value))'. Variables for input objects must be an instance of type 'Map'."
                )
            }
            return .object(try coerce(object, input))
        case .object, .interface, .union: return value
        }
    }

    private func coerce(_ object: JSONObject, _ type: InputObjectType) throws(GraphQLError) -> JSONObject {
        let fields = type.fields
        for member in object.members where fields[member.key] == nil {
            // The space at the end is AppSync's.
            throw GraphQLError(
                "The variables input contains a field name '\(member.key)' that is not defined for input object type '\(type.name)' "
            )
        }
        // Hot path: fields have a name each, so no member is looked for before it is put.
        var values: [JSONObject.Member] = []
        values.reserveCapacity(object.count)
        for field in fields.values {
            let sent = object[field.name]
            if let defaultValue = field.defaultValue, sent == nil || sent?.isNull == true && !field.type.isNonNull {
                if let value = ValueTemplate(defaultValue, field.type, schema).value(.none) {
                    values.append(JSONObject.Member(key: field.name, value: value))
                }
            } else if let sent {
                let value = try coerce(sent, field.type, name: field.name)
                values.append(JSONObject.Member(key: field.name, value: value))
            } else if field.type.isNonNull {
                throw missing(field.type)
            }
        }
        return JSONObject(distinct: values)
    }

    /// The text names the variable, but the type of the place inside it: a fact of AppSync's engine.
    private func missing(_ type: TypeUse) -> GraphQLError {
        GraphQLError(
            "Variable '\(variable)' has coerced Null value for NonNull type '\(schema.text(of: type))'",
            locations: locations)
    }

    private func invalid(_ name: String, _ message: String) -> GraphQLError {
        GraphQLError("Variable '\(name)' has an invalid value. \(message)", locations: locations)
    }
}
