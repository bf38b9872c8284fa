/// A named type of a schema. Specification: section 3.4.
package enum NamedType: Sendable {
    case scalar(ScalarType)
    case object(ObjectType)
    case interface(InterfaceType)
    case union(UnionType)
    case `enum`(EnumType)
    case inputObject(InputObjectType)

    package var name: String {
        switch self {
        case .scalar(let type): type.name
        case .object(let type): type.name
        case .interface(let type): type.name
        case .union(let type): type.name
        case .enum(let type): type.name
        case .inputObject(let type): type.name
        }
    }

    package var id: TypeID {
        switch self {
        case .scalar(let type): type.id
        case .object(let type): type.id
        case .interface(let type): type.id
        case .union(let type): type.id
        case .enum(let type): type.id
        case .inputObject(let type): type.id
        }
    }

    package var description: String? {
        switch self {
        case .scalar(let type): type.description
        case .object(let type): type.description
        case .interface(let type): type.description
        case .union(let type): type.description
        case .enum(let type): type.description
        case .inputObject(let type): type.description
        }
    }

    /// True if a value of the type is written whole: a scalar or an enum.
    package var isLeaf: Bool {
        switch self {
        case .scalar, .enum: true
        default: false
        }
    }

    /// True if a selection set selects from it: an object type, an interface or a union.
    package var isComposite: Bool {
        switch self {
        case .object, .interface, .union: true
        default: false
        }
    }

    /// True if it may be the type of an argument: a scalar, an enum or an input object.
    package var isInput: Bool {
        switch self {
        case .scalar, .enum, .inputObject: true
        default: false
        }
    }

    /// The fields of an object type or interface.
    package var fields: FieldTable? {
        switch self {
        case .object(let type): type.fields
        case .interface(let type): type.fields
        default: nil
        }
    }
}

/// A named type, by its number in its schema.
package struct TypeID: Sendable, Hashable {
    package let index: Int

    init(_ index: Int) {
        self.index = index
    }
}

/// A type as a schema uses it: a named type in lists and non-null marks.
package struct TypeUse: Sendable, Hashable {
    package let named: TypeID
    package let wrapping: TypeWrapping

    package init(named: TypeID, wrapping: TypeWrapping = .none) {
        self.named = named
        self.wrapping = wrapping
    }

    package var isNonNull: Bool { wrapping.isNonNull }
    package var isList: Bool { wrapping.isList }
    /// The same type, but null is allowed.
    package var nullable: TypeUse { TypeUse(named: named, wrapping: wrapping.nullable) }
    /// What the outermost list holds.
    package var item: TypeUse { TypeUse(named: named, wrapping: wrapping.item) }
}
