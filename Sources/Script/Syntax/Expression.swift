/// An expression with its place, where an error in it is shown.
package struct Expression {
    package var form: Form
    package var place: Place

    package init(_ form: Form, at place: Place) {
        self.form = form
        self.place = place
    }

    package indirect enum Form {
        case identifier(Name)
        case this
        case null
        case boolean(Bool)
        case number(Double)
        case text([UInt16])
        case regularExpression(pattern: [UInt16], flags: [UInt16])
        case template(Template)
        case taggedTemplate(tag: Expression, Template)
        case array([ArrayElement])
        case object([Property])
        case function(FunctionNode)
        case `class`(ClassNode)
        /// In parentheses, which end an optional chain and keep a function from being named by its target.
        case parenthesized(Expression)

        case member(Expression, Name, isOptional: Bool)
        case index(Expression, Expression, isOptional: Bool)
        /// The name of a private member begins with its `#`, everywhere in the tree.
        case privateMember(Expression, Name, isOptional: Bool)
        case call(Expression, [ArrayElement], isOptional: Bool)
        /// The whole of `a?.b.c`: where one of its links finds nothing, all of it is undefined.
        case chain(Expression)
        case new(Expression, [ArrayElement])
        case superMember(Name)
        case superIndex(Expression)
        case superCall([ArrayElement])
        case newTarget
        case importMeta
        /// `import(specifier, options)`
        case importCall(Expression, options: Expression?)

        case unary(UnaryOperator, Expression)
        /// `++` and `--`
        case update(by: Double, isPrefix: Bool, Expression)
        case binary(BinaryOperator, Expression, Expression)
        case logical(LogicalOperator, Expression, Expression)
        /// `#name in object`
        case privateIn(Name, Expression)
        case assign(Pattern, Expression)
        case assignWith(BinaryOperator, Expression, Expression)
        case assignLogical(LogicalOperator, Expression, Expression)
        case conditional(Expression, then: Expression, otherwise: Expression)
        case sequence([Expression])
        case yield(Expression?)
        case yieldAll(Expression)
        case await(Expression)
    }
}

package enum UnaryOperator: Sendable {
    case minus, plus, not, complement, typeOf, void, delete
}

package enum BinaryOperator: Sendable {
    case add, subtract, multiply, divide, remainder, power
    case shiftLeft, shiftRight, shiftRightUnsigned, and, or, xor
    case equal, notEqual, same, notSame, less, lessOrEqual, greater, greaterOrEqual
    case instanceOf, `in`
}

package enum LogicalOperator: Sendable {
    case and, or, coalesce
}

/// An element of a list, or an argument of a call (which is never a hole).
package enum ArrayElement {
    case hole
    case value(Expression)
    case spread(Expression)
}

/// The texts of a template around its expressions: one more than there are expressions.
package struct Template {
    package struct Text {
        /// Nothing where an escape is wrong, which only a tagged template may have.
        package var cooked: [UInt16]?
        package var raw: [UInt16]

        package init(cooked: [UInt16]?, raw: [UInt16]) {
            self.cooked = cooked
            self.raw = raw
        }
    }

    package var texts: [Text]
    package var expressions: [Expression]

    package init(texts: [Text], expressions: [Expression]) {
        self.texts = texts
        self.expressions = expressions
    }
}

/// The name of a property or of a class's element.
package enum PropertyName {
    case name(Name)
    case number(Double)
    case computed(Expression)
    case `private`(Name)
}

/// A part of an object literal.
package enum Property {
    case value(PropertyName, Expression)
    /// `__proto__: value`, which sets the prototype and makes no property.
    case prototype(Expression)
    case method(PropertyName, FunctionNode)
    case getter(PropertyName, FunctionNode)
    case setter(PropertyName, FunctionNode)
    case spread(Expression)
}
