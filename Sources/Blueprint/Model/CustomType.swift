import GraphQL

/// A declared type that is no model.
package struct CustomType: Sendable {
    package enum Kind: Sendable, Hashable {
        /// An object: stored inside records, or returned by a custom operation; root types too.
        case object
        case interface
        case union
        case enumeration
        case input
        case scalar
    }

    package let kind: Kind
    package let name: String
    package let description: String?
    /// The fields of an object or interface.
    package let fields: [ModelField]
    /// The fields of an input.
    package let inputFields: [InputValueDefinition]
    /// The values of an enumeration.
    package let values: [EnumValueDefinition]
    /// The members of a union.
    package let members: [String]
    /// The interfaces of an object or interface.
    package let interfaces: [String]
    /// The directives that reach AppSync.
    package let directives: [Directive]
    package let position: Position

    package init(
        kind: Kind, name: String, description: String? = nil, fields: [ModelField] = [],
        inputFields: [InputValueDefinition] = [], values: [EnumValueDefinition] = [], members: [String] = [],
        interfaces: [String] = [], directives: [Directive] = [], position: Position = .none
    ) {
        self.kind = kind
        self.name = name
        self.description = description
        self.fields = fields
        self.inputFields = inputFields
        self.values = values
        self.members = members
        self.interfaces = interfaces
        self.directives = directives
        self.position = position
    }
}
