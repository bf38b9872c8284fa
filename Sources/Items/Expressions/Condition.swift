/// What an item must be like: the meaning of a condition, a filter, or of their older forms.
package indirect enum Condition: Sendable {
    case comparison(Comparator, Operand, Operand)
    case between(Operand, Operand, Operand)
    case isIn(Operand, [Operand])
    case exists(DocumentPath)
    case isAbsent(DocumentPath)
    case isOfType(Operand, ItemValue.Kind)
    case beginsWith(Operand, Operand)
    case contains(Operand, Operand)
    case not(Condition)
    case all([Condition])
    case any([Condition])

    /// What is compared.
    package indirect enum Operand: Sendable {
        case path(DocumentPath)
        case value(ItemValue)
        case size(Operand)
    }
}

extension Condition {
    /// The names of all attributes that are looked at, in their order, some perhaps more than once.
    package var attributes: [String] {
        switch self {
        case .comparison(_, let left, let right), .beginsWith(let left, let right), .contains(let left, let right):
            left.attributes + right.attributes
        case .between(let operand, let low, let high): operand.attributes + low.attributes + high.attributes
        case .isIn(let operand, let operands): operand.attributes + operands.flatMap(\.attributes)
        case .exists(let path), .isAbsent(let path): [path.root]
        case .isOfType(let operand, _): operand.attributes
        case .not(let condition): condition.attributes
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.attributes)
        }
    }
}

extension Condition.Operand {
    var attributes: [String] {
        switch self {
        case .path(let path): [path.root]
        case .value: []
        case .size(let operand): operand.attributes
        }
    }

    /// The type of what it gives, where that is known without an item.
    var knownKind: ItemValue.Kind? {
        switch self {
        case .path: nil
        case .value(let value): value.kind
        case .size: .number
        }
    }
}
