/// An expression as it is written, before names and values are put in: what `ExpressionParser` makes.
enum ExpressionSyntax {
    /// One part of a path.
    enum PathPart {
        case identifier(String)
        case name(String)
        /// The digits of an index.
        case index(String)
    }

    indirect enum Operand {
        case path([PathPart])
        case value(String)
        case function(String, [Operand])
    }

    indirect enum Condition {
        case comparison(Comparator, Operand, Operand)
        case between(Operand, Operand, Operand)
        case isIn(Operand, [Operand])
        case function(String, [Operand])
        case not(Condition)
        case all([Condition])
        case any([Condition])
    }

    /// What `SET` gives a path.
    enum SetValue {
        case operand(Operand)
        case sum(Operand, Operand)
        case difference(Operand, Operand)
    }

    enum Action {
        case set([PathPart], SetValue)
        case remove([PathPart])
        case add([PathPart], String)
        case delete([PathPart], String)
    }

    struct Section {
        let keyword: String
        let actions: [Action]
    }
}

/// How two operands are compared.
package enum Comparator: String, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it asks for an order.
    var isOrdering: Bool { self != .equal && self != .notEqual }

    /// The same comparison from the other side.
    var mirrored: Comparator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
