/// The fields of an object type or interface, in their order and by name.
package final class FieldTable: Sendable {
    package let fields: [SchemaField]
    /// Only where there are many; a few are compared one by one faster than hashed.
    private let places: NameTable?

    private static let scanMax = 4

    init(_ fields: [SchemaField]) {
        self.fields = fields
        places = fields.count <= Self.scanMax ? nil : NameTable(fields.map(\.name))
    }

    package subscript(name: String) -> SchemaField? {
        guard let places else { return fields.first { $0.name == name } }
        return places[name].map { fields[$0] }
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
