import JSON

/// An enum: one of several names. Specification: section 3.9.
package final class EnumType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    package let values: [EnumValue]
    private let names: ByteTextSet
    /// The directives that are applied to it.
    package let directives: [Directive]

    init(id: TypeID, name: String, description: String?, values: [EnumValue], directives: [Directive]) {
        self.id = id
        self.name = name
        self.description = description
        self.values = values
        names = ByteTextSet(values.map(\.name))
        self.directives = directives
    }

    /// Returns whether it has a value of that name.
    package func contains(_ name: String) -> Bool { names.contains(name) }

    /// The same of a name's bytes.
    package func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains(name) }
}

/// One of the names of an enum.
package struct EnumValue: Sendable {
    package let name: String
    package let description: String?
    /// Why it should not be used, if it should not.
    package let deprecationReason: String?
    /// The directives that are applied to it.
    package let directives: [Directive]
}
