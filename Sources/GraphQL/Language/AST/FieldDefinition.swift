/// A field of an object type or an interface: `name(argument: Type): Type @directive`. Specification: section 3.6.
package struct FieldDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var arguments: [InputValueDefinition]
    package var type: TypeReference
    package var directives: [Directive]

    package init(
        description: StringValue? = nil, name: Name, arguments: [InputValueDefinition] = [], type: TypeReference,
        directives: [Directive] = []
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.type = type
        self.directives = directives
    }

    package var position: Position { name.position }
}

/// An argument of a field or directive, or a field of an input object: `name: Type = value @directive`.
package struct InputValueDefinition: Sendable, Hashable {
    package var name: Name
    package var type: TypeReference
    private var details: InputDetails?

    package init(
        description: StringValue? = nil, name: Name, type: TypeReference, defaultValue: Value? = nil,
        directives: [Directive] = []
    ) {
        self.name = name
        self.type = type
        details = .of(description: description, defaultValue: defaultValue, directives: directives)
    }

    /// True if it says nothing but a name and a type.
    package var isPlain: Bool { details == nil }

    package var description: StringValue? {
        get { details?.description }
        set { details = .of(description: newValue, defaultValue: defaultValue, directives: directives) }
    }

    package var defaultValue: Value? {
        get { details?.defaultValue }
        set { details = .of(description: description, defaultValue: newValue, directives: directives) }
    }

    package var directives: [Directive] {
        get { details?.directives ?? [] }
        set { details = .of(description: description, defaultValue: defaultValue, directives: newValue) }
    }

    package var position: Position { name.position }
}

/// A value of an enum: `NAME @directive`.
package struct EnumValueDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var directives: [Directive]

    package init(description: StringValue? = nil, name: Name, directives: [Directive] = []) {
        self.description = description
        self.name = name
        self.directives = directives
    }

    package var position: Position { name.position }
}
