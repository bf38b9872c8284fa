/// The arguments of a field or directive, or the fields of an input object, in their order and by name.
package final class InputTable: Sendable {
    package let values: [InputValue]
    /// Only where there are many; a few are compared one by one faster than hashed.
    private let places: NameTable?

    private static let scanMax = 8
    static let empty = InputTable([])

    init(_ values: [InputValue]) {
        self.values = values
        places = values.count <= Self.scanMax ? nil : NameTable(values.map(\.name))
    }

    package subscript(name: String) -> InputValue? {
        if let places { return places[name].map { values[$0] } }
        for value in values where value.name == name { return value }
        return nil
    }
}

/// An argument of a field or directive, or a field of an input object.
package final class InputValue: Sendable {
    package let name: String
    package let description: String?
    package let type: TypeUse
    /// What is taken when the value is not given, as the schema writes it.
    package let defaultValue: Value?
    /// True if there is one. Hot path: a question that copies no literal.
    let hasDefault: Bool
    /// Why it should not be used, if it should not.
    package let deprecationReason: String?
    /// The directives that are applied to it.
    package let directives: [Directive]

    init(
        name: String, description: String?, type: TypeUse, defaultValue: Value?, deprecationReason: String?,
        directives: [Directive]
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.defaultValue = defaultValue
        hasDefault = defaultValue != nil
        self.deprecationReason = deprecationReason
        self.directives = directives
    }

    /// True if a value must be given.
    package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// An input object type: named values that are given together. Specification: section 3.10.
package final class InputObjectType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    /// The directives that are applied to it.
    package let directives: [Directive]
    private let late: LateTable<InputTable>

    package var fields: InputTable { late.table }

    init(
        id: TypeID, name: String, description: String?, directives: [Directive],
        fields: @escaping @Sendable () -> InputTable
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.directives = directives
        late = LateTable(fields)
    }
}
