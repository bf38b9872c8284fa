import JSON

/// The arguments of a field or directive, coerced as far as that goes without the values of variables.
/// Specification: section 6.4.1, CoerceArgumentValues().
///
/// An argument that is written with a variable without value is there and null, unless it has a default: a fact of
/// AppSync's engine, and why `filter: {owner: {eq: $unset}}` and `owner: $unset` are not the same.
package struct ArgumentTemplate: Sendable {
    private struct Entry: Sendable {
        let name: String
        let template: ValueTemplate
        /// What stands for a variable without value.
        let fallback: JSONValue
    }

    private let entries: [Entry]
    /// The values themselves when no variable is among them.
    private let constant: JSONObject?

    package init(_ arguments: [Argument], of definitions: InputTable, in schema: Schema) {
        var entries: [Entry] = []
        for definition in definitions.values {
            let defaultValue = definition.defaultValue.flatMap {
                ValueTemplate($0, definition.type, schema).value(.none)
            }
            if let argument = arguments.last(where: { $0.name.text == definition.name }) {
                entries.append(
                    Entry(
                        name: definition.name, template: ValueTemplate(argument.value, definition.type, schema),
                        fallback: defaultValue ?? .null))
            } else if let defaultValue {
                entries.append(Entry(name: definition.name, template: .constant(defaultValue), fallback: .null))
            }
        }
        self.entries = entries
        constant =
            entries.allSatisfy(\.template.isConstant)
            ? JSONObject(entries.map { ($0.name, $0.template.value(.none) ?? .null) }) : nil
    }

    /// The arguments by name, in the order in which the schema defines them.
    package func values(_ variables: VariableValues) -> JSONObject {
        if let constant { return constant }
        return JSONObject(
            distinct: entries.map { entry in
                JSONObject.Member(key: entry.name, value: entry.template.value(variables) ?? entry.fallback)
            })
    }

    /// One of them. Hot path: whoever needs few has no object made.
    package func value(of name: String, _ variables: VariableValues) -> JSONValue? {
        if let constant { return constant[name] }
        for entry in entries where ByteText(entry.name) == ByteText(name) {
            return entry.template.value(variables) ?? entry.fallback
        }
        return nil
    }
}
