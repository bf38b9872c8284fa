import JSON

/// A mutation that was committed, as its subscribers see it.
package struct MutationEvent: Sendable, Equatable {
    /// The field of the mutation type, such as `createTodo`.
    package let mutationField: String
    /// The type of the result: of a list that of its elements; of an interface or a union its name.
    package let typeName: String
    /// The result after redaction, by names of fields, never by aliases, nested objects likewise: only what the mutation
    /// selected is there. An object whose place has an interface or a union for a type says its own in `__typename`.
    package let value: JSONValue
    /// Its place in the order of commits.
    package let sequence: UInt64

    package init(mutationField: String, typeName: String, value: JSONValue, sequence: UInt64) {
        self.mutationField = mutationField
        self.typeName = typeName
        self.value = value
        self.sequence = sequence
    }

    /// The result by the names of fields, which filters ask for; none where it is a text, a number or a list.
    package var fields: JSONObject { value.object ?? JSONObject() }
}
