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
        try VariableTable(of: operation, in: document).values(from: sent)
    }
}

/// The variables of an operation, with what coercing their values asks of the schema again and again worked out once.
package final class VariableTable: Sendable {
    private struct Entry: Sendable {
        let coercion: VariableCoercion
        /// Nil where the schema has no such type.
        let type: TypeUse?
        /// Its default, where the operation has one.
        let standard: Standard?
    }

    private struct Standard: Sendable {
        let value: JSONValue?
    }

    private let entries: [Entry]

    /// The names are those of a valid operation: each is there once.
    package init(of operation: OperationDefinition, in document: ExecutableDocument) {
        let schema = document.schema
        entries = operation.variableDefinitions.map { definition in
            let type = schema.typeUse(definition.type)
            let standard = type.flatMap { type in
                definition.defaultValue.map { Standard(value: ValueTemplate($0, type, schema).value(.none)) }
            }
            return Entry(
                coercion: VariableCoercion(variable: definition.variable, document: document), type: type,
                standard: standard)
        }
    }

    /// The values that the operation will see of those that a client sent. Values without a definition are left out.
    ///
    /// Hot path: each request with variables.
    package func values(from sent: JSONObject) throws(GraphQLError) -> VariableValues {
        var values: [JSONObject.Member] = []
        values.reserveCapacity(entries.count)
        var place = 0
        for entry in entries {
            guard let type = entry.type else { continue }
            let name = entry.coercion.variable.text
            let value = sent.value(of: name, near: &place)
            if let standard = entry.standard, value?.isNull ?? true {
                // A null counts as nothing where there is a default: a fact of AppSync's engine.
                if let value = standard.value { values.append(JSONObject.Member(key: name, value: value)) }
            } else if let value = try entry.coercion.value(value, type) {
                values.append(JSONObject.Member(key: name, value: value))
            }
        }
        return VariableValues(JSONObject(distinct: values))
    }
}

/// The coercion of one variable.
private struct VariableCoercion: Sendable {
    let variable: Name
    let document: ExecutableDocument
    private var schema: Schema { document.schema }

    private var locations: [SourceLocation] { [document.lines.location(of: variable.position)].compactMap(\.self) }

    /// The value of the variable, or nil when it has none.
    func value(_ sent: JSONValue?, _ type: TypeUse) throws(GraphQLError) -> JSONValue? {
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
        // Hot path: fields have a name each, so no member is looked for before it is put.
        var values: [JSONObject.Member] = []
        values.reserveCapacity(object.count)
        var (known, place) = (0, 0)
        do throws(GraphQLError) {
            for field in fields.values {
                let sent = object.value(of: field.name, near: &place)
                if sent != nil { known += 1 }
                if field.hasDefault, sent == nil || sent?.isNull == true && !field.type.isNonNull {
                    let standard = field.defaultValue.flatMap { ValueTemplate($0, field.type, schema).value(.none) }
                    if let standard { values.append(JSONObject.Member(key: field.name, value: standard)) }
                } else if let sent {
                    let value = try coerce(sent, field.type, name: field.name)
                    values.append(JSONObject.Member(key: field.name, value: value))
                } else if field.type.isNonNull {
                    throw missing(field.type)
                }
            }
        } catch {
            // A name that the type does not have comes before all else that is wrong.
            try checkNames(object, type)
            throw error
        }
        if known < object.count { try checkNames(object, type) }
        return JSONObject(distinct: values)
    }

    private func checkNames(_ object: JSONObject, _ type: InputObjectType) throws(GraphQLError) {
        let fields = type.fields
        for member in object.members where fields[member.key] == nil {
            // The space at the end is AppSync's.
            throw GraphQLError(
                "The variables input contains a field name '\(member.key)' that is not defined for input object type '\(type.name)' "
            )
        }
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
