/// A parsed pattern (ECMAScript 2023, 22.2.1). Its depth is bounded by `RegularExpressionLimits.depth`.
indirect enum RegularExpressionNode {
    case empty
    /// One code point with the flag `u`, one unit without it.
    case character(UInt32)
    case set(CodePointSet, isInverted: Bool)
    case sequence([RegularExpressionNode])
    case alternatives([RegularExpressionNode])
    case capture(Int, RegularExpressionNode)
    case assertion(Assertion)
    case look(isAhead: Bool, isNegative: Bool, RegularExpressionNode)
    case backreference(Int)
    /// A reference by name, as its place among the names that the pattern refers to: the group may stand further right.
    case namedReference(Int)
    case repetition(RegularExpressionNode, Quantifier)

    enum Assertion {
        case start, end, wordBoundary, notWordBoundary
    }

    struct Quantifier {
        /// The `max` of a quantifier without an upper end.
        static let unlimited = Int(Int32.max)

        var min: Int
        var max: Int
        var isGreedy: Bool
        /// The capture groups inside: each new round forgets what they held.
        var groups: Range<Int>
    }

    /// True if the node can match without taking a unit. References can, whatever they refer to.
    var canBeEmpty: Bool {
        switch self {
        case .empty, .assertion, .look, .backreference, .namedReference: true
        case .character, .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.canBeEmpty)
        case .alternatives(let nodes): nodes.contains(where: \.canBeEmpty)
        case .capture(_, let node): node.canBeEmpty
        case .repetition(let node, let quantifier): quantifier.min == 0 || node.canBeEmpty
        }
    }

    /// True if the node can only match without taking a unit.
    var isAlwaysEmpty: Bool {
        switch self {
        case .empty, .assertion, .look: true
        case .character, .set, .backreference, .namedReference: false
        case .sequence(let nodes), .alternatives(let nodes): nodes.allSatisfy(\.isAlwaysEmpty)
        case .capture(_, let node): node.isAlwaysEmpty
        case .repetition(let node, let quantifier): quantifier.max == 0 || node.isAlwaysEmpty
        }
    }

    /// True if every match begins at the start of the text (`^` without the flag `m`).
    var isAnchored: Bool {
        switch self {
        case .assertion(.start): true
        case .sequence(let nodes): nodes.first?.isAnchored ?? false
        case .alternatives(let nodes): nodes.allSatisfy(\.isAnchored)
        case .capture(_, let node): node.isAnchored
        default: false
        }
    }
}
