import JSON
import Script

/// A part of an expression. The parser builds it, and nothing changes it afterwards.
///
/// Unchecked: only the parser writes, before anybody else sees the tree.
final class Node: @unchecked Sendable {
    enum Kind: Sendable {
        case path, binary, unary, name, string, number, literal, wildcard, descendant, parent, condition, block, bind
        case regex, function, variable, lambda, thunk, partial, apply, transform, sort, placeholder, end
        /// `a ?: b` and `a ?? b`.
        case otherwise, coalesce
    }

    var kind: Kind
    /// An operator of two values.
    enum Operator: String, Sendable {
        case and, or
        case isIn = "in"
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case remainder = "%"
        case equal = "="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case more = ">"
        case moreOrEqual = ">="
        case joined = "&"
        case range = ".."
    }

    var operation: Operator?
    /// An operator, a name, or the text of a literal.
    var text: String
    let position: Int
    var number = 0.0
    /// Of `true`, `false` and `null`.
    var literal: JSONValue?
    var pattern: RegularExpression?
    var lhs: Node?
    var rhs: Node?
    /// Of a condition: what to do if it does not hold. Of a transform: what to delete.
    var other: Node?
    /// Steps of a path, expressions of a block or list, arguments of a call, what a sort compares.
    var parts: [Node] = []
    /// Members of an object.
    var pairs: [(key: Node, value: Node)] = []
    /// Of a sort: which of its terms descend.
    var descends: [Bool] = []
    /// Of a function.
    var parameters: [String] = []
    var signature: Signature?

    var predicates: [Stage]?
    var stages: [Stage]?
    var group: Group?
    var keepsArray = false
    var keepsSingleton = false
    var isConstructed = false
    var isTuple = false
    /// The variables of `@$name` and `#$name`.
    var focus: String?
    var index: String?
    var ancestor: Slot?
    var slot: Slot?
    var seeking: [Slot]?
    /// How many parts are within each other below.
    var height = 1

    init(_ kind: Kind, _ text: String, at position: Int) {
        (self.kind, self.text, self.position) = (kind, text, position)
    }

    /// A predicate of a step, or the variable that numbers its values.
    enum Stage {
        case filter(Node)
        case index(String)
    }

    struct Group {
        let pairs: [(key: Node, value: Node)]
        let position: Int
    }

    /// A place that `%` looks for: how many steps up, and the variable that holds its value.
    final class Slot {
        var label: String
        var level = 1
        let index: Int

        init(_ index: Int) { (label, self.index) = ("!\(index)", index) }
    }
}
