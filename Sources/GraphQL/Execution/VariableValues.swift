import JSON

/// The values that the variables of an operation have in a request, each one of its type.
package struct VariableValues: Sendable, Equatable {
    /// The values by name, in the order of the definitions. A variable without value and default is not among them.
    package let values: JSONObject

    package static let none = VariableValues(JSONObject())

    package init(_ values: JSONObject) {
        self.values = values
    }

    package subscript(name: String) -> JSONValue? { values[name] }

    /// Returns whether a variable is true, as the conditions of directives ask.
    package func isTrue(_ name: String) -> Bool { values[name]?.bool ?? false }
}
