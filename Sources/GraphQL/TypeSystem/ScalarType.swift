import JSON

/// A scalar: a value without parts, and how it is read and written. Specification: section 3.5.
package final class ScalarType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    package let specifiedByURL: String?
    package let coercion: ScalarCoercion
    /// The directives that are applied to it.
    package let directives: [Directive]

    init(
        id: TypeID, name: String, description: String?, specifiedByURL: String?, coercion: ScalarCoercion,
        directives: [Directive]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.specifiedByURL = specifiedByURL
        self.coercion = coercion
        self.directives = directives
    }
}

/// How values of a scalar go in and out. Each function refuses what is not such a value.
package struct ScalarCoercion: Sendable {
    /// A value that a client sent in a variable.
    package let parseValue: @Sendable (JSONValue) throws(ScalarError) -> JSONValue
    /// A value that stands in a document.
    package let parseLiteral: @Sendable (Value) throws(ScalarError) -> JSONValue
    /// A value that goes into a response.
    package let serialize: @Sendable (JSONValue) throws(ScalarError) -> JSONValue
    /// True if a text goes into a response as it is; nil where every text does, or none.
    package let allowsText: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

    package init(
        parseValue: @escaping @Sendable (JSONValue) throws(ScalarError) -> JSONValue,
        parseLiteral: @escaping @Sendable (Value) throws(ScalarError) -> JSONValue,
        serialize: @escaping @Sendable (JSONValue) throws(ScalarError) -> JSONValue,
        allowsText: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
    ) {
        self.parseValue = parseValue
        self.parseLiteral = parseLiteral
        self.serialize = serialize
        self.allowsText = allowsText
    }
}

/// Why a value is not one of a scalar: a sentence in the words of AppSync.
package struct ScalarError: Error, Sendable, Hashable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
