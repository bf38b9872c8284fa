/// Whether a selection is part of a request: what its `@skip` and `@include`, and those of the fragments around it, say.
/// Specification: sections 3.13.1 and 3.13.2.
package enum Inclusion: Sendable, Hashable {
    case always
    case never
    /// When every one of these variables has its value.
    case when([Term])

    /// A variable and the value that it must have.
    package struct Term: Sendable, Hashable {
        package let variable: String
        package let value: Bool
    }

    package init(_ directives: [Directive]) {
        self = .always
        for directive in directives {
            switch directive.name.text {
            case "skip": self = and(Inclusion(directive, isSkip: true))
            case "include": self = and(Inclusion(directive, isSkip: false))
            default: break
            }
        }
    }

    private init(_ directive: Directive, isSkip: Bool) {
        switch directive.argument("if") {
        case .boolean(let boolean): self = boolean.value != isSkip ? .always : .never
        case .variable(let name): self = .when([Term(variable: name.text, value: !isSkip)])
        default: self = .always
        }
    }

    /// What both ask for.
    package func and(_ other: Inclusion) -> Inclusion {
        switch (self, other) {
        case (.never, _), (_, .never): return .never
        case (.always, _): return other
        case (_, .always): return self
        case (.when(let terms), .when(let more)):
            let added = more.filter { !terms.contains($0) }
            let isContradiction = added.contains { term in
                terms.contains { $0.variable == term.variable && $0.value != term.value }
            }
            return isContradiction ? .never : .when(terms + added)
        }
    }

    /// Returns whether the selection is part of a request with those variables.
    package func isMet(_ variables: VariableValues) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .when(let terms): terms.allSatisfy { variables.isTrue($0.variable) == $0.value }
        }
    }
}
