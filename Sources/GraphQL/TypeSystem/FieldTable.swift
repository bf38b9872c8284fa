/// The fields of an object type or interface, in their order and by name.
package struct FieldTable: Sendable {
    package let fields: [SchemaField]
    private let places: [String: Int]

    init(_ fields: [SchemaField]) {
        self.fields = fields
        places = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(name: String) -> SchemaField? {
        places[name].map { fields[$0] }
    }
}

/// A field of an object type or interface.
package final class SchemaField: Sendable {
    package let name: String
    package let description: String?
    package let arguments: InputTable
    package let type: TypeUse
    /// Why it should not be used, if it should not.
    package let deprecationReason: String?
    /// The directives that are applied to it.
    package let directives: [Directive]

    init(
        name: String, description: String?, arguments: InputTable, type: TypeUse, deprecationReason: String?,
        directives: [Directive]
    ) {
        self.name = name
        self.description = description
        self.arguments = arguments
        self.type = type
        self.deprecationReason = deprecationReason
        self.directives = directives
    }
}
