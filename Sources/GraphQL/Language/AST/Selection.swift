/// One thing that a selection set asks for. Specification: section 2.4.
package enum Selection: Sendable, Hashable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    case inlineFragment(InlineFragment)

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
package struct Field: Sendable, Hashable {
    package var name: Name
    private var details: SelectionDetails?
    /// What is selected of the field's value. Empty when it has no selection set, since none is empty.
    package var selectionSet: SelectionSet

    package init(
        alias: Name? = nil, name: Name, arguments: [Argument] = [], directives: [Directive] = [],
        selectionSet: SelectionSet = []
    ) {
        self.init(
            name, details: .of(name: alias, arguments: arguments, directives: directives), selectionSet: selectionSet)
    }

    init(_ name: Name, details: SelectionDetails?, selectionSet: SelectionSet) {
        self.name = name
        self.details = details
        self.selectionSet = selectionSet
    }

    package var alias: Name? {
        get { details?.name }
        set { details = .of(name: newValue, arguments: arguments, directives: directives) }
    }

    package var arguments: [Argument] {
        get { details?.arguments ?? [] }
        set { details = .of(name: alias, arguments: newValue, directives: directives) }
    }

    package var directives: [Directive] {
        get { details?.directives ?? [] }
        set { details = .of(name: alias, arguments: arguments, directives: newValue) }
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

    init(_ name: Name, details: SelectionDetails?) {
        self.init(name: name, directives: details?.directives ?? [])
    }

    package var position: Position { name.position }
}

/// A fragment written in its place: `... on Type @directive { … }`, where the condition may be absent.
package struct InlineFragment: Sendable, Hashable {
    private var details: SelectionDetails?
    package var selectionSet: SelectionSet
    package var position: Position

    package init(
        typeCondition: Name? = nil, directives: [Directive] = [], selectionSet: SelectionSet,
        position: Position = .none
    ) {
        self.init(
            details: .of(name: typeCondition, directives: directives), selectionSet: selectionSet, position: position)
    }

    init(details: SelectionDetails?, selectionSet: SelectionSet, position: Position) {
        self.details = details
        self.selectionSet = selectionSet
        self.position = position
    }

    package var typeCondition: Name? {
        get { details?.name }
        set { details = .of(name: newValue, directives: directives) }
    }

    package var directives: [Directive] {
        get { details?.directives ?? [] }
        set { details = .of(name: typeCondition, directives: newValue) }
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
        // By number here and below: a search over the elements would copy each of them.
        for number in indices where self[number].name.text == name { return self[number] }
        return nil
    }

    /// Returns whether a directive of that name is applied.
    package func contains(named name: String) -> Bool {
        for number in indices where self[number].name.text == name { return true }
        return false
    }
}
