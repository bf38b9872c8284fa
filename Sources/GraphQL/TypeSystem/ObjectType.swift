/// An object type: named fields, each with a type of its own. Specification: section 3.6.
package final class ObjectType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    package let interfaces: [TypeID]
    /// The directives that are applied to it.
    package let directives: [Directive]
    private let late: LateTable<FieldTable>
    private let names: @Sendable () -> [String]

    package var fields: FieldTable { late.table }
    /// The names of the fields, in their order. Makes no fields.
    package var fieldNames: [String] { names() }

    init(
        id: TypeID, name: String, description: String?, interfaces: [TypeID], directives: [Directive],
        names: @escaping @Sendable () -> [String], fields: @escaping @Sendable () -> FieldTable
    ) {
        self.names = names
        self.id = id
        self.name = name
        self.description = description
        self.interfaces = interfaces
        self.directives = directives
        late = LateTable(fields)
    }
}

/// An interface: fields that several object types have. Specification: section 3.7.
package final class InterfaceType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    package let interfaces: [TypeID]
    /// The directives that are applied to it.
    package let directives: [Directive]
    private let late: LateTable<FieldTable>

    package var fields: FieldTable { late.table }

    init(
        id: TypeID, name: String, description: String?, interfaces: [TypeID], directives: [Directive],
        fields: @escaping @Sendable () -> FieldTable
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.interfaces = interfaces
        self.directives = directives
        late = LateTable(fields)
    }
}

/// A union: one of several object types. Specification: section 3.8.
package final class UnionType: Sendable {
    package let id: TypeID
    package let name: String
    package let description: String?
    package let members: [TypeID]
    /// The directives that are applied to it.
    package let directives: [Directive]

    init(id: TypeID, name: String, description: String?, members: [TypeID], directives: [Directive]) {
        self.id = id
        self.name = name
        self.description = description
        self.members = members
        self.directives = directives
    }
}
