package struct Statement {
    package var form: Form
    package var place: Place

    package init(_ form: Form, at place: Place) {
        self.form = form
        self.place = place
    }

    package indirect enum Form {
        case empty
        case expression(Expression)
        case declaration(Declaration)
        /// Of `export default function () {}` the name is `*default*`: it is bound as that, and called `default`.
        case function(FunctionNode)
        case `class`(ClassNode)
        case block([Statement])
        case `if`(Expression, then: Statement, otherwise: Statement?)
        case `for`(ForStart?, test: Expression?, update: Expression?, body: Statement)
        case forIn(ForHead, Expression, body: Statement)
        case forOf(ForHead, Expression, body: Statement, isAwait: Bool)
        case `while`(Expression, body: Statement)
        case doWhile(body: Statement, Expression)
        case `switch`(Expression, [SwitchCase])
        case labeled(Name, Statement)
        case `break`(Name?)
        case `continue`(Name?)
        case `return`(Expression?)
        case `throw`(Expression)
        case `try`([Statement], Catch?, finally: [Statement]?)
        case debugger
        /// `export default expression`: the value goes into the binding `*default*`.
        case exportDefault(Expression)
        /// In the whole function in which this stands, these names are no variables but the properties of that name of
        /// the object that the variable `of` holds: members of TypeScript's `enum`, values that a `namespace` exports.
        /// Reading one reads the property, assigning to one sets it.
        case propertyNames(of: Name, [Name])
    }
}

package struct Declaration {
    package enum Kind: Sendable {
        case `var`, `let`, const
    }

    package var kind: Kind
    package var parts: [ElementPattern]

    package init(kind: Kind, parts: [ElementPattern]) {
        self.kind = kind
        self.parts = parts
    }
}

package enum ForStart {
    case declaration(Declaration)
    case expression(Expression)
}

/// What `for (... of list)` gives each value to.
package enum ForHead {
    case declaration(Declaration.Kind, Pattern)
    case assignment(Pattern)
}

package struct SwitchCase {
    /// Nothing: `default`.
    package var test: Expression?
    package var body: [Statement]
    package var place: Place

    package init(test: Expression?, body: [Statement], at place: Place) {
        self.test = test
        self.body = body
        self.place = place
    }
}

package struct Catch {
    package var parameter: Pattern?
    package var body: [Statement]

    package init(parameter: Pattern?, body: [Statement]) {
        self.parameter = parameter
        self.body = body
    }
}
