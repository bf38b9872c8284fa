/// What a selection may have beside its name and its braces, kept apart because few have it.
final class SelectionDetails: Sendable {
    /// The alias of a field, or the type condition of an inline fragment.
    let name: Name?
    let arguments: [Argument]
    let directives: [Directive]

    private init(_ name: Name?, _ arguments: [Argument], _ directives: [Directive]) {
        self.name = name
        self.arguments = arguments
        self.directives = directives
    }

    /// Nil when there is nothing to keep.
    static func of(name: Name? = nil, arguments: [Argument] = [], directives: [Directive] = []) -> SelectionDetails? {
        guard name != nil || !arguments.isEmpty || !directives.isEmpty else { return nil }
        return SelectionDetails(name, arguments, directives)
    }
}

extension SelectionDetails: Hashable {
    static func == (left: SelectionDetails, right: SelectionDetails) -> Bool {
        left.name == right.name && left.arguments == right.arguments && left.directives == right.directives
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(arguments)
        hasher.combine(directives)
    }
}
