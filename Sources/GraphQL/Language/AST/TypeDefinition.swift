/// The definition of a named type, or, in `Definition.typeExtension`, what is added to one. Specification: section 3.4.
package indirect enum TypeDefinition: Sendable, Hashable {
    case scalar(ScalarTypeDefinition)
    case object(ObjectTypeDefinition)
    case interface(InterfaceTypeDefinition)
    case union(UnionTypeDefinition)
    case `enum`(EnumTypeDefinition)
    case inputObject(InputObjectTypeDefinition)

    package var name: Name {
        switch self {
        case .scalar(let type): type.name
        case .object(let type): type.name
        case .interface(let type): type.name
        case .union(let type): type.name
        case .enum(let type): type.name
        case .inputObject(let type): type.name
        }
    }

    package var directives: [Directive] {
        switch self {
        case .scalar(let type): type.directives
        case .object(let type): type.directives
        case .interface(let type): type.directives
        case .union(let type): type.directives
        case .enum(let type): type.directives
        case .inputObject(let type): type.directives
        }
    }

    package var description: StringValue? {
        switch self {
        case .scalar(let type): type.description
        case .object(let type): type.description
        case .interface(let type): type.description
        case .union(let type): type.description
        case .enum(let type): type.description
        case .inputObject(let type): type.description
        }
    }

    /// Where its keyword stands.
    package var position: Position {
        switch self {
        case .scalar(let type): type.position
        case .object(let type): type.position
        case .interface(let type): type.position
        case .union(let type): type.position
        case .enum(let type): type.position
        case .inputObject(let type): type.position
        }
    }
}

/// `scalar Name @directive`
package struct ScalarTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, directives: [Directive] = [], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.position = position
    }
}

/// `type Name implements A & B @directive { field: Type }`
package struct ObjectTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var interfaces: [Name]
    package var directives: [Directive]
    package var fields: [FieldDefinition]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, interfaces: [Name] = [], directives: [Directive] = [],
        fields: [FieldDefinition] = [], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.interfaces = interfaces
        self.directives = directives
        self.fields = fields
        self.position = position
    }
}

/// `interface Name implements A & B @directive { field: Type }`
package struct InterfaceTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var interfaces: [Name]
    package var directives: [Directive]
    package var fields: [FieldDefinition]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, interfaces: [Name] = [], directives: [Directive] = [],
        fields: [FieldDefinition] = [], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.interfaces = interfaces
        self.directives = directives
        self.fields = fields
        self.position = position
    }
}

/// `union Name @directive = A | B`
package struct UnionTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    package var members: [Name]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, directives: [Directive] = [], members: [Name] = [],
        position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.members = members
        self.position = position
    }
}

/// `enum Name @directive { VALUE }`
package struct EnumTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    package var values: [EnumValueDefinition]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, directives: [Directive] = [],
        values: [EnumValueDefinition] = [], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.values = values
        self.position = position
    }
}

/// `input Name @directive { field: Type = value }`
package struct InputObjectTypeDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]
    package var fields: [InputValueDefinition]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, directives: [Directive] = [],
        fields: [InputValueDefinition] = [], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.fields = fields
        self.position = position
    }
}
