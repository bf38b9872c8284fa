/// The fields of a selection as rows walk over them: steps without references, which cost nothing to copy.
///
/// Hot path: nearly everything that a page selects is a column that is written as it is.
struct RowPlan: Sendable {
    struct Step: Sendable {
        let action: Action
        /// Where the value is in the row.
        let column: Int
        /// Where the key is in `keys`, with the comma before it.
        let key: Range<Int>
    }

    enum Action: Sendable {
        case text
        case integer
        case real
        case boolean
        /// A text of which a part is shown.
        case owner
        /// JSON that goes into the response as it is stored.
        case verbatim
        /// The same bytes for every row stand behind the key.
        case constant
        /// Whatever needs a closer look: the field of the same number says what.
        case other
    }

    let steps: [Step]
    let keys: [UInt8]

    init(_ fields: [FieldPlan]) {
        var steps: [Step] = []
        var keys: [UInt8] = []
        for field in fields {
            let start = keys.count
            keys += field.key
            var (action, column) = (Action.other, 0)
            if field.inclusions.isEmpty {
                switch field.source {
                case .leaf(let place, let kind):
                    (action, column) = (Self.action(of: kind), place)
                case .constant(let bytes):
                    action = .constant
                    keys += bytes
                default: break
                }
            }
            steps.append(Step(action: action, column: column, key: start..<keys.count))
        }
        self.steps = steps
        self.keys = keys
    }

    private static func action(of kind: LeafKind) -> Action {
        switch kind {
        case .text, .json: .text
        case .integer: .integer
        case .real: .real
        case .boolean: .boolean
        case .verbatim: .verbatim
        case .owner: .owner
        case .owners: .other
        }
    }
}
