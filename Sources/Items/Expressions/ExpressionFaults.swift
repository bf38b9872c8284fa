/// The mistakes in an expression that is well formed. DynamoDB looks for one kind of them after the other, so of several the
/// one of the first kind is told, and of these the one that stands first.
final class ExpressionFaults {
    /// The kinds, in the order in which they are looked for.
    enum Kind: Int {
        case size
        case function
        case misuse
        case reservedWord
        case section
        case name
        case value
        case clash
        case operandCount
        case sameOperands
        case operandType
    }

    private var found: (kind: Kind, message: String)?

    func note(_ kind: Kind, _ message: @autoclosure () -> String) {
        if let found, found.kind.rawValue <= kind.rawValue { return }
        found = (kind, message())
    }

    /// The mistakes of a part: those of any kind count as one kind of the whole, so the first part with a mistake wins.
    func note(_ part: ExpressionFaults) {
        guard let fault = part.found else { return }
        let isOfWhole = fault.kind.rawValue <= Kind.section.rawValue
        note(isOfWhole ? fault.kind : .name, fault.message)
    }

    func check(_ kind: ExpressionKind) throws(ItemError) {
        if let found { throw kind.refusal(found.message) }
    }
}
