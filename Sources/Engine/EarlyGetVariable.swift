import Blueprint
import GraphQL
import JSON

/// A variable of the early form, `$input: GetPostInput!`: each field of its value is a variable of its own in the document that
/// the schema knows.
struct EarlyGetVariable: Sendable {
    private struct Part: Sendable {
        let field: String
        let typeName: String
        /// Mostly the field's name.
        let variable: String
    }

    let name: String
    let typeName: String
    private let parts: [Part]

    init(name: String, typeName: String, key: [KeyPart], avoiding taken: inout Set<ByteText>) {
        self.name = name
        self.typeName = typeName
        parts = key.map { part in
            var variable = part.field
            while !taken.add(variable) { variable += "_" }
            return Part(field: part.field, typeName: part.typeName, variable: variable)
        }
    }

    /// What is declared in place of the variable, at its place.
    func definitions(in definition: VariableDefinition) -> [VariableDefinition] {
        let position = definition.variable.position
        return parts.map { part in
            var standard: Value?
            if case .object(let object)? = definition.defaultValue {
                standard = object.fields.last { $0.name.text == part.field }?.value
            }
            // A variable with a default value may not be of a type that is never null.
            let type = TypeReference(Name(part.typeName, at: position))
            return VariableDefinition(
                variable: Name(part.variable, at: position), type: standard == nil ? type.nonNull : type,
                defaultValue: standard)
        }
    }

    /// What a query has in place of `input: $input`.
    func arguments(at position: Position) -> [Argument] {
        parts.map { part in
            Argument(name: Name(part.field, at: position), value: .variable(Name(part.variable, at: position)))
        }
    }

    /// Returns whether an operation declares what stands for it.
    func isDeclared(by operation: OperationDefinition) -> Bool {
        operation.variableDefinitions.contains { $0.variable.text == parts.first?.variable }
    }

    /// Puts the fields of the value that a client sent in its place. Throws what AppSync's engine says of a value that does not
    /// fit the type.
    func expand(
        in values: inout JSONObject, of operation: OperationDefinition, in document: ExecutableDocument
    ) throws(GraphQLError) {
        let definitions = parts.compactMap { part in
            operation.variableDefinitions.first { $0.variable.text == part.variable }
        }
        let locations = [definitions.first.flatMap { document.lines.location(of: $0.position) }].compactMap(\.self)
        let sent = values[name]
        values[name] = nil
        for part in parts { values[part.variable] = nil }
        let hasDefault = definitions.contains { $0.defaultValue != nil }
        func missing(_ type: String) -> GraphQLError {
            GraphQLError(
                "Variable '\(name)' has coerced Null value for NonNull type '\(type)'", locations: locations)
        }
        guard let sent, !sent.isNull else {
            if hasDefault { return }
            throw missing("\(typeName)!")
        }
        guard case .object(let object) = sent else {
            throw GraphQLError(
                "Variable '\(name)' has an invalid value. Expected type 'Map' but was '\(JavaText.className(of: sent))'. "
                    + "Variables for input objects must be an instance of type 'Map'.", locations: locations)
        }
        for member in object.members where !parts.contains(where: { $0.field.utf8.elementsEqual(member.key.utf8) }) {
            // The space at the end is AppSync's.
            throw GraphQLError(
                "The variables input contains a field name '\(member.key)' that is not defined for input object type '\(typeName)' "
            )
        }
        for part in parts {
            guard let value = object[part.field], !value.isNull else { throw missing("\(part.typeName)!") }
            values.set(part.variable, to: value)
        }
    }
}
