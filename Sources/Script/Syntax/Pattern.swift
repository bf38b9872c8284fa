/// What a value is taken apart into: by a declaration (whose leaves are new names) or by an assignment (whose leaves are
/// targets that exist).
package indirect enum Pattern {
    /// A name that is declared here.
    case binding(Name, Place)
    /// A target of an assignment: an identifier or a member, maybe in parentheses.
    case target(Expression)
    case object([PropertyPattern], rest: Pattern?, Place)
    case array([ElementPattern?], rest: Pattern?, Place)
}

package struct PropertyPattern {
    package var name: PropertyName
    package var element: ElementPattern

    package init(name: PropertyName, element: ElementPattern) {
        self.name = name
        self.element = element
    }
}

package struct ElementPattern {
    package var pattern: Pattern
    package var initializer: Expression?

    package init(_ pattern: Pattern, initializer: Expression? = nil) {
        self.pattern = pattern
        self.initializer = initializer
    }
}
