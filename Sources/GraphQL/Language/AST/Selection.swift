/// One thing that a selection set asks for. Specification: section 2.4.
package enum Selection: Sendable, Hashable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    // In a box, so that the many fields do not take the room of the few inline fragments.
    indirect case inlineFragment(InlineFragment)

    package var directives: [Directive] {
        switch self {
        case .field(let field): field.directives
        case .fragmentSpread(let spread): spread.directives
        case .inlineFragment(let fragment): fragment.directives
        }
    }

    package var position: Position {
        switch self {
        case .field(let field): field.position
        case .fragmentSpread(let spread): spread.position
        case .inlineFragment(let fragment): fragment.position
        }
    }
}

/// A field in a selection set: `alias: name(argument: value) @directive { … }`.
///
/// Most fields are a bare name, so the rest is kept apart: a selection is a third of the size, and quick to make,
/// to move and to release.
package struct Field: Sendable, Hashable {
    package var name: Name
    private var details: Details

    /// What a field may have beside its name.
    private enum Details: Sendable, Hashable {
        case none
        case selectionSet([Selection])
        indirect case parts(Parts)
    }

    private struct Parts: Sendable, Hashable {
        var alias: Name?
        var arguments: [Argument] = []
        var directives: [Directive] = []
        var selectionSet: [Selection] = []
    }

    /// A name with nothing behind it but perhaps a selection set.
    @inline(__always)
    package init(name: Name, selectionSet: [Selection] = []) {
        self.name = name
        details = selectionSet.isEmpty ? .none : .selectionSet(selectionSet)
    }

    package init(
        alias: Name? = nil, name: Name, arguments: [Argument] = [], directives: [Directive] = [],
        selectionSet: [Selection] = []
    ) {
        self.name = name
        details = .none
        parts = Parts(alias: alias, arguments: arguments, directives: directives, selectionSet: selectionSet)
    }

    private var parts: Parts {
        get {
            switch details {
            case .none: Parts()
            case .selectionSet(let selections): Parts(selectionSet: selections)
            case .parts(let parts): parts
            }
        }
        set {
            if newValue.alias == nil, newValue.arguments.isEmpty, newValue.directives.isEmpty {
                details = newValue.selectionSet.isEmpty ? .none : .selectionSet(newValue.selectionSet)
            } else {
                details = .parts(newValue)
            }
        }
    }

    package var alias: Name? {
        get { if case .parts(let parts) = details { parts.alias } else { nil } }
        set { parts.alias = newValue }
    }

    package var arguments: [Argument] {
        get { if case .parts(let parts) = details { parts.arguments } else { [] } }
        set { parts.arguments = newValue }
    }

    package var directives: [Directive] {
        get { if case .parts(let parts) = details { parts.directives } else { [] } }
        set { parts.directives = newValue }
    }

    /// What is selected of the field's value. Empty when it has no selection set, since none is empty.
    package var selectionSet: [Selection] {
        get {
            switch details {
            case .none: []
            case .selectionSet(let selections): selections
            case .parts(let parts): parts.selectionSet
            }
        }
        set { parts.selectionSet = newValue }
    }

    /// Its key in the response.
    package var responseName: String { alias?.text ?? name.text }
    package var position: Position { alias?.position ?? name.position }
}

/// A fragment used by its name: `...Name @directive`.
package struct FragmentSpread: Sendable, Hashable {
    /// The name; its position is that of the three dots.
    package var name: Name
    package var directives: [Directive]

    package init(name: Name, directives: [Directive] = []) {
        self.name = name
        self.directives = directives
    }

    package var position: Position { name.position }
}

/// A fragment written in its place: `... on Type @directive { … }`, where the condition may be absent.
package struct InlineFragment: Sendable, Hashable {
    package var typeCondition: Name?
    package var directives: [Directive]
    package var selectionSet: [Selection]
    package var position: Position

    package init(
        typeCondition: Name? = nil, directives: [Directive] = [], selectionSet: [Selection],
        position: Position = .none
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.position = position
    }
}

/// An argument: `name: value`. Specification: section 2.6.
package struct Argument: Sendable, Hashable {
    package var name: Name
    package var value: Value

    package init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }

    package var position: Position { name.position }
}

/// A directive where it is applied: `@name(argument: value)`. Specification: section 2.12.
package struct Directive: Sendable, Hashable {
    package var name: Name
    package var arguments: [Argument]
    /// Where its at-sign stands.
    package var position: Position

    package init(name: Name, arguments: [Argument] = [], position: Position = .none) {
        self.name = name
        self.arguments = arguments
        self.position = position
    }

    /// The value of the argument of that name, or nil when it is not written.
    package func argument(_ name: String) -> Value? {
        arguments.last { $0.name.text == name }?.value
    }
}

extension [Directive] {
    /// The first directive of that name.
    package func first(named name: String) -> Directive? {
        first { $0.name.text == name }
    }

    /// Whether a directive of that name is applied.
    package func contains(named name: String) -> Bool {
        contains { $0.name.text == name }
    }
}
